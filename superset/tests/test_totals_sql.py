"""Totals of days are those of the rows, whatever lands when, and however a build ends."""

import random
from datetime import UTC, datetime, timedelta

import pytest
from dataset_engine import TOTALS_BUILDS
from weir.sql.questions import saved

FIRST = datetime(2026, 3, 1, tzinfo=UTC)
KEYS = {
    "run": "cluster, user, account, filesystem, program, verdict, is_slow, is_parallel",
    "run_io": """cluster, user, account, filesystem, program, log_state, is_parallel, processes_from, sharing,
        modules""",
    "finding": "cluster, user, account, filesystem, program, rule_id, title, severity",
    "job": "cluster, user, account, coverage, state",
    "device": "cluster, server, device_id",
    "target": "cluster, user, account, filesystem, program, rule_id, target",
}
SUMS = {
    "run": """sum(runs), sum(bytes_read), sum(timed_io_seconds), sum(node_hours), sum(judged_node_hours),
        sumForEach(interface_runs), sumForEach(interface_bytes), sumForEach(files_by_size),
        sumForEach(reads_by_size)""",
    "run_io": """sum(runs), sum(node_hours), sum(bytes_moved), sum(rated_bytes), sum(rated_node_seconds),
        sum(metadata_seconds), sum(opens), sum(counted_opens), sum(counted_files), sumForEach(runs_by_files),
        sumForEach(files_by_files), sumForEach(runs_by_size), sumForEach(files_by_size),
        sumForEach(file_bytes_by_size), sumForEach(files_by_opening), sum(requests),
        sumForEach(reads_in_order), sumMap(runs_by_filesystem), sumMap(unaligned_by_filesystem),
        maxMap(alignment_by_filesystem),
        sum(collective_operations), sum(site_bytes), sum(slow_filesystem_bytes), sum(placed_bytes),
        sum(io_time_seconds), sum(read_seconds), sum(write_seconds), sum(stats), sum(small_requests),
        sum(independent_operations), sum(io_time_mpiio_seconds), sum(collective_overhead_seconds),
        sumForEach(runs_by_opening), sumForEach(file_bytes_by_opening), sumForEach(writes_in_order),
        sumMap(requests_by_filesystem), min(fewest_processes), max(most_processes),
        sum(counted_processes)""",
    "finding": "sum(findings), sum(node_hours_lost)",
    "job": "sum(jobs), sum(jobs_without_log), sum(node_hours), sum(node_hours_lost), sum(bytes_written)",
    "device": """sum(hours), sum(busy_hours), sum(sampled_seconds), sum(busy_seconds), sum(requests),
        sum(wait_seconds)""",
    "target": """sum(runs), min(lowest_ratio), sum(ratios), sum(rates), sum(node_hours_lost),
        max(last_start)""",
}

COUNTED = (
    *("application_bytes", "bytes_moved", "files", "metadata_seconds", "nodes", "opens", "partial_files"),
    *("mpiio_coll_reads", "random_reads", "reads", "site_bytes", "slow_filesystem_bytes", "writes"),
    *("read_seconds", "write_seconds", "stats", "small_reads", "small_writes", "mpiio_indep_writes"),
    *("io_time_mpiio_seconds", "collective_overhead_seconds", "random_writes", "shared_file_bytes"),
)
FOUND = (
    *([], ["small_io"], ["slow_target", "small_io"], ["device_contention", "slow_target"]),
    ["target_overload"],
)


def text(time):
    return f"{time:%Y-%m-%d %H:%M:%S}"


LANDING = (
    *("runs", "findings", "job_results", "device_load_hourly"),
    *("posix_records", "stdio_records", "superseded_logs"),
)


@pytest.fixture
def engine(engine_of):
    return engine_of({table: [] for table in LANDING})


def from_totals(engine, kind, since, until, by="totals"):
    source = f"{kind}_{by}(since = '{text(since)}', until = '{text(until)}')"
    return grouped(engine, kind, source)


def from_rows(engine, kind, since, until):
    time = "hour_start" if kind == "device" else "start_time"
    where = f"{time} >= '{text(since)}' AND {time} < '{text(until)}'"
    return grouped(engine, kind, f"{kind}_measures WHERE {where}")


def grouped(engine, kind, source):
    keys = KEYS[kind]
    return engine.answers(f"SELECT {keys}, {SUMS[kind]} FROM {source} GROUP BY {keys} ORDER BY {keys}")


