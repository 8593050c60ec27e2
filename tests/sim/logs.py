"""The messages of a simulated log: columns made with numpy, encoded as the agents encode theirs."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
from weir import identity, wire
from weir.darshan.layouts import COUNTERS, LUSTRE_INTS
from weir.darshan_modules import modules

from sim.archetypes import HOME, KIB, LOCAL, MIB, Archetype, Files
from sim.plan import RUN_SECONDS, Log

BATCH_BYTES = 448 * KIB
TARGETS = 8
VERSIONS = {"POSIX": 4, "MPI-IO": 3, "STDIO": 2, "LUSTRE": 2, "HEATMAP": 1}
TABLES = {
    "POSIX": "posix_records",
    "MPI-IO": "mpiio_records",
    "STDIO": "stdio_records",
    "LUSTRE": "lustre_stripes",
    "HEATMAP": "heatmap_bins",
}
_BIN_NAMES = [
    "0_100", "100_1K", "1K_10K", "10K_100K", "100K_1M", "1M_4M", "4M_10M", "10M_100M", "100M_1G", "1G_PLUS",
]  # fmt: skip
_BIN_ENDS = [100, KIB, 10 * KIB, 100 * KIB, MIB, 4 * MIB, 10 * MIB, 100 * MIB, 1024 * MIB]


@dataclass
class Rows:
    """Rows of one module; columns are counters, one after the other."""

    module: str
    ids: np.ndarray
    ranks: np.ndarray
    names: list[str]
    int_names: tuple[str, ...]
    float_names: tuple[str, ...]
    ints: np.ndarray = field(init=False)
    floats: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.ints = np.zeros((len(self.int_names), len(self.ids)), "<i8")
        self.floats = np.zeros((len(self.float_names), len(self.ids)), "<f8")

    def __setitem__(self, name: str, values: Any) -> None:
        ints, floats = _places(self.int_names), _places(self.float_names)
        if name in ints:
            self.ints[ints[name]] = values
        else:
            self.floats[floats[name]] = values

    def batches(self) -> Iterator[dict[str, Any]]:
        """As many rows in each as a message holds."""
        width = 18 + 8 * (len(self.int_names) + len(self.float_names)) + max(map(len, self.names))
        step = BATCH_BYTES // width
        for start in range(0, len(self.ids), step):
            these = slice(start, start + step)
            yield {
                "module": self.module,
                "module_version": VERSIONS[self.module],
                "rows": len(self.ids[these]),
                "record_ids": self.ids[these].tobytes(),
                "ranks": self.ranks[these].tobytes(),
                "names": self.names[these],
                "int_names": self.int_names,
                "ints": self.ints[:, these].tobytes(),
                "float_names": self.float_names,
                "floats": self.floats[:, these].tobytes(),
            }


@cache
def _places(names: tuple[str, ...]) -> dict[str, int]:
    return {name: place for place, name in enumerate(names)}


def _counters(module: str, ids: np.ndarray, ranks: np.ndarray, names: list[str]) -> Rows:
    counters = COUNTERS[module, VERSIONS[module]]
    return Rows(module, ids, ranks, names, counters.int_names, counters.floats)


def _ids(log: Log, group: int, files: Files, count: int) -> np.ndarray:
    """Stand for the hashes of the paths: distinct over all files, spread over all 64 bits."""
    first = (log.number << 24) + (group << 20)
    if files.common:
        first = int(identity.text_hash(f"{folder(log, files)}/{group}".encode())[:15], 16)
    return (np.arange(first, first + count, dtype="<u8") + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)


@cache
def _suffixes(count: int) -> list[str]:
    return [f"{number:06}" for number in range(count)]


def folder(log: Log, files: Files) -> str:
    """The folder of a run's files on their mount."""
    person = log.app.person
    mount = {HOME: "/home", LOCAL: "/tmp"}.get(files.mount, f"/{log.filesystem}")
    return f"{mount}/{person.project}/{person.name}/{log.app.exe if files.common else log.number}"


def _bin(size: int) -> str:
    return _BIN_NAMES[int(np.searchsorted(_BIN_ENDS, size))]


