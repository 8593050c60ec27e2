"""What a module's records add up to, as in libdarshan (darshan-logutils-accumulator.c)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weir.darshan.records import RecordBatch
from weir.darshan_modules import modules

# modules whose records have all that the sums need
ACCUMULATED = ("POSIX", "MPI-IO", "STDIO", "DFS", "DAOS")


@dataclass(frozen=True)
class Files:
    """Files (of DAOS: objects) of a kind, and the bytes moved on them."""

    count: int
    bytes_read: int
    bytes_written: int


@dataclass(frozen=True)
class Totals:
    """Sums over a module's records. Times in seconds; of a file that all processes share (rank -1) it is the
    time of its slowest process, and other files' times are summed by process.
    """

    bytes_read: int
    bytes_written: int
    shared_time_by_slowest: float
    unique_time_by_slowest: float
    unique_slowest_rank: int
    files: dict[str, Files]
    """The files by kind: all; read_only, write_only, read_write; unique, shared, partially_shared."""

    @property
    def agg_time_by_slowest(self) -> float:
        """Seconds: the slowest process on its own files, and the slowest of each shared file."""
        return self.unique_time_by_slowest + self.shared_time_by_slowest

    @property
    def agg_perf_by_slowest(self) -> float:
        """MiB/s; 0 where the time is 0."""
        time = self.agg_time_by_slowest
        return (self.bytes_read + self.bytes_written) / 1048576 / time if time else 0.0


class Accumulator:
    """Sums over the batches of one module out of ACCUMULATED."""

    def __init__(self, module: str):
        self._prefix = modules()[module].prefix
        self._shared = 0.0
        self._ranks = np.zeros(0, np.int64)
        self._times: NDArray[np.float64] = np.zeros(0)
        self._seen: list[tuple[NDArray[np.uint64], NDArray[np.int64]]] = []

    @np.errstate(over="ignore", invalid="ignore")  # hostile times: infinite, huge, NaN
    def add(self, batch: RecordBatch) -> None:
        """Adds the records of a batch, in the order of the log: sums of floats depend on it."""
        time = {
            name: batch.float_column(f"{self._prefix}_F_{name}_TIME") for name in ("META", "READ", "WRITE")
        }
        shared = batch.ranks < 0
        slowest = batch.float_column(f"{self._prefix}_F_SLOWEST_RANK_TIME")[shared]
        self._shared = float(np.cumsum([self._shared, *slowest])[-1])
        own = (time["META"] + time["READ"] + time["WRITE"])[~shared]
        ranks = np.concatenate([self._ranks, batch.ranks[~shared]])
        self._ranks, places = np.unique(ranks, return_inverse=True)
        times = np.concatenate([self._times, own])
        self._times = np.bincount(places, times, len(self._ranks)).astype(np.float64)
        moved = [batch.int_column(f"{self._prefix}_BYTES_{way}") for way in ("READ", "WRITTEN")]
        # a copy: the batch's arrays are views that keep all of its bytes alive
        self._seen.append((batch.ids.copy(), np.column_stack([*moved, np.where(shared, -1, 1)])))

    def totals(self) -> Totals:
        """Returns the totals of what was added so far."""
        ids = np.concatenate([ids for ids, _ in self._seen] or [np.zeros(0, np.uint64)])
        rows = np.concatenate([rows for _, rows in self._seen] or [np.zeros((0, 3), np.int64)])
        _, places = np.unique(ids, return_inverse=True)
        files = np.zeros((int(places.max(initial=-1)) + 1, 3), np.int64)
        np.add.at(files, places, rows)
        files[places[rows[:, 2] < 0], 2] = -1
        read, written, processes = files.T
        kinds = {
            "all": read == read,
            "read_only": (read > 0) & (written == 0),
            "write_only": (written > 0) & (read == 0),
            "read_write": (read > 0) & (written > 0),
            "unique": processes == 1,
            "shared": processes == -1,
            "partially_shared": (processes != 1) & (processes != -1),
        }
        # as libdarshan: the first of the largest, and only times above 0
        slowest = int(np.argmax(np.where(self._times > 0, self._times, 0))) if len(self._times) else -1
        above = slowest >= 0 and self._times[slowest] > 0
        return Totals(
            _sum(rows[:, 0]),
            _sum(rows[:, 1]),
            self._shared,
            float(self._times[slowest]) if above else 0.0,
            int(self._ranks[slowest]) if above else 0,
            {
                kind: Files(int(these.sum()), _sum(read[these]), _sum(written[these]))
                for kind, these in kinds.items()
            },
        )


def _sum(values: NDArray[np.int64]) -> int:
    """Exact, also beyond 64 bits."""
    return (int((values >> 32).sum()) << 32) + int((values & 0xFFFFFFFF).sum())
