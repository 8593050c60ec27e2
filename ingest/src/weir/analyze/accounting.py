"""Reads scheduler records given beside logs; fewer fields than on the stream identify a job here.

On the stream a job needs cluster, raw id and submit time. Beside logs that a user chose, the id and times
find it, and its owner is compared by user id, else by user name.
"""

import pwd
from collections.abc import Iterable
from datetime import tzinfo
from pathlib import Path
from typing import Any

from weir.errors import Refused, UserError
from weir.identity import job_uid

UNNAMED_CLUSTER = "unnamed"
_WAITING = 1  # state_rank of a job that has not begun
_WIRE = (
    "cluster", "job_id", "job_uid", "job_display_id", "array_id", "array_index", "user", "uid", "account",
    "partition", "qos", "job_name", "state", "state_rank", "exit_code", "exit_signal", "submit_time",
    "start_time", "end_time", "nodes", "cpus", "node_list", "time_limit_seconds", "version",
)  # fmt: skip


def read(file: Path, zone: tzinfo, cluster: str | None) -> tuple[list[dict[str, Any]], list[str]]:
    """SchedulerJob records of a file, and what is wrong with it; `zone` is that of times without one."""
    from weir.formats import scheduler

    jobs, problems, unidentified = [], [], []
    try:
        for record in scheduler.records(file, scheduler.How(zone, cluster=cluster)):
            if isinstance(record, Refused):
                problems.append(f"{record.position}: {record.reason}")
            elif record["step"] is None:
                try:
                    jobs.append(_identified(record))
                except ValueError as error:
                    unidentified.append((record["job_display_id"], str(error)))
    except OSError as error:
        problems.append(str(error.strerror))
    except UserError as error:
        problems.append(str(error).removeprefix(f"{file}: "))
    return jobs, problems + each_once(unidentified)


def each_once(problems: Iterable[tuple[str, str]]) -> list[str]:
    """A line for each reason of (job, reason), which names the first job and how many more there are."""
    jobs: dict[str, list[str]] = {}
    for job, reason in problems:
        jobs.setdefault(reason, []).append(job)
    return [
        f"job {first}{f' and {len(more)} more' if more else ''}: {reason}"
        for reason, (first, *more) in jobs.items()
    ]


def _identified(record: dict[str, Any]) -> dict[str, Any]:
    """A SchedulerJob with the identity stated, else one of what is known; ValueError names a field."""
    job = {name: record[name] for name in _WIRE} | {"origin": "backfill"}
    if job["job_id"] is None:
        raise ValueError("the id that its processes see is unknown; add JobIDRaw to the fields of sacct")
    job["cluster"] = job["cluster"] or UNNAMED_CLUSTER
    if job["submit_time"] is None:
        job["submit_time"] = job["start_time"]
    if job["submit_time"] is None:
        raise ValueError("neither Submit nor Start is known; add them to the fields of sacct")
    if job["start_time"] is None and job["state_rank"] > _WAITING:
        # without Start no more is known than that it began after this
        job["start_time"] = job["submit_time"]
    if job["job_uid"] is None:
        seconds = job["submit_time"] // 1_000_000
        job["job_uid"] = job_uid(job["cluster"], job["job_id"], job["array_index"], seconds)
    return job


def completed(job: dict[str, Any], headers: list[dict[str, Any]]) -> dict[str, Any]:
    """The job with the user id of those logs of its id that are its user's by name, where it states none."""
    if job["uid"] is not None or job["user"] is None:
        return job
    owners = {header["uid"] for header in headers if _is_of(job["user"], header)}
    return job | {"uid": owners.pop()} if len(owners) == 1 else job


def without_owner(job: dict[str, Any], headers: list[dict[str, Any]]) -> str | None:
    """What is missing to compare a job's owner with that of its logs; None where nothing is."""
    if completed(job, headers)["uid"] is not None:
        return None
    from weir.formats import sacct

    way_out = f"write the file with {sacct.WRITE}"
    if job["user"] is None:
        return f"neither UID nor User is known; {way_out}"
    return (
        f"user {job['user']} may not be the log's (user id {headers[0]['uid']}), UID is not known; {way_out}"
    )


def _is_of(user: str, header: dict[str, Any]) -> bool:
    """Whether a log is the user's: by the start of its file name, or by the uid on this machine."""
    if header["file_name"].startswith(f"{user}_"):
        return True
    try:
        return pwd.getpwnam(user).pw_uid == header["uid"]
    except (KeyError, ValueError):
        return False
