"""The datasets of *Weir Storage* over load, events and runs written by hand."""

from zlib import crc32

import pytest

MIB = 1 << 20
DAY = "2026-05-10"


def load(start, seconds, mib, **more):
    row = {
        "cluster": "c",
        "filesystem": "scratch",
        "bucket_start": f"{DAY} {start}",
        "bucket_seconds": seconds,
    }
    return row | {"bytes_read": mib * MIB, "bytes_written": 0, "version": 1} | more


def server(name, start, util, **more):
    row = {"cluster": "c", "server": name, "bucket_start": f"{DAY} {start}", "bucket_seconds": 10}
    row |= {"bytes_read": 40 * MIB, "reads": 40, "read_wait_seconds": 0.4}
    row |= {"bytes_written": 10 * MIB, "writes": 160, "write_wait_seconds": 1.6}
    return row | {"util_mean": util, "util_max": util, "version": 1} | more


def device(name, of, start, util):
    row = {"cluster": "c", "device_id": name, "server": of, "bucket_start": f"{DAY} {start}"}
    return row | {"bucket_seconds": 10, "util": util, "version": 1}


def event(name, kind, subject_kind, since, ended, **more):
    row = {"cluster": "c", "event_id": name, "kind": kind, "subject_kind": subject_kind, "subject": name}
    row |= {"since": f"{DAY} {since}", "ended": ended and f"{DAY} {ended}", "version": 1}
    return row | {"state": "recovered" if ended else "open"} | more


def looks(target, of, *times):
    """A server's counts of a target."""
    row = {"cluster": "c", "target": target, "server": of, "bytes_read": 1, "version": 1}
    return [row | {"time": f"{DAY} {time}"} for time in times]


def minutes(first, last):
    """The minutes of an hour, as times."""
    return [f"00:{minute:02}:00" for minute in range(first, last + 1)]


def run(log, start, end, devices, **more):
    row = {"cluster": "c", "log_id": log, "job_uid": f"job of {log}", "filesystem": "scratch", "version": 1}
    row |= {"start_time": f"{DAY} {start}", "end_time": f"{DAY} {end}", "user": "ada"}
    row |= {"load_devices": [f"ost{number}" for number in devices]} | more
    return row | {"job_id": crc32(row["job_uid"].encode())}


ROWS = {
    # By minutes: 600 MiB/s, then idle for three minutes, a gap, idle for one more, and 100 MiB/s.
    "filesystem_load": [
        load("00:00:00", 30, 600 * 30),
        load("00:00:30", 30, 600 * 30),
        load("00:01:00", 60, 60 * 29),
        load("00:02:00", 60, 0),
        load("00:03:00", 60, 60),
        load("00:10:00", 60, 60),
        load("00:11:00", 60, 100 * 60),
    ],
    "server_load": [
        server("oss1", "00:00:00", 0.2),
        server("oss1", "00:00:10", 0.4),
        server("oss2", "00:00:00", 0.9, reads=0, bytes_read=0, read_wait_seconds=0),
    ],
    "device_load": [
        device("a", "oss1", "00:00:00", 0.2),
        device("b", "oss2", "00:00:00", 1.0),
        device("c", "oss2", "00:00:00", 0.8),
    ],
    "storage_events": [
        event("oss1", "silent", "server", "00:10:00", "00:20:00"),
        event("b", "hot", "device", "00:15:00", "00:15:30", server="oss2"),
        event("scratch", "saturated", "filesystem", "00:30:00", None, filesystem="scratch"),
        event("it was over before", "hot", "device", "00:00:00", None)
        | {"since": "2026-04-09 00:00:00", "ended": "2026-04-09 01:00:00", "state": "recovered"},
    ],
    # At 01:00 three jobs use 2, 2 and 1 of the 4 targets that runs use in all, at 02:00 one uses 2.
    "runs": [
        run("r1", "00:30:00", "02:30:00", [0, 1]),
        run("r2", "00:45:00", "01:30:00", [1, 2]),
        run("r3", "00:45:00", "01:30:00", [1]),
        run("the same job", "00:45:00", "01:30:00", [1], job_uid="job of r3"),
        run("r4", "02:10:00", "02:20:00", [3]),
        run("its layout is not known", "00:30:00", "02:30:00", []),
        run("it met a slow target", "03:00:00", "04:00:00", [], findings=["slow_target", "small_io"])
        | {"slowest_target": 14, "slowest_target_ratio": 0.02, "node_hours_lost": 3},
        run("others were there", "03:00:00", "04:00:00", [], findings=["device_contention"])
        | {"load_busiest_device": "b", "user": "bob"},
    ],
}  # fmt: skip


