"""Sums what each module of a log counted: operations, bytes, seconds and access sizes, by module and by file.

All files of the log count, also those of file systems that are not judged. A counter that a record does not
have (-1) adds nothing and makes its sum a lower bound.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

_PREFIX = {
    "POSIX": "POSIX", "STDIO": "STDIO", "MPI-IO": "MPIIO", "H5F": "H5F", "H5D": "H5D",
    "PNETCDF_FILE": "PNETCDF_FILE", "PNETCDF_VAR": "PNETCDF_VAR",
    "DFS": "DFS", "DAOS": "DAOS",
}  # fmt: skip
_NOT_SUMS = ("MAX_", "MEM_ALIGNMENT", "FILE_ALIGNMENT", "MODE", "STRIDE", "ACCESS", "FASTEST", "SLOWEST")
_TIMES = ("READ_TIME", "WRITE_TIME", "META_TIME")
_MOST_SIZES = 1 << 16
_MOST_FILES = 10


@dataclass
class Module:
    """Sums over the records of one module, by Darshan's counter names without the module's."""

    records: int = 0
    counters: dict[str, int] = field(default_factory=dict)
    bounds: set[str] = field(default_factory=set)
    """Counters that a record does not have: their sums are lower bounds."""
    seconds: dict[str, float] = field(default_factory=dict)
    """READ, WRITE, META: summed over processes."""
    sizes: dict[int, int] = field(default_factory=dict)
    """Access size in bytes -> requests. Darshan keeps a record's four most common, so a lower bound."""
    _slowest: dict[int, tuple[float, str]] = field(default_factory=dict)
    """Record id -> seconds of its slowest process, and its name; of the files that took longest."""

    def count(self, *names: str) -> int:
        """Sum of counters; what the module does not count is 0."""
        return sum(self.counters.get(name, 0) for name in names)

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
        if batch["module"] not in _PREFIX:
            return
        prefix = f"{_PREFIX[batch['module']]}_"
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
        for name in _TIMES:
            if name in seconds:
                module.seconds[name] = module.seconds.get(name, 0) + float(np.maximum(seconds[name], 0).sum())
        _add_sizes(module, column)
        ranks = np.frombuffer(batch["ranks"], "<i8")
        own = sum((np.maximum(seconds[name], 0) for name in _TIMES if name in seconds), np.zeros(rows))
        slowest = np.maximum(seconds.get("SLOWEST_RANK_TIME", np.zeros(rows)), 0)
        ids = np.frombuffer(batch["record_ids"], "<u8").tolist()
        # of a shared record the times are sums over its processes
        module.add_times(ids, np.where(ranks < 0, slowest, own), batch["names"])


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
