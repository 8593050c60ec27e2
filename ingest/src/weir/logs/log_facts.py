"""What one Darshan log says, for `weir log`: facts for a program, and rows of a module's records."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir import identity
from weir.darshan import (
    ACCUMULATED,
    Accumulator,
    Batch,
    DarshanError,
    DxtBatch,
    HeatmapBatch,
    Limits,
    Log,
    LustreBatch,
    RecordBatch,
    State,
    Totals,
    open_log,
)
from weir.darshan_modules import modules
from weir.errors import Refused, UserError
from weir.text import escape


@dataclass
class Module:
    """What was read of a module; `moved`: records' ids, ranks, bytes each way, slowest process's time."""

    version: int
    compressed_bytes: int
    state: State = field(default_factory=lambda: State("unread"))
    bytes_read: int | None = None
    bytes_written: int | None = None
    totals: Totals | None = None
    """The totals, if libdarshan's accumulator knows the module."""
    moved: list[NDArray[Any]] = field(default_factory=list)


@dataclass
class Facts:
    """A log that was read to its end."""

    file: Path
    log_id: str
    log: Log
    modules: dict[str, Module]
    heatmaps: dict[str, NDArray[np.float64]]
    """Bytes moved by `ranks_a_row` processes and by bin, by the module that the heatmap is of."""
    bin_width_seconds: float

    @property
    def ranks_a_row(self) -> int:
        """Processes that a row of a heatmap stands for."""
        return max(1, -(-self.log.job.nprocs // _HEATMAP_ROWS))

    @property
    def damaged(self) -> bool:
        """Something of the log is lost: of a module, or names; or more than the log is in the file."""
        states = [module.state.state for module in self.modules.values()]
        return "damaged" in states or (self.log.names.damage or self.log.trailing) is not None

    @property
    def program(self) -> str:
        """Base name of the executable."""
        return escape(self.log.exe.split(b" ")[0].rsplit(b"/")[-1])

    @property
    def start_time(self) -> datetime | None:
        """None where the log has a time that no calendar has."""
        job = self.log.job
        try:
            start = datetime.fromtimestamp(job.start_seconds, UTC)
            return start + timedelta(microseconds=job.start_nanoseconds // 1000)
        except (ValueError, OverflowError, OSError):
            return None


@np.errstate(over="ignore", invalid="ignore")  # hostile times: infinite, huge, NaN
def read(file: Path, limits: Limits | None = None) -> Facts:
    """Everything that the log at `file` says; Refused with the reason where it can't be read at all."""
    log_id, log = opened(file, limits)
    facts = Facts(file, log_id, log, {}, {}, 0.0)
    for module in log.modules:
        facts.modules[module.name] = Module(module.version, module.compressed_bytes)
        _read_module(facts, module.name)
    return facts


def opened(file: Path, limits: Limits | None = None) -> tuple[str, Log]:
    """Identity and log; Refused with the reason where it can't be read at all."""
    limits = limits or Limits()
    try:
        with file.open("rb") as source:
            content = source.read(limits.file_bytes + 1)
        return identity.log_id(content), open_log(content, limits)
    except OSError as error:
        raise Refused(error.strerror or str(error)) from None
    except DarshanError as error:
        raise Refused(str(error)) from None


def _read_module(facts: Facts, name: str) -> None:
    module, log = facts.modules[name], facts.log
    sums = Accumulator(name) if name in ACCUMULATED else None
    for batch in log.records(name):
        if isinstance(batch, HeatmapBatch):
            _add_heatmap(facts, batch)
        elif isinstance(batch, RecordBatch) and f"{modules()[name].prefix}_BYTES_READ" in batch.int_names:
            module.moved.append(_moved(batch, modules()[name].prefix, log.job.nprocs))
            if sums:
                sums.add(batch)
    module.state = log.state(name)
    if module.state.is_suspect:
        module.moved = []  # its numbers can be anything
        return
    module.totals = sums.totals() if sums else None
    if module.moved:
        # Python's integers: a sum of hostile counters does not wrap
        module.bytes_read, module.bytes_written = (
            sum(int(part[way].astype(object).sum()) for part in module.moved) for way in ("read", "written")
        )


_MOVED = np.dtype([("id", "u8"), ("rank", "i8"), ("read", "i8"), ("written", "i8"), ("seconds", "f8")])
_HEATMAP_ROWS, _HEATMAPS = 12, 8  # at most


def _moved(batch: RecordBatch, prefix: str, nprocs: int) -> NDArray[Any]:
    """Bytes and seconds of the records, as rows of `_MOVED`."""
    read, written = (batch.int_column(f"{prefix}_BYTES_{way}") for way in ("READ", "WRITTEN"))
    times = {f"{prefix}_F_{kind}_TIME" for kind in ("READ", "WRITE", "META")} & {*batch.float_names}
    seconds = sum((batch.float_column(time) for time in sorted(times)), np.zeros(len(batch.ids)))
    if f"{prefix}_F_SLOWEST_RANK_TIME" in batch.float_names and nprocs > 1:
        # of a shared record the times are sums over its processes
        slowest = batch.float_column(f"{prefix}_F_SLOWEST_RANK_TIME")
        seconds = np.where(batch.ranks < 0, slowest, seconds)
    return np.rec.fromarrays([batch.ids, batch.ranks, read, written, seconds], _MOVED)


def _add_heatmap(facts: Facts, batch: HeatmapBatch) -> None:
    rows = min(max(1, -(-facts.log.job.nprocs // facts.ranks_a_row)), _HEATMAP_ROWS)
    records, column = batch.bins()
    row = np.clip(batch.ranks // facts.ranks_a_row, 0, rows - 1)[records]
    moved = np.maximum(batch.read, 0).astype(np.float64) + np.maximum(batch.written, 0)
    ids, places = np.unique(batch.ids, return_inverse=True)
    for place, name in enumerate(facts.log.names.lookup(ids)):
        module = escape((name or b"").removeprefix(b"heatmap:"))
        if not name or (module not in facts.heatmaps and len(facts.heatmaps) == _HEATMAPS):
            continue
        own = places == place
        width = np.diff(batch.offsets)[own].max()
        cells = facts.heatmaps.get(module, np.zeros((rows, width)))
        cells = np.pad(cells, ((0, 0), (0, max(0, width - cells.shape[1]))))
        these = own[records]
        np.add.at(cells, (row[these], column[these]), moved[these])
        facts.heatmaps[module] = cells
        facts.bin_width_seconds = float(batch.bin_width_seconds[own][-1])


def as_object(facts: Facts) -> dict[str, Any]:
    """The JSON object of `weir log show --json`."""
    job, start, names = facts.log.job, facts.start_time, facts.log.names
    return {
        "file": str(facts.file),
        "log_id": facts.log_id,
        "log_version": facts.log.version,
        "job_id": job.job_id,
        "uid": job.uid,
        "nprocs": job.nprocs,
        "exe": facts.program,
        "command": escape(facts.log.exe),
        "start_time": start and start.isoformat(timespec="microseconds").replace("+00:00", "Z"),
        "run_time_seconds": None if job.is_unfinished else job.run_time_seconds,
        "modules": {name: _module_object(module) for name, module in facts.modules.items()},
        **({"names_damage": str(names.damage)} if names.damage else {}),
        **({"trailing": facts.log.trailing.reason} if facts.log.trailing else {}),
    }


def _module_object(module: Module) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "state": module.state.state,
        "version": module.version,
        "records": module.state.records_read,
        "compressed_bytes": module.compressed_bytes,
    }
    if module.state.reason:
        facts["reason"] = module.state.reason
    if module.bytes_read is not None:
        facts |= {"bytes_read": module.bytes_read, "bytes_written": module.bytes_written}
    if module.totals:
        facts["agg_time_by_slowest_seconds"] = _finite(module.totals.agg_time_by_slowest)
        facts["agg_perf_by_slowest_mib_per_second"] = _finite(module.totals.agg_perf_by_slowest)
    return facts


def _finite(value: float) -> float | None:
    """JSON has no NaN and no infinity."""
    return value if np.isfinite(value) else None


@dataclass(frozen=True)
class File:
    """Bytes of a file, seconds of its slowest process; `processes` is None where Darshan reduced over all."""

    name: str
    bytes_read: int
    bytes_written: int
    seconds: float
    processes: int | None


def top_files(facts: Facts, most: int) -> list[tuple[str, File]]:
    """(module, file) with the most bytes, by POSIX, STDIO and DFS or DAOS: what reached the system."""
    found = []
    for name in ("POSIX", "STDIO", "DFS" if "DFS" in facts.modules else "DAOS"):
        module = facts.modules.get(name)
        if module and module.moved:
            found += [(name, file) for file in _files(facts.log, np.concatenate(module.moved), most)]
    return sorted(found, key=lambda each: -each[1].bytes_read - each[1].bytes_written)[:most]


def _files(log: Log, moved: NDArray[Any], most: int) -> list[File]:
    ids, places = np.unique(moved["id"], return_inverse=True)
    sums = np.bincount(places, moved["read"].astype(np.float64) + moved["written"])
    largest = np.argsort(-sums, kind="stable")[:most]
    files = []
    for place, name in zip(largest, log.names.lookup(ids[largest]), strict=True):
        own = places == place
        read, written = (int(moved[way][own].astype(object).sum()) for way in ("read", "written"))
        ranks, slowest = np.unique(moved["rank"][own]), float(moved["seconds"][own].max())
        if read + written > 0:
            files.append(
                File(
                    escape(name or b""),
                    read,
                    written,
                    slowest,
                    None if ranks[0] < 0 else len(ranks),
                )
            )
    return files


# --- records as rows -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Column:
    """A column of a module's rows; `kind` is Avro's: long, double or string."""

    name: str
    kind: str
    unsigned: bool = False
    nullable: bool = False


@dataclass(frozen=True)
class Block:
    """Some of the rows, column by column."""

    columns: tuple[Column, ...]
    values: tuple[Sequence[Any], ...]


_BLOCK_ROWS = 20_000
_ID, _RANK, _NAME = Column("id", "long", True), Column("rank", "long"), Column("name", "string")


def blocks(log: Log, module: str) -> Iterator[Block]:
    """The module's records: a row each; of HEATMAP a bin, of LUSTRE a stripe, of DXT a segment.

    A component of LUSTRE without stripes has a row as well, with no `ost`.
    """
    known = {each.name: each for each in log.modules}
    if module not in known:
        raise UserError(f"no records of {module} in this log; it has {', '.join(known) or 'none at all'}")
    if not known[module].decoded:
        raise UserError(f"{module} of version {known[module].version} is not decoded, only listed")
    for batch in log.records(module):
        yield from _blocks(log, batch)


def _blocks(log: Log, batch: Batch) -> Iterator[Block]:
    names = [escape(name or b"") for name in log.names.lookup(batch.ids)]
    if isinstance(batch, RecordBatch):
        rows: Any = slice(None)
        columns = [
            *((Column(name, "long"), batch.ints[:, place]) for place, name in enumerate(batch.int_names)),
            *(
                (Column(name, "double"), batch.floats[:, place])
                for place, name in enumerate(batch.float_names)
            ),
            *_fields(batch.fields),
        ]
    elif isinstance(batch, HeatmapBatch):
        rows, number = batch.bins()
        columns = [
            (Column("bin", "long"), number),
            (Column("bin_width_seconds", "double"), batch.bin_width_seconds[rows]),
            (Column("bytes_read", "long"), batch.read),
            (Column("bytes_written", "long"), batch.written),
        ]
    elif isinstance(batch, LustreBatch):
        stripes = batch.stripes()
        rows = stripes.records
        columns = [
            (Column("component", "long"), stripes.components),
            *(
                (Column(name, "long"), batch.ints[stripes.places, place])
                for place, name in enumerate(batch.int_names)
            ),
            (Column("pool", "string"), batch.pools[stripes.places]),
            (Column("ost", "long", nullable=True), _or_none(stripes.targets, stripes.has_target)),
            *_fields({name: values[rows] for name, values in batch.fields.items()}),
        ]
    else:
        columns, rows = _dxt_columns(batch)
    columns = [
        (_ID, batch.ids[rows]),
        (_RANK, batch.ranks[rows]),
        (_NAME, np.array(names, object)[rows]),
        *columns,
    ]
    head = tuple(column for column, _ in columns)
    for start in range(0, max(1, len(columns[0][1])), _BLOCK_ROWS):
        yield Block(head, tuple(_plain(values[start : start + _BLOCK_ROWS]) for _, values in columns))


def _or_none(values: NDArray[Any], known: NDArray[np.bool_]) -> NDArray[Any]:
    objects = values.astype(object)
    objects[~known] = None
    return objects


def _dxt_columns(batch: DxtBatch) -> tuple[list[tuple[Column, NDArray[Any]]], NDArray[Any]]:
    counts = np.diff(batch.offsets)
    rows = np.repeat(np.arange(len(counts)), counts)
    number = np.arange(len(rows)) - np.repeat(batch.offsets[:-1], counts)
    segments = batch.segments
    columns = [
        (Column("hostname", "string"), batch.hostnames[rows]),
        (Column("operation", "string"), np.where(number < batch.writes[rows], b"write", b"read")),
    ]
    for name in segments.dtype.names or ():
        kind = segments.dtype[name].kind
        columns.append((Column(name, "double" if kind == "f" else "long", kind == "u"), segments[name]))
    return columns, rows


def _fields(fields: dict[str, NDArray[Any]]) -> Iterator[tuple[Column, NDArray[Any]]]:
    for name, values in fields.items():
        if values.dtype.kind == "V":
            yield Column(name, "string"), np.array([value.tobytes().hex() for value in values], object)
        else:
            yield Column(name, "long", values.dtype.kind == "u"), values


def _plain(values: NDArray[Any]) -> list[Any]:
    if values.dtype.kind == "S":
        return [escape(value) for value in values.tolist()]
    return list(values.tolist())