@pytest.fixture
def storage(engine_of):
    return engine_of(ROWS)


def test_a_bar_of_trouble_chooses_its_events(storage):
    drawn = {
        row["trouble"]: row["subjects"]
        for row in storage.rows(
            "storage_event_times", "trouble, uniqExact(subject) AS subjects", rest="GROUP BY trouble"
        )
    }
    assert drawn == {"silent server": 1, "hot device": 1, "saturated file system": 1}
    for trouble, subjects in drawn.items():
        assert len(storage.rows("storage_events", rest=f"WHERE trouble = '{trouble}'")) == subjects


def test_idle_minutes_and_periods(storage):
    rows = storage.rows("filesystem_bursts", rest="ORDER BY time")
    told = [(row["time"][11:16], row["is_idle"], row["idle_seconds"], row["share_from"]) for row in rows]
    assert told == [
        ("00:00", 0, 0, 0.75),
        ("00:01", 1, 180, 0),
        ("00:02", 1, 180, 0),
        ("00:03", 1, 180, 0),
        ("00:10", 1, 60, 0),
        ("00:11", 0, 0, 0.1),
    ]
    assert {row["idle_period"] for row in rows} == {"not idle", "00:00"}


def test_burstiness_of_a_file_system(storage):
    told = storage.metrics("filesystem_bursts", "filesystem")["scratch",]
    assert told == pytest.approx(
        {
            "hours_sampled": 0.1,
            "mean_mib_per_second": (600 + 29 + 0 + 1 + 1 + 100) / 6,
            "peak_mib_per_second": 600,
            "peak_to_mean": 600 * 6 / 731,
            "below_third": 5 / 6,
            "idle_share": 4 / 6,
            "idle_hour_share": 0,
            "longest_idle_hours": 0.05,
            "still_share": 1 / 6,
        }
    )


def test_load_of_servers_in_sums(storage):
    told = storage.metrics("server_load", "server")
    one, two = told["oss1",], told["oss2",]
    assert (one["util_mean"], one["util_max"]) == pytest.approx((0.3, 0.4))
    assert (one["read_mib_per_second"], one["write_mib_per_second"]) == pytest.approx((4, 1))
    assert (one["read_wait_ms"], one["write_wait_ms"], one["wait_ms"]) == pytest.approx((10, 10, 10))
    assert (one["read_kib"], one["write_kib"]) == pytest.approx((1024, 64))
    assert (two["read_wait_ms"], two["read_kib"]) == (None, None)


def test_the_busiest_server_shows_its_devices(storage):
    assert {row["device"] for row in storage.rows("device_heat")} == {"b", "c"}


def test_chosen_servers_show_their_devices(storage):
    assert {row["device"] for row in storage.rows("device_heat", filters={"server": ["oss1"]})} == {"a"}


