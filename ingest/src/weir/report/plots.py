"""Plots as numbers in the unit of their drawing: templates only write them down as SVG."""

from dataclasses import dataclass
from itertools import pairwise
from math import ceil

import numpy as np
from numpy.typing import NDArray

from weir.analyze.offline import Heatmap, Run
from weir.logs.dxt import READ, WAYS, Trace
from weir.logs.operations import Module
from weir.report.words import count, decimal, duration, number_of, rate, size
from weir.text import common_start, printable, shortened

LEVELS = 8
_MOST_COLUMNS = 120
SIZE_BINS = (
    "up to 100 B", "100 B to 1 KiB", "1 to 10 KiB", "10 to 100 KiB", "100 KiB to 1 MiB", "1 to 4 MiB",
    "4 to 10 MiB", "10 to 100 MiB", "100 MiB to 1 GiB", "above 1 GiB",
)  # fmt: skip
_SIZED = ("POSIX", "MPI-IO")
_MOST_FILES = 10
_LONGEST_NAME = 120
_NOTABLE_SHARE = 0.01


@dataclass(frozen=True)
class Grid:
    """Processes down, time across; `levels` holds an SVG path in cells for each shade, palest first."""

    title: str
    description: str
    rows: int
    columns: int
    levels: list[str]
    row_labels: tuple[str, str]
    column_labels: tuple[str, str]


@dataclass(frozen=True)
class Bar:
    """A row of a bar chart: `parts` are (series, length 0 to 1, its number in words)."""

    label: str
    parts: list[tuple[str, float, str]]


@dataclass(frozen=True)
class Bars:
    """Horizontal bars, which are their own table."""

    title: str
    description: str
    bars: list[Bar]


@dataclass(frozen=True)
class Timeline:
    """Bytes over time: an SVG path for each series, in columns by a height of 1."""

    title: str
    description: str
    columns: int
    series: list[tuple[str, str]]
    top: str
    column_labels: tuple[str, str]


@dataclass(frozen=True)
class Lanes:
    """A lane for each row of processes, time across: an SVG path a series, in columns by LEVELS a lane."""

    title: str
    description: str
    rows: int
    columns: int
    series: list[tuple[str, str]]
    row_labels: tuple[str, str]
    column_labels: tuple[str, str]


Plot = Grid | Bars | Timeline | Lanes


def plots(run: Run) -> list[Plot]:
    """Those that the log has numbers for."""
    cells = run.heatmap.cells if run.heatmap.nprocs > 1 else {}
    notable = _NOTABLE_SHARE * sum(each.sum() for each in cells.values())
    found: list[Plot | None] = [
        timeline(run),
        *(
            grid(run.heatmap, name, each, run.facts["run_time_seconds"] or 0)
            for name, each in sorted(cells.items())
            if each.sum() >= notable
        ),
        *(lanes(name, trace) for name, trace in run.traces.items()),
        *(request_sizes(name, run.operations.modules.get(name)) for name in _SIZED),
        files(run),
    ]
    return [plot for plot in found if plot]


def grid(heatmap: Heatmap, module: str, cells: NDArray[np.float64], seconds: float) -> Grid | None:
    """Who moved bytes when, over the whole run."""
    used = np.flatnonzero(cells.sum(axis=0))
    if not len(used):
        return None
    bins = max(int(used[-1]) + 1, ceil(seconds / heatmap.bin_seconds))
    wide = -(-bins // _MOST_COLUMNS)
    shown = cells[:, :bins]
    padded = np.pad(shown, ((0, 0), (0, -(-bins // wide) * wide - shown.shape[1])))
    blocks = padded.reshape(len(cells), -1, wide).sum(axis=2)
    most = blocks.max()
    shades = np.ceil(blocks / most * LEVELS).astype(int)
    column, a_row = wide * heatmap.bin_seconds, heatmap.processes_a_row
    of = f"{a_row} processes" if a_row > 1 else "a process"
    return Grid(
        title=f"{printable(module)}: bytes by process and time",
        description=(
            f"A column is {duration(column)}, a row {of}; the darkest cell is up to {size(most)}. "
            f"{_busiest_row(cells, heatmap)}."
        ),
        rows=shades.shape[0],
        columns=shades.shape[1],
        levels=[_cells(shades == level) for level in range(1, LEVELS + 1)],
        row_labels=("process 0", count(heatmap.nprocs - 1)),
        column_labels=("0 s", duration(shades.shape[1] * column)),
    )


def _busiest_row(cells: NDArray[np.float64], heatmap: Heatmap) -> str:
    """Who moved most."""
    by_row = cells.sum(axis=1)
    first = int(by_row.argmax()) * heatmap.processes_a_row
    last = min(first + heatmap.processes_a_row, heatmap.nprocs) - 1
    who = f"Processes {count(first)} to {count(last)}" if last > first else f"Process {count(first)}"
    return f"{who} moved most, {size(by_row.max())} of {size(by_row.sum())}"


def _cells(where: NDArray[np.bool_]) -> str:
    """Runs of cells of a row as rectangles of one path."""
    parts = []
    for row, line in enumerate(where):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], line.astype(np.int8), [0]])))
        parts += [f"M{start} {row}h{stop - start}v1h{start - stop}z" for start, stop in edges.reshape(-1, 2)]
    return "".join(parts)


