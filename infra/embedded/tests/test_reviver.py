"""kill -9 of a real supervisord, whose parts are two programs that only wait."""

import time

import psutil
import pytest
from rich.console import Console
from weir_embedded import lifecycle, reviver, supervisor
from weir_embedded.parts import reviver as reviver_part
from weir_embedded.parts.part import Part
from weir_embedded.progress import Board

IDLE = Part("idle", "Idle", ("sleep", "600"), check=lambda: None, version=lambda: "")
DEADLINE = 30 + reviver.SHORTEST_LIFE_SECONDS


def pids(stack):
    """Process ids of the parts that run, by name."""
    seen = supervisor.processes(stack)
    return {name: info["pid"] for name, info in seen.items() if info["statename"] == "RUNNING"}


def wait_until(what):
    ends = time.monotonic() + DEADLINE
    while not what():
        assert time.monotonic() < ends
        time.sleep(0.1)


@pytest.fixture
def running(unstarted):
    """A supervisor with an idle part and the reviver, both running."""
    for folder in (unstarted.home, unstarted.conf, unstarted.run):
        folder.mkdir()
    supervisor.start(unstarted, [IDLE, reviver_part.part(unstarted)])
    supervisor.api(unstarted).startAllProcesses(False)
    wait_until(lambda: len(pids(unstarted)) == 2)
    yield unstarted
    supervisor.kill_left_over(unstarted)
    supervisor.socket_path(unstarted).unlink(missing_ok=True)


def kill_supervisor(stack):
    psutil.Process(supervisor.api(stack).getPID()).kill()


def test_a_killed_supervisor_comes_back_with_all_parts_and_a_new_reviver_every_time(running):
    for _ in range(2):
        before = pids(running)
        kill_supervisor(running)
        wait_until(lambda before=before: pids(running).keys() == before.keys() and pids(running) != before)
        assert not set(pids(running).values()) & set(before.values())
        # the supervisor, the idle part and the new reviver: the one before has ended
        wait_until(lambda: len(supervisor.stack_processes(running)) == 3)


def test_a_supervisor_that_does_not_start_is_tried_again(running):
    configuration, log = running.conf / "supervisord.conf", running.logs / "reviver.log"
    text = configuration.read_text()
    configuration.write_text("none")
    kill_supervisor(running)
    wait_until(lambda: "supervisor.not_revived" in log.read_text())
    configuration.write_text(text)
    wait_until(lambda: len(pids(running)) == 2)


def test_a_killed_reviver_is_restarted_and_the_other_parts_go_on(running):
    before = pids(running)
    psutil.Process(before["reviver"]).kill()
    wait_until(lambda: pids(running).get("reviver") not in (None, before["reviver"]))
    assert pids(running)["idle"] == before["idle"]


def test_a_supervisor_that_was_asked_to_stop_stays_down(running):
    everything = supervisor.stack_processes(running)
    psutil.Process(supervisor.api(running).getPID()).terminate()
    _, alive = psutil.wait_procs(everything, timeout=DEADLINE)
    assert not alive
    assert not supervisor.stack_processes(running)


@pytest.mark.parametrize("killed", ["supervisor", "reviver", "both"])
def test_down_leaves_no_process_whatever_was_killed_before(running, killed, monkeypatch):
    monkeypatch.setenv("JAVA_HOME", "/a/jdk")
    supervised = psutil.Process(supervisor.api(running).getPID())
    waiting = psutil.Process(pids(running)["reviver"])
    supervised.suspend()  # so that it does not restart the reviver in between
    if killed != "supervisor":
        waiting.kill()
    if killed != "reviver":
        supervised.kill()
        psutil.wait_procs([supervised], timeout=DEADLINE)
    else:
        supervised.resume()
    lifecycle.down(running, Board(Console(quiet=True)))
    assert not supervisor.stack_processes(running)


def test_reviving_a_supervisor_that_runs_leaves_it_alone(running):
    before = pids(running)
    pid = supervisor.api(running).getPID()
    supervisor.revive(running)
    assert supervisor.api(running).getPID() == pid
    assert pids(running) == before
