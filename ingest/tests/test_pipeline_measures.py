"""What the pipeline's measures are, over rows written by hand into the engine's own tables."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from clickhouse_connect.driver.exceptions import DatabaseError, OperationalError
from migrated_engine import migrated
from weir.admin import pipeline_measures
from weir.admin.pipeline import Reading
from weir.admin.pipeline_measures import EVERY, Measures, measure

NOW = datetime(2026, 5, 4, tzinfo=UTC)


class Engine:
    """The part of a client that is used, on the engine in this process."""

    def __init__(self, folder):
        self.session = migrated(folder)

    def query(self, sql, parameters=None):
        for name, value in (parameters or {}).items():
            sql = sql.replace(f"{{{name}:UInt32}}", str(value))
        rows = json.loads(str(self.session.query(sql, "JSON")) or '{"data": []}')["data"]
        return type("Result", (), {"named_results": lambda _: rows})()

    def insert(self, table, **columns):
        """Adds a row; values are SQL."""
        self.session.query(
            f"INSERT INTO {table} ({', '.join(columns)}, version) VALUES ({', '.join(columns.values())}, 1)"
        )

    def measured(self):
        found = {(each.metric, each.part): round(each.value, 3) for each in measure(self, NOW)}
        return {key: value for key, value in found.items() if key[0] != "days_without_totals"}


def ago(minutes):
    return f"now64(6) - INTERVAL {round(60 * minutes)} SECOND"


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    engine = Engine(str(tmp_path_factory.mktemp("engine")))
    yield engine
    engine.session.close()


@pytest.fixture
def empty(engine):
    for table in ("runs", "log_modules", "scheduler_jobs", "dead_letters", "job_results"):
        engine.session.query(f"TRUNCATE TABLE {table}_versions")
    return engine


def ended(engine, job, minutes):
    engine.insert(
        "scheduler_jobs_versions",
        cluster="'demo'",
        job_uid=f"'{job}'",
        submit_time=ago(600),
        end_time=ago(minutes),
    )


def analyzed(engine, log, job, minutes, run_ended=600.0):
    engine.insert(
        "runs_versions",
        cluster="'demo'",
        log_id=f"'{log}'",
        job_uid=f"'{job}'",
        start_time=ago(700),
        end_time=ago(run_ended),
        landed_at=ago(minutes),
    )


def landed(engine, log, job, minutes, run_ended=600.0, origin="live"):
    for module in ("POSIX", "STDIO"):
        engine.insert(
            "log_modules_versions",
            cluster="'demo'",
            log_id=f"'{log}'",
            module=f"'{module}'",
            start_time=ago(700),
            landed_at=ago(minutes),
            origin=f"'{origin}'",
        )
    analyzed(engine, log, job, minutes, run_ended)


def test_the_delay_is_from_the_end_of_a_job_to_the_rows_of_its_log(empty):
    for i in range(5):
        ended(empty, f"job{i}", 12)
        landed(empty, f"log{i}", f"job{i}", 10)
    ended(empty, "early", 300)
    landed(empty, "corrected", "early", 299)
    analyzed(empty, "corrected", "early", 1)
    landed(empty, "back-filled", "early", 1, origin="backfill")
    landed(empty, "of no job", "unknown", 1)
    assert empty.measured() == {("delay_p95_seconds", "demo"): pytest.approx(120, abs=30)}


def test_of_a_run_that_ends_after_its_job_the_delay_is_from_its_own_end(empty):
    for i in range(5):
        ended(empty, f"job{i}", 12)
        landed(empty, f"log{i}", f"job{i}", 10, run_ended=11)
    assert empty.measured() == {("delay_p95_seconds", "demo"): pytest.approx(60, abs=30)}


def test_of_few_runs_no_delay_is_known(empty):
    for i in range(4):
        ended(empty, f"job{i}", 12)
        landed(empty, f"log{i}", f"job{i}", 10)
    assert empty.measured() == {}


def test_dead_letters_of_the_last_minutes_count_once(empty):
    def refused(letter, minutes, source="darshan", origin="live"):
        empty.insert(
            "dead_letters_versions",
            cluster="'demo'",
            id=f"'{letter}'",
            source=f"'{source}'",
            landed_at=ago(minutes),
            origin=f"'{origin}'",
        )

    for i in range(3):
        refused(f"new{i}", 9)
    refused("other", 1, source="job-analysis")
    refused("new0", 1)
    refused("old", 11)
    refused("back-filled", 1, origin="backfill")
    assert empty.measured() == {("dead_letters_new", "darshan"): 3, ("dead_letters_new", "job-analysis"): 1}


def jobs(engine, name, count, hours, logs=0, coverage="not_instrumented"):
    for i in range(count):
        engine.insert(
            "job_results_versions",
            cluster="'demo'",
            job_uid=f"'{name}{i}'",
            submit_time=ago(60 * hours + 60),
            end_time=ago(60 * hours),
            logs_analysed=str(logs),
            coverage=f"'{coverage}'",
        )


def test_coverage_is_the_share_of_a_days_jobs_with_a_log_beside_the_week_before(empty):
    jobs(empty, "too young", 9, 1)
    jobs(empty, "logged", 10, 3, logs=1, coverage="instrumented")
    jobs(empty, "awaited", 30, 25, coverage="awaited")
    jobs(empty, "week logged", 8, 27, logs=2, coverage="partial")
    jobs(empty, "week", 2, 190)
    jobs(empty, "too old", 5, 195)
    jobs(empty, "never ran", 5, 30, coverage="not_started")
    assert empty.measured() == {("coverage_share", "demo"): 0.25, ("coverage_share_before", "demo"): 0.8}
    empty.session.query("ALTER TABLE job_results_versions DELETE WHERE job_uid LIKE 'awaited1%'")
    assert empty.measured() == {}  # of fewer jobs chance decides


def test_it_is_measured_now_and_then_and_kept(monkeypatch):
    answers = [
        [Reading(NOW, "coverage_share", "", "demo", 0.5)],
        OperationalError("away"),
        DatabaseError("memory"),
    ]

    def answer(client, now):
        found = answers.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    monkeypatch.setattr(pipeline_measures, "measure", answer)
    measures = Measures()
    first = measures.take(None, NOW)
    assert [each.value for each in first] == [0.5]
    assert measures.take(None, NOW + EVERY - timedelta(seconds=1)) == []
    with pytest.raises(OperationalError):
        measures.take(None, NOW + EVERY)
    assert measures.take(None, NOW + 2 * EVERY) == []
    assert (measures.latest, answers) == (first, [])


def test_a_view_that_cannot_be_refreshed(empty):
    def failing():
        return {each.part for each in measure(empty, NOW) if each.metric == "refreshes_failing"}

    view = "REFRESH EVERY 1 YEAR APPEND TO failing_rows AS SELECT toUInt8(throwIf"
    empty.session.query("CREATE TABLE failing_rows (number UInt8) ENGINE = Memory")
    for name, fails in (("view_that_fails", 1), ("view_that_works", 0)):
        empty.session.query(f"CREATE MATERIALIZED VIEW {name} {view}({fails}, 'it fails')) AS number")
        empty.session.query(f"SYSTEM START VIEW {name}")
        empty.session.query(f"SYSTEM REFRESH VIEW {name}")
    try:
        with pytest.raises(RuntimeError, match="it fails"):
            empty.session.query("SYSTEM WAIT VIEW view_that_fails")
        empty.session.query("SYSTEM WAIT VIEW view_that_works")
        assert failing() == {"view_that_fails"}
    finally:
        for name in ("view_that_fails", "view_that_works", "failing_rows"):
            empty.session.query(f"DROP TABLE {name}")
    assert failing() == set()


def test_days_whose_totals_wait_for_more_than_an_hour(empty):
    empty.session.query("TRUNCATE TABLE days_of_totals")
    waiting = [("now()", 0), ("today() - 3", 30), ("today() - 3", 90), ("today() - 5", 90), ("today()", 90)]
    for number, (day, minutes) in enumerate(waiting):
        empty.session.query(
            "INSERT INTO days_of_totals (table, day, landed_at, built_at) "
            f"SELECT 'table{number}', {day}, {ago(minutes)}, {ago(95 if number == 2 else 85)}"
        )
    empty.session.query(
        "INSERT INTO days_of_totals (table, day, landed_at) "
        f"SELECT 'table2', today() - 9, {ago(600)} UNION ALL SELECT 'table3', today() - 4, {ago(61)}"
    )
    of_hours = {
        "today() + INTERVAL 2 HOUR - INTERVAL 3 DAY": (90, 95),
        "today() + INTERVAL 9 HOUR - INTERVAL 3 DAY": (90, 95),
        "today() - INTERVAL 5 DAY": (90, 30),
        "today() - INTERVAL 6 DAY": (61, 85),
        "today() - INTERVAL 7 DAY": (59, 85),
        "now() - INTERVAL 2 HOUR": (90, 95),
    }
    for hour, (landed, built) in of_hours.items():
        empty.session.query(
            "INSERT INTO hours_of_totals (hour, landed_at, built_at) "
            f"SELECT toStartOfHour(toDateTime({hour})), {ago(landed)}, {ago(built)}"
        )
    found = [each for each in measure(empty, NOW) if each.metric == "days_without_totals"]
    assert {each.part: each.value for each in found} == {
        "table0": 0,
        "table1": 0,
        "table2": 2,
        "table3": 2,
        "table4": 0,
        "user_file_totals": 2,
    }
