"""What the pages of one run and of one job say, of a center small enough to be worked out by hand."""

import math
from datetime import datetime, timedelta

import pytest
from dataset_engine import READER

MIB = 1 << 20
DAY = "2026-05-10"
RUN = {
    "cluster": "x",
    "user": READER,
    "account": "p",
    "program": "sim",
    "filesystem": "scratch",
    "job_id": 7,
    "job_uid": "j",
    "direction": "write",
    "nprocs": 4,
    "version": 1,
}
A = RUN | {
    "log_id": "a",
    "start_time": f"{DAY} 12:00:00",
    "end_time": f"{DAY} 12:01:40",
    "run_time_seconds": 100,
    "read_seconds": 40,
    "write_seconds": 100,
    "metadata_seconds": 20,
    "io_time_seconds": 30,
    "bytes_read": 10 * MIB,
    "bytes_written": 20 * MIB,
    "mib_per_second": 1,
    "io_share": 0.3,
    "load_devices": ["s:d1", "s:d2"],
    "verdict": "application",
    "slow": 1,
    "time_lost_seconds": 20,
    "posix_size_read_0_100": 5,
    "posix_size_write_1g_plus": 2,
}
B = RUN | {
    "log_id": "b",
    "start_time": f"{DAY} 12:05:00",
    "end_time": f"{DAY} 12:06:00",
    "run_time_seconds": 60,
    "io_time_seconds": 5,
    "load_devices": ["s:d1"],
    "mib_per_second": 9,
    "write_seconds": 40,
}


def other(log, start, end, **more):
    """A run of somebody else that is no job's of this page."""
    named = {"log_id": log, "user": "bob", "job_uid": log, "start_time": start, "end_time": end}
    return RUN | named | {"load_devices": ["s:d1"]} | more


def earlier(log, day, rate, **more):
    """An earlier run of the same program, on devices of which nothing is known."""
    return other(log, f"{day} 12:00:00", f"{day} 12:10:00", user=READER, mib_per_second=rate, **more)


def bin_of(rank, number, read=0, written=0, **more):
    """A cell of the heat map of run a: ten seconds of a process."""
    counted = {"rank": rank, "BIN": number, "BYTES_READ": read * MIB, "BYTES_WRITTEN": written * MIB}
    named = {"cluster": "x", "log_id": "a", "start_time": A["start_time"], "name": "heatmap:POSIX"}
    return named | counted | {"BIN_WIDTH_SECONDS": 10, "record_id": 1, "version": 1} | more


def file_of(record, rank, read, seconds, **more):
    """A record of a file of run a."""
    named = {"cluster": "x", "log_id": "a", "start_time": A["start_time"], "version": 1}
    counted = {"POSIX_OPENS": 1, "POSIX_READS": 2, "POSIX_WRITES": 1, "POSIX_BYTES_READ": read * MIB}
    timed = {"POSIX_F_READ_TIME": seconds, "POSIX_F_META_TIME": 1}
    return named | {"record_id": record, "rank": rank, "name": f"/f{record}"} | counted | timed | more


def load(second, **more):
    """Ten seconds of the file system's load."""
    moved = {"bytes_read": 100 * MIB, "bytes_written": 0}
    named = {"cluster": "x", "filesystem": "scratch", "bucket_start": f"{DAY} 12:00:{second:02}"}
    return named | moved | {"bucket_seconds": 10, "version": 1} | more


CENTER = {
    "runs": [
        A,
        B,
        other("near", f"{DAY} 11:59:00", f"{DAY} 12:00:30", slow=1, bytes_written=MIB),
        other("long", f"{DAY} 12:00:50", f"{DAY} 13:00:00", load_devices=[]),
        other("elsewhere", f"{DAY} 12:00:00", f"{DAY} 12:01:00", load_devices=["s:d9"]),
        other("home", f"{DAY} 12:00:00", f"{DAY} 12:01:00", filesystem="home"),
        other("before", f"{DAY} 11:00:00", f"{DAY} 11:59:59"),
        earlier("last", "2026-05-03", 4, slow=1),
        earlier("older", "2026-04-20", 8),
        earlier("too old", "2026-03-20", 8),
        earlier("other program", "2026-05-04", 8, program="post"),
        earlier("other way", "2026-05-05", 8, direction="read"),
    ],
    "heatmap_bins": [
        bin_of(0, 0, read=10),
        bin_of(2, 3, written=20),
        bin_of(3, 3, written=1, name="heatmap:MPIIO"),
    ],
    "posix_records": [file_of(1, 0, 8, 3), file_of(1, 1, 1, 2), file_of(2, -1, 1, 9)],
    "filesystem_load": [load(0), load(30), load(0, filesystem="home")],
    "report_words": [{"kind": "verdict", "key": "application", "text": "The program", "version": 1}],
}


