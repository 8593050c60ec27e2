"""Migrations on the real engine: up, down, up again; one that was killed halfway; one that was changed."""

import dataclasses

import pytest
from clients import clickhouse
from weir.admin.migrations import Migrator, all_migrations
from weir.errors import UserError


@pytest.fixture
def client(stack):
    client = clickhouse(stack, "migrator", database="")
    client.command("DROP DATABASE IF EXISTS migration_test")
    yield client
    client.command("DROP DATABASE IF EXISTS migration_test")


@pytest.fixture
def migrator(client):
    return Migrator(client, "migration_test")


def tables(client):
    rows = client.query(
        "SELECT name, create_table_query FROM system.tables WHERE database = 'migration_test' ORDER BY name"
    ).result_rows
    return {name: sql.split("UUID")[0] + sql.split("(", 1)[-1] for name, sql in rows if name != "migrations"}


def test_a_dry_run_tells_the_sql_and_does_nothing(migrator, client):
    assert any("CREATE TABLE runs_versions" in sql for sql in migrator.up(dry_run=True))
    assert tables(client) == {}


def test_down_takes_everything_away_and_up_brings_the_same_back(migrator, client):
    assert len(list(migrator.up())) == len(all_migrations())
    first = tables(client)
    assert {"runs", "runs_versions", "landings"} <= first.keys()
    list(migrator.down(0))
    assert tables(client) == {}
    list(migrator.up())
    assert tables(client) == first
    assert list(migrator.up()) == []


def test_one_that_was_killed_halfway_is_run_again(migrator, client):
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
def test_records_of_a_log_that_was_replaced_are_not_shown(migrator, client, order):
    list(migrator.up())
    inserts = [
        f"INSERT INTO migration_test.{table}_versions (cluster, log_id, start_time, version)"
        " VALUES ('c', 'partial', now(), 1), ('c', 'whole', now(), 1), ('other', 'partial', now(), 1)"
        for table in RECORDS
    ]
    inserts.append(
        "INSERT INTO migration_test.superseded_logs_versions (cluster, log_id, start_time, version)"
        " VALUES ('c', 'partial', now(), 1)"
    )
    for insert in inserts[::order]:
        client.command(insert)
    for table in RECORDS:
        shown = client.query(f"SELECT cluster, log_id FROM migration_test.{table} ORDER BY ALL").result_rows
        assert shown == [("c", "whole"), ("other", "partial")], table


def test_a_dead_letter_is_open_until_the_log_of_that_name_is_published(migrator, client):
    list(migrator.up())
    client.command(
        "INSERT INTO migration_test.dead_letters_versions (cluster, source, id, file, time, version) VALUES"
        " ('c', 'darshan', 'mended', '/logs/a.darshan', '2026-01-02', 1),"
        " ('c', 'darshan', 'again', '/logs/b.darshan', '2026-01-04', 1),"
        " ('c', 'darshan', 'never', '/logs/c.darshan', '2026-01-02', 1),"
        " ('d', 'darshan', 'elsewhere', '/logs/a.darshan', '2026-01-02', 1),"
        " ('c', 'sacct', 'line', '/logs/a.darshan', '2026-01-02', 1),"
        " ('c', 'job-analysis', 'message', NULL, '2026-01-02', 1)"
    )
    client.command(
        "INSERT INTO migration_test.runs_versions"
        " (cluster, log_id, file_name, start_time, version, landed_at) VALUES"
        " ('c', '1', 'a.darshan', now(), 1, '2026-01-03'),"
        " ('c', '2', 'b.darshan', now(), 1, '2026-01-03')"
    )
    letters = client.query("SELECT id FROM migration_test.dead_letters_open ORDER BY id").result_rows
    assert [id for (id,) in letters] == ["again", "elsewhere", "line", "message", "never"]


def test_a_changed_file_is_refused(migrator, client, tmp_path):
    list(migrator.up())
    changed = tmp_path / migrator.migrations[0].up_file.name
    changed.write_text("SELECT 1;\n")
    tampered = [dataclasses.replace(migrator.migrations[0], up_file=changed), *migrator.migrations[1:]]
    with pytest.raises(UserError, match="has changed since"):
        list(Migrator(client, "migration_test", tampered).up())
