"""At most one message for an alert, whatever ends the notifier and wherever; nothing unattempted is lost."""

from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from confluent_kafka import KafkaError, KafkaException
from hypothesis import given, settings
from hypothesis import strategies as st
from notify_fakes import (
    BEGIN,
    Clock,
    FakeInbox,
    FakeLedger,
    FakeLetters,
    FakeSender,
    Killed,
    Topics,
    alert,
    entry_of,
)
from weir import wire
from weir.notify import notifier as notifier_module
from weir.notify.delivery import Channel, State
from weir.notify.ledger import Fenced
from weir.notify.notifier import Notifier
from weir.notify.sending import Outcome

REFUSED = Outcome(State.waiting, "451 try later")


class Center:
    """A notifier with what is around it; `start` is a new process."""

    def __init__(self):
        self.clock, self.topics = Clock(), Topics()
        self.sender, self.letters = FakeSender(), FakeLetters()

    def start(self):
        self.ledger, self.inbox = FakeLedger(self.topics, self.clock), FakeInbox(self.topics)
        senders = {"mail": self.sender}
        self.notifier = Notifier(self.ledger, self.inbox, self.letters, senders, self.clock)
        self.notifier.start()
        return self

    def rounds(self, number=3):
        for _ in range(number):
            self.notifier.round(0)

    @property
    def left(self):
        return [message for _, message in self.sender.left]


@pytest.fixture
def center():
    return Center().start()


def kill(*_):
    raise Killed


def at(state, act):
    def maybe(entry):
        if entry.state == state:
            act()

    return maybe


def test_an_alert_is_attempted_sent_and_committed(center):
    center.topics.publish(alert(1))
    center.rounds()
    assert center.topics.states(alert(1)) == ["attempt", "sent"]
    assert center.sender.left == [("ada@example.org", alert(1)["alert"])]
    assert center.topics.committed == 1
    sent = center.topics.newest(alert(1))
    assert (sent.subject, sent.attempts, sent.recipient) == ("about demo/1", 1, "ada")


def test_what_is_written_before_it_leaves_is_an_attempt(center):
    seen = []
    center.sender.before = lambda: seen.append(center.topics.states(alert(1)))
    center.topics.publish(alert(1))
    center.rounds()
    assert seen == [["attempt"]]


STEPS = {
    "before the attempt is written": (lambda c: c.ledger, "before", at(State.attempt, kill), ["sent"], 1),
    "after it": (lambda c: c.ledger, "after", at(State.attempt, kill), ["ambiguous"], 0),
    "before it leaves": (lambda c: c.sender, "before", kill, ["ambiguous"], 0),
    "after it left": (lambda c: c.sender, "after", kill, ["ambiguous"], 1),
    "before the outcome is written": (lambda c: c.ledger, "before", at(State.sent, kill), ["ambiguous"], 1),
    "after it is written": (lambda c: c.ledger, "after", at(State.sent, kill), ["sent"], 1),
    "before the commit": (lambda c: c.inbox, "commit", kill, ["sent"], 1),
}


