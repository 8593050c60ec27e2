"""`sacct --json`: one document; its jobs are read one after the other, each with its steps.

Known are the data_parser and dbv0.0 forms of Slurm 21.08 to 25.05: a number is a number or an object with
`set`, `infinite` and `number`; a state is a word or a list of words. User ids are not in it.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from weir.errors import Refused
from weir.formats.job_record import ABSENT, JobId, jobs_only, record, slurm_state
from weir.formats.reading import FieldError, json_has, json_items, json_text, refused, unix_second

Json = dict[str, Any]


def read(file: Path) -> Iterator[dict[str, Any] | Refused]:
    """Jobs that can be identified as SchedulerJob records, and a Refused for each that can't be one."""
    return jobs_only(records(file, strict=True))


def is_sacct_json(start: bytes) -> bool:
    """Whether a file that begins like this is a document of `sacct --json`."""
    return start.lstrip().startswith(b"{") and b'"jobs"' in start


def records(
    file: Path, cluster: str | None = None, strict: bool = False
) -> Iterator[dict[str, Any] | Refused]:
    """Every job followed by its steps, as job_record has them, and a Refused for each that is neither.

    A document that is cut gives what stands whole before the cut, and one Refused.
    """
    number = 0
    for number, job in enumerate(json_items(file, "jobs.item", "job"), start=1):
        if isinstance(job, Refused):
            yield job
            continue
        try:
            read_job = _job(job, cluster, strict)
        except ValueError as error:
            yield refused(error, f"job {number}", _bytes(job))
            continue
        yield read_job
        for at, step in enumerate(_at(job, list, "steps") or [], start=1):
            try:
                yield _step(step, read_job)
            except ValueError as error:
                yield refused(error, f"job {number}, step {at}", _bytes(step))
    if not number and not json_has(file, "jobs"):
        yield Refused("no jobs in it; write it with sacct --json", "byte 0")


def _bytes(item: Any) -> bytes:
    return json.dumps(item).encode()


def _job(job: Json, cluster: str | None, strict: bool) -> dict[str, Any]:
    job_id = _number(job, "job_id")
    array, task = _number(job, "array", "job_id") or None, _number(job, "array", "task_id")
    het, offset = _number(job, "het", "job_id") or None, _number(job, "het", "job_offset")
    if array is not None:
        display = f"{array}_{task}" if task is not None else f"{array}_[{_text(job, 'array', 'task') or ''}]"
    else:
        display = str(job_id) if het is None else f"{het}+{offset}"
    limit = _number(job, "time", "limit")
    return record(
        strict,
        cluster=_text(job, "cluster") or cluster,
        job_id=job_id,
        job_display_id=display,
        array_id=array,
        array_index=task if array is not None else None,
        het_id=het,
        het_offset=offset if het is not None else None,
        user=_text(job, "user") or _text(job, "association", "user"),
        account=_text(job, "account"),
        partition=_text(job, "partition"),
        qos=_text(job, "qos"),
        job_name=_text(job, "name") or "",
        **_ending(job, "current"),
        submit_time=_second(job, "submission"),
        start_time=_second(job, "start"),
        nodes=_number(job, "allocation_nodes"),
        cpus=_cpus(job) if _cpus(job) is not None else _number(job, "required", "CPUs"),
        node_list=_text(job, "nodes") or "",
        time_limit_seconds=None if limit is None else limit * 60,
    )


def _step(step: Json, job: dict[str, Any]) -> dict[str, Any]:
    """A step shares what it does not state with its job; it has no submit time of its own."""
    step_id = _at(step, (str, int), "step", "id")
    shared = ("cluster", "job_id", "job_display_id", "array_id", "array_index", "het_id", "het_offset")
    return record(
        False,
        **{name: job[name] for name in (*shared, "user", "account", "partition", "qos")},
        # newer ones write 8.batch or 8.0+1 where older ones have batch or 0
        step=JobId.of("step.id", step_id).step
        if isinstance(step_id, str) and "." in step_id
        else str(step_id),
        job_name=_text(step, "step", "name") or "",
        **_ending(step),
        start_time=_second(step, "start"),
        nodes=_number(step, "nodes", "count"),
        cpus=_cpus(step),
        node_list=_text(step, "nodes", "range") or "",
    )


def _ending(item: Json, *below_state: str) -> dict[str, Any]:
    """State, end and exit code of a job or step."""
    step_id = _at(item, (str, list), "state", *below_state)
    words = step_id if isinstance(step_id, list) else [step_id]
    end = _second(item, "end")
    state = slurm_state(".".join(("state", *below_state)), str(words[0] if words else ""), end is not None)
    killer = _text(item, "kill_request_user")
    return state | {
        "cancelled_by": state["cancelled_by"] or (killer if state["state"] == "CANCELLED" else None),
        "end_time": end,
        "exit_code": _number(item, "exit_code", "return_code"),
        "exit_signal": _number(item, "exit_code", "signal", "id", or_else="signal_id"),
    }


def _cpus(item: Json) -> int | None:
    allocated = _at(item, list, "tres", "allocated") or []
    return next((_number(each, "count") for each in allocated if _text(each, "type") == "cpu"), None)


def _second(item: Json, name: str) -> int | None:
    second = _number(item, "time", name)
    return unix_second(f"time.{name}", second) if second else None


def _text(item: Json, *path: str) -> str | None:
    value = _at(item, str, *path)
    return None if value is None or value in ABSENT else json_text(value)


def _number(item: Json, *path: str, or_else: str = "") -> int | None:
    """A number or an object that holds one; None where it is absent, not set or infinite."""
    value = _at(item, (int, float, dict), *path)
    if value is None and or_else:
        value = _at(item, (int, float, dict), *path[:-1], or_else)
    if isinstance(value, dict):
        value = _at(value, (int, float), "number") if value.get("set") and not value.get("infinite") else None
    return None if value is None else int(value)


def _at(item: Any, kind: type | tuple[type, ...], *path: str) -> Any:
    """What lies at `path`, None where it ends before; FieldError where it is of another kind."""
    for depth, name in enumerate(path):
        if item is None:
            return None
        if not isinstance(item, dict):
            raise FieldError(".".join(path[:depth]) or "job", f"{item!r} is no object")
        item = item.get(name)
    if item is not None and not isinstance(item, kind):
        raise FieldError(".".join(path), f"{item!r} is not what sacct writes there")
    return item
