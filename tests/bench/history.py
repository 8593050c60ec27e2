"""Writes a history of months or years into an engine's folder, as a large center leaves it.

    .weir/venv/bin/python -m bench.history FOLDER [--months N] [--logs-a-day N] [--devices N] [--until DATE]
        [--record-days N] [--record-users NAME,...] [--sample-days N] [--for-stack]

All rows follow from their numbers by hashes (history_sql): the same arguments give the same rows. One run
in ten, with its job and its findings, was corrected later, one in two hundred was taken back, and one in a
hundred landed twice, as what is delivered at least once does. Closed
months are merged, as the engine does by itself some hours after their end (min_age_to_force_merge_seconds),
but for corrections of one of their days that have just come; the last month came day by day. What tables
keep for some days alone is written for the last days, heat maps for the last hour, file records, stripes and
samples for as many days as are asked for, and records of all months for the users that are named. What is
there already is left out, so that a stopped run goes on. With `--for-stack` a stack can go on from the
folder: put it, or a link to it, at WEIR_HOME/data/clickhouse/store before `weir-stack up`.
"""

import argparse
import json
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from string import Template

from chdb.session import Session
from weir.admin import migrations
from weir.schemas_dir import SCHEMAS
from weir.sql import questions
from weir_superset import assets

STATEMENTS = Path(__file__).parent / "history_sql"
DEVICES_A_SERVER = 53

# The column of time of each table. A month of these is written with its corrections,
OF_RUNS = {
    "findings": "start_time",
    "scheduler_jobs": "submit_time",
    "job_results": "submit_time",
    "runs": "start_time",
}
# a month of these at once,
MONTHLY = {
    "filesystem_load_hourly": "hour_start",
    "server_load_hourly": "hour_start",
    "device_load_hourly": "hour_start",
    "alerts": "decided_at",
    "deliveries": "decided_at",
    "storage_events": "since",
}
# and of these so many days, fewer than they keep where the disk would not hold them.
DAYS = {
    "filesystem_load": ("bucket_start", 90),
    "server_load": ("bucket_start", 2),
    "device_load": ("bucket_start", 1),
    "target_live": ("time", 1),
    "target_io_sizes": ("time", 1),
    "job_live": ("time", 1),
    "landings": ("landed_at", 90),
    "pipeline_metrics": ("time", 90),
    "cases": ("changed_at", 1),
}
TOTALS_BUILDS = (
    *("run_totals_build", "finding_totals_build", "job_totals_build", "days_of_totals_build"),
    *("run_io_totals_build", "days_of_run_io_build", "device_totals_build", "days_of_devices_build"),
    *("target_totals_build", "days_of_targets_build"),
)
FILE_TOTALS_BUILDS = ("file_totals_build", "hours_of_totals_build")
RECORDS = ("posix_records", "lustre_stripes")
SAMPLES = "device_samples"
BINS = "heatmap_bins"
CORRECTED, CORRECTED_LATE = "h % 10 = 0", "h % 1000 = 0"
LANDED_TWICE = "h % 100 = 7"
# The engine has not merged these yet: corrections of one day of the month.
CORRECTED_NOW = "h % 1000 = 1 AND toDayOfMonth(began) = 3"


@dataclass(frozen=True)
class Center:
    """How large the center is; by default as S2 of the scale targets."""

    logs_a_day: int = 67_000
    devices: int = 26_536
    targets: int = 1_000
    active_jobs: int = 200
    days_kept: int = 90
    files_a_log: int = 430


