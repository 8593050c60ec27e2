"""The job-end hook as the scheduler runs it: killed, failing and hanging at each of its system calls."""

import json
import os
import runpy
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from weir.errors import Refused, UserError
from weir.shipping.job_spool import JobSpool

HOOK = Path(__file__).parents[1] / "hook/weir_job_end.py"
PYTHONS = [*{Path(sys.executable).resolve(), *Path("/usr/bin").glob("python3")}]
# runs the hook; its n-th call of a function of `os` that reaches the kernel is killed, fails or hangs;
# only where one hangs has it a budget of time, as an fsync of a busy machine may take longer
DRIVER = """
import os, runpy, signal, sys
at, how, hook = int(sys.argv[1]), sys.argv[2], sys.argv[3]
calls = 0
def wrapped(name, real):
    def call(*args, **named):
        global calls
        calls += 1
        if calls != at:
            return real(*args, **named)
        if how == "half" and name == "write":
            real(args[0], args[1][: len(args[1]) // 2])
        if how in ("kill", "half"):
            os.kill(os.getpid(), signal.SIGKILL)
        if how == "after":
            real(*args, **named)
            os.kill(os.getpid(), signal.SIGKILL)
        if how == "hang":
            signal.pause()
        raise OSError(int(how), "injected")
    return call
for name in ("open", "fstat", "fstatvfs", "listdir", "fchmod", "write", "fsync", "close", "rename", "unlink"):
    setattr(os, name, wrapped(name, getattr(os, name)))
if how != "hang":
    signal.setitimer = lambda *budget: None
sys.argv = sys.argv[3:]
runpy.run_path(hook, run_name="__main__")
"""
CALLS = 10


@pytest.fixture
def spool(tmp_path):
    folder = tmp_path / "jobs"
    folder.mkdir()
    folder.chmod(0o2770)
    return JobSpool(folder)


def run(spool, *arguments, python=sys.executable, driver=(0, "none"), **environment):
    hook = [HOOK, "--spool", spool.folder, *arguments]
    command = [python, "-IS", "-c", DRIVER, *map(str, [*driver, *hook])]
    return subprocess.run(command, env=environment, timeout=60, capture_output=True).returncode


def entries(spool):
    return [spool.read(name) for name in spool.names()]


@pytest.mark.parametrize("python", PYTHONS, ids=str)
def test_what_slurm_tells(spool, python):
    told = {
        "SLURM_JOB_ID": "4711", "SLURM_JOB_UID": "1001", "SLURM_JOB_START_TIME": "1700000000",
        "SLURM_JOB_END_TIME": "1700000100", "SLURM_ARRAY_TASK_ID": "3",
    }  # fmt: skip
    assert run(spool, python=python, **told) == 0
    (entry,) = entries(spool)
    assert (entry.job_id, entry.uid, entry.array_index) == (4711, 1001, 3)
    assert (entry.start, entry.end) == (1700000000, 1700000100)


@pytest.mark.parametrize("name", ["4711", "4711.pbs-server", "4711[].srv", "4711[12].srv"])
def test_what_pbs_tells(spool, name):
    assert run(spool, name, "user", "group", "jobname") == 0
    assert run(spool, PBS_JOBID=name) == 0
    for entry in entries(spool):
        assert (entry.job_id, entry.array_index) == (4711, 12 if "12" in name else None)
        assert entry.end == entry.noted


def test_options_override_the_environment(spool):
    run(spool, "--job-id", "5", "--uid", "7", "--end", "1700000000", SLURM_JOB_ID="4", SLURM_JOB_UID="6")
    (entry,) = entries(spool)
    assert (entry.job_id, entry.uid, entry.end) == (5, 7, 1700000000)


@pytest.mark.parametrize(
    "told",
    [
        {}, {"SLURM_JOB_ID": "1; rm -rf /"}, {"SLURM_JOB_ID": "../../x"}, {"SLURM_JOB_ID": "-1"},
        {"SLURM_JOB_ID": "٣"}, {"SLURM_JOB_ID": "9" * 30}, {"SLURM_JOB_ID": str(2**63)},
        {"SLURM_JOB_ID": "1", "SLURM_JOB_UID": '0, "x": 1'}, {"SLURM_JOB_ID": "1\n2"},
    ],
)  # fmt: skip
def test_what_is_no_number_is_dropped_and_counted(spool, told):
    assert run(spool, **told) == 0
    assert spool.names() == []
    assert spool.dropped() == 1


