"""Kafka: one KRaft node that is broker and controller."""

import base64
import logging
import subprocess
import uuid
from pathlib import Path

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from weir_embedded import templates
from weir_embedded.errors import StackError
from weir_embedded.parts.part import CHECK_SECONDS, NotReady, Part
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
    options = by_key(stack)
    address = options["bootstrap.servers"]
    # Its connection errors are in its exceptions, and shall not be on the terminal.
    logger = logging.getLogger("weir_embedded.librdkafka")
    logger.addHandler(logging.NullHandler())
    logger.propagate = False
    try:
        metadata = AdminClient(dict(options), logger=logger).list_topics(timeout=CHECK_SECONDS)
    except KafkaException as error:
        raise NotReady(f"{address}: {error.args[0].str()}") from error
    if not metadata.brokers:
        raise NotReady(f"{address}: no broker in the metadata")


def by_key(stack: Stack) -> dict[str, str]:
    """Options of a client that shows the broker's own key: it needs no login, and may do all."""
    pem = str(stack.kafka_key)
    return {
        "bootstrap.servers": f"{LOOPBACK}:{stack.ports['kafka_internal']}",
        "security.protocol": "SSL",
        "ssl.ca.location": pem,
        "ssl.certificate.location": pem,
        "ssl.key.location": pem,
    }


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
