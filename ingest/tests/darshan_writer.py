"""Writes valid Darshan logs of any shape, for tests and for whoever needs a log on demand.

The shape of the file is that of darshan-runtime (lib/darshan-core.c) and darshan-util (darshan-logutils.c):
header, job record, names, then the modules in the order of their slots, each region compressed by itself.

    log = LogWriter(nprocs=4, exe=b"/opt/app/sim -n 4", mounts=[(b"lustre", b"/scratch")])
    log.add("POSIX", 4, shared_file(b"/scratch/out", [[1 << 20] * 8] * 4))
    log.add("POSIX", 4, [{"name": b"/scratch/in", "rank": 0, "POSIX_OPENS": 1}])
    Path("sim.darshan").write_bytes(log.to_bytes())

A record is a dict of counters under the names of `weir.darshan.layouts`; what is not named is 0.
"""

import bz2
import hashlib
import io
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO

import numpy as np
from weir.darshan import layouts

Record = dict[str, Any]

COMPRESSIONS = {"zlib": layouts.ZLIB, "bzip2": layouts.BZIP2, "none": layouts.UNCOMPRESSED}
_COMPRESSORS = {"zlib": zlib.compressobj, "bzip2": bz2.BZ2Compressor}


def name_id(name: bytes) -> int:
    """A 64-bit record id for a name. Darshan hashes with Jenkins' lookup8, but no reader computes it."""
    return int.from_bytes(hashlib.blake2b(name, digest_size=8).digest(), "little")