def days(engine, is_current):
    [[number]] = engine.answers(
        f"SELECT uniqExact(day) FROM days_with_totals WHERE is_current = {is_current:d}"
    )
    return int(number)


def run(log, start, version=1, **more):
    row = {"cluster": "c", "log_id": log, "start_time": text(start), "version": version, "user": "ada"}
    row |= {"program": "sim", "nprocs": 2, "bytes_read": 5, "modules": ["POSIX"], "verdict": "not_slow"}
    return row | more


class Landing:
    """Lands rows, corrections and retractions of them at random: small numbers, so that sums are exact."""

    def __init__(self, engine, seed):
        self.engine, self.random = engine, random.Random(seed)
        self.versions = {}

    def land(self):
        number, version = self.random.randrange(40), len(self.versions) + 2
        start = FIRST + timedelta(hours=17 * number)
        known = self.versions.setdefault(number, [])
        known.append(version * 100 + len(known))
        state = {"cluster": "ab"[number % 2], "user": self.random.choice(["ann", "bob", None])}
        state |= {"account": self.random.choice(["x", None]), "version": known[-1]}
        state |= {
            "is_deleted": int(self.random.random() < 0.1),
            "node_hours_lost": self.random.choice([None, 0.5]),
        }
        state |= {"bytes_read": self.random.randrange(9), "bytes_written": None, "verdict": "storage"}
        start_of_job = self.random.choice([None, start + timedelta(days=self.random.randrange(3))])
        log = {
            "log_id": f"log{number}",
            "start_time": text(start),
            "filesystem": self.random.choice(["s", None]),
        }
        unknown_to_findings = ("bytes_read", "bytes_written")
        rows = {
            "runs": state
            | log
            | {"run_nodes": 2, "run_time_seconds": self.random.choice([3600, None])}
            | {"io_time_seconds": self.random.choice([4, None])}
            | {
                "modules": self.random.choice([["H5F", "H5D", "POSIX"], []]),
                "nprocs": number % 3,
                "data_files": 3,
            }
            | {"mean_data_file_bytes": self.random.choice([None, 1, 5000]), "posix_size_read_1k_10k": 7}
            | {name: self.random.choice([None, 0, 12]) for name in COUNTED}
            | {
                "filesystems": ["s", "t"][: number % 3],
                "filesystem_reads": [1, None][: number % 3],
                "filesystem_writes": [2, 3][: number % 3],
                "filesystem_surely_unaligned_requests": [1, 2][: number % 3],
                "filesystem_file_alignment_bytes": [512, None][: number % 3],
                "log_state": self.random.choice(["complete", "partial"]),
                "traits": self.random.choice([["M", "N:1"], [], ["no_files"]]),
                "findings": self.random.choice(FOUND),
                "slowest_target": self.random.choice([None, 3]),
                "slowest_target_ratio": self.random.choice([None, 0.125, 0.25]),
                "slowest_target_mib_per_second": 8,
                "load_busiest_device": self.random.choice([None, "d1"]),
            },
            "findings": {name: value for name, value in state.items() if name not in unknown_to_findings}
            | log
            | {"rule_id": "small_io", "title": "Small", "severity": "info"},
            "job_results": {name: value for name, value in state.items() if name != "is_deleted"}
            | {"job_uid": f"job{number}", "submit_time": text(start), "node_hours": 2, "coverage": "running"}
            | {"start_time": start_of_job and text(start_of_job), "logs_analysed": number % 2}
            | {"state": self.random.choice(["completed", "failed"])},
            "device_load_hourly": {name: state[name] for name in ("cluster", "version", "is_deleted")}
            | {"hour_start": text(start.replace(minute=0)), "server": "oss1", "device_id": f"d{number % 3}"}
            | {"util": self.random.choice([0, 0.79, 0.8, 1]), "sampled_seconds": self.random.choice([0, 64])}
            | {"reads": 3, "writes": 4, "read_wait_seconds": 0.5, "write_wait_seconds": 2},
        }
        table = self.random.choice(list(rows))
        self.engine.insert(table, rows[table])


