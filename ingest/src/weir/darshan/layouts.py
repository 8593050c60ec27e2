"""Says what a Darshan log looks like in bytes: its header here, its modules by schemas/darshan/modules.yaml.

dtypes are little-endian.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal

import numpy as np

from weir.darshan_modules import DarshanModule, modules, slots

Order = Literal["<", ">"]  # byte order: little-endian, big-endian

MAGIC = 6567223
ZLIB, BZIP2, UNCOMPRESSED = 0, 1, 2  # the header's compression type
LOG_VERSIONS = ("3.00", "3.10", "3.20", "3.21", "3.41")
JOB_RECORD_BYTES = 4096  # job, metadata, command line and mounts, inflated


@cache
def modules_of(log_version: str) -> tuple[str, ...]:
    """Module names by slot of the header of a log of this version."""
    return tuple(slots()[max(since for since in slots() if since <= log_version)])


def ordered(dtype: np.dtype[np.void], order: Order) -> np.dtype[np.void]:
    """One of this module's dtypes in the byte order of a log."""
    return dtype if order == "<" else dtype.newbyteorder(order)


def _header(slots: int, flags: str) -> np.dtype[np.void]:
    region = [("offset", "<u8"), ("length", "<u8")]
    fields = [
        ("version", "S8"),
        ("magic", "<i8"),
        ("compression", "u1"),
        ("partial", flags),
        ("names", region),
    ]
    fields += [("modules", region, (slots,)), ("module_versions", "<u4", (slots,))]  # type: ignore[list-item]
    return np.dtype(fields, align=True)


@cache
def header_of(log_version: str, order: Order = "<") -> np.dtype[np.void]:
    """The header, with which every log starts; the job record follows it immediately."""
    layout = _header(64, "<u8") if log_version >= "3.41" else _header(16, "<u4")
    return ordered(layout, order)


@cache
def job_of(log_version: str, order: Order = "<") -> np.dtype[np.void]:
    """The job record; the command line and the mount table follow it as text up to JOB_RECORD_BYTES."""
    times = ["start_time_sec", "start_time_nsec", "end_time_sec", "end_time_nsec"]
    if log_version < "3.41":
        times = [name for name in times if not name.endswith("nsec")]
    fields = [(name, order + "i8") for name in ("uid", *times, "nprocs", "jobid")]
    return np.dtype([*fields, ("metadata", "V1024")])


# --- records of fixed size -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Counters:
    """One version of a module's records: id, rank, `head`, 64-bit counters, 64-bit floats, `tail`."""

    ints: tuple[str, ...]
    floats: tuple[str, ...]
    """Counters in the order of the file, under their newest names."""
    head: tuple[tuple[str, str], ...] = ()
    tail: tuple[tuple[str, str], ...] = ()
    """Other fields of the record: name and dtype."""
    retired: tuple[str, ...] = ()
    """Those of `ints` that are no counter of the newest version."""
    sums: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Newest counters that are the sum of retired ones."""
    mixed: str = ""
    """A record in which this retired counter is above 0 has no newest form: libdarshan leaves it out."""

    @cached_property
    def dtype(self) -> np.dtype[np.void]:
        counters = {"ints": f"({len(self.ints)},)i8", "floats": f"({len(self.floats)},)f8"}
        return _dtype({"id": "u8", "rank": "i8"} | dict(self.head) | counters | dict(self.tail))

    @cached_property
    def fields(self) -> tuple[str, ...]:
        """Names of `head` and `tail`."""
        return tuple(name for name, _ in (*self.head, *self.tail))

    @cached_property
    def int_names(self) -> tuple[str, ...]:
        """The counters of the newest version that these records have."""
        return (*(name for name in self.ints if name not in self.retired), *(name for name, _ in self.sums))


def _dtype(fields: Mapping[str, str]) -> np.dtype[np.void]:
    return np.dtype(list(fields.items())).newbyteorder("<")


def _fields(module: DarshanModule, fields: Mapping[str, str], version: int) -> dict[str, str]:
    return {name: fields[name] for name in module.of_version(fields, version)}


def _counters(module: DarshanModule, version: int) -> Counters:
    ints = module.of_version(module.ints, version)
    newest = module.of_version(ints, module.newest)
    return Counters(
        ints,
        module.of_version(module.floats, version),
        tuple(_fields(module, module.head, version).items()),
        tuple(_fields(module, module.tail, version).items()),
        tuple(name for name in ints if name not in newest),
        tuple((name, tuple(parts)) for name, parts in module.sums.items() if name not in ints),
        module.mixed if module.mixed in ints else "",
    )


COUNTERS = {
    (name, version): _counters(module, version)
    for name, module in modules().items()
    if module.has_counters
    for version in module.versions
}

# --- records of variable size: a head, then what its numbers say -----------------------------------------


def _head(name: str, version: int) -> np.dtype[np.void]:
    module = modules()[name]
    return _dtype({"id": "u8", "rank": "i8"} | _fields(module, module.head, version))


HEATMAP_HEAD = _head("HEATMAP", 1)

_LUSTRE = modules()["LUSTRE"]
LUSTRE_1_HEAD, LUSTRE_HEAD = _head("LUSTRE", 1), _head("LUSTRE", 2)
LUSTRE_1_INTS, LUSTRE_INTS = (_LUSTRE.of_version(_LUSTRE.ints, version) for version in (1, 2))
LUSTRE_COMPONENT = _dtype({"ints": f"({len(LUSTRE_INTS)},)i8"} | dict(_LUSTRE.part))

DXT_HEAD = _head("DXT_POSIX", modules()["DXT_POSIX"].newest)
DXT_SEGMENTS = {
    (name, version): _dtype(_fields(modules()[name], modules()[name].part, version))
    for name in ("DXT_POSIX", "DXT_MPIIO")
    for version in modules()[name].versions
}

# every module and version that can be decoded
DECODED = {(name, version) for name, module in modules().items() for version in module.versions}