@pytest.mark.parametrize("step", STEPS)
def test_killed_at_each_step_it_never_sends_twice_and_lists_what_is_lost(center, step):
    of, name, act, ends, left = STEPS[step]
    center.topics.publish(alert(1), alert(2))
    setattr(of(center), name, act)
    with pytest.raises(Killed):
        center.rounds()
    center.sender.before = center.sender.after = lambda: None
    for _ in range(3):
        center.start().rounds()
    assert center.topics.states(alert(1))[-1:] == ends
    assert center.left.count(alert(1)["alert"]) == left
    assert center.left.count(alert(2)["alert"]) == 1, "the other one is not lost"
    assert center.topics.committed == len(center.topics.alerts)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_killed_anywhere_again_and_again(data):
    """Whatever answers come and wherever it is killed: at most once, and only attempts are in doubt."""
    center = Center()
    alerts = [alert(n, recipient=data.draw(st.sampled_from(["ada", "operators", "eve"]))) for n in range(4)]
    center.topics.publish(*alerts)
    outcome = st.sampled_from(
        [Outcome(State.sent), REFUSED, Outcome(State.failed, "550"), Outcome(State.ambiguous)]
    )
    for _ in range(data.draw(st.integers(1, 6))):
        left = data.draw(st.integers(1, 12))

        def step(*_):
            nonlocal left
            left -= 1
            if not left:
                raise Killed

        try:
            center.start()
            center.sender.answers = {a: data.draw(outcome) for a in ("ada@example.org", "two@example.org")}
            center.ledger.before = center.ledger.after = step
            center.sender.before = center.sender.after = step
            center.rounds(3)
        except Killed:
            center.clock.pass_(minutes=data.draw(st.integers(0, 90)))
    center.sender.before = center.sender.after = lambda: None
    center.sender.answers = {}
    center.start()
    for _ in range(4):
        center.rounds()
        center.clock.pass_(hours=2)
    assert len(set(center.sender.left)) == len(center.sender.left), "sent twice"
    for each in alerts:
        newest = center.topics.newest(each)
        for channel in newest.channels:
            got = (channel.address, each["alert"]) in center.sender.left
            assert got or channel.state != State.sent
            assert channel.state in (State.sent, State.failed, State.ambiguous)


def test_an_older_notifier_that_is_still_there_cannot_send(center):
    old = center.notifier
    Center.start(center)
    center.topics.publish(alert(1))
    with pytest.raises(Fenced):
        old.round(0)
    assert center.left == []
    center.rounds()
    assert len(center.left) == 1


def test_a_mail_server_that_is_away_costs_no_attempt(center):
    center.sender.away = True
    center.topics.publish(*(alert(n) for n in range(5)))
    for _ in range(30):
        center.rounds(1)
        center.clock.pass_(minutes=2)
    assert center.topics.states(alert(1)) == ["waiting"], "said once"
    assert center.topics.newest(alert(1)).channels[0].reason == "connection refused"
    assert center.topics.committed == 0
    center.start()
    center.sender.away = False
    center.rounds()
    assert sorted(center.left) == sorted(alert(n)["alert"] for n in range(5))


def test_while_a_server_is_away_it_is_asked_seldom(center):
    asked = []
    center.sender.away = True
    center.sender.ready, ready = lambda: (asked.append(center.clock()), ready()), center.sender.ready
    center.topics.publish(*(alert(n) for n in range(40)))
    for _ in range(100):
        center.rounds(1)
    assert len(asked) == 1
    center.clock.pass_(seconds=6)
    center.rounds()
    assert len(asked) == 2


def test_who_is_refused_waits_and_the_others_are_sent(center):
    center.sender.answers = {"ada@example.org": REFUSED}
    center.topics.publish(alert(1, "ada"), alert(2, "bob"), alert(3, "ada"))
    center.rounds()
    assert center.topics.states(alert(2, "bob")) == ["attempt", "sent"]
    assert center.topics.states(alert(1)) == ["attempt", "waiting"]
    assert center.topics.committed == 0, "not past what waits"
    center.sender.answers = {}
    center.rounds()
    assert len(center.left) == 1, "not before its time"
    center.clock.pass_(minutes=1)
    center.rounds()
    assert center.topics.states(alert(1)) == ["attempt", "waiting", "attempt", "sent"]
    assert center.topics.committed == 3


def test_of_two_addresses_only_the_refused_one_is_tried_again(center):
    center.sender.answers = {"two@example.org": REFUSED}
    center.topics.publish(alert(1, "operators"))
    center.rounds()
    assert [each.state for each in center.topics.newest(alert(1, "operators")).channels] == [
        "sent",
        "waiting",
    ]
    center.sender.answers = {}
    center.clock.pass_(minutes=1)
    center.start().rounds()
    assert [address for address, _ in center.sender.left] == ["one@example.org", "two@example.org"]
    assert center.topics.newest(alert(1, "operators")).state == State.sent


