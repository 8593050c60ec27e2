"""Darshan logs as the messages of weir.darshan.log (schemas/README.md)."""

import errno
import os
import stat
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import thread_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir import identity
from weir.darshan import (
    DarshanError,
    HeatmapBatch,
    Limits,
    Log,
    LustreBatch,
    Module,
    RecordBatch,
    State,
    open_log,
)
from weir.darshan_modules import modules
from weir.errors import Refused
from weir.privacy import DEFAULT, Privacy
from weir.text import escape

BATCH_BYTES = 448 * 1024  # of packed columns and names; the message stays below 512 KiB
LIMITS = Limits()
PACKING_SECONDS = 3  # processor time beside the decoder's
# of a log that is refused: its header at most, for what follows can hold a command line
_HEAD_BYTES = 64
# read again, these may have passed
_PASSING = (errno.EACCES, errno.EPERM, errno.EIO, errno.ESTALE, errno.ETIMEDOUT, errno.EMFILE, errno.ENFILE)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MOST_INT = 2**31 - 1  # of Avro's int


class NotYet(Refused):
    """Refused now, but what is in the way may pass."""


@dataclass(frozen=True)
class Place:
    """A log's place: `folders` below the directory that the site names, and its name there, all raw bytes.

    Whoever may write below `root` can put links there, so that none is followed.
    """

    root: bytes
    folders: tuple[bytes, ...]
    name: bytes

    @classmethod
    def of(cls, path: Path) -> "Place":
        """That of a file whose folders are all to be trusted."""
        return cls(os.fsencode(path.parent), (), os.fsencode(path.name))

    def beside(self, name: bytes) -> "Place":
        """That of another name in the same folder."""
        return Place(self.root, self.folders, name)

    @property
    def directory(self) -> bytes:
        """The path of the folder that the log is in."""
        return b"/".join([self.root, *self.folders])

    @property
    def path(self) -> bytes:
        """The whole path."""
        return b"/".join([self.directory, self.name])


@dataclass(frozen=True)
class Source:
    """What a site says of a directory of logs."""

    cluster: str
    owner_check: str
    """strict or trusted_archive."""
    privacy: Privacy = DEFAULT


@dataclass(frozen=True)
class Opened:
    """What the descriptor of a log said of it."""

    owner_uid: int
    size: int
    mtime_ns: int


@dataclass(frozen=True)
class DarshanLog:
    """One decoded log: its parts are DarshanLogMessage bodies, `batches` in order."""

    log_id: str
    header: dict[str, Any]
    batches: list[dict[str, Any]]
    end: dict[str, Any]
    trailing: DarshanError | None = None


@dataclass
class Parts:
    """One log, decoded while `batches` is iterated; `end` is there once that has ended."""

    log_id: str
    opened: Opened
    header: dict[str, Any]
    batches: Iterator[dict[str, Any]]
    command: str
    """The command as far as Darshan kept it; what is published has no more of it than the site allows."""
    log: Log | None = None
    """None where it is merged of the logs of several processes."""
    end: dict[str, Any] = field(default_factory=dict)
    left_out: list[Refused] = field(default_factory=list)
    """Files that were to be a part of it, each with the reason why it is none."""

    @property
    def trailing(self) -> DarshanError | None:
        """What follows the log in its file, as weir.darshan has it."""
        return self.log.trailing if self.log else None


def decode(path: Path, source: Source) -> DarshanLog:
    """The log at `path`; Refused with the reason where it can't be read at all.

    A damaged module is no error: the end part says for each module how far it could be read.
    """
    parts = stream(Place.of(path), source)
    return DarshanLog(parts.log_id, parts.header, list(parts.batches), parts.end, parts.trailing)


