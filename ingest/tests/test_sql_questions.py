"""What the saved questions answer, over rows written by hand."""

import csv
import json
import re
from datetime import UTC, datetime, timedelta

import pytest
import sqlglot
from migrated_engine import migrated
from sqlglot import exp
from weir.errors import UserError
from weir.sql.questions import Parameter, Question, saved

KIB, MIB, GIB, TIB = 2**10, 2**20, 2**30, 2**40
MAY = "2026-05-01 00:00:00"
RANGE = {"since": "2026-05-01 00:00:00", "until": "2026-07-01 00:00:00"}
# The table keeps 90 days.
TODAY = datetime.now(UTC)
RANGES = {
    "landing_delay": {"since": f"{TODAY:%F} 00:00:00", "until": f"{TODAY:%F} 23:00:00"},
    "rate_variation": {"since": "2026-03-01 00:00:00", "until": "2026-04-01 00:00:00"},
    "who_moved_bytes": {"since": "2026-05-10 11:00:00", "until": "2026-05-10 12:00:00"},
    "idle_periods": {"since": f"{TODAY:%F} 00:00:00", "until": f"{TODAY:%F} 01:00:00"},
    "throughput_minutes": {"since": f"{TODAY:%F} 00:00:00", "until": f"{TODAY:%F} 01:00:00"},
}


def run(log, **more):
    row = {"cluster": "c", "log_id": log, "job_uid": f"job of {log}", "user": "ann", "account": "proj"}
    row |= {"program": "app", "filesystem": "scratch", "start_time": "2026-05-10 10:00:00", "nprocs": 4}
    row |= {"run_time_seconds": 7200, "io_time_seconds": 3600, "modules": ["POSIX"], "version": 1}
    row |= {"log_state": "complete", "direction": "write"}
    return row | more


def march(log, rate, mib):
    """A run of one program; bytes of the same decade are alike."""
    when = {"start_time": "2026-03-10 10:00:00", "program": "bench", "nprocs": 64}
    return run(log, mib_per_second=rate, application_bytes=mib * MIB, **when)


def hour(start, **more):
    row = {"cluster": "c", "hour_start": start, "sampled_seconds": 3600, "version": 1}
    return row | more


def job(uid, submit, state, coverage, hours, **more):
    row = {"cluster": "c", "job_uid": uid, "submit_time": submit, "state": state, "coverage": coverage}
    row |= {"node_hours": hours, "user": "ann", "account": "proj", "logs_analysed": 1, "version": 1}
    return row | more


def posix(log, start, rank, name, read, written, extent):
    """The record of a file; Darshan's id of it is a hash of its name, here its length."""
    row = {"cluster": "c", "log_id": log, "start_time": start, "rank": rank, "name": name, "version": 1}
    row |= {"record_id": len(name), "POSIX_BYTES_READ": read, "POSIX_BYTES_WRITTEN": written}
    return row | {"POSIX_MAX_BYTE_READ": extent - 1 if read else 0, "POSIX_MAX_BYTE_WRITTEN": extent - 1}


def stdio(log, start, name, written):
    row = {"cluster": "c", "log_id": log, "start_time": start, "rank": 0, "name": name, "version": 1}
    row |= {"record_id": len(name), "STDIO_BYTES_READ": 0, "STDIO_BYTES_WRITTEN": written}
    return row | {"STDIO_MAX_BYTE_READ": 0, "STDIO_MAX_BYTE_WRITTEN": written - 1}


def stripe(log, file, target, rank=-1):
    row = {"cluster": "c", "log_id": log, "start_time": "2026-05-10 10:00:00", "record_id": file}
    return row | {"rank": rank, "STRIPE": target, "OST_ID": target, "version": 1}


def case(name, user, program, rule, state, **more):
    row = {"cluster": "c", "case_id": name, "user": user, "program": program, "rule_id": rule}
    return row | {"title": f"Title of {rule}", "state": state, "changed_at": MAY, "version": 1} | more


def alert(user, kind, case, day, **more):
    row = {"cluster": "c", "user": user, "kind": kind, "unit": f"{case} {day}", "alert": f"{case} {day}"}
    return row | {"cases": [case], "mode": "live", "decided_at": f"2026-{day} 00:00:00", "version": 1} | more


def trouble(name, kind, subject_kind, subject, since, ended, state, **more):
    row = {"cluster": "c", "event_id": name, "kind": kind, "subject_kind": subject_kind, "version": 1}
    return row | {"subject": subject, "since": since, "ended": ended, "state": state} | more


def letter(name, source, reason, messages, **more):
    row = {"cluster": "c", "id": name, "source": source, "reason": reason, "messages": messages}
    return row | {"time": f"2026-05-0{messages} 00:00:00", "version": 1} | more