def test_chosen_servers_show_the_runs_with_files_on_their_devices(engine_of):
    """A device of the same name at another center is another one."""
    hour = {
        "cluster": "c",
        "server": "oss1",
        "device_id": "ost1",
        "hour_start": f"{DAY} 00:00:00",
        "version": 1,
    }
    elsewhere = run("elsewhere", "00:45:00", "01:30:00", [1], cluster="d")
    storage = engine_of(
        {
            "runs": [*ROWS["runs"], elsewhere],
            "device_load_hourly": [
                hour,
                hour | {"server": "oss2", "device_id": "ost3"},
                hour | {"server": "oss3", "device_id": "ost0", "hour_start": "2026-04-30 22:00:00"},
            ],
        }
    )

    def runs(*servers):
        return {row["log_id"] for row in storage.rows("moved_runs", filters={"server": list(servers)})}

    assert runs("oss1") == {"r1", "r2", "r3", "the same job"}
    assert runs("oss1", "oss2") == {"r1", "r2", "r3", "r4", "the same job"}
    assert runs("oss3") == runs("it's one") == set()
    assert len(storage.rows("moved_runs")) == len(ROWS["runs"]) + 1


def test_a_device_or_a_target_shows_the_runs_with_files_on_it_or_that_met_it(engine_of):
    """A target of the same index on another file system is another one."""
    elsewhere = run("elsewhere", "03:00:00", "04:00:00", [], findings=["slow_target"], filesystem="work")
    storage = engine_of({"runs": [*ROWS["runs"], elsewhere | {"slowest_target": 14}]})

    def runs(**filters):
        return {row["log_id"] for row in storage.rows("moved_runs", filters=filters)}

    assert runs(device_id=["ost0"]) == {"r1"}
    assert runs(device_id=["ost2", "ost3"]) == {"r2", "r4"}
    assert runs(device_id=["it's none"]) == runs(target=["it's none"]) == set()
    # as many as each target of the table counts
    for row in storage.rows("contended_runs", "target, sum(runs) AS runs", rest="GROUP BY target"):
        assert len(runs(target=[row["target"]])) == int(row["runs"]), row
    assert runs(target=["scratch OST 14"]) == {"it met a slow target"}
    assert runs(target=["b"]) == {"others were there"}
    assert runs(met=["slow target"]) == {"it met a slow target", "elsewhere"}
    for column in ("met", "target"):
        for row in storage.rows("contended_times", f"{column}, sum(runs) AS runs", rest=f"GROUP BY {column}"):
            assert len(runs(**{column: [row[column]]})) == int(row["runs"]), row


def test_devices_of_chosen_servers_or_of_the_twenty_busiest(engine_of):
    hours = [
        {
            "cluster": "c",
            "server": f"oss{number}",
            "device_id": f"ost{number}",
            "hour_start": f"{DAY} {hour}:00:00",
            "sampled_seconds": 3600,
            "util": number / 100 if hour == "00" else 0.9,
            "reads": 90,
            "writes": 10,
            "read_wait_seconds": 1.5,
            "write_wait_seconds": 0.5,
            "version": 1,
        }
        for number in range(21)
        for hour in ("00", "01")
    ]
    load = [
        {
            "cluster": "c",
            "server": f"oss{number}",
            "hour_start": f"{DAY} 00:00:00",
            "sampled_seconds": 3600,
            "util_mean": number / 100,
            "version": 1,
        }
        for number in range(21)
    ]
    storage = engine_of({"device_load_hourly": hours, "server_load_hourly": load})
    devices = storage.metrics("devices", "server, device_id")
    assert devices.keys() == {(f"oss{number}", f"ost{number}") for number in range(1, 21)}
    assert devices["oss20", "ost20"] == pytest.approx(
        {"util_mean": 0.55, "hours_busy": 1, "hours_sampled": 2, "wait_ms": 20}
    )
    chosen = storage.metrics("devices", "device_id", filters={"server": ["oss0", "it's none"]})
    assert chosen.keys() == {("ost0",)}


def test_file_systems_of_one_name_add_up(engine_of):
    """One moves 10 MiB/s in a minute, the other 30 in half of it."""
    there = [load("00:00:00", 60, 600), load("00:00:00", 30, 900, cluster="d")]
    engine = engine_of({"filesystem_load": there})
    for centers, expected in ((["c"], 10), (["d"], 30), ([], 40)):
        told = engine.metrics("filesystem_throughput", "filesystem, direction", filters={"cluster": centers})
        assert told["scratch", "read"]["mib_per_second"] == expected


