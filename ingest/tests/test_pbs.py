"""PBS accounting against what XDMoD makes of it, and lines whose meaning was worked out by hand."""

import json
from zoneinfo import ZoneInfo

import pytest
from weir.errors import Refused
from weir.formats import pbs, scheduler
from weir.formats.reading import iso

BERLIN = ZoneInfo("Europe/Berlin")
TIMES = "ctime=1795248728 qtime=1795248728 etime=1795248728"
END = (
    f"11/21/2026 09:12:11;E;7.srv;user=ann group=g account=acc jobname=x queue=work {TIMES} start=1795248730 "
    "exec_host=c1/0*13+c2/0-3,7+c3/5 Resource_List.walltime=800:00:00 end=1795248731 Exit_status=0"
)


def parsed(tmp_path, *lines, **how):
    file = tmp_path / "20261121"
    file.write_bytes("\n".join([*lines, ""]).encode("utf-8", "surrogateescape"))
    return list(scheduler.objects(file, scheduler.How(BERLIN, **how)))


def test_a_job_that_ended(tmp_path):
    (job,) = parsed(tmp_path, END)
    assert (job["cluster"], job["job_id"], job["job_display_id"]) == ("srv", 7, "7")
    assert (job["user"], job["account"], job["partition"], job["job_name"]) == ("ann", "acc", "work", "x")
    assert (job["state"], job["exit_code"], job["exit_signal"]) == ("COMPLETED", 0, None)
    assert (job["submit_time"], job["start_time"], job["end_time"]) == (
        "2026-11-21T08:12:08Z", "2026-11-21T08:12:10Z", "2026-11-21T08:12:11Z",
    )  # fmt: skip
    assert (job["nodes"], job["node_list"]) == (3, ["c1", "c2", "c3"])
    assert job["cores"] == 13 + 5 + 1
    assert job["time_limit_seconds"] == 800 * 3600


def test_the_states_of_a_job_in_their_order(tmp_path):
    queued = f"11/21/2026 09:12:08;Q;7.srv;user=ann queue=work {TIMES}"
    started = f"11/21/2026 09:12:10;S;7.srv;user=ann queue=work {TIMES} start=1795248730"
    rerun = "11/21/2026 09:12:10;R;7.srv;user=ann"
    deleted = "11/21/2026 09:12:11;D;7.srv;requestor=ann@login"
    aborted = "11/21/2026 09:12:11;A;7.srv;Job aborted by PBS Server"
    killed = END.replace("Exit_status=0", "Exit_status=271")
    jobs = parsed(tmp_path, queued, started, rerun, killed, deleted, aborted)
    assert [(job["state"], job["exit_signal"], job["end_time"]) for job in jobs] == [
        ("PENDING", None, None),
        ("RUNNING", None, None),
        ("REQUEUED", None, None),
        ("FAILED", 15, "2026-11-21T08:12:11Z"),  # 256 and SIGTERM
        ("CANCELLED", None, "2026-11-21T08:12:11Z"),  # of the line itself, Berlin is an hour ahead
        ("FAILED", None, "2026-11-21T08:12:11Z"),
    ]
    assert jobs[0]["job_uid"] == jobs[1]["job_uid"] == jobs[3]["job_uid"]
    assert jobs[4]["job_uid"] is None  # who deletes does not say when it was submitted


def test_a_user_is_the_uid_that_this_machine_knows_of(tmp_path):
    jobs = parsed(tmp_path, *(f"11/21/2026 09:12:10;R;7.srv;user={user}" for user in ("root", "nobody-here")))
    assert [(job["user"], job["uid"]) for job in jobs] == [("root", 0), ("nobody-here", None)]


@pytest.mark.parametrize(
    ("name", "display", "array", "index"),
    [
        ("7.srv.site.org", "7", None, None),
        ("7", "7", None, None),
        ("7[4].srv", "7[4]", 7, 4),
        ("7[].srv", "7[]", 7, None),
        ("7-4.srv", "7-4", 7, 4),
    ],
)
def test_job_ids_and_arrays(tmp_path, name, display, array, index):
    (job,) = parsed(tmp_path, END.replace("7.srv", name), cluster="lab")
    assert (job["job_id"], job["job_display_id"]) == (7, display)
    assert (job["array_id"], job["array_index"], job["cluster"]) == (array, index, "lab")


