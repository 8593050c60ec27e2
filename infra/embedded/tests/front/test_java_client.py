"""The Java client that the Flink jobs use, in a JVM of its own."""

import shutil
import subprocess
from pathlib import Path

import pytest
from front_process import FrontProcess

MODULE = Path(__file__).parent / "java-client"
ROWS = 10_000


@pytest.mark.skipif(
    not (shutil.which("mvn") and shutil.which("java")),
    reason="needs mvn and java on PATH to build the client",
)
def test_java_client_writes_and_reads(front: FrontProcess, tmp_path: Path) -> None:
    front.ask(
        "migrator", "CREATE OR REPLACE TABLE weir.java (k UInt64, v String) ENGINE = MergeTree ORDER BY k"
    )
    goals = ["compile", "dependency:build-classpath", f"-Dmdep.outputFile={tmp_path / 'classpath'}"]
    subprocess.run(["mvn", "-q", "-B", "-f", MODULE / "pom.xml", *goals], check=True, timeout=300)
    classpath = f"{MODULE / 'target/classes'}:{(tmp_path / 'classpath').read_text().strip()}"
    done = subprocess.run(
        ["java", "-cp", classpath, "weir.front.FrontClient", front.url.rstrip("/"), str(ROWS)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    total = 4 * ROWS
    assert dict(line.split("=", 1) for line in done.stdout.splitlines()) == {
        "ping": "true",
        "rowbinary_written": str(ROWS),
        "rowbinary_packed_written": str(ROWS),
        "native_written": str(ROWS),
        "native_packed_written": str(ROWS),
        "count": str(total),
        "sum": str(total * (total - 1) // 2),
        "distinct": str(total),
        "streamed_sum": str(total * (total - 1) // 2),
        "parameter": "v7",
        "empty_rows": "0",
        "schema": "2",
        "refused": "497",
        "stranger": "516",
    }
