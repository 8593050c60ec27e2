"""`weir analyze`, run as users run it: against libdarshan, the recorded programs' own words, and by hand."""

import json
import os
import re
import shutil
import subprocess
import sys
import unicodedata
from html.parser import HTMLParser
from pathlib import Path

import libdarshan
import pytest
import written_log
import yaml
from weir.report import render
from weir.report.view import Report
from weir.schemas_dir import SCHEMAS
from written_log import File

MIB = 1 << 20
RULES = list((SCHEMAS / "rules").glob("*.yaml"))
pytestmark = pytest.mark.usefixtures("analysis_jar")


def weir(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from weir.cli import main; main()", *map(str, arguments)]
    env = {**os.environ, "COLUMNS": "100", **environment}
    return subprocess.run(command, capture_output=True, check=False, text=True, env=env)


def analyze(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    return weir("analyze", *arguments, **environment)


def objects(*arguments: object) -> list[dict]:
    return [json.loads(line) for line in analyze("--json", *arguments).stdout.splitlines()]


def flat(text: str) -> str:
    """Without its line breaks."""
    return " ".join(text.split())


@pytest.fixture(scope="session")
def case(recorded):
    """The logs of a recorded case."""
    return lambda name: sorted(recorded.glob(f"darshan/*/{name}/*.darshan"))


@pytest.fixture(scope="session")
def center(recorded) -> list[object]:
    """Options that tell of the recorded center all that is known."""
    return [
        "--site", recorded / "site.yaml", "--sacct", recorded / "sacct.psv",
        *("--iostat", f"vm={recorded}/devices/iostat_matrix.json"),
    ]  # fmt: skip


@pytest.fixture(scope="session")
def reports(recorded) -> dict[str, Report]:
    """Of every recorded log or job, by the case; judged without anything beside them."""
    from weir.analyze.offline import Inputs, analyze
    from weir.report import view

    found = analyze(sorted(recorded.glob("darshan/*/*/*.darshan")), Inputs())
    assert not found.refused
    names = [job.runs[0].file.parent.name for job in found.jobs]
    return dict(zip(names, view.reports(found), strict=True))


@pytest.fixture(scope="session")
def said(reports):
    """The text of a case's report, without its line breaks."""
    return lambda case: flat(render.text(reports[case]).plain)


# --- numbers ---------------------------------------------------------------------------------------------


def test_volumes_and_times_are_those_of_libdarshan(case):
    logs = [
        log
        for name in ("rank0_writer", "hdf5_independent", "stdio_heavy", "fpp_many_small")
        for log in case(name)
    ]
    for told, truth in zip(objects(*logs), libdarshan.read(*logs), strict=True):
        value = {name: feature["value"] for name, feature in told["features"].items()}
        of_run = [truth["totals"][name] for name in ("POSIX", "STDIO") if name in truth["totals"]]
        assert value["bytes_moved"] == sum(each["total_bytes"] for each in of_run) > 0
        for name, prefix in (("POSIX", "posix"), ("MPI-IO", "mpiio"), ("STDIO", "stdio")):
            if name in truth["totals"]:
                seconds = truth["totals"][name]["agg_time_by_slowest"]
                assert value[f"{prefix}_agg_time_by_slowest_seconds"] == pytest.approx(seconds)
        rate = value["application_bytes"] / MIB / value["io_time_seconds"]
        assert value["mib_per_second"] == pytest.approx(rate)


def test_an_object_a_log_says_what_the_program_did(case):
    # 16 processes, of which rank 0 wrote 512 times 1 MiB
    (log,) = case("rank0_writer")
    (told,) = objects(log)
    assert told["file"] == str(log)
    assert {"features", "findings", "verdict", "traits"} <= told.keys()
    assert "kind" not in told
    assert told["features"]["writes"] == {"value": 512.0, "evidence_class": "exact"}
    found = {finding["id"]: finding for finding in told["findings"]}
    assert found.keys() == {"rank0_io", "load_imbalance"}
    rank0 = found["rank0_io"]
    assert rank0.keys() >= {"id", "severity", "evidence_class", "evidence", "cost", "advice"}
    assert (rank0["severity"], rank0["evidence_class"]) == ("info", "exact")
    assert rank0["evidence"]["posix_effective_ranks_upper"] == 1
    assert rank0["cost"]["shared_with"] == 1


def test_the_text_says_the_same(case):
    (log,) = case("rank0_writer")
    done = analyze(log)
    said = flat(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert "pat ran with 16 processes" in said
    assert "It wrote 512 MiB, on /scratch1, through POSIX: 1 file, used by one process." in said
    assert "There were 512 POSIX writes." in said
    assert "Of 16 processes, one process moved 512 MiB of the run's 512 MiB. (exact)" in said
    assert "(load_imbalance)" not in said  # it would say the same again
    assert not [line for line in done.stdout.splitlines() if len(line) > 100 and "darshan" not in line]


def test_cost_is_measured_by_the_peak_that_the_site_states(case, center):
    (log,) = case("rank0_writer")
    (told,) = objects(*center, log)
    seconds = told["features"]["io_time_seconds"]["value"]
    lost = seconds - 512 / 4355  # one node of 16 cores, 4,355 MiB/s
    assert told["cost"]["time_lost_seconds"] == pytest.approx(lost)
    assert told["cost"]["node_hours_lost"] == pytest.approx(lost / 3600)
    said = flat(analyze(*center, log).stdout)
    assert f"About {lost:.3g} s of 1.61 s were lost to I/O: less than 0.01 node-hours on 1 node." in said
    assert "The measure is 4,355 MiB/s a node, the peak that the site states." in said
    assert "Verdict: The program" in said
    assert "not known" not in said


def test_nodes_can_be_told_by_hand(case, said):
    (log,) = case("rank0_writer")
    assert "processes 16 on 3 nodes" in flat(analyze("--nodes", 3, log).stdout)
    assert "The job's number of nodes is not known" in said("rank0_writer")
    both = analyze("--nodes", 3, "--sacct", "x", log)
    assert both.returncode == 2
    assert "--sacct tells the nodes already" in both.stderr


def test_a_run_that_others_slowed_down_is_not_the_programs_fault(case, center, recorded):
    (log,) = case("history_contended_1")
    assert json.loads((log.parent / "truth.json").read_text())["contended"]
    said = flat(analyze(*center, log).stdout)
    assert "Verdict: The file system It was the storage, not the program." in said
    assert "Nothing in the program needs to change" in said


def test_a_disk_that_two_file_systems_share_is_seen_where_the_site_maps_it(case, center, recorded, tmp_path):
    """Another job wrote to /scratch1, this one to /scratch2; both are loop devices of one disk."""
    (contended,), (alone,) = case("contended_other_device"), case("history_quiet_1")
    site = yaml.safe_load((recorded / "site.yaml").read_text())
    for number, file_system in enumerate(site["file_systems"]):
        file_system["shared_devices"] = {"vm": [f"vm:loop{1 - number}"]}
    mapped = tmp_path / "site.yaml"
    mapped.write_text(yaml.safe_dump(site))
    with_map = [mapped if option == recorded / "site.yaml" else option for option in center]
    (before,), (after,) = objects(*center, contended), objects(*with_map, contended)
    assert before["verdict"]["value"] != "storage"
    assert after["load"]["busiest"]["name"] == "vm:loop0"
    assert after["verdict"]["value"] == "storage"
    assert "on vm:loop0, which was busy" in after["verdict"]["reason"]
    assert "device_contention" in [finding["id"] for finding in after["findings"]]
    (quiet,) = objects(*with_map, alone)
    assert quiet["verdict"]["value"] != "storage"


def test_earlier_runs_of_the_program_are_a_measure(case):
    """Five quiet runs, then the same one while another job hammered the device."""
    logs = [log for number in range(1, 6) for log in case(f"history_quiet_{number}")] + case(
        "history_contended_1"
    )
    told = {each["job_id"]: each for each in objects(*logs)}
    rates = sorted(each["features"]["mib_per_second"]["value"] for job, each in told.items() if job != 44)
    assert [finding["id"] for finding in told[44]["findings"]] == ["slow_vs_history"]
    said = flat(analyze(*logs).stdout)
    slow = told[44]["features"]["mib_per_second"]["value"]
    assert (
        f"It moved {slow:,.0f} MiB/s. Of 5 earlier runs that compare, the median is {rates[2]:,.0f} MiB/s"
        in said
    )


# --- several logs ----------------------------------------------------------------------------------------


def test_logs_of_one_job_are_one_report(case, center):
    logs = case("two_steps")
    done = analyze(*center, *logs)
    said = flat(done.stdout)
    # what was found is the first that is said
    found, _, rest = said.removeprefix("Job 33 (workflow): ").partition(" logs 2 ")
    assert "Many small files" in found
    assert rest
    assert said.count("What it did") == 1
    # IOR wrote 8 files of 16 MiB, the second step 1,200 files of 1 KiB
    assert "Its 2 runs of ior and pat wrote 129 MiB together" in said
    assert f"in 1 of 2 logs: {logs[1].name}" in said
    assert "1,200 files of 1 KiB on average. (exact)" in said
    told = objects(*center, *logs)
    assert [each["file"] for each in told] == list(map(str, logs))
    assert len({each["job_uid"] for each in told}) == 1


def test_a_job_that_the_scheduler_calls_failed_is_called_so(case, center):
    said = flat(analyze(*center, *case("job_fail_exit")).stdout)
    assert "job state FAILED" in said
    assert "job state COMPLETED" in flat(analyze(*center, *case("rank0_writer")).stdout)


def test_logs_of_two_jobs_are_two_reports(reports, said):
    assert len(reports) >= 40
    for case in ("two_steps", "python_multiproc", "rank0_writer"):
        assert reports[case].several == (case != "rank0_writer")
    assert "It moved no data that Darshan saw. What it cost Nothing: it did no I/O." in said("no_io")
    assert "No known pattern of slow I/O was found." in said("no_io")


def test_the_many_logs_of_a_job_stay_short(extra):
    logs = sorted((extra / "darshan/public/darshan-logs/dlio_logs").glob("*.darshan"))
    said = analyze(*logs).stdout
    assert len(logs) == 11
    assert "Its 11 runs of" in said
    # the same limit of several logs is said once
    assert flat(said).count("When it moved its bytes") == 1
    assert "In 10 of 11 logs: When it moved its bytes is estimated" in flat(said)


# --- what to change --------------------------------------------------------------------------------------


def test_one_slow_target_is_the_supports_business(extra):
    said = flat(analyze(extra / "darshan/public/darshan-examples/sample-badost.darshan").stdout)
    assert (
        "Target 14 served its files at about 0.468 MiB/s for each process, "
        "the median of 24 targets is about 23.2 MiB/s" in said
    )
    assert "lfs find --ost 14 /scratch1/scratchdirs/glock/test-scratch1" in said
    assert "lfs setstripe" not in said  # its files have one stripe each already


def test_unaligned_requests_are_told_of_their_file_system_alone(tmp_path):
    aligned = File(b"/lus/a", 10_000, 1 << 27, 9.0, stripe_count=4)
    unaligned = File(
        b"/home/b", 1_000, 47_001, 1.0, counters={"FILE_NOT_ALIGNED": 600, "FILE_ALIGNMENT": 4096}
    )
    seen = " ".join(analyze(written_log.write(tmp_path / "a.darshan", [aligned, unaligned])).stdout.split())
    assert "On /, 600 of 1,000 POSIX requests do not start at a multiple of 4 KiB. (exact)" in seen
    assert "On /, 600 of 1,000 POSIX writes are small and unaligned; blocks are of 4 KiB. (exact)" in seen
    assert "Let each request start at a multiple of 4 KiB, the block size" in seen


def test_of_two_file_systems_with_unaligned_requests_each_is_told(tmp_path):
    many = {"FILE_NOT_ALIGNED": 700}
    files = [
        File(b"/lus/a", 1_000, 1 << 27, 9.0, stripe_count=4, counters=many),
        File(b"/lus/b", 1_000, 1 << 27, 9.0, counters={**many, "FILE_ALIGNMENT": 512}),
        File(b"/home/c", 1_000, 47_001, 1.0, counters={**many, "FILE_ALIGNMENT": 4096}),
    ]
    seen = " ".join(analyze(written_log.write(tmp_path / "a.darshan", files)).stdout.split())
    assert "On /, 700 of 1,000 POSIX requests do not start at a multiple of 4 KiB." in seen
    assert "On /lus," not in seen  # 1,400 requests are below a tenth of 256,000 MiB
    small = [
        File(each.name, 1_000, 1 << 20, each.seconds, each.stripe_count, counters=each.counters)
        for each in files
    ]
    seen = " ".join(analyze(written_log.write(tmp_path / "b.darshan", small)).stdout.split())
    assert (
        "On /lus, 1,400 of 2,000 POSIX requests do not start at a multiple of their file's block size, "
        "512 B to 1 MiB; the stripe size is 1 MiB. "
        "On /, 700 of 1,000 POSIX requests do not start at a multiple of 4 KiB."
    ) in seen


def test_striping_is_sized_for_the_file(tmp_path):
    # 12 GiB written by all of 64 processes to one stripe of 4 MiB
    shared = File(b"/lus/my project/out file.h5", 3072, 4 * MIB, 40.0, stripe_count=1, stripe_size=4 * MIB)
    lines = analyze(written_log.write(tmp_path / "a.darshan", [shared])).stdout.splitlines()
    at = lines.index("          lfs setstripe -c 24 -S 4194304 '/lus/my project'")
    assert lines[at + 1] == "          lfs migrate -c 24 '/lus/my project/out file.h5'"
    assert "stripe count of 24, which suits 12 GiB" in flat("\n".join(lines))


def test_a_whole_file_system_is_not_striped(tmp_path):
    shared = File(b"/lus/out.h5", 3072, 4 * MIB, 40.0, stripe_count=1)
    said = analyze(written_log.write(tmp_path / "a.darshan", [shared])).stdout
    assert "lfs setstripe -c 24 -S 1048576 DIRECTORY\n" in said


def test_lustre_commands_are_for_lustre_only(reports):
    for report in reports.values():
        assert "lfs " not in f"{report}"


def test_hdf5_users_are_told_of_hdf5(reports):
    found = {finding.id: finding for finding in reports["hdf5_independent"].findings}
    code = ["H5Pset_dxpl_mpio(dxpl, H5FD_MPIO_COLLECTIVE);    /* pass dxpl to H5Dwrite and H5Dread */"]
    assert found["h5_no_chunk_or_collective"].change.code == code
    assert found["no_collective"].change.text == "The same as for h5_no_chunk_or_collective."
    assert "MPI_File_write_at_all" not in f"{reports['hdf5_independent']}"
    assert "MPI_File_write_at_all" in f"{reports['mpiio_independent_small']}"


def test_every_finding_says_what_to_change(reports):
    found = [finding for report in reports.values() for finding in report.findings]
    assert len(found) >= 50
    for finding in found:
        assert finding.change, finding
        assert "unknown number" not in f"{finding}"


# --- what cannot be known --------------------------------------------------------------------------------


@pytest.fixture
def damaged(case, tmp_path) -> Path:
    (whole,) = case("hdf5_independent")
    cut = tmp_path / "cut.darshan"
    cut.write_bytes(whole.read_bytes()[:-200])
    return cut


def test_an_incomplete_log_gives_bounds_and_promises_nothing(said):
    # Darshan kept 4,096 of more files; what it recorded is 512 B each
    said = said("partial_module_data")
    assert "It wrote at least 2 MiB" in said
    assert (
        "At least 4,096 files of a recorded 512 B on average. (bounded: of the part that the log recorded)"
        in said
    )
    assert "What it cost Not known: the log is incomplete." in said
    assert "gain " not in said
    assert "POSIX: Darshan ran out of memory or records here, so its totals are lower bounds." in said
    assert "Not decided, because of what is missing: " in said


def test_a_log_that_kept_its_partial_name_promises_nothing(case, tmp_path):
    (log,) = case("rank0_writer")
    unfinished = tmp_path / f"{log.stem}.darshan_partial"
    unfinished.write_bytes(log.read_bytes())
    said = analyze(unfinished).stdout
    assert "The file is still named .darshan_partial" in flat(said)
    assert "gain " not in said


def test_damage_is_named_and_has_an_exit_code_of_its_own(damaged):
    done = analyze(damaged)
    assert done.returncode == 3
    assert "damaged after" in done.stdout


def test_a_second_log_in_the_file_is_named_and_the_first_is_judged(case, tmp_path):
    (first,), (second,) = case("rank0_writer"), case("fsync_per_write")
    both, size = tmp_path / "both.darshan", first.stat().st_size
    both.write_bytes(first.read_bytes() + second.read_bytes())
    done, (told,) = analyze(both), objects(both)
    reason = (
        f"{second.stat().st_size} bytes after the end of the log; another Darshan log begins at byte {size}"
    )
    assert done.returncode == 3
    assert f"- {reason}. Nothing of that was read: give each log a file of its own." in flat(done.stdout)
    assert "It wrote 512 MiB" in flat(done.stdout)
    assert (told["trailing"], told["exe"]) == (reason, "pat")
    assert "trailing" not in objects(first)[0]


def test_what_dxt_traced_is_said_and_drawn(case, tmp_path):
    (log,) = case("small_unaligned_shared_dxt")[:1]
    page = tmp_path / "page.html"
    said = flat(analyze(log).stdout)
    assert "DXT_POSIX 1,600 1,600 71.7 MiB 71.7 MiB 8 21 ms to 0.138 s" in said
    assert "DXT_POSIX is in the log" not in said
    (peak,) = re.findall(r"DXT_POSIX: (busiest from .*? on average)", said)
    analyze("--html", page, log)
    assert sum(each.get("class") == "lanes" for tag, each in Page(page.read_text()).tags if tag == "svg") == 1
    assert page.read_text().count(peak) >= 2  # below the drawing, and in the table's note


def test_a_trace_that_ran_out_of_memory_is_a_lower_bound(case):
    said = flat(analyze(*case("rank0_writer_small")).stdout)
    assert re.search(r"DXT_POSIX at least 0 at least 52,426 at least 0 B at least 205 MiB 1 ", said)
    assert "DXT_POSIX: Darshan ran out of memory or records here" in said


def test_a_damaged_trace_is_named_and_not_drawn(extra):
    done = analyze(extra / "darshan/bad/dxt_tail_random.darshan")
    assert done.returncode == 3
    assert "- DXT_POSIX: damaged (record 202 tells write_count" in flat(done.stdout)
    assert "Traced requests" not in done.stdout


# --- input that is wrong ---------------------------------------------------------------------------------


def test_every_file_has_its_object_and_the_unreadable_one_its_reason(case, damaged, tmp_path):
    text = tmp_path / "notes.darshan"
    text.write_text("no log\n")
    (good,) = case("rank0_writer")
    done = analyze("--json", text, tmp_path / "absent", damaged, good, good)
    first, second, third, *last = map(json.loads, done.stdout.splitlines())
    assert done.returncode == 1
    assert first == {"file": str(text), "error": "no Darshan log: text"}
    assert second == {"file": str(tmp_path / "absent"), "error": "No such file or directory"}
    assert third["log_state"] == "damaged"
    assert [each["exe"] for each in last] == ["pat", "pat"]
    assert f"weir: {good}: the same log as {good}" in done.stderr


def test_nothing_at_all_to_judge(tmp_path):
    done = analyze(tmp_path / "absent")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"weir: {tmp_path}/absent: No such file or directory\n"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--sacct", "{tmp}/absent"], "absent: No such file or directory"),
        (["--sacct", "{tmp}/text"], "text: no sacct -P with a header"),
        (
            ["--sacct", "{tmp}/other.psv", "--site", "{site}"],
            "jobs of elsewhere, but the site file is of labcluster",
        ),
        (["--site", "{site}", "--iostat", "vm={tmp}/absent"], "absent: No such file or directory"),
        (
            ["--site", "{site}", "--iostat", "vm={tmp}/text"],
            "text: neither text of iostat, nor of iostat -o JSON",
        ),
    ],
)
def test_a_wrong_file_beside_the_logs_is_named_and_they_are_reported(
    case, recorded, tmp_path, options, reason
):
    (tmp_path / "text").write_text("no log\n")
    lines = (recorded / "sacct.psv").read_text().splitlines()[:3]
    (tmp_path / "other.psv").write_text("\n".join(lines).replace("labcluster", "elsewhere"))
    options = [each.format(tmp=tmp_path, site=recorded / "site.yaml") for each in options]
    done = analyze(*options, *case("rank0_writer"))
    assert done.returncode == 1
    assert reason in done.stderr
    assert "pat ran with 16 processes" in done.stdout


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--site", "{tmp}/absent"], "absent: No such file or directory"),
        (["--site", "{tmp}/bad.yaml"], "bad.yaml:1: file: 'time_zone' is a required property"),
        (["--iostat", "vm={tmp}/x"], "--iostat needs --site"),
        (["--site", "{site}", "--iostat", "oss1=x"], "--iostat oss1: {site} has vm under servers."),
        (["--html", "{tmp}/no/such/folder.html"], "folder.html: No such file or directory"),
    ],
)
def test_what_would_judge_wrongly_stops_it(case, recorded, tmp_path, options, reason):
    (tmp_path / "bad.yaml").write_text("cluster: c\n")
    names = {"tmp": tmp_path, "site": recorded / "site.yaml"}
    done = analyze(*(each.format(**names) for each in options), *case("rank0_writer"))
    assert (done.returncode, done.stdout) == (1, "")
    assert reason.format(**names) in done.stderr
    assert "Traceback" not in done.stderr


