"""Scheduler records of any known format: which one a file is."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path
from typing import Any

from weir.errors import Refused, UserError
from weir.formats import SchedulerFormat as Format
from weir.formats import pbs, sacct, sacct_json
from weir.formats.job_record import jobs_only
from weir.formats.reading import FieldError, head, iso

MOST_NODES = 1_000_000
TIMES = ("submit_time", "start_time", "end_time")


@dataclass(frozen=True)
class How:
    """What the user states of a file: its format, the zone of times without one, what it does not name."""

    zone: tzinfo
    form: Format | None = None
    cluster: str | None = None
    fields: list[str] | None = None


@dataclass(frozen=True)
class Reader:
    """How files of one format are recognized by their first 64 KiB, and read: file, how, whether strictly."""

    begins: Callable[[bytes], bool]
    records: Callable[[Path, How, bool], Iterator[dict[str, Any] | Refused]]


READERS = {
    Format.sacct_json: Reader(
        sacct_json.is_sacct_json,
        lambda file, how, strict: sacct_json.records(file, how.cluster, strict),
    ),
    Format.pbs: Reader(
        pbs.is_pbs,
        lambda file, how, strict: pbs.records(file, how.zone, how.cluster, strict),
    ),
    Format.sacct: Reader(
        sacct.is_sacct,
        lambda file, how, strict: sacct.records(file, how.zone, how.cluster, how.fields, strict),
    ),
}
"""The formats that are known, in the order in which they are tried."""


def format_of(file: Path) -> Format:
    """Detects the format by the first 64 KiB; UserError where unknown, OSError where they can't be read."""
    start = head(file)
    for form, reader in READERS.items():
        if reader.begins(start):
            return form
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
    form = how.form or (Format.sacct if how.fields else format_of(file))
    return READERS[form].records(file, how, strict)


def objects(file: Path, how: How) -> Iterator[dict[str, Any] | Refused]:
    """Every record as an object to print: times as UTC text, nodes as a list; a Refused stays one.

    A job whose node list can't be expanded has null there, and a Refused follows it.
    """
    for job in records(file, how):
        if isinstance(job, Refused):
            yield job
            continue
        fields = {_NAMES.get(name, name): value for name, value in job.items() if name not in _INTERNAL}
        fields |= {name: iso(job[name]) for name in TIMES}
        wrong = None
        try:
            fields["node_list"] = expanded(job["node_list"])
        except FieldError as error:
            fields["node_list"] = None
            wrong = Refused(str(error), f"job {job['job_display_id']}", field=error.field)
        yield fields
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