def stream(place: Place, source: Source) -> Parts:
    """Does what `decode` does for logs of any number of records: no more than two batches are held."""
    content, opened = content_of(place, source)
    try:
        log = open_log(content, LIMITS)
        header = header_of(log, source, opened, place.name)
    except DarshanError as error:
        data = content if source.privacy.is_off else content[:_HEAD_BYTES]
        raise Refused(error.reason, f"byte {error.position or 0}", data) from None
    parts = Parts(identity.log_id(content), opened, header, iter(()), escape(log.exe), log)
    parts.batches = _batches(log, parts, source.privacy)
    return parts


def damage(log: DarshanLog | Parts) -> list[Refused]:
    """A dead letter for each module not read to its end, and for what follows the log; the log lands."""
    letters = [
        Refused(
            f"{module['name']}: {module['reason']}",
            f"after {module['records_read']} records of {module['name']}",
        )
        for module in log.end["modules"]
        if module["state"] in ("damaged", "suspect")
    ]
    if log.trailing:
        letters.append(Refused(log.trailing.reason, f"byte {log.trailing.position}"))
    return letters


def content_of(place: Place, source: Source) -> tuple[bytes, Opened]:
    """Reads a file's bytes; Refused if it is no plain file, too large, or still being written."""
    descriptor = _descriptor(place)
    try:
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            raise Refused("not a regular file")
        if source.owner_check == "strict" and before.st_nlink > 1:
            raise Refused(f"it has {before.st_nlink} names (hard links); a log has one")
        if before.st_size > LIMITS.file_bytes:
            raise Refused(f"{before.st_size} bytes; the limit is {LIMITS.file_bytes}")
        with open(descriptor, "rb", closefd=False) as file:
            content = file.read(before.st_size)
        after = os.fstat(descriptor)
    except OSError as error:
        raise _refused(error) from None
    finally:
        os.close(descriptor)
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        raise NotYet("changed while it was read; it is still being written")
    return content, Opened(before.st_uid, before.st_size, before.st_mtime_ns)