@pytest.fixture
def center(engine_of):
    """The center, of which one run or job is asked for."""
    return engine_of(CENTER)


def values(rows, *names):
    """The values of these columns, in order."""
    return sorted(tuple(row[name] for name in names) for row in rows)


def facts(center, **shown):
    """What is said of a run or job: its facts by name."""
    [kind] = shown
    return {row["fact"]: row["value"] for row in center.rows(f"{kind}_facts", **shown)}


def test_the_facts_of_a_run_lead_to_its_job(center):
    said = facts(center, run="a")
    assert said["Verdict"] == "The program"
    assert (said["Read"], said["Written"]) == ("10.00 MiB", "20.00 MiB")
    assert said["I/O time"] == "30 s, 30 % of the run time"
    assert said["Certainty"] == "exact: the log shows the whole I/O time"
    [link] = (row["more"] for row in center.rows("run_facts", run="a") if row["fact"] == "Job")
    assert 'href="/weir/job/?job=j"' in link


@pytest.mark.parametrize(
    ("bound", "time", "lost", "certainty"),
    [
        ("lower_bound", "at least 30 s", "at least 20 seconds", "bounded"),
        ("upper_bound", "at most 30 s", "at most 20 seconds", "bounded"),
        ("bounded", "about 30 s", "about 20 seconds", "bounded"),
        ("unknowable", "30 s", "20 seconds", "none"),
    ],
)
def test_what_is_no_exact_number_says_so(engine_of, bound, time, lost, certainty):
    known = {"io_time_seconds": bound, "bytes_read": "lower_bound"}
    said = facts(engine_of({"runs": [A | {"evidence_classes": known}]}), run="a")
    assert said["I/O time"].startswith(time)
    assert said["Time lost"] == lost
    assert said["Certainty"].startswith(certainty)
    assert (said["Read"], said["Written"]) == ("at least 10.00 MiB", "20.00 MiB")


@pytest.mark.parametrize(
    ("of_runs", "read", "certainty"),
    [
        ([{}, {}], "30.00 MiB", "exact"),
        ([{}, {"bytes_read": "unknowable"}], "at least 30.00 MiB", "exact"),
        ([{"bytes_read": "lower_bound"}, {}], "at least 30.00 MiB", "exact"),
        ([{"bytes_read": "upper_bound"}, {}], "at most 30.00 MiB", "exact"),
        ([{"bytes_read": "upper_bound"}, {"bytes_read": "lower_bound"}], "about 30.00 MiB", "exact"),
        ([{}, {"io_time_seconds": "lower_bound"}], "30.00 MiB", "bounded"),
    ],
)
def test_what_a_job_adds_up_is_no_surer_than_its_runs(engine_of, of_runs, read, certainty):
    job = {name: RUN[name] for name in ("cluster", "user", "job_id", "job_uid", "version")}
    sums = {"bytes_read": 30 * MIB, "io_time_seconds": 35, "node_hours_lost": 0.5, "logs_analysed": 2}
    runs = [row | {"evidence_classes": known} for row, known in zip((A, B), of_runs, strict=True)]
    job |= {"submit_time": f"{DAY} 11:00:00", "verdict": "application"} | sums
    said = facts(engine_of({"runs": runs, "job_results": [job]}), job="j")
    assert said["Read"] == read
    assert said["Certainty"].startswith(certainty)
    least = "at least " if certainty == "bounded" else ""
    assert (said["I/O time of its runs"], said["Node-hours lost"]) == (f"{least}35 s", f"{least}0.5")


def test_a_verdict_without_words_is_shown_as_it_is(engine_of):
    assert facts(engine_of({"runs": [A | {"verdict": "not_slow"}]}), run="a")["Verdict"] == "not slow"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("history", "250.5 MiB/s per node, which one in four comparable runs reached"),
        ("site_peak", "250.5 MiB/s per node, the peak that the site states"),
        ("none", "none"),
    ],
)
def test_the_reference_says_whose_it_is(engine_of, source, said):
    """That of history is the third quartile: weir.admin.reference."""
    run = A | {"reference_source": source, "reference_mib_per_second_per_node": 250.5}
    assert facts(engine_of({"runs": [run]}), run="a")["Reference"] == said


