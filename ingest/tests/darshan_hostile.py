"""Logs made to harm whoever decodes them (fault F12): each with what the decoder has to say of it."""

import bz2
import itertools
import random
import re
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from darshan_decoding import Result
from darshan_mutations import Anatomy
from darshan_writer import LogWriter
from weir.darshan import layouts

_MIB = 1 << 20


@dataclass(frozen=True)
class Case:
    """`reason` is a pattern of what is told, "" for a log that is read whole."""

    name: str
    reason: str
    build: Callable[[], bytes]
    slow: bool = False


def cases() -> Iterator[Case]:
    """All but the `lies`. Slow ones cost the decoder all the time that it may take."""
    yield from _bombs()
    yield from _names()
    yield from _lengths()
    yield Case("NaN, infinity and 2^63 in every counter", "", lambda: _region(b"".join(_extremes())))
    yield Case(
        "an end before the start", "", lambda: LogWriter(start=(2**63 - 1, -1), end=(-(2**63), 0)).to_bytes()
    )


def judge(case: Case, result: Result) -> list[str]:
    """Broken promises, and what should have been said of the case and wasn't."""
    told, broken = "; ".join(result.reasons), list(result.broken)
    if bool(told) != bool(case.reason) or not re.search(case.reason, told):
        broken.append(f"it says {told!r}, not {case.reason!r}")
    if "STDIO" in result.rows and "STDIO" not in result.digests:
        broken.append("the sound module beside it is lost")
    return broken


def _region(data: bytes, key: str = "POSIX", of: int = 4, *, raw: bool = False, **shape: Any) -> bytes:
    """A log with that in the region of a module, of the names or of the job; a sound module beside it."""
    log = LogWriter(**shape)
    log.names[1] = b"/f"
    if key not in ("job", "names"):
        log.add(key, of, bytes(8))
    log.add("STDIO", 2, [{"STDIO_OPENS": 1}])
    return Anatomy(log.to_bytes()).with_region(key, data, raw=raw)


# --- decompression bombs -----------------------------------------------------------------------------------


