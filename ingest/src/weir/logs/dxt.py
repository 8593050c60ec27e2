"""Sums the requests that DXT traced: who was in reads and writes when, and the longest one.

Millions of segments of thousands of processes become cells of a table whose size is bounded.
"""

from dataclasses import dataclass, field, replace
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir.darshan import DxtBatch, Log, State
from weir.text import escape

WAYS = ("read", "write")
READ, WRITE = range(len(WAYS))
_ROWS, _COLUMNS, _MOST_SHOWN = 64, 960, 120
_SLACK_SHARE, _SLACK_SECONDS = 0.1, 60.0
_LONGEST_RUN = 10 * 365 * 86400.0


@dataclass(frozen=True)
class Longest:
    """The request that took longest."""

    way: int
    seconds: float
    start: float
    """In seconds from the begin of the run."""
    length: int
    rank: int
    record_id: int
    name: str = ""


@dataclass(frozen=True)
class Cells:
    """Seconds that processes spent in requests, by way (WAYS), row of processes, and column of time."""

    seconds: NDArray[np.float64]
    width: float
    """Seconds of a column."""
    processes: NDArray[np.int64]
    """The number of processes of each row."""

    @property
    def busiest(self) -> tuple[float, float]:
        """(second at which the column begins, processes in requests at once, averaged over it)."""
        columns = self.seconds.sum(axis=(0, 1))
        place = int(columns.argmax())
        return place * self.width, float(columns[place] / self.width)


@dataclass
class Trace:
    """One DXT module of a log, summed batch by batch; [READ] and [WRITE] of each pair."""

    nprocs: int
    run_time: float | None
    """In seconds; None where the run did not come to its end."""
    state: State = field(default_factory=lambda: State("unread"))
    requests: list[int] = field(default_factory=lambda: [0, 0])
    moved: list[int] = field(default_factory=lambda: [0, 0])
    """Bytes."""
    first: float = np.inf
    last: float = 0.0
    ranks: set[int] = field(default_factory=set)
    longest: Longest | None = None
    left_out: int = 0
    """Segments whose times or process cannot be."""

    def __post_init__(self) -> None:
        self._most = (self.run_time or _LONGEST_RUN) * (1 + _SLACK_SHARE) + _SLACK_SECONDS
        self._width = max(self.run_time or 1.0, 1e-3) / _COLUMNS
        self._cells = np.zeros((2, -(-self.nprocs // self.processes_a_row), _COLUMNS))

    @property
    def processes_a_row(self) -> int:
        """Processes that a row of the cells stands for."""
        return max(1, -(-self.nprocs // _ROWS))

    def add(self, batch: DxtBatch) -> None:
        """Adds the segments of a batch."""
        counts = np.diff(batch.offsets)
        record = np.repeat(np.arange(len(counts)), counts)
        number = np.arange(len(record)) - batch.offsets[record]
        way = np.where(number < batch.writes[record], WRITE, READ)
        rank, segments = batch.ranks[record], batch.segments
        start, end, length = segments["start_time"], segments["end_time"], segments["length"]
        good = (start >= 0) & (end >= start) & (end <= self._most) & (length >= 0)  # none of NaN
        good &= (rank >= 0) & (rank < self.nprocs)
        self.left_out += int(len(good) - good.sum())
        if not good.any():
            return
        way, rank, start, end, length = way[good], rank[good], start[good], end[good], length[good]
        for each in (READ, WRITE):
            own = way == each
            self.requests[each] += int(own.sum())
            self.moved[each] += int(length[own].astype(object).sum())
        self.first, self.last = min(self.first, float(start.min())), max(self.last, float(end.max()))
        self.ranks.update(np.unique(rank).tolist())
        place = int((end - start).argmax())
        if self.longest is None or end[place] - start[place] > self.longest.seconds:
            self.longest = Longest(
                int(way[place]),
                float(end[place] - start[place]),
                float(start[place]),
                int(length[place]),
                int(rank[place]),
                int(batch.ids[record[good][place]]),
            )
        self._spread(way * self._cells.shape[1] + rank // self.processes_a_row, start, end)

    def _spread(self, row: NDArray[Any], start: NDArray[Any], end: NDArray[Any]) -> None:
        """Adds the seconds of segments to the cells that they touch; a long one costs as much as a short."""
        while self.last >= self._width * _COLUMNS:
            halves = self._cells.reshape(*self._cells.shape[:2], -1, 2).sum(axis=3)
            self._cells = np.concatenate([halves, np.zeros_like(halves)], axis=2)
            self._width *= 2
        size, width = self._cells.size, self._width
        first, last = (start / width).astype(np.int64), (end / width).astype(np.int64)
        rest = last > first
        own = np.where(rest, (first + 1) * width, end) - start
        cells = np.bincount(row * _COLUMNS + first, own, size)
        row, first, last, end = row[rest], first[rest], last[rest], end[rest]
        cells += np.bincount(row * _COLUMNS + last, end - last * width, size)
        # whole columns between the two: one more from the second on, one less from the last on
        opened = np.bincount(row * _COLUMNS + first + 1, minlength=size)
        closed = np.bincount(row * _COLUMNS + last, minlength=size)
        whole = np.cumsum((opened - closed).reshape(-1, _COLUMNS), axis=1).ravel()
        self._cells += (cells + whole * width).reshape(self._cells.shape)

    def cells(self) -> Cells:
        """Those from the begin of the run to its end, in no more columns than can be seen."""
        used = min(_COLUMNS, max(1, ceil(max(self.run_time or 0.0, self.last) / self._width)))
        wide = -(-used // _MOST_SHOWN)
        shown = np.pad(self._cells[:, :, :used], ((0, 0), (0, 0), (0, -used % wide)))
        rows = shown.shape[1]
        processes = np.full(rows, self.processes_a_row)
        processes[-1] = self.nprocs - (rows - 1) * self.processes_a_row
        return Cells(shown.reshape(2, rows, -1, wide).sum(axis=3), wide * self._width, processes)


def read(log: Log) -> dict[str, Trace]:
    """The traces of a log by module; nothing of those that are not decoded."""
    names = [module.name for module in log.modules if module.decoded and module.name.startswith("DXT")]
    return {name: _read(log, name) for name in names}


@np.errstate(over="ignore", invalid="ignore")  # hostile times: infinite, huge, NaN
def _read(log: Log, module: str) -> Trace:
    trace = Trace(max(1, log.job.nprocs), None if log.job.is_unfinished else log.job.run_time_seconds)
    for batch in log.records(module):
        assert isinstance(batch, DxtBatch)
        trace.add(batch)
    trace.state = log.state(module)
    if trace.longest:
        name = log.names.lookup(np.array([trace.longest.record_id], np.uint64))[0]
        trace.longest = replace(trace.longest, name=escape(name or b""))
    return trace