def test_the_time_of_a_process_is_split(center):
    """Of 400 seconds of four processes 40 were reads, 100 writes and 20 metadata; job j had 240 more."""
    parts = ["1 POSIX read", "2 POSIX write", "3 POSIX metadata", "5 all else or not known"]
    of_run = values(center.rows("shown_time", run="a"), "part", "seconds")
    assert of_run == list(zip(parts, [10, 25, 5, 60], strict=True))
    of_job = values(center.rows("shown_time", job="j"), "part", "seconds")
    assert of_job == list(zip(parts, [5, 17.5, 2.5, 55], strict=True))


def test_the_rest_is_all_else_where_the_log_knows_the_other_times(engine_of):
    """Of 400 seconds of four processes STDIO took 8 and 4 besides."""
    run = A | {"stdio_data_seconds": 8, "stdio_metadata_seconds": 4}
    parts = dict(values(engine_of({"runs": [run]}).rows("shown_time", run="a"), "part", "seconds"))
    assert (parts["4 STDIO"], parts["5 all else"], len(parts)) == (3, 57, 5)


def test_activity_stands_beside_that_of_the_file_system(center):
    """Ten seconds a bin and a bucket: a read 10 MiB in the first and wrote 20 in the fourth."""
    moved = [row for row in center.rows("shown_activity", run="a") if row["mib_per_second"]]
    assert values(moved, "time", "series", "mib_per_second") == [
        (f"{DAY} 12:00:00", "all read of the file system", 10),
        (f"{DAY} 12:00:00", "this reads", 1),
        (f"{DAY} 12:00:30", "all read of the file system", 10),
        (f"{DAY} 12:00:30", "this writes", 2),
    ]


