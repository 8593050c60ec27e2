"""kill -9 of the TaskManager, three times, and of the JobManager, while a center is published steadily: the
jobs run again within a minute and the views say what the ledger says (F5).

Each is killed when rows have been inserted that no checkpoint covers. They are inserted again, in batches of
other rows, and the views still have them once (F6).
"""

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import psutil
import pytest
from clients import clickhouse
from sim import views
from sim.schedule import steadily
from weir_embedded import supervisor
from weir_keeper import JobState, checkpoints, declared_jobs, newest_complete

from .cluster import run_since

KILLED = ("taskmanager", "taskmanager", "taskmanager", "jobmanager")
TABLE = "device_samples_versions"
# On cores of the usual speed, of which one does so many ADDITIONS in USUAL_SECONDS of processor time:
RATE = 10  # messages a second: the center outlasts four recoveries that take as long as they may
BOUND_SECONDS = 60  # until the jobs run again
ADDITIONS = 5_000_000
USUAL_SECONDS = 0.3


def slowness():
    """How many times slower than usual a core is now, at least 1.

    Not what else runs here, but what a busy host leaves of its cores: a recovery is mostly JVMs that start.
    """
    began, total = time.thread_time(), 0
    for number in range(ADDITIONS):
        total += number
    return max(1.0, (time.thread_time() - began) / USUAL_SECONDS)


@pytest.fixture(scope="module")
def unmerged(stack):
    """Rows that were inserted twice stay to be counted."""
    migrator = clickhouse(stack, "migrator")
    migrator.command(f"SYSTEM STOP MERGES {TABLE}")
    yield
    migrator.command(f"SYSTEM START MERGES {TABLE}")


@pytest.fixture(scope="module")
def inserted(sql):
    """(rows of a cluster, those among them that were there already)."""

    def inserted(cluster):
        (row,) = sql.rows(
            f"SELECT count() AS rows, rows - uniqExact(device_id, time) AS again FROM {TABLE} "
            "WHERE cluster = {c:String}",
            c=cluster,
        )
        return row["rows"], row["again"]

    return inserted


def newest_checkpoints(stack):
    states = [JobState.load(stack, job.name) for job in declared_jobs(stack)]
    return [newest_complete([checkpoints(stack) / state.job_id]) for state in states]


def test_killed_again_and_again_under_load_nothing_is_lost_or_doubled(
    simulation, stack, sql, drained, eventually, unmerged, inserted, tell
):
    center = simulation("sim-killed")
    now = slowness()
    rate = RATE / now

    def rows_beyond_the_checkpoint():
        checkpoints, (rows, _) = newest_checkpoints(stack), inserted(center.cluster)
        eventually(lambda: inserted(center.cluster)[0] > rows)
        return newest_checkpoints(stack) == checkpoints

    views.publish_site(center, stack)
    over = Event()
    with ThreadPoolExecutor(1) as beside:
        sending = beside.submit(views.put, center, steadily(center.messages(), rate, over), stack)
        try:
            for part in KILLED:
                eventually(rows_beyond_the_checkpoint)
                assert not sending.done(), "the center was published before every part was killed"
                _, again = inserted(center.cluster)
                killed_at = time.time()
                psutil.Process(supervisor.processes(stack)[part]["pid"]).kill()
                eventually(lambda killed_at=killed_at: run_since(stack, killed_at))
                seconds, before, now = time.time() - killed_at, now, slowness()
                bound = BOUND_SECONDS * max(before, now)
                tell(f"{part} killed, jobs run again after {seconds:.1f} of {bound:.0f} s")
                assert seconds < bound
                eventually(lambda again=again: inserted(center.cluster)[1] > again)
        finally:
            over.set()
    sending.result()
    views.await_rest(center, stack, sql, drained)
    rows, again = inserted(center.cluster)
    tell(f"{again} of {rows} rows of {TABLE} were inserted twice")
    assert views.wrong(center, sql) == []