ROWS = {
    "runs_versions": [
        run(
            "a",
            end_time="2026-05-10 11:59:00",
            bytes_read=TIB,
            bytes_written=3 * TIB,
            bytes_moved=4 * TIB,
            site_bytes=4 * TIB,
            slow_filesystem_bytes=TIB,
            modules=["POSIX", "MPI-IO", "HEATMAP", "LUSTRE", "APMPI"],
            traits=["M", "N:1", "P", "shared_file"],
            reads=100,
            writes=300,
            small_reads=90,
            small_writes=210,
            posix_size_read_100k_1m=90,
            posix_size_read_1m_4m=10,
            posix_size_write_0_100=210,
            posix_size_write_1g_plus=90,
            consecutive_reads=50,
            sequential_reads=80,
            random_reads=10,
            random_reads_upper=20,
            consecutive_writes=150,
            sequential_writes=240,
            random_writes=0,
            random_writes_upper=60,
            filesystems=["home", "scratch"],
            filesystem_reads=[10, 90],
            filesystem_writes=[0, 300],
            filesystem_surely_unaligned_requests=[10, 200],
            filesystem_file_alignment_bytes=[4 * KIB, MIB],
            metadata_seconds=100,
            read_seconds=300,
            write_seconds=600,
            opens=16,
            stats=4,
            files=8,
            data_files=3,
            mean_data_file_bytes=MIB,
            unique_files=2,
            unique_file_bytes=GIB,
            partial_files=0,
            partial_file_bytes=0,
            shared_files=1,
            shared_file_bytes=3 * GIB,
            reread_bytes=256 * GIB,
            first_io_seconds=0,
            last_io_seconds=7200,
            mpiio_coll_writes=30,
            mpiio_split_reads=6,
            mpiio_indep_writes=10,
            mpiio_nb_reads=2,
            io_time_mpiio_seconds=1800,
            collective_overhead_seconds=360,
            lustre_files=2,
            targets_timed=8,
            slowest_target=14,
            findings=["slow_target"],
            slowest_target_ratio=0.02,
            slowest_target_mib_per_second=0.5,
            slow=1,
            verdict="application",
            nodes=2,
            run_nodes=2,
            application_bytes=36_000 * MIB,
            node_hours_lost=2.5,
            mib_per_second=10,
            mib_per_second_per_node=5,
        ),
        run(
            "b",
            user="bob",
            account="other",
            program="sim",
            log_state="damaged",
            end_time="2026-05-10 10:59:00",
            bytes_read=TIB,
            bytes_written=0,
            bytes_moved=TIB,
            site_bytes=TIB,
            slow_filesystem_bytes=0,
            traits=["N:N", "P"],
            direction="read",
            io_time_seconds=1800,
            reads=10,
            writes=0,
            small_reads=1,
            small_writes=0,
            posix_size_read_1m_4m=10,
            consecutive_reads=10,
            sequential_reads=10,
            random_reads=0,
            random_reads_upper=0,
            metadata_seconds=450,
            read_seconds=50,
            write_seconds=0,
            opens=80,
            stats=0,
            files=40,
            data_files=40,
            mean_data_file_bytes=6 * KIB,
            unique_files=40,
            unique_file_bytes=GIB,
            first_io_seconds=3600,
            last_io_seconds=5400,
            lustre_files=1,
            targets_timed=8,
            slowest_target=3,
            slowest_target_ratio=0.5,
            slow=1,
            verdict="storage",
            nodes=1,
            run_nodes=1,
            application_bytes=36_000 * MIB,
            node_hours_lost=4,
            mib_per_second=20,
            mib_per_second_per_node=20,
        ),
        run(
            "c",
            start_time="2026-06-02 10:00:00",
            filesystems=["scratch"],  # an older one, of which no more is known of it
            modules=["POSIX", "STDIO", "POSIX"],
            traits=["N:N", "P", "S", "nonmpi"],
            bytes_written=TIB,
            bytes_moved=TIB,
            site_bytes=0,
            nprocs=1,
            metadata_seconds=10,
            read_seconds=0,
            write_seconds=10,
            files=0,
            opens=0,
            unique_files=7,
            run_nodes=1,
            mib_per_second=40,
            slow=0,
            verdict="not_slow",
        ),
        # neither in the range nor anybody's any more
        run("before", start_time="2026-04-30 23:59:59", bytes_read=TIB),
        run("at the end", start_time="2026-07-01 00:00:00", bytes_read=TIB),
        run("taken back", is_deleted=1, bytes_read=TIB),
        march("slow one", 10, 1024),
        march("fast one", 50, 9999),
        march("larger", 1, 10_000),
        march("tiny", 1000, 1),
    ],
    "findings_versions": [
        {
            "cluster": "c",
            "log_id": log,
            "rule_id": rule,
            "title": f"Title of {rule}",
            "user": user,
            "program": program,
            "start_time": "2026-05-10 10:00:00",
            "node_hours_lost": lost,
            "version": 1,
        }
        for log, rule, user, program, lost in (
            ("a", "many_opens", "ann", "app", 2.5),
            ("a", "small_io", "ann", "app", 2.5),
            ("b", "small_io", "bob", "sim", 4),
            ("c", "small_io", "ann", "app", None),
        )
    ],
    "job_results_versions": [
        job(
            "1",
            "2026-05-02 00:00:00",
            "completed",
            "instrumented",
            10,
            bytes_read=TIB,
            bytes_written=2 * TIB,
            node_hours_lost=2,
            verdict="application",
        ),
        job(
            "2",
            "2026-05-03 00:00:00",
            "failed",
            "instrumented",
            20,
            bytes_read=0,
            bytes_written=TIB,
            node_hours_lost=3,
            verdict="storage",
        ),
        job(
            "3",
            "2026-05-04 00:00:00",
            "failed",
            "not_instrumented",
            5,
            user="bob",
            account="other",
            logs_analysed=0,
        ),
        job("4", "2026-06-04 00:00:00", "timeout", "not_instrumented", None, logs_analysed=0),
    ],
    "posix_records_versions": [
        posix("a", "2026-05-10 10:00:00", 0, "/s/ann/in", 10 * GIB, 0, 20 * GIB),
        posix("a", "2026-05-10 10:00:00", 1, "/s/ann/in", 10 * GIB, 0, 10 * GIB),
        posix("a", "2026-05-10 10:00:00", -1, "/s/ann/out", 0, 5 * GIB, 5 * GIB),
        posix("b", "2026-05-10 10:00:00", -1, "/s/ann/out", 5 * GIB, 0, 5 * GIB),
        posix("c", "2026-06-02 10:00:00", 0, "/s/ann/out", 10 * GIB, 0, 5 * GIB),
        posix("replaced", "2026-05-10 10:00:00", -1, "/s/ann/out", GIB, GIB, GIB),
    ],
    "superseded_logs_versions": [
        {"cluster": "c", "log_id": "replaced", "start_time": "2026-05-10 10:00:00", "version": 1}
    ],
    "stdio_records_versions": [
        stdio("a", "2026-05-10 10:00:00", "/s/ann/sub/log", GIB),
        stdio("a", "2026-05-10 10:00:00", "<STDOUT>", 50 * GIB),
    ],
    # One of the layouts is what each of two processes saw.
    "lustre_stripes_versions": [
        *(stripe("a", 1, target, rank) for target in (0, 1) for rank in (0, 1)),
        *(stripe("a", 2, target) for target in (1, 2)),
        # the second file of run a, too
        *(stripe("b", 2, target) for target in (3, 0)),
        stripe("b", 2, -1),
    ],
    "filesystem_load_hourly_versions": [
        hour(
            f"2026-05-01 0{number}:00:00",
            filesystem="scratch",
            bytes_read=3600 * MIB * rate,
            bytes_written=0,
            peak_bytes_per_second=peak * MIB,
            util_mean=rate / 1000,
            util_max=rate / 400,
        )
        for number, (rate, peak) in enumerate(((10, 400), (0, 0), (100, 250), (200, 300)))
    ],
    # Minutes 0 to 4 and 6; the first has two buckets.
    "filesystem_load_versions": [
        {
            "cluster": "c",
            "filesystem": "scratch",
            "bucket_start": f"{TODAY:%F} 00:0{minute}:{second}",
            "bucket_seconds": seconds,
            "bytes_read": mib * MIB,
            "bytes_written": 0,
            "version": 1,
        }
        for minute, second, seconds, mib in (
            *((0, "00", 30, 2000), (0, "30", 30, 4000), (1, "00", 60, 0), (2, "00", 60, 240)),
            *((3, "00", 60, 300), (4, "00", 60, 0), (6, "00", 60, 0)),
        )
    ],
    "server_load_hourly_versions": [
        hour(MAY, server="oss1", util_mean=0.5, util_max=0.9, reads=1000, read_wait_seconds=2),
        hour("2026-05-01 01:00:00", server="oss1", util_mean=0.1, util_max=0.4, sampled_seconds=1800),
        hour(MAY, server="oss2", util_mean=0.4, util_max=1, writes=10, write_wait_seconds=1),
    ],
    "device_load_hourly_versions": [
        hour(MAY, server="oss1", device_id="d1", util=0.9, reads=100, read_wait_seconds=1),
        hour(
            "2026-05-01 01:00:00",
            server="oss1",
            device_id="d1",
            util=0.5,
            sampled_seconds=1800,
            writes=100,
            write_wait_seconds=2,
        ),
        hour(MAY, server="oss1", device_id="d2", util=0.79),
    ],
    "storage_events_versions": [
        trouble("1", "silent", "server", "oss1", "2026-04-30 22:00:00", "2026-05-01 02:00:00", "recovered"),
        trouble("2", "silent", "server", "oss1", "2026-06-30 23:00:00", None, "open"),
        trouble(
            *("3", "hot", "device", "d1", "2026-05-02 00:00:00", "2026-05-02 00:30:00", "recovered"),
            server="oss1",
            filesystem="scratch",
        ),
        trouble("4", "silent", "server", "oss1", "2026-04-30 20:00:00", "2026-04-30 21:00:00", "recovered"),
    ],
    "dead_letters_versions": [
        letter("1", "darshan", "byte 17 is no Avro", 1, file="f1"),
        letter("2", "darshan", "byte 4 is no Avro", 5, file="f2"),
        letter("3", "scheduler", "no schema", 2),
    ],
    "cases_versions": [
        case("k1", "ann", "app", "small_io", "open", node_hours_lost=3),
        case("k2", "bob", "sim", "small_io", "fixed"),
        case("k3", "ann", "app", "many_opens", "open"),
        case("k4", "bob", "sim", "many_opens", "counted"),
    ],
    "alerts_versions": [
        alert("ann", "finding", "k1", "05-11"),
        alert("ann", "reminder", "k1", "05-18"),
        alert("ann", "fixed", "k1", "05-21"),
        alert("ann", "finding", "k1", "06-10"),
        alert("bob", "finding", "k2", "05-12"),
        alert("bob", "fixed", "k2", "05-17"),
        alert("ann", "finding", "k3", "05-13"),
        alert("bob", "finding", "k4", "05-13", mode="shadow"),
        alert("bob", "finding", "k4", "05-14", held="muted"),
    ],
    "alert_controls_versions": [
        {
            "cluster": "c",
            "user": "bob",
            "kind": "wrong",
            "subject": f"{message} small_io",
            "alert": message,
            "rule_id": "small_io",
            "time": "2026-07-13 00:00:00",
            "version": 1,
        }
        # of two messages about a cause; of one in shadow mode; of one that is not known
        for message in ("k2 05-12", "k2 05-17", "k4 05-13", "k9 05-13")
    ],
    "landings": [
        {
            "cluster": "c",
            "table": "runs",
            "rows": rows,
            "oldest_sent_at": f"{TODAY:%F} 00:00:00",
            "landed_at": f"{TODAY:%F} 00:00:0{seconds}",
        }
        for rows, seconds in ((10, 1), (20, 1), (30, 4))
    ],
}