@pytest.mark.parametrize(
    ("seconds", "bin_seconds", "bucket_seconds", "interval"), [(100, 0.8, 1, 1), (1500, 12.8, 10, 15)]
)
def test_a_steady_rate_is_drawn_as_one(engine_of, seconds, bin_seconds, bucket_seconds, interval):
    """Bins of the heat map and buckets of load that do not divide the interval: 100 MiB/s all the time."""
    start = datetime.fromisoformat(f"{DAY} 12:00:00")
    steady = {"bytes_read": 100 * bucket_seconds * MIB, "bucket_seconds": bucket_seconds}
    times = [start + timedelta(seconds=second) for second in range(0, seconds, bucket_seconds)]
    engine = engine_of(
        {
            "runs": [A | {"end_time": str(start + timedelta(seconds=seconds))}],
            "heatmap_bins": [
                bin_of(0, number, read=round(100 * bin_seconds), BIN_WIDTH_SECONDS=bin_seconds)
                for number in range(math.ceil(seconds / bin_seconds))
            ],
            "filesystem_load": [load(0) | steady | {"bucket_start": str(time)} for time in times],
        }
    )
    rates = values(engine.rows("shown_activity", run="a"), "series", "time", "mib_per_second")
    for series in ("this reads", "all read of the file system"):
        told = [rate for name, _, rate in rates if name == series][: seconds // interval]
        assert told == [pytest.approx(100)] * (seconds // interval), series


def test_intervals_of_activity_are_no_shorter_than_buckets_of_load(engine_of):
    """Of a run of six seconds, within two buckets of ten, bins of 0.4 s are known."""
    short = A | {"start_time": f"{DAY} 12:00:07", "end_time": f"{DAY} 12:00:13"}
    at = {"start_time": short["start_time"], "BIN_WIDTH_SECONDS": 0.4}
    bins = [bin_of(0, 0, read=10, **at), bin_of(0, 14, read=40, **at)]
    engine = engine_of(
        {"runs": [short], "heatmap_bins": bins, "filesystem_load": list(map(load, range(0, 40, 10)))}
    )
    assert values(engine.rows("shown_activity", run="a"), "time", "series", "mib_per_second") == [
        (time, series, rate)
        for time, read in ((f"{DAY} 12:00:00", 1), (f"{DAY} 12:00:10", 4))
        for series, rate in (
            ("all read of the file system", 10),
            ("all write to the file system", 0),
            ("this reads", read),
            ("this writes", 0),
        )
    ]


@pytest.mark.parametrize("shown", [{"run": "a"}, {"job": "j"}])
def test_ranks_have_the_bytes_that_they_moved(center, shown):
    cells = values(center.rows("shown_ranks", **shown), "after_start", "rank_group", "mib")
    assert cells == [("      0.0 s", "0", 10), ("     30.0 s", "2", 20)]


def test_requests_are_those_of_the_size_classes(center):
    asked = [row for row in center.rows("shown_requests", run="a") if row["requests"]]
    assert values(asked, "direction", "request_size", "requests") == [
        ("reads", "01: to 100 B", 5),
        ("writes", "10: above", 2),
    ]


def test_files_are_summed_over_processes(center):
    files = center.rows("shown_files", run="a")
    names = ("file", "processes", "opens", "requests", "bytes_read", "metadata_seconds", "data_seconds")
    assert values(files, *names) == [("/f1", 2, 2, 6, 9 * MIB, 2, 5), ("/f2", 4, 1, 3, MIB, 1, 9)]
    assert values(files, "by_bytes", "by_time", "file") == [(1, 2, "/f1"), (2, 1, "/f2")]


def test_processes_of_each_run_of_a_job_opened_its_files(engine_of):
    """All four processes of one run and the first of another; the same process of three runs."""
    runs = [A, A | {"log_id": "a2", "nprocs": 128}, A | {"log_id": "a3"}]
    records = [
        *(file_of(1, rank, 1, 1, log_id=log) for log, rank in (("a", -1), ("a2", 0))),
        *(file_of(2, 0, 1, 1, log_id=log) for log in ("a", "a2", "a3")),
    ]
    files = engine_of({"runs": runs, "posix_records": records}).rows("shown_files", job="j")
    assert values(files, "file", "processes") == [("/f1", 5), ("/f2", 3)]


def test_neighbors_are_the_runs_on_the_same_devices_at_the_same_time(center):
    """Of the long run no devices are known; the others were elsewhere or before."""
    near = center.rows("shown_neighbors", run="a")
    assert values(near, "log_id", "seconds_together", "devices_shared") == [
        ("long", 50, None),
        ("near", 30, 1),
    ]
    of_job = center.rows("shown_neighbors", job="j")
    assert values(of_job, "log_id", "seconds_together") == [("long", 310), ("near", 30)]


def test_others_are_counted_at_every_second(center):
    """A second each: the near run was there for the first half minute, the long one for the last 50 s."""
    counted = center.metrics("shown_others", "time, which", run="a")
    for second, of_second in (
        (0, {"slow": 1, "other": 0}),
        (30, {"slow": 1, "other": 0}),
        (40, {"slow": 0, "other": 0}),
        (50, {"slow": 0, "other": 1}),
        (99, {"slow": 0, "other": 1}),
    ):
        time = f"{DAY} 12:0{second // 60}:{second % 60:02}"
        found = {which: int(row["runs"]) for (at, which), row in counted.items() if at == time}
        assert found == of_second, time


def test_killed_runs_were_active_until_their_last_io(engine_of):
    """Nobody knows when they ended, neither of the one that the page shows, nor of those beside it."""
    killed = {"end_time": "1970-01-01 00:00:00"}
    engine = engine_of(
        {
            "runs": [
                A | killed | {"last_io_seconds": 60},
                other("killed too", f"{DAY} 11:59:00", last_io_seconds=70, end=killed["end_time"]),
                other("killed before", f"{DAY} 11:59:00", last_io_seconds=59, end=killed["end_time"]),
                other("whole", f"{DAY} 12:00:50", f"{DAY} 13:00:00"),
                other("after", f"{DAY} 12:01:01", f"{DAY} 13:00:00"),
            ],
            "filesystem_load": [load(50), load(50, bucket_start=f"{DAY} 12:01:10")],
        }
    )
    near = engine.rows("shown_neighbors", run="a")
    assert values(near, "log_id", "seconds_together") == [("killed too", 10), ("whole", 10)]
    counted = engine.metrics("shown_others", "time, which", run="a")
    found = [int(counted[f"{DAY} 12:00:{second:02}", "other"]["runs"]) for second in (0, 9, 11, 49, 50, 59)]
    assert found == [1, 1, 0, 0, 1, 1]
    rates = engine.rows("shown_activity", run="a", rest="WHERE mib_per_second > 0")
    assert values(rates, "time", "mib_per_second") == [(f"{DAY} 12:00:50", 10)]


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "-1e300", "1e300", "-1", "NULL"])
def test_a_killed_run_with_any_last_io_and_load_of_any_width_have_a_page(engine_of, number):
    engine = engine_of(CENTER)
    start = f"{DAY} 12:00:00"
    engine.session.query(
        "INSERT INTO runs_versions (cluster, log_id, start_time, end_time, filesystem, last_io_seconds) "
        f"VALUES ('x', 'killed', '{start}', '1970-01-01 00:00:00', 'scratch', {number})"
    )
    width = "0" if number == "NULL" else number
    engine.session.query(
        "INSERT INTO filesystem_load_versions (cluster, filesystem, bucket_start, bucket_seconds, version) "
        f"VALUES ('x', 'scratch', '{start}', {width}, 9)"
    )
    for run in ("killed", "a"):
        for dataset in ("shown_activity", "shown_others", "shown_neighbors"):
            assert len(engine.rows(dataset, run=run)) < 1000
    assert values(engine.rows("shown_neighbors", run="a"), "log_id") == [("long",), ("near",)]