def _times(rows: Rows, prefix: str, files: Files, log: Log, seconds: Any, shares: dict[str, float]) -> None:
    """Of each record, `seconds` by kind; and the interval in which it moved bytes."""
    begin, end = log.io_begin, log.io_begin + log.io_seconds
    rows[f"{prefix}_F_META_TIME"] = seconds * files.meta
    for kind, stamp in {"OPEN": begin, "CLOSE": end}.items():
        rows[f"{prefix}_F_{kind}_START_TIMESTAMP"] = stamp
        rows[f"{prefix}_F_{kind}_END_TIMESTAMP"] = stamp
    for kind, share in shares.items():
        if share:
            rows[f"{prefix}_F_{kind}_TIME"] = seconds * (1 - files.meta) * share
            rows[f"{prefix}_F_{kind}_START_TIMESTAMP"] = begin
            rows[f"{prefix}_F_{kind}_END_TIMESTAMP"] = end


def _group(log: Log, number: int, files: Files) -> Iterator[Rows]:
    """The records of one group of files, in all modules."""
    nprocs, kind = log.archetype.nprocs, log.archetype
    shared = files.who == "shared"
    ranks = np.full(files.count, -1, "<i8")
    if not shared:
        ranks = np.repeat(np.arange(1 if files.who == "zero" else nprocs, dtype="<i8"), files.count)
    doers = (files.doers or nprocs) if shared else 1
    times = np.where((ranks >= 0) & (ranks < files.heavy[0]), files.heavy[1], 1) * doers
    ids = _ids(log, number, files, len(ranks))
    names = [f"{folder(log, files)}/{number}.{suffix}" for suffix in _suffixes(len(ranks))]
    reads, writes = files.reads * times, files.writes * times
    read, written = reads * files.read_size, writes * files.write_size
    seconds = np.full(len(ranks), log.io_seconds / len(kind.files) / files.count)
    if files.slow_process:
        seconds[ranks > 0] /= 10
    ways = bool(files.reads) + bool(files.writes) or 1
    shares = {"READ": bool(files.reads) / ways, "WRITE": bool(files.writes) / ways}

    rows = _counters(files.module, ids, ranks, names)
    p = files.module
    opens = files.opens * (nprocs if shared else 1)
    rows[f"{p}_OPENS"] = opens
    for way, count, size, moved in (
        ("READ", reads, files.read_size, read),
        ("WRITE", writes, files.write_size, written),
    ):
        past = "READ" if way == "READ" else "WRITTEN"
        rows[f"{p}_{way}S"] = count
        rows[f"{p}_BYTES_{past}"] = moved
        rows[f"{p}_MAX_BYTE_{past}"] = np.where(moved > 0, (files.extent or moved) - 1, 0)
        if p == "POSIX" and count.any():
            jumps = files.jumps * times
            rows[f"POSIX_SEQ_{way}S"] = sequential = np.maximum(0, count - opens - jumps)
            # every other request of a process in a shared file leaves room for one of another process
            rows[f"POSIX_CONSEC_{way}S"] = sequential // 2 if shared else sequential
            rows[f"POSIX_SIZE_{way}_{_bin(size)}"] = count
            rows[f"POSIX_MAX_{way}_TIME_SIZE"] = size
            slot = 2 if way == "WRITE" and files.reads else 1
            rows[f"POSIX_ACCESS{slot}_ACCESS"] = size
            rows[f"POSIX_ACCESS{slot}_COUNT"] = count
    if p == "POSIX":
        rows["POSIX_STATS"] = files.stats * (nprocs if shared else 1)
        rows["POSIX_FSYNCS"] = files.fsyncs * times
        rows["POSIX_RW_SWITCHES"] = files.switches * times
        rows["POSIX_MODE"] = 0o644
        rows["POSIX_MEM_ALIGNMENT"] = 8
        rows["POSIX_FILE_ALIGNMENT"] = files.alignment
        rows["POSIX_FILE_NOT_ALIGNED"] = files.unaligned * times
    _times(rows, p, files, log, seconds * doers, shares)
    if shared:
        _spread(rows, p, nprocs, doers, int((read + written)[0]), float(seconds[0]))
    yield rows
    if files.mpiio:
        yield _mpiio(log, files, ids, ranks, names, int(read[0]), int(written[0]), shares)
    if files.stripes:
        yield _lustre(files, ids, ranks, names)