# Of each question: what is set, and the answer as worked out by hand.
ANSWERS = {
    "io_by_user": (
        {},
        [
            ["c", "ann", "proj", 2, 2, 0.5, "1.00 TiB", "4.00 TiB"],
            ["c", "bob", "other", 1, 0.5, 0.25, "1.00 TiB", "0.00 B"],
        ],
    ),
    "io_by_project": ({}, [["c", "proj", 3, 2, 5, 0.2], ["c", "other", 1, 1, 1, 1]]),
    "project_profile": (
        {},
        [
            # 110 of 1020 s; 8 files of 5 processes
            ["c", "proj", 2, 0.833, 5, 0.108, "P S M", 1, 4, 1.6],
            ["c", "other", 1, 0.167, 20, 0.9, "P", 4, 4, 10],
        ],
    ),
    "growth": ({}, [["c", "2026-05-01", 2, 2, 3], ["c", "2026-06-01", 1, 0, 1]]),
    "interfaces": (
        {},
        [["c", "POSIX", 3, 1, 2], ["c", "MPI-IO", 1, 0.333, 1], ["c", "STDIO", 1, 0.333, 1]],
    ),
    # the weeks of Monday, 4 May and 1 June
    "interface_adoption": (
        {"module": "MPI-IO"},
        [["c", "2026-05-04", 2, 1, 0.5, 0.8, 1], ["c", "2026-06-01", 1, 0, 0, 0, 0]],
    ),
    # 72,000 MiB in 3600 s of two nodes and 1800 s of one
    "job_sizes": ({}, [["c", 1, 3, 1, 8, 6, 1, 8]]),
    # the run of one process shares nothing with anybody
    "file_sharing": (
        {},
        [["c", "all ranks", 1, 3, 1], ["c", "one rank", 42, 2, 2], ["c", "some ranks", 0, 0, 0]],
    ),
    "sharing_by_size": ({}, [["c", 1, 2, 0.5, 0, 0.5, 0, 0.2, 0, 0.8]]),
    "small_requests": ({}, [["c", "app", "ann", 2, 400, 0.75, 2]]),
    "request_sizes": (
        {},
        [
            ["c", 100, 0, 0, 210, 0.7],
            *(["c", edge, 0, 0, 0, 0] for edge in (1024, 10_240, 102_400)),
            ["c", MIB, 90, 0.818, 0, 0],
            ["c", 4 * MIB, 20, 0.182, 0, 0],
            *(["c", edge, 0, 0, 0, 0] for edge in (10 * MIB, 100 * MIB, GIB)),
            ["c", None, 0, 0, 90, 0.3],
        ],
    ),
    "request_order": (
        {},
        [
            ["c", "scratch", "read", 110, 0.545, 0.818, 0.091, 0.182],
            ["c", "scratch", "write", 300, 0.5, 0.8, 0, 0.2],
        ],
    ),
    "unaligned_requests": (
        {},
        [
            ["c", "scratch", "app", "ann", 2, 390, 200, 0.513, MIB],
            ["c", "home", "app", "ann", 1, 10, 10, 1, 4 * KIB],
        ],
    ),
    "metadata_time": (
        {},
        [["c", "sim", "bob", 1, 0.12, 0.9, 80, 0, 2], ["c", "app", "ann", 2, 0.03, 0.108, 16, 4, 2]],
    ),
    "files_per_run": (
        {},
        [["c", 0, 1, 0.333, 0, 0, 1], ["c", 1, 1, 0.333, 8, 0.167, 1], ["c", 10, 1, 0.333, 40, 0.833, 1]],
    ),
    # 6 KiB are above 4 KiB, and 1 MiB is no more than 1 MiB
    "file_sizes": ({}, [["c", 4 * KIB, 1, 40, 0.93, 0], ["c", MIB, 1, 3, 0.07, 0]]),
    "collective_use": ({}, [["c", "app", "ann", 2, 48, 0.75, 0.5, 0.1]]),
    "rate_variation": (
        {"runs": "2"},
        [["c", "ann", "bench", "scratch", "write", 64, 1000, 2, 10, 30, 50, 5]],
    ),
    "slow_runs": (
        {},
        [
            ["c", "2026-05-10 10:00:00.000000", "bob", 0, "sim", "scratch", 4, "storage", [], "b"],
            [
                "c",
                "2026-05-10 10:00:00.000000",
                "ann",
                0,
                "app",
                "scratch",
                2.5,
                "application",
                ["slow_target"],
                "a",
            ],
        ],
    ),
    "lost_by_rule": (
        {},
        [
            ["c", "small_io", "Title of small_io", 3, 2, 2, 6.5],
            ["c", "many_opens", "Title of many_opens", 1, 1, 1, 2.5],
        ],
    ),
    # of 2 and 4 node-hours of runs
    "lost_by_project": (
        {},
        [["c", "other", 1, 5, 4, 2, 0, 4, 0, 0, 0], ["c", "proj", 3, 30, 2.5, 0.625, 2.5, 0, 0, 0, 0]],
    ),
    "storage_fault": ({}, [["c", "2026-05-10", "scratch", 1, 0, 1, 0, 4]]),
    # of 4 hours three are below a third of 400 MiB/s, and two below its twentieth
    "burstiness": ({}, [["c", "scratch", 4, 77.5, 400, 0.75, 0.5]]),
    # 5 MiB/s are no less than a twentieth of 100; the minute that lacks parts the last two
    "idle_periods": ({}, [["c", "scratch", 1, 2, 2, 0.333, 2], ["c", "scratch", 2, 1, 2, 0.333, 1]]),
    "throughput_minutes": (
        {},
        [
            ["c", "scratch", 0, 100, 3, 0.5, 0.5],
            ["c", "scratch", 0.1, 100, 2, 0.333, 0.833],
            ["c", "scratch", 1, 100, 1, 0.167, 1],
        ],
    ),
    # two hours ahead in summer
    "hours_of_day": (
        {"zone": "Europe/Berlin"},
        [
            ["c", "scratch", 2, 1, 10, 0, 0.01, 0.025],
            ["c", "scratch", 3, 1, 0, 0, 0, 0],
            ["c", "scratch", 4, 1, 100, 0, 0.1, 0.25],
            ["c", "scratch", 5, 1, 200, 0, 0.2, 0.5],
        ],
    ),
    # 310 MiB/s for an hour are 1.0643 TiB
    "explained_traffic": ({}, [["c", "scratch", 1.064, 5, 4.698]]),
    # one hour of two of the 4 TiB, and the whole half hour of the other run
    "who_moved_bytes": (
        {},
        [
            ["c", "ann", "proj", "app", "scratch", 1, 2048, 4096],
            ["c", "bob", "other", "sim", "scratch", 1, 1024, 1024],
        ],
    ),
    # Four targets are known. Of three files with two stripes 4 - 4 * 0.5^3 are in use by chance, of two 3.
    "target_overlap": (
        {},
        [
            ["c", "scratch", "2026-05-10 10:00:00", 3, 6, 4, 1.5, 3.5, 1.71],
            ["c", "scratch", "2026-05-10 11:00:00", 2, 4, 3, 1.33, 3, 1.33],
        ],
    ),
    "slow_targets": ({}, [["c", "scratch", 14, 1, 1, 0.02, 0.5, "2026-05-10 10:00:00.000000"]]),
    "slow_filesystem_use": ({}, [["c", "ann", "app", 2, 1024, 0.25]]),
    "busiest_servers": ({}, [["c", "oss2", 0.4, 1, None, 100], ["c", "oss1", 0.367, 0.9, 2, None]]),
    "busy_devices": ({}, [["c", "oss1", "d1", 2, 1, 0.5, 0.767, 15]]),
    # two of the four hours lie in the range, and one of the open silence
    "storage_troubles": (
        {},
        [
            ["c", "silent", "server", "oss1", "", "", 2, 1, 3],
            ["c", "hot", "device", "d1", "oss1", "scratch", 1, 0, 0.5],
        ],
    ),
    "coverage": (
        {},
        [
            ["c", "2026-05-01", "instrumented", 2, 30, 0.667],
            ["c", "2026-05-01", "not_instrumented", 1, 5, 0.333],
            ["c", "2026-06-01", "not_instrumented", 1, 0, 1],
        ],
    ),
    "without_log": ({}, [["c", "bob", "other", 1, 5, 1], ["c", "ann", "proj", 1, 0, 0]]),
    "ends_of_jobs": (
        {},
        [
            ["c", "failed", 2, 0.5, 25, 0, 1, 1],
            ["c", "completed", 1, 0.25, 10, 1, 2, 0],
            # nothing is known of it
            ["c", "timeout", 1, 0.25, 0, 0, 0, 1],
        ],
    ),
    "incomplete_logs": ({}, [["c", "sim", "damaged", 1, 1, 1, "2026-05-10"]]),
    "program_history": (
        {"user": "ann", "program": "app"},
        [
            ["c", "2026-05-10", "scratch", 1, 10, 10, 10, 2.5],
            ["c", "2026-06-02", "scratch", 1, 40, 40, 40, None],
        ],
    ),
    "landing_delay": ({}, [["c", "runs", 3, 60, 1, pytest.approx(4, abs=0.2), 4]]),
    "dead_letters_by_reason": (
        {},
        [
            ["c", "darshan", "byte # is no Avro", 6, 2, f"{MAY}.000000", "2026-05-05 00:00:00.000000"],
            ["c", "scheduler", "no schema", 2, 0, *["2026-05-02 00:00:00.000000"] * 2],
        ],
    ),
    "messages_helped": (
        {},
        # after ten days and after five
        [
            ["c", "small_io", "Title of small_io", 2, 2, 1, 0.5, 7.5, 1],
            ["c", "many_opens", "Title of many_opens", 1, 1, 0, 0, None, 0],
        ],
    ),
    "came_back": (
        {},
        [
            [
                *("c", "ann", "app", "small_io", "Title of small_io"),
                *("2026-05-21 00:00:00.000000", "2026-06-10 00:00:00.000000", "open", 3),
            ]
        ],
    ),
    "rereading": ({}, [["c", "app", "ann", 2, 1024, 256, 0.25]]),
    "files_of_user": (
        {"user": "ann"},
        [
            ["c", "/s/ann/in", 1, 0, 20, 0, 20],
            ["c", "/s/ann/out", 2, 1, 10, 5, 5],
            ["c", "/s/ann/sub/log", 1, 1, 0, 1, 1],
        ],
    ),
    "directories_of_user": (
        {"user": "ann", "depth": "3"},
        [["c", "/s/ann", 2, 2, 30, 5], ["c", "/s/ann/sub", 1, 1, 0, 1]],
    ),
    "readers_of_file": (
        {"file": "/s/ann/out"},
        [
            ["c", "app", "ann", 1, 10, 0, "2026-06-02 10:00:00.000000"],
            ["c", "sim", "bob", 1, 5, 1, "2026-05-10 10:00:00.000000"],
        ],
    ),
    # written by one run, read by two others, by one of them with all processes
    "read_by_many": ({"readers": "2"}, [["c", "/s/ann/out", 1, 2, 1, 5, 15, 3]]),
}


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    """The rows of two clusters, which differ in nothing but its name; those of versions are sent again."""
    session = migrated(tmp_path_factory.mktemp("engine"))
    for table, rows in ROWS.items():
        lines = "\n".join(json.dumps(row | {"cluster": cluster}) for cluster in "cd" for row in rows)
        for _ in range(2 if table.endswith("_versions") else 1):
            session.query(f"INSERT INTO {table} FORMAT JSONEachRow {lines}")
    yield session
    session.close()


