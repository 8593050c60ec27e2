"""What `weir analyze` accepts beside logs, and what it says of what it can't use."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from weir.analyze import accounting
from weir.formats import sacct

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
    assert f"write the file with {sacct.WRITE}" in complaint


def test_a_job_of_another_user_is_not_joined(log, tmp_path):
    assert judged(log, tmp_path, UID="1003")[0]["cost"]["nodes"] is None


def test_another_time_is_another_job(log, tmp_path):
    times = {"Submit": "2026-10-21T07:59:18", "Start": "2026-10-21T07:59:19", "End": "2026-10-21T07:59:21"}
    assert judged(log, tmp_path, "UID", **times)[0]["cost"]["nodes"] is None


def test_a_failed_job_has_that_trait(log, tmp_path):
    assert judged(log, tmp_path, State="FAILED")[0]["job"]["traits"] == ["job_failed"]


def rows(recorded):
    header, *lines = (recorded / "sacct.psv").read_text().splitlines()
    return [dict(zip(header.split("|"), line.split("|"), strict=True)) for line in lines]


def written(tmp_path, recorded, fields):
    """A file of sacct with these fields of the recorded jobs; empty where it was not asked for them."""
    file = tmp_path / "jobs.psv"
    lines = ["|".join(row.get(field, "") for field in fields) for row in rows(recorded)]
    file.write_text("\n".join(["|".join(fields), *lines, ""]))
    return file


def nodes_told(file, logs):
    """By job id, of the logs that were joined."""
    done = weir("analyze", "--json", "--sacct", file, *logs)
    told = map(json.loads, done.stdout.splitlines())
    return {each["job_id"]: each["cost"]["nodes"] for each in told if each["job_uid"]}, done


@pytest.fixture
def logs(recorded):
    """Of three jobs, one of which is of another user and one has steps; and their nodes by sacct."""
    nodes = {int(row["JobIDRaw"]): int(row["NNodes"]) for row in rows(recorded)}
    found = {}
    for job in (10, 11, 100):
        (found[job],) = recorded.glob(f"darshan/generated/*/*_id{job}-*.darshan")
    return found, {job: nodes[job] for job in found}


@pytest.mark.parametrize(
    "fields",
    [
        sacct.WRITE.removeprefix("sacct -P -o "),
        "JobID,JobIDRaw,State,Start,UID,NNodes",
        "JobID,JobIDRaw,State,Start,User,NNodes",
        "JobID,JobIDRaw,State,Submit,UID,NNodes",
        "JobIDRaw,NNodes,User,State,Submit,End,JobID",
    ],
)
def test_what_the_documentation_asks_sacct_for_is_joined(tmp_path, recorded, logs, fields):
    files, nodes = logs
    told, done = nodes_told(written(tmp_path, recorded, fields.split(",")), files.values())
    assert told == nodes
    assert (done.returncode, done.stderr) == (0, "")


def test_the_documentation_asks_for_what_the_messages_do():
    assert sacct.WRITE in (Path(__file__).parents[1] / "README.md").read_text()


def test_what_sacct_itself_writes_is_joined(extra, logs):
    files, nodes = logs
    for name in ("sacct.json", "sacct_parsable2_ALL.psv", "sacct_steps_epoch.psv"):
        told, done = nodes_told(extra / "scheduler/generated_slurm" / name, files.values())
        assert told == nodes, name
        # one was asked without JobIDRaw
        assert (
            done.stderr.count("\n") == done.stderr.count("add JobIDRaw") == (name == "sacct_steps_epoch.psv")
        )


def test_a_reason_is_told_once_with_the_number_of_its_jobs(tmp_path, recorded, logs):
    file = written(tmp_path, recorded, ["JobID", "State", "Start"])
    told, done = nodes_told(file, logs[0].values())
    assert (told, done.returncode) == ({}, 1)
    without_id, without_owner = done.stderr.splitlines()
    tasks = [row["JobID"] for row in rows(recorded) if "_" in row["JobID"]]
    assert f"job {tasks[0]} and {len(tasks) - 1} more: the id that its processes see" in without_id
    assert f"and 2 more: neither UID nor User is known; write the file with {sacct.WRITE}" in without_owner


def test_what_is_no_sacct_is_told_how_to_write_it(tmp_path, log):
    file = tmp_path / "table.txt"
    file.write_text("JobID           JobName  Partition\n------------ ---------- ----------\n10 ior batch\n")
    assert f"Write it with {sacct.WRITE}\n" in weir("analyze", "--sacct", file, log).stderr


def test_nodes_that_sacct_was_not_asked_for_are_missed(log, tmp_path):
    fields = {name: value for name, value in RECORD.items() if name != "NNodes"}
    file = tmp_path / "sacct.psv"
    file.write_text("|".join(fields) + "\n" + "|".join(fields.values()) + "\n")
    said = " ".join(weir("analyze", "--sacct", file, log).stdout.split())
    assert "record does not state it; add NNodes to the fields of sacct" in said


def test_a_log_alone_has_no_job(log):
    assert json.loads(weir("analyze", "--json", log).stdout)["job"] is None


def test_a_site_file_without_what_only_agents_need_will_do(log, tmp_path, recorded):
    whole = yaml.safe_load((recorded / "site.yaml").read_text())
    small = {key: whole[key] for key in ("cluster", "time_zone", "cores_per_node", "file_systems")}
    for file_system in small["file_systems"]:
        del file_system["devices"]
    site = tmp_path / "site.yaml"
    site.write_text(yaml.safe_dump(small))
    done = weir("analyze", "--json", "--site", site, log)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["filesystem"] == "scratch1"
    done = weir("analyze", "--site", site, "--iostat", "vm=x.json", log)
    assert f"--iostat vm: {site} has none under servers. Add it there with its sample_int" in done.stderr


def test_samples_that_give_no_load_are_not_told_to_be_absent(recorded, tmp_path):
    text = (recorded / "site.yaml").read_text().replace("load_bucket_seconds: 1", "load_bucket_seconds: 0.4")
    site = tmp_path / "site.yaml"
    site.write_text(text.replace("sample_interval_seconds: 1", "sample_interval_seconds: 0.4"))
    (log,) = recorded.glob("darshan/generated/rank0_writer/*.darshan")
    iostat = f"vm={recorded}/devices/iostat_matrix.json"
    beside = ("--site", site, "--sacct", recorded / "sacct.psv", "--iostat", iostat)
    done = weir("analyze", *beside, log)
    said = " ".join(done.stdout.split())
    problem = (
        "amples of server vm come every 1 s, but site.yaml says 0.4 s: set its sample_interval_seconds, and "
        "load_bucket_seconds (now 0.4), to 1"
    )
    assert f"slowed it down. S{problem}." in said  # the verdict
    assert f"- S{problem}." in said  # under Limits
    assert f"iostat_matrix.json: s{problem}\n" in done.stderr
    assert "no storage samples" not in said.lower()
    assert "that takes device samples" not in said


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