def test_iostat_is_told_by_server(case):
    done = analyze("--iostat", "report.json", *case("rank0_writer"))
    assert done.returncode == 2
    assert "'report.json' is not of the form SERVER=FILE" in done.stderr


def test_no_java(case, tmp_path):
    done = analyze(*case("rank0_writer"), PATH=str(tmp_path), JAVA_HOME="")
    assert done.returncode == 1
    assert (
        done.stderr
        == "weir: java: not found. The analysis needs Java 17 or newer; install a JRE (no JDK needed).\n"
    )


def test_a_java_that_is_too_old(case, tmp_path):
    # what Java 11 prints
    complaint = (
        'Exception in thread "main" java.lang.UnsupportedClassVersionError: X (class file version 61.0), '
        "this version of the Java Runtime only recognizes class file versions up to 55.0"
    )
    old = tmp_path / "java"
    old.write_text(f"#!/bin/sh\necho '{complaint}' >&2; exit 1\n")
    old.chmod(0o755)
    done = analyze(*case("rank0_writer"), PATH=f"{tmp_path}:/bin", JAVA_HOME="")
    assert done.stderr == f"weir: {old}: too old. The analysis needs Java 17 or newer.\n"


def test_no_jar(case, tmp_path):
    done = analyze(*case("rank0_writer"), WEIR_ANALYSIS_JAR=str(tmp_path / "absent.jar"))
    assert "absent.jar: the analysis is not there. Build it" in done.stderr


