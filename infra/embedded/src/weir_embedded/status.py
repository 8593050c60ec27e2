"""`weir-stack status`: every part, up or not, since when, its memory, version and how far it lags behind."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import psutil
from rich.markup import escape
from rich.table import Table
from weir_keeper import FlinkRest, JobState, Unavailable, checkpoints, declared_jobs, newest_complete
from weir_keeper.checkpoints import age_seconds
from weir_keeper.keeper import looping

from weir_embedded import pipeline, supervisor
from weir_embedded.parts import all_parts
from weir_embedded.parts.part import NotReady, Part
from weir_embedded.settings import Stack


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    part: str
    state: str
    since: str = ""
    memory_mb: int = 0
    version: str = ""
    lag: str = ""


def rows(stack: Stack) -> list[Row]:
    """All parts, then all jobs."""
    seen = supervisor.processes(stack)
    parts = list(all_parts(stack).values())
    with ThreadPoolExecutor(max_workers=len(parts)) as pool:
        found = list(pool.map(lambda part: _part_row(stack, part, seen.get(part.name, {})), parts))
    return found + list(_job_rows(stack))


def table(found: list[Row]) -> Table:
    """The rows as a table."""
    shown = Table(title="Weir, embedded stack")
    shown.add_column("part", no_wrap=True)
    shown.add_column("state")
    shown.add_column("up since", no_wrap=True)
    shown.add_column("memory MB", justify="right")
    shown.add_column("version", no_wrap=True)
    shown.add_column("lag")
    for row in found:
        color = "green" if row.state in ("healthy", "RUNNING") else "red"
        memory = f"{row.memory_mb:,}" if row.memory_mb else ""
        shown.add_row(row.part, f"[{color}]{escape(row.state)}[/]", row.since, memory, row.version, row.lag)
    shown.add_section()
    shown.add_row("all", "", "", f"{sum(row.memory_mb for row in found):,}", "", "")
    return shown


def _part_row(stack: Stack, part: Part, info: dict[str, object]) -> Row:
    loop = looping(stack, part.name)
    if info.get("statename") != "RUNNING":
        state = str(loop or str(info.get("statename", "down")).lower())
        return Row(part.title, state, version=part.version())
    try:
        part.check()
        state = str(loop or "healthy")
    except NotReady as problem:
        state = f"not healthy: {problem}"
    started = time.strftime("%m-%d %H:%M:%S", time.localtime(int(str(info["start"]))))
    return Row(part.title, state, started, memory_mb(int(str(info["pid"]))), part.version())


def memory_mb(pid: int) -> int:
    """Resident memory of a process and its children; pages they share are counted once (PSS)."""
    try:
        process = psutil.Process(pid)
        family = [process, *process.children(recursive=True)]
        return sum(member.memory_full_info().pss for member in family) // 2**20
    except psutil.Error:
        return 0


def _job_rows(stack: Stack) -> Iterator[Row]:
    rest = FlinkRest(stack)
    read = pipeline.look(stack) if stack.weir_config.exists() else pipeline.Pipeline()
    for job in declared_jobs(stack):
        state = JobState.load(stack, job.name)
        try:
            seen = state.problem or (rest.state(state.job_id) if state.job_id else None) or "not submitted"
        except Unavailable:
            seen = "unknown"
        seen = str(looping(stack, job.name) or seen)
        lag = _lag(stack, state, read, runs=seen == "RUNNING")
        yield Row(f"  job {job.name}", seen, version=state.jar_hash[:8], lag=lag)


def _lag(stack: Stack, state: JobState, read: pipeline.Pipeline, runs: bool) -> str:
    said = []
    checkpoint = newest_complete([checkpoints(stack) / state.job_id]) if state.job_id else None
    if checkpoint:
        said.append(f"checkpoint {age_seconds(checkpoint, time.time()):.0f} s ago")
    messages = read.lag(f"weir-{state.name}")
    if messages is not None and (runs or messages):  # none are behind only where something reads
        said.append(f"{messages:,} messages behind")
    if paused := read.paused[state.name]:
        said.append(f"{paused} partitions paused at an unknown schema, see dead_letters")
    return ", ".join(said)
