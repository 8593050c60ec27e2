"""The sink's own Native blocks, read back from the real engine (ClickHouseEngineE2ECase of flink-jobs)."""

import os
import subprocess

from weir_embedded.setup import java_environment


def test_every_column_of_every_table_comes_back(center, stack):
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
