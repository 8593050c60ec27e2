"""A decoded log as messages of weir.darshan.log: header, batches in order, end."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from weir import wire
from weir.kafka import Publisher
from weir.logs.darshan_log import DarshanLog, Parts

TOPIC = "weir.darshan.log"


def messages(log: DarshanLog | Parts, log_id: str, origin: str, shift: int = 0) -> Iterator[bytes]:
    """Encoded, as those of `log_id`, with times moved by `shift` seconds."""
    for body in _bodies(log, timedelta(seconds=shift)):
        yield wire.encode("DarshanLogMessage", {"log_id": log_id, "origin": origin, "body": body})


def publish(publisher: Publisher, log: DarshanLog, shift: int, log_id: str) -> None:
    """Queue all of them."""
    for message in messages(log, log_id, publisher.origin, shift):
        publisher.put(TOPIC, log_id, message)


def _bodies(log: DarshanLog | Parts, by: timedelta) -> Iterator[dict[str, Any]]:
    times = {key: log.header[key] + by for key in ("start_time", "end_time")}
    start = {"start_time": times["start_time"]}
    yield log.header | times | {"-type": "org.weir.wire.LogHeader"}
    for batch in log.batches:
        yield batch | start | {"-type": "org.weir.wire.LogBatch"}
    yield log.end | {"-type": "org.weir.wire.LogEnd"}