# --- hostile text ----------------------------------------------------------------------------------------

HOSTILE = [
    b"\x1b[31mred\x1b]0;title\x07",
    b"two\nlines\r\x00"[:-1],
    b"<script>alert(1)</script>",
    b'"><img src=x onerror=alert(1)>',
    b"</title></style></svg><svg onload=alert(1)>",
    b"&lt;{{ 7*7 }}{% raw %}",
    b"[bold]not bold[/bold] [/] \\[x] \\",
    "\u202egnp.exe\u2066 \u200b".encode(),
    b"\xff\xfe not utf-8",
    b"$(reboot); `reboot` 'x' | tee",
    b"long" * 900,
]


def written(folder: Path, texts: list[bytes]) -> list[object]:
    """Arguments: logs whose files, folder, program and job are named so, and their accounting."""
    logs, jobs = [], [b"JobID|JobIDRaw|Cluster|State|Submit|Start|End|UID|NNodes|JobName"]
    for number, raw in enumerate(texts):
        part = raw.replace(b"/", b"_")[:200]
        files = [
            File(b"/lus/" + part + b"/a.dat", 2000, 50_000, 20.0),
            File(b"/lus/shared" + raw, 3072, 4 * MIB, 30.0, stripe_count=1),
        ]
        place = folder / str(number) / os.fsdecode(part)
        place.mkdir(parents=True)
        exe = b"/bin/" + raw.replace(b"\n", b" ")
        logs.append(written_log.write(place / "a.darshan", files, exe=exe, job_id=100 + number))
        times = b"1699999990|1699999995|1700000105"
        name = raw.replace(b"\n", b"").replace(b"|", b"")
        jobs.append(b"%d|%d|c|COMPLETED|%s|1001|2|%s" % (100 + number, 100 + number, times, name))
    (folder / "sacct.psv").write_bytes(b"\n".join(jobs) + b"\n")
    return ["--sacct", folder / "sacct.psv", *logs, os.fsencode(folder) + b"/absent" + texts[0]]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory) -> list[object]:
    return written(tmp_path_factory.mktemp("hostile"), HOSTILE)


