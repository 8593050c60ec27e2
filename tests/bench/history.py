"""Writes a history of months or years into an engine's folder, as a large center would leave it.

    .weir/venv/bin/python tests/bench/history.py FOLDER [--months N] [--logs-a-day N] [--devices N] [--until DATE]

All rows follow from their numbers by hashes, so that the same arguments give the same rows. A tenth of the runs, jobs
and findings is there twice, the second time corrected under a higher version, and one in two hundred is taken back.
Raw samples and load buckets are written for the last days alone, hourly load for all of the time. Months are written
one by one, those that are there already are left out: a run that was stopped goes on.
"""

import argparse
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from chdb.session import Session
from weir.admin import migrations

CLUSTER = "history"
FILE_SYSTEMS = ("scratch", "home", "project")
RULES = 26
USERS, PROJECTS, EXECUTABLES = 2_000, 400, 5_000
RUN_RULES = "['small_io', 'rank0_io', 'metadata_heavy', 'no_collective', 'straggler', 'device_contention']"


def main() -> None:
    """Migrate the tables and write what is missing."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--months", type=int, default=1)
    options.add_argument("--logs-a-day", type=int, default=67_000)
    options.add_argument("--devices", type=int, default=2_000)
    options.add_argument("--until", type=datetime.fromisoformat, default=datetime(2026, 11, 1))
    given = options.parse_args()
    engine = migrated(given.folder)
    for start, end in months(given.until.replace(tzinfo=UTC), given.months):
        for table, statements in month(start, end, given.logs_a_day, given.devices):
            if not is_there(engine, table, start, end):
                began = time.monotonic()
                for statement in statements:
                    engine.query(statement)
                print(f"{start:%Y-%m} {table}: {time.monotonic() - began:.0f} s", flush=True)


def migrated(folder: Path) -> Session:
    """Returns a session of the engine, with all tables and views."""
    engine = Session(str(folder))
    engine.query("CREATE DATABASE IF NOT EXISTS weir")
    engine.query("USE weir")
    if not scalar(engine, "SELECT count() FROM system.tables WHERE database = 'weir' AND name = 'runs'"):
        for migration in migrations.all_migrations():
            for statement in migration.statements("up"):
                engine.query(statement)
    return engine


def scalar(engine: Session, query: str) -> int:
    """Returns the only number that a query answers with."""
    return int(str(engine.query(query, "CSV")).strip() or 0)


def months(until: datetime, count: int) -> Iterator[tuple[datetime, datetime]]:
    """Gives (start, end) of the months before `until`, the oldest first."""
    first = until.year * 12 + until.month - 1 - count
    for number in range(first, first + count):
        bounds = [datetime(each // 12, each % 12 + 1, 1, tzinfo=UTC) for each in (number, number + 1)]
        yield bounds[0], bounds[1]


def is_there(engine: Session, table: str, start: datetime, end: datetime) -> bool:
    """Whether a month was written: what writes it last has done so."""
    column = {"runs": "start_time", "jobs": "submit_time", "findings": "start_time"}.get(table, "hour_start")
    name = {"jobs": "job_results", "hours": "device_load_hourly"}.get(table, table)
    where = f"{column} >= '{start:%F}' AND {column} < '{end:%F}'"
    return bool(scalar(engine, f"SELECT count() FROM {name}_versions WHERE {where}"))


def month(start: datetime, end: datetime, logs: int, devices: int) -> Iterator[tuple[str, list[str]]]:
    """Gives the statements that write one month, by what they write."""
    days = (end - start).days
    count = logs * days
    yield "findings", [findings(start, days, count)]
    yield "jobs", [jobs(start, days, count, "scheduler"), jobs(start, days, count, "results")]
    yield "runs", [runs(start, days, count)]
    yield "hours", hours(start, days, devices)


def _numbered(start: datetime, days: int, count: int) -> str:
    """Returns a subquery of one row a run: its number, hash, time, owner and size, once more where corrected."""
    return f"""
        SELECT
            number AS n, cityHash64(number, '{start:%F}') AS h, edition,
            toDateTime64('{start:%F}', 6, 'UTC') + toIntervalSecond(h % {days * 86_400}) AS began,
            1 + intDiv(h, 7) % 5000 AS job_number,
            pow(2, intDiv(h, 11) % 12)::Int64 AS processes,
            30 + intDiv(h, 13) % 20000 AS seconds,
            concat('user', toString(toUInt32(pow(intDiv(h, 17) % 1000 / 1000, 3) * {USERS}))) AS owner,
            concat('project', toString(cityHash64(owner) % {PROJECTS})) AS project,
            concat('program', toString(toUInt32(pow(intDiv(h, 19) % 1000 / 1000, 3) * {EXECUTABLES}))) AS program,
            ['{"', '".join(FILE_SYSTEMS)}'][1 + intDiv(h, 23) % {len(FILE_SYSTEMS)}] AS home,
            pow(10, 3 + intDiv(h, 29) % 1000 / 111)::Int64 AS moved,
            lower(hex(MD5(concat('{start:%F}', toString(number))))) AS id
        FROM numbers({count})
        ARRAY JOIN range(1, if(h % 10 = 0, 3, 2)) AS edition"""


def runs(start: datetime, days: int, count: int) -> str:
    """Returns the statement that writes a month's runs."""
    return f"""
INSERT INTO runs_versions (cluster, log_id, job_id, job_uid, job_join, user, account, partition, uid, exe, log_state,
    modules, nprocs, nodes, run_nodes, start_time, end_time, run_time_seconds, filesystem, bytes_read, bytes_written,
    application_bytes, files, io_time_seconds, mib_per_second, mib_per_second_per_node, io_share, metadata_share,
    opens, reads, writes, small_reads, small_writes, load_state, load_util_mean, time_lost_seconds, node_hours_lost,
    slow, verdict, verdict_reason, findings, revision, version, is_deleted, origin, landed_at)
SELECT '{CLUSTER}', id, job_number, concat('j', id), if(h % 50 = 0, 'not_joinable', 'joined'), owner, project,
    'batch', cityHash64(owner) % 60000, program, if(h % 40 = 0, 'partial', 'complete'), ['POSIX', 'STDIO'], processes,
    greatest(1, intDiv(processes, 64)) AS width, width, began, began + toIntervalSecond(seconds), seconds, home,
    intDiv(moved, 3), moved - intDiv(moved, 3), moved, 1 + h % 500,
    seconds * (intDiv(h, 31) % 100) / 200 AS io, moved / 1048576 / greatest(io, 0.001) AS rate, rate / width,
    io / seconds, (intDiv(h, 37) % 100) / 100, 1 + h % 5000, h % 100000, h % 70000, h % 50000, h % 30000,
    if(h % 5 = 0, 'incomplete', 'closed'), (intDiv(h, 41) % 100) / 100, io / 3, io * width / 10800 * edition,
    if(h % 11 = 0, 1, 0), ['not_slow', 'application', 'storage', 'unknown'][1 + if(h % 11 = 0, 1 + h % 3, 0)], '',
    arraySlice({RUN_RULES}, 1 + h % 6, h % 3), 9, edition, if(h % 200 = 0 AND edition = 2, 1, 0), 'live', began
FROM ({_numbered(start, days, count)})"""


