"""Delivers each alert at most once: an attempt is in the ledger before anything leaves, its outcome after.

What a crash does at each point:

- before the attempt is written: nothing left; the alert is read again and sent.
- after it, before the outcome is written: it is unknown whether it left. The next start calls it ambiguous.
- after the outcome: the alert may be read again, and the ledger says that it is done.

A second notifier takes the ledger away from the first, which can then write no attempt and so send nothing.
"""

import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Protocol

import structlog

from weir import wire
from weir.notify import metrics, trouble
from weir.notify.delivery import FINAL, TOO_OLD, Channel, Delivery, State, back_off, is_forgotten
from weir.notify.inbox import Inbox, Place
from weir.notify.ledger import Ledger
from weir.notify.recipients import is_unknown
from weir.notify.sending import Away, Sender

MOST_OPEN = 2_000
"""Alerts that wait at once; while there are so many, none is read. Packed, they take some 20 KB each."""
_BATCH = 50
_SENT_MODES = ("rehearsal", "live")
_REST = [timedelta(seconds=seconds) for seconds in (5, 15, 30, 60, 120)]
"""The times from one try of a channel that is away to the next."""


class Letters(Protocol):
    """What is written to whom."""

    def channels(self, alert: Mapping[str, Any]) -> tuple[Channel, ...]:
        """Returns the channels of an alert; Away if they cannot be known now."""

    def subject(self, alert: Mapping[str, Any]) -> str:
        """Its mail's subject."""

    def message(self, alert: Mapping[str, Any], channels: Sequence[Channel], i: int) -> bytes:
        """What goes through one of its channels."""


@dataclass
class Open:
    """An alert that is not delivered yet."""

    entry: Delivery
    packed: bytes
    """Its message, which is large and compresses well."""
    place: Place
    due: datetime
    written: bool = True
    """Whether the ledger has the entry."""


@dataclass
class _Rest:
    """The rest of a channel that is away, until it is tried again."""

    until: datetime
    times: int
    reason: str


class Notifier:
    """Reads, decides, sends and remembers, one round after the other."""

    def __init__(
        self,
        ledger: Ledger,
        inbox: Inbox,
        letters: Letters,
        senders: Mapping[str, Sender],
        clock: Callable[[], datetime],
    ):
        self._ledger, self._inbox, self._letters = ledger, inbox, letters
        self._senders, self._clock = senders, clock
        self._open: dict[str, Open] = {}
        self._rests: dict[str, _Rest] = {}
        self._log = structlog.get_logger()

    def start(self) -> None:
        """Settles what the notifier before this one left, and reads again what waits."""
        for entry in list(self._ledger.open().values()):
            if entry.state == State.attempt:
                self._end(self._write(entry.after_stop()))
        self._read_again(self._ledger.open().values())

    def round(self, seconds: float) -> None:
        """Does what is due; waits so long at most for new alerts. KafkaException: the next round goes on."""
        for each in list(self._open.values()):
            if not each.written:
                self._keep(each, each.entry)
        self._read_again(self._ledger.asked())
        if room := self.room:
            for place, message in self._inbox.fetch(min(_BATCH, room), seconds):
                self._take(place, message)
        self._expire()
        for each in self._due()[:_BATCH]:
            self._deliver(each)
        self._inbox.commit()
        metrics.WAITING.set(len(self._open))

    @property
    def room(self) -> int:
        """How many more alerts it takes."""
        return max(0, MOST_OPEN - len(self._open))

    @property
    def waits(self) -> bool:
        """Whether nothing could be done at once."""
        return not self._due()

    def _due(self) -> list[Open]:
        """What may be tried now, first the one that was decided first."""
        now = self._clock()
        due = (each for each in self._open.values() if each.due <= now)
        return sorted(due, key=lambda each: each.entry.decided_at)

    def _read_again(self, entries: Collection[Delivery]) -> None:
        """Has the inbox give the alerts of these deliveries again."""
        if entries:
            self._inbox.rewind(min(entry.decided_at for entry in entries))

    def _take(self, place: Place, message: bytes) -> None:
        """Opens an alert, unless it is done or nobody is meant to get it."""
        try:
            name, alert = wire.decode(message)
            if name != "Alert":
                raise ValueError(f"a {name}")
        except ValueError as error:
            self._log.error("an alert is passed over", place="/".join(map(str, place)), reason=str(error))
            self._inbox.done(place)
            return
        id_, now = alert["alert"], self._clock()
        if id_ in self._open and self._open[id_].place == place:
            return  # it was read again, and is not done
        known = self._ledger.known(id_)
        is_done = (known is not None and known.state in FINAL) or id_ in self._open
        if (
            is_done
            or alert["mode"] not in _SENT_MODES
            or (known is None and is_forgotten(alert["decided_at"], now))
        ):
            self._inbox.done(place)
            return
        entry = self._ledger.open().get(id_) or Delivery.of_alert(alert)
        self._open[id_] = Open(entry, zlib.compress(message), place, due=now)

    def _expire(self) -> None:
        """Gives up what nobody needs any more, whether its alert is at hand or not."""
        now = self._clock()
        entries = {**self._ledger.open(), **{alert: each.entry for alert, each in self._open.items()}}
        for alert, entry in entries.items():
            if entry.is_too_old(now):
                whole = entry if entry.channels else replace(entry, channels=(Channel("mail"),))
                given_up = whole.given_up(f"not sent within {TOO_OLD.days} days")
                if each := self._open.get(alert):
                    self._keep(each, given_up)
                else:
                    self._end(self._write(given_up))

    def _deliver(self, each: Open) -> None:
        alert = wire.decode(zlib.decompress(each.packed))[1]
        if not self._is_addressed(each, alert):
            return
        for i, channel in enumerate(each.entry.channels):
            if channel.state == State.waiting and (sender := self._sender(channel)):
                self._attempt(each, alert, i, sender)
        if each.entry.state == State.waiting:
            self._postpone(each)

    def _is_addressed(self, each: Open, alert: Mapping[str, Any]) -> bool:
        """Finds the channels once, and again while nobody is found. Returns whether one is to be tried."""
        if not is_unknown(each.entry.channels):
            return True
        try:
            channels = self._letters.channels(alert)
        except Away as away:
            each.due = self._clock() + _REST[1]
            self._log.warning("an address cannot be known now", alert=each.entry.alert, reason=str(away))
            return False
        entry = replace(each.entry, channels=channels)
        try:
            entry = replace(entry, subject=self._letters.subject(alert))
        except Exception as error:  # whatever a site's template does, the others are sent
            self._log.error("an alert cannot be rendered", alert=entry.alert, reason=str(error))
            entry = entry.given_up(f"cannot be rendered: {error}")
        if entry.state in FINAL:
            self._keep(each, entry)
            return False
        each.entry = entry
        return True

    def _sender(self, channel: Channel) -> Sender | None:
        """None while the channel is away."""
        name = channel.channel
        rest = self._rests.get(name)
        if rest and rest.until > self._clock():
            return None
        try:
            if name not in self._senders:
                raise Away(f"notify.yaml has no {name}")
            self._senders[name].ready()
        except Away as away:
            self._rested(name, str(away))
            return None
        if self._rests.pop(name, None):
            metrics.AWAY.labels(name).set(0)
            self._log.info("answers again", channel=name)
        return self._senders[name]

    def _rested(self, name: str, reason: str) -> None:
        """Leaves a channel alone for a while."""
        times = self._rests[name].times + 1 if name in self._rests else 0
        until = self._clock() + _REST[min(times, len(_REST) - 1)]
        self._rests[name] = _Rest(until, times, reason)
        metrics.AWAY.labels(name).set(1)
        self._log.warning("away, tried again", channel=name, reason=reason)

    def _attempt(self, each: Open, alert: Mapping[str, Any], i: int, sender: Sender) -> None:
        channel = each.entry.channels[i]
        try:
            message = self._letters.message(alert, each.entry.channels, i)
        except Exception as error:  # whatever a site's template does, the others are sent
            failed = channel.now(State.failed, f"cannot be rendered: {error}")
            self._keep(each, each.entry.with_channel(i, failed))
            return
        each.entry = self._write(each.entry.attempted(i))
        outcome = sender.send(channel.address, message)
        self._log.info(
            outcome.state.value, alert=each.entry.alert, channel=channel.channel, reason=outcome.reason
        )
        self._keep(each, each.entry.with_channel(i, channel.now(*outcome)))

    def _postpone(self, each: Open) -> None:
        """Until it is due again; the ledger shows why, from the first time on."""
        refused = self._clock() + back_off(each.entry.attempts)
        each.due = max(
            rest.until if (rest := self._rests.get(channel.channel)) else refused
            for channel in each.entry.channels
            if channel.state == State.waiting
        )
        if self._ledger.known(each.entry.alert) is None:
            self._keep(each, replace(each.entry, channels=tuple(map(self._with_reason, each.entry.channels))))

    def _with_reason(self, channel: Channel) -> Channel:
        rest = self._rests.get(channel.channel)
        return channel.now(State.waiting, rest.reason) if rest and channel.state == State.waiting else channel

    def _keep(self, each: Open, entry: Delivery) -> None:
        """Writes an entry that says what has happened: if Kafka is away, the next round writes it."""
        each.entry, each.written = entry, False
        each.entry = self._write(entry)
        each.written = True
        if each.entry.state in FINAL:
            self._end(each.entry)

    def _write(self, entry: Delivery) -> Delivery:
        return self._ledger.write(entry, trouble.of_delivery(entry, self._clock()))

    def _end(self, entry: Delivery) -> None:
        if entry.state not in FINAL:
            return
        if each := self._open.pop(entry.alert, None):
            self._inbox.done(each.place)
        metrics.ENDED.labels(entry.kind, entry.state.value).inc()
        if entry.state == State.sent:
            metrics.SECONDS.observe((entry.time - entry.decided_at).total_seconds())
