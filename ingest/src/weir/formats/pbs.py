"""Accounting files of PBS Pro, OpenPBS and Torque: a line an event, `time;type;job id;attributes`.

A record states a job's state as of its event: Q, S, E and so on. What PBS calls them is said with Slurm's
words where these mean the same: PENDING, RUNNING, REQUEUED, CANCELLED (deleted), and at the end COMPLETED or
FAILED by the exit status. Times are Unix seconds but that of the event. Of users it has names only; the uid,
by which a log finds its job, is that of this machine.
"""

import pwd
import re
from collections.abc import Iterator
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

from weir.errors import Refused
from weir.formats.job_record import TERMINAL, duration, jobs_only, record
from weir.formats.reading import FieldError, local_seconds, numbered_lines, refused, unix_second
from weir.text import escape

_LINE = re.compile(r"(\d\d/\d\d/\d{4} \d\d:\d\d:\d\d)[^;]*;([A-Za-z]);([^;]*);(.*)", re.DOTALL)
_LINE_START = re.compile(rb"^\d\d/\d\d/\d{4} \d\d:\d\d:\d\d[^;\n]*;[A-Za-z];", re.MULTILINE)
# a value ends where the next name begins, or at its closing quote
_ATTRIBUTE = re.compile(
    r"""(?:^|\s)([A-Za-z_][\w.\-]*)=("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|.*?)(?=\s+[A-Za-z_][\w.\-]*=|\s*$)""",
    re.DOTALL,
)
_JOB_ID = re.compile(r"(\d+)(?:(\[(\d*)\])|-(\d+))?(?:\.(.+))?")
# (state, rank) by type of record; of E, and of A where it has one, the exit status says more
_STATES = {
    "Q": ("PENDING", 1), "R": ("REQUEUED", 1), "S": ("RUNNING", 2), "T": ("RUNNING", 2),
    "D": ("CANCELLED", TERMINAL), "A": ("FAILED", TERMINAL), "E": ("FAILED", TERMINAL),
}  # fmt: skip
# without these a record is cut
_NEEDED = {"Q": ("queue",), "S": ("ctime", "start"), "E": ("ctime", "start", "end", "Exit_status")}
# reservations, provisioning, checkpoints, moves, licences, and changes of a job or of its resources
_OF_NO_STATE = frozenset("BCFKLMPUYaceikprsuwxz")
_ABSENT = {"", "None", "N/A", "_pbs_project_default"}
_EARLIEST = 10**8  # 1973: what is less has lost digits
_KILLED = 256  # and the signal: exit status of a job that a signal ended


def read(file: Path, zone: tzinfo, cluster: str | None = None) -> Iterator[dict[str, Any] | Refused]:
    """Jobs that can be identified as SchedulerJob records, and a Refused for each line that can't be one."""
    return jobs_only(records(file, zone, cluster, strict=True))


def records(
    file: Path, zone: tzinfo, cluster: str | None = None, strict: bool = False
) -> Iterator[dict[str, Any] | Refused]:
    """Gives a record, as job_record has it, for each line that has a job's state; Refused for bad lines.

    `cluster` is the name for the server that the job ids name. Records of reservations, licences and the like
    are passed over.
    """
    with file.open("rb") as stream:
        for line in numbered_lines(stream):
            if isinstance(line, Refused):
                yield line
                continue
            number, raw = line
            try:
                job = of_line(raw, zone, cluster, strict) if raw else None
            except ValueError as error:
                yield refused(error, f"line {number}", raw)
            else:
                if job:
                    yield job


def is_pbs(start: bytes) -> bool:
    """Whether a file that begins so is for this reader."""
    return bool(_LINE_START.search(start))


