"""What travels small and unpacks large, sent to a broker as the stack starts it (F10)."""

import subprocess
import time

import pytest
from confluent_kafka import KafkaError, Producer
from weir import topics
from weir.kafka import read_to_end
from weir_embedded.parts import kafka
from weir_embedded.parts.part import NotReady
from weir_embedded.settings import Stack

TOPIC = "weir.site"
# What unpacks to so many MiB, of zeros, travels in a batch that the broker takes.
MIB = {"zstd": 600, "gzip": 600, "lz4": 200, "snappy": 15}


@pytest.fixture(scope="module")
def broker(tmp_path_factory):
    """(settings, process) of a broker with Weir's topics, beside no other part."""
    stack = Stack(home=tmp_path_factory.mktemp("broker"), packages=Stack().packages, port_offset=5000)
    for folder in (stack.conf, stack.data):
        folder.mkdir()
    kafka.prepare(stack)
    with (
        (stack.home / "log").open("wb") as log,
        subprocess.Popen(kafka.part(stack).argv, stdout=log, stderr=log) as process,
    ):
        try:
            wait(stack, process)
            list(topics.apply(stack.kafka))
            yield stack, process
        finally:
            process.kill()


def wait(stack, process):
    deadline = time.monotonic() + 60
    while True:
        try:
            return kafka.check(stack)
        except NotReady:
            assert process.poll() is None, (stack.home / "log").read_text()
            assert time.monotonic() < deadline
            time.sleep(0.2)


def send(stack, codec, *messages):
    """Publish each as a batch of its own, in one partition; the error of each."""
    limits = {"message.max.bytes": 1_000_000_000, "queue.buffering.max.kbytes": 2_000_000}
    producer = Producer({**stack.kafka, **limits, "compression.type": codec})
    errors = []
    for key, value in messages:
        producer.produce(TOPIC, value, key, 0, on_delivery=lambda error, _: errors.append(error))
        producer.flush()
    return errors


@pytest.mark.parametrize("codec", MIB)
def test_a_bomb_kills_neither_the_broker_nor_a_reader_in_python(broker, codec):
    stack, process = broker
    before, bomb, after = (f"{codec} {each}" for each in ("before", "bomb", "after"))
    zeros = bytes(MIB[codec] << 20)
    errors = send(stack, codec, (before, b"small"), (bomb, zeros), (after, b"small"))
    assert errors[0] is errors[2] is None
    assert errors[1] is None or errors[1].code() == KafkaError.MSG_SIZE_TOO_LARGE
    assert process.poll() is None
    found = read_to_end(stack.kafka, TOPIC)
    assert found[before] == found[after] == b"small"
