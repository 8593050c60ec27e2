"""sacct lines against the epoch times that Slurm itself printed (truth.json), against what other tools made
of them, and against calculations by hand."""

import csv
import json
import tracemalloc
from zoneinfo import ZoneInfo

import pytest
from weir.errors import Refused, UserError
from weir.formats import sacct, scheduler
from weir.formats.reading import iso

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
def test_a_bad_line_is_refused_and_its_neighbors_are_read(tmp_path, line, reason):
    before, bad, after = read(tmp_path, GOOD, line, GOOD)
    assert before == after
    assert isinstance(bad, Refused)
    assert reason in bad.reason
    assert (bad.position, bad.data) == ("line 3", line.encode())


def told(tmp_path, *lines, zone="UTC", header=HEADER, **how):
    """As `weir scheduler parse` tells them."""
    file = tmp_path / "sacct.psv"
    file.write_bytes(
        "\n".join([*([header] if header else []), *lines, ""]).encode("utf-8", "surrogateescape")
    )
    return list(scheduler.objects(file, scheduler.How(ZoneInfo(zone), **how)))


def test_steps_are_passed_over(tmp_path):
    assert read(tmp_path, GOOD.replace("101_3", "101_3.batch")) == []


def test_bytes_that_are_no_text_stay_readable(tmp_path):
    (job,) = read(tmp_path, GOOD.replace("ann", "an\udcff"))
    assert job["user"] == "an\\xff"


def test_a_header_without_identity(tmp_path):
    with pytest.raises(UserError, match=r"line 1: the header lacks JobIDRaw.*sacct -P -o JobID,JobIDRaw"):
        read(tmp_path, header="JobID|State")


@pytest.mark.parametrize(
    ("start", "end", "elapsed", "expected"),
    [
        # clocks go back from 03:00 CEST (UTC+2) to 02:00 CET (UTC+1) at 01:00 UTC
        ("02:50:00", "02:20:00", "00:30:00", ("00:50:00", "01:20:00")),
        ("02:10:00", "02:20:00", "01:10:00", ("00:10:00", "01:20:00")),
        ("02:10:00", "02:20:00", "00:10:00", ("00:10:00", "00:20:00")),
        ("02:30:00", "03:30:00", "01:00:00", ("01:30:00", "02:30:00")),
        ("02:30:00", "03:30:00", "", ("00:30:00", "02:30:00")),  # nothing tells: the first pass
    ],
)
def test_the_hour_that_comes_twice_is_told_by_the_elapsed_time(tmp_path, start, end, elapsed, expected):
    day = "2026-10-25T"
    header = "JobID|JobIDRaw|Cluster|State|Submit|Start|End|Elapsed"
    line = f"7|7|lab|COMPLETED|{day}01:00:00|{day}{start}|{day}{end}|{elapsed}"
    (job,) = told(tmp_path, line, header=header, zone="Europe/Berlin")
    assert job["submit_time"] == "2026-10-24T23:00:00Z"
    assert (job["start_time"], job["end_time"]) == tuple(f"2026-10-25T{time}Z" for time in expected)


def test_an_hour_that_was_left_out_is_refused(tmp_path):
    line = GOOD.replace("1795248728", "2026-03-29T02:30:00")
    (bad,) = told(tmp_path, line, zone="Europe/Berlin")
    assert bad.field == "Submit"
    assert "does not exist in Europe/Berlin" in bad.reason


def test_a_time_with_its_own_zone_needs_no_other(tmp_path):
    line = GOOD.replace("1795248728", "2026-07-01T12:00:00-07:00")
    assert told(tmp_path, line, zone="Europe/Berlin")[0]["submit_time"] == "2026-07-01T19:00:00Z"


