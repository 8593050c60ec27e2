"""Kafka: one KRaft node that is broker and controller."""

import base64
import logging
import subprocess
import uuid
from pathlib import Path
from typing import Any

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from weir_embedded import templates
from weir_embedded.errors import StackError
from weir_embedded.parts.part import NotReady, Part
from weir_embedded.preflight import find_java
from weir_embedded.settings import LOOPBACK, Stack


def part(stack: Stack) -> Part:
    """The broker as a supervised program.

    It does not end at an OutOfMemoryError: 90 bytes of snappy claim 2 GB, and then only their request fails.
    """
    return Part(
        name="kafka",
        title="Kafka",
        argv=(
            *_java(stack),
            f"-Xms{stack.kafka_heap_mb // 2}m",
            f"-Xmx{stack.kafka_heap_mb}m",
            "-XX:+UseG1GC",
            "-XX:MaxGCPauseMillis=50",
            "-XX:MaxDirectMemorySize=96m",
            "-XX:MaxMetaspaceSize=128m",
            "-XX:ReservedCodeCacheSize=64m",
            "kafka.Kafka",
            str(_properties(stack)),
        ),
        check=lambda: check(stack),
        version=lambda: _version(stack),
        stop_seconds=30,
    )


def prepare(stack: Stack) -> None:
    """Write the configuration and, the first time, format the data folder."""
    data = stack.data / "kafka"
    templates.write(_properties(stack), "kafka.properties.j2", stack=stack, host=LOOPBACK, data=data)
    templates.write(stack.conf / "kafka-log4j2.properties", "kafka-log4j2.properties")
    if (data / "meta.properties").exists():
        return
    data.mkdir(parents=True, exist_ok=True)
    formatted = subprocess.run(
        [
            *_java(stack),
            "kafka.tools.StorageTool",
            "format",
            f"--cluster-id={_cluster_id()}",  # an id may begin with a dash
            "-c",
            str(_properties(stack)),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    if formatted.returncode != 0:
        raise StackError(
            f"Kafka's data folder {data} could not be formatted:", formatted.stderr or formatted.stdout
        )


def check(stack: Stack) -> None:
    """Healthy when the broker answers a metadata request."""
    try:
        metadata = admin(stack).list_topics(timeout=4)
    except KafkaException as error:
        raise NotReady(f"{stack.kafka_bootstrap}: {error.args[0].str()}") from error
    if not metadata.brokers:
        raise NotReady(f"{stack.kafka_bootstrap}: no broker in the metadata")


def admin(stack: Stack) -> AdminClient:
    """A client for administration whose connection errors are in its exceptions, not on the terminal."""
    logger = logging.getLogger("weir_embedded.librdkafka")
    logger.addHandler(logging.NullHandler())
    logger.propagate = False
    options: dict[str, Any] = {**stack.kafka}
    return AdminClient(options, logger=logger)


def _java(stack: Stack) -> tuple[str, ...]:
    return (
        f"{find_java()}/bin/java",
        f"-Dlog4j2.configurationFile={stack.conf / 'kafka-log4j2.properties'}",
        "-cp",
        f"{stack.kafka_jars}/*",
    )


def _cluster_id() -> str:
    # Kafka's ids are URL-safe base64 of a UUID; the tool's own `random-uuid` would cost a JVM start.
    return base64.urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")


def _properties(stack: Stack) -> Path:
    return stack.conf / "kafka.properties"


def _version(stack: Stack) -> str:
    jar = next(stack.kafka_jars.glob("kafka-server-4*.jar"), None)
    return jar.stem.rpartition("-")[2] if jar else "?"
