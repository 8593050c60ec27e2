"""What users, or staff for them, want of messages: records on weir.control."""

from datetime import datetime
from typing import Any

from weir.kafka import Options, Publisher

TOPIC = "weir.control"
ALL = "all"
_DELIVERY_MS = "10000"


def mute(
    cluster: str, user: str, subject: str, until: datetime | None, said_by: str, now: datetime
) -> dict[str, Any]:
    """Makes the record that mutes a case, a rule or all; `until` now or earlier ends it, None is for good."""
    return _control(cluster, user, "mute", subject, said_by, now, until=until)


def opt(cluster: str, user: str, wanted: bool, said_by: str, now: datetime) -> dict[str, Any]:
    """Whether a user wants messages at all."""
    return _control(cluster, user, "opt", ALL, said_by, now, wanted=wanted)


def wrong(cluster: str, user: str, subject: str, text: str, said_by: str, now: datetime) -> dict[str, Any]:
    """A finding is said to be wrong; `subject` is the alert and the rule with a blank between."""
    return _control(cluster, user, "wrong", subject, said_by, now, text=text)


def _control(
    cluster: str, user: str, kind: str, subject: str, said_by: str, now: datetime, **more: Any
) -> dict[str, Any]:
    named = {"cluster": cluster, "user": user, "kind": kind, "subject": subject}
    return named | {"until": None, "wanted": None, "text": "", "said_by": said_by, "time": now} | more


def publish(kafka: Options, record: dict[str, Any]) -> None:
    """Put a record on the topic; KafkaException if Kafka does not take it within ten seconds."""
    key = "/".join(record[part] for part in ("cluster", "user", "kind", "subject"))
    with Publisher({"message.timeout.ms": _DELIVERY_MS, **kafka}, "live") as publisher:
        publisher.send(TOPIC, key, "Control", record)
