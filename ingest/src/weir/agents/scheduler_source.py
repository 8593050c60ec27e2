"""The source of scheduler records: what changed of a center's jobs, to weir.scheduler.job."""

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import Any, Protocol

import structlog
from confluent_kafka import KafkaException
from prometheus_client import Counter, Gauge

from weir import documents
from weir.agents.config import AgentConfig
from weir.agents.kafka_log import logged
from weir.agents.scheduler_jobcomp import Jobcomp
from weir.agents.scheduler_memory import SchedulerMemory
from weir.agents.scheduler_pbs import Pbs
from weir.agents.scheduler_slurm import SacctFailed, Slurm
from weir.agents.service import failing, running, well
from weir.errors import Refused
from weir.kafka import Publisher

TOPIC = "weir.scheduler.job"
KAFKA_SECONDS = 30  # that Kafka may take for a message before the look has failed

JOBS = Counter("weir_scheduler_jobs_published", "States of jobs published", ["source"])
DEAD_LETTERS = Counter("weir_scheduler_dead_letters", "Records that were not understood", ["source"])
FAILED = Counter("weir_scheduler_looks_failed", "Looks that failed and are made again", ["source"])
LAST_LOOK = Gauge("weir_scheduler_last_look_seconds", "Unix time of the last look that succeeded", ["source"])


class Source(Protocol):
    """A source of scheduler records; `file` names it in a dead letter."""

    source: str
    file: str

    def look(self, now: float) -> Iterator[dict[str, Any] | Refused]: ...


class Records:
    """Publishes what a source's look finds and remembers it once Kafka has acknowledged all of it."""

    def __init__(self, kafka: Mapping[str, str], cluster: str, memory: SchedulerMemory):
        self._kafka = {"message.timeout.ms": KAFKA_SECONDS * 1000} | logged(kafka)
        self._cluster, self._memory = cluster, memory
        self._publisher = self._new_publisher()

    def _new_publisher(self) -> Publisher:
        return Publisher(self._kafka, "live")

    def take(self, source: Source, now: float) -> bool:
        """One look; False where it failed and is to be made again."""
        counts: dict[Counter, int] = {JOBS: 0, DEAD_LETTERS: 0}
        try:
            for each in self._memory.news(source.look(now), source.source, source.file, now):
                counts[self._send(source, each)] += 1
            for (topic, key), why in self._publisher.settle().items():
                structlog.get_logger().error("Kafka refuses a message for good", key=key, reason=why.str())
                if topic == TOPIC:
                    refused = Refused(f"Kafka refuses the record: {why.str()}", f"job {key}")
                    counts[self._send(source, refused)] += 1
            self._publisher.settle()
        except (KafkaException, SacctFailed, OSError) as error:
            self._memory.rollback()
            if isinstance(error, KafkaException):
                self._publisher = self._new_publisher()
            FAILED.labels(source.source).inc()
            reason = error.args[0].str() if isinstance(error, KafkaException) else str(error)
            failing(reason)
            structlog.get_logger().error("a look failed", source=source.source, error=reason)
            return False
        self._memory.commit()
        for counter, count in counts.items():
            counter.labels(source.source).inc(count)
        LAST_LOOK.labels(source.source).set(now)
        well()
        return True

    def _send(self, source: Source, each: dict[str, Any] | Refused) -> Counter:
        if isinstance(each, Refused):
            self._publisher.refuse(self._cluster, source.source, source.file, each)
            return DEAD_LETTERS
        key = f"{each['cluster']}/{each['job_id']}"
        self._publisher.send(TOPIC, key, "SchedulerJob", each | {"origin": "live"})
        return JOBS


def run(config: AgentConfig) -> None:
    """Looks until SIGTERM."""
    site, own = documents.site_of_agents(config.site, "scheduler"), config.scheduler
    cluster = site["cluster"]
    with (
        running("scheduler", own.metrics_port) as stop,
        closing(SchedulerMemory(config.state / "scheduler.sqlite", cluster)) as memory,
    ):
        records = Records(config.kafka, cluster, memory)
        source: Source
        if site["scheduler"] == "pbs":
            zone = documents.time_zone(site)
            source = Pbs(own.accounting, zone, cluster, own.lookback_seconds, memory)
        else:
            source = Slurm(own, cluster, memory, config.state)
        jobcomp = Jobcomp(config.kafka, own.jobcomp_topic, cluster, memory) if own.jobcomp_topic else None
        while not stop.is_set():
            records.take(source, time.time())
            memory.forget(int(time.time() - own.remember_days * 86_400))
            memory.commit()
            _wait(own.interval_seconds, stop, records, jobcomp)
        if jobcomp:
            jobcomp.close()


def _wait(seconds: float, stop: threading.Event, records: Records, jobcomp: Jobcomp | None) -> None:
    """Waits until the next look; what jobcomp reports meanwhile is published at once."""
    if jobcomp is None:
        stop.wait(seconds)
        return
    until = time.monotonic() + seconds
    while not stop.is_set() and time.monotonic() < until:
        if jobcomp.wait(1) and records.take(jobcomp, time.time()):
            jobcomp.commit()
