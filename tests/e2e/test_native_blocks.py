"""The sink's own Native blocks, read back from the real engine (ClickHouseEngineE2ECase of flink-jobs)."""

import os
import subprocess

import pytest
from clients import clickhouse
from weir_embedded.setup import java_environment

TABLES = "SELECT DISTINCT table FROM system.columns WHERE database = 'weir' AND name = 'cluster'"


@pytest.fixture
def no_trace(stack):
    """The rows of the test's own clusters are taken away, for the dashboards show all clusters."""
    yield
    client = clickhouse(stack, "migrator")
    for (table,) in client.query(TABLES).result_rows:
        if table.endswith("_versions") or table in ("landings", "landings_hourly"):
            sql = f"ALTER TABLE {table} DELETE WHERE startsWith(cluster, 'test-')"
            client.command(sql, settings={"mutations_sync": 1})


def test_every_column_of_every_table_comes_back(center, stack, no_trace):
    command = [
        "mvn", "--batch-mode", "--no-transfer-progress", "--projects", "common", "--also-make", "test",
        "-Dtest=ClickHouseEngineE2ECase", "-Dsurefire.failIfNoSpecifiedTests=false",
    ]  # fmt: skip
    engine = {
        "WEIR_TEST_CLICKHOUSE_URL": stack.clickhouse_url,
        "WEIR_TEST_CLICKHOUSE_PASSWORD": stack.clickhouse_secret("writer").read_text().strip(),
    }
    done = subprocess.run(
        command,
        cwd=stack.root / "flink-jobs",
        env=os.environ | java_environment() | engine,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:]
    assert "Tests run: 8, Failures: 0, Errors: 0, Skipped: 0" in done.stdout