def test_silent_servers_are_shown_whichever_file_system_is_chosen(storage):
    """Of a server or device it is not known which file systems it serves."""
    for chosen, names in (("scratch", {"oss1", "b", "scratch"}), ("home", {"oss1", "b"})):
        filters = {"filesystem": [chosen]}
        for dataset in ("storage_events", "storage_event_times"):
            assert {row["subject"] for row in storage.rows(dataset, filters=filters)} == names


def test_devices_of_the_five_busiest_servers_that_are_chosen_are_drawn(engine_of):
    """All of many servers are more cells than Superset draws."""
    names = [f"oss{number}" for number in range(7)]
    busy = [server(name, "00:00:00", number / 10) for number, name in enumerate(names)]
    engine = engine_of(
        {"server_load": busy, "device_load": [device(f"{name}:a", name, "00:00:00", 0.5) for name in names]}
    )
    for chosen, drawn in ((names, names[2:]), (names[:2], names[:2]), ([], names[6:])):
        told = engine.metrics("device_heat", "server", filters={"server": chosen})
        assert sorted(name for (name,) in told) == drawn


def test_a_server_of_the_same_name_in_another_center_shows_no_devices(engine_of):
    rows = [("c", "oss1", 0.9), ("c", "oss2", 0.1), ("d", "oss1", 0.1), ("d", "oss3", 0.8)]
    load = [server(name, "00:00:00", busy) | {"cluster": center} for center, name, busy in rows]
    devices = [
        device(f"{center}:{name}", name, "00:00:00", busy) | {"cluster": center}
        for center, name, busy in rows
    ]
    engine = engine_of({"server_load": load, "device_load": devices})
    assert {row["device"] for row in engine.rows("device_heat")} == {"c c:oss1", "d d:oss3"}


@pytest.mark.parametrize(
    ("first", "last", "clocks"),
    [
        ("2026-05-10 10:00:00", "2026-05-10 10:00:10", ["10:00:00", "10:00:10"]),
        # labels sort by time, and no two intervals have the same
        ("2026-05-10 23:59:55", "2026-05-11 00:00:05", ["05-10 23:59:55", "05-11 00:00:05"]),
        ("2026-05-10 12:00:00", "2026-05-12 12:00:00", ["05-10 12:00", "05-12 12:00"]),
        ("2025-12-31 12:00:00", "2026-01-02 12:00:00", ["2025-12-31 12:00", "2026-01-02 12:00"]),
    ],
)
def test_intervals_are_named_by_what_tells_them_apart(engine_of, first, last, clocks):
    named, times = {"cluster": "c", "server": "oss1", "sampled_seconds": 1, "version": 1}, (first, last)
    rows = {
        "server_load": [server("oss1", "", 0.5, bucket_start=time) for time in times],
        "server_load_hourly": [named | {"hour_start": time} for time in times],
        "device_load": [device("a", "oss1", "", 0.5) | {"bucket_start": time} for time in times],
        "device_load_hourly": [named | {"hour_start": time, "device_id": "a"} for time in times],
    }
    told = engine_of(rows).rows("device_utilisation", "clock", since="2025-01-01 00:00:00")
    assert sorted({row["clock"] for row in told}) == clocks


def test_a_server_that_is_chosen_has_a_row(engine_of):
    busy = [server(f"oss{number}", "00:00:00", number / 100) for number in range(60)]
    told = engine_of({"server_load": busy}).metrics("server_heat", "server", filters={"server": ["oss3"]})
    assert told == {("oss3",): {"util_share": pytest.approx(0.03)}}