def answer(session, name, given):
    question = saved()[name]
    values = question.values(RANGES.get(name, RANGE) | given)
    return rows(session, question.sql, values)


def rows(session, sql, values=None):
    answered = json.loads(str(session.query(sql, "JSONCompact", params=values or {})))
    return [[number(value) for value in row] for row in answered["data"]]


def number(value):
    """64-bit numbers come as strings."""
    return int(value) if isinstance(value, str) and value.isdigit() else value


@pytest.mark.parametrize("name", saved())
def test_a_saved_question_answers_what_a_hand_works_out(session, name):
    given, expected = ANSWERS[name]
    assert answer(session, name, given | {"cluster": "c"}) == expected


@pytest.mark.parametrize("name", saved())
def test_its_example_is_that_answer_with_the_names_of_its_columns(session, name):
    """A table that keeps few days has rows of today, which are those of an older day in the example."""
    question, (given, _) = saved()[name], ANSWERS[name]
    values = question.values(RANGES.get(name, RANGE) | given | {"cluster": "c"})
    found = str(session.query(question.sql, "CSVWithNames", params=values)).replace(
        f"{TODAY:%F}", "2026-05-10"
    )
    example, answered = (list(csv.reader(text.splitlines())) for text in (question.example, found))
    assert example == answered
    assert len(example) > 1