def control(text: str) -> list[str]:
    """Characters that a terminal acts on, or that are not seen."""
    return [c for c in text if unicodedata.category(c)[0] == "C" and c != "\n"]


def test_a_terminal_sees_no_hostile_text(hostile):
    done = analyze(*hostile)
    assert done.returncode == 1  # for the log that is not there
    assert not control(done.stdout + done.stderr)
    assert done.stdout.count("What it did") == done.stdout.count("(small_io)") == len(HOSTILE)
    assert max(map(len, done.stdout.splitlines())) < 500
    colored = analyze(*hostile, FORCE_COLOR="1", TERM="xterm-256color").stdout
    assert "\x1b[" in colored
    # markup of a log neither styles nor vanishes
    assert re.sub(r"\x1b\[[0-9;]*m", "", colored) == done.stdout
    for seen in (
        r"\x1b[31mred",
        "[bold]not bold[/bold]",
        "<script>alert(1)</script>",
        r"\u202egnp.exe",
        r"\xff\xfe",
    ):
        assert seen in done.stdout


class Page(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self, text: str):
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))


def test_a_page_holds_no_hostile_text(hostile, tmp_path):
    page, plain = tmp_path / "page.html", tmp_path / "plain.html"
    assert analyze("--html", page, *hostile).returncode == 1
    text = page.read_text()
    assert not control(text)
    tags = Page(text).tags
    assert {"script", "img"}.isdisjoint(tag for tag, _ in tags)
    assert not [name for _, attributes in tags for name in attributes if name.startswith("on")]
    # nothing of the names became an element: harmless ones give the same
    assert analyze("--html", plain, *written(tmp_path, [b"name"] * len(HOSTILE))).returncode == 1
    assert [tag for tag, _ in tags if tag != "pre"] == [
        tag for tag, _ in Page(plain.read_text()).tags if tag != "pre"
    ]


