"""`sacct --parsable2` (or `-p`) output: one line a job, with a header line; steps are passed over.

Fields that are read: JobID, JobIDRaw, Cluster, State, Submit, Start, End, and where present User, UID,
Account, Partition, QOS, JobName, ExitCode, NNodes (or AllocNodes), NCPUS, NodeList, Timelimit. Times are
Unix seconds (SLURM_TIME_FORMAT=%s) or local times of the site's zone.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any

from weir.errors import Refused, UserError
from weir.identity import job_uid
from weir.text import escape

REQUIRED = ("JobID", "JobIDRaw", "Cluster", "State", "Submit", "Start", "End")
_ABSENT = {"", "None", "Unknown", "N/A", "None assigned"}
_RANKS = {"PENDING": 1, "REQUEUED": 1, "RUNNING": 2, "SUSPENDED": 2, "RESIZING": 2}
_TERMINAL = {
    "BOOT_FAIL", "CANCELLED", "COMPLETED", "DEADLINE", "FAILED", "NODE_FAIL", "OUT_OF_MEMORY",
    "PREEMPTED", "REVOKED", "TIMEOUT",
}  # fmt: skip
_DURATION = re.compile(r"(?:(\d+)-)?(\d+):(\d+):(\d+)(?:\.\d+)?$")


def read(file: Path, zone: tzinfo) -> Iterator[dict[str, Any] | Refused]:
    """SchedulerJob records without `origin`, and a Refused for each line that can't be one.

    UserError where the header lacks a field that a job can't be identified without.
    """
    with file.open("rb") as lines:
        header = next(lines, b"").decode(errors="replace").rstrip("\n").split("|")
        missing = [name for name in REQUIRED if name not in header]
        if missing:
            raise UserError(
                f"{file}: line 1: the header lacks {', '.join(missing)}. Write the file with "
                f"sacct --parsable2 --allocations --format={','.join(REQUIRED)},..."
            )
        for number, line in enumerate(lines, start=2):
            raw = line.rstrip(b"\n")
            try:
                job = _job(header, raw, zone)
            except ValueError as error:
                yield Refused(str(error), f"line {number}", raw)
            else:
                if job:
                    yield job


def _job(header: list[str], raw: bytes, zone: tzinfo) -> dict[str, Any] | None:
    values = escape(raw).split("|")
    if len(values) != len(header):
        raise ValueError(f"{len(values)} fields where the header has {len(header)}")
    row = dict(zip(header, values, strict=True))
    if "." in row["JobID"]:
        return None  # a step
    submit = _time(row, "Submit", zone)
    if submit is None:
        raise ValueError("Submit: a job without a submit time has no identity")
    start, end = _time(row, "Start", zone), _time(row, "End", zone)
    job_id, array = _integer(row, "JobIDRaw"), re.fullmatch(r"(\d+)_(\d+)", row["JobID"])
    if job_id is None or not row["Cluster"]:
        raise ValueError("JobIDRaw and Cluster: a job needs both")
    index = int(array[2]) if array else None
    code, signal = _exit(row.get("ExitCode", ""))
    return {
        "cluster": row["Cluster"],
        "job_id": job_id,
        "job_uid": job_uid(row["Cluster"], job_id, index, submit),
        "job_display_id": row["JobID"],
        "array_id": int(array[1]) if array else None,
        "array_index": index,
        "user": _text(row, "User"),
        "uid": _integer(row, "UID"),
        "account": _text(row, "Account"),
        "partition": _text(row, "Partition"),
        "qos": _text(row, "QOS"),
        "job_name": row.get("JobName", ""),
        **_state(row["State"]),
        "exit_code": code,
        "exit_signal": signal,
        "submit_time": submit * 1_000_000,
        "start_time": None if start is None else start * 1_000_000,
        "end_time": None if end is None else end * 1_000_000,
        "nodes": _integer(row, "NNodes" if "NNodes" in row else "AllocNodes"),
        "cpus": _integer(row, "NCPUS"),
        "node_list": _text(row, "NodeList") or "",
        "time_limit_seconds": _duration(row.get("Timelimit", "")),
        "version": max(t for t in (submit, start, end) if t is not None),
    }


def _state(value: str) -> dict[str, Any]:
    words = value.split()
    state = words[0].rstrip("+") if words else ""
    if state not in _RANKS and state not in _TERMINAL:
        raise ValueError(f"State: {value!r} is no state of Slurm")
    return {"state": state, "state_rank": _RANKS.get(state, 3)}


def _text(row: dict[str, str], name: str) -> str | None:
    value = row.get(name, "")
    return None if value in _ABSENT else value


def _integer(row: dict[str, str], name: str) -> int | None:
    value = row.get(name, "")
    if value in _ABSENT:
        return None
    if not value.isascii() or not value.isdigit():
        raise ValueError(f"{name}: {value!r} is no whole number")
    return int(value)


def _time(row: dict[str, str], name: str, zone: tzinfo) -> int | None:
    """Unix second of a time field."""
    value = row[name]
    if value in _ABSENT:
        return None
    if value.isascii() and value.isdigit():
        return int(value)
    try:
        # the hour that comes twice in autumn is read as its first pass: sacct does not say which
        return int(datetime.fromisoformat(value).replace(tzinfo=zone).astimezone(UTC).timestamp())
    except ValueError:
        raise ValueError(
            f"{name}: {value!r} is neither Unix seconds nor a time such as 2026-11-21T07:59:10"
        ) from None


def _exit(value: str) -> tuple[int | None, int | None]:
    found = re.fullmatch(r"(\d+):(\d+)", value)
    if not found and value:
        raise ValueError(f"ExitCode: {value!r} is not of the form 0:0")
    return (int(found[1]), int(found[2])) if found else (None, None)


def _duration(value: str) -> int | None:
    """Seconds of [days-]hours:minutes:seconds; None for UNLIMITED, Partition_Limit or nothing."""
    found = _DURATION.match(value)
    if not found:
        return None
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds
