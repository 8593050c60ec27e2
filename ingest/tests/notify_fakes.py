"""Stand-ins for Kafka and for channels in unit tests of the notifier.

The ledger here keeps what it is given in a list. The one on Kafka is tested in test_notify_ledger.py.
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from weir import identity, wire
from weir.notify.delivery import FINAL, Book, Channel, Delivery, State
from weir.notify.inbox import Place, Progress
from weir.notify.ledger import Fenced, dated
from weir.notify.sending import SENT, Away

BEGIN = datetime(2026, 11, 23, 9, tzinfo=UTC)


class Killed(BaseException):
    """kill -9: nothing after it is done."""


class Clock:
    def __init__(self):
        self.now = BEGIN

    def __call__(self):
        return self.now

    def pass_(self, **time):
        self.now += timedelta(**time)


def alert(number=1, recipient="ada", kind="finding", mode="live", decided_at=BEGIN, **more):
    unit = f"demo/{number}"
    return {
        "alert": identity.alert_id(kind, unit, recipient),
        "cluster": "demo",
        "kind": kind,
        "unit": unit,
        "recipient": recipient,
        "mode": mode,
        "decided_at": decided_at,
        "settled_at": None,
        "node_hours_lost": 12.5,
        "cases": [],
        "jobs_in_all": 1,
        "jobs": [],
        "reports": [],
        "trouble": None,
        **more,
    }


class Topics:
    """What is on weir.alert and weir.delivery; it outlives a notifier."""

    def __init__(self):
        self.alerts, self.deliveries, self.committed, self.holder = [], [], 0, None

    def publish(self, *alerts):
        self.alerts += [wire.encode("Alert", each) for each in alerts]

    def states(self, alert):
        return [each.state.value for each in self.deliveries if each.alert == alert["alert"]]

    def newest(self, alert):
        return [each for each in self.deliveries if each.alert == alert["alert"]][-1]


class FakeLedger:
    def __init__(self, topics, clock):
        self._topics, self._clock, self._book = topics, clock, Book()
        topics.holder = self
        for each in topics.deliveries:
            self._book.note(each)
        self._read = len(topics.deliveries)
        self.before = self.after = lambda entry: None  # where a test kills it

    def known(self, alert):
        return self._book.known.get(alert)

    def open(self):
        return self._book.open

    def write(self, entry, alerts=()):
        self.before(entry)
        if self._topics.holder is not self:
            raise Fenced("taken over")
        entry = dated(entry, self.known(entry.alert), self._clock())
        assert Delivery.of_record(wire.decode(wire.encode("Delivery", entry.record()))[1]) == entry
        self._topics.deliveries.append(entry)
        self._topics.publish(*alerts)
        self._book.note(entry)
        self.after(entry)
        return entry

    def asked(self):
        new, self._read = self._topics.deliveries[self._read :], len(self._topics.deliveries)
        return [
            each
            for each in new
            if each.state == State.waiting and self.known(each.alert).state in FINAL and self._book.note(each)
        ]


class FakeInbox:
    def __init__(self, topics):
        self._topics, self._progress = topics, Progress(topics.committed)

    def fetch(self, most, seconds):
        first = self._progress.position
        found = list(enumerate(self._topics.alerts))[first : first + most]
        for offset, _ in found:
            self._progress.fetched(offset)
        return [(Place(0, offset), message) for offset, message in found]

    def done(self, place):
        self._progress.done(place.offset)

    def rewind(self, decided_at):
        at = [wire.decode(each)[1]["decided_at"] >= decided_at for each in self._topics.alerts]
        self._progress.position = min(self._progress.position, at.index(True))

    def commit(self):
        self._topics.committed = self._progress.done_up_to


class FakeLetters:
    """Mails a user at user@example.org, operators at two addresses; nobody knows of eve."""

    def __init__(self):
        self.away = False
        self.known = []

    def channels(self, alert):
        if self.away:
            raise Away("no directory")
        match alert["recipient"]:
            case "operators":
                return (Channel("mail", "one@example.org"), Channel("mail", "two@example.org"))
            case "eve" if "eve" not in self.known:
                return (Channel("mail").now(State.failed, "no address of user 'eve' is known"),)
            case user:
                return (Channel("mail", f"{user}@example.org"),)

    def subject(self, alert):
        return f"about {alert['unit']}"

    def message(self, alert, channels, i):
        return alert["alert"].encode()


class FakeSender:
    """Counts what leaves; `answers` gives an outcome by address."""

    def __init__(self):
        self.left, self.answers, self.away = [], {}, False
        self.before = self.after = lambda: None

    def ready(self):
        if self.away:
            raise Away("connection refused")

    def send(self, address, message):
        self.before()
        outcome = self.answers.get(address, SENT)
        if outcome.state in (State.sent, State.ambiguous):
            self.left.append((address, message.decode()))
        self.after()
        return outcome


def entry_of(alert, **changes):
    return replace(Delivery.of_alert(alert), **changes)
