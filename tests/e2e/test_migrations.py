"""Migrations on the real engine: up, down, up again; one that was killed halfway; one that was changed."""

import dataclasses

import pytest
from clients import clickhouse
from weir.admin.migrations import Migrator, all_migrations
from weir.errors import UserError


@pytest.fixture
def client(stack):
    return clickhouse(stack, "migrator", database="")


@pytest.fixture
def migrator(client):
    """Of a database that is not there yet, and goes afterwards."""
    client.command("DROP DATABASE IF EXISTS migration_test")
    yield Migrator(client, "migration_test")
    client.command("DROP DATABASE IF EXISTS migration_test")


@pytest.fixture(scope="module")
def migrated(stack):
    """Of a database with all tables, which several tests write to, each to its own clusters."""
    client = clickhouse(stack, "migrator", database="")
    client.command("DROP DATABASE IF EXISTS migrated_test")
    migrator = Migrator(client, "migrated_test")
    list(migrator.up())
    yield migrator
    client.command("DROP DATABASE IF EXISTS migrated_test")


def tables(client, database="migration_test"):
    rows = client.query(
        "SELECT name, create_table_query FROM system.tables WHERE database = {db:String} ORDER BY name",
        parameters={"db": database},
    ).result_rows
    return {name: sql.split("UUID")[0] + sql.split("(", 1)[-1] for name, sql in rows if name != "migrations"}


def test_a_dry_run_tells_the_sql_and_does_nothing(migrator, client):
    assert any("CREATE TABLE runs_versions" in sql for sql in migrator.up(dry_run=True))
    assert tables(client) == {}


def test_one_that_was_killed_halfway_is_run_again(migrator, client):
    migrator = Migrator(client, migrator.database, migrator.migrations[:5])
    list(migrator.up())
    whole = tables(client)
    list(migrator.down(2))
    runs = migrator.migrations[2]
    migrator._mark(runs, "started")
    client.command(runs.statements("up")[0])  # the table is there, its view is not
    list(migrator.up())
    assert tables(client) == whole


RECORDS = [
    *(f"{m}_records" for m in ("posix", "mpiio", "stdio", "h5f", "h5d")),
    "heatmap_bins",
    "lustre_stripes",
]
RECORDS += ["pnetcdf_file_records", "pnetcdf_var_records", "dfs_records", "daos_records"]


@pytest.mark.parametrize("order", [1, -1])
def test_records_of_a_log_that_was_replaced_are_not_shown(migrated, client, order):
    cluster, other = f"replaced {order}", f"other {order}"
    inserts = [
        f"INSERT INTO migrated_test.{table}_versions (cluster, log_id, start_time, version)"
        f" VALUES ('{cluster}', 'partial', now(), 1), ('{cluster}', 'whole', now(), 1),"
        f" ('{other}', 'partial', now(), 1)"
        for table in RECORDS
    ]
    inserts.append(
        "INSERT INTO migrated_test.superseded_logs_versions (cluster, log_id, start_time, version)"
        f" VALUES ('{cluster}', 'partial', now(), 1)"
    )
    for insert in inserts[::order]:
        client.command(insert)
    of_both = f"WHERE cluster IN ('{cluster}', '{other}') ORDER BY cluster DESC"
    for table in RECORDS:
        shown = client.query(f"SELECT cluster, log_id FROM migrated_test.{table} {of_both}").result_rows
        assert shown == [(cluster, "whole"), (other, "partial")], table


def test_a_dead_letter_is_open_until_the_log_of_that_name_is_published(migrated, client):
    client.command(
        "INSERT INTO migrated_test.dead_letters_versions (cluster, source, id, file, time, version) VALUES"
        " ('c', 'darshan', 'mended', '/logs/a.darshan', '2026-01-02', 1),"
        " ('c', 'darshan', 'again', '/logs/b.darshan', '2026-01-04', 1),"
        " ('c', 'darshan', 'never', '/logs/c.darshan', '2026-01-02', 1),"
        " ('d', 'darshan', 'elsewhere', '/logs/a.darshan', '2026-01-02', 1),"
        " ('c', 'sacct', 'line', '/logs/a.darshan', '2026-01-02', 1),"
        " ('c', 'job-analysis', 'message', NULL, '2026-01-02', 1)"
    )
    client.command(
        "INSERT INTO migrated_test.runs_versions"
        " (cluster, log_id, file_name, start_time, version, landed_at) VALUES"
        " ('c', '1', 'a.darshan', now(), 1, '2026-01-03'),"
        " ('c', '2', 'b.darshan', now(), 1, '2026-01-03')"
    )
    letters = client.query("SELECT id FROM migrated_test.dead_letters_open ORDER BY id").result_rows
    assert [id for (id,) in letters] == ["again", "elsewhere", "line", "message", "never"]


def test_a_changed_file_is_refused(migrated, client, tmp_path):
    changed = tmp_path / migrated.migrations[0].up_file.name
    changed.write_text("SELECT 1;\n")
    tampered = [dataclasses.replace(migrated.migrations[0], up_file=changed), *migrated.migrations[1:]]
    with pytest.raises(UserError, match="has changed since"):
        list(Migrator(client, migrated.database, tampered).up())


def test_down_takes_everything_away_and_up_brings_the_same_back(migrated, client):
    first = tables(client, migrated.database)
    assert {"runs", "runs_versions", "landings"} <= first.keys()
    list(migrated.down(0))
    assert tables(client, migrated.database) == {}
    assert len(list(migrated.up())) == len(all_migrations())
    assert tables(client, migrated.database) == first
    assert list(migrated.up()) == []