@pytest.mark.parametrize("seed", range(2))
def test_totals_are_those_of_the_rows_whatever_lands(engine, seed):
    landing = Landing(engine, seed)
    chance = landing.random
    seen, months_seen = set(), set()
    for step in range(45):
        landing.land()
        if step % 20 == 12:
            engine.build_totals()
        if step % 4 == 0:
            since = FIRST + timedelta(hours=chance.randrange(500), seconds=chance.choice([0, 1]))
            until = since + timedelta(hours=chance.randrange(600))
            for kind in KEYS:
                assert from_totals(engine, kind, since, until) == from_rows(engine, kind, since, until)
            since = FIRST + timedelta(days=chance.choice([-3, 0, 0, 2]))
            until = FIRST + timedelta(days=chance.choice([28, 31, 40, 61]))
            months = from_totals(engine, "run_io", since, until, by="months")
            assert months == from_rows(engine, "run_io", since, until)
            seen.add((days(engine, True) > 0, days(engine, False) > 0))
            [[number]] = engine.answers("SELECT count() FROM months_with_totals WHERE is_current")
            months_seen.add(int(number))
    assert (True, True) in seen
    assert months_seen >= {0, 1}


def test_a_day_is_read_from_its_rows_until_nothing_has_landed_for_a_while(engine):
    engine.insert("runs", run("a", FIRST))
    for view in TOTALS_BUILDS:
        engine.refresh(view)
    assert days(engine, True) == 0
    engine.build_totals()
    assert (days(engine, True), days(engine, False)) == (1, 0)
    engine.insert("runs", run("b", FIRST))
    assert (days(engine, True), days(engine, False)) == (0, 1)
    [row] = from_totals(engine, "run", FIRST, FIRST + timedelta(days=1))
    assert float(row[8]) == 2


def test_what_is_added_up_is_read_and_not_the_rows(engine):
    engine.insert("runs", run("a", FIRST))
    engine.build_totals()
    engine.session.query("ALTER TABLE runs_versions DELETE WHERE 1 SETTINGS mutations_sync = 1")
    [row] = from_totals(engine, "run", FIRST, FIRST + timedelta(days=1))
    assert float(row[8]) == 1
    assert from_totals(engine, "run", FIRST + timedelta(seconds=1), FIRST + timedelta(days=1)) == []


def test_a_build_that_was_cut_off_does_not_count(engine):
    engine.insert("runs", run("a", FIRST))
    engine.insert("runs", run("b", FIRST, user="bob"))
    engine.build_totals()
    engine.insert("runs", run("c", FIRST))
    engine.session.query(
        """INSERT INTO run_totals_versions (cluster, day, user, runs, day_rows, built_at)
        SELECT 'c', '2026-03-01', 'ada', 2, 2, now64(6) + INTERVAL 1 DAY"""
    )
    engine.let_an_hour_pass()
    engine.refresh("days_of_totals_build")
    assert days(engine, True) == 0
    assert sum(float(row[8]) for row in from_totals(engine, "run", FIRST, FIRST + timedelta(days=1))) == 3


def test_a_day_of_which_all_was_taken_back_is_worked_out_once(engine):
    engine.insert("runs", run("a", FIRST))
    engine.build_totals()
    engine.insert("runs", run("a", FIRST, version=2, is_deleted=1))
    engine.build_totals()
    assert (days(engine, True), days(engine, False)) == (1, 0)
    assert from_totals(engine, "run", FIRST, FIRST + timedelta(days=1)) == []


def test_a_job_that_starts_another_day_leaves_the_day_of_its_submission(engine):
    job = {"cluster": "c", "job_uid": "j", "submit_time": text(FIRST), "coverage": "running", "version": 1}
    engine.insert("job_results", job)
    engine.build_totals()
    engine.insert("job_results", job | {"version": 2, "start_time": text(FIRST + timedelta(days=3))})
    for _ in range(2):
        assert from_totals(engine, "job", FIRST, FIRST + timedelta(days=1)) == []
        [row] = from_totals(engine, "job", FIRST + timedelta(days=3), FIRST + timedelta(days=4))
        assert float(row[5]) == 1
        engine.build_totals()


