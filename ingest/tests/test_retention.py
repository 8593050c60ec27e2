"""Tables keep their rows as long as the settings say, on ClickHouse's engine."""

from pathlib import Path

import pytest
import yaml
from weir import settings
from weir.admin.migrations import Migrator, all_migrations
from weir.admin.retention import Retention, declared
from weir.errors import UserError

FILE = Path("weir.yaml")
NAMES = {
    "alert_controls": "time",
    "alerts": "decided_at",
    "cases": "changed_at",
    "dead_letters": "time",
    "deliveries": "decided_at",
    "days_of_totals": "day",
    "device_load_hourly": "hour_start",
    "device_totals": "day",
    "filesystem_load_hourly": "hour_start",
    "finding_totals": "day",
    "findings": "start_time",
    "hours_of_totals": "hour",
    "job_manifests": "scan_time",
    "job_results": "submit_time",
    "job_totals": "submit_day",
    "log_modules": "start_time",
    "message_effects": "first_at",
    "months_of_totals": "month",
    "run_io_months": "day",
    "run_io_totals": "day",
    "run_totals": "day",
    "runs": "start_time",
    "scheduler_jobs": "submit_time",
    "server_load_hourly": "hour_start",
    "storage_events": "since",
    "target_totals": "day",
    "times_of_ids": "time",
}

FILES = ("times_of_files", "user_file_totals", "file_reader_totals")


@pytest.fixture
def client(engine):
    yield engine
    apply(engine, may_delete=True)
    engine.command("TRUNCATE TABLE runs_versions")


def retention(client, **days):
    return Retention(client, "weir", days, FILE)


def apply(client, may_delete=False, **days):
    wanted = retention(client, **days)
    lines = list(wanted.apply(wanted.tables(), may_delete=may_delete))
    settle(client)
    return lines


def settle(client):
    """Wait for the rewriting, which is in the background."""
    while client.one("SELECT count() FROM system.mutations WHERE NOT is_done"):
        assert not client.one("SELECT count() FROM system.mutations WHERE latest_fail_reason != ''")


def runs(client, *ages, version=1):
    """Put runs that started so many days ago."""
    for age in ages:
        client.command(
            "INSERT INTO runs_versions (cluster, log_id, start_time, version) "
            f"VALUES ('c', '{age}', toStartOfDay(now()) - INTERVAL {age} DAY, {version})"
        )


def kept(client):
    client.command("OPTIMIZE TABLE runs_versions FINAL")
    return [log for (log,) in client.rows("SELECT log_id FROM runs_versions ORDER BY toUInt32(log_id)")]


def test_without_settings_every_table_is_as_the_migrations_made_it(client):
    tables = retention(client).tables()
    assert {t.table: t.now for t in tables if t.now} == declared()
    assert [t for t in tables if t.differs] == []
    lines = list(map(str, tables))
    assert {"posix_records: 1 year", "device_samples: 14 days", "landings: 90 days", "runs: for ever"} <= {
        *lines
    }
    assert apply(client) == []


def test_every_table_of_what_happens_has_a_time_by_which_its_rows_age(client):
    tables = client.rows(
        "SELECT name FROM system.tables WHERE database = 'weir' AND engine LIKE '%MergeTree'"
    )
    named = {table.table for table in retention(client).tables()}
    assert {table for (table,) in tables} - named == {"producer_ledger_versions", "report_words_versions"}


def test_the_time_of_a_row_is_what_its_table_is_ordered_by_in_time(client):
    columns = {t.name: t.wanted.column for t in retention(client, **dict.fromkeys(NAMES, 9_999)).tables()}
    assert {name: columns[name] for name in NAMES} == NAMES


def test_rows_beyond_the_retention_go_and_newer_ones_stay(client):
    runs(client, 1, 29, 31, 400)
    runs(client, 31, version=2)  # the same run, better known
    with pytest.raises(UserError) as refused:
        apply(client, runs=30)
    assert "runs: for ever -> 30 days, deletes 3 rows of 2 days from " in str(refused.value)
    assert "Nothing was changed. Say --yes" in str(refused.value)
    assert len(kept(client)) == 4
    (line,) = apply(client, may_delete=True, runs=30)
    assert line.startswith("runs: for ever -> 30 days, deletes 2 rows of 2 days from ")
    assert kept(client) == ["1", "29"]
    assert apply(client, runs=30) == []
    runs(client, 32)
    assert kept(client) == ["1", "29"]


def test_rows_that_a_longer_retention_keeps_do_not_go_by_the_old_one(client):
    apply(client, runs=30)
    runs(client, 10, 29)
    assert apply(client, runs=60) == ["runs: 30 days -> 60 days"]
    runs(client, 40)
    assert kept(client) == ["10", "29", "40"]
    assert apply(client) == ["runs: 60 days -> for ever"]
    runs(client, 4000)
    assert kept(client) == ["10", "29", "40", "4000"]


