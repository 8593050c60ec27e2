"""kill -9 of any part: it comes back by itself; of the supervisor: no orphans, and `up` brings all back."""

import time

import psutil
import pytest
from weir_embedded import supervisor
from weir_embedded.parts import all_parts
from weir_embedded.parts.part import NotReady
from weir_embedded.watch import PATIENCE_SECONDS

# Seconds from the kill until every health check passes again; a JobManager also needs its jobs back.
DEADLINES = {
    "kafka": 60,
    "clickhouse": 60,
    "jobmanager": 60,
    "taskmanager": 60,
    "superset": 60,
    "jobs": 30,
    "watch": 30,
}
# Longer than Flink's heartbeat timeout: until then a dead TaskManager still counts.
NOTICED_AFTER = 15


def pids(stack):
    return {name: info["pid"] for name, info in supervisor.processes(stack).items()}


def problems(stack):
    found = []
    for part in all_parts(stack).values():
        try:
            part.check()
        except NotReady as problem:
            found.append(f"{part.name}: {problem}")
    return found


def wait_until(what, deadline):
    ends = time.monotonic() + deadline
    while time.monotonic() < ends:
        if what():
            return
        time.sleep(0.5)
    pytest.fail(f"not within {deadline} s")


class Health:
    """Whether every part has been healthy for so long that no loss can still be unnoticed."""

    def __init__(self, stack):
        self._stack, self._since = stack, None

    def is_stable(self):
        if problems(self._stack):
            self._since = None
            return False
        self._since = self._since or time.monotonic()
        return time.monotonic() - self._since > NOTICED_AFTER


@pytest.mark.parametrize("name", DEADLINES)
def test_a_killed_part_comes_back_healthy(stack, name):
    killed = pids(stack)[name]
    psutil.Process(killed).kill()
    wait_until(lambda: pids(stack)[name] not in (0, killed), DEADLINES[name])
    wait_until(Health(stack).is_stable, DEADLINES[name] + NOTICED_AFTER)


def test_a_part_that_hangs_is_restarted(stack):
    hung = pids(stack)["clickhouse"]
    psutil.Process(hung).suspend()
    wait_until(lambda: pids(stack)["clickhouse"] not in (0, hung), 3 * PATIENCE_SECONDS)
    wait_until(Health(stack).is_stable, 60 + NOTICED_AFTER)


def test_without_its_supervisor_no_process_survives_and_up_recovers(stack, weir_stack):
    before = set(supervisor.stack_processes(stack))
    assert len(before) > len(DEADLINES)
    psutil.Process(supervisor.api(stack).getPID()).kill()
    _, alive = psutil.wait_procs(before, timeout=10)
    assert not alive
    weir_stack("up")
    assert not problems(stack)
