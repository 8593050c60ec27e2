"""A Darshan log, opened: `open_log`."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from io import FileIO
from typing import NamedTuple

import numpy as np

from weir.darshan import layouts, records
from weir.darshan.container import (
    Budget,
    DarshanError,
    Header,
    Limits,
    Region,
    inflate,
    read_header,
    trailing,
)
from weir.darshan.heatmap import HeatmapBatch, heatmaps
from weir.darshan.names import Names
from weir.darshan.records import DxtBatch, LustreBatch, Reader, RecordBatch

Batch = RecordBatch | HeatmapBatch | LustreBatch | DxtBatch

_RAGGED_BYTES = 4 << 20  # of a HEATMAP or LUSTRE record: thousands of bins or targets


class Job(NamedTuple):
    """The job record. `job_id` is what the job saw in its environment: Darshan falls back to a process id."""

    uid: int
    job_id: int
    nprocs: int
    start_seconds: int
    start_nanoseconds: int
    end_seconds: int
    end_nanoseconds: int
    run_time_seconds: float
    """Run time as darshan-parser has it: before format 3.41 the seconds are whole, and both ends count."""

    @property
    def is_unfinished(self) -> bool:
        """Darshan wrote no end, as in the memory-mapped logs that killed processes leave."""
        return self.end_seconds < self.start_seconds


class Module(NamedTuple):
    """A module that has data in the log."""

    name: str
    """Darshan's; `module N` for a slot that Darshan has not given out."""
    slot: int
    """In the header."""
    version: int
    partial: bool
    """The module ran out of memory or records: its totals are lower bounds."""
    compressed_bytes: int
    """The bytes of its region that are in the file."""
    decoded: bool
    """This decoder reads the records of this module version."""


class State(NamedTuple):
    """How far a module was read."""

    state: str
    """complete, partial (by its flag, or records were left out), damaged, listed (not decoded) or unread."""
    records_read: int = 0
    records_expected: int | None = None
    """None where damage hides it."""
    reason: str | None = None
    position: int | None = None
    """Byte of the file at which the damage begins, where it is known."""
    is_suspect: bool = False
    """It is damaged otherwise than cut: what was read may be wrong as well."""


@dataclass
class _Opened:
    module: Module
    region: Region
    state: State