def test_array_het_and_steps_by_their_display_id(tmp_path):
    lines = [
        GOOD,
        GOOD.replace("101_3|106|", "101_[4-9%2]|101|").replace("COMPLETED", "PENDING"),
        GOOD.replace("101_3|106|", "200+1|201|"),
        GOOD.replace("101_3|106|", "101_3.batch|106.batch|"),
        GOOD.replace("101_3|106|", "200+1.0|201.0|"),
    ]
    keys = ("job_id", "job_display_id", "array_id", "array_index", "het_id", "het_offset", "step")
    assert [tuple(job[key] for key in keys) for job in told(tmp_path, *lines)] == [
        (106, "101_3", 101, 3, None, None, None),
        (101, "101_[4-9%2]", 101, None, None, None, None),
        (201, "200+1", None, None, 200, 1, None),
        (106, "101_3", 101, 3, None, None, "batch"),
        (201, "200+1", None, None, 200, 1, "0"),
    ]


def test_without_the_raw_id_an_array_task_has_no_identity(tmp_path):
    header = "JobID|Cluster|State|Submit|Start|End"
    times = "1795248728|1795248730|1795248731"
    task, job = told(tmp_path, f"101_3|lab|COMPLETED|{times}", f"7|lab|COMPLETED|{times}", header=header)
    assert (task["job_id"], task["job_uid"]) == (None, None)
    assert job["job_id"] == 7
    assert len(job["job_uid"]) == 32


def test_a_requeue_and_a_reused_id_are_jobs_of_their_own(tmp_path):
    first = "7|7|lab|ann|REQUEUED|1795248000|1795248100|1795248200|1|0:0|"
    again = "7|7|lab|ann|COMPLETED|1795248200|1795248300|1795248400|1|0:0|"
    years_later = "7|7|lab|bob|COMPLETED|1858320200|1858320300|1858320400|1|0:0|"
    jobs = read(tmp_path, first, again, years_later)
    assert len({job["job_uid"] for job in jobs}) == 3
    # accounting closed the first one when it gave the job a new submit time
    assert [(job["state"], job["state_rank"]) for job in jobs] == [
        ("REQUEUED", 3), ("COMPLETED", 3), ("COMPLETED", 3),
    ]  # fmt: skip


def test_cancelled_by_a_user_id(tmp_path):
    states = ("CANCELLED by 423120", "CANCELLED+", "CANCELLED by")
    jobs = told(tmp_path, *(GOOD.replace("COMPLETED", state) for state in states))
    assert [job["state"] for job in jobs] == ["CANCELLED"] * 3
    assert [job["cancelled_by"] for job in jobs] == ["423120", None, None]


@pytest.mark.parametrize("end", ["Unknown", "1795249000"])
def test_a_running_job_has_no_end(tmp_path, end):
    """With --truncate sacct prints the end of the window that was asked for."""
    (job,) = told(tmp_path, f"7|7|lab|ann|RUNNING|1795248728|1795248730|{end}|1|0:0|UNLIMITED")
    assert (job["state"], job["end_time"], job["time_limit_seconds"]) == ("RUNNING", None, None)


def test_names_of_any_bytes_and_the_list_of_nodes(tmp_path):
    header = f"{HEADER}|NodeList|JobName"
    line = f"{GOOD}|n[08-10],gpu1|r\udce9seau \U0001f600|a\\b"
    (job,) = told(tmp_path, line, header=header)
    assert job["node_list"] == ["gpu1", "n08", "n09", "n10"]
    # latin-1 e acute is no UTF-8; the delimiter may stand in a name at the end
    assert job["job_name"] == "r\\xe9seau \U0001f600|a\\\\b"


def test_a_list_of_nodes_that_is_cut_costs_only_itself(tmp_path):
    job, why = told(tmp_path, f"{GOOD}|n[1-4", header=f"{HEADER}|NodeList")
    assert (job["job_id"], job["node_list"]) == (106, None)
    assert (why.field, why.position) == ("NodeList", "job 101_3")


