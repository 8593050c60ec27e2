"""Whatever lies on a control topic, what is good there stays in use, and each command works on."""

import json
import random

import mock_kafka
import pytest
from confluent_kafka import Producer
from weir import documents, wire
from weir.admin import reference

TOPIC = "weir.site"
SITE = {"cluster": "demo", "time_zone": "Europe/Berlin"}
CONTENT = json.dumps(SITE)
HUGE = "feffffff0f"  # the length 2^31 - 1


def published(key="demo", revision=7, content=CONTENT):
    return wire.encode("Published", {"id": key, "revision": revision, "content": content})


def garbage():
    """(key, value) of messages that are no publication of a site."""
    good = published()
    yield "demo", b""
    yield "demo", b"garbage"
    yield "demo", good[:10] + bytes.fromhex(HUGE)
    yield "demo", good[:-1]
    yield "demo", good + b"\0"
    yield "demo", good[:11] + b"\xff\xfe" + good[13:]
    yield "demo", wire.encode("JobManifest", manifest())
    yield "demo", published(content="[1, 2]")
    yield "demo", published(content="{")
    yield "demo", published(content="[" * 200_000)
    yield "demo", published(content='{"time_zone": "Nowhere/At_All"}')
    yield "demo", published(content='{"time_zone": ["UTC"]}')
    yield "demo", published(revision=2**31 - 1)
    yield "demo", published(revision=-1)
    yield "demo", published(key="other")
    yield "\udcff", published()
    chance = random.Random(1)
    for _ in range(200):
        flipped = bytearray(good)
        flipped[chance.randrange(10, 30)] ^= 1 << chance.randrange(8)
        if bytes(flipped) != good:
            yield f"x{chance.random()}", bytes(flipped)


def manifest():
    return {
        "cluster": "demo",
        "job_id": 1,
        "job_uid": None,
        "scan_time": 1,
        "final": True,
        "log_ids": [],
        "origin": "live",
    }


@pytest.fixture(scope="module")
def topic():
    with mock_kafka.running() as kafka:
        producer = Producer(kafka.options)
        producer.produce(TOPIC, published(revision=3), "demo")
        for key, value in garbage():
            producer.produce(TOPIC, value, key.encode(errors="surrogateescape"))
        producer.flush()
        yield kafka


def test_what_was_in_force_stays_and_the_rest_is_reported_with_its_place(topic, capsys):
    sites = documents.in_force(topic.options, TOPIC)
    assert sites["demo"]["revision"] == 3
    assert set(sites) == {"demo"}
    told = capsys.readouterr().err.splitlines()
    assert len(told) == len(list(garbage()))
    assert all(line.startswith(f"{TOPIC}/") and " is passed over: " in line for line in told)


def test_the_reference_rates_know_the_time_zone(topic):
    assert [*reference.zones(topic.options)] == ["demo"]


def test_a_site_can_be_published_after_it(topic):
    assert documents.publish(topic.options, TOPIC, "demo", SITE | {"servers": []}) == (4, True)
    assert documents.in_force(topic.options, TOPIC)["demo"]["revision"] == 4
