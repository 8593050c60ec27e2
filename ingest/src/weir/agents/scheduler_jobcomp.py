"""What Slurm's jobcomp/kafka plugin writes into a topic: the end of a job at once, before sacct knows it.

The records that sacct gives later say more and win: they have the same identity, and a higher version where
they differ (scheduler_memory.py).
"""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from confluent_kafka import Consumer, KafkaError, KafkaException, Message

from weir.agents.kafka_log import logged
from weir.agents.scheduler_memory import SchedulerMemory
from weir.errors import Refused
from weir.formats.job_record import ABSENT, record, slurm_state
from weir.formats.reading import FieldError, json_text, refused, unix_second

SOURCE = "jobcomp"
_MOST = 500  # messages at once


class Jobcomp:
    """Reads the topic on from what was committed."""

    source = SOURCE

    def __init__(self, kafka: Mapping[str, str], topic: str, cluster: str, memory: SchedulerMemory):
        self.file, self._cluster, self._memory = topic, cluster, memory
        self._messages: list[Message] = []
        self._consumer = Consumer(
            {
                "group.id": f"weir-agent-scheduler-{cluster}",
                "auto.offset.reset": "earliest",
                "enable.auto.commit": False,
                **logged(kafka),
            }
        )
        self._consumer.subscribe([topic])

    def wait(self, seconds: float) -> bool:
        """Whether there are messages within so long; those not committed yet are still there."""
        if not self._messages:
            found = self._consumer.consume(_MOST, timeout=seconds)
            self._messages = [each for each in found if _is_message(each)]
        return bool(self._messages)

    def look(self, _: float) -> Iterator[dict[str, Any] | Refused]:
        """Jobs of which no state as late was published yet, and refusals."""
        for message in self._messages:
            place, value = (
                f"partition {message.partition()}, offset {message.offset()}",
                message.value() or b"",
            )
            try:
                job = of_message(value, self._cluster)
            except ValueError as error:
                yield refused(error, place, value)
                continue
            known = self._memory.known(job) if job else None
            if job and not (known and known[0] >= job["state_rank"]):
                yield job

    def commit(self) -> None:
        """The messages are dealt with."""
        self._consumer.commit(asynchronous=False)
        self._messages = []

    def close(self) -> None:
        """Leave the group."""
        self._consumer.close()


def _is_message(message: Message) -> bool:
    error = message.error()
    if error is None or error.code() in (KafkaError._PARTITION_EOF, KafkaError.UNKNOWN_TOPIC_OR_PART):
        return error is None
    raise KafkaException(error)


def of_message(message: bytes, cluster: str) -> dict[str, Any] | None:
    """The SchedulerJob record of a message of Slurm's jobcomp/kafka plugin; ValueError where it is none.

    None for a job that is resized, which goes on. Fields: jobcomp_common_job_record_to_data of Slurm 23.02 to
    26.05; a message of a job's start has no end, no exit code and no state. Times are UTC.
    """
    fields = json.loads(message.decode("utf-8", "weir.json"))
    if not isinstance(fields, dict):
        raise ValueError("no JSON object")
    job_id, array, task = (_whole(fields, name) for name in ("jobid", "array_job_id", "array_task_id"))
    end = _second(fields, "@end")
    state = slurm_state("state", _text(fields, "state") or "RUNNING", end is not None)
    if state["state"] == "RESIZING":
        return None
    code = re.fullmatch(r"(\d+):(\d+)", _text(fields, "exit_code") or "")
    het, offset = _whole(fields, "het_job_id"), _whole(fields, "het_job_offset")
    display = str(job_id) if het is None else f"{het}+{offset}"
    return record(
        True,
        cluster=_text(fields, "cluster") or cluster,
        job_id=job_id,
        job_display_id=display if array is None else f"{array}_{task}",
        array_id=array,
        array_index=task,
        user=_text(fields, "username"),
        uid=_whole(fields, "user_id"),
        account=_text(fields, "account"),
        partition=_text(fields, "partition"),
        qos=_text(fields, "qos"),
        job_name=_text(fields, "job_name") or "",
        **state,
        exit_code=int(code[1]) if code else None,
        exit_signal=int(code[2]) if code else None,
        submit_time=_second(fields, "@submit"),
        start_time=_second(fields, "@start"),
        end_time=end,
        nodes=_whole(fields, "total_nodes"),
        cpus=_whole(fields, "total_cpus"),
        node_list=_text(fields, "nodes") or "",
        time_limit_seconds=_whole(fields, "time_limit"),
    )


def _text(fields: dict[str, Any], name: str) -> str | None:
    value = fields.get(name)
    if value is not None and not isinstance(value, str):
        raise FieldError(name, f"{value!r} is no text")
    return None if value is None or value in ABSENT else json_text(value)


def _whole(fields: dict[str, Any], name: str) -> int | None:
    value = fields.get(name)
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise FieldError(name, f"{value!r} is no whole number")
    return value


def _second(fields: dict[str, Any], name: str) -> int | None:
    value = _text(fields, name)
    if value is None:
        return None
    try:
        return unix_second(name, int(datetime.fromisoformat(value).replace(tzinfo=UTC).timestamp()))
    except (ValueError, OverflowError):
        raise FieldError(name, f"{value!r} is no time such as 2026-11-21T07:59:10") from None