def test_values_with_spaces_quotes_and_any_bytes(tmp_path):
    line = END.replace("jobname=x", 'jobname=my job \udce9 Submit_arguments="-N a=b queue=no" project="p q"')
    (job,) = parsed(tmp_path, line.replace("account=acc ", ""))
    assert (job["job_name"], job["partition"], job["account"]) == ("my job \\xe9", "work", "p q")


def test_records_that_are_no_job_are_passed_over(tmp_path):
    lines = ["11/21/2026 09:12:08;L;license;floating license hour:3", "11/21/2026 09:12:08;B;R1.srv;x=y"]
    assert parsed(tmp_path, *lines) == []


@pytest.mark.parametrize(
    ("line", "field", "reason"),
    [
        (END[:20], None, "not of the form MM/DD/YYYY"),
        (END[:60], "ctime", "not in this record of type E; is the line cut?"),
        (END[:-14], "Exit_status", "not in this record of type E; is the line cut?"),
        (END.replace(";E;", ";Z;"), "type", "'Z' is no type of record"),
        (END.replace(";7.srv;", ";srv;"), "job id", "'srv' is not of the form"),
        (END.replace("11/21/2026", "21/11/2026"), "time", "is no time"),
        (END.replace("etime=1795248728", "etime=17952487"), "etime", "'17952487' is no Unix second"),
        (END.replace("728 start=", "728start="), "etime", "'1795248728start=1795248730' is no Unix second"),
        (END.replace("Exit_status=0", "Exit_status=zero"), "Exit_status", "'zero' is no whole number"),
        (END.replace("c1/0*13", "c1/x"), "exec_host", "'x' is neither a slot"),
    ],
)
def test_a_bad_line_is_refused_and_its_neighbors_are_read(tmp_path, line, field, reason):
    before, bad, after = parsed(tmp_path, END, line, END)
    assert before == after
    assert isinstance(bad, Refused)
    assert (bad.position, bad.field) == ("line 2", field)
    assert reason in bad.reason


def test_only_jobs_with_identity_are_records_of_the_wire(tmp_path):
    file = tmp_path / "20261121"
    file.write_text(f"{END}\n11/21/2026 09:12:11;D;7.srv;requestor=ann@login\n")
    job, refused = pbs.read(file, BERLIN)
    assert job["submit_time"] == 1795248728 * 1_000_000
    assert refused.field == "Submit"


def test_as_xdmod_reads_it(extra):
    folder = extra / "scheduler/xdmod"
    expected = json.loads((folder / "pbs_accounting-logs.expected_parse.json").read_text())
    jobs = list(scheduler.objects(folder / "pbs_accounting-logs.log", scheduler.How(BERLIN)))
    assert len(jobs) == len(expected) == 9
    for job, other in zip(jobs, expected.values(), strict=True):
        assert str(job["job_id"]) == other["job_id"]
        assert (job["user"], job["partition"]) == (other["user"], other["queue"])
        assert (job["job_name"], str(job["exit_code"])) == (other["jobname"], other["exit_status"])
        for name, column in (("ctime", "submit_time"), ("start", "start_time"), ("end", "end_time")):
            assert job[column] == iso(int(other[name]) * 1_000_000)
        assert job["time_limit_seconds"] == other.get("resource_list_walltime")
        assert ",".join(job["node_list"]) == other.get("node_list", "")
        assert job["nodes"] == other.get("resources_used_nodes", 1)
        # of `0*0`, a chunk without a slot, XDMoD counts its GPUs; PBS says ncpus=48
        cores = 48 if job["job_id"] == 3073070 else other.get("resources_used_cpus")
        assert job["cores"] == cores


def test_records_of_other_sites(extra):
    folder = extra / "scheduler/pbs_misc"
    (casper,) = scheduler.objects(folder / "pbspro_casper_2026.log", scheduler.How(BERLIN))
    assert (casper["cluster"], casper["account"], casper["cores"]) == ("casper-pbs", "SCSG0001", 1)
    broken, *torque = scheduler.objects(folder / "torque_accounting_apel.log", scheduler.How(BERLIN))
    assert (broken.position, broken.field) == ("line 1", "etime")
    assert len(torque) == 6
    assert {job["job_id"]: job["cores"] for job in torque}[21010040] == 8
