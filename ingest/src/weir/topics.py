"""`schemas/topics.yaml` and the Kafka cluster: what differs, and making it agree."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import yaml
from confluent_kafka.admin import (
    AclBinding,
    AclOperation,
    AclPermissionType,
    AdminClient,
    AlterConfigOpType,
    ClusterMetadata,
    ConfigEntry,
    ConfigResource,
    NewPartitions,
    NewTopic,
    ResourcePatternType,
    ResourceType,
)
from tenacity import retry, retry_if_exception_type, stop_after_delay, wait_fixed

from weir.errors import UserError
from weir.kafka import Options
from weir.schemas_dir import SCHEMAS

BROKERS_WAIT_SECONDS = 30


@dataclass(frozen=True)
class Topic:
    """One declared topic: its partitions and Kafka's own names of its settings."""

    name: str
    partitions: int
    config: dict[str, str]
    written_by: tuple[str, ...] = ()


def declared() -> list[Topic]:
    """The topics of schemas/topics.yaml."""
    file = yaml.safe_load((SCHEMAS / "topics.yaml").read_text())
    return [_topic(name, file["defaults"] | own) for name, own in file["topics"].items()]


def _topic(name: str, spec: dict[str, Any]) -> Topic:
    compact = spec.get("compact", False)
    config = {
        "cleanup.policy": "compact" if compact else "delete",
        "retention.ms": "-1" if compact else str(spec["retention_days"] * 86_400_000),
        "compression.type": spec["compression"],
        "max.message.bytes": str(spec["max_message_bytes"]),
    }
    return Topic(name, spec["partitions"], config, tuple(spec.get("written_by", ())))


def apply(kafka: Options, replication: int = 1, min_insync: int = 1) -> Iterator[str]:
    """Create what is missing and mend what differs; yields one line per change."""
    admin = AdminClient(dict(kafka))
    existing = _cluster(admin, replication).topics
    topics = [replace(t, config=t.config | {"min.insync.replicas": str(min_insync)}) for t in declared()]
    missing = [t for t in topics if t.name not in existing]
    new = [NewTopic(t.name, t.partitions, replication, config=t.config) for t in missing]
    for name, done in (admin.create_topics(new) if new else {}).items():
        done.result()
        yield f"created {name}"
    for topic in topics:
        if topic not in missing:
            yield from _mend_partitions(admin, topic, len(existing[topic.name].partitions))
            yield from _mend_config(admin, topic)


@retry(
    retry=retry_if_exception_type(UserError),
    wait=wait_fixed(1),
    stop=stop_after_delay(BROKERS_WAIT_SECONDS),
    reraise=True,
)
def _cluster(admin: AdminClient, brokers: int) -> ClusterMetadata:
    """What Kafka says of itself once so many brokers are there: at a first start they come one by one."""
    cluster = admin.list_topics(timeout=30)
    if len(cluster.brokers) < brokers:
        raise UserError(
            f"Kafka has {len(cluster.brokers)} brokers, too few for {brokers} copies of each topic: "
            f"start the others, or say --replication {len(cluster.brokers)}"
        )
    return cluster


def grant(kafka: Options, agents: str, jobs: str) -> Iterator[str]:
    """Allow the agents' user and that of the Flink jobs what they need; yields one line per right.

    What is allowed already stays so. KafkaException where the cluster knows no authorisation.
    """
    literal, prefixed = ResourcePatternType.LITERAL, ResourcePatternType.PREFIXED
    rights = [
        (jobs, AclOperation.READ, ResourceType.TOPIC, "weir.", prefixed),
        (jobs, AclOperation.READ, ResourceType.GROUP, "weir-", prefixed),
    ]
    users = {"agents": agents, "jobs": jobs}
    for topic in declared():
        for writer in topic.written_by:
            rights.append((users[writer], AclOperation.WRITE, ResourceType.TOPIC, topic.name, literal))
    bindings = {
        AclBinding(
            resource, name, pattern, f"User:{user}", "*", operation, AclPermissionType.ALLOW
        ): f"{user} may {operation.name.lower()} {name}{'*' if pattern == prefixed else ''}"
        for user, operation, resource, name, pattern in rights
    }
    admin = AdminClient(dict(kafka))
    for binding, done in admin.create_acls(list(bindings)).items():
        done.result()
        yield bindings[binding]


def _mend_partitions(admin: AdminClient, topic: Topic, now: int) -> Iterator[str]:
    if now > topic.partitions:
        raise UserError(
            f"Kafka topic {topic.name} has {now} partitions, schemas/topics.yaml says {topic.partitions}: "
            "partitions can't be taken away. Raise the number in the file."
        )
    if now < topic.partitions:
        admin.create_partitions([NewPartitions(topic.name, topic.partitions)])[topic.name].result()
        yield f"{topic.name}: {now} to {topic.partitions} partitions"


def _mend_config(admin: AdminClient, topic: Topic) -> Iterator[str]:
    resource = ConfigResource(ResourceType.TOPIC, topic.name)
    present = admin.describe_configs([resource])[resource].result()
    wrong = {key: value for key, value in topic.config.items() if present[key].value != value}
    for key, value in wrong.items():
        resource.add_incremental_config(ConfigEntry(key, value, incremental_operation=AlterConfigOpType.SET))
        yield f"{topic.name}: {key} {present[key].value} to {value}"
    if wrong:
        admin.incremental_alter_configs([resource])[resource].result()
