"""Publishing to Kafka, reading a small topic to its end, and how far consumers lag behind."""

import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Self

from confluent_kafka import (
    OFFSET_BEGINNING,
    Consumer,
    ConsumerGroupTopicPartitions,
    KafkaError,
    KafkaException,
    Message,
    Producer,
    TopicPartition,
)
from confluent_kafka.admin import AdminClient, OffsetSpec

from weir import identity, wire
from weir.errors import Refused, UserError

DEAD_LETTER = "weir.dead-letter"
DEAD_LETTER_BYTES = 65_536
ADMIN_SECONDS = 5
READ_TO_END = "weir-read-to-end"
"""Group of who reads a control topic; it commits nothing."""
MARKED = ("weir.alert", "weir.delivery")
"""What the notifier writes in transactions: the mark that ends one has an offset, and is no message."""


ALONE = 16  # messages that are held at most before they are sent again alone
REFUSALS = frozenset(
    (
        KafkaError.MSG_SIZE_TOO_LARGE,
        KafkaError.RECORD_LIST_TOO_LARGE,
        KafkaError.INVALID_MSG,
        KafkaError.INVALID_RECORD,
    )
)
"""Answers about a message itself, which no retry mends. All others are about a topic, a login or a cluster:
what an administrator mends, so that waiting helps (a clock that is off, too: INVALID_TIMESTAMP)."""

Refusals = Mapping[tuple[str, str], KafkaError]
"""The errors of messages that Kafka refused, by topic and key."""

Options = Mapping[str, str]
"""librdkafka's own options, such as those of SASL and TLS; `bootstrap.servers` at least."""


class Stopped(Exception):
    """An agent had to stop before Kafka had acknowledged all that it sent."""


class Publisher:
    """An idempotent producer: messages of one key stay in order and none is written twice by a retry.

    Use as a context manager: leaving it waits until every message is acknowledged, and raises
    KafkaException for one that was not. `sent` and `acknowledged` count messages by topic.

    Kafka refuses a batch for one of its messages: all of it is sent again, each message alone, so that only
    the bad one is refused. Those then come after others of their key.
    """

    def __init__(
        self,
        kafka: Options,
        origin: str,
        stop: threading.Event | None = None,
    ):
        """For `stop` see `for_agent`."""
        self.origin = origin
        self._stop = stop
        self.sent: Counter[str] = Counter()
        self.acknowledged: Counter[str] = Counter()
        self._failed: KafkaError | None = None
        self._doubtful: list[tuple[str, str, bytes]] = []
        self._refused: dict[tuple[str, str], KafkaError] = {}
        self._producer = Producer(
            {
                "enable.idempotence": True,
                "compression.type": "zstd",
                "linger.ms": 20,
                "message.max.bytes": 1_048_576,
                "queue.buffering.max.kbytes": 65_536,
                **kafka,
            }
        )

    @classmethod
    def for_agent(cls, kafka: Options, origin: str, stop: threading.Event) -> Self:
        """One that outlasts an outage of any length with no more than its queue in memory.

        What waits for Kafka raises Stopped once `stop` is set, and what is not acknowledged then is dropped:
        the agent still has it and sends it again.
        """
        return cls({"message.timeout.ms": "0", **kafka}, origin, stop)

    def send(self, topic: str, key: str, name: str, record: dict[str, Any]) -> None:
        """Queue `record` of schema `name`; blocks while the queue is full."""
        self.put(topic, key, wire.encode(name, record))

    def put(self, topic: str, key: str, message: bytes) -> None:
        """Queue an encoded message; blocks while the queue is full."""
        self._produce(topic, key, message, self._delivered)
        self._producer.poll(0)
        self.sent[topic] += 1
        if len(self._doubtful) >= ALONE:
            self._send_alone()

    def delete(self, topic: str, key: str) -> None:
        """Queue the deletion of a key of a compacted topic; blocks while the queue is full."""
        self._produce(topic, key, None, self._answered)

    def _produce(
        self,
        topic: str,
        key: str,
        message: bytes | None,
        on_delivery: Callable[[KafkaError | None, Message], None],
    ) -> None:
        while True:
            try:
                self._producer.produce(topic, key=key.encode(), value=message, on_delivery=on_delivery)
                return
            except BufferError:
                self._go_on()
                self._producer.poll(1)
            except KafkaException as error:  # of what is larger than this producer may send
                named = _named(error.args[0], topic)
                if named.code() not in REFUSALS:
                    raise KafkaException(named) from error
                self._refused[topic, key] = named
                return

    def refuse(self, cluster: str, source: str, file: str, refused: Refused) -> None:
        """Publish what could not be read as a dead letter: reason, file, position and its first bytes."""
        self.send(
            DEAD_LETTER,
            source,
            "DeadLetter",
            {
                "id": identity.dead_letter_id(cluster, source, f"{file} {refused.position or ''}"),
                "cluster": cluster,
                "source": source,
                "reason": refused.reason,
                "file": file,
                "position": refused.position,
                "bytes": refused.data[:DEAD_LETTER_BYTES],
                "time": time.time_ns() // 1000,
                "origin": self.origin,
            },
        )

    def _delivered(self, error: KafkaError | None, message: Message) -> None:
        if error and error.code() in REFUSALS:
            self._doubtful.append(_content(message))
        else:
            self._answered(error, message)

    def _answered(self, error: KafkaError | None, message: Message) -> None:
        topic, key, _ = _content(message)
        if not error:
            self.acknowledged[topic] += 1
        elif error.code() in REFUSALS:
            self._refused[topic, key] = _named(error, topic)
        else:
            self._failed = self._failed or _named(error, topic)

    def _go_on(self) -> None:
        if self._stop and self._stop.is_set():
            raise Stopped

    def _wait(self) -> None:
        while self._producer.flush(0.5):
            self._go_on()

    def _send_alone(self) -> None:
        self._wait()
        doubtful, self._doubtful = self._doubtful, []
        for each in doubtful:
            self._produce(*each, self._answered)
            self._wait()

    def settle(self) -> Refusals:
        """Wait until Kafka has answered all that was sent; what it refuses for good.

        KafkaException, once, if there is anything else that it did not take: to be sent again.
        """
        self._send_alone()
        failed, self._failed = self._failed, None
        refused, self._refused = self._refused, {}
        if failed:
            raise KafkaException(failed)
        return refused

    def flush(self) -> None:
        """Wait until all that was sent is acknowledged; KafkaException, once, if anything was not."""
        for error in self.settle().values():
            raise KafkaException(error)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if not kind:
            self.flush()
        elif self._stop:
            self._producer.purge()
            self._producer.flush(1)
        else:
            self._producer.flush()


