"""The outbox before a broker that goes away and comes back: nothing lost, the disk only when needed."""

import threading
from pathlib import Path

import mock_kafka
import pytest
from confluent_kafka import KafkaError
from weir.agents.message_spool import Message, MessageSpool
from weir.agents.outbox import Outbox

TOPIC = "weir.device.sample"


@pytest.fixture
def kafka():
    with mock_kafka.running() as cluster:
        yield cluster


class Watched(MessageSpool):
    """Counts what touches the disk."""

    added = 0

    def add(self, message):
        self.added += 1
        super().add(message)


def eventually(is_so):
    pause = threading.Event()
    for _ in range(3_000):
        if is_so():
            return
        pause.wait(0.01)
    pytest.fail("did not happen within 30 s")


def outbox(kafka, spool, rate=1000):
    return Outbox({**kafka.options, "message.timeout.ms": "1000"}, spool, rate)


def tick(number):
    return Message(TOPIC, "c/s", b"%d" % number)


def arrived(kafka):
    return [int(value) for _, value in kafka.messages(TOPIC)]


def test_what_kafka_takes_at_once_does_not_touch_the_disk(kafka, tmp_path):
    spool = Watched(tmp_path, 1 << 20)
    with outbox(kafka, spool) as box:
        for number in range(20):
            box.send(tick(number))
    assert arrived(kafka) == list(range(20))
    assert spool.added == 0


def test_an_outage_loses_nothing_and_the_oldest_come_first(kafka, tmp_path):
    spool = Watched(tmp_path, 1 << 20)
    with outbox(kafka, spool) as box:
        box.send(tick(0))
        eventually(lambda: arrived(kafka) == [0])
        kafka.down()
        for number in range(1, 31):
            box.send(tick(number))
        eventually(lambda: len(spool) == 30)
        kafka.up()
        eventually(lambda: len(spool) == 0)
        box.send(tick(31))
    assert list(dict.fromkeys(arrived(kafka))) == list(range(32))
    assert spool.dropped == 0


def test_what_waits_at_the_end_is_sent_by_the_next_one(kafka, tmp_path):
    kafka.down()
    with outbox(kafka, MessageSpool(tmp_path, 1 << 20)) as box:
        for number in range(5):
            box.send(tick(number))
    spool = MessageSpool(tmp_path, 1 << 20)
    assert len(spool) == 5
    kafka.up()
    with outbox(kafka, spool):
        eventually(lambda: len(spool) == 0)
    assert list(dict.fromkeys(arrived(kafka))) == [0, 1, 2, 3, 4]


def test_a_message_that_kafka_will_never_take_is_not_tried_for_ever(kafka, tmp_path):
    spool = MessageSpool(tmp_path, 10 << 20)
    spool.add(Message(TOPIC, "c/s", bytes(2 << 20)))
    spool.add(tick(1))
    with outbox(kafka, spool):
        eventually(lambda: len(spool) == 0)
    assert arrived(kafka) == [1]


@pytest.mark.parametrize("alone_too", [False, True])
def test_a_batch_that_is_refused_costs_no_tick_that_is_good_alone(kafka, tmp_path, alone_too):
    kafka.make(TOPIC)
    spool = MessageSpool(tmp_path, 1 << 20)
    with Outbox({**kafka.options, "linger.ms": "200"}, spool, 1000) as box:
        box.send(tick(0))
        eventually(lambda: arrived(kafka) == [0])
        kafka.answer(*[KafkaError.MSG_SIZE_TOO_LARGE] * (2 if alone_too else 1))
        for number in range(1, 4):
            box.send(tick(number))
        eventually(lambda: len(arrived(kafka)) == 4 - alone_too)
        eventually(lambda: len(spool) == 0)
    assert arrived(kafka) == [0, 2, 3] if alone_too else [0, 1, 2, 3]


def test_a_spool_that_can_not_be_written_costs_its_messages_and_nothing_else(kafka, tmp_path):
    spool = MessageSpool(tmp_path / "spool", 1 << 20)
    Path(tmp_path / "spool").rmdir()
    kafka.down()
    with outbox(kafka, spool) as box:
        box.send(tick(0))
    kafka.up()
    with outbox(kafka, spool) as box:
        box.send(tick(1))
    assert arrived(kafka) == [1]