class Log:
    """One log. Text is bytes: paths, command lines and metadata may hold any.

    Opening reads the header and the job record; names and records are inflated when they are asked for.
    """

    def __init__(self, content: bytes, limits: Limits):
        if len(content) > limits.file_bytes:
            raise DarshanError(f"{len(content)} bytes; the limit is {limits.file_bytes}")
        self._content, self._limits, self._budget = content, limits, Budget(limits.seconds)
        self._header = read_header(content)
        self.version = self._header.version
        """The version of the log format."""
        self.byte_order = self._header.byte_order
        """'<' little-endian, '>' big-endian: of the machine that wrote the log."""
        self._modules = {
            opened.module.name: opened for opened in (self._open(*each) for each in self._header.modules)
        }
        self.damage: DarshanError | None = None
        """Damage of the header or the job record: they could be read, but what they say is suspect."""
        self._read_job(self._header)
        if not self._header.is_sound:
            reason = "the regions of the file do not follow one another: its header is damaged"
            self.damage = self.damage or DarshanError(reason)

    def _open(self, slot: int, version: int, partial: bool, region: Region) -> _Opened:
        names = layouts.modules_of(self.version)
        name = names[slot] if slot < len(names) else f"module {slot}"
        inside = max(0, min(region.length, len(self._content) - region.offset))
        decoded = (name, version) in layouts.DECODED
        module = Module(name, slot, version, partial, inside, decoded)
        reason = None if decoded else f"version {version} of {name} is not decoded"
        return _Opened(module, region, State("unread" if decoded else "listed", reason=reason))

    def _read_job(self, header: Header) -> None:
        end = header.names.offset or min((region.offset for *_, region in header.modules), default=0)
        if not header.size < end <= len(self._content):
            end = len(self._content)
        data = b""
        self._budget.start()
        try:
            for chunk in self._inflate(Region(header.size, end - header.size)):
                data += chunk[: layouts.JOB_RECORD_BYTES - len(data)]
        except DarshanError as error:
            if len(data) < layouts.JOB_RECORD_BYTES:
                raise DarshanError(f"the job record can't be read: {error.reason}", error.position) from None
            self.damage = error
        layout = layouts.job_of(self.version, self.byte_order)
        if len(data) < layout.itemsize:
            problem = f"the job record has {len(data)} bytes, not {layout.itemsize}"
            raise DarshanError(problem, header.size)
        job = np.frombuffer(data, layout, 1)[0]
        self._set_text(job["metadata"].tobytes(), data[layout.itemsize : layouts.JOB_RECORD_BYTES])
        if self.version >= "3.41":
            uid, start, start_ns, end, end_ns, nprocs, job_id, _ = job.tolist()
            run_time = (end + end_ns / 1e9) - (start + start_ns / 1e9)
        else:
            uid, start, end, nprocs, job_id, _ = job.tolist()
            start_ns, end_ns, run_time = 0, 0, float(end - start + 1)
        self.job = Job(uid, job_id, nprocs, start, start_ns, end, end_ns, run_time)

    def _set_text(self, metadata: bytes, text: bytes) -> None:
        lines = metadata.partition(b"\0")[0].split(b"\n")
        pairs = (line.partition(b"=") for line in lines if b"=" in line)
        self.metadata = {key: value for key, _, value in pairs}
        """The job record's key=value pairs."""
        self.exe, *mounts = text.partition(b"\0")[0].split(b"\n")
        """The command line, arguments included, as far as Darshan kept it."""
        pairs = (line.partition(b"\t") for line in mounts if b"\t" in line)
        self.mounts = sorted([(path, kind) for kind, _, path in pairs], key=lambda mount: -len(mount[0]))
        """(path, file system type), the longest path first."""

    def _inflate(self, region: Region) -> Iterator[bytes]:
        return inflate(self._content, region, self._header.compression, self._limits, self._budget)

    @cached_property
    def names(self) -> Names:
        """Names of the records."""
        region = self._header.names
        self._budget.start()
        try:
            chunks = self._inflate(region) if region.length else iter(())
            return Names(chunks, self.version, self.byte_order, self._limits)
        finally:
            self._budget.stop()

    @cached_property
    def trailing(self) -> DarshanError | None:
        """Bytes behind the end of the log that are no padding, such as a second log: they are not read."""
        return trailing(self._header, self._content)

    @property
    def modules(self) -> tuple[Module, ...]:
        """Modules with data, in the header's order."""
        return tuple(opened.module for opened in self._modules.values())

    def records(self, module: str) -> Iterator[Batch]:
        """Gives the module's records in order, about a mebibyte at a time; then `state` shows how that ended.

        RecordBatch, or HeatmapBatch, LustreBatch or DxtBatch for these. Nothing where it has no data or
        is not decoded. What is damaged ends the iteration and raises nothing.
        """
        opened = self._modules.get(module)
        if not opened or not opened.module.decoded:
            return
        most = self._limits.record_bytes if module.startswith("DXT") else _RAGGED_BYTES
        reader = Reader(self._inflate(opened.region), most, self._limits.records)
        batches = self._decoder(opened.module, reader)
        opened.state = State("unread")
        while True:
            self._budget.start()
            batch = next(batches, None)
            self._budget.stop()
            if batch is None:
                break
            yield batch
        opened.state = _state(opened.module, reader)

    def _decoder(self, module: Module, reader: Reader) -> Iterator[Batch]:
        order = self.byte_order
        if module.name == "HEATMAP":
            return heatmaps(reader, order)
        if module.name == "LUSTRE":
            return records.lustre(reader, module.version, order)
        if module.name.startswith("DXT"):
            return records.dxt(reader, module.name, module.version, order)
        return records.counters(reader, layouts.COUNTERS[module.name, module.version], order)

    def state(self, module: str) -> State:
        """How far `records` has read the module; KeyError where it has no data."""
        return self._modules[module].state


def _state(module: Module, reader: Reader) -> State:
    if reader.damage:
        name, reason, position = "damaged", reader.damage.reason, reader.damage.position
        read = reader.read - reader.omitted
        return State(name, read, reader.expected, reason, position, not reader.damage.is_cut)
    elif reader.omitted:
        name, reason, position = "partial", f"{reader.omitted} records left out: {reader.why_omitted}", None
    else:
        name, reason, position = "partial" if module.partial else "complete", None, None
    return State(name, reader.read - reader.omitted, reader.expected, reason, position)


def open_log(source: bytes | str | os.PathLike[str], limits: Limits | None = None) -> Log:
    """The log in these bytes or in the file at this path.

    DarshanError if it is no log of format 3.00 to 3.41, or its header or job record can't be read: the reason
    says what it is. OSError if there is no such file.
    """
    limits = limits or Limits()
    if not isinstance(source, bytes):
        with FileIO(source) as file:
            # one byte more than there should be shows what is too long or growing
            size = os.fstat(file.fileno()).st_size
            source = file.read(min(size, limits.file_bytes) + 1)
    return Log(source, limits)
