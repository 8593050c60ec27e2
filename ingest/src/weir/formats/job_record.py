"""The record that every reader of scheduler records gives: SchedulerJob of the wire and a little more.

It has no `origin`, and `step` (None for the job itself), `het_id`, `het_offset` and `cancelled_by` beside the
wire's fields. Identity is only there where the source states cluster, job id and submit time.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

from weir.errors import Refused
from weir.formats.reading import FieldError
from weir.identity import job_uid

JOIN_PADDING_SECONDS = 600
"""A log whose run began this much before or after its job still belongs to it: schemas/vectors/join.json."""

ABSENT = {"", "None", "Unknown", "N/A", "None assigned", "(null)"}
TERMINAL = 3
_RANKS = {
    **dict.fromkeys(("PENDING", "REQUEUE_FED", "REQUEUE_HOLD", "RESV_DEL_HOLD", "SPECIAL_EXIT"), 1),
    **dict.fromkeys(("COMPLETING", "CONFIGURING", "RESIZING", "RUNNING"), 2),
    **dict.fromkeys(("SIGNALING", "STAGE_OUT", "STOPPED", "SUSPENDED"), 2),
    **dict.fromkeys(("BOOT_FAIL", "CANCELLED", "COMPLETED", "DEADLINE", "FAILED"), TERMINAL),
    **dict.fromkeys(("LAUNCH_FAILED", "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED"), TERMINAL),
    **dict.fromkeys(("RECONFIG_FAIL", "REQUEUED", "REVOKED", "TIMEOUT"), TERMINAL),
}
_DURATION = re.compile(r"(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+)(?:\.\d+)?")
_JOB_ID = re.compile(
    r"(?P<id>\d+)(?:_(?:(?P<index>\d+)|\[[^\]]*\]?(?:\.\.\.)?)|\+(?P<offset>\d+))?(?:\.(?P<step>\S+))?"
)


@dataclass(frozen=True)
class JobId:
    """Slurm's display id: `101_3` a task, `101_[4-9]` waiting ones, `200+1` a het component, `8.0` a step."""

    display: str
    first: int
    is_array: bool
    index: int | None
    offset: int | None
    step: str | None

    @classmethod
    def of(cls, field: str, text: str) -> "JobId":
        found = _JOB_ID.fullmatch(text)
        if not found:
            raise FieldError(field, f"{text!r} is no job id of Slurm")
        index, offset = (None if found[name] is None else int(found[name]) for name in ("index", "offset"))
        display = text.partition(".")[0]
        return cls(display, int(found["id"]), "_" in display, index, offset, found["step"])

    @property
    def plain(self) -> int | None:
        """The id that the job sees, where the display id states it."""
        return None if self.is_array or self.offset else self.first


def record(strict: bool, **fields: Any) -> dict[str, Any]:
    """Makes a record of what is known (times in Unix seconds), with identity and version; the rest is null.

    `strict` refuses a job that can't be identified (FieldError). What a running or waiting job shows as its
    end is the end of the window that was asked for.
    """
    job: dict[str, Any] = dict.fromkeys(_FIELDS) | {"job_name": "", "node_list": ""} | fields
    if job["state_rank"] < TERMINAL:
        job["end_time"] = None
    times = [job[name] for name in ("submit_time", "start_time", "end_time")]
    if job["step"] is None:
        job["job_uid"] = _identity(job, strict)
    job["version"] = max((time for time in times if time is not None), default=0)
    for name, time in zip(("submit_time", "start_time", "end_time"), times, strict=True):
        job[name] = None if time is None else time * 1_000_000
    return job


_FIELDS = (
    "cluster", "job_id", "job_uid", "job_display_id", "array_id", "array_index", "het_id", "het_offset",
    "step", "user", "uid", "account", "partition", "qos", "job_name", "state", "state_rank", "cancelled_by",
    "exit_code", "exit_signal", "submit_time", "start_time", "end_time", "nodes", "cpus", "node_list",
    "time_limit_seconds", "version",
)  # fmt: skip


def _identity(job: dict[str, Any], strict: bool) -> str | None:
    if job["cluster"] and job["job_id"] is not None and job["submit_time"] is not None:
        return job_uid(job["cluster"], job["job_id"], job["array_index"], job["submit_time"])
    if strict and job["submit_time"] is None:
        raise FieldError("Submit", "a job without a submit time has no identity")
    if strict:
        raise ValueError("JobIDRaw and Cluster: a job needs both")
    return None


def jobs_only(found: Iterable[dict[str, Any] | Refused]) -> Iterator[dict[str, Any] | Refused]:
    """Steps are passed over."""
    return (each for each in found if isinstance(each, Refused) or each["step"] is None)


def slurm_state(field: str, value: str, ended: bool) -> dict[str, Any]:
    """state, state_rank and cancelled_by of such as `CANCELLED by 1000`.

    A job that is put back into the queue gets a new submit time and accounting closes the old one: with an
    end, REQUEUED is terminal for its submit.
    """
    words = value.split()
    state = words[0].rstrip("+") if words else ""
    if state not in _RANKS:
        raise FieldError(field, f"{value!r} is no state of Slurm")
    rank = 1 if state == "REQUEUED" and not ended else _RANKS[state]
    return {
        "state": state,
        "state_rank": rank,
        "cancelled_by": words[2] if len(words) > 2 and words[1] == "by" else None,
    }


def most_likely(
    submit: list[int], start: list[int], end: list[int], elapsed: int | None
) -> tuple[int | None, ...]:
    """Picks from the seconds that each time may be those that agree best with their order and `elapsed`.

    In doubt it picks the first, so the first pass through the hour that comes twice.
    """

    if max(map(len, (submit, start, end))) < 2:
        return tuple(each[0] if each else None for each in (submit, start, end))

    def contradictions(times: tuple[int | None, ...]) -> int:
        known = [time for time in times if time is not None]
        wrong = sum(before > after for before, after in pairwise(known))
        if elapsed is not None and start and end:
            wrong += known[-1] - known[-2] != elapsed
        return wrong

    may_be: list[list[int | None]] = [[*each] or [None] for each in (submit, start, end)]
    return min(product(*may_be), key=contradictions)


def duration(value: str) -> int | None:
    """Seconds of [days-][hours:]minutes:seconds; None for UNLIMITED, Partition_Limit or nothing."""
    found = _DURATION.fullmatch(value)
    if not found:
        return None
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds


def whole(field: str, value: str) -> int | None:
    """A whole number; None for what Slurm prints in the place of nothing."""
    if value in ABSENT:
        return None
    if not value.isascii() or not value.isdigit():
        raise FieldError(field, f"{value!r} is no whole number")
    return int(value)