def _descriptor(place: Place) -> int:
    """Opens the file itself, reached without a link below the place's root."""
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        folder = os.open(place.root, flags | os.O_DIRECTORY)
        try:
            for name in place.folders:
                inner = os.open(name, flags | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
                os.close(folder)
                folder = inner
            return os.open(place.name, flags | os.O_NOFOLLOW, dir_fd=folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise _refused(error) from None


def _refused(error: OSError) -> Refused:
    if error.errno == errno.ELOOP:
        return Refused("a symbolic link is not followed")
    return (NotYet if error.errno in _PASSING else Refused)(str(error.strerror))


def header_of(log: Log, source: Source, opened: Opened, name: bytes) -> dict[str, Any]:
    """Makes the header of a log's messages; DarshanError where its times are none."""
    job, command = log.job, log.exe
    metadata = log.metadata | source.privacy.kept_command(command)
    return {
        "cluster": source.cluster,
        "owner_uid": opened.owner_uid,
        "owner_check": source.owner_check,
        "file_name": escape(name),
        "job_id": job.job_id,
        "uid": job.uid,
        "exe": escape(command.split(b" ")[0].rsplit(b"/")[-1]),
        "exe_hash": identity.text_hash(command),
        "nprocs": job.nprocs,
        "start_time": _time("start", job.start_seconds, job.start_nanoseconds),
        "end_time": _time("end", job.end_seconds, job.end_nanoseconds),
        "run_time_seconds": job.run_time_seconds,
        "log_version": log.version,
        "metadata": {escape(key): escape(value) for key, value in metadata.items()},
        "mounts": [{"path": escape(path), "fs_type": escape(kind)} for path, kind in log.mounts],
        "modules": [
            {
                "name": module.name,
                "version": min(module.version, _MOST_INT),
                "partial": module.partial,
                "compressed_bytes": module.compressed_bytes,
            }
            for module in log.modules
        ],
        "supersedes": None,
    }


def _time(which: str, seconds: int, nanoseconds: int) -> datetime:
    try:
        return _EPOCH + timedelta(seconds=seconds, microseconds=nanoseconds // 1000)
    except OverflowError:
        raise DarshanError(f"the job record's {which} time {seconds} is outside of the calendar") from None


def _batches(log: Log, parts: Parts, privacy: Privacy) -> Iterator[dict[str, Any]]:
    """The bodies of all batches; then `parts.end` is set."""
    ends: list[dict[str, Any]] = []

    def rows() -> Iterator[dict[str, Any]]:
        reading = Reading(log, privacy)
        for module in log.modules:
            packer = Packer(module)
            ends.append((yield from reading.module(module, packer)))
            yield from packer.rest()

    batches = yield from numbered(parts.header, rows())
    parts.end = {"batches": batches, "modules": ends, "processes": None}


def numbered(header: dict[str, Any], rows: Iterable[dict[str, Any]]) -> Generator[dict[str, Any], None, int]:
    """Makes batches of a log from the rows that packers give, and returns how many."""
    common, number = {key: header[key] for key in ("cluster", "job_id", "start_time")}, 0
    for body in rows:
        yield common | body | {"number": number}
        number += 1
    return number


class Reading:
    """One log's rows on their way into packers, in bounded processor time.

    Of a log of one process all rows are to be of its rank.
    """

    def __init__(self, log: Log, privacy: Privacy, rank: int | None = None):
        self._log, self._privacy, self._rank = log, privacy, rank
        self._spent = 0.0

    def module(self, module: Module, packer: "Packer") -> Generator[dict[str, Any], None, dict[str, Any]]:
        """Gives what fills a batch, and returns how far the module could be read."""
        log, nameless, read, stopped = self._log, 0, 0, None
        if module.decoded and modules()[module.name].table:
            for batch in log.records(module.name):
                stopped = self._why_stop(batch, read)
                if stopped:
                    break
                began = thread_time()
                columns = _columns(batch, log, module.name, self._privacy)
                nameless += columns.names.count("")
                full = list(packer.add(columns))
                self._spent += thread_time() - began
                read += len(batch.ids)
                yield from full
        return module_end(log, module, stopped or log.state(module.name), nameless)

    def _why_stop(self, batch: Any, read: int) -> State | None:
        if read and self._spent > PACKING_SECONDS:
            return State("damaged", read, reason="its rows take more processor time than the limit")
        if self._rank is not None and (foreign := batch.ranks[batch.ranks != self._rank]).size:
            reason = f"records of rank {foreign[0]} in the log of rank {self._rank}"
            return State("damaged", read, reason=reason, is_suspect=True)
        return None


def module_end(log: Log, module: Module, state: State, nameless: int = 0) -> dict[str, Any]:
    """How far a module was read, as the end of a log says it; `nameless` rows had no name."""
    name, reason = state.state, state.reason
    if name in ("unread", "listed"):
        # decoded or not, it is not published
        name, reason = "listed", None
    elif reason and state.position is not None:
        reason += f" (byte {state.position})"
    if name in ("complete", "partial") and nameless and log.names.damage:
        name, reason = "damaged", f"{nameless} rows without a name: {log.names.damage}"
    if name != "listed" and (suspect := _why_suspect(log, state)):
        name, reason = "suspect", suspect if reason is None else reason
    return {
        "name": module.name,
        "state": name,
        "records_expected": state.records_expected,
        "records_read": state.records_read,
        "reason": reason,
    }


def _why_suspect(log: Log, state: State) -> str | None:
    """Why what was read of a module may be wrong: its data, the names or the job record are damaged."""
    if state.is_suspect:
        return state.reason
    if log.names.damage:
        return f"the names: {log.names.damage}"
    return str(log.damage) if log.damage else None


@dataclass
class _Columns:
    """Rows of a batch, and what each takes in a message."""

    ids: NDArray[np.uint64]
    ranks: NDArray[np.int64]
    names: list[str]
    int_names: tuple[str, ...]
    ints: NDArray[np.int64]
    float_names: tuple[str, ...]
    floats: NDArray[np.float64]

    def sizes(self) -> NDArray[np.int64]:
        fixed = 18 + 8 * (len(self.int_names) + len(self.float_names))
        return np.array([fixed + len(name.encode()) for name in self.names], np.int64)

    def cut(self, start: int, stop: int) -> "_Columns":
        these = slice(start, stop)
        return _Columns(
            self.ids[these],
            self.ranks[these],
            self.names[these],
            self.int_names,
            self.ints[these],
            self.float_names,
            self.floats[these],
        )


def _columns(batch: Any, log: Log, module: str, privacy: Privacy) -> _Columns:
    named = privacy.names(module, log.names.lookup(batch.ids))
    names = [escape(name) if name else "" for name in named]
    if isinstance(batch, RecordBatch):
        return _Columns(
            batch.ids, batch.ranks, names, batch.int_names, batch.ints, batch.float_names, batch.floats
        )
    return _stripes(batch, names) if isinstance(batch, LustreBatch) else _bins(batch, names)


def _bins(batch: HeatmapBatch, names: list[str]) -> _Columns:
    """A row for each bin that holds bytes."""
    records, bins = batch.bins()
    moved = (batch.read != 0) | (batch.written != 0)
    records, row = records[moved], modules()["HEATMAP"].row
    return _Columns(
        batch.ids[records],
        batch.ranks[records],
        [names[record] for record in records.tolist()],
        tuple(row.ints),
        np.column_stack([bins[moved], batch.read[moved], batch.written[moved]]),
        tuple(row.floats),
        batch.bin_width_seconds[records][:, None],
    )


def _stripes(batch: LustreBatch, names: list[str]) -> _Columns:
    """A row for each target of each component; a component without any has one with -1."""
    rows = batch.stripes()
    own = [rows.components, np.where(rows.targets < 0, -1, rows.stripes), rows.targets]
    return _Columns(
        batch.ids[rows.records],
        batch.ranks[rows.records],
        [names[record] for record in rows.records.tolist()],
        (*batch.int_names, *modules()["LUSTRE"].row.ints),
        np.column_stack([batch.ints[rows.places], *own]),
        (),
        np.zeros((len(rows.records), 0)),
    )


class Packer:
    """Rows of one module, gathered until they fill a message."""

    def __init__(self, module: Module) -> None:
        self._head = {"module": module.name, "module_version": module.version}
        self._waiting: list[_Columns] = []
        self._size = 0

    def add(self, columns: _Columns) -> Iterator[dict[str, Any]]:
        """Takes the rows; gives the messages that are full."""
        ends = np.cumsum(columns.sizes())
        start = 0
        while start < len(ends):
            before = int(ends[start - 1]) if start else 0
            stop = int(np.searchsorted(ends, before + BATCH_BYTES - self._size)) + 1
            self._waiting.append(columns.cut(start, stop))
            if stop > len(ends):
                self._size += int(ends[-1]) - before
                return
            yield from self.rest()
            start = stop

    def rest(self) -> Iterator[dict[str, Any]]:
        """Gives the rows that wait, if there are any."""
        if self._waiting:
            first = self._waiting[0]
            yield self._head | {
                "rows": sum(len(each.names) for each in self._waiting),
                "record_ids": _packed([each.ids for each in self._waiting], "<u8"),
                "ranks": _packed([each.ranks for each in self._waiting], "<i8"),
                "names": [name for each in self._waiting for name in each.names],
                "int_names": list(first.int_names),
                "ints": _packed([each.ints for each in self._waiting], "<i8"),
                "float_names": list(first.float_names),
                "floats": _packed([each.floats for each in self._waiting], "<f8"),
            }
        self._waiting, self._size = [], 0


def _packed(parts: list[NDArray[Any]], kind: str) -> bytes:
    """Column after column."""
    values = parts[0] if len(parts) == 1 else np.concatenate(parts)
    return values.T.astype(kind, copy=False).tobytes()
