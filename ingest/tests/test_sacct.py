"""sacct lines against the epoch times that Slurm itself printed (truth.json), and bad input."""

from zoneinfo import ZoneInfo

import pytest
from weir import sacct
from weir.errors import Refused, UserError

UTC = ZoneInfo("UTC")
HEADER = "JobID|JobIDRaw|Cluster|User|State|Submit|Start|End|NNodes|ExitCode|Timelimit"
GOOD = "101_3|106|lab|ann|COMPLETED|1795248728|1795248730|1795248731|1|0:0|1-02:03:04"


def read(tmp_path, *lines, zone=UTC, header=HEADER):
    file = tmp_path / "sacct.psv"
    file.write_bytes("\n".join([header, *lines, ""]).encode("utf-8", "surrogateescape"))
    return list(sacct.read(file, zone))


def test_every_recorded_job_as_slurm_tells_it(recorded, truths):
    jobs = {job["job_id"]: job for job in sacct.read(recorded / "sacct.psv", UTC)}
    told = {t["slurm_jobid"]: t["slurm"] for _, t in truths if "slurm" in t}
    assert len(jobs) == 59
    assert len(told) > 40
    for job_id, slurm in told.items():
        job = jobs[job_id]
        for key, name in (("submit_time", "Submit"), ("start_time", "Start"), ("end_time", "End")):
            assert job[key] == int(slurm[name]) * 1_000_000
        assert (job["user"], job["account"]) == (slurm["User"], slurm["Account"])
        assert (job["nodes"], job["cpus"]) == (int(slurm["NNodes"]), int(slurm["NCPUS"]))
        assert job["state"] == slurm["State"].split()[0]


def test_an_array_task(tmp_path):
    (job,) = read(tmp_path, GOOD)
    assert (job["job_id"], job["array_id"], job["array_index"]) == (106, 101, 3)
    assert job["time_limit_seconds"] == 26 * 3600 + 3 * 60 + 4


def test_local_time_of_the_site(tmp_path):
    local = GOOD.replace("1795248728", "2026-07-01T12:00:00")
    (job,) = read(tmp_path, local, zone=ZoneInfo("Europe/Berlin"))
    assert job["submit_time"] == 1_782_900_000 * 1_000_000  # 10:00 UTC


def test_a_job_that_never_started(tmp_path):
    (job,) = read(tmp_path, "7|7|lab|ann|CANCELLED by 0|1795248728|None|1795248800||0:0|UNLIMITED")
    assert (job["start_time"], job["nodes"], job["time_limit_seconds"]) == (None, None, None)
    assert (job["state"], job["state_rank"], job["version"]) == ("CANCELLED", 3, 1795248800)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("7|7|lab|ann|COMPLETED|1795248728", "6 fields where the header has 11"),
        (GOOD.replace("|106|", "|x106|"), "JobIDRaw: 'x106' is no whole number"),
        (GOOD.replace("COMPLETED", "DONE"), "State: 'DONE' is no state"),
        (GOOD.replace("1795248728", "yesterday"), "Submit: 'yesterday' is neither"),
        (GOOD.replace("1795248728", "Unknown"), "Submit: a job without"),
        (GOOD.replace("0:0", "zero"), "ExitCode: 'zero'"),
    ],
)
def test_a_bad_line_is_refused_and_its_neighbours_are_read(tmp_path, line, reason):
    before, bad, after = read(tmp_path, GOOD, line, GOOD)
    assert before == after
    assert isinstance(bad, Refused)
    assert reason in bad.reason
    assert (bad.position, bad.data) == ("line 3", line.encode())


def test_steps_are_passed_over(tmp_path):
    assert read(tmp_path, GOOD.replace("101_3", "101_3.batch")) == []


def test_bytes_that_are_no_text_stay_readable(tmp_path):
    (job,) = read(tmp_path, GOOD.replace("ann", "an\udcff"))
    assert job["user"] == "an\\xff"


def test_a_header_without_identity(tmp_path):
    with pytest.raises(UserError, match=r"line 1: the header lacks JobIDRaw.*sacct --parsable2"):
        read(tmp_path, header="JobID|State")
