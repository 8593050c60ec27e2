"""What Kafka holds of one person: what can be deleted there, and what stays until its retention is over."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import yaml

from weir import wire
from weir.admin.person import OPERATORS
from weir.kafka import Options, Publisher, read_to_end
from weir.schemas_dir import SCHEMAS

CONTROL, DELIVERY, ALERT = "weir.control", "weir.delivery", "weir.alert"
COMPACTED = {CONTROL: "Control", DELIVERY: "Delivery"}
"""Topics that keep the newest message of each key for ever: people's wishes, and what became of messages."""
PASSING = (
    "weir.darshan.log",
    "weir.job.manifest",
    "weir.scheduler.job",
    "weir.job.live",
    "weir.job.result",
    "weir.dead-letter",
    ALERT,
)
"""Topics with something of a person in them that delete a message when its retention is over."""
SEGMENT_DAYS = 7
"""Kafka deletes whole segments, and by default begins a new one after this time."""


@dataclass(frozen=True)
class Entries:
    """Keys of compacted topics whose messages are about the person."""

    wishes: list[str]
    deliveries: list[str]
    needed: int
    """Further entries of deliveries, without which the notifier might send a message twice."""

    @property
    def any(self) -> bool:
        """Whether there are some."""
        return bool(self.wishes or self.deliveries or self.needed)


def retention_days() -> dict[str, int]:
    """For each topic of PASSING how many days a message may be kept at most."""
    file = yaml.safe_load((SCHEMAS / "topics.yaml").read_text())
    default = file["defaults"]["retention_days"]
    return {name: file["topics"][name].get("retention_days", default) + SEGMENT_DAYS for name in PASSING}


def find(kafka: Options, name: str, cluster: str, now: datetime) -> Entries:
    """What the compacted topics hold of the person; without a cluster of all.

    A delivery is needed as long as the alert that it is about may be read again from its topic.
    """

    word = re.compile(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])")

    def is_about(record: dict[str, Any]) -> bool:
        """Also what tells operators that the person has no address."""
        whose = record["recipient"]
        return whose == name or (
            whose == OPERATORS and bool(word.search(f"{record['unit']} {record['subject']}"))
        )

    def found(topic: str) -> Iterator[tuple[str, dict[str, Any]]]:
        return ((key, each) for key, each in _records(kafka, topic) if cluster in ("", each["cluster"]))

    needed_since = now - timedelta(days=retention_days()[ALERT])
    wishes = [key for key, record in found(CONTROL) if record["user"] == name]
    decided = {key: record["decided_at"] for key, record in found(DELIVERY) if is_about(record)}
    old = [key for key, decided_at in decided.items() if decided_at < needed_since]
    return Entries(wishes, old, len(decided) - len(old))


def delete(kafka: Options, entries: Entries) -> None:
    """Publish a deletion of each entry; KafkaException if Kafka does not take it.

    Kafka removes what is deleted when it next compacts the topic.
    """
    with Publisher(kafka, "live") as publisher:
        for topic, keys in ((CONTROL, entries.wishes), (DELIVERY, entries.deliveries)):
            for key in keys:
                publisher.delete(topic, key)


def _records(kafka: Options, topic: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Keys and records of a topic; what is of another schema is reported and passed over."""

    def check(_key: str, value: bytes) -> None:
        name, _ = wire.decode(value)
        if name != COMPACTED[topic]:
            raise ValueError(f"a {name}")

    for key, value in read_to_end(kafka, topic, check).items():
        yield key, wire.decode(value)[1]
