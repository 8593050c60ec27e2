"""How far a delivery is: pure decisions, which the ledger keeps and the notifier carries out."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

from weir.text import printable

SCHEMA = "Delivery"
TOO_OLD = timedelta(days=3)
"""After its decision nobody needs a message any more, so it is not tried longer either."""
_REMEMBERED = timedelta(days=32)  # weir.alert keeps 30 days
_BACK_OFF = [timedelta(minutes=minutes) for minutes in (1, 2, 5, 15, 30, 60)]
_LONGEST_REASON = 300
_MOST_ATTEMPTS = 1_000_000
_LATEST = datetime(9000, 1, 1, tzinfo=UTC)  # an entry that follows has to be later


class State(StrEnum):
    """The state of a delivery, or of one of its channels."""

    attempt = "attempt"
    waiting = "waiting"
    sent = "sent"
    failed = "failed"
    ambiguous = "ambiguous"


FINAL = frozenset((State.sent, State.failed, State.ambiguous))


@dataclass(frozen=True)
class Channel:
    """One way to one recipient: a mail to an address, or a chat."""

    channel: str
    """`mail`, or the name of a chat or webhook."""
    address: str = ""
    state: State = State.waiting
    reason: str = ""

    def now(self, state: State, reason: str = "") -> "Channel":
        """The same channel in another state."""
        return replace(self, state=state, reason=printable(reason)[:_LONGEST_REASON])


@dataclass(frozen=True)
class Delivery:
    """An entry of the ledger: the state of one alert's delivery at a time."""

    alert: str
    cluster: str
    kind: str
    unit: str
    recipient: str
    mode: str
    cases: tuple[str, ...]
    settled_at: datetime | None
    decided_at: datetime
    channels: tuple[Channel, ...] = ()
    subject: str = ""
    attempts: int = 0
    time: datetime = datetime.min

    @classmethod
    def of_alert(cls, alert: Mapping[str, Any]) -> "Delivery":
        """One that nothing was done for yet."""
        same = ("alert", "cluster", "kind", "unit", "recipient", "mode", "settled_at", "decided_at")
        return cls(
            **{name: alert[name] for name in same}, cases=tuple(case["case"] for case in alert["cases"])
        )

    @classmethod
    def of_record(cls, record: Mapping[str, Any]) -> "Delivery":
        """The entry that a message of weir.delivery holds; ValueError for one that no notifier wrote."""
        if not 0 <= record["attempts"] <= _MOST_ATTEMPTS or record["time"] > _LATEST:
            raise ValueError(f"attempts {record['attempts']}, time {record['time']}")
        own = {name: value for name, value in record.items() if name not in ("state", "cases", "channels")}
        channels = tuple(Channel(**each | {"state": State(each["state"])}) for each in record["channels"])
        return cls(**own, cases=tuple(record["cases"]), channels=channels)

    def record(self) -> dict[str, Any]:
        """Returns the delivery as its message has it."""
        channels = [{**vars(each), "state": each.state.value} for each in self.channels]
        return vars(self) | {"state": self.state.value, "cases": list(self.cases), "channels": channels}

    @property
    def state(self) -> State:
        """The state of the whole: what is open counts first, then doubt, then whether it reached anybody."""
        states = {each.state for each in self.channels}
        order = (State.attempt, State.waiting, State.ambiguous, State.sent)
        return next((state for state in order if state in states), State.failed)

    def with_channel(self, i: int, channel: Channel) -> "Delivery":
        """The same with another state of one channel."""
        return replace(self, channels=(*self.channels[:i], channel, *self.channels[i + 1 :]))

    def attempted(self, i: int) -> "Delivery":
        """The entry before something may leave through a channel."""
        channel = self.channels[i].now(State.attempt)
        return replace(self.with_channel(i, channel), attempts=self.attempts + 1)

    def given_up(self, reason: str) -> "Delivery":
        """The entry after which nothing is tried that was not sent yet."""
        return replace(
            self,
            channels=tuple(
                each.now(State.failed, f"{reason} {each.reason}".strip())
                if each.state == State.waiting
                else each
                for each in self.channels
            ),
        )

    def after_stop(self) -> "Delivery":
        """Marks attempts without an outcome as ambiguous: as it is unknown what arrived, none is repeated."""
        unknown = "the notifier ended before the outcome was written"
        return replace(
            self,
            channels=tuple(
                each.now(State.ambiguous, unknown) if each.state == State.attempt else each
                for each in self.channels
            ),
        )

    def again(self, said_by: str) -> "Delivery":
        """The entry by which staff ask for another attempt of what failed or is ambiguous."""
        asked = f"sent again: asked by {said_by}"
        return replace(
            self,
            channels=tuple(
                each if each.state == State.sent else each.now(State.waiting, asked) for each in self.channels
            ),
        )

    def is_too_old(self, now: datetime) -> bool:
        """Whether it comes too late to be sent."""
        return now - self.decided_at > TOO_OLD


@dataclass(frozen=True)
class Known:
    """The little that is kept of each delivery: enough to know what may be done next."""

    state: State
    attempts: int
    time: datetime
    decided_at: datetime


def supersedes(entry: Delivery, before: Known | None) -> bool:
    """Whether an entry counts, given the one before it of the same alert.

    Staff who ask for another attempt write `waiting` beside the notifier. They count only if they saw its
    newest entry, so that two who ask at once cause one attempt; what was sent is not opened again at all.
    """
    if before is None or entry.state != State.waiting:
        return True
    return entry.attempts == before.attempts and entry.time > before.time and before.state != State.sent


def back_off(attempts: int) -> timedelta:
    """How long a refused message waits until it is tried again."""
    return _BACK_OFF[min(attempts, len(_BACK_OFF)) - 1]


class Book:
    """The newest entry that counts of each delivery: the whole of an open one, the little of a done one."""

    def __init__(self) -> None:
        self.open: dict[str, Delivery] = {}
        """Those that are not final, by alert."""
        self.known: dict[str, Known] = {}

    def note(self, entry: Delivery) -> bool:
        """Take in the next entry of the ledger; whether it counts."""
        if not supersedes(entry, self.known.get(entry.alert)):
            return False
        self.known[entry.alert] = Known(entry.state, entry.attempts, entry.time, entry.decided_at)
        if entry.state in FINAL:
            self.open.pop(entry.alert, None)
        else:
            self.open[entry.alert] = entry
        return True

    def forget(self, now: datetime) -> None:
        """Drop what is done and so old that its alert is not on weir.alert any more."""
        old = [alert for alert, each in self.known.items() if is_forgotten(each.decided_at, now)]
        for alert in old:
            if alert not in self.open:
                del self.known[alert]


def is_forgotten(decided_at: datetime, now: datetime) -> bool:
    """Whether an alert is older than what is known of deliveries: it was handled long ago."""
    return now - decided_at > _REMEMBERED