def _content(message: Message) -> tuple[str, str, bytes]:
    return message.topic() or "", (message.key() or b"").decode(), message.value() or b""


def _named(error: KafkaError, topic: str) -> KafkaError:
    return KafkaError(error.code(), f"{topic}: {error.str()}")


def read_to_end(
    kafka: Options, topic: str, check: Callable[[str, bytes], None] = lambda _key, _value: None
) -> dict[str, bytes]:
    """Newest usable value of each key of a compacted topic; UserError where the topic does not exist.

    A message of which `check` (key, value) raises ValueError is reported on standard error, and the one
    before it stays.
    """
    consumer = Consumer(
        {
            **kafka,
            "group.id": READ_TO_END,
            "enable.auto.commit": False,
            "enable.partition.eof": True,
        }
    )
    try:
        listed = consumer.list_topics(topic, timeout=30).topics[topic]
        if listed.error:
            raise UserError(f"Kafka topic {topic}: {listed.error.str()}. Create it: weir topics apply.")
        open_partitions = set(listed.partitions)
        consumer.assign([TopicPartition(topic, p, OFFSET_BEGINNING) for p in open_partitions])
        newest: dict[str, bytes | None] = {}
        passed: dict[int, int] = {}
        while open_partitions:
            sought: set[int] = set()
            for message in consumer.consume(500, timeout=1):
                error = message.error()
                if error is None:
                    key, value = (message.key() or b"").decode(errors="replace"), message.value()
                    try:
                        if value is not None:
                            check(key, value)
                    except ValueError as unusable:
                        place = f"{topic}/{message.partition()}/{message.offset()}"
                        print(f"{place} is passed over: {unusable}", file=sys.stderr)
                        continue
                    newest[key] = value
                elif error.code() == KafkaError._PARTITION_EOF:
                    open_partitions.discard(message.partition())
                elif error.code() == KafkaError._BAD_COMPRESSION:  # or a batch that unpacks to over 100 MB
                    partition = message.partition() or 0
                    if partition in sought:  # fetched before it was gone past
                        continue
                    sought.add(partition)
                    place = f"{topic}/{partition}/{message.offset()}"
                    print(f"{place} is passed over: {error.str()}", file=sys.stderr)
                    # It is given again until one has gone past it; where its batch ends is not known.
                    past = max(message.offset() or 0, passed.get(partition, -1)) + 1
                    passed[partition] = past
                    consumer.seek(TopicPartition(topic, partition, past))
                else:
                    raise KafkaException(error)
        return {key: value for key, value in newest.items() if value is not None}
    finally:
        consumer.close()


def lags(kafka: Options, group_prefix: str) -> dict[tuple[str, str], int]:
    """Messages between what consumer groups committed and the end of a topic, by group and topic.

    Partitions of which a group has committed nothing do not count. KafkaException if Kafka does not answer.
    """
    admin = AdminClient({**kafka, "log_level": 0})
    listed = admin.list_consumer_groups(request_timeout=ADMIN_SECONDS).result()
    if listed.errors:
        raise KafkaException(listed.errors[0])
    groups = [group.group_id for group in listed.valid if group.group_id.startswith(group_prefix)]
    committed: dict[tuple[str, TopicPartition], int] = {}
    for group in groups:
        asked = admin.list_consumer_group_offsets(
            [ConsumerGroupTopicPartitions(group)], request_timeout=ADMIN_SECONDS
        )
        for at in asked[group].result().topic_partitions:
            if at.offset >= 0:
                committed[group, TopicPartition(at.topic, at.partition)] = at.offset
    latest = {place: OffsetSpec.latest() for _, place in committed}  # type: ignore[no-untyped-call]
    ends = admin.list_offsets(latest, request_timeout=ADMIN_SECONDS) if latest else {}
    lag: Counter[tuple[str, str]] = Counter()
    for (group, place), offset in committed.items():
        behind = max(0, int(ends[place].result().offset) - offset)
        if behind and place.topic in MARKED and _is_at_end(kafka, place, offset):
            behind = 0
        lag[group, place.topic] += behind
    return dict(lag)


def _is_at_end(kafka: Options, place: TopicPartition, offset: int) -> bool:
    """Whether no message lies there or later; where that may not be read, it is not known and so false."""
    consumer = Consumer(
        {
            **kafka,
            "group.id": READ_TO_END,
            "enable.auto.commit": False,
            "enable.partition.eof": True,
            "isolation.level": "read_committed",
            "fetch.wait.max.ms": 50,
            "log_level": 0,
        }
    )
    try:
        consumer.assign([TopicPartition(place.topic, place.partition, offset)])
        found = consumer.consume(1, timeout=ADMIN_SECONDS)
        error = found[0].error() if found else None
        return error is not None and error.code() == KafkaError._PARTITION_EOF
    finally:
        consumer.close()
