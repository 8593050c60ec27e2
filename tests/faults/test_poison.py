"""Messages that no job can take, beyond those of e2e/test_bad_input.py: too large and too many ones (F10)."""

import io
import json
import os
import struct

import fastavro
import pytest
from clients import unread
from confluent_kafka import KafkaError, Producer, TopicPartition
from confluent_kafka.admin import AdminClient
from fastavro.schema import fingerprint, to_parsing_canonical_form
from weir import wire
from weir.admin import pipeline_events
from weir.schemas_dir import SCHEMAS
from weir_embedded import pipeline

from .cluster import is_as_declared, program_with, restarts

TOPIC = "weir.job.manifest"
# What unpacks to so many MiB, of zeros, travels in a batch that the broker takes.
MIB = {"zstd": 600, "gzip": 600, "lz4": 200, "snappy": 15}
KEPT = 64 << 10  # of a dead letter's bytes
STORM, MANY, BESIDE = 5_000, 20, 40


def manifest(cluster, job_id):
    """A look into the log directory that found no log."""
    return {
        "cluster": cluster,
        "job_id": job_id,
        "job_uid": None,
        "scan_time": 1_790_000_000_000_000,
        "final": True,
        "log_ids": [],
        "origin": "live",
    }


@pytest.fixture(scope="module")
def send(stack):
    """Publish by key, and pairs of key and message, to a partition; gives (error, offset) of each."""

    def send(by_key, *pairs, topic=TOPIC, partition=0, codec="zstd"):
        limits = {"message.max.bytes": 1_000_000_000, "queue.buffering.max.kbytes": 2_000_000}
        producer = Producer({**stack.kafka, **limits, "compression.type": codec})
        answers = []
        for key, message in [*by_key.items(), *pairs]:
            producer.produce(
                topic, message, key, partition, on_delivery=lambda e, m: answers.append((e, m.offset()))
            )
        producer.flush()
        return answers

    return send


@pytest.fixture(scope="module")
def landed(sql):
    """Job ids of a cluster's manifests."""

    def landed(cluster):
        rows = sql.rows("SELECT job_id FROM job_manifests WHERE cluster = {c:String}", c=cluster)
        return sorted(row["job_id"] for row in rows)

    return landed


def test_50_mb_are_refused_where_they_are_sent(send):
    ((error, _),) = send({"large": os.urandom(50 << 20)})
    assert error.code() == KafkaError.MSG_SIZE_TOO_LARGE


@pytest.mark.parametrize("codec", MIB)
def test_a_bomb_is_a_dead_letter_between_unharmed_neighbors(stack, send, sql, landed, eventually, codec):
    started = restarts(stack)
    before, after = (wire.encode("JobManifest", manifest(codec, job_id)) for job_id in (1, 2))
    bomb = bytes(MIB[codec] << 20)
    answers = send({"before": before, "bomb": bomb, "after": after}, codec=codec)
    assert [error for error, _ in answers] == [None, None, None]
    eventually(lambda: landed(codec) == [1, 2])
    letters = "SELECT * FROM dead_letters WHERE topic = {t:String} AND partition = 0 AND offset = {o:UInt64}"
    (letter,) = eventually(lambda: sql.rows(letters, t=TOPIC, o=answers[1][1]))
    assert letter["source"] == "job-analysis"
    assert "bytes when unpacked" in letter["reason"]
    assert len(letter["bytes"]) == KEPT
    assert restarts(stack) == started


# A message with such a name is taken. What a job would say of it, with the name in key and value, is not.
LONG = "n" * 900_000
SECOND = 1_790_000_000_000_000
SUBMIT = {
    **dict.fromkeys(("array_id", "array_index", "user", "uid", "account", "partition", "qos", "exit_code")),
    **dict.fromkeys(("exit_signal", "start_time", "end_time", "nodes", "cpus", "time_limit_seconds")),
    "cluster": "long",
    "job_id": 1,
    "job_uid": "0" * 32,
    "job_display_id": "1",
    "job_name": "",
    "origin": "live",
    "state": "RUNNING",
    "state_rank": 2,
    "submit_time": SECOND,
    "node_list": "",
    "version": 1,
}
SAMPLE = {
    "cluster": "long",
    "server": "oss1",
    "time": SECOND,
    "interval_seconds": 10.0,
    "cumulative": False,
    "boot_id": None,
    "device_ids": ["a"],
    "device_names": ["sda"],
    "columns": ["reads"],
    "origin": "live",
    "values": struct.pack("<d", 1.0),
}


