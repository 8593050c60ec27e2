"""The spool against a list that does the same, through restarts and damage."""

import tempfile
from pathlib import Path

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from weir.agents.message_spool import Message, MessageSpool

KIB = 1024


def message(number, size=KIB):
    return Message("t", f"k{number}", bytes(size - 32))


def held(spool):
    return [spool.read(number) for number in spool.oldest(100)]


def test_what_was_kept_is_there_after_a_restart_oldest_first(tmp_path):
    first = MessageSpool(tmp_path, 10 * KIB)
    for number in range(3):
        first.add(message(number))
    assert held(MessageSpool(tmp_path, 10 * KIB)) == [message(0), message(1), message(2)]


def test_over_the_quota_the_oldest_give_way_and_are_counted(tmp_path):
    spool = MessageSpool(tmp_path, 4 * KIB)
    for number in range(10):
        spool.add(message(number))
    assert [each.key for each in held(spool)] == ["k6", "k7", "k8", "k9"]
    assert (spool.dropped, len(spool), len(list(tmp_path.iterdir()))) == (6, 4, 4)
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) == spool.bytes <= 4 * KIB


def test_a_clock_that_is_set_back_changes_no_order(tmp_path, monkeypatch):
    spool = MessageSpool(tmp_path, 10 * KIB)
    for number, now in enumerate((2_000, 1_000, 1_000)):
        monkeypatch.setattr("time.time_ns", lambda now=now: now)
        spool.add(message(number))
    assert [each.key for each in held(MessageSpool(tmp_path, 10 * KIB))] == ["k0", "k1", "k2"]


def test_half_a_file_is_no_message_and_stands_in_nobodys_way(tmp_path):
    spool = MessageSpool(tmp_path, 10 * KIB)
    for number in range(2):
        spool.add(message(number))
    (tmp_path / "00000000000000000009.part").write_bytes(b"torn")
    min(tmp_path.glob("*[0-9]")).write_bytes(b'{"topic": "t"')
    again = MessageSpool(tmp_path, 10 * KIB)
    assert held(again) == [None, message(1)]
    assert (len(again), again.dropped, len(list(tmp_path.iterdir()))) == (1, 1, 1)


class Modelled(RuleBasedStateMachine):
    """A spool for at most five messages, and a list."""

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name)
        self.model = []
        self.number = 0
        self.start()

    def teardown(self):
        self.folder.cleanup()

    def size(self):
        return 5 * (KIB - 32 + len('{"topic": "t", "key": "k000"}\n'))

    @rule()
    def start(self):
        self.spool = MessageSpool(self.path, self.size())

    @rule()
    def add(self):
        self.number += 1
        new = Message("t", f"k{self.number:03d}", bytes(KIB - 32))
        self.spool.add(new)
        self.model = [*self.model, new][-5:]

    @rule(place=st.integers(0, 4))
    def remove(self, place):
        if place < len(self.model):
            self.spool.remove(self.spool.oldest(5)[place])
            del self.model[place]

    @invariant()
    def same(self):
        assert held(self.spool) == self.model


TestModelled = Modelled.TestCase
TestModelled.settings = settings(max_examples=30, stateful_step_count=20, deadline=None)