class History:
    """Writes the months of one folder."""

    def __init__(self, engine: Session, center: Center):
        self.engine, self.center = engine, center

    def write(
        self,
        until: datetime,
        months: int,
        record_days: int = 0,
        record_users: Sequence[str] = (),
        sample_days: int = 0,
    ) -> None:
        """Writes what is missing of so many months before `until`, then of the last days."""
        for start, end in months_before(until, months):
            for table in OF_RUNS:
                self._write_runs(table, start, end, closed=end < until)
            for table, column in MONTHLY.items():
                self._write_once(table, column, start, end)
        # after all of them, as the first jobs of a month were submitted in the one before
        for start, end in months_before(until, months):
            for table in OF_RUNS if end < until else ():
                self._merge(table, start, end)
        for table, (column, days) in [*DAYS.items(), (SAMPLES, ("time", sample_days))]:
            for day in range(min(days, self.center.days_kept), 0, -1):
                start = until - timedelta(days=day)
                self._write_once(table, column, start, start + timedelta(days=1))
        first = (until - next(months_before(until, months))[0]).days if record_users else record_days
        for day in range(first, 0, -1):
            start, end = until - timedelta(days=day), until - timedelta(days=day - 1)
            which = f"owner IN ({str([*record_users])[1:-1]})" if day > record_days else "1"
            for table in RECORDS:
                if not self._is_there(table, "start_time", start, end):
                    self._insert(table, start, end, edition=1, which=which)
        if not self._is_there(BINS, "start_time", until - timedelta(days=1), until):
            last_hour = f"began >= '{until - timedelta(hours=1):%F %T}'"
            self._insert(BINS, until - timedelta(days=1), until, edition=1, which=last_hour)
        self._add_up(until)

    def _add_up(self, until: datetime) -> None:
        """Builds the totals of all days; then rows land of the last two and a tenth of the month before.

        Of files of users there are totals by hour, of all but the last day.
        """
        self.engine.query("SYSTEM START VIEWS")
        for table in ("days_of_totals", "hours_of_totals"):
            self.engine.query(
                f"ALTER TABLE {table} UPDATE landed_at = landed_at - INTERVAL 1 DAY WHERE 1 "
                "SETTINGS mutations_sync = 1"
            )
        while days := scalar(self.engine, "SELECT count() FROM days_to_total"):
            began = time.monotonic()
            for view in TOTALS_BUILDS:
                self._refresh(view)
            print(f"totals of {days} days: {time.monotonic() - began:.1f} s", flush=True)
        # an hour without records has no totals
        self.engine.query(
            "INSERT INTO hours_of_totals (hour, built_at) "
            "SELECT hour, now64(6, 'UTC') FROM hours_with_totals "
            f"WHERE hour NOT IN (SELECT toStartOfHour(start_time) FROM {physical(RECORDS[0])})"
        )
        while hours := scalar(self.engine, "SELECT count() FROM hours_to_total"):
            began = time.monotonic()
            for view in FILE_TOTALS_BUILDS:
                self._refresh(view)
            print(f"totals of files of {hours} hours: {time.monotonic() - began:.1f} s", flush=True)
        began = time.monotonic()
        self._refresh("message_effects_build")
        print(f"effects of messages: {time.monotonic() - began:.1f} s", flush=True)
        self.engine.query(
            "INSERT INTO days_of_totals (table, day, landed_at) "
            "SELECT table, day, now64(6, 'UTC') FROM days_with_totals "
            f"WHERE day >= '{until - timedelta(days=2):%F}' "
            f"OR day >= '{until - timedelta(days=30):%F}' AND toRelativeDayNum(day) % 10 = 0"
        )
        self.engine.query(
            "INSERT INTO hours_of_totals (hour, landed_at) "
            "SELECT hour, now64(6, 'UTC') FROM hours_with_totals "
            f"WHERE hour >= '{until - timedelta(days=1):%F}'"
        )

    def _refresh(self, view: str) -> None:
        self.engine.query(f"SYSTEM REFRESH VIEW {view}")
        self.engine.query(f"SYSTEM WAIT VIEW {view}")

    def _write_once(self, table: str, column: str, start: datetime, end: datetime) -> None:
        if not self._is_there(table, column, start, end):
            self._insert(table, start, end)

    def _write_runs(self, table: str, start: datetime, end: datetime, *, closed: bool) -> None:
        if self._is_there(table, OF_RUNS[table], end - timedelta(days=1), end):
            return
        step = end - start if closed else timedelta(days=1)
        for day in range(0, (end - start).days, step.days):
            first = start + timedelta(days=day)
            self._insert(table, first, first + step, edition=1, which="1")
            self._insert(table, first, first + step, edition=2, which=CORRECTED)
            self._insert(table, first, first + step, edition=1, which=LANDED_TWICE)
        if closed:
            self._insert(table, start, end, edition=3, which=CORRECTED_LATE)

    def _merge(self, table: str, start: datetime, end: datetime) -> None:
        """Leaves a closed month as one part, but for corrections of one of its days that have just come."""
        month = f"toYYYYMM({OF_RUNS[table]}) = {start:%Y%m}"
        if not scalar(self.engine, f"SELECT count() FROM {physical(table)} WHERE {month} AND version = 4"):
            self.engine.query(f"OPTIMIZE TABLE {physical(table)} PARTITION {start:%Y%m} FINAL")
            self._insert(table, start, end, edition=4, which=CORRECTED_NOW)

    def _is_there(self, table: str, column: str, start: datetime, end: datetime) -> bool:
        where = f"{column} >= '{start:%F}' AND {column} < '{end:%F}'"
        return bool(scalar(self.engine, f"SELECT count() FROM {physical(table)} WHERE {where}"))

    def _insert(self, table: str, start: datetime, end: datetime, **values: object) -> None:
        days = (end - start).days
        values |= {
            "start": f"{start:%F}",
            "seconds": days * 86_400,
            "count": days * self.center.logs_a_day,
            "first": ((start - datetime(2020, 1, 1, tzinfo=UTC)).days + 1) * self.center.logs_a_day,
            "devices": self.center.devices,
            "servers": self.center.devices // DEVICES_A_SERVER,
            "devices_a_server": DEVICES_A_SERVER,
            "targets": self.center.targets,
            "active_jobs": self.center.active_jobs,
            "files": self.center.files_a_log,
        }
        if table in (*OF_RUNS, *RECORDS, BINS):
            values["numbered"] = statement("numbered", values)
        began = time.monotonic()
        self.engine.query(statement(table, values))
        print(f"{start:%F} {table}: {time.monotonic() - began:.1f} s", flush=True)


