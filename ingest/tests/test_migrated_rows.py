"""Rows that were there before a migration are brought along by it, and by its way back."""

import json

import pytest
from chdb.session import Session
from weir.admin.migrations import all_migrations

BEFORE = 49
LONG = "x" * 201


@pytest.fixture
def session(tmp_path):
    """An engine with the tables of before, and rows in them."""
    session = Session(str(tmp_path / "engine"))
    session.query("CREATE DATABASE weir ENGINE = Atomic")
    session.query("USE weir")
    migrate(session, "up", 0, BEFORE)
    for statement in ROWS:
        session.query(statement)
    yield session
    session.close()


RUN = """(cluster, log_id, job_uid, job_id, user, account, exe, exe_hash, filesystem, verdict, findings,
    start_time, version)"""
ROWS = [
    f"""INSERT INTO runs_versions {RUN} VALUES
    ('c', 'log1', 'job1', 7, 'ann', 'proj', 'app', 'h1', 'scratch', 'storage', ['many_opens'],
        '2026-05-01', 5),
    ('c', 'log2', 'job1', 7, 'ann', 'proj', 'python3', 'h2', NULL, 'not_slow', [], '2026-05-01', 5),
    ('c', 'log3', NULL, 8, NULL, NULL, '{LONG}', 'h3', 'home', 'unknown', ['small_io'], '2026-05-01', 5)""",
    """INSERT INTO findings_versions
    (cluster, log_id, rule_id, start_time, title, evidence, node_hours_lost, version) VALUES
    ('c', 'log1', 'many_opens', '2026-05-01', 'Many opens', '{"opens": 1}', 2, 5),
    ('c', 'log3', 'small_io', '2026-05-01', 'Small', '{}', NULL, 5)""",
    """INSERT INTO findings_versions (cluster, log_id, rule_id, start_time, version, is_deleted) VALUES
    ('c', 'log1', 'taken_back', '2026-05-01', 6, 1)""",
    """INSERT INTO job_results_versions (cluster, job_uid, job_id, submit_time, node_hours, version) VALUES
    ('c', 'job1', 7, '2026-05-01 09:00:00', 3, 9), ('c', 'job2', 9, '2026-05-01 09:00:00', 4, 9)""",
    """INSERT INTO device_load_versions (cluster, device_id, server, bucket_start, util, version) VALUES
    ('c', 'd1', 'oss1', now64(6), 0.5, 3), ('c', 'd1', 'oss1', now64(6) - INTERVAL 1 HOUR, 0.25, 3)""",
    """INSERT INTO landings (cluster, table, rows, oldest_sent_at, landed_at)
    SELECT 'c', 'runs', sent.1, now - toIntervalSecond(sent.2), now
    FROM (SELECT now64(6) AS now, arrayJoin([(10, 4), (5, 2)]) AS sent)""",
    """INSERT INTO pipeline_metrics VALUES
    (now64(6), 'lag_messages', 'g', 't', 4), (now64(6) - 1, 'lag_messages', 'g', 't', 9)""",
]


def migrate(session, direction, first, last):
    chosen = [each for each in all_migrations() if first < each.number <= last]
    for migration in chosen if direction == "up" else reversed(chosen):
        for statement in migration.statements(direction):
            session.query(statement)


def rows(session, query):
    return json.loads(str(session.query(query, "JSONCompact")))["data"]


def test_old_rows_say_what_new_ones_say(session):
    migrate(session, "up", BEFORE, 10_000)
    assert rows(session, "SELECT log_id, program FROM runs ORDER BY log_id") == [
        ["log1", "app"],
        ["log2", "python3 h2"],
        ["log3", f"{'x' * 80} h3"],
    ]
    columns = (
        "rule_id, job_id, user, account, exe, program, filesystem, verdict, title, evidence, node_hours_lost"
    )
    assert rows(session, "SELECT DISTINCT advice_numbers FROM findings") == [["{}"]]
    assert rows(session, f"SELECT {columns} FROM findings ORDER BY log_id") == [
        ["many_opens", 7, "ann", "proj", "app", "app", "scratch", "storage", "Many opens", '{"opens": 1}', 2],
        ["small_io", 8, None, None, LONG, f"{'x' * 80} h3", "home", "unknown", "Small", "{}", None],
    ]
    assert rows(
        session, "SELECT job_uid, executables, filesystems, node_hours FROM job_results ORDER BY 1"
    ) == [
        ["job1", ["app", "python3"], ["scratch"], 3],
        ["job2", [], [], 4],
    ]
    assert rows(session, "SELECT util FROM device_load ORDER BY 1") == [[0.25], [0.5]]
    hours = "sum(inserts), sum(rows), max(max_delay_seconds)"
    assert rows(session, f"SELECT {hours} FROM landings_hourly") == [[2, 15, 4]]
    assert rows(session, "SELECT max(max_value) FROM pipeline_metrics_hourly") == [[9]]


def test_hours_follow_what_is_inserted(session):
    migrate(session, "up", BEFORE, 10_000)
    session.query("INSERT INTO landings VALUES ('c', 'runs', 100, now64(6) - INTERVAL 9 SECOND, now64(6))")
    assert rows(session, "SELECT sum(rows), round(max(max_delay_seconds)) FROM landings_hourly") == [[115, 9]]
    session.query("INSERT INTO pipeline_metrics VALUES (now64(6), 'lag_messages', 'g', 't', 50)")
    assert rows(session, "SELECT max(max_value) FROM pipeline_metrics_hourly") == [[50]]


def test_nothing_is_lost_on_the_way_back_and_up_again(session):
    counted = "runs", "findings", "job_results", "device_load", "landings", "pipeline_metrics"
    before = [rows(session, f"SELECT count() FROM {name}") for name in counted]
    migrate(session, "up", BEFORE, 10_000)
    migrate(session, "down", BEFORE, 10_000)
    assert [rows(session, f"SELECT count() FROM {name}") for name in counted] == before
    migrate(session, "up", BEFORE, 10_000)
    assert [rows(session, f"SELECT count() FROM {name}") for name in counted] == before
