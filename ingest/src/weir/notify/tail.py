"""Reads topics from their begin to their end, and on from there."""

from collections.abc import Iterator, Mapping
from typing import Any

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, KafkaException, TopicPartition

from weir import wire
from weir.errors import UserError, complain
from weir.kafka import Options

_WAIT_SECONDS = 30


class Tail:
    """The records of some topics, each partition in its order; what is of another schema is reported."""

    def __init__(self, kafka: Options, group: str, schemas: Mapping[str, str]):
        """`schemas` gives the name of the schema by topic. UserError where a topic does not exist."""
        self._schemas = schemas
        self._consumer = Consumer(
            {
                **kafka,
                "group.id": group,
                "enable.auto.commit": False,
                "enable.partition.eof": True,
                "isolation.level": "read_committed",
            }
        )
        self._places = [(topic, each) for topic in schemas for each in partitions(self._consumer, topic)]
        self._consumer.assign([TopicPartition(*place, OFFSET_BEGINNING) for place in self._places])

    def to_end(self) -> Iterator[dict[str, Any]]:
        """All there are now."""
        left = set(self._places)
        while left:
            for message in self._consumer.consume(500, timeout=1):
                error = message.error()
                if error and error.code() == KafkaError._PARTITION_EOF:
                    left.discard((message.topic() or "", message.partition() or 0))
                else:
                    yield from self._record(message)

    def more(self) -> Iterator[dict[str, Any]]:
        """Those that came since."""
        while messages := self._consumer.consume(500, timeout=0):
            for message in messages:
                error = message.error()
                if not (error and error.code() == KafkaError._PARTITION_EOF):
                    yield from self._record(message)

    def _record(self, message: Any) -> Iterator[dict[str, Any]]:
        """KafkaException for an error that is not the message's own."""
        error = message.error()
        if error and error.code() == KafkaError._BAD_COMPRESSION:
            complain(f"{_place(message)} is passed over: {error.str()}")
            self._consumer.seek(TopicPartition(message.topic(), message.partition(), message.offset() + 1))
            return
        if error:
            raise KafkaException(error)
        if message.value() is None:
            return
        try:
            name, record = wire.decode(message.value())
            if name != self._schemas[message.topic()]:
                raise ValueError(f"a {name}")
        except ValueError as error:
            complain(f"{_place(message)} is passed over: {error}")
        else:
            yield record


def _place(message: Any) -> str:
    return f"{message.topic()}/{message.partition()}/{message.offset()}"


def partitions(consumer: Consumer, topic: str) -> list[int]:
    """Lists the partitions of a topic; UserError where there is no such topic."""
    listed = consumer.list_topics(topic, timeout=_WAIT_SECONDS).topics[topic]
    if listed.error:
        raise UserError(f"Kafka topic {topic}: {listed.error.str()}. Create it: weir topics apply.")
    return list(listed.partitions)