@pytest.mark.parametrize("name", saved())
def test_without_a_cluster_each_line_is_of_one(session, name):
    """A user, file or device of the same name elsewhere is another."""
    given, expected = ANSWERS[name]
    both = [[cluster, *row[1:]] for row in expected for cluster in "cd"]
    found = answer(session, name, given)
    assert len(found) == len(both)
    assert all(row in both for row in found)


@pytest.mark.parametrize("name", saved())
def test_each_view_that_a_question_reads_is_restricted_to_the_cluster(session, name):
    sql = saved()[name].sql
    views = set(str(session.query("SHOW TABLES")).split('"')) & set(re.findall(r"\bFROM (\w+)", sql))
    read = sum(len(re.findall(rf"\bFROM {view}\b", sql)) for view in views)
    assert sql.count("{cluster:String} IN ('', cluster)") == read > 0


@pytest.mark.parametrize(
    ("since", "until", "gib"),
    [
        # all of a and, three weeks later, c
        ("2026-05-01 00:00:00", "2026-07-01 00:00:00", (2, 5120, 5120)),
        # half of a, which lasts from 10 to 12 o'clock
        ("2026-05-10 11:00:00", "2026-07-01 00:00:00", (2, 3072, 5120)),
        ("2026-05-01 00:00:00", "2026-05-10 11:00:00", (1, 2048, 4096)),
    ],
)
def test_what_moved_in_many_days_is_whole_but_at_their_ends(session, since, until, gib):
    found = answer(session, "who_moved_bytes", {"since": since, "until": until, "cluster": "c"})
    assert found[0] == ["c", "ann", "proj", "app", "scratch", *gib]


