"""Sending a schedule with Weir's own publisher, and what came of it."""

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from weir.kafka import Publisher

from sim.center import Message
from sim.schedule import Sending

Show = Callable[["Sent"], None]


@dataclass
class Sent:
    """What was handed to Kafka; `acknowledged` counts what it has, by topic."""

    messages: Counter[str] = field(default_factory=Counter)
    """By kind."""
    rows: Counter[str] = field(default_factory=Counter)
    """By table."""
    size: int = 0
    """Bytes."""
    seconds: float = 0.0
    acknowledged: Counter[str] = field(default_factory=Counter)
    stopped: bool = False
    """By Ctrl-C; what was sent until then is there."""

    @property
    def events(self) -> int:
        """As `Center.events` counts them."""
        return self.messages.total() - self.messages["batch"] - self.messages["end"]

    def count(self, message: Message) -> None:
        self.messages[message.kind] += 1
        self.size += len(message.value)
        if message.table:
            self.rows[message.table] += message.rows


def publish(
    sendings: Iterable[Sending],
    publisher: Publisher,
    show: Show = lambda _: None,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> Sent:
    """Send each message when it is due, and wait until all are acknowledged.

    `show` is told what has been sent, at most ten times a second.
    """
    sent, began = Sent(), clock()
    told = began
    try:
        for sending in sendings:
            message, now = sending.message, clock()
            while (wait := began + sending.due - now) > 0:
                sleep(min(wait, 0.1))
                now = clock()
            if now - told >= 0.1:
                told = now
                show(sent)
            publisher.put(message.topic, message.key, message.value)
            sent.count(message)
    except KeyboardInterrupt:
        sent.stopped = True
    publisher.flush()
    sent.acknowledged, sent.seconds = publisher.acknowledged.copy(), clock() - began
    return sent