def test_json_carries_hostile_text_as_it_was(hostile):
    done = analyze("--json", *hostile)
    lines = done.stdout.splitlines()
    assert not control(done.stdout)
    told = [json.loads(line) for line in lines]
    assert [each["file"] for each in told[:-1]] == list(map(str, hostile[2:-1]))
    assert told[-1]["error"] == "No such file or directory"
    shared = {file["name"] for each in told[:-1] for file in each["files"]}
    assert "/lus/shared<script>alert(1)</script>" in shared
    assert r"/lus/shared\xff\xfe not utf-8" in shared


def test_what_a_shell_would_run_is_quoted_or_left_out(tmp_path):
    names = [
        b"/lus/$(reboot)/`x`; y",
        b"/lus/a'b/c d",
        b"/lus/\xff/x",
        b"/lus/a\nb/x",
        b"/lus/-rf/x",
    ]
    shared = [File(name, 3072, 4 * MIB, 30.0, stripe_count=1) for name in names]
    logs = [
        written_log.write(tmp_path / f"{number}.darshan", [file], job_id=number)
        for number, file in enumerate(shared)
    ]
    for name, report in zip(names, analyze(*logs).stdout.split("What it did")[1:], strict=True):
        lines = [line.strip() for line in report.splitlines() if line.strip().startswith("lfs ")]
        words = [subprocess.run(
            ["sh", "-c", f"set -- {line}; printf '%s\\n' \"$@\""], capture_output=True, text=True, check=True,
        ).stdout.splitlines() for line in lines]  # fmt: skip
        path = None if b"\xff" in name or b"\n" in name else name.decode()
        assert words[0][-1] == (str(Path(path).parent) if path else "DIRECTORY")
        assert words[1][-1] == (path or "FILE")