def test_times_that_no_run_has_do_not_keep_the_others_from_an_answer(session):
    for log, seconds in (("damaged", 1e308), ("more so", 1e15), ("sound", 60)):
        ends = {"start_time": "2030-01-01 00:00:00", "end_time": "2030-01-01 00:10:00", "bytes_moved": GIB}
        row = run(log, first_io_seconds=seconds, last_io_seconds=seconds, **ends) | {"cluster": "far"}
        session.query(f"INSERT INTO runs_versions FORMAT JSONEachRow {json.dumps(row)}")
    whole = {"since": "2030-01-01 00:00:00", "until": "2030-01-01 01:00:00", "cluster": "far"}
    [answered] = answer(session, "who_moved_bytes", whole)
    assert answered[5:] == [3, 3, 3]


@pytest.mark.parametrize("name", saved())
def test_no_rounded_number_decides_what_is_shown_and_in_which_order(name):
    """What moved 4 MiB has moved nothing in whole GiB, and so have all who moved less."""
    statement = re.sub(r"\{(\w+):[^}]*\}", r"'\1'", saved()[name].sql)
    for select in sqlglot.parse_one(statement, dialect="clickhouse").find_all(exp.Select):
        rounded = {each.alias for each in select.expressions if isinstance(each.unalias(), exp.Round)}
        deciding = filter(None, map(select.args.get, ("where", "having", "order")))
        columns = [column for part in deciding for column in part.find_all(exp.Column)]
        of_this = [each.name for each in columns if not each.table and each.parent_select is select]
        assert rounded.intersection(of_this) == set()


def test_servers_and_runs_are_counted_over_the_same_hours(session):
    hours = {"since": "2026-05-10 09:30:00", "until": "2026-05-10 10:00:00", "cluster": "c"}
    assert answer(session, "explained_traffic", hours) == []
    from_the_hour_on = hours | {"until": "2026-05-10 10:30:00"}
    assert answer(session, "explained_traffic", from_the_hour_on)[0][3] > 0


def test_an_hour_after_the_range_is_not_one_of_it(session):
    """The run of ann lasts from 10:00 to 11:59."""
    morning = {"since": "2026-05-10 00:00:00", "until": "2026-05-10 11:00:00", "cluster": "c"}
    assert [row[2] for row in answer(session, "target_overlap", morning)] == ["2026-05-10 10:00:00"]


def test_a_killed_run_is_on_its_targets_until_its_last_io(session):
    """It began at 10:30 and wrote for two hours; another says that it did so for centuries."""
    for log, last in (("killed", 7200), ("endless", 1e18)):
        run = {"cluster": log, "log_id": log, "start_time": "2026-05-10 10:30:00", "filesystem": "scratch"}
        run |= {"end_time": "1970-01-01 00:00:00", "last_io_seconds": last, "lustre_files": 1, "version": 1}
        stripe = {"cluster": log, "log_id": log, "start_time": run["start_time"], "record_id": 1, "OST_ID": 3}
        for table, row in (("runs", run), ("lustre_stripes", stripe)):
            session.query(f"INSERT INTO {table}_versions FORMAT JSONEachRow {json.dumps(row)}")
    hours = [row[2] for row in answer(session, "target_overlap", {"cluster": "killed"})]
    assert sorted(hours) == [f"2026-05-10 {hour}:00:00" for hour in (10, 11, 12)]
    assert [row[2] for row in answer(session, "target_overlap", {"cluster": "endless"})] == [
        "2026-05-10 10:00:00"
    ]


def put(session, table, *found):
    for row in found:
        session.query(f"INSERT INTO {table}_versions FORMAT JSONEachRow {json.dumps(row)}")


def of_2032(cluster):
    return {"since": "2032-01-01 00:00:00", "until": "2032-02-01 00:00:00", "cluster": cluster}


def new_run(cluster, log, **more):
    return run(log, start_time="2032-01-01 10:00:00") | {"cluster": cluster} | more


def test_a_run_that_ends_with_an_hour_is_not_on_its_targets_in_the_next(session):
    put(session, "runs", new_run("whole", "a", end_time="2032-01-01 11:00:00", lustre_files=1))
    put(
        session,
        "lustre_stripes",
        stripe("a", 1, 3) | {"cluster": "whole", "start_time": "2032-01-01 10:00:00"},
    )
    assert [row[2] for row in answer(session, "target_overlap", of_2032("whole"))] == ["2032-01-01 10:00:00"]


