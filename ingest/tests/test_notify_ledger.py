"""The ledger and the inbox on librdkafka's mock cluster, which takes transactions.

It fences no producer and does not hide what an aborted transaction wrote: that needs a broker.
"""

import ctypes
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import mock_kafka
import pytest
from confluent_kafka import KafkaException, Producer, TopicPartition
from notify_fakes import BEGIN, Clock, alert, entry_of
from weir import wire
from weir.errors import UserError
from weir.notify.delivery import Channel, State
from weir.notify.inbox import KafkaInbox, Place, Progress
from weir.notify.ledger import ALERTS, TOPIC, Fenced, KafkaLedger

pytestmark = pytest.mark.slow

ADD_PARTITIONS, END = 24, 26  # of the protocol's requests: AddPartitionsToTxn, EndTxn
TOPIC_AUTHORIZATION_FAILED, INVALID_PRODUCER_EPOCH, PRODUCER_FENCED = 29, 47, 90
MAIL = (Channel("mail", "ada@example.org"),)


@pytest.fixture
def kafka():
    with mock_kafka.running() as kafka:
        kafka.make(TOPIC)
        kafka.make(ALERTS)
        yield kafka


def ledger(kafka, clock=None):
    return KafkaLedger(kafka.options, threading.Event(), clock or Clock())


def entry(number=1, state=State.waiting, **changes):
    channels = tuple(each.now(state) for each in MAIL)
    return entry_of(alert(number), channels=channels, **changes)


def test_what_is_written_is_known_and_read_by_the_next_one(kafka):
    first = ledger(kafka)
    first.write(entry(1, State.attempt, attempts=1))
    first.write(entry(2, State.sent, attempts=1))
    assert first.known(alert(2)["alert"]).state == State.sent
    second = ledger(kafka)
    assert second.known(alert(2)["alert"]).state == State.sent
    (left,) = second.open().values()
    assert (left.state, left.attempts, left.alert) == (State.attempt, 1, alert(1)["alert"])
    assert left.time == BEGIN


@pytest.mark.parametrize("request_", [ADD_PARTITIONS, END])
@pytest.mark.parametrize("code", [INVALID_PRODUCER_EPOCH, PRODUCER_FENCED])
def test_whom_the_broker_calls_fenced_may_not_go_on(kafka, request_, code):
    """The mock cluster fences nobody by itself."""
    first = ledger(kafka)
    first.write(entry(1, State.sent))
    answer(kafka, request_, code)
    with pytest.raises(Fenced, match="taken over"):
        first.write(entry(2, State.attempt))


def test_what_the_broker_did_not_take_is_not_written(kafka):
    """Then the notifier goes on as if it had never tried."""
    held = ledger(kafka)
    answer(kafka, ADD_PARTITIONS, TOPIC_AUTHORIZATION_FAILED)
    with pytest.raises(KafkaException):
        held.write(entry(1, State.attempt))
    assert held.known(alert(1)["alert"]) is None
    held.write(entry(1, State.attempt))
    assert held.known(alert(1)["alert"]).state == State.attempt


def answer(kafka, request, code):
    """Answer the next request of that kind so."""
    array = (ctypes.c_int * 1)(code)
    kafka._library.rd_kafka_mock_push_request_errors_array(kafka._cluster, request, 1, array)


def test_an_alert_of_its_own_is_written_with_the_entry(kafka):
    ledger(kafka).write(entry(1, State.failed), [alert(2, "operators", kind="trouble")])
    assert [*kafka.decoded(ALERTS)] == [alert(2, "operators", kind="trouble")["alert"]]
    assert [*kafka.decoded(TOPIC)] == [alert(1)["alert"]]


def test_what_staff_ask_for_is_told_once_and_its_own_entries_never(kafka):
    held = ledger(kafka)
    failed = held.write(entry(1, State.failed, attempts=1))
    assert held.asked() == []
    put(kafka, replace(failed.again("bob"), time=failed.time + timedelta(seconds=1)))
    asked = []
    while not asked:  # until the consumer has fetched it
        asked = held.asked()
    assert [each.alert for each in asked] == [alert(1)["alert"]]
    assert held.asked() == []
    assert [*held.open()] == [alert(1)["alert"]]


