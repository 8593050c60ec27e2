import subprocess
import sys
import time

import psutil
from weir_embedded import guard


def test_a_guarded_program_dies_with_the_parent_that_it_names(tmp_path):
    pid_file, child_file = tmp_path / "pid", tmp_path / "child"
    script = f"""
import os, pathlib, subprocess, sys, time
pathlib.Path({str(pid_file)!r}).write_text(str(os.getpid()))
child = subprocess.Popen([sys.executable, {guard.__file__!r}, {str(pid_file)!r}, "sleep", "60"])
pathlib.Path({str(child_file)!r}).write_text(str(child.pid))
time.sleep(60)
"""
    parent = subprocess.Popen([sys.executable, "-c", script])
    deadline = time.monotonic() + 60
    while not (
        child_file.exists()
        and child_file.read_text()
        and psutil.Process(int(child_file.read_text())).name() == "sleep"
    ):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    child = psutil.Process(int(child_file.read_text()))
    parent.kill()
    parent.wait()
    psutil.wait_procs([child], timeout=30)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE


def test_a_program_whose_supervisor_died_meanwhile_does_not_start(tmp_path):
    (tmp_path / "pid").write_text("1")
    done = subprocess.run(
        [sys.executable, guard.__file__, tmp_path / "pid", "touch", tmp_path / "started"], capture_output=True
    )
    assert done.returncode != 0
    assert not (tmp_path / "started").exists()


def test_a_worker_of_gunicorn_dies_with_its_master():
    script = """
import os, time, types
from weir_embedded import guard
arbiter = types.SimpleNamespace(pid=os.getpid())
if (worker := os.fork()) == 0:
    guard.post_fork(arbiter, None)
    print(os.getpid(), flush=True)
time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as parent:
        worker = psutil.Process(int(parent.stdout.readline()))
        parent.kill()
    psutil.wait_procs([worker], timeout=30)
    assert not worker.is_running() or worker.status() == psutil.STATUS_ZOMBIE