def test_what_runs_lose_that_are_not_slow_is_not_of_an_unknown_cause(session):
    lost = {"slow": 0, "verdict": "not_slow", "node_hours_lost": 2, "run_nodes": 2}
    put(session, "runs", new_run("quick", "a", **lost), new_run("quick", "b", **lost, account=None))
    assert answer(session, "lost_by_project", of_2032("quick")) == [
        ["quick", "proj", 0, 0, 2, 0.5, 0, 0, 0, 0, 2],
        ["quick", None, None, None, 2, 0.5, 0, 0, 0, 0, 2],
    ]
    assert [row[:3] for row in answer(session, "io_by_project", of_2032("quick"))] == [
        ["quick", "proj", 0],
        ["quick", None, None],
    ]


def test_a_run_that_moved_nothing_has_no_rate_and_what_is_unknown_is_not_none(session):
    rates = {"a": 0, "b": 500, "c": None}
    put(session, "runs", *(new_run("rates", log, mib_per_second=rate) for log, rate in rates.items()))
    asked = of_2032("rates") | {"user": "ann", "program": "app"}
    assert [row[3:] for row in answer(session, "program_history", asked)] == [[3, 500, 500, 500, None]]


def test_only_whole_runs_of_a_known_user_are_compared(session):
    def of_rate(log, rate, **more):
        return march(log, rate, 1024) | {"cluster": "fair", "start_time": "2032-01-01 10:00:00"} | more

    put(session, "runs", of_rate("a", 100), of_rate("b", 50), of_rate("c", 1, log_state="incomplete"))
    put(session, "runs", of_rate("d", 100, user=None), of_rate("e", 1, user=None))
    (found,) = answer(session, "rate_variation", of_2032("fair") | {"runs": "2"})
    assert (found[1], found[-1]) == ("ann", 2)


def test_programs_with_few_unaligned_requests_are_not_named(session):
    rows_there = {
        "filesystems": ["scratch"],
        "filesystem_file_alignment_bytes": [MIB],
        "filesystem_writes": [0],
    }
    few = rows_there | {"filesystem_reads": [1_000_000], "filesystem_surely_unaligned_requests": [1000]}
    all_of_them = rows_there | {"filesystem_reads": [900], "filesystem_surely_unaligned_requests": [900]}
    put(session, "runs", new_run("odd", "a", program="few", **few), new_run("odd", "b", **all_of_them))
    assert [row[2] for row in answer(session, "unaligned_requests", of_2032("odd"))] == ["app"]


def test_bytes_of_a_moment_are_those_of_a_run_and_a_killed_run_moved_its_own_then(session):
    moved = {"bytes_moved": 4 * GIB, "first_io_seconds": None, "last_io_seconds": None}
    put(
        session,
        "runs",
        new_run("short", "a", end_time="2032-01-01 10:00:00.000500", **moved),
        new_run("short", "b", end_time="1970-01-01 00:00:00", **moved, program="killed"),
    )
    hour = of_2032("short") | {"since": "2032-01-01 10:00:00", "until": "2032-01-01 11:00:00"}
    assert [row[3:] for row in answer(session, "who_moved_bytes", hour)] == [
        ["app", "scratch", 1, 4, 4],
        ["killed", "scratch", 1, 4, 4],
    ]


def test_an_hour_that_comes_twice_is_of_one_day(session):
    named = {"cluster": "winter", "filesystem": "scratch", "bytes_read": 0, "bytes_written": 0, "version": 1}
    named |= {"sampled_seconds": 3600, "util_mean": 0, "util_max": 0}
    starts = ("2032-10-31 00:00:00", "2032-10-31 01:00:00")
    put(session, "filesystem_load_hourly", *(named | {"hour_start": start} for start in starts))
    asked = {"since": starts[0], "until": "2032-11-01", "cluster": "winter", "zone": "Europe/Berlin"}
    assert [row[2:4] for row in answer(session, "hours_of_day", asked)] == [[2, 1]]


def test_a_trouble_has_no_hours_that_are_still_to_come(session):
    began = TODAY - timedelta(hours=2)
    put(
        session,
        "storage_events",
        trouble("t", "silent", "server", "oss1", f"{began:%F %T}", None, "open", cluster="open"),
    )
    asked = {"since": f"{began:%F %T}", "until": f"{TODAY + timedelta(days=30):%F %T}", "cluster": "open"}
    (found,) = answer(session, "storage_troubles", asked)
    assert 2 <= found[-1] < 28


def test_runs_that_lost_little_are_in_order_too(session):
    for log, lost in (("a", 1e-6), ("b", 3e-6), ("c", 2e-6)):
        row = run(log, start_time="2031-01-01 00:00:00", slow=1, node_hours_lost=lost) | {"cluster": "far"}
        session.query(f"INSERT INTO runs_versions FORMAT JSONEachRow {json.dumps(row)}")
    whole = {"since": "2031-01-01 00:00:00", "until": "2031-01-02 00:00:00", "cluster": "far"}
    assert [row[-1] for row in answer(session, "slow_runs", whole)] == ["b", "c", "a"]


def test_of_a_center_that_moves_nothing_shares_are_not_known_and_its_storage_is_idle(session):
    named = {"cluster": "still", "filesystem": "scratch", "bytes_read": 0, "bytes_written": 0, "version": 1}
    unknown = {
        "run_time_seconds": None,
        "io_time_seconds": None,
        "verdict": "unknown",
        "node_hours_lost": 1 / 120,
    }
    for table, row in (
        ("filesystem_load", named | {"bucket_start": "2031-03-01 00:00:00", "bucket_seconds": 60}),
        ("filesystem_load", named | {"bucket_start": "2031-03-01 00:01:00", "bucket_seconds": 60}),
        (
            "filesystem_load_hourly",
            named
            | {"hour_start": "2031-03-01 00:00:00", "sampled_seconds": 3600, "peak_bytes_per_second": 0},
        ),
        ("runs", run("moved nothing", start_time="2031-03-01 00:00:00", **unknown) | named),
    ):
        session.query(f"INSERT INTO {table}_versions FORMAT JSONEachRow {json.dumps(row)}")
    whole = {"since": "2031-03-01 00:00:00", "until": "2031-04-01 00:00:00", "cluster": "still"}
    said = {
        name: answer(session, name, whole)
        for name in ("burstiness", "idle_periods", "throughput_minutes", "io_by_user", "lost_by_project")
    }
    assert said["burstiness"] == [["still", "scratch", 1, 0, 0, 0, 1]]
    assert said["idle_periods"] == [["still", "scratch", 2, 1, 2, 1, 2]]
    assert said["throughput_minutes"] == [["still", "scratch", 0, 0, 2, 1, 1]]
    [of_user] = said["io_by_user"]
    assert of_user[5] is None
    # half a minute of one node was lost, and its verdict is unknown
    [lost] = said["lost_by_project"]
    assert (lost[4], lost[-5:]) == (0.008, [0, 0, 0, 0.008, 0])


