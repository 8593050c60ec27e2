"""kill -9 of any part, also of the supervisor: it comes back by itself, the Flink jobs with their state.

What only stands still for a while is not taken for dead.
"""

import subprocess
import time
from pathlib import Path

import psutil
import pytest
from weir_embedded import supervisor
from weir_embedded.parts import all_parts
from weir_embedded.parts.part import NotReady
from weir_keeper import FlinkRest, JobState, checkpoints, declared_jobs, newest_complete

PARTS = (
    "kafka",
    "clickhouse",
    "jobmanager",
    "taskmanager",
    "superset",
    "mailbox",
    "jobs",
    "reference",
    "metrics",
    "notify",
    "watch",
    "reviver",
)
# Parts whose loss a Flink job may notice later than their own health check.
FLINK_NEEDS = ("kafka", "clickhouse", "jobmanager", "taskmanager")
# Longer than two of Flink's heartbeats, which find nobody: until then a dead TaskManager still counts.
NOTICED_AFTER = 15
STANDS_STILL_SECONDS = 25


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


def number(checkpoint):
    """7 of the folder chk-7."""
    return int(checkpoint.name.removeprefix("chk-"))


class Health:
    """Whether every part has been healthy for so long that no loss can still be unnoticed."""

    def __init__(self, stack, noticed_after=NOTICED_AFTER):
        self._stack, self._noticed_after, self._since = stack, noticed_after, None

    def is_stable(self):
        if problems(self._stack):
            self._since = None
            return False
        self._since = self._since or time.monotonic()
        return time.monotonic() - self._since >= self._noticed_after


def failures(stack):
    """What each Flink job has failed of since it was submitted, and when."""
    rest = FlinkRest(stack)
    return {job.name: rest.failures(JobState.load(stack, job.name).job_id) for job in declared_jobs(stack)}


def test_what_stood_still_for_a_while_goes_on_and_nothing_is_restarted(stack, eventually):
    """On a machine that is paused, or whose cores have far too much to do, to restart all makes it worse."""
    eventually(Health(stack).is_stable)
    before = pids(stack), failures(stack)
    needed = [psutil.Process(before[0][name]) for name in FLINK_NEEDS]
    try:
        for process in needed:
            process.suspend()
        time.sleep(STANDS_STILL_SECONDS)
    finally:
        for process in needed:
            process.resume()
    eventually(Health(stack).is_stable)
    assert (pids(stack), failures(stack)) == before


@pytest.mark.parametrize("name", PARTS)
def test_a_killed_part_comes_back_healthy(stack, eventually, name):
    killed = pids(stack)[name]
    psutil.Process(killed).kill()
    eventually(lambda: pids(stack)[name] not in (0, killed))
    eventually(Health(stack, NOTICED_AFTER if name in FLINK_NEEDS else 0).is_stable)


def test_a_part_that_hangs_is_restarted(stack, eventually):
    hung = pids(stack)["clickhouse"]
    psutil.Process(hung).suspend()
    eventually(lambda: pids(stack)["clickhouse"] not in (0, hung))
    eventually(Health(stack).is_stable)


def test_a_killed_supervisor_comes_back_with_all_parts_and_the_jobs_with_their_state(
    stack, center, drained, eventually
):
    drained()
    before = pids(stack)
    jobs = [JobState.load(stack, job.name) for job in declared_jobs(stack)]
    saved = [newest_complete([checkpoints(stack) / job.job_id]) for job in jobs]
    psutil.Process(supervisor.api(stack).getPID()).kill()
    eventually(lambda: pids(stack).keys() == before.keys() and 0 not in pids(stack).values())
    assert not set(pids(stack).values()) & set(before.values())
    eventually(Health(stack).is_stable)
    for job, checkpoint in zip(jobs, saved, strict=True):
        now = JobState.load(stack, job.name)
        restored = Path(now.restored_from)
        assert now.generation > job.generation
        assert restored.parent == checkpoint.parent
        assert number(restored) >= number(checkpoint)


def test_without_supervisor_and_reviver_no_process_survives_and_up_recovers(stack, weir_stack):
    before = set(supervisor.stack_processes(stack))
    assert len(before) > len(PARTS)
    supervised = psutil.Process(supervisor.api(stack).getPID())
    waiting = psutil.Process(pids(stack)["reviver"])
    supervised.suspend()  # so that it does not restart the reviver in between
    waiting.kill()
    supervised.kill()
    _, alive = psutil.wait_procs(before, timeout=10)
    assert not alive
    command = [stack.venv / "bin/weir-stack", "status"]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert told.returncode == 3
    assert told.stdout.count("│ down ") == len(PARTS)
    weir_stack("up")
    assert not problems(stack)