def test_what_nobody_of_weir_wrote_there_is_reported_and_passed_over(kafka, capsys):
    put(kafka, entry(1, State.sent, time=BEGIN))
    producer = Producer(kafka.options)
    late = datetime.max.replace(tzinfo=UTC)
    odd = (
        _with_state("unheard of"),
        _with_state(attempts=-10),
        _with_state(attempts=2**31 - 1),
        _with_state(time=late),
    )
    for value in (b"garbage", wire.encode("Alert", alert(1)), *odd, None):
        producer.produce(TOPIC, value, b"x")
    producer.flush()
    assert ledger(kafka).known(alert(1)["alert"]).state == State.sent
    assert capsys.readouterr().err.count("is passed over") == 6


def _with_state(state="waiting", **more):
    record = entry(2, time=BEGIN).record() | more
    record["channels"][0]["state"] = state
    return wire.encode("Delivery", record)


def test_without_the_topic_it_says_what_to_do(kafka):
    kafka.say_of(TOPIC, 3)
    with pytest.raises(UserError, match="weir topics apply"):
        ledger(kafka)


def put(kafka, delivery):
    producer = Producer(kafka.options)
    producer.produce(TOPIC, wire.encode("Delivery", delivery.record()), delivery.alert.encode())
    producer.flush()


# --- the inbox -------------------------------------------------------------------------------------------


def publish(kafka, *alerts):
    producer = Producer(kafka.options)
    for each in alerts:
        at = int(each["decided_at"].timestamp() * 1000)
        producer.produce(ALERTS, wire.encode("Alert", each), each["alert"].encode(), timestamp=at)
    producer.flush()


def fetched(inbox, number):
    found = []
    for _ in range(20):
        found += inbox.fetch(number - len(found), 1)
        if len(found) == number:
            return found
    raise AssertionError(f"{len(found)} of {number} came")


def test_the_inbox_commits_only_what_is_done_before_all_that_is_open(kafka):
    publish(kafka, *(alert(n) for n in range(4)))
    inbox = KafkaInbox(kafka.options)
    places = [place for place, _ in fetched(inbox, 4)]
    inbox.done(places[0])
    inbox.done(places[2])
    inbox.commit()
    again = KafkaInbox(kafka.options)
    assert [place for place, _ in fetched(again, 3)] == places[1:]
    for place in places[1:]:
        again.done(place)
    again.commit()
    publish(kafka, alert(9))
    (last,) = fetched(KafkaInbox(kafka.options), 1)
    assert wire.decode(last[1])[1]["unit"] == "demo/9"


class ByTime:
    """A consumer whose broker finds offsets by time, which the mock cluster does not."""

    def __init__(self, consumer, offset):
        self._consumer, self._offset = consumer, offset

    def __getattr__(self, name):
        return getattr(self._consumer, name)

    def offsets_for_times(self, places, timeout):
        self.asked = [each.offset for each in places]
        return [TopicPartition(each.topic, each.partition, self._offset) for each in places]


def test_the_inbox_reads_again_what_was_decided_since(kafka):
    publish(kafka, *(alert(n) for n in range(5)))
    inbox = KafkaInbox(kafka.options)
    for place, _ in fetched(inbox, 5):
        inbox.done(place)
    inbox.commit()
    inbox = KafkaInbox(kafka.options)
    inbox._consumer = ByTime(inbox._consumer, 3)
    inbox.rewind(BEGIN)
    assert inbox._consumer.asked == [(BEGIN - timedelta(minutes=10)).timestamp() * 1000]
    assert [place.offset for place, _ in fetched(inbox, 2)] == [3, 4]
    inbox.rewind(datetime.min.replace(tzinfo=UTC))  # -1 would be the end of the topic
    assert inbox._consumer.asked[-1] == 0


def test_progress_is_the_first_open_offset():
    progress = Progress(5)
    assert progress.done_up_to == 5
    for offset in (5, 6, 9):
        progress.fetched(offset)
    assert progress.done_up_to == 5
    progress.done(5)
    assert progress.done_up_to == 6
    progress.done(9)
    progress.done(6)
    assert progress.done_up_to == 10
    assert Place(0, 1) < Place(0, 2)