@pytest.mark.parametrize(
    ("topic", "record"),
    [
        (TOPIC, manifest(LONG, 1)),
        (TOPIC, manifest(LONG, 1) | {"scan_time": -1}),
        ("weir.scheduler.job", SUBMIT | {"user": LONG}),
        ("weir.scheduler.job", SUBMIT | {"state": LONG, "state_rank": 9}),
        ("weir.device.sample", SAMPLE | {"server": LONG}),
        ("weir.device.sample", SAMPLE | {"device_ids": [LONG]}),
        ("weir.device.sample", SAMPLE | {"columns": [LONG]}),
    ],
    ids=["cluster", "refused cluster", "user", "refused state", "server", "device", "column"],
)
def test_a_name_of_nearly_a_megabyte_is_a_dead_letter_and_stops_no_job(
    stack, send, sql, landed, eventually, topic, record
):
    before = restarts(stack)
    schema = {TOPIC: "JobManifest", "weir.scheduler.job": "SchedulerJob"}.get(topic, "DeviceSample")
    ((error, offset),) = send({"long": wire.encode(schema, record)}, topic=topic)
    assert error is None
    letters = (
        "SELECT reason FROM dead_letters WHERE topic = {t:String} AND partition = 0 AND offset = {o:UInt64}"
    )
    (letter,) = eventually(lambda: sql.rows(letters, t=topic, o=offset))
    assert len(letter["reason"]) < 5_000
    send({"after": wire.encode("JobManifest", manifest(f"after {topic}", 1))})
    eventually(lambda: landed(f"after {topic}") == [1])
    assert restarts(stack) == before


@pytest.fixture(scope="module")
def newer(tmp_path_factory):
    """(encode a manifest as a newer producer does, folder with what a newer job has for it)."""
    schema = json.loads((SCHEMAS / "avro/JobManifest.avsc").read_text())
    schema["fields"].append({"name": "node", "type": "string", "default": ""})
    folder = tmp_path_factory.mktemp("newer")
    history = folder / "org/weir/wire/history/JobManifest"
    history.mkdir(parents=True)
    (history / "2.avsc").write_text(json.dumps(schema))
    parsed = fastavro.parse_schema(schema)
    mark = bytes.fromhex(fingerprint(to_parsing_canonical_form(parsed), "CRC-64-AVRO"))

    def encode(record):
        out = io.BytesIO()
        fastavro.schemaless_writer(out, parsed, record | {"node": "login1"})
        return b"\xc3\x01" + mark + out.getvalue()

    return encode, folder


def test_a_partition_ahead_of_the_job_pauses_until_a_job_knows_its_schema_and_nothing_is_lost(
    stack, send, sql, landed, newer, eventually
):
    encode, mended = newer
    before = restarts(stack)
    newer_ones = {f"ahead/{job_id}": encode(manifest("ahead", job_id)) for job_id in range(MANY)}
    older_ones = {
        f"ahead/{MANY + job_id}": wire.encode("JobManifest", manifest("ahead", MANY + job_id))
        for job_id in range(BESIDE)
    }
    send(newer_ones)
    paused = "SELECT offset FROM dead_letters WHERE topic = {t:String} AND reason LIKE '%pauses at offset%'"
    eventually(lambda: sql.rows(paused, t=TOPIC))
    behind = send(older_ones)  # the pause; and what goes on meanwhile
    beside = {"beside/1": wire.encode("JobManifest", manifest("beside", 1))}
    send(beside, partition=1)
    eventually(lambda: landed("beside") == [1])
    assert landed("ahead") == []
    eventually(lambda: (unread(stack.kafka, "weir-job-analysis") or 0) >= BESIDE)
    assert {job: n for job, n in pipeline.look(stack).paused.items() if n} == {"job-analysis": 1}
    assert restarts(stack) == before
    eventually(lambda: ("paused", "job-analysis") in pipeline_events.lasting(stack.kafka))

    with program_with(stack, "job-analysis", mended):
        eventually(lambda: landed("ahead") == list(range(MANY + BESIDE)))
        eventually(lambda: ("paused", "job-analysis") not in pipeline_events.lasting(stack.kafka))
    eventually(lambda: is_as_declared(stack))
    # A job that reads all again without that program, as another test lets it, would pause there once more.
    end = TopicPartition(TOPIC, 0, max(offset for _, offset in behind) + 1)
    admin = AdminClient(stack.kafka)  # answers only as long as it is there
    admin.delete_records([end])[TopicPartition(TOPIC, 0)].result(60)


def test_a_source_of_garbage_is_in_quarantine_and_stops_nobody(stack, send, sql, landed, eventually):
    before = restarts(stack)
    good = {
        f"garbage/{job_id}": wire.encode("JobManifest", manifest("garbage", job_id))
        for job_id in range(BESIDE)
    }
    first = min(offset for _, offset in send({}, *((b"bad", b"garbage") for _ in range(STORM))))
    send(good)
    eventually(lambda: landed("garbage") == list(range(BESIDE)))
    letters = (
        "SELECT key, messages FROM dead_letters "
        "WHERE topic = {t:String} AND offset >= {o:UInt64} AND partition = 0"
    )
    found = eventually(lambda: [row for row in sql.rows(letters, t=TOPIC, o=first) if row["messages"] > 1])
    assert {row["key"] for row in found} == {"bad"}
    assert len(sql.rows(letters, t=TOPIC, o=first)) < STORM / 10
    assert restarts(stack) == before
