"""A simulated center in every situation, against its own ledger: sent at random, twice and late; in another
order, which must make no difference; and with a back-fill beside it, twice (F13, F14, F15, F21, F22, F25).
"""

from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor

import pytest
from sim import views
from sim.archetypes import ARCHETYPES
from sim.center import UNTOLD
from sim.plan import SITUATIONS
from sim.schedule import Schedule

# the scheduler's records come after everything else, the last state first
JOBS_LAST = Schedule(
    2,
    order_of={"weir.scheduler.job": "reversed"},
    delays={"weir.scheduler.job": 400 * 86_400.0},
    duplicates=0.3,
    rate=400,
)
STREAMS = [
    ("live", Schedule(rate=300)),
    ("backfill", Schedule(3, order="random", rate=300)),
    ("backfill", Schedule(4, order="reversed", rate=150)),
]


@pytest.fixture(scope="module")
def truth(center):
    return center.truth()


def test_every_situation_and_kind_of_program_is_there(center, truth):
    assert {job.situation for job in center.plan.jobs} == SITUATIONS.keys()
    assert {run.kind for run in truth.runs.values()} == ARCHETYPES.keys()


def test_runs_are_those_of_the_ledger(center, truth, sql):
    assert views.differences(truth.runs, views.runs(sql, center.cluster)) == []


def test_findings_are_those_that_were_planted(center, truth, sql):
    """Precision and recall by kind of program: both are 1."""
    found = views.findings(sql, center.cluster)
    assert not found.keys() - truth.runs.keys()
    wrong = defaultdict(Counter)
    told = 0
    for log_id, run in truth.runs.items():
        if run.findings != UNTOLD:
            told += len(run.findings)
            got = found.get(log_id, frozenset())
            wrong[run.kind].update(f"false {rule}" for rule in got - run.findings)
            wrong[run.kind].update(f"missed {rule}" for rule in run.findings - got)
    assert {kind: counts for kind, counts in wrong.items() if counts} == {}
    assert told > len(truth.runs) / 2


def test_jobs_are_those_of_the_ledger(center, truth, sql):
    assert views.differences(truth.jobs, views.jobs(sql, center.cluster)) == []


def test_every_row_is_there_once(center, truth, sql):
    assert views.wrong_rows(center, truth, sql) == []


def test_load_is_what_the_servers_measured(center, truth, sql):
    assert views.filesystem_load(sql, center.cluster) == views.load(truth)


def test_another_order_makes_no_difference(simulated, simulate, sql):
    other = simulate("sim-jobs-last", JOBS_LAST)
    assert views.wrong(other, sql) == []
    assert views.awaited_checksums(sql, other, simulated.checksums) == simulated.checksums


def test_a_backfill_sent_twice_beside_the_live_stream_makes_no_difference(
    simulation, simulated, stack, sql, drained
):
    """All three at once; the slower back-fill goes on after the others, over what came live."""

    def send(stream):
        origin, schedule = stream
        center = simulation("sim-backfilled", origin)
        views.put(center, schedule.sendings(center.messages()), stack)

    live = simulation("sim-backfilled")
    views.publish_site(live, stack)
    with ThreadPoolExecutor() as side_by_side:
        list(side_by_side.map(send, STREAMS))
    views.await_rest(live, stack, sql, drained)
    assert views.wrong(live, sql) == []
    assert views.awaited_checksums(sql, live, simulated.checksums) == simulated.checksums