@pytest.mark.parametrize("dataset", ["shown_activity", "shown_others", "shown_neighbors", "shown_ranks"])
def test_a_run_that_says_it_ended_in_centuries_has_a_page(engine_of, dataset):
    center = CENTER | {"runs": [A | {"end_time": "2290-01-01 00:00:00"}, *CENTER["runs"][1:]]}
    assert 0 < len(engine_of(center).rows(dataset, run="a")) < 1000


def test_the_program_s_other_runs_stand_beside_this_one(center):
    runs = values(center.rows("shown_history", run="a"), "log_id", "which", "mib_per_second")
    assert runs == [
        ("a", "this run", 1),
        ("b", "other runs", 9),
        ("last", "other runs, slow", 4),
        ("older", "other runs", 8),
    ]
    assert values(center.rows("shown_history", job="j"), "log_id", "which", "mib_per_second") == runs


def test_the_program_s_other_runs_are_those_near_in_time(center):
    days = ("2026-04-09", "2026-04-11", "2026-05-24", "2026-05-26")
    center.insert("runs", *(earlier(day, day, 2) for day in days))
    shown = {row["log_id"] for row in center.rows("shown_history", run="a")}
    assert shown & set(days) == {"2026-04-11", "2026-05-24"}


def test_of_a_user_who_is_not_known_the_runs_stand_beside_each_other(center):
    unknown = [
        earlier(log, f"2026-05-0{rate}", rate) | {"user": None, "filesystem": None}
        for log, rate in (("u", 6), ("v", 7))
    ]
    center.insert("runs", *unknown)
    assert values(center.rows("shown_history", run="u"), "log_id", "user", "which") == [
        ("u", "(unknown)", "this run"),
        ("v", "(unknown)", "other runs"),
    ]


def test_of_very_many_runs_the_nearest_are_shown_and_this_one(center):
    """A program may run thousands of times in such a time, and faster each time."""
    for name, day in (("before", "2026-05-09"), ("long before", "2026-05-01")):
        center.insert("runs", *(earlier(f"{name} {n}", day, 100 + n) for n in range(700)))
    shown = values(center.rows("shown_history", run="a"), "log_id", "which")
    assert len(shown) == 1000
    assert ("a", "this run") in shown
    assert sum(log.startswith("before ") for log, _ in shown) == 700


def test_a_neighbor_that_only_read_has_moved_bytes(center):
    center.insert("runs", other("reader", f"{DAY} 12:00:00", f"{DAY} 12:01:00", bytes_read=9 * MIB))
    moved = dict(values(center.rows("shown_neighbors", run="a"), "log_id", "bytes_moved"))
    assert moved["reader"] == 9 * MIB


def test_of_the_program_s_other_runs_the_newest_version_counts(center):
    found_later = earlier("found later", "2026-05-06", 2) | {"user": None}
    taken_back = earlier("taken back", "2026-05-07", 2)
    gone = earlier("gone", "2026-05-07", 2)
    given_away = earlier("given away", "2026-05-08", 2)
    center.insert("runs", found_later, taken_back, gone, given_away)
    named = {key: taken_back[key] for key in ("cluster", "start_time", "log_id")}
    center.insert(
        "runs",
        found_later | {"user": READER, "mib_per_second": 3, "version": 2},
        # a row that takes another back may hold its key alone
        named | {"version": 2, "is_deleted": 1},
        gone | {"version": 2, "is_deleted": 1},
        given_away | {"user": "bob", "version": 2},
        # once more, as after a restart
        found_later | {"user": READER, "mib_per_second": 3, "version": 2},
        given_away,
    )
    shown = values(center.rows("shown_history", run="a"), "log_id", "mib_per_second")
    assert shown == [("a", 1), ("b", 9), ("found later", 3), ("last", 4), ("older", 8)]


def test_a_job_s_runs_are_its_own(center):
    assert values(center.rows("shown_runs", job="j"), "log_id") == [("a",), ("b",)]
