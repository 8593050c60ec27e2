"""A simulated center in every situation, against its own ledger: sent at random, twice and late; in another
order, which must make no difference; and once more as a back-fill (F13, F14, F15, F21, F22, F25).
"""

import time
from collections import Counter, defaultdict

import pytest

from sim import views
from sim.center import UNTOLD, Center
from sim.schedule import Schedule

JOBS = 500
BASE = int(time.time()) // 86_400 * 86_400 - 1_200  # the samples pass over midnight
RANDOM = Schedule(order="random", duplicates=0.1, late=0.05, late_seconds=7200, rate=400)
# the scheduler's records come after everything else, the last state first
JOBS_LAST = Schedule(
    2,
    order_of={"weir.scheduler.job": "reversed"},
    delays={"weir.scheduler.job": 400 * 86_400.0},
    duplicates=0.3,
    rate=400,
)


@pytest.fixture(scope="module")
def send(stack, sql, drained):
    """Publish a center by a schedule, and wait until nothing more is awaited."""

    def send(cluster, schedule, origin="live"):
        center = Center(cluster, jobs=JOBS, base=BASE, origin=origin)
        views.send(center, schedule, stack)
        views.await_rest(center, stack, sql, drained)
        return center

    return send


@pytest.fixture(scope="module")
def center(send):
    return send("sim-random", RANDOM)


@pytest.fixture(scope="module")
def truth(center):
    return center.truth()


@pytest.fixture(scope="module")
def published(center):
    """Table -> rows that were published, duplicates apart."""
    rows = Counter()
    for message in center.messages():
        rows[message.table] += message.rows
    del rows[""]
    return rows


def test_runs_are_those_of_the_ledger(center, truth, sql):
    assert views.differences(truth.runs, views.runs(sql, center.cluster)) == []


def test_findings_are_those_that_were_planted(center, truth, sql):
    """Precision and recall by kind of program: both are 1."""
    rows = sql.rows("SELECT log_id, rule_id FROM findings WHERE cluster = {c:String}", c=center.cluster)
    found = defaultdict(set)
    for row in rows:
        found[row["log_id"]].add(row["rule_id"])
    wrong = defaultdict(Counter)
    told = 0
    for log_id, run in truth.runs.items():
        if run.findings != UNTOLD:
            told += len(run.findings)
            wrong[run.kind].update(f"false {rule}" for rule in found[log_id] - run.findings)
            wrong[run.kind].update(f"missed {rule}" for rule in run.findings - found[log_id])
    assert {kind: counts for kind, counts in wrong.items() if counts} == {}
    assert told > JOBS / 2
    assert len(rows) == len({(row["log_id"], row["rule_id"]) for row in rows})


def test_jobs_are_those_of_the_ledger(center, truth, sql):
    assert views.differences(truth.jobs, views.jobs(sql, center.cluster)) == []


def test_every_row_is_there_once(center, published, sql):
    for table, count in published.items():
        assert (
            table,
            sql.one(f"SELECT count() FROM {table} WHERE cluster = {{c:String}}", c=center.cluster),
        ) == (
            table,
            count,
        )
    looks = sql.one("SELECT count() FROM job_manifests WHERE cluster = {c:String}", c=center.cluster)
    assert looks == center.truth().manifests
    assert sql.one("SELECT count() FROM dead_letters WHERE cluster = {c:String}", c=center.cluster) == 0


def test_load_is_what_the_servers_measured(center, truth, sql):
    expected = {
        key: (bucket.bytes_read, bucket.bytes_written, bucket.servers, bucket.util_max)
        for key, bucket in truth.load.items()
    }
    assert views.filesystem_load(sql, center.cluster) == expected


def test_another_order_makes_no_difference(center, send, sql):
    other = send("sim-jobs-last", JOBS_LAST)
    assert views.differences(other.truth().runs, views.runs(sql, other.cluster)) == []
    sums, others = views.checksums(sql, center), views.checksums(sql, other)
    # told of while the ticks come: where those of a server come at random, its silence cannot be seen
    del sums["storage_events"], others["storage_events"]
    assert others == sums


def test_a_backfill_over_what_came_live_changes_nothing(center, send, sql):
    before = views.checksums(sql, center)
    send(center.cluster, Schedule(3, order="random", rate=600), origin="backfill")
    assert views.checksums(sql, center) == before