def lanes(module: str, trace: Trace) -> Lanes | None:
    """Who was in requests when: the height of a color is the share of time, of reads from the lane's top."""
    cells = trace.cells()
    # of several threads of a process the times overlap
    shares = cells.seconds / (cells.width * cells.processes[:, None])
    shares /= np.maximum(shares.sum(axis=0), 1)
    if not shares.any():
        return None
    heights = np.ceil(shares * LEVELS).astype(int)
    rows, columns = heights.shape[1:]
    a_row = f"{trace.processes_a_row} processes" if trace.processes_a_row > 1 else "a process"
    return Lanes(
        title=f"{module}: requests by process and time",
        description=(
            f"A column is {duration(cells.width)}, a lane {a_row}; full height is all the time in requests, "
            f"reads from the top, writes from the bottom; {busiest(trace)}."
        ),
        rows=rows,
        columns=columns,
        series=[
            (name, _heights(heights[way], from_top=way == READ))
            for way, name in enumerate(WAYS)
            if heights[way].any()
        ],
        row_labels=("process 0", count(trace.nprocs - 1)),
        column_labels=("0 s", duration(columns * cells.width)),
    )


def busiest(trace: Trace) -> str:
    """The column in which most processes were in requests, in words."""
    cells = trace.cells()
    begin, busy = cells.busiest
    of = number_of(trace.nprocs, "process")
    return f"busiest from {duration(begin)} on, with {decimal(busy)} of {of} in requests on average"


def _heights(heights: NDArray[np.int64], from_top: bool) -> str:
    """Runs of columns of equal height as rectangles of one path; a lane has LEVELS units."""
    parts = []
    for row, line in enumerate(heights):
        edges = np.flatnonzero(np.diff(np.concatenate([[-1], line, [-1]])))
        for start, stop in pairwise(edges.tolist()):
            if height := int(line[start]):
                top = row * LEVELS + (0 if from_top else LEVELS - height)
                parts.append(f"M{start} {top}h{stop - start}v{height}h{start - stop}z")
    return "".join(parts)


def timeline(run: Run) -> Timeline | None:
    """Rate of the whole run over time, from the seconds in which it moved bytes."""
    slots = run.facts["busy"]["slots"]
    if not slots:
        return None
    end = max(run.facts["run_time_seconds"] or 0, slots[-1]["to_seconds"])
    edges = np.linspace(0, end, _MOST_COLUMNS + 1)
    moved = {
        name: _spread(slots, f"bytes_{name}", edges) / (edges[1] - edges[0]) for name in ("read", "written")
    }
    most = max(values.max() for values in moved.values())
    if most <= 0:
        return None
    how = "from the heatmap" if run.heatmap.cells else "spread evenly over each file's use"
    return Timeline(
        title="Bytes a second over the run",
        description=f"The tallest column is {rate(most / 2**20)}; {how}.",
        columns=_MOST_COLUMNS,
        series=[(name, _columns(values / most)) for name, values in moved.items() if values.any()],
        top=rate(most / 2**20),
        column_labels=("0 s", duration(end)),
    )


def _spread(slots: list[dict[str, float]], name: str, edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """Bytes by column: a slot that touches several is divided by time."""
    begin = np.array([slot["from_seconds"] for slot in slots])
    stop = np.maximum(np.array([slot["to_seconds"] for slot in slots]), begin + 1e-9)
    total = np.array([slot[name] for slot in slots])
    # bytes up to a time, at each edge
    passed = np.clip((edges[:, None] - begin) / (stop - begin), 0, 1) @ total
    return np.maximum(0, np.diff(passed))


def _columns(heights: NDArray[np.float64]) -> str:
    return "".join(
        f"M{place} 1h1v-{height:.4g}h-1z" for place, height in enumerate(heights.tolist()) if height > 0
    )


def request_sizes(name: str, module: Module | None) -> Bars | None:
    """How many requests of each size a module saw."""
    counts = {way: module.histogram(way.upper()) for way in WAYS} if module else {}
    most = max(map(max, counts.values()), default=0)
    if not most:
        return None
    counts = {way: each for way, each in counts.items() if any(each)}
    used = [place for place in range(len(SIZE_BINS)) if any(each[place] for each in counts.values())]
    bars = [
        Bar(SIZE_BINS[at], [(way, each[at] / most, number_of(each[at], way)) for way, each in counts.items()])
        for at in range(used[0], used[-1] + 1)
    ]
    return Bars(f"{name}: requests by size", "All files of the log.", bars)


def files(run: Run) -> Bars | None:
    """The files with the most bytes."""
    named = [file for file in run.facts["files"] if file["bytes_read"] or file["bytes_written"]][:_MOST_FILES]
    if not named:
        return None
    most = max(max(file["bytes_read"] or 0, file["bytes_written"] or 0) for file in named)
    names = [file["name"] or f"record {file['record_id']}" for file in named]
    folder = common_start([name.rpartition("/")[0] + "/" for name in names]).rpartition("/")[0]
    bars = [
        Bar(
            shortened(printable(name.removeprefix(f"{folder}/") if folder else name), _LONGEST_NAME),
            [(way, file[f"bytes_{name}"] / most, f"{size(file[f'bytes_{name}'])} {name}")
             for way, name in (("read", "read"), ("write", "written")) if file[f"bytes_{name}"]],
        )
        for file, name in zip(named, names, strict=True)
    ]  # fmt: skip
    where = f" In {shortened(printable(folder), _LONGEST_NAME)}." if folder else ""
    return Bars("Files with the most bytes", f"POSIX and stdio, on judged file systems.{where}", bars)