def test_ranges_without_bounds_and_backwards(engine):
    engine.insert("runs", run("a", FIRST))
    engine.build_totals()
    ever = datetime(1970, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
    assert len(from_totals(engine, "run", *ever)) == 1
    assert from_totals(engine, "run", *reversed(ever)) == []
    assert from_totals(engine, "run", datetime(1901, 1, 1, tzinfo=UTC), datetime(2299, 1, 1, tzinfo=UTC)) == (
        from_totals(engine, "run", *ever)
    )


def test_a_month_is_read_until_one_of_its_days_is_younger(engine):
    for day in range(3):
        engine.insert("runs", run(f"log{day}", FIRST + timedelta(days=day)))
    engine.build_totals()
    whole = FIRST, FIRST + timedelta(days=31)
    engine.session.query("TRUNCATE TABLE runs_versions")
    engine.session.query("TRUNCATE TABLE run_io_totals_versions")
    [row] = from_totals(engine, "run_io", *whole, by="months")
    assert float(row[10]) == 3
    assert from_totals(engine, "run_io", FIRST, FIRST + timedelta(days=30), by="months") == []
    assert from_totals(engine, "run_io", FIRST + timedelta(seconds=1), whole[1], by="months") == []
    engine.insert("runs", run("late", FIRST))
    [row] = from_totals(engine, "run_io", *whole, by="months")
    assert float(row[10]) == 1
    engine.build_totals()
    [row] = from_totals(engine, "run_io", *whole, by="months")
    assert float(row[10]) == 1


def test_a_build_of_a_month_that_was_cut_off_does_not_count(engine):
    engine.insert("runs", run("a", FIRST))
    engine.build_totals()
    engine.insert("runs", run("b", FIRST))
    engine.session.query(
        """INSERT INTO run_io_months_versions (cluster, day, user, runs, day_rows, built_at)
        SELECT 'c', '2026-03-01', 'ada', 2, 2, now64(6) + INTERVAL 1 DAY"""
    )
    engine.let_an_hour_pass()
    for view in TOTALS_BUILDS[:-2]:
        engine.refresh(view)
    engine.refresh("months_of_run_io_build")
    [[number]] = engine.answers("SELECT count() FROM months_with_totals WHERE is_current")
    assert int(number) == 0
    [row] = from_totals(engine, "run_io", FIRST, FIRST + timedelta(days=31), by="months")
    assert float(row[10]) == 2


def test_rows_that_are_alike_are_added_up(engine):
    """In one row of the totals; the landings above seldom have two of one user, program and day."""
    for log, value in (("a", 3), ("b", 5)):
        more = dict.fromkeys(COUNTED, value) | {"data_files": value, "mean_data_file_bytes": 5000}
        more |= {"run_nodes": value, "run_time_seconds": 3600, "io_time_seconds": value, "unique_files": 1}
        more |= {"filesystems": ["s"], "filesystem_reads": [value], "filesystem_writes": [value]}
        more |= {"filesystem_surely_unaligned_requests": [value], "filesystem_file_alignment_bytes": [value]}
        more |= {"posix_size_read_1k_10k": value, "node_hours_lost": value, "nprocs": value}
        more |= {"findings": ["slow_target"], "slowest_target": 3, "slowest_target_ratio": value / 64}
        more |= {"slowest_target_mib_per_second": value}
        engine.insert("runs", run(log, FIRST, **more))
        engine.insert("runs", run(f"{log}, later", FIRST + timedelta(days=value), **more))
        finding = {"rule_id": "small_io", "title": "Small", "severity": "info", "node_hours_lost": value}
        named = {"cluster": "c", "user": "ada", "start_time": text(FIRST), "version": 1}
        engine.insert("findings", named | finding | {"log_id": log, "program": "sim"})
        job = {"job_uid": log, "submit_time": text(FIRST), "node_hours": value, "node_hours_lost": value}
        engine.insert("job_results", named | job | {"coverage": "instrumented", "bytes_written": value})
        hour = {
            "cluster": "c",
            "hour_start": text(FIRST + timedelta(hours=value)),
            "device_id": "d1",
            "version": 1,
        }
        hour |= {"util": 0.9, "sampled_seconds": value, "reads": value, "read_wait_seconds": value}
        engine.insert("device_load_hourly", hour)
    engine.build_totals()
    for kind in KEYS:
        [added_up] = from_totals(engine, kind, FIRST, FIRST + timedelta(days=1))
        assert [added_up] == from_rows(engine, kind, FIRST, FIRST + timedelta(days=1))
    month = FIRST, FIRST + timedelta(days=31)
    assert from_totals(engine, "run_io", *month, by="months") == from_rows(engine, "run_io", *month)


class FileLanding:
    """Lands runs with records of files at random: twice, corrected, taken back, their logs replaced."""

    def __init__(self, engine, seed):
        self.engine, self.random, self.version = engine, random.Random(seed), 1

    def land(self):
        chance = self.random
        number = chance.randrange(30)
        self.version += 1
        cluster, start = "ab"[number % 2], text(FIRST + timedelta(minutes=23 * number))
        log = {"cluster": cluster, "log_id": f"log{number}", "start_time": start}
        file = chance.randrange(6)
        record = log | {"record_id": file, "rank": chance.randrange(-1, 2), "name": f"/s/{file % 2}/{file}"}
        read, written = chance.choice([None, 0, file << 24]), (number + file) % 3 << 24
        moved = {"BYTES_READ": read, "BYTES_WRITTEN": written, "OPENS": 1}
        moved |= {"MAX_BYTE_READ": file << 24, "MAX_BYTE_WRITTEN": number << 24}
        landing = {"runs": 10, "posix_records": 12, "stdio_records": 6, "superseded_logs": 1}
        (table,) = chance.choices([*landing], [*landing.values()])
        rows = {
            "runs": log
            | {"user": chance.choice(["ann", "ann", "bob", None]), "version": self.version}
            | {"program": chance.choice(["sim", "sim", "app"])}
            | {"is_deleted": int(chance.random() < 0.1)},
            "superseded_logs": log | {"superseded_by": "other", "version": 1},
        }
        for module in ("POSIX", "STDIO"):
            counters = {f"{module}_{name}": value for name, value in moved.items()}
            rows[f"{module.lower()}_records"] = record | counters | {"version": 1}
        self.engine.insert(table, *[rows[table]] * chance.choice([1, 2]))
        if table == "superseded_logs":
            self.engine.insert("runs", rows["runs"] | {"is_deleted": 1})


FILES_OF_ANN = """
SELECT cluster, name, uniqExact(log_id), uniqExactIf(log_id, bytes_written > 0), sum(ifNull(bytes_read, 0)),
    sum(ifNull(bytes_written, 0)), max(ifNull(extent_bytes, 0))
FROM file_records
WHERE start_time >= '{since}' AND start_time < '{until}'
    AND (cluster, log_id) IN (SELECT cluster, log_id FROM runs WHERE user = 'ann')
GROUP BY cluster, name ORDER BY cluster, name
"""
TOTALS_OF_ANN = """
SELECT cluster, name, sum(length(logs)), sum(logs_that_wrote), sum(bytes_read), sum(bytes_written),
    max(extent_bytes)
FROM user_file_totals(since = '{since}', until = '{until}', user = 'ann')
GROUP BY cluster, name ORDER BY cluster, name
"""


READERS = """
SELECT cluster, program, user, uniqExact(log_id), sum(bytes_read), uniqExactIf(log_id, rank = -1),
    max(start_time)
FROM
(
    SELECT cluster, log_id, start_time, rank, bytes_read FROM file_records
    WHERE name = '{file}' AND bytes_read > 0 AND start_time >= '{since}' AND start_time < '{until}'
) AS record
INNER JOIN (SELECT cluster, log_id, program, user FROM runs) AS run USING (cluster, log_id)
GROUP BY cluster, program, user ORDER BY cluster, program, user
"""


def asked(name, given, **span):
    """A saved question about something over a range."""
    question = saved()[name]
    for parameter, value in given.items():
        question.parameters[parameter].default = value
    return question.statement({name: f"toDateTime64('{time}', 6, 'UTC')" for name, time in span.items()})


def gibibytes(count):
    return round(count / (1 << 30), 3)


@pytest.mark.parametrize("seed", range(2))
def test_files_of_a_user_and_readers_of_one_are_those_of_the_records_whatever_lands(engine, seed):
    landing = FileLanding(engine, seed)
    chance = landing.random
    states, found, read_by = set(), 0, 0
    for step in range(180):
        landing.land()
        if step % 60 == 40:
            engine.build_totals()
        if step % 12 == 0:
            since = FIRST + timedelta(minutes=chance.randrange(500), seconds=chance.choice([0, 1]))
            span = {"since": text(since), "until": text(since + timedelta(minutes=chance.randrange(700)))}
            expected = engine.answers(FILES_OF_ANN.format(**span))
            assert engine.answers(TOTALS_OF_ANN.format(**span)) == expected
            shown = sorted([*row[:4], *map(gibibytes, row[4:])] for row in expected)
            assert sorted(engine.answers(asked("files_of_user", {"user": "ann"}, **span))) == shown
            for file in ("/s/1/1", "/s/0/4", "/s/1/5"):
                programs = engine.answers(READERS.format(file=file, **span))
                shown = [[*row[:4], gibibytes(row[4]), *row[5:]] for row in programs]
                answer = engine.answers(asked("readers_of_file", {"file": file}, **span))
                assert sorted(answer, key=str) == sorted(shown, key=str)
                read_by += len(programs)
            found += len(expected)
            states.update(
                current for (current,) in engine.answers("SELECT DISTINCT is_current FROM hours_with_totals")
            )
    assert states == {0, 1}
    assert found > 30
    assert read_by > 10


def records_of_hours(engine, *logs):
    """A run an hour, whose processes all read two bytes of a file through POSIX and three through STDIO."""
    for hour, log in enumerate(logs):
        start = FIRST + timedelta(hours=hour)
        engine.insert("runs", run(log, start, user="ann"))
        record = {"cluster": "c", "log_id": log, "start_time": text(start), "version": 1}
        record |= {"name": "/s/in", "rank": -1}
        for module, count in (("POSIX", 2), ("STDIO", 3)):
            moved = {"BYTES_READ": count, "BYTES_WRITTEN": 0, "MAX_BYTE_READ": 4}
            counters = {f"{module}_{name}": value for name, value in moved.items()}
            engine.insert(f"{module.lower()}_records", record | counters)


def of_ann(engine, since=FIRST, until=FIRST + timedelta(hours=3)):
    return engine.answers(TOTALS_OF_ANN.format(since=text(since), until=text(until)))


def readers(engine, since=FIRST, until=FIRST + timedelta(hours=3)):
    """The program, user, runs, those with all processes and last start of each that read the file."""
    question = asked("readers_of_file", {"file": "/s/in"}, since=text(since), until=text(until))
    return [[*row[1:4], *row[5:]] for row in engine.answers(question)]


def test_totals_of_whole_hours_are_read_and_not_the_records(engine):
    records_of_hours(engine, "a", "b")
    engine.build_totals()
    for module in ("posix", "stdio"):
        engine.session.query(f"TRUNCATE TABLE {module}_records_versions")
    assert of_ann(engine) == [["c", "/s/in", 2, 0, 10, 0, 5]]
    assert of_ann(engine, since=FIRST + timedelta(seconds=1)) == [["c", "/s/in", 1, 0, 5, 0, 5]]
    assert readers(engine) == [["sim", "ann", 2, 2, "2026-03-01 01:00:00.000000"]]
    one_hour = readers(engine, until=FIRST + timedelta(minutes=119))
    assert one_hour == [["sim", "ann", 1, 1, "2026-03-01 00:00:00.000000"]]


def test_a_build_of_an_hour_that_was_cut_off_does_not_count(engine):
    """The first hour has both kinds of totals, each of the others lacks one."""
    records_of_hours(engine, "a", "b", "d")
    hour = "toDateTime('2026-03-01 00:00:00', 'UTC') + 3600 * number"
    built = f"toDateTime64('{text(datetime.now(UTC) + timedelta(days=1))}', 6, 'UTC')"
    engine.session.query(
        f"""INSERT INTO user_file_totals_versions
            (cluster, user, hour, name, logs, bytes_read, records, built_at)
        SELECT 'c', 'ann', {hour}, '/s/in', [1], 70, 2, {built} FROM numbers(3) WHERE number != 1"""
    )
    engine.session.query(
        f"""INSERT INTO file_reader_totals_versions
            (cluster, user, hour, file, program, runs, bytes_read, last_start, records, built_at)
        SELECT 'c', 'ann', {hour}, sipHash64('/s/in'), 'sim', 7, 70, {hour}, 2, {built}
        FROM numbers(3) WHERE number != 2"""
    )
    engine.let_an_hour_pass()
    engine.refresh("hours_of_totals_build")
    current = "SELECT toHour(hour), is_current FROM hours_with_totals ORDER BY hour"
    assert engine.answers(current) == [[0, 1], [1, 0], [2, 0]]
    assert of_ann(engine) == [["c", "/s/in", 3, 0, 80, 0, 5]]
    assert readers(engine) == [["sim", "ann", 9, 2, "2026-03-01 02:00:00.000000"]]


def test_an_hour_without_records_is_worked_out_once(engine):
    engine.insert("runs", run("a", FIRST, user="ann"))
    engine.build_totals()
    assert engine.answers("SELECT is_current FROM hours_with_totals") == [[1]]
    assert of_ann(engine) == []


def test_an_hour_of_the_last_day_is_read_from_its_records(engine):
    """Logs of the runs that began then come still."""
    engine.insert("runs", run("a", datetime.now(UTC) - timedelta(hours=24), user="ann"))
    engine.let_an_hour_pass()
    assert engine.answers("SELECT hour FROM hours_to_total") == []
