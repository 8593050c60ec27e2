"""Sums what each module of a log counted: operations, bytes, seconds and access sizes, by module and by file.

All files of the log count, also those of file systems that are not judged. A counter that a record does not
have (-1) adds nothing and makes its sum a lower bound.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir.darshan_modules import modules

_NOT_SUMS = ("MAX_", "MEM_ALIGNMENT", "FILE_ALIGNMENT", "MODE", "STRIDE", "ACCESS", "FASTEST", "SLOWEST")
_TIMES = ("READ_TIME", "WRITE_TIME", "META_TIME")
_WAIT = "WAIT_TIME"  # of PnetCDF for its requests: beside the others, not among them
_MOST_SIZES = 1 << 16
_MOST_FILES = 10
_BINS = (
    *("0_100", "100_1K", "1K_10K", "10K_100K", "100K_1M"),
    *("1M_4M", "4M_10M", "10M_100M", "100M_1G", "1G_PLUS"),
)
_STREAMS = ("<STDIN>", "<STDOUT>", "<STDERR>")
USES = ("read only", "written only", "read and written", "no data")


@dataclass(frozen=True)
class Use:
    """Files of a module that were used alike; extents are the ends of the last bytes read or written."""

    files: int
    bytes_read: int
    bytes_written: int
    mean_extent: float | None
    largest_extent: int | None
    """None of a module that counts no offsets."""


@dataclass
class Module:
    """Sums over the records of one module, by Darshan's counter names without the module's."""

    records: int = 0
    counters: dict[str, int] = field(default_factory=dict)
    bounds: set[str] = field(default_factory=set)
    """Counters and times that a record does not have, or has below 0: their sums are lower bounds."""
    is_incomplete: bool = False
    """All sums are lower bounds: Darshan ran out of room, or the log is cut."""
    seconds: dict[str, float] = field(default_factory=dict)
    """READ, WRITE, META, of PnetCDF WAIT: summed over processes."""
    sizes: dict[int, int] = field(default_factory=dict)
    """Access size in bytes -> requests. Darshan keeps a record's four most common, so a lower bound."""
    streams: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Standard stream -> bytes read, bytes written."""
    _ids: list[NDArray[np.uint64]] = field(default_factory=list)
    _moved: list[NDArray[np.int64]] = field(default_factory=list)
    """Rows of bytes read, bytes written, extent (-1: not counted), standard stream (1) or file (0)."""
    _slowest: dict[int, tuple[float, str]] = field(default_factory=dict)
    """Record id -> seconds of its slowest process, and its name; of the files that took longest."""

    def count(self, *names: str) -> int:
        """Sum of counters; what the module does not count is 0."""
        return sum(self.counters.get(name, 0) for name in names)

    def histogram(self, way: str) -> list[int]:
        """Requests of a way, READ or WRITE, by Darshan's ten size bins; of what counts none only zeros."""
        return [self.count(f"SIZE_{way}_{name}", f"SIZE_{way}_AGG_{name}") for name in _BINS]

    def uses(self) -> dict[str, Use]:
        """Files by what was done with them, standard streams left out; only uses that there were."""
        if not self._moved:
            return {}
        rows = np.concatenate(self._moved)
        files = rows[:, 3] == 0
        ids, place = np.unique(np.concatenate(self._ids)[files], return_inverse=True)
        read, written, extent = (np.full(len(ids), value, np.int64) for value in (0, 0, -1))
        np.add.at(read, place, rows[files, 0])
        np.add.at(written, place, rows[files, 1])
        np.maximum.at(extent, place, rows[files, 2])
        kinds = ((read > 0) & (written == 0), (written > 0) & (read == 0), (read > 0) & (written > 0))
        found = {}
        for use, own in zip(USES, (*kinds, (read == 0) & (written == 0)), strict=True):
            if own.any():
                known = bool((extent >= 0).any())
                found[use] = Use(
                    int(own.sum()),
                    int(read[own].sum()),
                    int(written[own].sum()),
                    float(np.maximum(extent[own], 0).mean()) if known else None,
                    int(np.maximum(extent[own], 0).max()) if known else None,
                )
        return found

    def slowest(self) -> list[tuple[str, float]]:
        """(name, seconds) of the files that took longest, each by its slowest process."""
        return [(name or f"record {record}", seconds) for record, (seconds, name) in self._slowest.items()]

    def add_times(self, ids: list[int], seconds: NDArray[np.float64], names: list[str]) -> None:
        """Keeps the longest, which are among the longest of the batch that their slowest process is in."""
        longest = dict(self._slowest)
        for at in np.argsort(-seconds, kind="stable").tolist():
            if seconds[at] <= 0 or len(longest) >= len(self._slowest) + _MOST_FILES:
                break
            known = longest.get(ids[at], (0.0, ""))
            longest[ids[at]] = max(known, (float(seconds[at]), names[at]))
        kept = sorted(longest.items(), key=lambda each: (-each[1][0], each[1][1]))[:_MOST_FILES]
        self._slowest = dict(kept)


