"""Programs that cannot be restored from the state of before start without, and read all again (F17)."""

from sim import views
from sim.schedule import Schedule
from weir_keeper import JobState, declared_jobs

from .cluster import is_as_declared, programs_of_state_format

OTHER_FORMAT = 99


def test_no_row_is_doubled_or_lost_where_the_state_is_dropped(simulation, stack, sql, drained, eventually):
    center = simulation("sim-dropped")
    views.send(center, Schedule(), stack)
    views.await_rest(center, stack, sql, drained)
    assert views.wrong(center, sql) == []
    before = views.checksums(sql, center)
    with programs_of_state_format(stack, OTHER_FORMAT):
        eventually(lambda: is_as_declared(stack))
        for job in declared_jobs(stack):
            state = JobState.load(stack, job.name)
            assert (state.state_format, state.restored_from, state.reads_again) == (OTHER_FORMAT, "", True)
        views.await_read(stack)
        views.await_rest(center, stack, sql, drained)
    assert views.wrong(center, sql) == []
    assert views.awaited_checksums(sql, center, before) == before
    eventually(lambda: is_as_declared(stack))