def jobs(start: datetime, days: int, count: int, kind: str) -> str:
    """Returns the statement that writes a month's jobs: records of the scheduler, or results."""
    if kind == "scheduler":
        return f"""
INSERT INTO scheduler_jobs_versions (cluster, job_uid, job_id, job_display_id, user, account, partition, job_name, state,
    state_rank, submit_time, start_time, end_time, nodes, cpus, node_list, version, is_deleted, origin, landed_at)
SELECT '{CLUSTER}', concat('j', id), job_number, toString(job_number), owner, project, 'batch', program,
    if(h % 30 = 0, 'FAILED', 'COMPLETED'), 3, began - toIntervalSecond(600), began, began + toIntervalSecond(seconds),
    greatest(1, intDiv(processes, 64)), processes, '', edition, 0, 'live', began
FROM ({_numbered(start, days, count)})"""
    return f"""
INSERT INTO job_results_versions (cluster, job_uid, job_id, user, account, partition, job_name, state, submit_time,
    start_time, end_time, nodes, settled, logs_analysed, logs_expected, bytes_read, bytes_written, io_time_seconds,
    node_hours, node_hours_lost, verdict, findings, traits, revision, version, is_deleted, origin, landed_at, coverage)
SELECT '{CLUSTER}', concat('j', id), job_number, owner, project, 'batch', program,
    if(h % 30 = 0, 'FAILED', 'COMPLETED'), began - toIntervalSecond(600), began, began + toIntervalSecond(seconds),
    greatest(1, intDiv(processes, 64)) AS width, 1, 1, 1, intDiv(moved, 3), moved - intDiv(moved, 3), seconds / 9,
    seconds * width / 3600, seconds * width / 36000 * edition,
    ['not_slow', 'application', 'storage', 'unknown'][1 + if(h % 11 = 0, 1 + h % 3, 0)],
    arraySlice({RUN_RULES}, 1 + h % 6, h % 3), [], 9, edition, 0, 'live', began, 'full'
FROM ({_numbered(start, days, count)})"""