def _spread(rows: Rows, prefix: str, nprocs: int, doers: int, moved: int, seconds: float) -> None:
    """A reduced record: the first `doers` of all processes did the same, the others nothing."""
    of_bytes, of_time = moved / doers, seconds
    for what, each in (("BYTES", of_bytes), ("TIME", of_time)):
        share = doers / nprocs
        rows[f"{prefix}_F_VARIANCE_RANK_{what}"] = share * each**2 - (share * each) ** 2
    rows[f"{prefix}_SLOWEST_RANK_BYTES"] = moved // doers
    rows[f"{prefix}_F_SLOWEST_RANK_TIME"] = of_time
    rows[f"{prefix}_FASTEST_RANK"] = nprocs - 1
    if doers == nprocs:
        rows[f"{prefix}_FASTEST_RANK_BYTES"] = moved // doers
        rows[f"{prefix}_F_FASTEST_RANK_TIME"] = of_time


def _mpiio(log, files, ids, ranks, names, read, written, shares) -> Rows:
    """The calls of all processes above a shared file, even."""
    nprocs = log.archetype.nprocs
    rows = _counters("MPI-IO", ids, ranks, names)
    rows[f"MPIIO_{files.mpiio}_OPENS"] = nprocs
    rows["MPIIO_MODE"] = 9
    for way, past, moved in (("READ", "READ", read), ("WRITE", "WRITTEN", written)):
        calls = moved // files.mpiio_size
        rows[f"MPIIO_{files.mpiio}_{way}S"] = calls
        rows[f"MPIIO_BYTES_{past}"] = moved
        rows[f"MPIIO_SIZE_{way}_AGG_{_bin(files.mpiio_size)}"] = calls
    rows["MPIIO_ACCESS1_ACCESS"] = files.mpiio_size
    rows["MPIIO_ACCESS1_COUNT"] = (read + written) // files.mpiio_size
    _times(rows, "MPIIO", files, log, float(log.io_seconds * nprocs), shares)
    _spread(rows, "MPIIO", nprocs, nprocs, read + written, float(log.io_seconds))
    return rows


def _lustre(files: Files, ids: np.ndarray, ranks: np.ndarray, names: list[str]) -> Rows:
    """A row for each stripe; files start at one target after the other."""
    record = np.repeat(np.arange(len(ids)), files.stripes)
    stripe = np.tile(np.arange(files.stripes), len(ids))
    rows = Rows(
        "LUSTRE",
        ids[record],
        ranks[record],
        [names[each] for each in record.tolist()],
        (*LUSTRE_INTS, *modules()["LUSTRE"].row.ints),
        (),
    )
    rows["LUSTRE_COMP_STRIPE_SIZE"] = MIB
    rows["LUSTRE_COMP_STRIPE_COUNT"] = files.stripes
    rows["LUSTRE_COMP_EXT_END"] = -1
    rows["STRIPE"] = stripe
    rows["OST_ID"] = (record + stripe) % TARGETS
    return rows


def _moved_by_process(kind: Archetype, module: str) -> tuple[np.ndarray, np.ndarray]:
    """Bytes read and written by each process through a module."""
    read, written = np.zeros(kind.nprocs, "<i8"), np.zeros(kind.nprocs, "<i8")
    for files in kind.files:
        if files.module == module:
            doing = {"each": kind.nprocs, "zero": 1, "shared": files.doers or kind.nprocs}[files.who]
            times = np.ones(doing, "<i8") * files.count
            times[: files.heavy[0]] *= files.heavy[1]
            read[:doing] += files.reads * files.read_size * times
            written[:doing] += files.writes * files.write_size * times
    return read, written


def moved(kind: Archetype, mounts: tuple[str, ...] = ()) -> tuple[int, int]:
    """Bytes read and written by a run of this kind, on all mounts or on these."""
    read = written = 0
    for files in kind.files:
        if not mounts or files.mount in mounts:
            only = Archetype(kind.nprocs, (files,))
            by_process = _moved_by_process(only, files.module)
            read, written = read + int(by_process[0].sum()), written + int(by_process[1].sum())
    return read, written