def _repeated(data: bytes, times: int) -> bytes:
    """A zlib stream of `data` so many times, made in the time of one; its checksum at the end is wrong."""
    stream = zlib.compressobj(9)
    first, block = (stream.compress(data) + stream.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    return first + block * (times - 1) + b"\3\0" + bytes(4)


def _bomb(data: bytes, times: int, *region: Any, **shape: Any) -> bytes:
    return _region(_repeated(data, times), *region, raw=True, **shape)


def _streams(stream: bytes, times: int, *region: Any, **shape: Any) -> bytes:
    return _region(stream * times, *region, raw=True, **shape)


def _bombs() -> Iterator[Case]:
    much, long = "inflate to more than", "longer than the limit|more than 3000000 records"
    mebibyte, zeros = bytes(_MIB), bz2.compress(bytes(45 * _MIB))
    for key, of in (("POSIX", 4), ("LUSTRE", 1), ("LUSTRE", 2), ("HEATMAP", 1), ("DXT_POSIX", 1)):
        name = f"zlib bomb in {key} {of}"
        yield Case(f"{name} of 250 MiB", f"{much}|{long}", partial(_bomb, mebibyte, 250, key, of))
        yield Case(f"{name} of 20 GiB", f"{much}|{long}", partial(_bomb, mebibyte, 20 << 10, key, of), True)
    in_posix = partial(_streams, zeros, 10_000, compression="bzip2")
    yield Case("bzip2 bomb of 440 GiB in POSIX", much, in_posix)
    in_names = partial(_streams, zeros, 10_000, "names", compression="bzip2")
    yield Case("bzip2 bomb of 440 GiB in the names", "names have more than", in_names)
    # of the job record no more is read than it can have
    for compression, bomb in (("zlib", _repeated(mebibyte, 500)), ("bzip2", zeros)):
        build = partial(_region, _job(compression) + bomb, "job", raw=True, compression=compression)
        yield Case(f"{compression} bomb behind the job", "", build)
    for compression, nothing in (("zlib", zlib.compress(b"")), ("bzip2", bz2.compress(b""))):
        name = f"{compression} streams of nothing"
        yield Case(f"200,000 {name}", "", partial(_streams, nothing, 200_000, compression=compression))
        build = partial(_streams, nothing, 12_000_000, compression=compression)
        yield Case(f"12 million {name}", long, build, slow=True)
    one = partial(_streams, zlib.compress(b"a"), 5_000_000)
    yield Case("5 million zlib streams of one byte", f"cut|{long}", one, slow=True)


def _job(compression: str = "zlib") -> bytes:
    """A sound, full job record."""
    log = LogWriter(compression="none", exe=b"x" * 3000)
    content = Anatomy(log.to_bytes())
    data = content.inflated(dict(content.regions())["job"]).ljust(layouts.JOB_RECORD_BYTES, b"\0")
    return zlib.compress(data) if compression == "zlib" else bz2.compress(data)


# --- names -------------------------------------------------------------------------------------------------


def _names() -> Iterator[Case]:
    ids = [number.to_bytes(8, "little") for number in range(20_000)]
    tables = {
        "names of nothing": b"".join(number + b"\0" for number in ids),
        "names of 54 bytes": b"".join(number + b"x" * 54 + b"\0" for number in ids),
        "the same name": (bytes(7) + b"\1/scratch/f\0") * 50_000,
        "a name without end": b"a" * _MIB,
    }
    for name, table in tables.items():
        yield _table(f"endless table of {name}", "names|name 1 ", table, "3.41")
    tables = {
        "names of 52 bytes": b"".join(number + struct.pack("<I", 52) + b"x" * 52 for number in ids),
        "names of nothing": b"".join(number + bytes(4) for number in ids),
        "a name of 4 GiB": struct.pack("<QI", 1, 2**32 - 1) + b"z" * _MIB,
    }
    for name, table in tables.items():
        yield _table(f"endless 3.00 table of {name}", "names|name 1 ", table, "3.00")


def _table(name: str, reason: str, table: bytes, version: str) -> Case:
    times = 400 * _MIB // len(table)
    return Case(name, reason, partial(_bomb, table, times, "names", version=version))


# --- records that tell how long they are -------------------------------------------------------------------

_COUNTS = (0, 1, 2**32, 2**61, 2**63 - 1, -1, -(2**63))
_HEADS = {
    ("HEATMAP", 1): (layouts.HEATMAP_HEAD, ["nbins"]),
    ("LUSTRE", 1): (layouts.LUSTRE_1_HEAD, ["stripe_count"]),
    ("LUSTRE", 2): (layouts.LUSTRE_HEAD, ["num_comps", "num_stripes"]),
    ("DXT_POSIX", 2): (layouts.DXT_HEAD, ["write_count", "read_count"]),
    ("DXT_MPIIO", 1): (layouts.DXT_HEAD, ["write_count", "read_count"]),
}


def _head(module: str, version: int, **fields: Any) -> bytes:
    row = np.zeros((), _HEADS[module, version][0])
    for name, value in fields.items():
        row[name] = value
    return row.tobytes()


def lies() -> Iterator[Case]:
    """Records that tell more than there is, or less than nothing."""
    for (module, version), (_, fields) in _HEADS.items():
        for counts in itertools.product(_COUNTS, repeat=len(fields)):
            if set(counts) <= {0, 1}:
                continue
            told = dict(zip(fields, counts, strict=True))
            data = _head(module, version, **told) + bytes(999)
            name = f"{module} {version} of {told}"
            yield Case(name, "record 1 (tells|is cut)", partial(_region, data, module, version))


def _lengths() -> Iterator[Case]:
    # as large as a record may be, and in the byte order that has to be turned around
    segments = (64 << 20) // 40 - 1
    yield Case("three DXT records of 64 MiB", "", partial(_three_dxt, segments))
    yield Case("three DXT records of 65 MiB", "record 1 tells", partial(_three_dxt, segments + 30_000))
    for sizes in ([0], [1], [0, 1, 2, 3]):
        for module, field, words in (("HEATMAP", "nbins", 2), ("LUSTRE", "stripe_count", 1)):
            records = b"".join(
                _head(module, 1, id=number, **{field: size}) + bytes(8 * words * size)
                for number, size in zip(range(20_000), itertools.cycle(sizes), strict=False)
            )
            endless = partial(_bomb, records, 4_000 * _MIB // len(records), module, 1)
            reason = "longer than the limit|inflate to more than|more than 3000000 records"
            yield Case(f"endless {module} records of {sizes} {field}", reason, endless, slow=True)
    chance = random.Random(7)
    heatmaps = b"".join(
        _head("HEATMAP", 1, nbins=bins, bin_width_seconds=0.1) + chance.randbytes(16 * bins)
        for bins in (1, 0, 200_000, 2, 199_999, 200_001)
    )
    yield Case("heatmaps of one bin and of 200,000", "", partial(_region, heatmaps * 8, "HEATMAP", 1))


def _three_dxt(segments: int) -> bytes:
    return _region(_dxt(segments) * 3, "DXT_POSIX", 2, byteorder=">")


def _dxt(segments: int) -> bytes:
    head = np.zeros((), layouts.DXT_HEAD.newbyteorder(">"))
    head["write_count"] = segments
    data = random.Random(9).randbytes(1 << 12)
    return head.tobytes() + (data * (segments * 40 // len(data) + 1))[: segments * 40]


def _extremes() -> Iterator[bytes]:
    layout = layouts.COUNTERS["POSIX", 4].dtype
    ints, floats = (2**63 - 1, -(2**63), -1), (np.nan, np.inf, -np.inf, 1.8e308, -0.0)
    for rank, numbers in itertools.product((5, -1), ((np.inf, -np.inf), (-np.inf, np.inf), (1.7e308,) * 2)):
        row = np.zeros((), layout)
        row["rank"], row["floats"] = rank, np.resize(numbers, row["floats"].shape)
        yield row.tobytes()
    for rank, value, number in itertools.product((5, -1, -(2**63), 2**63 - 1), ints, floats):
        row = np.zeros((), layout)
        row["rank"], row["ints"], row["floats"], row["id"] = rank, value, number, 2**64 - 1
        yield row.tobytes() * 100