def findings(start: datetime, days: int, count: int) -> str:
    """Returns the statement that writes a month's findings: those that the runs name."""
    return f"""
INSERT INTO findings_versions (cluster, log_id, job_uid, rule_id, start_time, title, severity, evidence_class, evidence,
    node_hours_lost, advice, revision, version, is_deleted, origin, landed_at)
SELECT '{CLUSTER}', id, '', rule, began, rule, ['info', 'warning', 'critical'][1 + h % 3], 'exact', '{{"opens": 1}}',
    seconds / 36000, [], 9, edition, if(h % 200 = 0 AND edition = 2, 1, 0), 'live', began
FROM ({_numbered(start, days, count)})
ARRAY JOIN arraySlice({RUN_RULES}, 1 + h % 6, h % 3) AS rule"""


def hours(start: datetime, days: int, devices: int) -> list[str]:
    """Returns the statements that write a month's load by the hour, of devices and of file systems."""
    of_device = f"""
INSERT INTO device_load_hourly_versions (cluster, device_id, server, hour_start, sampled_seconds, bytes_read, bytes_written,
    reads, writes, util, read_wait_seconds, write_wait_seconds, version, is_deleted, origin, landed_at)
SELECT '{CLUSTER}', concat('device', toString(number % {devices})) AS device,
    concat('server', toString(intDiv(number % {devices}, 20))),
    toDateTime64('{start:%F}', 6, 'UTC') + toIntervalHour(intDiv(number, {devices})) AS hour, 3600,
    cityHash64(number, 'r') % 1000000000000, cityHash64(number, 'w') % 1000000000000, 1000000, 1000000,
    (cityHash64(number, 'u') % 100) / 100, 10, 10, 360, 0, 'live', hour
FROM numbers({devices * days * 24})"""
    of_filesystem = f"""
INSERT INTO filesystem_load_hourly_versions (cluster, filesystem, hour_start, sampled_seconds, bytes_read, bytes_written,
    reads, writes, util_mean, util_max, peak_bytes_per_second, read_wait_seconds, write_wait_seconds, version, is_deleted,
    origin, landed_at)
SELECT '{CLUSTER}', ['{"', '".join(FILE_SYSTEMS)}'][1 + number % {len(FILE_SYSTEMS)}],
    toDateTime64('{start:%F}', 6, 'UTC') + toIntervalHour(intDiv(number, {len(FILE_SYSTEMS)})) AS hour, 3600,
    cityHash64(number, 'r') % 1000000000000000, cityHash64(number, 'w') % 1000000000000000, 1000000, 1000000,
    (cityHash64(number, 'u') % 100) / 100, 1, 1e10, 10, 10, 3600, 0, 'live', hour
FROM numbers({len(FILE_SYSTEMS) * days * 24})"""
    return [of_filesystem, of_device]


if __name__ == "__main__":
    main()
