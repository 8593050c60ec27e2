"""Brings messages to Kafka: what Kafka does not take waits in the spool, and follows when it is back."""

import contextlib
import queue
import threading
import time
from collections.abc import Mapping
from functools import partial

import structlog
from confluent_kafka import KafkaError, KafkaException, Producer
from confluent_kafka import Message as Delivered
from prometheus_client import Counter, Gauge

from weir.agents import service
from weir.agents.kafka_log import logged
from weir.agents.message_spool import Message, MessageSpool
from weir.kafka import REFUSALS

# how long Kafka may take for a message before it goes to the spool; at most so much is lost by kill -9
KAFKA_SECONDS = 10
_WAITING = 256  # messages, while the disk is slow

SENT = Counter("weir_devices_messages_sent", "Messages that Kafka acknowledged", ["topic"])
SPOOLED = Counter("weir_devices_messages_spooled", "Messages that went to the spool first", ["topic"])
DROPPED = Counter("weir_devices_messages_dropped", "Messages that were lost", ["reason"])
SPOOL_MESSAGES = Gauge("weir_devices_spool_messages", "Messages that wait in the spool")
SPOOL_BYTES = Gauge("weir_devices_spool_bytes", "Bytes that wait in the spool")


class Outbox:
    """Takes messages without ever waiting for Kafka or the disk; a thread of its own delivers them.

    While Kafka takes them, they do not touch the disk. Once it did not take one, all go to the spool, and the
    oldest is tried again and again; when that arrives the rest follow, oldest first, `resend_per_second`, and
    new ones go to Kafka directly again. A message can arrive twice. Use as a context manager; leaving it
    spools what is not acknowledged within KAFKA_SECONDS.
    """

    def __init__(self, kafka: Mapping[str, str], spool: MessageSpool, resend_per_second: int):
        self._spool, self._rate = spool, resend_per_second
        self._incoming: queue.Queue[Message | None] = queue.Queue(_WAITING)
        self._taken = True  # whether Kafka took the last message
        self._resending: set[int | None] = set()
        self._alone: int | None = None  # of these; a batch is refused for one of its messages
        self._next_resend = 0.0
        self._log = structlog.get_logger()
        # not idempotent: a sample that comes twice counts once, and no error is then fatal to the producer
        self._producer = Producer(
            {
                "acks": "all",
                "compression.type": "zstd",
                "linger.ms": 20,
                "message.max.bytes": 1_048_576,
                "queue.buffering.max.kbytes": 16_384,
                "message.timeout.ms": KAFKA_SECONDS * 1000,
                **logged(kafka),
            }
        )
        self._thread = threading.Thread(target=self._deliver, name="outbox")

    def __enter__(self) -> "Outbox":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        while self._thread.is_alive():
            with contextlib.suppress(queue.Full):
                self._incoming.put(None, timeout=1)
                self._thread.join()

    def send(self, message: Message, wait_seconds: float = 0.001) -> None:
        """Take a message; counted as dropped where the disk is so slow that too many wait for it."""
        if not self._thread.is_alive():
            raise RuntimeError("the thread that delivers has ended; its error stands above")
        try:
            self._incoming.put(message, timeout=wait_seconds)
        except queue.Full:
            DROPPED.labels("disk is slow").inc()

    def _deliver(self) -> None:
        while True:
            try:
                message = self._incoming.get(timeout=1)
            except queue.Empty:
                pass
            else:
                if message is None:
                    break
                self._take(message)
            self._producer.poll(0)
            self._resend()
            SPOOL_MESSAGES.set(len(self._spool))
            SPOOL_BYTES.set(self._spool.bytes)
        if self._taken:
            self._producer.flush(KAFKA_SECONDS)
        self._producer.purge()
        self._producer.flush(1)

    def _take(self, message: Message) -> None:
        if self._taken:
            self._produce(message, None)
        else:
            self._keep(message)

    def _produce(self, message: Message, number: int | None) -> None:
        """`number` is that of a message of the spool."""
        done = partial(self._delivered, message if number is None else None, number)
        try:
            self._producer.produce(
                message.topic, key=message.key.encode(), value=message.value, on_delivery=done
            )
        except BufferError:
            self._failed(message, number)
        except KafkaException as error:
            self._refused(error.args[0], number)

    def _delivered(
        self, message: Message | None, number: int | None, error: KafkaError | None, delivered: Delivered
    ) -> None:
        if error is None:
            self._forget(number)
            if not self._taken:
                self._log.info("Kafka takes messages again", spooled=len(self._spool))
                service.well()
            self._taken = True
            SENT.labels(delivered.topic()).inc()
        elif error.code() in REFUSALS and number is not None and number == self._alone:
            self._refused(error, number)
        else:
            if self._taken:
                self._log.warning("Kafka does not take messages, they go to the spool", error=error.str())
                service.failing(error.str())
            self._failed(message, number)

    def _failed(self, message: Message | None, number: int | None) -> None:
        self._resending.discard(number)
        if number is None and message is not None:
            self._keep(message)
        if self._taken:
            self._taken = False
            # what is behind it fails now, in its order, and not between later messages
            self._producer.purge()

    def _forget(self, number: int | None) -> None:
        self._resending.discard(number)
        if number is not None:
            self._spool.remove(number)

    def _refused(self, error: KafkaError, number: int | None) -> None:
        """What Kafka will never take; waiting does not help."""
        self._log.error("a message is refused and lost", error=error.str())
        DROPPED.labels("refused by Kafka").inc()
        self._forget(number)

    def _keep(self, message: Message) -> None:
        before = self._spool.dropped
        try:
            self._spool.add(message)
            SPOOLED.labels(message.topic).inc()
        except OSError as error:
            self._log.error("the spool takes no message, it is lost", error=error.strerror)
            DROPPED.labels("spool can't be written").inc()
        DROPPED.labels("quota of the spool").inc(self._spool.dropped - before)

    def _resend(self) -> None:
        """Sends as many of the oldest as may be on their way; one, until Kafka is known to be back."""
        now = time.monotonic()
        if not len(self._spool) or now < self._next_resend:
            return
        self._next_resend = now + 1
        for number in self._spool.oldest(self._rate if self._taken else 1):
            if number not in self._resending and (message := self._spool.read(number)):
                self._resending.add(number)
                self._alone = None if self._taken else number
                self._produce(message, number)