def test_a_cause_may_come_back_twice(session):
    """Two of its messages call it fixed; a reminder that it is still there is no relapse."""
    of_case = case("k", "ann", "app", "small_io", "open") | {"cluster": "twice"}
    session.query(f"INSERT INTO cases_versions FORMAT JSONEachRow {json.dumps(of_case)}")
    for day, kind in enumerate(("finding", "fixed", "finding", "reminder", "fixed", "finding"), start=1):
        sent = alert("ann", kind, "k", f"04-0{day}", cluster="twice", decided_at=f"2031-04-0{day} 00:00:00")
        session.query(f"INSERT INTO alerts_versions FORMAT JSONEachRow {json.dumps(sent)}")
    whole = {"since": "2031-04-01 00:00:00", "until": "2031-05-01 00:00:00", "cluster": "twice"}
    fixed_and_back = [tuple(time[:10] for time in row[5:7]) for row in answer(session, "came_back", whole)]
    assert fixed_and_back == [("2031-04-05", "2031-04-06"), ("2031-04-02", "2031-04-03")]


def test_a_limit_is_of_the_first_lines(session):
    assert [row[-1] for row in answer(session, "slow_runs", {"limit": "1", "cluster": "c"})] == ["b"]


@pytest.mark.parametrize("view", ["posix_records", "file_records"])
def test_file_records_of_a_month_are_read_without_those_of_others(session, view):
    """Where FINAL has to expect a row of one key in two months, it reads all of them."""
    june = f"SELECT sum(rank) FROM {view} WHERE start_time >= '2026-06-01' AND start_time < '2026-07-01'"
    ((there,),) = rows(session, "SELECT count() FROM posix_records_versions")
    read = json.loads(str(session.query(june, "JSON")))["statistics"]["rows_read"]
    assert 0 < read < there


@pytest.mark.parametrize("name", saved())
def test_each_question_is_about_a_range_and_declares_its_parameters(name):
    question = saved()[name]
    assert {"{since:", "{until:"} <= {word[:7] for word in question.sql.split() if word.startswith("{")}
    for parameter, about in question.parameters.items():
        assert f"{{{parameter}:{about.type}}}" in question.sql


@pytest.mark.parametrize("name", saved())
def test_a_statement_without_parameters_runs_as_it_is(session, name):
    """Its range is the last 30 days, in which the rows by minutes lie."""
    statement = saved()[name].statement()
    assert saved()[name].question in statement
    assert not re.search(r"\{\w+:", statement)
    found = rows(session, statement)
    if name in ("idle_periods", "throughput_minutes"):
        assert [row for row in found if row[0] == "c"] == ANSWERS[name][1]


def test_a_default_is_a_literal():
    parameters = {
        "name": Parameter(type="String", meaning="a name", default=r"O'Neil \ co"),
        "user": Parameter(type="String", meaning="whose"),
        "limit": Parameter(type="UInt32", meaning="how many", default=20),
    }
    question = Question(
        title="t",
        question="q?",
        parameters=parameters,
        sql="SELECT {name:String}, {user:String}, {since:DateTime64(6, 'UTC')} LIMIT {limit:UInt32}",
    )
    assert question.statement().splitlines() == [
        "-- q?",
        "-- What can be changed stands behind its name:",
        "-- since: where the range begins, in UTC",
        "-- until: where the range ends, in UTC",
        "-- cluster: the only cluster that is looked at; empty for all",
        "-- name: a name",
        "-- user: whose",
        "-- limit: how many",
        r"SELECT /* name */ 'O\'Neil \\ co', /* user */ '', "
        "/* since */ (now64(6, 'UTC') - INTERVAL 30 DAY) LIMIT /* limit */ 20",
    ]


def test_the_range_and_the_cluster_can_be_set():
    values = saved()["io_by_user"].values(
        {"since": "2026-05-01", "until": "2026-06-01 12:30", "cluster": "x"}
    )
    assert values == {
        "since": "2026-05-01 00:00:00.000000",
        "until": "2026-06-01 12:30:00.000000",
        "cluster": "x",
        "limit": "20",
    }


def test_a_parameter_that_is_needed_is_asked_for():
    with pytest.raises(UserError, match="whose runs: --set user="):
        saved()["program_history"].values(RANGE | {"program": "app"})


def test_an_unknown_parameter_names_those_that_there_are():
    with pytest.raises(UserError, match="--set limits: no such parameter"):
        saved()["io_by_user"].values({"limits": "3"})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("SELECT 1", "begins with no comment"),
        ("/* title: x", "begins with no comment"),
        ("/*\n- a\n*/ SELECT 1", "a.sql"),
        ("/*\ntitle: x\n*/ SELECT 1", "question"),
        ("/*\ntitle: x\nquestion: y\nwhat: z\n*/ SELECT 1", "what"),
        ("/*\ntitle: [\n*/ SELECT 1", "a.sql"),
    ],
)
def test_a_file_that_is_wrong_is_named(tmp_path, text, problem):
    (tmp_path / "a.sql").write_text(text)
    with pytest.raises(UserError, match=problem):
        saved(tmp_path)


def test_text_in_a_value_stays_text(session):
    question = Question(title="t", question="q", sql="SELECT {user:String} AS user")
    given = "x' OR 1 = 1 --"
    found = session.query(question.sql, "JSONCompact", params={"user": given})
    assert json.loads(str(found))["data"] == [[given]]