class LogWriter:
    """One log: tell what is in it, then take `to_bytes()` or `write(file)`.

    `start` and `end` are (seconds, nanoseconds) since 1970; formats before 3.41 have no nanoseconds. `mounts`
    are (type, path). `stream_bytes` splits each region into compressed streams of so many bytes before
    compression, as the processes of a parallel run do.
    """

    def __init__(
        self,
        *,
        nprocs: int = 1,
        version: str = "3.41",
        byteorder: str = "<",
        compression: str = "zlib",
        stream_bytes: int | None = None,
        uid: int = 1000,
        jobid: int = 4711,
        start: tuple[int, int] = (1_700_000_000, 0),
        end: tuple[int, int] = (1_700_000_060, 0),
        exe: bytes = b"/opt/app/bin/sim",
        mounts: Iterable[tuple[bytes, bytes]] = ((b"ext4", b"/"),),
        metadata: Mapping[bytes, bytes] | None = None,
    ):
        self.version, self.byteorder, self.compression = version, byteorder, compression
        self.stream_bytes = stream_bytes
        self.job = {
            "uid": uid,
            "start_time_sec": start[0],
            "start_time_nsec": start[1],
            "end_time_sec": end[0],
            "end_time_nsec": end[1],
            "nprocs": nprocs,
            "jobid": jobid,
            "metadata": b"".join(b"%s=%s\n" % pair for pair in (metadata or {}).items()),
        }
        self.command_and_mounts = exe + b"".join(b"\n%s\t%s" % mount for mount in mounts) + b"\0"
        self.names: dict[int, bytes] = {}
        self._regions: dict[int, list[Iterable[bytes]]] = {}
        self._versions: dict[int, int] = {}
        self._partial = 0

    def add(
        self,
        module: str | int,
        version: int,
        records: bytes | Iterable[Record] | Iterable[np.ndarray],
        *,
        partial: bool = False,
    ) -> None:
        """More records of a module, the name of each with it; arrays of `layouts` are taken as they are.

        An iterator of arrays is only read when the log is written, so it may be as long as one likes. For a
        module that Darshan doesn't know, give its slot in the header and bytes.
        """
        slot = module if isinstance(module, int) else layouts.modules_of(self.version).index(module)
        if self._versions.setdefault(slot, version) != version:
            raise ValueError(f"{module} is of version {self._versions[slot]} in this log")
        self._partial |= partial << slot
        if isinstance(records, list):
            records = b"".join(self._encode(str(module), version, record) for record in records)
        parts = [records] if isinstance(records, bytes) else map(self._array, records)
        self._regions.setdefault(slot, []).append(parts)

    def to_bytes(self) -> bytes:
        file = io.BytesIO()
        self.write(file)
        return file.getvalue()

    def write(self, file: BinaryIO) -> None:
        """The log into an empty, seekable file."""
        layout = layouts.header_of(self.version)
        header = np.zeros((), layout)
        header["version"] = self.version.encode()
        header["magic"] = layouts.MAGIC
        header["compression"] = COMPRESSIONS[self.compression]
        header["partial"] = self._partial
        file.write(bytes(layout.itemsize))
        self._region(file, [self._job()], whole=True)
        if self.names:
            header["names"] = self._region(file, map(self._name, self.names.items()))
        for slot in sorted(self._regions):
            parts = (part for parts in self._regions[slot] for part in parts)
            header["modules"][slot] = self._region(file, parts)
            header["module_versions"][slot] = self._versions[slot]
        file.seek(0)
        file.write(self._array(header))

    def _array(self, array: np.ndarray) -> bytes:
        return array.astype(array.dtype.newbyteorder(self.byteorder)).tobytes()

    def _job(self) -> bytes:
        layout = layouts.job_of(self.version)
        if len(self.job["metadata"]) > 1023:
            raise ValueError(f"the metadata takes {len(self.job['metadata'])} bytes, more than 1023")
        job = np.array(tuple(self.job[name] for name in layout.names), layout)
        text = self.command_and_mounts
        if layout.itemsize + len(text) > layouts.JOB_RECORD_BYTES:
            raise ValueError(f"command line and mounts take {len(text)} bytes, more than there is room for")
        return self._array(job) + text

    def _name(self, name: tuple[int, bytes]) -> bytes:
        order = "little" if self.byteorder == "<" else "big"
        number, text = name[0].to_bytes(8, order), name[1]
        if self.version == "3.00":
            return number + len(text).to_bytes(4, order) + text
        return number + text + b"\0"

    def _region(self, file: BinaryIO, parts: Iterable[bytes], whole: bool = False) -> tuple[int, int]:
        """Writes a region, tells its offset and length."""
        start = file.tell()
        if self.compression == "none":
            file.writelines(parts)
        else:
            for stream in [parts] if whole or not self.stream_bytes else _split(parts, self.stream_bytes):
                compressor = _COMPRESSORS[self.compression]()
                file.writelines(map(compressor.compress, stream))
                file.write(compressor.flush())
        return start, file.tell() - start

    def _encode(self, module: str, version: int, record: Record) -> bytes:
        """One record; its name is kept, and its id derived from that unless it is given."""
        if "name" in record:
            record = {"id": name_id(record["name"])} | record
            self.names[record["id"]] = record["name"]
        return b"".join(map(self._array, arrays(module, version, record)))


def _split(parts: Iterable[bytes], size: int) -> Iterator[list[bytes]]:
    rest = b""
    for part in parts:
        rest += part
        while len(rest) >= size:
            yield [rest[:size]]
            rest = rest[size:]
    if rest:
        yield [rest]


# --- records -----------------------------------------------------------------------------------------------


def arrays(module: str, version: int, record: Record) -> list[np.ndarray]:
    """One record as little-endian arrays that follow one another in the log.

    HEATMAP: bin_width_seconds, write_bins, read_bins. LUSTRE 1: its numbers and `targets`; LUSTRE 2:
    `components` (dicts of counters and `pool`) and `targets`. DXT: hostname, shared_record, and `writes`
    and `reads`, each a list of tuples of the segment's fields.
    """
    record = {key: value for key, value in record.items() if key != "name"}
    if (module, version) in layouts.COUNTERS:
        return [_counters(layouts.COUNTERS[module, version], record)]
    if module == "HEATMAP":
        bins = [np.array(record.pop(name), "<i8") for name in ("write_bins", "read_bins")]
        return [_row(layouts.HEATMAP_HEAD, {"nbins": len(bins[0])} | record), *bins]
    if module == "LUSTRE":
        return _lustre(version, record)
    layout = layouts.DXT_SEGMENTS[module, version]
    segments = [np.array(record.pop(name, []), layout) for name in ("writes", "reads")]
    counts = {"write_count": len(segments[0]), "read_count": len(segments[1])}
    return [_row(layouts.DXT_HEAD, counts | record), *segments]