@pytest.mark.parametrize("delimiter", ["|", ";", "\t", "\u2603", "~~"])
@pytest.mark.parametrize("closed", [False, True])
def test_any_delimiter_and_any_order_of_fields(tmp_path, delimiter, closed):
    end = delimiter if closed else ""
    fields = {
        "State": "COMPLETED", "End": "1795248731", "JobName": "x", "Cluster": "lab", "Submit": "1795248728",
        "JobID": "7", "Start": "1795248730", "JobIDRaw": "7", "AllocNodes": "3",
    }  # fmt: skip
    (job,) = told(tmp_path, delimiter.join(fields.values()) + end, header=delimiter.join(fields) + end)
    assert (job["job_id"], job["nodes"], job["job_name"]) == (7, 3, "x")
    assert job["start_time"] == "2026-11-21T08:12:10Z"


def test_fields_can_be_named_where_there_is_no_header(tmp_path):
    (job,) = told(tmp_path, "7:ann:FAILED", header=None, fields=["JobID", "User", "State"])
    assert (job["job_id"], job["user"], job["state"]) == (7, "ann", "FAILED")


def test_a_warning_above_the_header_is_told(tmp_path):
    bad, job = told(tmp_path, HEADER, GOOD, header="sacct: warning: slow")
    assert (bad.position, bad.reason) == ("line 1", "1 fields where the header has 11")
    assert job["job_id"] == 106


def test_a_line_that_is_cut_at_the_end_of_the_file(tmp_path):
    file = tmp_path / "sacct.psv"
    file.write_text(f"{HEADER}\n{GOOD}\n{GOOD[:-20]}")
    good, cut = scheduler.objects(file, scheduler.How(UTC))
    assert good["job_id"] == 106
    assert (cut.position, cut.reason) == ("line 3", "8 fields where the header has 11")


def test_a_line_without_end_does_not_fill_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr("weir.formats.reading.LONGEST_LINE", 1000)
    before, long, after = told(tmp_path, GOOD, "7|" * 2000, GOOD)
    assert before == after
    assert (long.position, long.reason) == ("line 3", "longer than 1,000 bytes")


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(tmp_path):
    file = tmp_path / "sacct.psv"
    with file.open("w") as out:
        out.write(HEADER + "\n")
        out.writelines(f"{GOOD}\n" for _ in range(8_000))
    list(scheduler.objects(file, scheduler.How(UTC)))  # what is made once
    tracemalloc.start()
    assert sum(1 for _ in scheduler.objects(file, scheduler.How(UTC))) == 8_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < file.stat().st_size / 2


# --- beside the repository -------------------------------------------------------------------------------


def parsed(file, zone="UTC"):
    return list(scheduler.objects(file, scheduler.How(ZoneInfo(zone))))


def test_as_xdmod_reads_it(extra):
    folder = extra / "scheduler/xdmod"
    expected = json.loads((folder / "slurm_accounting-logs.expected_parse.json").read_text())
    jobs = parsed(folder / "slurm_accounting-logs.log")
    assert len(jobs) == len(expected) == 4
    for job, other in zip(jobs, expected, strict=True):
        assert str(job["job_id"]) == other["job_id_raw"]
        for name in ("submit_time", "start_time", "end_time"):
            assert job[name] == iso(other[name] * 1_000_000)
        assert (str(job["nodes"]), str(job["cores"])) == (other["nnodes"], other["ncpus"])
        assert (job["partition"] or "", job["account"]) == (other["partition_name"], other["account_name"])
        assert (str(job["uid"]), job["job_name"]) == (other["uid_number"], other["job_name"])
        assert job["time_limit_seconds"] == other["timelimit"]
        assert f"{job['exit_code']}:{job['exit_signal']}" == other["exit_code"]
        assert job["state"] == other["state"].split()[0]


