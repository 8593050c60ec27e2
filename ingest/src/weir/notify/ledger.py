"""Keeps the ledger on weir.delivery: whoever holds it may send, and nobody else can."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Event
from typing import Any, Protocol

from confluent_kafka import KafkaError, KafkaException, Producer

from weir import wire
from weir.errors import UserError, complain
from weir.kafka import Options, Stopped
from weir.notify.delivery import FINAL, SCHEMA, Book, Delivery, Known, State
from weir.notify.tail import Tail

TOPIC = "weir.delivery"
ALERTS = "weir.alert"
HOLDER = "weir-notify"
"""The transactional id, one for all notifiers: who starts with it ends the transactions of all before."""
_WAIT_SECONDS = 30
_Message = tuple[str, str, str, Mapping[str, Any]]
"""Topic, key, name of the schema, record."""
_FENCED = (KafkaError._FENCED, KafkaError.PRODUCER_FENCED, KafkaError.INVALID_PRODUCER_EPOCH)


class Fenced(UserError):
    """Another notifier holds the ledger now: this one may not send any more."""


class Ledger(Protocol):
    """What the notifier needs of it."""

    def known(self, alert: str) -> Known | None:
        """What there is of an alert's delivery; None if nothing was done for it."""

    def open(self) -> Mapping[str, Delivery]:
        """Those that are not final, by alert."""

    def write(self, entry: Delivery, alerts: Iterable[Mapping[str, Any]] = ()) -> Delivery:
        """The entry as it is kept, with its time, once Kafka has it and new `alerts` with it.

        KafkaException: nothing of it was written. Fenced: another notifier has taken over.
        """

    def asked(self) -> list[Delivery]:
        """What staff want to be sent again since the last call."""


class KafkaLedger:
    """The ledger on Kafka. To open it takes it away from every other notifier, wherever that runs."""

    def __init__(
        self,
        kafka: Options,
        stop: Event,
        clock: Callable[[], datetime],
        heard: Callable[[Delivery], None] = lambda _entry: None,
    ):
        """Calls `heard` with the entries that there are."""
        self._stop, self._clock = stop, clock
        self._book = Book()
        self._producer = Producer(
            {
                "compression.type": "zstd",
                "message.max.bytes": 1_048_576,
                **kafka,
                "transactional.id": HOLDER,
            }
        )
        self._producer.init_transactions(_WAIT_SECONDS)
        # only now: what a notifier before this one was writing is written or gone
        self._tail = Tail(kafka, f"{HOLDER}-ledger", {TOPIC: SCHEMA})
        for entry in _entries(self._tail.to_end()):
            if self._book.note(entry):
                heard(entry)
        self._book.forget(clock())

    def known(self, alert: str) -> Known | None:
        return self._book.known.get(alert)

    def open(self) -> Mapping[str, Delivery]:
        return self._book.open

    def write(self, entry: Delivery, alerts: Iterable[Mapping[str, Any]] = ()) -> Delivery:
        entry = self._dated(entry)
        self._transact([(TOPIC, entry.alert, SCHEMA, entry.record()), *map(_as_message, alerts)])
        self._book.note(entry)
        return entry

    def publish(self, alerts: Iterable[Mapping[str, Any]]) -> None:
        """Put alerts on weir.alert; KafkaException: none of them is there."""
        self._transact(map(_as_message, alerts))

    def asked(self) -> list[Delivery]:
        """Its own entries, which come back here, are no news to the book."""
        self._book.forget(self._clock())
        return [
            entry
            for entry in _entries(self._tail.more())
            if entry.state == State.waiting
            and (known := self.known(entry.alert)) is not None
            and known.state in FINAL
            and self._book.note(entry)
        ]

    def _dated(self, entry: Delivery) -> Delivery:
        """Later than the entry before it, whatever the clock does."""
        return dated(entry, self.known(entry.alert), self._clock())

    def _transact(self, messages: Iterable[_Message]) -> None:
        encoded = [(topic, wire.encode(name, dict(record)), key) for topic, key, name, record in messages]
        try:
            self._producer.begin_transaction()
            for message in encoded:
                self._producer.produce(*message)
            self._commit()
        except KafkaException as error:
            self._abort(error.args[0])
            raise

    def _commit(self) -> None:
        """Until it is known whether the transaction counts: without that nobody may send."""
        self._until_known(self._producer.commit_transaction)

    def _abort(self, error: KafkaError) -> None:
        if error.code() in _FENCED or error.fatal():
            raise Fenced(
                f"{TOPIC}: {error.str()}. Another weir notify has taken over (let only one run), "
                "or Kafka has forgotten this one after a week in which it wrote nothing: start it again."
            ) from None
        self._until_known(self._producer.abort_transaction)

    def _until_known(self, end: Callable[[float], None]) -> None:
        while True:
            try:
                end(_WAIT_SECONDS)
                return
            except KafkaException as error:
                if not error.args[0].retriable():
                    raise
            if self._stop.is_set():
                raise Stopped


def _as_message(alert: Mapping[str, Any]) -> _Message:
    return ALERTS, alert["alert"], "Alert", alert


def dated(entry: Delivery, before: Known | None, now: datetime) -> Delivery:
    """The entry at this time, or right after the one before it where a clock went back."""
    earliest = before.time + timedelta(microseconds=1) if before else now
    return replace(entry, time=max(now, earliest))


def _entries(records: Iterable[Mapping[str, Any]]) -> Iterator[Delivery]:
    """Gives all entries but those that no notifier wrote, which are reported."""
    for record in records:
        try:
            yield Delivery.of_record(record)
        except ValueError as error:
            complain(f"{TOPIC}: the entry of {record['alert']} is passed over: {error}")


def now() -> datetime:
    """The time of entries."""
    return datetime.now(UTC)