def test_killed_between_two_addresses_the_second_one_still_gets_it(center):
    center.topics.publish(alert(1, "operators"))
    center.ledger.after = lambda entry: kill() if entry.channels[0].state == State.sent else None
    with pytest.raises(Killed):
        center.rounds()
    center.start().rounds()
    assert [address for address, _ in center.sender.left] == ["one@example.org", "two@example.org"]


def test_a_refusal_for_good_is_failed_with_its_reason(center):
    center.sender.answers = {"ada@example.org": Outcome(State.failed, "550 no such user")}
    center.topics.publish(alert(1))
    center.rounds()
    newest = center.topics.newest(alert(1))
    assert (newest.state, newest.channels[0].reason) == ("failed", "550 no such user")
    assert center.topics.committed == 1


def test_what_is_refused_for_three_days_is_given_up(center):
    center.sender.answers = {"ada@example.org": REFUSED}
    center.topics.publish(alert(1))
    for _ in range(80):
        center.rounds(1)
        center.clock.pass_(hours=1)
    newest = center.topics.newest(alert(1))
    assert newest.state == State.failed
    assert newest.channels[0].reason == "not sent within 3 days 451 try later"
    assert center.topics.committed == 1


@pytest.mark.parametrize(
    ("age", "state"), [(timedelta(days=2), "sent"), (timedelta(days=3, minutes=1), "failed")]
)
def test_an_old_alert_is_not_sent_but_recorded(center, age, state):
    center.topics.publish(alert(1, decided_at=BEGIN - age))
    center.rounds()
    assert center.topics.newest(alert(1)).state == state
    assert len(center.topics.alerts) == 1, "which is no trouble with an address"


def test_an_alert_older_than_the_ledger_remembers_is_nothing_new(center):
    center.topics.publish(alert(1, decided_at=BEGIN - timedelta(days=33)))
    center.rounds()
    assert (center.topics.deliveries, center.topics.committed) == ([], 1)


@pytest.mark.parametrize("mode", ["shadow", "", "Live", "a new one"])
def test_a_shadow_leaves_no_trace_nor_does_what_nobody_knows(center, mode):
    center.topics.publish(alert(1, mode=mode))
    center.rounds()
    assert (center.left, center.topics.deliveries, center.topics.committed) == ([], [], 1)


def test_the_same_alert_again_is_not_sent_again(center):
    center.topics.publish(alert(1), alert(1))
    center.rounds()
    center.topics.publish(alert(1))
    center.start().rounds()
    assert len(center.left) == 1


def test_whatever_else_lies_on_the_topic_is_passed_over(center):
    center.topics.alerts += [
        b"",
        b"garbage",
        wire.encode("Published", {"id": "", "revision": 1, "content": ""}),
    ]
    center.topics.publish(alert(1))
    center.rounds()
    assert (len(center.left), center.topics.committed) == (1, 4)


def test_operators_are_told_once_of_a_user_without_an_address(center):
    center.topics.publish(alert(1, "eve"), alert(2, "eve"))
    center.rounds(4)
    assert center.topics.newest(alert(1, "eve")).state == State.failed
    told = [wire.decode(each)[1] for each in center.topics.alerts[2:]]
    assert {each["alert"] for each in told} == {told[0]["alert"]}
    assert told[0]["trouble"]["subjects"][0]["subject"] == "eve"
    assert [address for address, _ in center.sender.left] == ["one@example.org", "two@example.org"]


def test_operators_are_told_once_a_day_of_ambiguous_deliveries(center):
    center.sender.answers = {"ada@example.org": Outcome(State.ambiguous, "connection lost")}
    center.topics.publish(alert(1), alert(2))
    center.rounds(4)
    to_operators = [address for address, _ in center.sender.left if address != "ada@example.org"]
    assert to_operators == ["one@example.org", "two@example.org"]
    center.clock.pass_(days=1)
    center.topics.publish(alert(3, decided_at=center.clock()))
    center.rounds(4)
    assert len(center.sender.left) == 3 + 4


