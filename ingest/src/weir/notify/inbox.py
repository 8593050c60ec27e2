"""Reads weir.alert, and commits no further than what is done with."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple, Protocol

from confluent_kafka import Consumer, KafkaError, KafkaException, TopicPartition

from weir.errors import complain
from weir.kafka import Options
from weir.notify.ledger import ALERTS
from weir.notify.tail import partitions

GROUP = "weir-notify"
_WAIT_SECONDS = 30
_SLACK = timedelta(minutes=10)
"""Between an alert's decision and its time in Kafka, and between the clocks of both."""


class Place(NamedTuple):
    """The place of a message on weir.alert."""

    partition: int
    offset: int


class Inbox(Protocol):
    """What the notifier needs of it."""

    def fetch(self, most: int, seconds: float) -> list[tuple[Place, bytes]]:
        """Up to so many further messages; those that come within some seconds."""

    def done(self, place: Place) -> None:
        """Nothing is left to do for this message."""

    def rewind(self, decided_at: datetime) -> None:
        """Read again whatever was decided since."""

    def commit(self) -> None:
        """Let Kafka keep up to where all is done."""


class Progress:
    """How far one partition is done: an offset that may be committed has nothing open before it."""

    def __init__(self, position: int):
        self.position, self._open = position, set[int]()

    def fetched(self, offset: int) -> None:
        """A message is at hand."""
        self._open.add(offset)
        self.position = offset + 1

    def done(self, offset: int) -> None:
        """It is done with."""
        self._open.discard(offset)

    @property
    def done_up_to(self) -> int:
        return min(self._open, default=self.position)


class KafkaInbox:
    """weir.alert on Kafka. The ledger lets one notifier work at a time, so it reads all partitions."""

    def __init__(self, kafka: Options):
        self._options = {
            "queued.max.messages.kbytes": 16_384,
            **kafka,
            "group.id": GROUP,
            "auto.offset.reset": "earliest",  # also where what was committed is not kept any more
            "enable.auto.commit": False,
            "isolation.level": "read_committed",
        }
        self._consumer = Consumer(self._options)
        places = [TopicPartition(ALERTS, each) for each in partitions(self._consumer, ALERTS)]
        self._committed = {
            each.partition: each.offset for each in self._consumer.committed(places, _WAIT_SECONDS)
        }
        self._progress = {each: Progress(max(0, offset)) for each, offset in self._committed.items()}
        self._assign()

    def fetch(self, most: int, seconds: float) -> list[tuple[Place, bytes]]:
        return list(self._fetched(most, seconds))

    def _fetched(self, most: int, seconds: float) -> Iterator[tuple[Place, bytes]]:
        for message in self._consumer.consume(most, timeout=seconds):
            error: Any = message.error()
            place = Place(message.partition() or 0, message.offset() or 0)
            if error and error.code() == KafkaError._BAD_COMPRESSION:
                complain(f"{ALERTS}/{place.partition}/{place.offset} is passed over: {error.str()}")
                self._consumer.seek(TopicPartition(ALERTS, place.partition, place.offset + 1))
            elif error:
                raise KafkaException(error)
            else:
                self._progress[place.partition].fetched(place.offset)
                yield place, message.value() or b""

    def done(self, place: Place) -> None:
        self._progress[place.partition].done(place.offset)

    def rewind(self, decided_at: datetime) -> None:
        since = max(0, int((decided_at.timestamp() - _SLACK.total_seconds()) * 1000))  # -1 would be the end
        asked = [TopicPartition(ALERTS, each, since) for each in self._progress]
        for found in self._consumer.offsets_for_times(asked, _WAIT_SECONDS):
            progress = self._progress[found.partition]
            if 0 <= found.offset < progress.position:
                progress.position = found.offset
        self._assign()

    def _assign(self) -> None:
        """Go on from where each partition is."""
        places = self._progress.items()
        self._consumer.assign([TopicPartition(ALERTS, each, at.position) for each, at in places])

    def commit(self) -> None:
        moved = [
            TopicPartition(ALERTS, partition, progress.done_up_to)
            for partition, progress in self._progress.items()
            if progress.done_up_to != max(0, self._committed[partition])
        ]
        if moved:
            try:
                self._consumer.commit(offsets=moved, asynchronous=False)
            except KafkaException:
                # after a restart of Kafka a client was seen to find no coordinator for minutes
                self._consumer = Consumer(self._options)
                self._assign()
                raise
            self._committed |= {each.partition: each.offset for each in moved}