def test_more_than_forty_servers_share_a_row(engine_of):
    busy = [server(f"oss{number}", "00:00:00", number / 100) for number in range(42)]
    told = engine_of({"server_load": busy}).metrics("server_heat", "server")
    assert len(told) == 41
    assert told["mean of 2 others",]["util_share"] == pytest.approx(0.005)
    assert ("oss2",) in told


def test_servers_of_one_name_in_two_centers_have_a_row_each(engine_of):
    busy = [server("oss1", "00:00:00", util) | {"cluster": center} for center, util in (("c", 1), ("d", 0))]
    engine = engine_of({"server_load": busy})
    told = engine.metrics("server_heat", "server")
    assert {name: row["util_share"] for (name,), row in told.items()} == {"c oss1": 1, "d oss1": 0}
    rows = engine.rows("device_utilisation")
    assert {row["device"]: row["util"] for row in rows} == {"c oss1": 1, "d oss1": 0}
    chosen = engine.rows("device_utilisation", filters={"cluster": ["d"]})
    assert {row["device"]: row["util"] for row in chosen} == {"oss1": 0}


HOURS = {
    "filesystem_load_hourly": {"filesystem": "scratch", "bytes_read": MIB, "util_mean": 0.5, "util_max": 1},
    "server_load_hourly": {"server": "oss1", "bytes_read": MIB, "util_mean": 0.5, "util_max": 1},
    "device_load_hourly": {"server": "oss1", "device_id": "a", "util": 0.5},
}
OVER_LOAD = (
    *("filesystem_throughput", "filesystem_utilisation", "filesystem_bursts", "server_heat", "server_load"),
    *("device_heat", "device_utilisation"),
)


@pytest.mark.parametrize("dataset", OVER_LOAD)
def test_hours_are_shown_where_the_buckets_are_kept_no_more(engine_of, dataset):
    """Hours of half a day three months ago; buckets there are of the last day alone."""
    hours = {
        table: [
            row
            | {
                "cluster": "c",
                "hour_start": f"2026-02-10 {hour:02}:00:00",
                "sampled_seconds": 3600,
                "version": 1,
            }
            for hour in range(12)
        ]
        for table, row in HOURS.items()
    }
    newest = {
        "filesystem_load": [load("00:00:00", 10, 1)],
        "server_load": [server("oss1", "00:00:00", 0.5)],
        "device_load": [device("a", "oss1", "00:00:00", 0.5)],
    }
    for rows in (hours, hours | newest):
        told = engine_of(rows).rows(
            dataset, "DISTINCT time", since="2026-02-10 00:00:00", until="2026-02-10 06:00:00"
        )
        assert sorted(row["time"][11:16] for row in told) == [f"{hour:02}:00" for hour in range(6)]


@pytest.mark.parametrize("dataset", OVER_LOAD)
def test_buckets_are_shown_where_they_are_kept(engine_of, dataset):
    """Two buckets in the middle of the first hour that there is."""
    hours = {
        table: [row | {"cluster": "c", "hour_start": f"{DAY} 00:00:00", "sampled_seconds": 20, "version": 1}]
        for table, row in HOURS.items()
    }
    times = ("00:30:00", "00:40:00")
    buckets = {
        "filesystem_load": [load(time, 10, 1) for time in times],
        "server_load": [server("oss1", time, 0.5) for time in times],
        "device_load": [device("a", "oss1", time, 0.5) for time in times],
    }
    told = engine_of(hours | buckets).rows(
        dataset, "DISTINCT time", since=f"{DAY} 00:00:00", until=f"{DAY} 06:00:00"
    )
    assert {"00:30", "00:40"} <= {row["time"][11:16] for row in told}