def of_line(raw: bytes, zone: tzinfo, cluster: str | None, strict: bool) -> dict[str, Any] | None:
    """Reads the record of a line; None where it has no job state; ValueError where it is not understood."""
    line = _LINE.fullmatch(escape(raw))
    if not line:
        raise ValueError("not of the form MM/DD/YYYY HH:MM:SS;type;job id;attributes")
    event, kind, name, rest = line.groups()
    if kind in _OF_NO_STATE:
        return None
    if kind not in _STATES:
        raise FieldError("type", f"{kind!r} is no type of record of PBS")
    happened = _event_second(event, zone)
    job_id = _JOB_ID.fullmatch(name)
    if not job_id:
        raise FieldError("job id", f"{name!r} is not of the form 123.server or 123[4].server")
    number, array, index, torque_index, server = job_id.groups()
    index = index or torque_index
    fields = _attributes(rest)
    times = {field: _second(fields, field) for field in ("ctime", "qtime", "etime", "start", "end")}
    for field in _NEEDED.get(kind, ()):
        if field not in fields:
            raise FieldError(field, f"not in this record of type {kind}; is the line cut?")
    state = _state(kind, fields)
    hosts, slots = _hosts(fields.get("exec_host", ""))
    limit = fields.get("Resource_List.walltime", "")
    return record(
        strict,
        cluster=cluster or server,
        job_id=int(number),
        job_display_id=name.removesuffix(f".{server}"),
        array_id=int(number) if array or index else None,
        array_index=int(index) if index else None,
        user=_text(fields, "user"),
        uid=_uid(fields.get("user", "")),
        account=_text(fields, "account") or _text(fields, "project"),
        partition=_text(fields, "queue"),
        job_name=fields.get("jobname", ""),
        **state,
        submit_time=times["ctime"],
        start_time=times["start"],
        end_time=times["end"] or (happened if kind in "AD" else None),
        nodes=len(hosts) or _whole(fields, "Resource_List.nodect"),
        cpus=_vnode_cpus(fields) or slots or _whole(fields, "Resource_List.ncpus"),
        node_list=",".join(hosts),
        time_limit_seconds=int(limit) if limit.isdecimal() else duration(limit),
    )


def _uid(user: str) -> int | None:
    """Finds the user id that joins a log; PBS writes names only, so it is this machine's for the name."""
    try:
        return pwd.getpwnam(user).pw_uid
    except KeyError:
        return None


def _event_second(text: str, zone: tzinfo) -> int:
    try:
        time = datetime.strptime(text, "%m/%d/%Y %H:%M:%S")
    except ValueError:
        raise FieldError("time", f"{text!r} is no time such as 12/31/2026 23:59:59") from None
    return local_seconds("time", time, zone)[0]


def _attributes(text: str) -> dict[str, str]:
    """name=value by name. A value may hold spaces, in quotes or (in Torque) without."""
    fields = {}
    for name, value in _ATTRIBUTE.findall(text):
        quoted = len(value) > 1 and value[0] in "\"'" and value[-1] == value[0]
        fields[name] = value[1:-1] if quoted else value
    return fields


def _state(kind: str, fields: dict[str, str]) -> dict[str, Any]:
    state, rank = _STATES[kind]
    status = fields.get("Exit_status", "")
    if kind not in "AE" or not status:
        return {"state": state, "state_rank": rank}
    if not re.fullmatch(r"-?\d+", status):
        raise FieldError("Exit_status", f"{status!r} is no whole number")
    code = int(status)
    return {
        "state": "COMPLETED" if code == 0 else "FAILED",
        "state_rank": rank,
        "exit_code": code,
        "exit_signal": code - _KILLED if code > _KILLED else None,
    }


def _second(fields: dict[str, str], field: str) -> int | None:
    value = fields.get(field, "")
    if value in _ABSENT:
        return None
    if not value.isdecimal() or 0 < int(value) < _EARLIEST:
        raise FieldError(field, f"{value!r} is no Unix second")
    return unix_second(field, int(value)) or None


def _whole(fields: dict[str, str], field: str) -> int | None:
    value = fields.get(field, "")
    if value in _ABSENT:
        return None
    if not value.isdecimal():
        raise FieldError(field, f"{value!r} is no whole number")
    return int(value)


def _text(fields: dict[str, str], field: str) -> str | None:
    value = fields.get(field, "")
    return None if value in _ABSENT else value


def _hosts(text: str) -> tuple[list[str], int]:
    """Hosts in their order, and slots: of `n1/0*13+n2/0-3,7+n3/5` three and 19."""
    hosts: dict[str, None] = {}
    slots = 0
    for part in text.split("+") if text not in _ABSENT else []:
        host, _, where = part.partition("/")
        hosts[host] = None
        times = re.fullmatch(r"\d+\*(\d+)", where)
        slots += int(times[1]) if times else sum(_width(each) for each in where.split(",") if each)
    return list(hosts), slots


def _width(text: str) -> int:
    found = re.fullmatch(r"(\d+)(?:-(\d+))?", text)
    if not found:
        raise FieldError("exec_host", f"{text!r} is neither a slot nor a range of slots")
    return int(found[2] or found[1]) - int(found[1]) + 1


def _vnode_cpus(fields: dict[str, str]) -> int:
    """Counts the CPUs of PBS Pro, whose exec_host does not count threads or chunks without a slot."""
    return sum(map(int, re.findall(r"\bncpus=(\d+)", fields.get("exec_vnode", ""))))
