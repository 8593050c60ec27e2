"""librdkafka's troubles as lines of the agent's log, each once a minute at most."""

import time
from collections.abc import Mapping
from typing import Any

import structlog
from confluent_kafka import KafkaError

_EVERY_SECONDS = 60


def logged(kafka: Mapping[str, str]) -> dict[str, Any]:
    """The settings, and that errors go to the log instead of librdkafka's own lines on stderr."""
    reported: dict[str, float] = {}

    def tell(error: KafkaError) -> None:
        now = time.monotonic()
        if now - reported.get(error.name(), -_EVERY_SECONDS) >= _EVERY_SECONDS:
            reported[error.name()] = now
            structlog.get_logger().warning("Kafka", error=error.str())

    return {"log_level": 0, "error_cb": tell, **kafka}