def test_jobs_on_a_target_counted_and_expected(storage):
    rows = {row["time"][11:19]: row for row in storage.rows("target_overlap")}
    first = rows["01:00:00"]
    assert (first["jobs"], first["targets_known"], first["stripes"]) == (3, 4, 5)
    assert (first["targets_in_use"], first["most_jobs"]) == (3, 3)
    assert first["targets_expected"] == pytest.approx(4 * (1 - (1 / 2) * (1 / 2) * (3 / 4)))
    assert (rows["02:00:00"]["jobs"], rows["02:00:00"]["most_jobs"]) == (1, 1)
    assert rows["02:00:00"]["targets_expected"] == pytest.approx(2)
    assert max(rows) < "02:30:00"


def test_a_killed_run_is_on_its_targets_until_its_last_io(engine_of):
    """Two runs of six hours that were killed, beside one that ended."""
    killed = {"end_time": "1970-01-01 00:00:00", "last_io_seconds": 6 * 3600}
    runs = [
        run("ended", "10:00:00", "16:00:00", [0]),
        *(run(log, "10:00:00", "16:00:00", [0]) | killed for log in ("killed", "killed too")),
    ]
    told = engine_of({"runs": runs}).rows("target_overlap", since=f"{DAY} 12:00:00", until=f"{DAY} 20:00:00")
    assert {row["jobs"] for row in told} == {3}
    assert f"{DAY} 15:50:00" < max(row["time"] for row in told) < f"{DAY} 16:00:00"


def test_expected_overlap_is_that_of_wright(engine_of):
    """With 480 targets and two for each job, 512 jobs give 2.4 on each target in use."""
    jobs = [
        run(f"r{number}", "00:00:00", "01:00:00", [number % 480, (number + 1) % 480]) for number in range(512)
    ]
    told = engine_of({"runs": jobs}).metrics("target_overlap", "filesystem")["scratch",]
    assert told["expected_jobs_per_target"] == pytest.approx(2.4, abs=0.02)
    assert told["counted_jobs_per_target"] == pytest.approx(1024 / 480)


def test_events_are_those_that_touch_the_range(storage):
    rows = {row["subject"]: row for row in storage.rows("storage_events")}
    assert rows.keys() == {"oss1", "b", "scratch"}
    assert (rows["oss1"]["server"], rows["b"]["server"], rows["scratch"]["server"]) == ("oss1", "oss2", "")
    assert (rows["oss1"]["minutes"], rows["scratch"]["what"]) == (10, "file system")
    late = storage.rows("storage_events", since=f"{DAY} 00:15:10")
    assert {row["subject"]: row["time"][11:19] for row in late} == {
        "oss1": "00:15:10",
        "b": "00:15:10",
        "scratch": "00:30:00",
    }


def test_events_by_the_intervals_that_they_touch(storage):
    until = f"{DAY} 01:00:00"
    rows = storage.rows("storage_event_times", "trouble, count() AS n, min(time) AS first", until=until,
                        rest="GROUP BY trouble")  # fmt: skip
    told = {row["trouble"]: (row["n"], row["first"][11:19]) for row in rows}
    # intervals of 30 s
    assert told == {
        "silent server": (21, "00:10:00"),
        "hot device": (2, "00:15:00"),
        "saturated file system": (61, "00:30:00"),
    }


def test_runs_that_met_bad_targets_over_time(engine_of):
    """Of one day, intervals are minutes; of a year, whole weeks, which totals have."""
    rules = ("slow_target", "small_io", "target_overload", "slow_target")
    row = {"cluster": "c", "filesystem": "scratch", "start_time": f"{DAY} 03:00:00", "version": 1}
    runs = [
        row | {"log_id": f"r{number}", "findings": [rule], "slowest_target": 1}
        for number, rule in enumerate(rules)
    ]
    engine = engine_of({"runs": runs})
    met = {("slow target",): {"runs_count": 2}, ("overloaded by the run",): {"runs_count": 1}}
    assert engine.metrics("contended_times", "met") == met
    slow = {"log_id": "s", "findings": ["slow_target"], "slowest_target": 2}
    engine.insert("runs", row | slow | {"start_time": "2025-08-01 00:00:00"})
    met["slow target",] = {"runs_count": 3}
    targets = {("scratch OST 1",): 2, ("scratch OST 2",): 1, ("(several)",): 1}
    for _ in range(2):
        assert engine.metrics("contended_times", "met", since="2025-07-01 00:00:00") == met
        of_targets = engine.metrics("contended_times", "target", since="2025-07-01 00:00:00")
        assert {target: of["runs_count"] for target, of in of_targets.items()} == targets
        weeks = engine.metrics("contended_times", "bucket", since="2025-07-01 00:00:00")
        assert sorted(week["runs_count"] for week in weeks.values()) == [1, 3]
        engine.build_totals()


