"""The recorded center in ClickHouse against what libdarshan, sacct, iostat and the kernel said of it."""

import csv
import json
import math
import re
import statistics
import subprocess
import sys
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from pathlib import Path

import pytest
from weir import kafka, wire

HERE = "WHERE cluster = 'labcluster'"
KINDS = {
    "runs": 52, "jobs": 59, "manifests": 59, "file records": 17_839, "heatmap bins": 2_300,
    "device samples": 3 * (270 + 52 + 18),
}  # fmt: skip


@pytest.fixture(scope="session")
def logs(center):
    """log_id -> file of every recorded log."""
    files = center.glob("darshan/*/*/*.darshan")
    return {blake2b(file.read_bytes(), digest_size=16).hexdigest(): file for file in files}


@pytest.fixture(scope="session")
def libdarshan(logs):
    """File -> what libdarshan derives."""
    oracle = Path(__file__).with_name("oracle.py")
    command = [sys.executable, oracle, *map(str, logs.values())]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)


@pytest.fixture(scope="session")
def runs(center, sql):
    return {run["log_id"]: run for run in sql.rows(f"SELECT * FROM runs {HERE}")}


@pytest.fixture(scope="session")
def sacct(center):
    """JobIDRaw -> sacct's row."""
    with (center / "sacct.psv").open() as file:
        return {int(row["JobIDRaw"]): row for row in csv.DictReader(file, delimiter="|")}


def moved(text, shift):
    """A recorded local time as it must have landed; both are UTC without saying so."""
    return datetime.fromisoformat(text) + timedelta(seconds=shift)


def test_everything_that_was_sent_has_landed(center, sql):
    sent = sql.rows(f"SELECT kind, count FROM producer_ledger {HERE} AND count > 0")
    assert {row["kind"]: row["count"] for row in sent} == KINDS
    landed = {
        "runs": sql.one(f"SELECT uniqExact(log_id) FROM runs {HERE}"),
        "jobs": sql.one(f"SELECT uniqExact(job_uid) FROM scheduler_jobs {HERE}"),
        "manifests": sql.one(f"SELECT count() FROM job_manifests {HERE}"),
        "device samples": sql.one(f"SELECT uniqExact(device_id, time) FROM device_samples {HERE}"),
        "heatmap bins": sql.one(f"SELECT count() FROM heatmap_bins {HERE}"),
        "file records": sum(
            sql.one(f"SELECT count() FROM {module}_records {HERE}")
            for module in ("posix", "mpiio", "stdio", "h5f", "h5d")
        ),
    }
    assert landed == KINDS


def test_runs_are_the_recorded_logs(runs, logs):
    assert runs.keys() == logs.keys()


def test_bytes_times_and_performance_are_those_of_libdarshan(runs, logs, libdarshan):
    columns = {"POSIX": "posix", "MPI-IO": "mpiio", "STDIO": "stdio"}
    compared = 0
    for log_id, run in runs.items():
        told = libdarshan[str(logs[log_id])]
        for module, prefix in columns.items():
            if module not in told:
                continue
            expected = told[module]
            assert run[f"{prefix}_bytes"] == expected["total_bytes"]
            time = run[f"{prefix}_agg_time_by_slowest_seconds"]
            assert time == pytest.approx(expected["agg_time_by_slowest"], rel=1e-9)
            perf = run[f"{prefix}_agg_perf_by_slowest_mib_per_second"]
            assert perf == pytest.approx(expected["agg_perf_by_slowest"], rel=1e-9)
            compared += 1
        total = sum(told.get(m, {}).get("total_bytes", 0) for m in ("POSIX", "STDIO"))
        assert (run["bytes_read"] or 0) + (run["bytes_written"] or 0) == total
    assert compared > 80