def test_odd_lines_of_xdmod_are_told(extra):
    folder = extra / "scheduler/xdmod"
    arrays = parsed(folder / "slurm_accounting-logs-with-job-arrays.log")
    assert [job["array_index"] for job in arrays] == [100, None, None, None, None, None]
    assert {job["array_id"] for job in arrays} == {4103947}
    assert {(job["nodes"], len(job["node_list"])) for job in arrays} == {(32, 32)}
    (name,) = parsed(folder / "slurm_utf8-multibyte-chars.log")
    assert name["job_name"] == "aàb"
    running, pending = parsed(folder / "slurm_non-ended-job-state.log")
    assert [running["end_time"], pending["start_time"], pending["end_time"]] == [None, None, None]
    unknown = parsed(folder / "slurm_unknown-job-state.log")
    assert [(each.position, each.field) for each in unknown] == [("line 1", "State"), ("line 2", "State")]


def test_eleven_thousand_lines_agree_with_their_other_columns(extra):
    """Elapsed and NNodes are Slurm's own; the summer of 2016 is over, so local times differ as UTC does."""
    file = extra / "scheduler/xdmod/slurm_pozidriv_sacct.psv"
    rows = list(csv.reader(file.open(newline=""), delimiter="|", quoting=csv.QUOTE_NONE))
    jobs = list(sacct.read(file, ZoneInfo("America/New_York")))
    assert len(jobs) == len(rows) == 11_704
    for job, row in zip(jobs, rows, strict=True):
        days, _, clock = row[14].rpartition("-")
        hours, minutes, seconds = map(int, clock.split(":"))
        elapsed = ((int(days or 0) * 24 + hours) * 60 + minutes) * 60 + seconds
        assert job["end_time"] - job["start_time"] == elapsed * 1_000_000
        if row[24] != "None assigned":
            assert len(scheduler.expanded(job["node_list"])) == int(row[17])


def test_as_hb_jobinfo_tells_it(extra):
    folder = extra / "scheduler/rug_habrok"
    jobs = {
        job["job_display_id"]: job for job in parsed(folder / "sacct_snowman_delim.txt") if not job["step"]
    }
    summaries = sorted(folder.glob("jobinfo_expected_*.txt"))
    told_of = [file for file in summaries if file.stem.removeprefix("jobinfo_expected_") in jobs]
    assert told_of
    for summary in told_of:
        lines = (line.partition(":")[::2] for line in summary.read_text().splitlines() if ":" in line)
        told = {name.strip(): value.strip() for name, value in lines}
        job = jobs[told["Job ID"]]
        assert job["job_name"] == told["Name"]
        assert (job["user"], job["partition"]) == (told["User"], told["Partition"])
        assert (job["node_list"], job["nodes"]) == ([told["Nodes"]], int(told["Number of Nodes"]))
        assert (job["cores"], job["state"]) == (int(told["Cores"]), told["State"].split()[0])
        for name, column in (("Submit", "submit_time"), ("Start", "start_time"), ("End", "end_time")):
            assert job[column] == f"{told[name]}Z"


def test_every_layout_of_one_accounting_tells_the_same(extra):
    folder = extra / "scheduler/generated_slurm"
    keys = ("job_id", "step", "state", "start_time", "end_time")
    said = {}
    for name in ("sacct_parsable2_ALL.psv", "sacct_parsable_trailing_bar.psv", "sacct_steps_epoch.psv"):
        said[name] = [tuple(job[key] for key in keys[1:]) for job in parsed(folder / name)]
    assert len({tuple(each) for each in said.values()}) == 1
    assert [job["step"] is None for job in parsed(folder / name)].count(True) == 59


def test_local_times_of_edison_meet_the_log_that_darshan_wrote(extra, tmp_path):
    """example.darshan began at 1490000867; sacct wrote the step's start in US Pacific time."""
    step = json.loads((extra / "scheduler/nersc_pytokio/edison_job4478544_sacct_parsed.json").read_text())
    start = step["4478544.6"]["start"]
    line = f"4478544.6|COMPLETED|{start}"
    (job,) = told(tmp_path, line, header="JobID|State|Start", zone="America/Los_Angeles")
    assert job["start_time"] in {iso((1490000867 + late) * 1_000_000) for late in range(-10, 1)}