def test_runs_that_met_bad_targets(storage):
    rows = {row["met"]: row for row in storage.rows("contended_runs")}
    assert rows.keys() == {"slow target", "busy with others"}
    assert (rows["slow target"]["target"], rows["busy with others"]["target"]) == ("scratch OST 14", "b")
    assert rows["busy with others"]["user"] == "bob"
    assert storage.metrics("contended_runs", "met")["slow target",]["lowest_ratio"] == 0.02


@pytest.fixture
def targets(engine_of):
    """Five targets within an hour, counted each minute; what lands twice is one look."""
    kept = looks("kept", "oss1", *minutes(0, 30))
    return engine_of(
        {
            "target_live": [
                *(kept + kept),
                *looks("gone", "oss1", *minutes(0, 20)),
                *looks("back", "oss2", *minutes(0, 5)),
                *looks("back", "oss1", *minutes(15, 30)),
                *looks("short", "oss2", *minutes(0, 5), *minutes(9, 30)),
                *looks("moved", "oss1", *minutes(0, 9)),
                *looks("moved", "oss2", *minutes(10, 30)),
                # the only target of its center: nothing was counted later
                *({**row, "cluster": "other"} for row in looks("all", "oss1", *minutes(0, 10))),
            ]
        }
    )


def test_a_target_is_silent_that_nobody_counts_for_five_minutes(targets):
    counted = targets.metrics("silent_targets", "time, cluster, target")
    assert sorted((time[11:16], center, target) for time, center, target in counted) == [
        *((time[:5], "c", "back") for time in minutes(6, 14)),
        *((time[:5], "c", "gone") for time in minutes(21, 30)),
    ]
    assert all(int(row["silent_targets"]) == 1 for row in counted.values())


def test_targets_are_known_that_were_counted_shortly_before_the_range(targets):
    """From the 22nd minute to the 31st: one was silent all the time, one had fallen silent before that."""
    told = targets.rows(
        "silent_targets", since=f"{DAY} 00:22:00", until=f"{DAY} 00:31:00", rest="ORDER BY time"
    )
    assert [(row["time"][11:16], row["target"]) for row in told] == [
        (time[:5], "gone") for time in minutes(22, 30)
    ]
    assert not targets.rows("silent_targets", since=f"{DAY} 00:26:00", until=f"{DAY} 00:30:00")
    assert not targets.rows("silent_targets", since=f"{DAY} 00:30:00", until=f"{DAY} 00:20:00")
    assert targets.rows("silent_targets", since="1970-01-01 00:00:00", until="2100-01-01 00:00:00")


def test_eleven_silent_targets_have_their_names(engine_of):
    rows = looks("kept", "oss1", *minutes(0, 40))
    for number in range(14):
        rows += looks(f"t{number:02}", "oss1", *minutes(0, number))
    found = engine_of({"target_live": rows}).metrics("silent_targets", "time, target")
    of_last = {shown: int(row["silent_targets"]) for (time, shown), row in found.items() if "00:40" in time}
    assert of_last == {f"t{number:02}": 1 for number in range(11)} | {"others": 3}