def test_an_ambiguous_one_to_operators_makes_no_further_one(center):
    ambiguous = Outcome(State.ambiguous, "connection lost")
    center.sender.answers = {"one@example.org": ambiguous, "two@example.org": ambiguous}
    center.topics.publish(alert(1, "operators"))
    center.rounds(4)
    assert len(center.topics.alerts) == 1


def test_a_directory_that_is_away_delays_only(center):
    center.letters.away = True
    center.topics.publish(alert(1))
    center.rounds()
    assert center.topics.deliveries == []
    center.letters.away = False
    center.clock.pass_(minutes=1)
    center.rounds()
    assert center.topics.newest(alert(1)).state == State.sent


@pytest.mark.parametrize("method", ["subject", "message"])
def test_what_cannot_be_rendered_fails_alone(center, method):
    whole = getattr(center.letters, method)

    def broken(alert, *more):
        if alert["unit"] == "demo/1":
            raise ZeroDivisionError("in a template")
        return whole(alert, *more)

    setattr(center.letters, method, broken)
    center.topics.publish(alert(1), alert(2))
    center.rounds()
    newest = center.topics.newest(alert(1))
    assert newest.channels[0].reason == "cannot be rendered: in a template"
    assert newest.state == State.failed
    assert center.topics.newest(alert(2)).state == State.sent


# --- Kafka is away ---------------------------------------------------------------------------------------


def away(*_):
    raise KafkaException(KafkaError(KafkaError._TRANSPORT))


def test_without_the_ledger_nothing_leaves(center):
    center.ledger.before = away
    center.topics.publish(alert(1))
    with pytest.raises(KafkaException):
        center.rounds()
    assert center.left == []
    center.ledger.before = lambda entry: None
    center.rounds()
    assert center.topics.states(alert(1)) == ["attempt", "sent"]


def test_an_outcome_that_kafka_did_not_take_is_written_later_and_not_sent_again(center):
    center.ledger.before = at(State.sent, away)
    center.topics.publish(alert(1))
    for _ in range(3):
        with pytest.raises(KafkaException):
            center.rounds()
    center.ledger.before = lambda entry: None
    center.rounds()
    assert center.topics.states(alert(1)) == ["attempt", "sent"]
    assert len(center.left) == 1


# --- sent again by hand ----------------------------------------------------------------------------------


def ask_again(center, which, said_by="bob"):
    seen = center.topics.newest(which)
    again = replace(seen.again(said_by), time=max(center.clock(), seen.time + timedelta(microseconds=1)))
    center.topics.deliveries.append(again)


@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize("state", [State.failed, State.ambiguous])
def test_staff_can_have_it_sent_again_once(center, state, restart):
    center.sender.answers = {"ada@example.org": Outcome(state, "")}
    center.topics.publish(alert(1))
    center.rounds()
    center.sender.answers, center.sender.left = {}, []
    ask_again(center, alert(1))
    ask_again(center, alert(1), "carol")
    if restart:
        center.start()
    center.rounds(5)
    assert center.topics.states(alert(1))[-4:] == ["waiting", "waiting", "attempt", "sent"]
    assert center.left.count(alert(1)["alert"]) == 1


def test_what_waits_for_an_address_survives_that_another_is_read_again(center):
    center.sender.answers = {"bob@example.org": Outcome(State.failed, "550")}
    center.topics.publish(alert(1, "bob"))
    center.rounds()
    center.letters.away, center.sender.answers = True, {}
    center.topics.publish(alert(2))
    center.rounds()
    ask_again(center, alert(1, "bob"))
    center.rounds()
    center.letters.away = False
    center.start().rounds()
    assert sorted(center.left) == sorted(each["alert"] for each in (alert(1, "bob"), alert(2)))


def test_who_has_an_address_by_now_gets_it_when_staff_ask_again(center):
    center.topics.publish(alert(1, "eve"))
    center.rounds()
    assert center.topics.newest(alert(1, "eve")).state == State.failed
    center.letters.known = ["eve"]
    ask_again(center, alert(1, "eve"))
    center.rounds()
    assert center.topics.newest(alert(1, "eve")).state == State.sent
    assert ("eve@example.org", alert(1, "eve")["alert"]) in center.sender.left


