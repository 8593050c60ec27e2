"""`make demo` on a stack that has seen other things: FRESH=1 begins anew, and once more changes nothing.

The last of its stack, as FRESH=1 takes the Flink jobs' state.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from clients import CLUSTER, clickhouse

# By pydarshan, sacct and iostat: ingest/tests/test_replayer.py counts them
SENT = {
    "runs": 52,
    "file records": 17_839,
    "heatmap bins": 2_300,
    "Lustre stripes": 0,
    "jobs": 59,
    "manifests": 59,
    "device samples": 1_020,
    "dead letters": 0,
}
STRAY = "a user whom no record of the recording names"


@pytest.fixture(scope="module")
def demo(stack):
    """Run it; its table: what was sent and what landed by kind, and its other numbers."""
    program = Path(sys.executable).with_name("weir-stack")

    def demo(*words):
        command = [program, "demo", "--speed", "1000000", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        for address in (stack.superset_url, stack.clickhouse_url, stack.flink_url, stack.kafka_bootstrap):
            assert address in done.stdout
        return {
            kind: (int(sent), int(landed)) if sent else int(landed)
            for kind, sent, landed in re.findall(r"│ (\w[\w ]*?) +│ (\d*) +│ (\d+) +│", done.stdout)
        }

    return demo


@pytest.fixture(scope="module")
def stray(stack, center):
    """Beside the replayed recording a run of its cluster and one of another, which nobody sent."""
    client = clickhouse(stack, "migrator")
    for cluster in (CLUSTER, "neighbor"):
        client.insert(
            "runs_versions",
            [[cluster, f"stray of {cluster}", STRAY]],
            column_names=["cluster", "log_id", "user"],
        )


@pytest.fixture
def shift(stack):
    """Seconds by which the recorded times are moved now."""
    file = stack.data / f"weir/replay-{CLUSTER}.json"
    return lambda: json.loads(file.read_text())["shift_seconds"]


def test_fresh_begins_anew_and_once_more_doubles_nothing(demo, stray, shift, sql):
    query = "SELECT cluster FROM runs WHERE user = {u:String} ORDER BY cluster"
    assert [row["cluster"] for row in sql.rows(query, u=STRAY)] == [CLUSTER, "neighbor"]
    before = shift()
    fresh = demo("--fresh")
    assert {kind: fresh[kind] for kind in SENT} == {kind: (count, count) for kind, count in SENT.items()}
    assert fresh["settled job results"] == SENT["jobs"]
    assert [row["cluster"] for row in sql.rows(query, u=STRAY)] == ["neighbor"]
    chosen = shift()
    assert chosen > before, "the last event falls on the moment of the fresh demo"
    assert demo() == fresh
    assert shift() == chosen
