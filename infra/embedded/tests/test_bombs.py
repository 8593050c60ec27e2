"""What travels small and unpacks large, sent to a broker as the stack starts it (F10)."""

import socket
import struct
import time

import one_part
import pytest
from confluent_kafka import KafkaError, Producer
from weir.admin import topics
from weir.kafka import read_to_end
from weir_embedded import passwords
from weir_embedded.parts import kafka
from weir_embedded.settings import Stack
from weir_keeper import key

TOPIC = "weir.site"
# What unpacks to so many MiB, of zeros, travels in a batch that the broker takes.
MIB = {"zstd": 600, "gzip": 600, "lz4": 200, "snappy": 15}


@pytest.fixture(scope="module")
def broker(tmp_path_factory):
    """(settings, process) of a broker with Weir's topics, beside no other part."""
    stack = Stack(home=tmp_path_factory.mktemp("broker"), packages=Stack().packages, port_offset=5000)
    for folder in (stack.conf, stack.data):
        folder.mkdir()
    passwords.generate_missing(stack)
    kafka.prepare(stack)
    with one_part.running(stack, kafka.part(stack)) as process:
        topics.set_logins(kafka.by_key(stack), {"admin": stack.secret("kafka_admin").read_text()})
        list(topics.apply(stack.kafka))
        yield stack, process


def send(stack, codec, *messages):
    """Publish each as a batch of its own, in one partition; the error of each."""
    limits = {"message.max.bytes": 1_000_000_000, "queue.buffering.max.kbytes": 2_000_000}
    producer = Producer({**stack.kafka, **limits, "compression.type": codec})
    errors = []
    for name, value in messages:
        producer.produce(TOPIC, value, name, 0, on_delivery=lambda error, _: errors.append(error))
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
    for _ in range(3):  # the bomb is fetched more than once, as it happens
        found = read_to_end(stack.kafka, TOPIC)
        assert found[before] == found[after] == b"small"


SNAPPY = 2  # Kafka's number of the codec
CLAIMS = (2**31 - 1, 600 << 20, 300 << 20)


def crc32c(content):
    """The checksum of a batch."""
    crc = 0xFFFFFFFF
    for byte in content:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def produce(stack, payload):
    """Send one batch whose compressed records are these bytes, as no client does; Kafka's error code."""
    now = int(time.time() * 1000)
    rest = struct.pack(">hiqqqhii", SNAPPY, 0, now, now, -1, -1, -1, 1) + payload
    batch = struct.pack(">ibI", -1, 2, crc32c(rest)) + rest
    batch = struct.pack(">qi", 0, len(batch)) + batch
    head = struct.pack(">hhihhhi", 0, 3, 1, -1, -1, 1, 30_000)
    topic = struct.pack(">ih", 1, len(TOPIC)) + TOPIC.encode()
    request = head + topic + struct.pack(">iii", 1, 0, len(batch)) + batch
    address = ("127.0.0.1", stack.ports["kafka_internal"])
    with (
        socket.create_connection(address, timeout=60) as plain,
        key.context(stack.kafka_key).wrap_socket(plain) as broker,
    ):
        broker.sendall(struct.pack(">i", len(request)) + request)
        answer = broker.makefile("rb").read(4 + 4 + 4 + 2 + len(TOPIC) + 4 + 4 + 2)
    return struct.unpack(">h", answer[-2:])[0]


def test_snappy_that_claims_gigabytes_is_refused_and_the_broker_lives(broker):
    stack, process = broker
    send(stack, "none", ("before claims", b"small"))
    for claim in CLAIMS:
        length = bytes((claim >> 7 * n) & 127 | 128 * (n < 4) for n in range(5))
        bare = length + b"\0a"
        framed = b"\x82SNAPPY\0" + struct.pack(">iii", 1, 1, len(bare)) + bare
        assert produce(stack, bare) != 0
        assert produce(stack, framed) != 0
    assert process.poll() is None
    kafka.check(stack)
    assert read_to_end(stack.kafka, TOPIC)["before claims"] == b"small"
