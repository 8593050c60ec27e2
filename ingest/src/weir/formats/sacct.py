"""Text of `sacct --parsable2` or `-p`: a line a job or step, fields in any order, any delimiter.

Fields that are read: JobID, JobIDRaw, Cluster, State, Submit, Start, End, and where present User, UID,
Account, Partition, QOS, JobName, ExitCode, NNodes (or AllocNodes), NCPUS (or AllocCPUS), NodeList, Timelimit,
Elapsed. Times are Unix seconds (SLURM_TIME_FORMAT=%s) or local times, whose zone has to be known.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

from weir.errors import Refused, UserError
from weir.formats.job_record import (
    ABSENT,
    JobId,
    duration,
    jobs_only,
    most_likely,
    record,
    slurm_state,
    whole,
)
from weir.formats.reading import FieldError, head, local_seconds, numbered_lines, refused, unix_second
from weir.text import escape

REQUIRED = ("JobID", "JobIDRaw", "Cluster", "State", "Submit", "Start", "End")
# what to type for all that a join and a cost need; a complaint shows no more than 200 characters
WRITE = f"sacct -P -o {','.join(REQUIRED)},User,UID,NNodes,Partition"
# orders in which well-known tools have sacct write without a header: hb-jobinfo, XDMoD
_ORDERS = (
    "JobID JobName User Partition NodeList NNodes NCPUS NTasks State Submit Start End Timelimit Elapsed"
    + " -" * 24,
    "JobID JobIDRaw Cluster Partition QOS Account Group GID User UID Submit Eligible Start End Elapsed "
    "ExitCode State NNodes NCPUS ReqCPUS ReqMem ReqTRES AllocTRES Timelimit NodeList JobName",
)
_FIRST_FIELD = re.compile(r"\d+(?:_\d+|_\[[^\]]*\]|\+\d+)?(?:\.[\w+]+)?([^\w.+\[])")
_TIME = re.compile(r"\d{9,}|\d{4}-\d\d-\d\dT[\d:]+")


@dataclass(frozen=True)
class Layout:
    """What a line is made of; `header` is the line that says so, or None."""

    names: list[str]
    delimiter: str
    closed: bool = False  # every line ends with the delimiter
    header: str | None = None

    def row(self, text: str) -> dict[str, str]:
        """The fields of a line by name; ValueError where their number is another."""
        if self.closed:
            if not text.endswith(self.delimiter):
                raise ValueError(f"does not end with {self.delimiter!r} as the header does: cut")
            text = text.removesuffix(self.delimiter)
        # a name at the end may hold the delimiter
        most = len(self.names) - 1 if self.names[-1] == "JobName" else -1
        values = text.split(self.delimiter, most)
        if len(values) != len(self.names):
            wanted = "the header has" if self.header else "there should be"
            raise ValueError(f"{len(values)} fields where {wanted} {len(self.names)}")
        return dict(zip(self.names, values, strict=True))


def read(file: Path, zone: tzinfo) -> Iterator[dict[str, Any] | Refused]:
    """Jobs that can be identified as SchedulerJob records, and a Refused for each line that can't be one.

    UserError where the header lacks a field that a job can't be identified without.
    """
    return jobs_only(records(file, zone, strict=True))


def records(
    file: Path,
    zone: tzinfo,
    cluster: str | None = None,
    fields: list[str] | None = None,
    strict: bool = False,
) -> Iterator[dict[str, Any] | Refused]:
    """Every job and step as job_record has it, and a Refused for each line that is neither.

    `cluster` is that of lines that name none, `fields` their names where there is no header. UserError where
    neither a header nor a known order shows what the fields are.
    """
    layout = _layout(file, fields)
    needed = REQUIRED if strict else ("JobID",)
    missing = [name for name in needed if not layout or name not in layout.names]
    if layout is None or missing:
        raise UserError(f"{file}: line 1: the header lacks {', '.join(missing)}. Write the file with {WRITE}")
    with file.open("rb") as stream:
        for line in numbered_lines(stream):
            if isinstance(line, Refused):
                yield line
                continue
            number, raw = line
            text = escape(raw)
            if not text or text == layout.header:
                continue
            try:
                yield _record(layout.row(text), zone, cluster, strict)
            except ValueError as error:
                yield refused(error, f"line {number}", raw)


def is_sacct(start: bytes) -> bool:
    """Whether a file that begins so is for this reader."""
    return _found(escape(start).split("\n"), None) is not None


def _layout(file: Path, fields: list[str] | None) -> Layout | None:
    return _found(escape(head(file)).split("\n"), fields)


def _found(lines: list[str], fields: list[str] | None) -> Layout | None:
    """Finds the layout by the header, or the first line of a known order; what is above it is refused."""
    lines = [line.rstrip("\r") for line in lines[:100]]
    for line in lines:
        header = re.match(r"\w+(\W+)\w", line)
        if header and (header[1] == "\t" or not header[1].isspace()):
            names = line.split(header[1])
            if "JobID" in names:
                closed = names[-1] == ""
                return Layout(names[:-1] if closed else names, header[1], closed, line)
    orders = [fields] if fields else [order.split() for order in _ORDERS]
    for line in lines:
        first = _FIRST_FIELD.match(line)
        for names in orders if first else []:
            layout = Layout(names, first[1]) if first else None
            if layout and (fields or _fits(layout, line)):
                return layout
    return None


def _fits(layout: Layout, line: str) -> bool:
    try:
        return bool(_TIME.fullmatch(layout.row(line)["Submit"]))
    except ValueError:
        return False


def _record(row: dict[str, str], zone: tzinfo, cluster: str | None, strict: bool) -> dict[str, Any]:
    job_id = JobId.of("JobID", row["JobID"])
    raw = whole("JobIDRaw", row.get("JobIDRaw", "").partition(".")[0])
    code, signal = _exit(row.get("ExitCode", ""))
    end = _times(row, "End", zone)
    state = {"state": "UNKNOWN", "state_rank": 0}
    if "State" in row:
        state = slurm_state("State", row["State"], bool(end))
    limit = row.get("Timelimit", "")
    # sacct takes the time that a job was suspended off its elapsed time; then the order has to do
    submit_time, start_time, end_time = most_likely(
        _times(row, "Submit", zone), _times(row, "Start", zone), end, duration(row.get("Elapsed", ""))
    )
    return record(
        strict,
        cluster=_text(row, "Cluster") or cluster,
        job_id=job_id.plain if raw is None and not strict else raw,
        job_display_id=job_id.display,
        array_id=job_id.first if job_id.is_array else None,
        array_index=job_id.index,
        het_id=None if job_id.offset is None else job_id.first,
        het_offset=job_id.offset,
        step=job_id.step,
        user=_text(row, "User"),
        uid=whole("UID", row.get("UID", "")),
        account=_text(row, "Account"),
        partition=_text(row, "Partition"),
        qos=_text(row, "QOS"),
        job_name=row.get("JobName", ""),
        **state,
        exit_code=code,
        exit_signal=signal,
        submit_time=submit_time,
        start_time=start_time,
        end_time=end_time,
        nodes=_first_number(row, "NNodes", "AllocNodes"),
        cpus=_first_number(row, "NCPUS", "AllocCPUS"),
        node_list=_text(row, "NodeList") or "",
        time_limit_seconds=duration(limit),
    )


def _text(row: dict[str, str], name: str) -> str | None:
    value = row.get(name, "")
    return None if value in ABSENT else value


def _first_number(row: dict[str, str], *names: str) -> int | None:
    return next((whole(name, row[name]) for name in names if name in row), None)


def _times(row: dict[str, str], name: str, zone: tzinfo) -> list[int]:
    """Unix seconds that a field may mean; none where it is absent."""
    value = row.get(name, "")
    if value in ABSENT or (value == "0" and name != "Submit"):
        return []
    if value.isascii() and value.isdigit():
        return [unix_second(name, int(value))]
    try:
        time = datetime.fromisoformat(value)
    except ValueError:
        raise FieldError(
            name, f"{value!r} is neither Unix seconds nor a time such as 2026-11-21T07:59:10"
        ) from None
    return local_seconds(name, time, zone)


def _exit(value: str) -> tuple[int | None, int | None]:
    found = re.fullmatch(r"(\d+):(\d+)", value)
    if not found and value:
        raise FieldError("ExitCode", f"{value!r} is not of the form 0:0")
    return (int(found[1]), int(found[2])) if found else (None, None)
