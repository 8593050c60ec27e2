"""The Java client that the Flink jobs use, and the JDBC driver of query editors, each in a JVM of its own."""

import shutil
import subprocess
from pathlib import Path

import pytest
from front_process import FrontProcess

MODULE = Path(__file__).parent / "java-client"
ROWS = 10_000


@pytest.fixture(scope="module")
def classpath(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The compiled clients and what they need."""
    if not (shutil.which("mvn") and shutil.which("java")):
        pytest.skip("needs mvn and java on PATH to build the client")
    file = tmp_path_factory.mktemp("java") / "classpath"
    goals = ["compile", "dependency:build-classpath", f"-Dmdep.outputFile={file}"]
    subprocess.run(["mvn", "-q", "-B", "-f", MODULE / "pom.xml", *goals], check=True, timeout=300)
    return f"{MODULE / 'target/classes'}:{file.read_text().strip()}"


def facts(classpath: str, program: str, *arguments: str) -> dict[str, str]:
    """What the program prints, one `name=value` a line."""
    done = subprocess.run(
        ["java", "-cp", classpath, f"weir.front.{program}", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return dict(line.split("=", 1) for line in done.stdout.splitlines())


def test_java_client_writes_and_reads(front: FrontProcess, classpath: str) -> None:
    front.ask(
        "migrator", "CREATE OR REPLACE TABLE weir.java (k UInt64, v String) ENGINE = MergeTree ORDER BY k"
    )
    total = 4 * ROWS
    assert facts(classpath, "FrontClient", front.url.rstrip("/"), str(ROWS)) == {
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


def test_jdbc_reader_with_the_settings_of_an_editor_looks_around(front: FrontProcess, classpath: str) -> None:
    front.ask(
        "migrator", "CREATE OR REPLACE TABLE weir.java (k UInt64, v String) ENGINE = MergeTree ORDER BY k"
    )
    front.ask(
        "writer", "INSERT INTO weir.java SELECT number, concat('v', toString(number)) FROM numbers(5000)"
    )
    assert facts(classpath, "JdbcReader", front.url.rstrip("/")) == {
        "product": "ClickHouse",
        "schemas": "true",
        "tables": "[java]",
        "columns": "[k, v]",
        "functions": "true",
        "most_rows": "[0, 1, 2]",
        "all_rows": "5000",
        "joined": "[5000]",
        "prepared": "[v7]",
        "refused": "497",
    }
