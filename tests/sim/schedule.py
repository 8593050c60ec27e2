"""In which order and when messages are sent: a pure function of the messages and a seed."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from random import Random
from threading import Event

from sim.center import Message

ORDERS = ("time", "random", "reversed")


@dataclass(frozen=True)
class Sending:
    """A message and when it is sent, in seconds after the first."""

    due: float
    message: Message


@dataclass(frozen=True)
class Schedule:
    """What happens to messages on their way. Shares are of all messages; seconds are those of the center.

    `order` is by time, at random over all of it, or reversed; for one topic it can be another. A late message
    comes `late_seconds` after its place, a whole topic after its `delays`. With `rate` (messages a second) or
    `speed` (seconds of the center a second) it takes its time; else everything is due at once.
    """

    seed: int = 1
    order: str = "time"
    order_of: Mapping[str, str] = field(default_factory=dict)
    """By topic, instead of `order`."""
    duplicates: float = 0
    late: float = 0
    late_seconds: float = 600
    delays: Mapping[str, float] = field(default_factory=dict)
    """By topic."""
    lost: Mapping[str, float] = field(default_factory=dict)
    """Share that never comes, by kind of message."""
    rate: float = 0
    speed: float = 0

    def __post_init__(self) -> None:
        wrong = {self.order, *self.order_of.values()} - set(ORDERS)
        if wrong:
            raise ValueError(f"order {', '.join(sorted(wrong))}: expected one of {', '.join(ORDERS)}")

    def sendings(self, messages: Iterable[Message]) -> Iterator[Sending]:
        """The plan. Messages in the order of time are passed through as they come; else all are held."""
        if self == Schedule(self.seed, rate=self.rate, speed=self.speed):
            first = None
            for number, message in enumerate(messages):
                first = message.at if first is None else first
                yield Sending(self._due(number, message.at - first), message)
            return
        placed = sorted(self._placed(list(messages)), key=lambda place: place[0])
        for number, (place, message) in enumerate(placed):
            yield Sending(self._due(number, place - placed[0][0]), message)

    def _due(self, number: int, seconds: float) -> float:
        if self.rate:
            return number / self.rate
        return seconds / self.speed if self.speed else 0.0

    def _placed(self, messages: list[Message]) -> Iterator[tuple[float, Message]]:
        random = Random(f"schedule {self.seed}")
        first = min(messages, key=attrgetter("at"), default=None)
        last = max(messages, key=attrgetter("at"), default=None)
        for message in messages:
            if random.random() < self.lost.get(message.kind, 0):
                continue
            order = self.order_of.get(message.topic, self.order)
            place = message.at
            if order == "random":
                place = random.uniform(first.at, last.at)
            elif order == "reversed":
                place = first.at + last.at - message.at
            place += self.delays.get(message.topic, 0)
            if random.random() < self.late:
                place += self.late_seconds
            yield place, message
            if random.random() < self.duplicates:
                yield random.uniform(place, max(place, last.at)), message


def steadily(messages: Iterable[Message], rate: float, over: Event) -> Iterator[Sending]:
    """So many a second, in their order, until it is over; then the rest at once."""
    for number, message in enumerate(messages):
        yield Sending(0 if over.is_set() else number / rate, message)