def test_bytes_are_those_the_programs_asked_for(runs, logs, truths):
    by_folder = defaultdict(list)
    for log_id, file in logs.items():
        by_folder[file.parent].append(runs[log_id])
    compared = 0
    for folder, truth in truths:
        asked = truth["bytes"].get("written")
        if asked and "pattern" in str(truth["command"]):
            written = sum(run["bytes_written"] or 0 for run in by_folder[folder])
            if "partial_log" in truth["expected_flags"]:
                assert {run["log_state"] for run in by_folder[folder]} == {"partial"}
                assert 0 < written < asked
            else:  # and what the program told on its standard streams
                assert asked <= written < asked + 4096, folder
            compared += 1
    assert compared >= 12


def test_jobs_are_those_of_sacct(sql, sacct, shift):
    jobs = {job["job_id"]: job for job in sql.rows(f"SELECT * FROM scheduler_jobs {HERE}")}
    assert jobs.keys() == sacct.keys()
    for job_id, row in sacct.items():
        job = jobs[job_id]
        assert job["submit_time"] == moved(row["Submit"], shift)
        assert job["start_time"] == moved(row["Start"], shift)
        assert job["end_time"] == moved(row["End"], shift)
        assert job["job_display_id"] == row["JobID"]
        for column, field in (("user", "User"), ("account", "Account"), ("job_name", "JobName")):
            assert job[column] == row[field]
        assert (job["nodes"], job["cpus"]) == (int(row["NNodes"]), int(row["NCPUS"]))
        assert job["state"] == row["State"].split()[0]


def test_every_run_belongs_to_its_job(runs, sacct, shift):
    for run in runs.values():
        row = sacct[run["job_id"]]
        submit = int(moved(row["Submit"], shift).replace(tzinfo=UTC).timestamp())
        index = row["JobID"].split("_")[1] if "_" in row["JobID"] else ""
        uid = blake2b(f"labcluster\0{run['job_id']}\0{index}\0{submit}".encode(), digest_size=16)
        assert run["job_join"] == "joined"
        assert run["job_uid"] == uid.hexdigest()
        assert (run["user"], run["account"], run["nodes"]) == (
            row["User"],
            row["Account"],
            int(row["NNodes"]),
        )


def test_rate_per_node_uses_the_nodes_that_were_allocated(runs, sacct):
    for run in runs.values():
        if run["mib_per_second"]:
            nodes = int(sacct[run["job_id"]]["NNodes"])
            assert run["mib_per_second_per_node"] == pytest.approx(run["mib_per_second"] / nodes)


def test_device_totals_are_the_kernel_counters_differences(sql, center, shift):
    """The two recorders' windows end within one interval of each other, so one sample is the tolerance."""
    for part in ("matrix", "overlap"):
        rows = [line.split() for line in (center / f"devices/diskstats_{part}.txt").read_text().splitlines()]
        first, last = float(rows[0][0]), float(rows[-1][0])
        for device in ("loop0", "loop1", "vda"):
            counters = [[int(v) for v in row[4:]] for row in rows if row[3] == device]
            for column, sectors in (("bytes_read", 2), ("bytes_written", 6)):
                got = sql.rows(
                    "SELECT sum(COLUMN) AS total, max(COLUMN) AS largest FROM device_samples "
                    "WHERE cluster = 'labcluster' AND device_name = {device:String} "
                    "AND time BETWEEN {first:Float64} AND {last:Float64}".replace("COLUMN", column),
                    device=device, first=int(first) + shift, last=int(last) + 1 + shift,
                )[0]  # fmt: skip
                truth = (counters[-1][sectors] - counters[0][sectors]) * 512
                assert abs(got["total"] - truth) <= got["largest"] + 1e-4 * truth


