"""`sacct --json` against sacct's text of the same jobs, and documents of other versions by hand."""

import json
from zoneinfo import ZoneInfo

import pytest
from weir.errors import Refused, UserError
from weir.formats import sacct, sacct_json, scheduler

HOW = scheduler.How(ZoneInfo("UTC"))


def written(tmp_path, *jobs, text=None):
    file = tmp_path / "sacct.json"
    file.write_bytes(text if text is not None else json.dumps({"jobs": jobs, "meta": {}}).encode())
    return file


def parsed(file):
    return list(scheduler.objects(file, HOW))


def number(value):
    """As data_parser of Slurm 23.11 and later writes one."""
    return {"set": value is not None, "infinite": False, "number": value or 0}


OLD = {  # dbv0.0.37 to 39, Slurm 21.08 to 23.02
    "job_id": 106, "cluster": "lab", "user": "ann", "account": "acc", "name": "x", "nodes": "n[1-2]",
    "allocation_nodes": 2, "partition": "p", "qos": "normal",
    "array": {"job_id": 101, "task_id": 3, "task": None}, "het": {"job_id": 0, "job_offset": None},
    "time": {"submission": 1795248728, "start": 1795248730, "end": 1795248731, "limit": 10},
    "state": {"current": "CANCELLED", "reason": "None"}, "kill_request_user": "root",
    "exit_code": {"status": "SIGNALED", "return_code": 0, "signal": {"signal_id": 9, "name": "KILL"}},
    "tres": {"allocated": [{"type": "mem", "count": 5}, {"type": "cpu", "count": 16}]},
    "steps": [{
        "step": {"job_id": 106, "id": "batch", "name": "batch"}, "state": "CANCELLED",
        "time": {"start": 1795248730, "end": 1795248731}, "nodes": {"count": 1, "range": "n1"},
        "exit_code": {"status": "SUCCESS", "return_code": 0}, "tres": {"allocated": []},
    }],
}  # fmt: skip
NEW = OLD | {  # v0.0.40 and later, Slurm 23.11 and later
    "array": {"job_id": 101, "task_id": number(3), "task": ""},
    "het": {"job_id": 0, "job_offset": number(None)},
    "time": OLD["time"] | {"limit": number(10)},
    "state": {"current": ["CANCELLED"], "reason": "None"},
    "exit_code": {
        "status": ["SIGNALED"], "return_code": number(0), "signal": {"id": number(9), "name": "KILL"},
    },
    "steps": [OLD["steps"][0] | {
        "step": {"id": "106.batch", "name": "batch"}, "state": ["CANCELLED"],
        "time": {"start": number(1795248730), "end": number(1795248731)},
        "exit_code": {"status": ["SUCCESS"], "return_code": number(0)},
    }],
}  # fmt: skip


@pytest.mark.parametrize("job", [OLD, NEW], ids=["21.08", "23.11"])
def test_a_job_of_any_version_by_hand(tmp_path, job):
    whole, step = parsed(written(tmp_path, job))
    assert whole["job_display_id"] == "101_3"
    assert (whole["job_id"], whole["array_id"], whole["array_index"], whole["step"]) == (106, 101, 3, None)
    assert (whole["state"], whole["cancelled_by"]) == ("CANCELLED", "root")
    assert (whole["exit_code"], whole["exit_signal"]) == (0, 9)
    assert (whole["nodes"], whole["node_list"], whole["cores"]) == (2, ["n1", "n2"], 16)
    assert (whole["submit_time"], whole["end_time"]) == ("2026-11-21T08:12:08Z", "2026-11-21T08:12:11Z")
    assert whole["time_limit_seconds"] == 600
    assert (step["job_id"], step["step"], step["node_list"]) == (106, "batch", ["n1"])
    assert (step["start_time"], step["submit_time"]) == ("2026-11-21T08:12:10Z", None)


def test_a_het_component_and_a_job_that_waits(tmp_path):
    het = NEW | {
        "job_id": 201, "array": {"job_id": 0, "task_id": number(None)}, "steps": [],
        "het": {"job_id": 200, "job_offset": number(1)},
    }  # fmt: skip
    waits = NEW | {
        "job_id": 300, "array": {"job_id": 300, "task_id": number(None), "task": "4-9"}, "steps": [],
        "state": {"current": ["PENDING"]}, "time": {"submission": 1795248728, "start": 0, "end": 0},
        "nodes": "None assigned",
    }  # fmt: skip
    first, second = parsed(written(tmp_path, het, waits))
    assert (first["job_display_id"], first["het_id"], first["het_offset"]) == ("200+1", 200, 1)
    assert (first["array_id"], first["array_index"]) == (None, None)
    assert (second["job_display_id"], second["array_index"], second["cancelled_by"]) == (
        "300_[4-9]", None, None,
    )  # fmt: skip
    assert (second["start_time"], second["end_time"], second["node_list"]) == (None, None, [])