def test_who_asks_on_what_they_saw_before_another_attempt_is_not_heard(center):
    center.sender.answers = {"ada@example.org": Outcome(State.failed, "550")}
    center.topics.publish(alert(1))
    center.rounds()
    stale = center.topics.newest(alert(1)).again("carol")
    ask_again(center, alert(1))
    center.rounds()
    assert center.topics.newest(alert(1)).attempts == 2
    center.topics.deliveries.append(replace(stale, time=center.clock() + timedelta(hours=1)))
    center.sender.answers = {}
    center.rounds()
    center.start().rounds()
    assert center.left.count(alert(1)["alert"]) == 0


def test_what_was_sent_is_not_sent_again_whoever_asks(center):
    center.topics.publish(alert(1))
    center.rounds()
    sent = center.topics.newest(alert(1))
    waiting = tuple(each.now(State.waiting) for each in sent.channels)
    center.topics.deliveries.append(replace(sent, channels=waiting, time=sent.time + timedelta(hours=1)))
    center.rounds()
    center.start().rounds()
    assert len(center.left) == 1


def test_its_own_waiting_that_comes_back_late_opens_nothing(center):
    """The notifier reads its own entries too: one of before it gave up must not count as asked by hand."""
    center.sender.answers = {"ada@example.org": REFUSED}
    center.topics.publish(alert(1))
    center.rounds()
    center.clock.pass_(days=4)
    center.ledger._read = len(center.topics.deliveries) + 1  # nothing comes back for now
    center.rounds()
    assert center.topics.newest(alert(1)).state == State.failed
    center.ledger._read = 0
    center.rounds()
    assert center.topics.states(alert(1)) == ["attempt", "waiting", "failed"]


# --- memory ----------------------------------------------------------------------------------------------


def test_of_a_storm_only_so_many_wait_in_memory(center, monkeypatch):
    monkeypatch.setattr(notifier_module, "MOST_OPEN", 20)
    center.sender.away = True
    center.topics.publish(*(alert(n) for n in range(300)))
    center.rounds(50)
    assert len(center.notifier._open) == 20
    center.sender.away = False
    center.clock.pass_(minutes=10)
    center.rounds(50)
    assert (len(center.left), center.topics.committed) == (300, 300)


def test_a_waiting_alert_is_small_in_memory(center):
    report = {"job_uid": "", "log_id": "", "report": '{"features": {"bytes_read": 512}}' * 5_000}
    center.sender.away = True
    center.topics.publish(alert(1, reports=[report] * 3))
    center.rounds()
    (waiting,) = center.notifier._open.values()
    assert len(waiting.packed) < 20_000 < len(center.topics.alerts[0])


# --- pure decisions --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("states", "whole"),
    [
        (["sent", "failed"], "sent"),
        (["sent", "waiting"], "waiting"),
        (["waiting", "attempt"], "attempt"),
        (["sent", "ambiguous"], "ambiguous"),
        (["failed", "ambiguous"], "ambiguous"),
        (["ambiguous", "waiting"], "waiting"),
        (["failed", "failed"], "failed"),
    ],
)
def test_the_state_of_the_whole(states, whole):
    channels = tuple(Channel("mail", state=State(state)) for state in states)
    assert entry_of(alert(1), channels=channels).state == whole


def test_a_reason_is_short_and_printable_whatever_a_server_says():
    reason = Channel("mail").now(State.failed, "550 \x1b[31m\r\n\udcff" + "x" * 1000).reason
    assert reason.startswith("550 \\x1b[31m\\r\\n\\udcff")
    assert len(reason) == 300


def test_times_of_an_alert_only_rise(center):
    center.sender.before = partial(center.clock.pass_, seconds=-30)
    center.topics.publish(alert(1))
    center.rounds()
    attempt, sent = (each.time for each in center.topics.deliveries)
    assert attempt < sent