def test_load_of_a_file_system_is_the_sum_over_its_device(sql, center):
    for fs, device in (("scratch1", "loop0"), ("scratch2", "loop1")):
        written = read = 0.0
        for file in center.glob("devices/iostat_*.json"):
            reports = json.loads(file.read_text())["sysstat"]["hosts"][0]["statistics"][1:]
            disks = [disk for report in reports for disk in report["disk"] if disk["disk_device"] == device]
            written += sum(disk["wkB/s"] for disk in disks) * 1024
            read += sum(disk["rkB/s"] for disk in disks) * 1024
        got = sql.rows(
            "SELECT sum(bytes_written) AS w, sum(bytes_read) AS r, max(util_max) AS u FROM filesystem_load "
            "WHERE cluster = 'labcluster' AND filesystem = {fs:String}",
            fs=fs,
        )[0]
        # the bucket of the newest tick of all is still open
        assert got["w"] == pytest.approx(written, rel=1e-6)
        assert got["r"] == pytest.approx(read, rel=1e-6)
        assert 0 < got["u"] <= 1


# that name a finding of a log; others that fire are no label of any run
RULES = {
    "rank0_io",
    "load_imbalance",
    "small_io",
    "unaligned_io",
    "no_collective",
    "metadata_heavy",
    "many_small_files",
    "redundant_read",
    "random_io",
    "stdio_heavy",
    "fsync_heavy",
    "device_contention",
    "slow_vs_history",
}
# log: (found beyond its labels, labelled and not found), with the reason
EXPLAINED = {
    # its labels are of the job's two runs together; this one is the small step's neighbor, 8 MiB requests
    "two_steps/1": ((), ("many_small_files", "metadata_heavy", "small_io")),
    # 120 files are read in 1,080 requests of about 8 KiB: small, though nobody labelled it so
    "python_nonmpi/1": (("small_io",), ()),
    # the site does not say that both file systems lie on one disk, and this run's own device was quiet
    "contended_other_device/1": ((), ("device_contention",)),
    # labelled by its pattern alone; ovl_rank0 wrote ten times as much to the same device meanwhile
    "ovl_small_unaligned/1": (("device_contention",), ()),
}


def test_findings_are_what_was_run_on_purpose(sql, truths, center):
    found = defaultdict(set)
    for row in sql.rows(f"SELECT log_id, rule_id FROM findings {HERE} AND evidence_class != 'unknowable'"):
        found[row["log_id"]].add(row["rule_id"])
    wrong = {}
    for folder, truth in truths:
        expected = set(truth["expected_flags"]) & RULES
        for number, file in enumerate(sorted(folder.glob("*.darshan")), start=1):
            got = found[blake2b(file.read_bytes(), digest_size=16).hexdigest()] & RULES
            if got != expected:
                difference = (tuple(sorted(got - expected)), tuple(sorted(expected - got)))
                wrong[f"{folder.name}/{number}"] = difference
    assert wrong == EXPLAINED


def test_an_advice_stands_with_its_numbers(sql):
    """Those of fsync_heavy are counters of all processes, that of small_io is its rule's."""
    found = sql.rows(f"SELECT log_id, rule_id, advice, advice_numbers FROM findings {HERE} AND log_id != ''")
    numbers = {(row["log_id"], row["rule_id"]): json.loads(row["advice_numbers"]) for row in found}
    assert all(sorted(row["advice"]) == [*json.loads(row["advice_numbers"])] for row in found)
    syncs = "sum(POSIX_FSYNCS + POSIX_FDSYNCS) AS fsyncs, sum(POSIX_WRITES) AS writes"
    counted = sql.rows(f"SELECT log_id, {syncs} FROM posix_records {HERE} GROUP BY log_id")
    heavy = [row for row in counted if (row["log_id"], "fsync_heavy") in numbers]
    assert heavy
    for row in heavy:
        advised = numbers[row["log_id"], "fsync_heavy"]["sync_at_checkpoints"]
        assert (advised["fsyncs"], advised["writes"]) == (row["fsyncs"], row["writes"])
    small = [each["larger_blocks"] for (_, rule), each in numbers.items() if rule == "small_io"]
    assert small and all(each == {"block_bytes": 1 << 20} for each in small)


