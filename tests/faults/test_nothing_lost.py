"""kill -9 of the parts that carry data during a replay: what was sent is there, once, and says the same."""

import subprocess

import psutil
import pytest
import yaml
from clients import CENTER
from weir_embedded import supervisor

CLUSTER = "killed"
PARTS = ("taskmanager", "clickhouse", "kafka", "jobmanager", "supervisor")
SPEED = 30  # the replay goes on while the parts are killed


@pytest.fixture(scope="module")
def copy(center, weir, tmp_path_factory):
    """The recorded center under another name, with logs of other identities."""
    folder = tmp_path_factory.mktemp(CLUSTER)
    for file in CENTER.rglob("*"):
        target = folder / file.relative_to(CENTER)
        if file.is_dir():
            target.mkdir()
        elif file.suffix == ".darshan":
            # bytes behind the log are not read, and make it another log
            target.write_bytes(file.read_bytes() + CLUSTER.encode())
        else:
            target.write_bytes(file.read_bytes())
    site = yaml.safe_load((CENTER / "site.yaml").read_text()) | {"cluster": CLUSTER}
    (folder / "site.yaml").write_text(yaml.safe_dump(site))
    (folder / "sacct.psv").write_text((CENTER / "sacct.psv").read_text().replace("labcluster", CLUSTER))
    weir("site", "publish", folder / "site.yaml")
    return folder


RUNS = """
SELECT
    job_id, exe, nprocs, run_time_seconds, bytes_read, bytes_written, io_time_seconds, verdict,
    arraySort(findings) AS rules
FROM runs WHERE cluster = {cluster:String}
ORDER BY job_id, run_time_seconds
"""
LOADS = """
SELECT filesystem, count() AS buckets, round(sum(bytes_written)) AS written, max(util_max) AS util
FROM filesystem_load WHERE cluster = {cluster:String}
GROUP BY filesystem
ORDER BY filesystem
"""


def pid(stack, part):
    """0 while it does not run."""
    if part == "supervisor":
        return supervisor.api(stack).getPID() if supervisor.is_running(stack) else 0
    return supervisor.processes(stack)[part]["pid"]


def test_each_of_them_is_killed_and_nothing_is_lost_or_doubled(copy, weir, sql, stack, eventually, drained):
    replay = subprocess.Popen(
        [weir.program, "replay", copy, "--speed", str(SPEED), "--wait", "600"],
        env=weir.env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    landed = "SELECT count() FROM device_samples WHERE cluster = 'killed'"
    eventually(lambda: sql.one(landed) > 0)
    for part in PARTS:
        assert replay.poll() is None, "the replay ended before every part was killed"
        killed = pid(stack, part)
        psutil.Process(killed).kill()
        eventually(lambda part=part, killed=killed: pid(stack, part) not in (0, killed))
    told, _ = replay.communicate(timeout=900)
    assert replay.returncode == 0, told
    drained()
    for rows in (RUNS, LOADS):
        assert sql.rows(rows, cluster=CLUSTER) == sql.rows(rows, cluster="labcluster")
