"""What `weir analyze` accepts beside logs, and what it says of what it can't use."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from weir import accounting

pytestmark = pytest.mark.usefixtures("analysis_jar")
RECORD = {
    "JobID": "10", "JobIDRaw": "10", "Cluster": "weirdev", "State": "COMPLETED", "User": "hpcuser2",
    "UID": "1002", "Submit": "2026-11-21T07:59:18", "Start": "2026-11-21T07:59:19",
    "End": "2026-11-21T07:59:21", "NNodes": "1",
}  # fmt: skip


def weir(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from weir.cli import main; main()", *map(str, arguments)]
    env = {**os.environ, "TZ": "UTC", **environment}
    return subprocess.run(command, capture_output=True, check=False, text=True, env=env)


@pytest.fixture
def log(recorded):
    (found,) = recorded.glob("darshan/*/small_unaligned_shared/*.darshan")
    return found


def judged(log, tmp_path, *without: str, **other: str) -> tuple[dict, str]:
    """(object of the log, complaints) beside sacct's record of its job, less some fields."""
    fields = {name: value for name, value in (RECORD | other).items() if name not in without}
    file = tmp_path / "sacct.psv"
    file.write_text("|".join(fields) + "\n" + "|".join(fields.values()) + "\n")
    done = weir("analyze", "--json", "--sacct", file, log)
    return json.loads(done.stdout), done.stderr


@pytest.mark.parametrize(
    "without", [(), ("UID",), ("UID", "Cluster"), ("UID", "Cluster", "JobIDRaw", "Submit")]
)
def test_a_job_is_found_by_id_times_and_user(log, tmp_path, without):
    told, complaint = judged(log, tmp_path, *without)
    assert (told["cost"]["nodes"], complaint) == (1, "")
    assert told["job"]["job_uid"] == told["job_uid"] is not None
    assert told["job"]["traits"] == []


@pytest.mark.parametrize("without", [("UID",), ("UID", "User")])
def test_what_is_missing_to_compare_the_owner_is_said(log, tmp_path, without):
    told, complaint = judged(log, tmp_path, *without, User="somebodyelse")
    assert told["cost"]["nodes"] is None
    assert "add UID to the fields of sacct" in complaint


def test_a_job_of_another_user_is_not_joined(log, tmp_path):
    assert judged(log, tmp_path, UID="1003")[0]["cost"]["nodes"] is None


def test_another_time_is_another_job(log, tmp_path):
    times = {"Submit": "2026-10-21T07:59:18", "Start": "2026-10-21T07:59:19", "End": "2026-10-21T07:59:21"}
    assert judged(log, tmp_path, "UID", **times)[0]["cost"]["nodes"] is None


def test_a_failed_job_has_that_trait(log, tmp_path):
    assert judged(log, tmp_path, State="FAILED")[0]["job"]["traits"] == ["job_failed"]


def test_a_log_alone_has_no_job(log):
    assert json.loads(weir("analyze", "--json", log).stdout)["job"] is None


def test_a_directory_is_searched(log, tmp_path):
    (tmp_path / "2026/11").mkdir(parents=True)
    shutil.copy(log, tmp_path / "2026/11")
    (tmp_path / "notes.txt").write_text("none")
    told = [json.loads(line) for line in weir("analyze", "--json", tmp_path).stdout.splitlines()]
    assert [each["file"] for each in told] == [str(tmp_path / "2026/11" / log.name)]


def test_more_nodes_than_processes_are_refused(log):
    done = weir("analyze", "--nodes", 17, log)
    assert done.returncode == 2
    assert "16 processes" in done.stderr
    assert weir("analyze", "--nodes", 16, log).returncode == 0


def test_java_is_for_logs_only(log, tmp_path):
    no_log = tmp_path / "a.darshan"
    no_log.write_text("none")
    without = {"PATH": str(tmp_path), "JAVA_HOME": ""}
    done = weir("analyze", no_log, **without)
    assert (done.returncode, "java: not found" in done.stderr) == (1, False)
    assert "java: not found" in weir("analyze", log, **without).stderr


def test_modules_are_found_without_case_and_the_version_is_printed(log):
    lower, upper = (weir("log", "records", "--module", name, log) for name in ("posix", "POSIX"))
    assert lower.stdout == upper.stdout != ""
    assert weir("--version").stdout.startswith("weir ")


def test_two_users_of_one_job_id_are_not_guessed():
    job = {"uid": None, "user": "a", "job_display_id": "1"}
    headers = [{"uid": 1, "file_name": "a_x_id1.darshan"}, {"uid": 2, "file_name": "a_y_id1.darshan"}]
    assert accounting.completed(job, headers)["uid"] is None