def main() -> None:
    """Writes the history that the arguments describe."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--months", type=int, default=1)
    options.add_argument("--logs-a-day", type=int, default=Center.logs_a_day)
    options.add_argument("--devices", type=int, default=Center.devices)
    options.add_argument("--until", type=datetime.fromisoformat, default=datetime(2026, 11, 1))
    options.add_argument("--record-days", type=int, default=0, help="430 file records a log")
    options.add_argument("--record-users", default="", help="whose file records there are of all months")
    options.add_argument("--sample-days", type=int, default=0, help="a sample of each device every 5 s")
    options.add_argument("--for-stack", action="store_true", help="add all columns, note migrations")
    given = options.parse_args()
    center, engine = Center(logs_a_day=given.logs_a_day, devices=given.devices), migrated(given.folder)
    History(engine, center).write(
        given.until.replace(tzinfo=UTC),
        given.months,
        given.record_days,
        [*filter(None, given.record_users.split(","))],
        given.sample_days,
    )
    if given.for_stack:
        open_to_stack(engine)


def open_to_stack(engine: Session) -> None:
    """Gives runs the columns that were left out, which are empty, and notes all migrations as applied."""
    columns = (SCHEMAS / "clickhouse/columns.tsv").read_text(encoding="utf-8").splitlines()
    for table, column, kind, _ in (line.split("\t") for line in columns):
        if table == "runs_versions":
            engine.query(f"ALTER TABLE {table} ADD COLUMN IF NOT EXISTS `{column}` {kind}")
    show_newest_runs(engine)
    engine.query(migrations.STATUS_TABLE)
    for each in migrations.all_migrations():
        values = f"({each.number}, '{each.name}', 'applied', '{each.checksum}')"
        engine.query(f"INSERT INTO migrations (number, name, state, checksum) VALUES {values}")


def statement(name: str, values: dict[str, object]) -> str:
    """Returns the SQL of a file with its values."""
    lines = (STATEMENTS / f"{name}.sql").read_text(encoding="utf-8").splitlines()
    return Template("\n".join(line for line in lines if not line.startswith("--"))).substitute(values)


def migrated(folder: Path, granule_rows: int = 8_192) -> Session:
    """Returns a session of the engine, with all tables and views, new ones in granules of so many rows."""
    engine = Session(str(folder))
    engine.query("CREATE DATABASE IF NOT EXISTS weir")
    engine.query("USE weir")
    # nothing is worked out beside what is measured
    engine.query("SYSTEM STOP VIEWS")
    if not scalar(engine, "SELECT count() FROM system.tables WHERE database = 'weir' AND name = 'runs'"):
        for migration in migrations.all_migrations():
            for sql in migration.statements("up"):
                has_granules = sql.startswith("CREATE TABLE") and "MergeTree" in sql
                is_set = has_granules and "index_granularity" not in sql
                engine.query(f"{sql} SETTINGS index_granularity = {granule_rows}" if is_set else sql)
        leave_out_unread_columns(engine)
        # what is written here is old: nothing of it goes for its age
        for table in {*DAYS, SAMPLES} - {"cases"}:
            engine.query(f"ALTER TABLE {physical(table)} REMOVE TTL")
    return engine


def leave_out_unread_columns(engine: Session) -> None:
    """Drops the columns of runs that nobody asks for, so that it is written six times as fast."""
    runs = (STATEMENTS / "runs.sql").read_text(encoding="utf-8")
    charts = (dataset.sql for dataset in assets.read().datasets.values())
    measures = str(
        engine.query("SELECT as_select FROM system.tables WHERE name LIKE '%\\_measures'", "TSVRaw")
    )
    saved = (question.statement() for question in questions.saved().values())
    kept = {"landed_at", "exe_hash", *re.findall(r"\w+", " ".join([runs, measures, *charts, *saved]))}
    known = engine.query("SELECT name FROM system.columns WHERE table = 'runs_versions'", "JSONColumns")
    dropped = [f"DROP COLUMN {name}" for name in json.loads(str(known))["name"] if name not in kept]
    engine.query(f"ALTER TABLE runs_versions {', '.join(dropped)}")
    show_newest_runs(engine)


def show_newest_runs(engine: Session) -> None:
    """Makes the view of runs anew, of the columns that its table has now."""
    engine.query("DROP VIEW runs")
    engine.query("CREATE VIEW runs AS SELECT * EXCEPT (version, is_deleted) FROM runs_versions FINAL")


def physical(table: str) -> str:
    """Returns the name of the table below a view."""
    return table if table in ("landings", "pipeline_metrics") else f"{table}_versions"


def scalar(engine: Session, query: str) -> int:
    """Returns the only number that a query answers with."""
    return int(str(engine.query(query, "CSV")).strip() or 0)


def months_before(until: datetime, count: int) -> Iterator[tuple[datetime, datetime]]:
    """Gives (start, end) of the months before `until`, the oldest first."""
    first = until.year * 12 + until.month - 1 - count
    for number in range(first, first + count):
        bounds = [datetime(each // 12, each % 12 + 1, 1, tzinfo=UTC) for each in (number, number + 1)]
        yield bounds[0], bounds[1]


if __name__ == "__main__":
    main()