def test_the_longest_retention_keeps_what_happens_now(client):
    assert apply(client, runs=30 * 365) == ["runs: for ever -> 10950 days"]
    runs(client, 0, 10_000)
    assert kept(client) == ["0", "10000"]


def test_what_is_no_longer_configured_goes_back_to_what_is_declared(client):
    names = sorted(("posix_records", "superseded_logs", *FILES))
    assert apply(client, **dict.fromkeys(names, 400)) == [f"{name}: 1 year -> 400 days" for name in names]
    assert apply(client) == [f"{name}: 400 days -> 1 year" for name in names]


def test_null_keeps_for_ever(client):
    assert apply(client, landings=None) == ["landings: 90 days -> for ever"]


def test_a_table_that_is_not_there_is_refused_with_those_that_are(client):
    with pytest.raises(UserError) as refused:
        retention(client, rnus=30, producer_ledger=30).tables()
    said = str(refused.value)
    assert "weir.yaml: retention_days.rnus: no table whose rows age." in said
    assert "weir.yaml: retention_days.producer_ledger: no table whose rows age." in said
    assert "runs, scheduler_jobs" in said


def test_records_do_not_outlive_the_mark_of_a_replaced_log(client):
    with pytest.raises(UserError, match="superseded_logs is kept for 30 days and daos_records for 1 year"):
        retention(client, superseded_logs=30).tables()
    with pytest.raises(UserError, match="superseded_logs is kept for 1 year and heatmap_bins for ever"):
        retention(client, heatmap_bins=None).tables()
    assert retention(client, posix_records=30, superseded_logs=365).tables()


@pytest.mark.parametrize("finding", FILES)
def test_records_do_not_outlive_what_finds_them(client, finding):
    with pytest.raises(
        UserError, match=f"{finding} is kept for 90 days and posix_records for 1 year: questions"
    ):
        retention(client, **{finding: 90}).tables()
    assert retention(client, **{finding: None, "posix_records": 90}).tables()


def test_a_ttl_of_the_center_is_left_alone(client):
    client.command("ALTER TABLE runs_versions MODIFY TTL toDateTime(end_time) + INTERVAL 1 MONTH")
    with pytest.raises(UserError, match="has a TTL that Weir did not write: toDateTime"):
        retention(client).tables()
    client.command("ALTER TABLE runs_versions REMOVE TTL")


NEEDED = {
    "clickhouse_url": "http://127.0.0.1:1",
    "kafka": {},
    "clickhouse_password_file": "/dev/null",
    "migrator_password_file": "/dev/null",
    "state_dir": "/tmp",
}


def loaded(tmp_path, monkeypatch, days):
    file = tmp_path / "weir.yaml"
    file.write_text(yaml.safe_dump(NEEDED | {"retention_days": days}))
    monkeypatch.setenv("WEIR_CONFIG", str(file))
    return settings.load().retention_days


@pytest.mark.parametrize("days", [0, -1, 1.5, True, "30", 30 * 365 + 1])
def test_nonsense_is_refused_with_file_and_field(tmp_path, monkeypatch, days):
    with pytest.raises(UserError, match=r"weir\.yaml: retention_days\.runs.*: Input should be"):
        loaded(tmp_path, monkeypatch, {"runs": days})


def test_days_come_from_the_file_or_from_the_environment(tmp_path, monkeypatch):
    assert loaded(tmp_path, monkeypatch, {"runs": 30, "landings": None}) == {"runs": 30, "landings": None}
    monkeypatch.setenv("WEIR_RETENTION_DAYS", '{"runs": 60}')
    assert loaded(tmp_path, monkeypatch, {}) == {"runs": 60}


class Busy:
    """A client beside whose every statement a record lands."""

    def __init__(self, client):
        self.client, self.query, self.landed = client, client.query, 0

    def command(self, sql):
        self.client.command(sql)
        self.land()

    def land(self, days=0):
        self.landed += 1
        self.client.command(
            "INSERT INTO posix_records_versions (cluster, log_id, start_time, version) "
            f"VALUES ('c', 'copied{self.landed}', now() - INTERVAL {days * 1440 + self.landed} MINUTE, 1)"
        )


def test_a_table_that_a_migration_copies_keeps_its_rows_and_what_lands_meanwhile(client):
    apply(client, **dict.fromkeys((*FILES, "posix_records", "superseded_logs"), 1000))
    busy = Busy(client)
    busy.land(days=700)
    migrator = Migrator(busy, "weir")
    copying, after = (each for each in all_migrations() if each.number in (73, 74))
    for migration, direction in ((after, "down"), (copying, "down"), (copying, "up"), (after, "up")):
        migrator._run(migration, direction)
    there = "SELECT uniqExact(log_id) FROM posix_records WHERE startsWith(log_id, 'copied')"
    assert client.one(there) == busy.landed > 20
    assert client.one("SELECT uniqExact(time) FROM times_of_files") > 20
    (kept,) = (each for each in retention(client).tables() if each.name == "posix_records")
    assert str(kept.now) == "1000 days"