def _row(layout: np.dtype[np.void], fields: Record) -> np.ndarray:
    row = np.zeros((), layout)
    for name, value in fields.items():
        row[name] = value
    return row


def _counters(layout: layouts.Counters, record: Record) -> np.ndarray:
    row = np.zeros((), layout.dtype)
    ints, floats = row["ints"], row["floats"]
    for name, value in record.items():
        if name in layout.ints:
            ints[layout.ints.index(name)] = value
        elif name in layout.floats:
            floats[layout.floats.index(name)] = value
        else:
            row[name] = value
    return row


def _lustre(version: int, record: Record) -> list[np.ndarray]:
    targets = np.array(record.pop("targets", []), "<i8")
    if version == 1:
        return [_row(layouts.LUSTRE_1_HEAD, {"stripe_count": len(targets)} | record), targets]
    components = np.zeros(len(record.get("components", ())), layouts.LUSTRE_COMPONENT)
    for row, component in zip(components, record.pop("components", ()), strict=True):
        row["ints"] = [component.get(name, 0) for name in layouts.LUSTRE_INTS]
        row["pool"] = component.get("pool", b"")
    counts = {"num_comps": len(components), "num_stripes": len(targets)}
    return [_row(layouts.LUSTRE_HEAD, counts | record), components, targets]


# --- patterns ----------------------------------------------------------------------------------------------

_SECONDS_PER_BYTE = 1e-9
_BINS = (
    "0_100",
    "100_1K",
    "1K_10K",
    "10K_100K",
    "100K_1M",
    "1M_4M",
    "4M_10M",
    "10M_100M",
    "100M_1G",
    "1G_PLUS",
)
_BIN_ENDS = (100, 1 << 10, 10 << 10, 100 << 10, 1 << 20, 4 << 20, 10 << 20, 100 << 20, 1 << 30)


def file_of_rank(
    name: bytes,
    rank: int = 0,
    *,
    writes: Sequence[int] = (),
    reads: Sequence[int] = (),
    offset: int = 0,
    seconds: float | None = None,
) -> Record:
    """What POSIX counts when one process opens a file, writes and then reads on from `offset`, and closes it.

    `writes` and `reads` are the sizes in bytes; a second passes per gigabyte, or the `seconds` given in all.
    """
    record: Record = {"name": name, "rank": rank, "POSIX_OPENS": 1, "POSIX_MODE": 0o644}
    total = sum(writes) + sum(reads)
    pace = _SECONDS_PER_BYTE if seconds is None else seconds / max(total, 1)
    now = 1.0
    record |= {"POSIX_F_OPEN_START_TIMESTAMP": now, "POSIX_F_OPEN_END_TIMESTAMP": now}
    for verb, done, sizes in (("WRITE", "WRITTEN", writes), ("READ", "READ", reads)):
        if not sizes:
            continue
        took = sum(sizes) * pace
        record |= {
            f"POSIX_{verb}S": len(sizes),
            f"POSIX_BYTES_{done}": sum(sizes),
            f"POSIX_MAX_BYTE_{done}": offset + sum(sizes) - 1,
            f"POSIX_SEQ_{verb}S": len(sizes) - (offset == 0),
            f"POSIX_CONSEC_{verb}S": len(sizes) - 1,
            f"POSIX_F_{verb}_START_TIMESTAMP": now,
            f"POSIX_F_{verb}_END_TIMESTAMP": now + took,
            f"POSIX_F_{verb}_TIME": took,
            f"POSIX_F_MAX_{verb}_TIME": max(sizes) * pace,
            f"POSIX_MAX_{verb}_TIME_SIZE": max(sizes),
        }
        for size in sizes:
            counter = f"POSIX_SIZE_{verb}_{_BINS[sum(size > end for end in _BIN_ENDS)]}"
            record[counter] = record.get(counter, 0) + 1
        now += took
    for number, (size, times) in enumerate(Counter([*writes, *reads]).most_common(4), start=1):
        record |= {f"POSIX_ACCESS{number}_ACCESS": size, f"POSIX_ACCESS{number}_COUNT": times}
    record |= {"POSIX_RW_SWITCHES": int(bool(writes and reads)), "POSIX_F_META_TIME": 1e-4}
    return record | {"POSIX_F_CLOSE_START_TIMESTAMP": now, "POSIX_F_CLOSE_END_TIMESTAMP": now + 1e-4}