def test_an_entry_is_readable_for_its_group_only(spool):
    run(spool, "1")
    (name,) = spool.names()
    found = (spool.folder / name).stat()
    assert stat.S_IMODE(found.st_mode) == 0o640
    assert found.st_gid == spool.folder.stat().st_gid


@pytest.mark.parametrize("how", ["kill", "half", "after"])
@pytest.mark.parametrize("at", range(1, CALLS + 1))
def test_killed_anywhere_it_leaves_a_whole_entry_or_none(spool, how, at):
    """F1."""
    code = run(spool, "4711", driver=(at, how))
    assert code in (0, -9)
    assert [entry.job_id for entry in entries(spool)] in ([], [4711])
    if code == 0:
        assert len(entries(spool)) == 1
    spool.remove_torn(2**33)
    assert not any(path.name.startswith(".") for path in spool.folder.iterdir())


def test_these_are_all_its_calls(spool):
    assert run(spool, "1", driver=(CALLS + 1, "kill")) == 0
    assert run(spool, "1", driver=(CALLS, "kill")) == -9


@pytest.mark.parametrize("error", ["28", "30", "122", "5"], ids=["ENOSPC", "EROFS", "EDQUOT", "EIO"])
@pytest.mark.parametrize("at", range(1, CALLS + 1))
def test_a_full_or_broken_spool_never_fails_the_job(spool, error, at):
    """F4."""
    assert run(spool, "4711", driver=(at, error)) == 0
    assert [entry.job_id for entry in entries(spool)] in ([], [4711])


@pytest.mark.parametrize("at", [1, 5, 7])
def test_a_spool_that_hangs_is_left_after_its_time(spool, at):
    assert run(spool, "4711", driver=(at, "hang")) == 0


def test_a_file_system_without_room_gets_no_torn_entry(spool):
    """The kernel lets 10 bytes of the file be written."""
    limited = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10)); {DRIVER}"
    command = [sys.executable, "-IS", "-c", limited, "0", "kill", HOOK, "--spool", spool.folder, "4711"]
    assert subprocess.run(command).returncode == 0
    assert spool.names() == []
    assert [path.name for path in spool.folder.iterdir()] == ["dropped"]


def test_a_spool_that_holds_too_much_takes_no_more(spool, tmp_path):
    small = tmp_path / "hook.py"
    small.write_text(HOOK.read_text().replace("MOST_ENTRIES = 20000", "MOST_ENTRIES = 3"))
    command = [sys.executable, "-IS", "-c", DRIVER, "0", "none", small, "--spool", spool.folder, "1"]
    assert [subprocess.run(command).returncode for _ in range(5)] == [0] * 5
    assert len(spool.names()) == 3
    assert spool.dropped() == 2


@pytest.mark.parametrize("make", ["link", "writable", "absent", "file", "relative"])
def test_a_spool_that_is_not_to_be_trusted_is_not_used(spool, tmp_path, make):
    there = spool.folder
    if make == "link":
        there = tmp_path / "link"
        there.symlink_to(spool.folder)
    elif make == "writable":
        there.chmod(0o2777)
    elif make == "absent":
        there = tmp_path / "absent"
    elif make == "file":
        there = tmp_path / "file"
        there.write_text("")
    else:
        there = Path(os.path.relpath(there))
    assert run(JobSpool(there), "1") == 0
    assert spool.names() == []
    if make in ("link", "writable", "absent", "file"):
        with pytest.raises(UserError, match=str(there)):
            JobSpool(there).check()


def test_a_spool_of_another_user_is_not_used(spool, monkeypatch):
    hook, owner = runpy.run_path(str(HOOK)), os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    with pytest.raises(hook["Wrong"], match=f"belongs to user {owner}, not to {owner + 1}"):
        hook["opened"](str(spool.folder))


def test_entries_that_are_read_are_checked(spool):
    for text in ("", "{", "[]", json.dumps({"job_id": 2**63, "noted": 1}), '{"job_id": 1}'):
        (spool.folder / "0.json").write_text(text)
        with pytest.raises(Refused):
            spool.read("0.json")