def test_the_verdict_on_planted_contention(sql, truths, tell):
    """The same program with the same volume: alone on its device, and beside one that hammers it."""
    rows = sql.rows(f"SELECT log_id, verdict FROM runs {HERE}")
    verdicts = {row["log_id"]: row["verdict"] for row in rows}
    told = defaultdict(list)
    for folder, truth in truths:
        if truth.get("history_group") == "ckpt_hist":
            (file,) = folder.glob("*.darshan")
            log_id = blake2b(file.read_bytes(), digest_size=16).hexdigest()
            told[truth["contended"]].append(verdicts[log_id])
    blamed = {planted: sum(each in ("storage", "both") for each in told[planted]) for planted in told}
    tell(
        f"storage is blamed for {blamed[True]} of {len(told[True])} runs beside planted contention"
        f" and {blamed[False]} of {len(told[False])} alone"
    )
    assert told[True] == ["storage", "storage"]
    assert len(told[False]) == 5
    assert not {"storage", "both"} & set(told[False])


def test_reference_rates_are_the_75th_percentile_of_comparable_runs(weir, runs, sacct, stack):
    """As of tomorrow, so that no run of today is judged by them."""
    classes = defaultdict(list)
    for run in runs.values():
        moved, seconds = (run["application_bytes"] or 0) / 2**20, run["io_time_seconds"]
        exact = run["log_state"] == "complete" and "mib_per_second" not in run["evidence_classes"]
        if run["filesystem"] and exact and run["site_bytes"] >= 16 << 20 and seconds:
            nodes = min(int(sacct[run["job_id"]]["NNodes"]), math.ceil(run["nprocs"] / 16))
            direction = "read" if run["bytes_read"] > run["bytes_written"] else "write"
            classes[run["filesystem"], direction, int(math.log10(nodes))].append(moved / seconds / nodes)
    enough = {key: rates for key, rates in classes.items() if len(rates) >= 20}
    assert enough, {key: len(rates) for key, rates in classes.items()}
    day = (datetime.now(UTC) + timedelta(days=1)).date()
    assert f"{len(enough)} rates as of {day}" in weir("reference", "publish", "--day", day)
    messages = kafka.read_to_end(stack.kafka, "weir.reference").values()
    published = [wire.decode(message)[1] for message in messages]
    assert {(each["filesystem"], each["direction"], each["nodes_decade"]) for each in published} == set(
        enough
    )
    for each in published:
        rates = enough[each["filesystem"], each["direction"], each["nodes_decade"]]
        assert (each["runs"], each["day"]) == (len(rates), day)
        p75 = statistics.quantiles(rates, n=4, method="inclusive")[2]
        assert each["mib_per_second_per_node_p75"] == pytest.approx(p75, rel=1e-9)


def test_the_coverage_ledger_says_what_became_of_each_job(sql, sacct, logs, truths):
    """Of logs the file names tell the job; what was run says whose log is partial."""
    partial = {folder for folder, truth in truths if "partial_log" in truth["expected_flags"]}
    by_job = defaultdict(set)
    for file in logs.values():
        by_job[int(re.search(r"_id(\d+)-", file.name)[1])].add(file.parent)
    expected = {}
    for job_id, row in sacct.items():
        ended = row["State"].split()[0] in ("CANCELLED", "FAILED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY")
        if by_job[job_id]:
            expected[job_id] = "partial" if by_job[job_id] & partial else "instrumented"
        elif not row["Start"][:1].isdigit():
            expected[job_id] = "not_started"
        else:
            expected[job_id] = "killed" if ended else "not_instrumented"
    told = {row["job_id"]: row["coverage"] for row in sql.rows(f"SELECT * FROM job_results {HERE}")}
    assert told == expected
    assert {"instrumented", "partial", "killed", "not_instrumented"} <= set(expected.values())
