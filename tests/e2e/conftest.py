"""The recorded center, replayed once into the running test stack; and what independent tools say of it."""

import json
import os
import subprocess
from pathlib import Path

import clickhouse_connect
import httpx
import pytest
from tenacity import Retrying, retry_if_not_result, stop_after_delay, wait_fixed
from weir_embedded import status
from weir_embedded.jobs import JobState, declared_jobs

CENTER = Path(__file__).parents[1] / "data/center"
CLUSTER = "labcluster"


class Weir:
    """The `weir` command against one stack."""

    def __init__(self, stack):
        self._env = os.environ | {"WEIR_CONFIG": str(stack.weir_config)}
        self._program = stack.venv / "bin/weir"

    def __call__(self, *arguments, code=0):
        done = subprocess.run(
            [self._program, *map(str, arguments)], env=self._env, capture_output=True, text=True, check=False
        )
        assert done.returncode == code, f"weir {arguments}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr


class Sql:
    """Queries as the reader's login."""

    def __init__(self, stack):
        self._client = clickhouse_connect.get_client(
            dsn=stack.clickhouse_url,
            username="reader",
            password=stack.clickhouse_secret("reader").read_text().strip(),
            database="weir",
        )

    def rows(self, sql, **parameters):
        """Rows as dictionaries."""
        return list(self._client.query(sql, parameters=parameters).named_results())

    def one(self, sql, **parameters):
        """The only value of the only row."""
        ((value,),) = self._client.query(sql, parameters=parameters).result_rows
        return value


@pytest.fixture(scope="session")
def weir(stack):
    return Weir(stack)


@pytest.fixture(scope="session")
def sql(stack):
    return Sql(stack)


@pytest.fixture(scope="session")
def center(weir):
    """The recording has been replayed and everything has landed."""
    weir("topics", "apply")
    weir("migrate", "up")
    weir("site", "publish", CENTER / "site.yaml")
    weir("rules", "publish")
    weir("replay", CENTER, "--speed", "1000000", "--wait", "180")
    return CENTER


@pytest.fixture(scope="session")
def shift(center, stack):
    """Seconds by which recorded times were moved."""
    return json.loads((stack.data / f"weir/replay-{CLUSTER}.json").read_text())["shift_seconds"]


@pytest.fixture(scope="session")
def truths():
    files = sorted(CENTER.glob("darshan/*/*/truth.json"))
    return [(file.parent, json.loads(file.read_text())) for file in files]


@pytest.fixture(scope="session")
def eventually():
    """Call a condition until it gives something true, and give that; fail after a minute."""

    def wait(condition):
        policy = Retrying(retry=retry_if_not_result(bool), wait=wait_fixed(0.5), stop=stop_after_delay(60))
        return policy(condition)

    return wait


@pytest.fixture(scope="session")
def drained(stack, eventually):
    """Wait until the jobs have read all there is in Kafka and have written what they made of it."""

    def checkpoints():
        url = f"{stack.flink_url}/jobs/{{}}/checkpoints"
        states = [JobState.load(stack, job.name) for job in declared_jobs(stack)]
        return [httpx.get(url.format(s.job_id)).json()["counts"]["completed"] for s in states]

    def wait():
        groups = ("weir-storage-analysis", "weir-job-analysis")
        eventually(lambda: all(status.consumer_lag(stack, group) == 0 for group in groups))
        # a checkpoint that began after the offsets were committed: the sink waits less than that
        before = checkpoints()
        eventually(lambda: all(now >= then + 2 for now, then in zip(checkpoints(), before, strict=True)))

    return wait