def file_per_process(folder: bytes, writes: Sequence[Sequence[int]]) -> list[Record]:
    """A file of its own for each process; `writes[rank]` are the sizes in bytes."""
    return [file_of_rank(b"%s/%08d" % (folder, rank), rank, writes=of) for rank, of in enumerate(writes)]


def shared_file(name: bytes, writes: Sequence[Sequence[int]]) -> list[Record]:
    """One file that all processes write, each its part behind the other's; `writes[rank]` are sizes in bytes.

    One record for all, with rank -1, as Darshan reduces it (darshan-posix.c).
    """
    moved = [sum(sizes) for sizes in writes]
    ranks = [
        file_of_rank(name, rank, writes=sizes, offset=sum(moved[:rank])) for rank, sizes in enumerate(writes)
    ]
    shared: Record = {"name": name, "rank": -1, "POSIX_MODE": 0o644}
    for counter in sorted(set().union(*ranks) - {"name", "rank", "POSIX_MODE"}):
        values = [record[counter] for record in ranks if counter in record]
        if counter.endswith("START_TIMESTAMP"):
            shared[counter] = min(values)
        elif "TIMESTAMP" in counter or "_MAX_" in counter:
            shared[counter] = max(values)
        elif "_ACCESS" not in counter:
            shared[counter] = sum(values)
    sizes = Counter(size for of in writes for size in of)
    for number, (size, times) in enumerate(sizes.most_common(4), start=1):
        shared |= {f"POSIX_ACCESS{number}_ACCESS": size, f"POSIX_ACCESS{number}_COUNT": times}
    times = [record["POSIX_F_META_TIME"] + record.get("POSIX_F_WRITE_TIME", 0) for record in ranks]
    for word, rank in (("FASTEST", times.index(min(times))), ("SLOWEST", times.index(max(times)))):
        shared |= {f"POSIX_{word}_RANK": rank, f"POSIX_{word}_RANK_BYTES": moved[rank]}
        shared[f"POSIX_F_{word}_RANK_TIME"] = times[rank]
    shared["POSIX_F_VARIANCE_RANK_TIME"] = float(np.var(times))
    shared["POSIX_F_VARIANCE_RANK_BYTES"] = float(np.var(moved))
    return [shared]


def many_files(log: LogWriter, number: int, *, size: int = 4096, batch: int = 4096) -> None:
    """Adds POSIX records of `number` small files, written by the log's processes in turn, as a stream."""
    (one,) = arrays("POSIX", 4, file_of_rank(b"", writes=[size]) | {"id": 0})
    names = {name_id(name): name for name in (b"/scratch/many/%07d" % file for file in range(number))}
    log.names |= names
    ids = np.array(list(names), "<u8")

    def batches() -> Iterator[np.ndarray]:
        for first in range(0, number, batch):
            rows = np.repeat(one, min(batch, number - first))
            rows["id"] = ids[first : first + batch]
            rows["rank"] = np.arange(first, first + len(rows)) % log.job["nprocs"]
            yield rows

    log.add("POSIX", 4, batches())
