"""The publisher before a broker that refuses: a message for good, or all of a topic for now."""

import mock_kafka
import pytest
from confluent_kafka import KafkaError, KafkaException
from weir.kafka import ALONE, Publisher

TOPIC, OTHER = "weir.darshan.log", "weir.job.manifest"
TOO_LARGE = KafkaError.MSG_SIZE_TOO_LARGE


@pytest.fixture
def kafka():
    with mock_kafka.running() as kafka:
        kafka.make(TOPIC)
        kafka.make(OTHER)
        yield kafka


@pytest.fixture
def publisher(kafka):
    """One that makes a batch of what comes within a tenth of a second."""
    publisher = Publisher({**kafka.options, "linger.ms": "100"}, "live")
    publisher.put(OTHER, "first", b"")  # Kafka's leaders are known from here on
    publisher.flush()
    return publisher


def values(kafka, topic=TOPIC):
    return [value for _, value in kafka.messages(topic)]


def test_a_batch_that_is_refused_for_one_of_its_messages_costs_that_one_alone(kafka, publisher):
    kafka.answer(TOO_LARGE, 0, TOO_LARGE, 0)
    for key in "abc":
        publisher.put(TOPIC, key, key.encode())
    refused = publisher.settle()
    assert {place: error.code() for place, error in refused.items()} == {(TOPIC, "b"): TOO_LARGE}
    assert refused[TOPIC, "b"].str().startswith(f"{TOPIC}: ")
    assert values(kafka) == [b"a", b"c"]
    assert publisher.settle() == {}
    publisher.put(TOPIC, "d", b"d")
    publisher.flush()
    assert values(kafka) == [b"a", b"c", b"d"]


def test_what_the_producer_itself_may_not_send_is_refused_and_its_neighbors_go(kafka, publisher):
    publisher.put(TOPIC, "a", b"a")
    publisher.put(TOPIC, "b", bytes(2 << 20))
    publisher.put(TOPIC, "c", b"c")
    assert list(publisher.settle()) == [(TOPIC, "b")]
    assert values(kafka) == [b"a", b"c"]


def test_no_more_than_a_few_messages_are_held_to_be_sent_alone(kafka, publisher):
    for number in range(3):
        kafka.answer(TOO_LARGE)
        for key in range(ALONE):
            publisher.put(TOPIC, str(key), b"%d" % number)
        publisher._wait()
        publisher.put(OTHER, "more", b"")
        assert publisher._doubtful == []
    assert publisher.settle() == {}
    assert len(values(kafka)) == 3 * ALONE


@pytest.mark.parametrize("code", [KafkaError.TOPIC_AUTHORIZATION_FAILED, KafkaError.INVALID_TIMESTAMP])
def test_what_an_administrator_mends_is_no_refusal_of_a_message(kafka, publisher, code):
    kafka.answer(code)
    publisher.put(TOPIC, "a", b"a")
    with pytest.raises(KafkaException) as raised:
        publisher.settle()
    assert raised.value.args[0].code() == code
    assert raised.value.args[0].str().startswith(f"{TOPIC}: ")
    with Publisher(kafka.options, "live") as another:
        another.put(TOPIC, "a", b"a")
    assert values(kafka) == [b"a"]


def test_flush_raises_what_was_refused(kafka, publisher):
    publisher.put(TOPIC, "b", bytes(2 << 20))
    with pytest.raises(KafkaException):
        publisher.flush()
    publisher.flush()