# --- the page --------------------------------------------------------------------------------------------


def test_a_page_needs_nothing_else(case, center, tmp_path):
    page = tmp_path / "page.html"
    done = analyze(*center, "--html", page, *case("rank0_writer"), *case("hdf5_independent"))
    assert (done.returncode, done.stdout) == (0, "")
    text = page.read_text()
    tags = Page(text).tags
    assert [
        attributes for _, attributes in tags if attributes.keys() & {"src", "href", "srcset", "data"}
    ] == []
    assert not re.search(r"url\(|@import|https?:", text)
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    assert [each["content"] for _, each in tags if "http-equiv" in each] == [policy]
    assert sum(tag == "article" for tag, _ in tags) == 2
    assert sum(tag == "svg" for tag, _ in tags) > 4
    assert sum(each.get("class") == "time" for tag, each in tags if tag == "svg") == 2


# --- rules -----------------------------------------------------------------------------------------------


def test_rules_are_listed_and_shown(recorded):
    listed = weir("rules", "list").stdout
    assert len(re.findall(r"1 / 10 / 100", listed)) == len(RULES)
    shown = flat(weir("rules", "show", "slow_target").stdout)
    assert "slowest_target_ratio < ratio" in shown
    assert "ratio 0.25" in shown
    assert "lfs find --ost <target> DIRECTORY" in shown


