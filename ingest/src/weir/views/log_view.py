"""`weir log show` and `weir log records` as they are printed."""

import csv
import json
import sys
from collections.abc import Callable, Iterator
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from weir.darshan.log import Job
from weir.logs.log_facts import Block, Facts, Module, top_files
from weir.text import escape, printable, shortened

TOP_FILES = 10
_LONGEST_COMMAND = 200
_SHADES = " ░▒▓█"
_HEATMAP_COLUMNS = 72
_STATE_STYLES = {"complete": "green", "partial": "yellow", "damaged": "red"}


def show(facts: Facts) -> RenderableType:
    """One log for a person."""
    parts: list[RenderableType] = [_head(facts), _modules(facts)]
    reasons = [
        Text(f"{name}: {module.state.reason}", "red" if module.state.state == "damaged" else "dim")
        for name, module in facts.modules.items()
        if module.state.reason
    ]
    if facts.log.names.damage:
        reasons.append(Text(f"names: {facts.log.names.damage}", "red"))
    if facts.log.trailing:
        reasons.append(Text(f"not read: {facts.log.trailing.reason}", "red"))
    parts += reasons
    files = top_files(facts, TOP_FILES)
    if files:
        parts.append(_top_files(files, facts.log.job.nprocs))
    parts += [part for name, cells in facts.heatmaps.items() for part in _heatmap(name, cells, facts)]
    return Group(*parts, "")


def _run_time(job: Job) -> str:
    return "did not come to its end" if job.is_unfinished else f"for {job.run_time_seconds:,.3f} s"


def _head(facts: Facts) -> Table:
    job, start = facts.log.job, facts.start_time
    grid = Table.grid(padding=(0, 2))
    began = start.strftime("%Y-%m-%d %H:%M:%S UTC") if start else f"second {job.start_seconds} since 1970"
    rows = {
        "log": printable(str(facts.file)),
        "program": printable(facts.program),
        "command": shortened(printable(escape(facts.log.exe)), _LONGEST_COMMAND),
        "job": f"{job.job_id}   user id {job.uid}   processes {job.nprocs:,}",
        "time": f"{began}, " + _run_time(job),
        "format": f"{facts.log.version}{_written_by(facts)}   log id {facts.log_id}",
    }
    for name, value in rows.items():
        grid.add_row(Text(name, "dim"), Text(value, "bold" if name == "log" else ""))
    return grid


def _written_by(facts: Facts) -> str:
    version = facts.log.metadata.get(b"lib_ver")
    return f", written by Darshan {printable(escape(version))}" if version else ""


def _modules(facts: Facts) -> Table:
    table = Table("module", "state", box=None, padding=(0, 2, 0, 0), header_style="dim")
    for name in ("records", "read", "written", "slowest process", "performance"):
        table.add_column(name, justify="right")
    for name, module in facts.modules.items():
        state = module.state.state
        table.add_row(name, Text(state, _STATE_STYLES.get(state, "dim")), *_module(module))
    return table


def _module(module: Module) -> tuple[str, ...]:
    state = module.state
    if state.state == "listed":
        return f"{size(module.compressed_bytes)} in the log", "", "", "", ""
    records = f"{state.records_read:,}"
    if state.state == "damaged":
        records += f" of {state.records_expected or '?'}"
    moved = [size(each) if each is not None else "" for each in (module.bytes_read, module.bytes_written)]
    if not module.totals:
        return records, *moved, "", ""
    rate = module.totals.agg_perf_by_slowest
    performance = f"{rate:,.1f} MiB/s" if rate >= 0 else "unknown"
    return records, *moved, _seconds(module.totals.agg_time_by_slowest), performance


def _seconds(value: float) -> str:
    """A time below 0, as some logs have them, is none."""
    return f"{value:,.3f} s" if value >= 0 else "unknown"


def size(count: float) -> str:
    """Bytes with a binary unit."""
    units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
    while abs(count) >= 1024 and len(units) > 1:
        count /= 1024
        del units[0]
    return f"{count:,.0f} B" if units[0] == "B" else f"{count:,.1f} {units[0]}"


