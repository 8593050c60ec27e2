"""Scheduler records of any known format: which one a file is, and `weir scheduler parse` as it is printed."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import tzinfo
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from weir import pbs, sacct, sacct_json
from weir.errors import Refused, UserError
from weir.formats import SchedulerFormat as Format
from weir.job_record import jobs_only
from weir.reading import FieldError, head, iso
from weir.text import printable

MOST_NODES = 1_000_000
_TIMES = ("submit_time", "start_time", "end_time")


@dataclass(frozen=True)
class How:
    """What the user tells of a file: its format, the zone of times without one, what it does not name."""

    zone: tzinfo
    form: Format | None = None
    cluster: str | None = None
    fields: list[str] | None = None


def format_of(file: Path) -> Format:
    """By the first 64 KiB; UserError where they are of no known format, OSError where they can't be read."""
    start = head(file)
    if start.lstrip().startswith(b"{") and b'"jobs"' in start:
        return Format.sacct_json
    if pbs.is_pbs(start):
        return Format.pbs
    if sacct.is_sacct(start):
        return Format.sacct
    raise UserError(
        f"{file}: no sacct -P with a header, sacct --json or PBS accounting: it begins with {start[:20]!r}. "
        f"Write it with {sacct.WRITE}"
    )


def jobs(file: Path, how: How) -> Iterator[dict[str, Any] | Refused]:
    """Jobs that can be identified as SchedulerJob records, and a Refused for each part that can't be one."""
    return jobs_only(records(file, how, strict=True))


def records(file: Path, how: How, strict: bool = False) -> Iterator[dict[str, Any] | Refused]:
    """Every record of a file as job_record has it, and a Refused for each part that is not understood.

    `strict`: what has no identity is a Refused too.
    """
    match how.form or (Format.sacct if how.fields else format_of(file)):
        case Format.sacct:
            return sacct.records(file, how.zone, how.cluster, how.fields, strict)
        case Format.sacct_json:
            return sacct_json.records(file, how.cluster, strict)
        case Format.pbs:
            return pbs.records(file, how.zone, how.cluster, strict)


def objects(file: Path, how: How) -> Iterator[dict[str, Any] | Refused]:
    """Every record as an object to print: times as UTC text, nodes as a list; a Refused stays one.

    A job whose node list can't be expanded has null there, and a Refused follows it.
    """
    for job in records(file, how):
        if isinstance(job, Refused):
            yield job
            continue
        told = {_NAMES.get(name, name): value for name, value in job.items() if name not in _INTERNAL}
        told |= {name: iso(job[name]) for name in _TIMES}
        wrong = None
        try:
            told["node_list"] = expanded(job["node_list"])
        except FieldError as error:
            told["node_list"] = None
            wrong = Refused(str(error), f"job {job['job_display_id']}", field=error.field)
        yield told
        if wrong:
            yield wrong


_NAMES = {"cpus": "cores"}
_INTERNAL = {"state_rank", "version"}


def expanded(text: str) -> list[str]:
    """The nodes of a list: `n[01-02,7]` are n01, n02 and n7. FieldError for what is none."""
    if not re.search(r"\[\d", text):
        return text.split(",") if text else []
    from ClusterShell.NodeSet import RESOLVER_NOGROUP, NodeSet, NodeSetException

    widths = (int(last) - int(first) for first, last in re.findall(r"(\d+)-(\d+)", text))
    try:
        nodes = NodeSet(text, resolver=RESOLVER_NOGROUP) if max(widths, default=0) < MOST_NODES else None
    except (NodeSetException, AssertionError) as error:  # the latter for a range above its own limit
        raise FieldError("NodeList", f"{text!r} is no list of nodes: {error}") from None
    if nodes is None or len(nodes) > MOST_NODES:
        raise FieldError("NodeList", f"{text!r} are more than {MOST_NODES:,} nodes")
    return list(nodes)


@dataclass
class Summary:
    """What a file holds, for a person; filled object by object."""

    file: Path
    jobs: Counter[str] = field(default_factory=Counter)
    steps: int = 0
    refused: int = 0
    clusters: set[str] = field(default_factory=set)
    users: set[str] = field(default_factory=set)
    first: str | None = None
    last: str | None = None

    def add(self, told: dict[str, Any] | Refused) -> None:
        """Count one object, or one thing that was not understood."""
        if isinstance(told, Refused):
            self.refused += 1
        elif told["step"] is not None:
            self.steps += 1
        else:
            self.jobs[told["state"]] += 1
            self.clusters |= {told["cluster"]} - {None}
            self.users |= {told["user"]} - {None}
            times = [told[name] for name in _TIMES if told[name]]
            self.first = min([*times, self.first or "9999"]) if times else self.first
            self.last = max([*times, self.last or ""]) if times else self.last

    def shown(self) -> RenderableType:
        """For a terminal."""
        grid = Table.grid(padding=(0, 2))
        states = ", ".join(f"{count:,} {state}" for state, count in self.jobs.most_common())
        rows = {
            "file": printable(str(self.file)),
            "clusters": printable(", ".join(sorted(self.clusters))) or "not told",
            "jobs": f"{self.jobs.total():,}" + (f": {states}" if states else ""),
            "steps": f"{self.steps:,}",
            "users": f"{len(self.users):,}",
            "time": f"{self.first} to {self.last}" if self.first else "not told",
            "not understood": f"{self.refused:,}",
        }
        for name, value in rows.items():
            grid.add_row(
                Text(name, "dim"), Text(value, "red" if name == "not understood" and self.refused else "")
            )
        return Group(grid, "")
