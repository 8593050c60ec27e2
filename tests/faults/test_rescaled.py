"""The jobs are rescaled from 1 to 4 to 2 while a center is published: no row is another for it (F18)."""

import pytest
from sim import views
from sim.schedule import Schedule
from weir_keeper import declared_jobs

from .cluster import is_as_declared, operators

PARALLELISMS = (1, 4, 2)
KEYED = {"storage-analysis": "server-load", "job-analysis": "job-join", "alerting": "user-desk"}
"""An operator with state of each job."""


@pytest.fixture
def rescaled(weir_stack, stack):
    """To a parallelism; at the end the jobs are as they were."""

    def rescale(parallelism):
        weir_stack("up", parallelism=parallelism)
        assert is_as_declared(stack)
        for job, name in KEYED.items():
            (found,) = {o["parallelism"] for o in operators(stack, job) if name in o["name"]}
            assert found == parallelism

    yield rescale
    if {job.parallelism for job in declared_jobs(stack)} != {stack.parallelism}:
        weir_stack("up")


def test_rescaled_from_1_to_4_to_2_the_rows_are_the_same(
    simulation, simulated, stack, sql, drained, rescaled
):
    center = simulation("sim-rescaled")
    views.publish_site(center, stack)
    sendings = list(Schedule().sendings(center.messages()))
    third = len(sendings) // 3
    parts = (sendings[:third], sendings[third : 2 * third], sendings[2 * third :])
    for parallelism, part in zip(PARALLELISMS, parts, strict=True):
        rescaled(parallelism)
        views.put(center, part, stack)
    views.await_rest(center, stack, sql, drained)
    assert views.wrong(center, sql) == []
    assert views.awaited_checksums(sql, center, simulated.checksums) == simulated.checksums