def test_thresholds_of_a_site_are_shown(recorded, tmp_path):
    site = tmp_path / "site.yaml"
    site.write_text((recorded / "site.yaml").read_text() + "rule_thresholds: {slow_target: {ratio: 0.1}}\n")
    assert "0.1 (site; shipped: 0.25)" in weir("rules", "show", "slow_target", "--site", site).stdout


def test_shipped_rules_are_right():
    assert weir("rules", "check").stdout == f"{len(RULES)} rules, no problem\n"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["show", "nope"], "nope: no such rule. There are collective_funnel,"),
        (["list", "--rules", "/absent"], "/absent: no rule (*.yaml) in it"),
        (["list", "--site", "/absent"], "/absent: No such file or directory"),
        (["check", "{tmp}"], "big.yaml:3: condition: "),
        (["list", "--rules", "{tmp}"], "big.yaml:3: condition: "),
    ],
)
def test_what_is_wrong_in_rules_is_named(tmp_path, arguments, reason):
    (tmp_path / "big.yaml").write_text(
        "id: big\ntitle: Big\ncondition: no_such_feature > 1.0\nevidence: [posix_bytes]\nadvice: [a]\n"
    )
    done = weir("rules", *(each.format(tmp=tmp_path) for each in arguments))
    assert (done.returncode, done.stdout) == (1, "")
    assert reason in done.stderr


# --- the wheel -------------------------------------------------------------------------------------------


def test_the_wheel_brings_the_analysis_along(tmp_path, analysis_jar, case):
    """Its content alone, in a folder of its own: shipped rules, schemas, words and the jar are all in it."""
    from hatchling.builders.wheel import WheelBuilder

    root = Path(__file__).parents[1]
    if not (root.parent / "flink-jobs/analysis-cli/target/analysis-cli.jar").exists():
        os.environ.setdefault("WEIR_ANALYSIS_JAR", str(analysis_jar))
    (wheel,) = WheelBuilder(str(root)).build(directory=str(tmp_path))
    shutil.unpack_archive(wheel, tmp_path / "unpacked", "zip")
    command = [sys.executable, "-c", "from weir.cli import main; main()", "analyze", *case("rank0_writer")]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(tmp_path / "unpacked")},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "512 MiB" in done.stdout
    where = subprocess.run(
        [sys.executable, "-c", "from weir.analyze import jvm; print(jvm.find_jar())"],
        capture_output=True, text=True, check=True, cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(tmp_path / "unpacked")},
    )  # fmt: skip
    assert where.stdout.strip() == str(tmp_path / "unpacked/weir/analysis-cli.jar")
