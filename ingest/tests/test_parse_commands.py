"""`weir scheduler parse` and `weir devices parse`, run as users run them."""

import json
import os
import subprocess
import sys

import pytest


def weir(*arguments):
    command = [sys.executable, "-c", "from weir.cli import main; main()", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def bad_lines(tmp_path, recorded):
    """The recorded jobs with one line more, which is cut."""
    file = tmp_path / "cut.psv"
    file.write_text((recorded / "sacct.psv").read_text() + "118|118|labcluster\n")
    return file


def test_jobs_as_objects(recorded, truths):
    done = weir("scheduler", "parse", "--json", recorded / "sacct.psv")
    jobs = {job["job_id"]: job for job in map(json.loads, done.stdout.splitlines())}
    assert (done.returncode, done.stderr, len(jobs)) == (0, "", 59)
    told = next(truth for _, truth in truths if "slurm" in truth)
    job, slurm = jobs[told["slurm_jobid"]], told["slurm"]
    assert (job["user"], job["state"], job["cores"]) == (slurm["User"], slurm["State"], int(slurm["NCPUS"]))
    assert list(job)[:3] == ["cluster", "job_id", "job_uid"]
    assert {"job_display_id", "step", "account", "partition", "exit_code", "node_list"} <= job.keys()


def test_what_is_not_understood_is_an_object_too(bad_lines):
    done = weir("scheduler", "parse", "--json", bad_lines)
    *jobs, last = map(json.loads, done.stdout.splitlines())
    assert (done.returncode, done.stderr, len(jobs)) == (3, "", 59)
    reason = "3 fields where the header has 26"
    assert last == {"file": str(bad_lines), "position": "line 61", "line": 61, "field": None, "error": reason}


def test_a_person_gets_a_summary_and_the_reasons(bad_lines):
    done = weir("scheduler", "parse", bad_lines)
    assert done.returncode == 3
    assert done.stderr == f"weir: {bad_lines}: line 61: 3 fields where the header has 26\n"
    lines = dict(line.split(maxsplit=1) for line in done.stdout.splitlines() if line.strip())
    assert lines["jobs"].startswith("59: 52 COMPLETED, 4 CANCELLED, 2 FAILED, 1 TIMEOUT")
    assert lines["clusters"].strip() == "labcluster"


def test_unreadable_files_are_told_beside_the_readable(recorded, tmp_path):
    (tmp_path / "notes").write_text("no records\n")
    done = weir(
        "scheduler", "parse", "--json", tmp_path / "absent", tmp_path / "notes", recorded / "sacct.psv"
    )
    first, second, *jobs = map(json.loads, done.stdout.splitlines())
    assert (done.returncode, len(jobs)) == (1, 59)
    assert first == {"file": f"{tmp_path}/absent", "error": "No such file or directory"}
    assert second["error"].startswith("no sacct -P with a header, sacct --json")


def test_a_pipe_is_refused_as_files_are_read_more_than_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    done = weir("scheduler", "parse", tmp_path / "pipe")
    assert done.returncode == 1
    assert "no regular file" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["scheduler", "parse", "x", "--timezone", "Mars"], "'Mars' is no IANA zone"),
        (["scheduler", "parse", "x", "--format", "lsf"], "'lsf' is not one of"),
        (["devices", "parse", "x", "--interval", "0"], "--interval"),
    ],
)
def test_wrong_usage(arguments, reason):
    done = weir(*arguments)
    assert done.returncode == 2
    assert reason in done.stderr


def test_the_exit_codes_are_in_the_help():
    told = " ".join(weir("scheduler", "parse", "--help").stdout.split())
    for code in (
        "0: all was understood",
        "1: a file could not be read at all",
        "3: all were read, but a line",
    ):
        assert code in told


def test_samples_as_objects_and_as_a_table(recorded):
    file = recorded / "devices/diskstats_matrix.txt"
    done = weir("devices", "parse", "--json", "--server", "oss1", file)
    objects = list(map(json.loads, done.stdout.splitlines()))
    ticks = len({line.split()[0] for line in file.read_text().splitlines()})
    assert (done.returncode, len(objects)) == (0, 3 * (ticks - 1))
    assert {each["server"] for each in objects} == {"oss1"}
    table = weir("devices", "parse", recorded / "devices/iostat_matrix.json").stdout.splitlines()
    assert [line.split()[1] for line in table if line.startswith("vm ")] == ["loop0", "loop1", "vda"]


def test_samples_of_no_known_format(tmp_path):
    (tmp_path / "notes").write_text("no samples\n")
    done = weir("devices", "parse", tmp_path / "notes")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"weir: {tmp_path}/notes: neither text of iostat, nor of iostat -o JSON")
