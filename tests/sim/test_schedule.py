"""What a schedule does to messages, and publishing it with a clock of the test's own."""

from collections import Counter

import pytest

from sim.center import Message
from sim.publish import publish
from sim.schedule import Schedule

TOPICS = ("weir.darshan.log", "weir.scheduler.job")


@pytest.fixture
def messages():
    return [
        Message(1000.0 + n, TOPICS[n % 2], str(n), b"x", "header" if n % 4 else "end") for n in range(1000)
    ]


def sent(schedule, messages):
    return [sending.message for sending in schedule.sendings(messages)]


def test_in_time_nothing_is_held_back(messages):
    endless = (Message(float(n), "t", "k", b"", "tick") for n in iter(int, 1))
    assert next(Schedule().sendings(endless)).message.at == 0.0
    assert sent(Schedule(), messages) == messages


@pytest.mark.parametrize("order", ["random", "reversed"])
def test_another_order_of_the_same(messages, order):
    ordered = sent(Schedule(order=order), messages)
    assert ordered != messages
    assert sorted(ordered, key=lambda m: m.at) == messages
    assert sent(Schedule(order=order), messages) == ordered
    if order == "random":
        assert sent(Schedule(2, order=order), messages) != ordered
    else:
        assert ordered == messages[::-1]


def test_one_topic_in_another_order(messages):
    ordered = sent(Schedule(order_of={TOPICS[0]: "reversed"}), messages)
    logs, jobs = ([m.at for m in ordered if m.topic == topic] for topic in TOPICS)
    assert jobs == sorted(jobs)
    assert logs == sorted(logs, reverse=True)


def test_an_unknown_order_is_refused():
    with pytest.raises(ValueError, match="order sideways: expected one of time, random, reversed"):
        Schedule(order="sideways")


def test_duplicates_come_beside_the_first_and_not_before(messages):
    ordered = sent(Schedule(duplicates=0.3), messages)
    counts = Counter(m.key for m in ordered)
    assert counts.keys() == {m.key for m in messages}
    assert 200 < len(ordered) - len(messages) < 400
    assert max(counts.values()) == 2
    firsts = list(dict.fromkeys(m.at for m in ordered))
    assert firsts == sorted(firsts)


def test_late_ones_and_late_topics(messages):
    late = sent(Schedule(late=0.1, late_seconds=5000), messages)
    tail = len(messages) - next(n for n, m in enumerate(late) if m.at < late[n - 1].at if n)  # fmt: skip
    assert 50 < tail < 150
    ordered = sent(Schedule(delays={TOPICS[1]: 6 * 3600}), messages)
    assert [m.topic for m in ordered] == [TOPICS[0]] * 500 + [TOPICS[1]] * 500


def test_what_is_lost_never_comes(messages):
    kinds = Counter(m.kind for m in sent(Schedule(lost={"end": 1.0}), messages))
    assert kinds == {"header": 750}


@pytest.mark.parametrize(
    ("schedule", "last"), [(Schedule(), 0), (Schedule(rate=100), 9.99), (Schedule(speed=10), 99.9)]
)
def test_when_they_are_due(messages, schedule, last):
    dues = [sending.due for sending in schedule.sendings(messages)]
    assert dues == sorted(dues)
    assert dues[-1] == pytest.approx(last)


class Kept:
    """A publisher that keeps what it is given."""

    def __init__(self, breaks_at=None):
        self.put_at, self.now, self.acknowledged, self.breaks_at = [], 0.0, Counter(), breaks_at

    def put(self, topic, key, value):
        if len(self.put_at) == self.breaks_at:
            raise KeyboardInterrupt
        self.put_at.append(self.now)

    def flush(self):
        self.acknowledged["all"] = len(self.put_at)

    def sleep(self, seconds):
        self.now += seconds


def test_each_is_sent_when_it_is_due(messages):
    kept = Kept()
    done = publish(Schedule(speed=10).sendings(messages), kept, clock=lambda: kept.now, sleep=kept.sleep)
    assert kept.put_at == pytest.approx([n / 10 for n in range(1000)])
    assert done.messages == {"header": 750, "end": 250}
    assert done.seconds == pytest.approx(99.9)


def test_ctrl_c_leaves_what_was_sent(messages):
    done = publish(Schedule().sendings(messages), kept := Kept(breaks_at=300))
    assert done.stopped
    assert done.messages.total() == len(kept.put_at) == done.acknowledged["all"] == 300
