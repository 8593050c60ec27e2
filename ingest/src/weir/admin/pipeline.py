"""How the pipeline itself does: Flink's metrics and the lag of its consumer groups, as rows of ClickHouse.

The jobs report to Prometheus' text format; `METRICS` says which of it is kept, and under which name.
"""

import json
import math
import urllib.error
import urllib.request
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from confluent_kafka import KafkaException
from prometheus_client.parser import text_string_to_metric_families

from weir import text
from weir.clickhouse import patiently
from weir.errors import complain
from weir.kafka import Options, lags

if TYPE_CHECKING:
    from clickhouse_connect.driver.client import Client

ENDPOINT_SECONDS = 5
GROUP_PREFIX = "weir-"
_OPERATOR = "flink_taskmanager_job_task_operator_"
_TASK = "flink_taskmanager_job_task_"
_JOB = "flink_jobmanager_job_"


@dataclass(frozen=True)
class Metric:
    """One kept metric: its name and unit, what Flink calls it, and the label that names the part of a job.

    Values of a part's subtasks are added up, or where `highest` is set the highest is kept.
    """

    name: str
    reported: str
    part: str = ""
    highest: bool = False
    scale: float = 1.0


METRICS = (
    Metric("restarts", _JOB + "numRestarts"),
    Metric("state_bytes", _JOB + "lastCheckpointFullSize"),
    Metric("checkpoint_seconds", _JOB + "lastCheckpointDuration", scale=1e-3),
    Metric("checkpoints_completed", _JOB + "numberOfCompletedCheckpoints"),
    Metric("checkpoints_failed", _JOB + "numberOfFailedCheckpoints"),
    Metric("pending_messages", _OPERATOR + "pendingRecords", "operator_name"),
    Metric("records_in", _OPERATOR + "numRecordsIn", "operator_name"),
    Metric("messages_refused", _OPERATOR + "messagesRefused", "operator_name"),
    Metric("sources_in_quarantine", _OPERATOR + "sourcesInQuarantine", "operator_name"),
    Metric("partitions_paused", _OPERATOR + "partitionsPaused", "operator_name"),
    Metric("insert_retries", _OPERATOR + "insertRetries", "operator_name"),
    Metric("logs_without_header", _OPERATOR + "logsWithoutHeader", "operator_name"),
    Metric("ticks_late", _OPERATOR + "samplesLate", "operator_name"),
    Metric("ticks_too_late", _OPERATOR + "samplesTooLate", "operator_name"),
    Metric("ticks_too_long", _OPERATOR + "samplesTooLong", "operator_name"),
    Metric("clocks_set_back", _OPERATOR + "clocksSetBack", "operator_name"),
    Metric("ticks_held_since_start", _OPERATOR + "samplesHeldSinceStart", "operator_name"),
    Metric("device_restarts", _OPERATOR + "deviceRestarts", "operator_name"),
    Metric("busy_share", _TASK + "busyTimeMsPerSecond", "task_name", highest=True, scale=1e-3),
    Metric("backpressured_share", _TASK + "backPressuredTimeMsPerSecond", "task_name", True, 1e-3),
    Metric("heap_bytes", "flink_taskmanager_Status_JVM_Memory_Heap_Used", "tm_id"),
    Metric("heap_bytes", "flink_jobmanager_Status_JVM_Memory_Heap_Used", "host"),
)


@dataclass(frozen=True)
class Reading:
    """A value at a time; `job`: Flink job or consumer group, `part`: operator, task, topic or process."""

    time: datetime
    metric: str
    job: str
    part: str
    value: float


@dataclass(frozen=True)
class Restart:
    """A restart of a part or job: which one for its cause, and until when that one makes it a loop, if so."""

    time: datetime
    part: str
    cause: str
    times: int = 1
    loops_until: datetime | None = None


def read(endpoints: Iterable[str], kafka: Options) -> list[Reading]:
    """One look at all endpoints and Kafka; what does not answer has `answers` 0 and no other reading."""
    now = datetime.now(UTC)
    found = []
    for endpoint in endpoints:
        found += ask(endpoint, now)
    try:
        behind = lags(kafka, GROUP_PREFIX)
    except KafkaException:
        behind = None
    for (group, topic), lag in (behind or {}).items():
        found.append(Reading(now, "lag_messages", group, topic, lag))
    found.append(Reading(now, "answers", "", "kafka", float(behind is not None)))
    return found


def ask(endpoint: str, now: datetime) -> list[Reading]:
    """What one endpoint reports now, and whether it answers."""
    text = _fetch(endpoint)
    return [*readings(text or "", now), Reading(now, "answers", "", endpoint, float(text is not None))]


def readings(text: str, now: datetime) -> list[Reading]:
    """What is kept of one answer in Prometheus' text format; values that are no number are left out."""
    kept: dict[tuple[str, str, str], float] = {}
    wanted = {metric.reported: metric for metric in METRICS}
    samples = (sample for family in text_string_to_metric_families(text) for sample in family.samples)
    for sample in samples:
        metric = wanted.get(sample.name)
        if metric is None or not math.isfinite(sample.value):
            continue
        place = metric.name, sample.labels.get("job_name", ""), sample.labels.get(metric.part, "")
        value = sample.value * metric.scale
        before = kept.get(place, 0.0)
        kept[place] = max(before, value) if metric.highest else before + value
    return [Reading(now, *place, value) for place, value in kept.items()]


def write(client: "Client", found: Sequence[Reading]) -> None:
    """Add readings to the table pipeline_metrics; the same ones again change nothing."""
    columns = [field.name for field in fields(Reading)]
    patiently(client.insert)("pipeline_metrics", [astuple(each) for each in found], column_names=columns)


def restarts(file: Path) -> list[Restart]:
    """Those that the keeper noted, if it did; a line that is none is left out."""
    found = []
    try:
        noted = file.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        complain(f"{file}: {error.strerror}: what restarted is unknown. Let this user read it.")
        return []
    for line in noted.splitlines():
        try:
            restart = json.loads(line)
            until = restart.get("loops_until")
            found.append(
                Restart(
                    datetime.fromtimestamp(restart["time"], UTC),
                    str(restart["part"]),
                    text.printable(str(restart["cause"])),
                    int(restart.get("times", 1)),
                    None if until is None else datetime.fromtimestamp(until, UTC),
                )
            )
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, OSError):
            continue
    return found


def write_restarts(client: "Client", found: Sequence[Restart]) -> None:
    """Add restarts to the table pipeline_restarts; the same ones again change nothing."""
    if found:
        rows = [(each.time, each.part, each.cause) for each in found]
        patiently(client.insert)("pipeline_restarts", rows, column_names=["time", "part", "cause"])


def _fetch(url: str) -> str | None:
    try:
        with urllib.request.urlopen(url, timeout=ENDPOINT_SECONDS) as answer:  # noqa: S310 - from the settings
            return str(answer.read().decode())
    except (urllib.error.URLError, OSError):
        return None