@dataclass
class Operations:
    """Modules of a log, filled batch by batch."""

    modules: dict[str, Module] = field(default_factory=dict)

    def add(self, batch: dict[str, Any]) -> None:
        """Adds a LogBatch; those of modules that count no operations are passed over."""
        declared = modules()[batch["module"]]
        if not declared.has_counters:
            return
        prefix = f"{declared.prefix}_"
        module = self.modules.setdefault(batch["module"], Module())
        rows = batch["rows"]
        ints = np.frombuffer(batch["ints"], "<i8").reshape(-1, rows)
        floats = np.frombuffer(batch["floats"], "<f8").reshape(-1, rows)
        floats = np.where(np.isfinite(floats), floats, 0)  # of damaged records: no time at all
        column = {name.removeprefix(prefix): ints[at] for at, name in enumerate(batch["int_names"])}
        seconds = {
            name.removeprefix(f"{prefix}F_"): floats[at] for at, name in enumerate(batch["float_names"])
        }
        module.records += rows
        for name, values in column.items():
            if not name.startswith(_NOT_SUMS):
                module.counters[name] = module.counters.get(name, 0) + int(np.maximum(values, 0).sum())
                if (values < 0).any():
                    module.bounds.add(name)
        for name in (*_TIMES, _WAIT):
            if name in seconds:
                module.seconds[name] = module.seconds.get(name, 0) + float(np.maximum(seconds[name], 0).sum())
                if not (seconds[name] >= 0).all():
                    module.bounds.add(name)
        _add_sizes(module, column)
        ranks = np.frombuffer(batch["ranks"], "<i8")
        own = sum((np.maximum(seconds[name], 0) for name in _TIMES if name in seconds), np.zeros(rows))
        slowest = np.maximum(seconds.get("SLOWEST_RANK_TIME", np.zeros(rows)), 0)
        module._ids.append(np.frombuffer(batch["record_ids"], "<u8"))
        if "BYTES_READ" in column:
            module._moved.append(_moved(module, column, batch["names"]))
        # of a shared record the times are sums over its processes
        ids = np.frombuffer(batch["record_ids"], "<u8").tolist()
        module.add_times(ids, np.where(ranks < 0, slowest, own), batch["names"])

    def settle(self, states: dict[str, str]) -> None:
        """Drops modules that damage makes doubtful, and marks those that are incomplete."""
        for name, state in states.items():
            if state == "suspect":
                self.modules.pop(name, None)
            elif state in ("partial", "damaged") and (module := self.modules.get(name)):
                module.is_incomplete = True


def _moved(module: Module, column: dict[str, NDArray[np.int64]], names: list[str]) -> NDArray[np.int64]:
    """Rows of `Module._moved`; what went through standard streams is added to the module's."""
    read, written = (np.maximum(column[f"BYTES_{way}"], 0) for way in ("READ", "WRITTEN"))
    ends = [column[name] for name in ("MAX_BYTE_READ", "MAX_BYTE_WRITTEN") if name in column]
    # an offset of 0 is that of one byte, or of none
    extent = np.where(read + written > 0, np.max(ends, axis=0) + 1, 0) if ends else np.full(len(read), -1)
    is_stream = np.array([name in _STREAMS for name in names], np.int64)
    for at in np.flatnonzero(is_stream).tolist():
        before = module.streams.get(names[at], (0, 0))
        module.streams[names[at]] = (before[0] + int(read[at]), before[1] + int(written[at]))
    return np.column_stack([read, written, extent, is_stream])


def _add_sizes(module: Module, column: dict[str, NDArray[np.int64]]) -> None:
    for at in range(1, 5):
        sizes, counts = column.get(f"ACCESS{at}_ACCESS"), column.get(f"ACCESS{at}_COUNT")
        if sizes is None or counts is None:
            continue
        used = (counts > 0) & (sizes >= 0)
        values, place = np.unique(sizes[used], return_inverse=True)
        totals = np.zeros(len(values), np.int64)
        np.add.at(totals, place, counts[used])
        for size, total in zip(values.tolist(), totals.tolist(), strict=True):
            if size in module.sizes or len(module.sizes) < _MOST_SIZES:
                module.sizes[size] = module.sizes.get(size, 0) + total