@pytest.mark.parametrize(
    ("changes", "field", "reason"),
    [
        ({"state": {"current": ["DONE"]}}, "state.current", "'DONE' is no state"),
        ({"job_id": "x"}, "job_id", "not what sacct writes there"),
        ({"time": [1]}, "time", "is no object"),
        ({"time": {"submission": 10**15}}, "time.submission", "is no Unix second"),
    ],
)
def test_a_bad_job_is_refused_and_its_neighbors_are_read(tmp_path, changes, field, reason):
    good = OLD | {"steps": []}
    before, bad, after = parsed(written(tmp_path, good, good | changes, good))
    assert before == after
    assert isinstance(bad, Refused)
    assert (bad.position, bad.field) == ("job 2", field)
    assert reason in bad.reason


def test_a_name_of_any_bytes_does_not_cost_the_document(tmp_path):
    text = json.dumps({"jobs": [OLD | {"name": "CAFE", "steps": []}, OLD | {"steps": []}]}).encode()
    named, other = parsed(written(tmp_path, text=text.replace(b"CAFE", b"caf\xe9 \xf0\x9f\x98\x80 a\\\\b")))
    assert named["job_name"] == "caf\\xe9 \U0001f600 a\\\\b"
    assert other["job_name"] == "x"


def test_a_document_that_is_cut_gives_what_stands_before_the_cut(tmp_path):
    jobs = [OLD | {"steps": [], "job_id": 1000 + i} for i in range(500)]
    text = json.dumps({"jobs": jobs}).encode()
    *whole, cut = parsed(written(tmp_path, text=text[: len(text) // 2]))
    assert [job["job_id"] for job in whole] == [1000 + i for i in range(len(whole))]
    assert len(whole) > 150
    assert isinstance(cut, Refused)
    assert "not whole JSON" in cut.reason


def test_no_jobs_is_no_error_and_another_document_is_one(tmp_path):
    assert parsed(written(tmp_path)) == []
    with pytest.raises(UserError, match="no sacct -P with a header"):
        parsed(written(tmp_path, text=b'{"sysstat": {}}'))


def test_the_same_as_text_of_the_same_jobs(extra):
    folder = extra / "scheduler/generated_slurm"
    by_uid = {job["job_uid"]: job for job in sacct_json.read(folder / "sacct.json")}
    text = {job["job_uid"]: job for job in sacct.read(folder / "sacct_jobs_localtime.psv", HOW.zone)}
    assert len(by_uid) == 59
    assert by_uid.keys() == text.keys()
    # dbv0.0.38 has no user ids and no signals, names who cancelled, and says SUCCESS of two jobs that failed
    told_otherwise = {"uid", "exit_code", "exit_signal", "cancelled_by"}
    for uid, job in by_uid.items():
        assert {k: v for k, v in job.items() if k not in told_otherwise} == {
            k: v for k, v in text[uid].items() if k not in told_otherwise
        }


def test_steps_of_a_recorded_document(extra):
    folder = extra / "scheduler/generated_slurm"
    keys = ("job_id", "step", "state", "start_time", "end_time", "node_list", "cores")
    steps = {tuple(map(str, map(job.get, keys))) for job in parsed(folder / "sacct.json") if job["step"]}
    text = parsed(folder / "sacct_parsable2_ALL.psv")
    assert steps == {tuple(map(str, map(job.get, keys))) for job in text if job["step"]}
    assert len(steps) == 61


def test_a_document_of_another_site(extra):
    first, second = parsed(extra / "scheduler/mila_clockwork/sacct_json_slurm21.08_1.json")
    assert (first["cluster"], first["job_display_id"], first["state"]) == ("cedar", "1_7", "NODE_FAIL")
    assert (first["start_time"], first["end_time"]) == ("2023-03-30T16:25:04Z", None)  # Unix 1680193504 and 0
    assert (second["state"], second["cores"], second["time_limit_seconds"]) == ("REQUEUED", 4, 86400)