def test_a_target_that_is_chosen_is_none_of_the_others(engine_of):
    """As a click in the table of targets chooses one that is not among those which a chart names."""
    rows = looks("kept", "oss1", *minutes(0, 40))
    for number in range(50):
        moved = looks(f"t{number:02}", "oss1", *minutes(0, 20))
        rows += [row | {"bytes_read": (100 - number) * place} for place, row in enumerate(moved)]
    sizes = []
    for row in rows:
        size = {"size_bytes": [4096], "disk_reads": [row["bytes_read"]], "disk_writes": [0]}
        sizes.append(size | {name: row[name] for name in row if name != "bytes_read"})
    engine = engine_of({"target_live": rows, "target_io_sizes": sizes})
    for dataset in ("silent_targets", "target_throughput", "target_io_sizes"):
        told = engine.rows(dataset, "DISTINCT target", filters={"target": ["t45"]})
        assert [row["target"] for row in told] == ["t45"], dataset
        assert any("others" in row["target"] for row in engine.rows(dataset, "DISTINCT target")), dataset
        # a click on the others of a chart would choose a target of that name
        assert engine.rows(dataset, filters={"target": ["others"]}) == engine.rows(dataset), dataset
    assert engine.rows("targets_now", filters={"target": ["others"]})


def test_a_target_moves_no_less_where_its_count_begins_anew(engine_of):
    """A MiB a second, counted three seconds after each minute; of 00:09:03 to 00:10:03 nobody knows."""
    look = {"cluster": "c", "server": "oss1", "target": "t", "version": 1}
    rows = [
        look
        | {"time": f"{DAY} 00:{minute:02}:03", "bytes_read": minute % 10 * 60 * 2**20, "bytes_written": 0}
        for minute in range(20)
    ]
    drawn = engine_of({"target_live": rows}).rows("target_throughput", rest="WHERE direction = 'read'")
    known = {row["time"][-8:]: row["bytes"] for row in drawn if row["bytes"] is not None}
    assert set(known.values()) == {10 * 2**20}
    assert min(known) == "00:00:10"
    assert not [time for time in known if "00:09:00" <= time <= "00:10:00"]
    assert {"00:08:50", "00:10:10"} <= known.keys()


def test_tasks_of_an_array_are_jobs_of_their_own(engine_of):
    """By the names that the table of running jobs gives them; a click on one chooses that line."""
    look = {"cluster": "c", "job_id": 7, "server": "oss1", "target": "t", "version": 1}
    tasks = [(None, 4), (0, 2), (12, 1)]
    rows = [
        look
        | {"array_index": task, "job_key": f"7_{task}", "time": f"{DAY} 00:{minute:02}:00"}
        | {"bytes_written": rate * minute * 2**20}
        for task, rate in tasks
        for minute in range(10)
    ]
    engine = engine_of({"job_live": rows})
    moved = engine.rows("running_jobs_rates", "job, sum(bytes) AS moved", "GROUP BY job ORDER BY moved DESC")
    assert [row["job"] for row in moved] == ["7", "7[0]", "7[12]"]
    assert moved[0]["moved"] == 2 * moved[1]["moved"] == 4 * moved[2]["moved"]
    now = engine.rows("running_jobs_now", "job", "ORDER BY job")
    assert [row["job"] for row in now] == ["7", "7[0]", "7[12]"]


def test_over_a_month_a_target_is_silent_that_nobody_counts_for_two_intervals(engine_of):
    """Of each interval of six hours the looks of its first 36 minutes are read."""
    days = [f"2026-05-{day:02} {hour:02}:00:00" for day in range(1, 29) for hour in range(0, 24, 6)]
    row = {"cluster": "c", "server": "oss1", "bytes_read": 1, "version": 1}
    away = [each for each in days if not "2026-05-10" <= each < "2026-05-12 12"]
    there = [row | {"time": time, "target": "kept"} for time in days]
    engine = engine_of({"target_live": [*there, *(row | {"time": time, "target": "away"} for time in away)]})
    found = engine.metrics("silent_targets", "time, target")
    assert sorted(found) == [(time, "away") for time in days if "2026-05-10" <= time < "2026-05-12 12"]