def _top_files(files: list[Any], nprocs: int) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for name in ("\nread", "\nwritten", "\nslowest process", "\nprocesses"):
        table.add_column(name, justify="right")
    table.add_column("\nfiles with the most bytes", overflow="fold")
    for module, file in files:
        table.add_row(
            size(file.bytes_read),
            size(file.bytes_written),
            _seconds(file.seconds),
            f"all {nprocs:,}" if file.processes is None else f"{file.processes:,}",
            Text(f"{module}  {printable(file.name)}"),
        )
    return table


def _heatmap(name: str, cells: NDArray[np.float64], facts: Facts) -> Iterator[Text]:
    """Processes down, time across; each character the bytes of some of both."""
    used = np.flatnonzero(cells.any(axis=0))
    if not len(used):
        return
    tall, bins = facts.ranks_a_row, int(used[-1]) + 1
    wide = -(-bins // _HEATMAP_COLUMNS)
    padded = np.pad(cells[:, :bins], ((0, 0), (0, -bins % wide)))
    blocks = padded.reshape(len(cells), -1, wide).sum(axis=2)
    most = blocks.max()
    column, row = f"{wide * facts.bin_width_seconds:,.3g} s", f"{tall:,} process{'es' if tall > 1 else ''}"
    scale = f"a column is {column}, a row {row}, {_SHADES[-1]} up to {size(most)}"
    yield Text(f"\n{printable(name)} bytes by process and time: {scale}", "dim")
    # whatever is not nothing is seen
    shades = np.ceil(blocks / most * (len(_SHADES) - 1)).astype(int)
    for number, line in enumerate(shades):
        yield Text(f"{number * tall:>8,} │{''.join(_SHADES[shade] for shade in line)}│")


# --- records ---------------------------------------------------------------------------------------------


def write_csv(blocks: Iterator[Block]) -> None:
    """A header and a line a row, to stdout; text without what a terminal would obey."""
    out = csv.writer(sys.stdout, lineterminator="\n")
    for number, block in enumerate(blocks):
        if number == 0:
            out.writerow(column.name for column in block.columns)
        values = (
            [each and printable(each) for each in column] if kind.kind == "string" else column
            for kind, column in zip(block.columns, block.values, strict=True)
        )
        out.writerows(zip(*values, strict=True))


def write_json_lines(blocks: Iterator[Block]) -> None:
    """An object a row, to stdout; what is no finite number is null."""
    for block in blocks:
        names = [column.name for column in block.columns]
        values = [
            [value if isfinite(value) else None for value in column] if kind.kind == "double" else column
            for kind, column in zip(block.columns, block.values, strict=True)
        ]
        for row in zip(*values, strict=True):
            sys.stdout.write(json.dumps(dict(zip(names, row, strict=True)), allow_nan=False) + "\n")


def write_avro(blocks: Iterator[Block]) -> None:
    """An Avro object container file, to stdout; unsigned ids as signed 64-bit numbers, as on Weir's wire."""
    import fastavro

    first = next(blocks, None)
    if first is None:
        return
    fields = [
        {"name": column.name, "type": ["null", column.kind] if column.nullable else column.kind}
        for column in first.columns
    ]
    schema = fastavro.parse_schema({"type": "record", "name": "Record", "fields": fields})

    def records() -> Iterator[dict[str, Any]]:
        for block in _chain(first, blocks):
            names = [column.name for column in block.columns]
            values = [
                np.array(column, np.uint64).astype(np.int64).tolist() if kind.unsigned else column
                for kind, column in zip(block.columns, block.values, strict=True)
            ]
            for row in zip(*values, strict=True):
                yield dict(zip(names, row, strict=True))

    fastavro.writer(sys.stdout.buffer, schema, records(), codec="deflate")


def _chain(first: Block, rest: Iterator[Block]) -> Iterator[Block]:
    yield first
    yield from rest


WRITERS: dict[str, Callable[[Iterator[Block]], None]] = {
    "csv": write_csv,
    "jsonl": write_json_lines,
    "avro": write_avro,
}


def console() -> Console:
    """That prints numbers and names as they are; a pipe gets lines of 132 characters."""
    width = None if sys.stdout.isatty() else 132
    return Console(highlight=False, markup=False, emoji=False, width=width)
