"""`schemas/topics.yaml` and the Kafka cluster: what differs, and making it agree."""

from collections.abc import Iterator, Mapping
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
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialAlteration,
    UserScramCredentialUpsertion,
)
from tenacity import retry, retry_if_exception_type, stop_after_delay, wait_fixed

from weir.errors import UserError
from weir.kafka import READ_TO_END, Options
from weir.schemas_dir import SCHEMAS

BROKERS_WAIT_SECONDS = 30
USERS = {"agents": "agent", "jobs": "flink"} | {name: name for name in ("reference", "metrics", "notify")}
"""Kafka's login of each part that schemas/topics.yaml names; `metrics` is `weir pipeline record`."""
SCRAM = ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, iterations=8192)


@dataclass(frozen=True)
class Topic:
    """One declared topic: its partitions and Kafka's own names of its settings."""

    name: str
    partitions: int
    config: dict[str, str]
    written_by: tuple[str, ...] = ()
    read_by: tuple[str, ...] = ()


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
    return Topic(name, spec["partitions"], config, tuple(spec.get("written_by", ())), tuple(spec["read_by"]))


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


def set_logins(kafka: Options, passwords: Mapping[str, str]) -> None:
    """Give each login its password, whether it is new or had another one."""
    admin = AdminClient(dict(kafka))
    wanted: list[UserScramCredentialAlteration] = [
        UserScramCredentialUpsertion(user, SCRAM, password.encode()) for user, password in passwords.items()
    ]
    for done in admin.alter_user_scram_credentials(wanted).values():
        done.result()


def grant(kafka: Options, users: Mapping[str, str] = USERS) -> Iterator[str]:
    """Allow each user what its part needs; yields one line per right.

    What is allowed already stays so. KafkaException where the cluster knows no authorization.
    """
    literal, prefixed = ResourcePatternType.LITERAL, ResourcePatternType.PREFIXED
    rights = [
        (users["jobs"], AclOperation.READ, ResourceType.GROUP, "weir-", prefixed),
        *(
            (users[part], AclOperation.READ, ResourceType.GROUP, READ_TO_END, literal)
            for part in ("reference", "metrics", "notify")
        ),
        (users["notify"], AclOperation.READ, ResourceType.GROUP, "weir-notify", prefixed),
        *(
            (users["notify"], operation, ResourceType.TRANSACTIONAL_ID, "weir-notify", prefixed)
            for operation in (AclOperation.WRITE, AclOperation.DESCRIBE)
        ),
        (users["metrics"], AclOperation.DESCRIBE, ResourceType.GROUP, "weir-", prefixed),
        (users["metrics"], AclOperation.DESCRIBE, ResourceType.TOPIC, "weir.", prefixed),
    ]
    for topic in declared():
        rights += [
            (users[part], operation, ResourceType.TOPIC, topic.name, literal)
            for operation, parts in (
                (AclOperation.READ, topic.read_by),
                (AclOperation.WRITE, topic.written_by),
            )
            for part in parts
        ]
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