def _heatmap(log: Log, module: str) -> Rows | None:
    """A bin of one second for each process that moved anything; what does not divide is in the last."""
    read, written = _moved_by_process(log.archetype, module)
    busy = np.flatnonzero(read + written)
    if not len(busy):
        return None
    ranks, bins = np.repeat(busy, log.io_seconds), np.tile(np.arange(log.io_seconds), len(busy))
    ids = np.full(len(ranks), 16_592_106_915_301_738_621 + len(module), "<u8")
    int_names = ("BIN", "BYTES_READ", "BYTES_WRITTEN")
    names = [f"heatmap:{module}"] * len(ranks)
    rows = Rows("HEATMAP", ids, ranks.astype("<i8"), names, int_names, ("BIN_WIDTH_SECONDS",))
    rows["BIN"] = bins + log.io_begin
    for name, of_process in (("BYTES_READ", read), ("BYTES_WRITTEN", written)):
        each, rest = np.divmod(of_process, log.io_seconds)
        rows[name] = each[ranks] + np.where(bins == log.io_seconds - 1, rest[ranks], 0)
    rows["BIN_WIDTH_SECONDS"] = 1.0
    return rows


def rows_of(log: Log) -> list[Rows]:
    """All its records, in the order of the modules."""
    kind = log.archetype
    found = [rows for number, files in enumerate(kind.files) for rows in _group(log, number, files)]
    if kind.heatmap:
        found += [rows for module in ("POSIX", "STDIO") if (rows := _heatmap(log, module)) is not None]
    return sorted(found, key=lambda rows: list(VERSIONS).index(rows.module))


@dataclass(frozen=True)
class Part:
    """One message of a log."""

    kind: str
    """header, batch or end."""
    value: bytes
    table: str = ""
    rows: int = 0


def parts(log: Log, cluster: str, origin: str) -> list[Part]:
    """Header, batches and end, without the part that is lost."""
    log_id, start = log.log_id(cluster), log.start * 1_000_000
    common = {"cluster": cluster, "job_id": log.job_id, "start_time": start}
    batches: list[dict[str, Any]] = []
    records: Counter[str] = Counter()
    for rows in rows_of(log):
        records[rows.module] += len(rows.ids)
        for batch in rows.batches():
            batches.append(common | batch | {"number": len(batches), "-type": "org.weir.wire.LogBatch"})
    first = next(iter(records), "")  # that is cut, if the log is
    modules = [
        {
            "name": module,
            "version": VERSIONS[module],
            "partial": log.state == "partial" and module == first,
            "compressed_bytes": 100 * count,
        }
        for module, count in records.items()
    ]
    header = common | {
        "uid": log.uid,
        "owner_uid": log.owner,
        "owner_check": log.owner_check,
        "file_name": log.file_name,
        "exe": log.app.exe,
        "exe_hash": identity.text_hash(log.app.exe.encode()),
        "nprocs": log.archetype.nprocs,
        "end_time": start + RUN_SECONDS * 1_000_000,
        "run_time_seconds": float(RUN_SECONDS),
        "log_version": "3.41",
        "metadata": {"lib_ver": "3.4.7"},
        "mounts": [{"path": f"/{log.filesystem}", "fs_type": "lustre"}] if log.filesystem else [],
        "modules": modules,
        "supersedes": log.supersedes and log.supersedes.log_id(cluster),
    }
    end = {
        "batches": len(batches),
        "modules": [
            _module_end(module, count, log.state if module == first else "complete")
            for module, count in records.items()
        ],
    }
    bodies = [
        ("header", header | {"-type": "org.weir.wire.LogHeader"}),
        *(("batch", batch) for batch in batches),
        ("end", end | {"-type": "org.weir.wire.LogEnd"}),
    ]
    lost = next((place for place, (kind, _) in enumerate(bodies) if kind == log.lost), None)
    return [
        Part(
            kind,
            wire.encode("DarshanLogMessage", {"log_id": log_id, "origin": origin, "body": body}),
            TABLES.get(body.get("module", ""), ""),
            body.get("rows", 0),
        )
        for place, (kind, body) in enumerate(bodies)
        if place != lost
    ]


def _module_end(module: str, count: int, state: str) -> dict[str, Any]:
    damaged = state == "damaged"
    return {
        "name": module,
        "state": state if damaged or state == "partial" else "complete",
        "records_expected": count + damaged,
        "records_read": count,
        "reason": "the compressed data ends early (byte 4096)" if damaged else None,
    }
