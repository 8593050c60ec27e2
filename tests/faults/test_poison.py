"""Messages that no job can take, beyond those of e2e/test_bad_input.py: too large ones, and a storm (F10)."""

import io
import json
import os
import subprocess

import fastavro
import psutil
import pytest
from confluent_kafka import KafkaError, Producer
from fastavro.schema import fingerprint, to_parsing_canonical_form
from weir import wire
from weir.schemas_dir import SCHEMAS
from weir_embedded import programs, status, supervisor
from weir_keeper import JobState
from weir_keeper.keeper import resume

from .cluster import is_as_declared, program_with

TOPIC = "weir.job.manifest"
LARGE = 50 << 20
KEPT = 64 << 10  # of a dead letter's bytes
STORM, BESIDE = 260, 40


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
    """Publish to one partition, so that one subtask reads all; gives (error, offset) of each."""
    producer = Producer(
        {
            **stack.kafka,
            "compression.type": "zstd",
            "message.max.bytes": 2 * LARGE,
        }
    )

    def send(*messages):
        answers = []
        for message in messages:
            producer.produce(
                TOPIC, message, partition=0, on_delivery=lambda e, m: answers.append((e, m.offset()))
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
    ((error, _),) = send(os.urandom(LARGE))
    assert error.code() == KafkaError.MSG_SIZE_TOO_LARGE


def test_50_mb_that_travel_compressed_are_a_dead_letter_between_unharmed_neighbours(
    send, sql, landed, eventually
):
    before, after = (wire.encode("JobManifest", manifest("large", job_id)) for job_id in (1, 2))
    (_, (error, offset), _) = send(before, b"\0" * LARGE, after)
    assert error is None
    eventually(lambda: landed("large") == [1, 2])
    letters = "SELECT * FROM dead_letters WHERE topic = {t:String} AND partition = 0 AND offset = {o:UInt64}"
    (letter,) = eventually(lambda: sql.rows(letters, t=TOPIC, o=offset))
    assert letter["source"] == "job-analysis"
    assert str(LARGE) in letter["reason"]
    assert len(letter["bytes"]) == KEPT


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


def test_a_storm_ends_the_job_until_it_is_mended_and_resumed_and_nothing_is_lost(
    stack, weir_stack, send, landed, newer, eventually
):
    encode, mended = newer
    state = JobState.load(stack, "job-analysis")

    def problem():
        return JobState.load(stack, "job-analysis").problem

    newer_ones = [encode(manifest("storm", job_id)) for job_id in range(STORM)]
    others = [wire.encode("JobManifest", manifest("storm", STORM + job_id)) for job_id in range(BESIDE)]
    step = STORM // BESIDE
    mixed = [
        message for i, each in enumerate(others) for message in (*newer_ones[step * i : step * (i + 1)], each)
    ]
    send(*mixed, *newer_ones[step * BESIDE :])
    told = eventually(problem)
    assert told.startswith("FAILED: ")
    assert f"consecutive messages of {TOPIC} were refused" in told
    assert told in [row.state for row in status.rows(stack)]
    assert subprocess.run([stack.venv / "bin/weir-stack", "status"], check=False).returncode == 3

    # it stays down, also when the keeper is started again, and the other job does not mind
    keeper = supervisor.processes(stack)["jobs"]["pid"]
    psutil.Process(keeper).kill()
    eventually(lambda: supervisor.processes(stack)["jobs"]["pid"] not in (0, keeper))
    assert JobState.load(stack, "storage-analysis").problem == ""
    late = wire.encode("JobManifest", manifest("storm", STORM + BESIDE))
    send(late)

    # resumed as it is, it ends the same way: what it cannot read is not passed over
    weir_stack("resume", "job-analysis")
    assert f"consecutive messages of {TOPIC} were refused" in eventually(problem)
    with program_with(stack, "job-analysis", mended):
        resume(stack, "job-analysis")
        eventually(lambda: is_as_declared(stack))
        eventually(lambda: landed("storm") == list(range(STORM + BESIDE + 1)))
        assert JobState.load(stack, "job-analysis").generation == state.generation + 2
    eventually(lambda: is_as_declared(stack))


def test_a_storm_of_garbage_is_passed_over_when_told_so(
    stack, weir_stack, send, sql, landed, drained, eventually
):
    good = [wire.encode("JobManifest", manifest("garbage", job_id)) for job_id in range(BESIDE)]
    before = max(offset for _, offset in send(good[0]))
    answers = send(*(b"garbage" for _ in range(STORM)), *good)
    assert not any(error for error, _ in answers)
    eventually(lambda: JobState.load(stack, "job-analysis").problem)
    weir_stack("resume", "job-analysis", storms="pass")
    eventually(lambda: landed("garbage") == list(range(BESIDE)))
    letters = "SELECT count() AS n FROM dead_letters WHERE topic = {t:String} AND offset > {o:UInt64}"
    eventually(lambda: sql.rows(letters, t=TOPIC, o=before) == [{"n": STORM}])
    drained()  # a checkpoint lies behind the garbage
    programs.install(stack)
    eventually(lambda: is_as_declared(stack))
