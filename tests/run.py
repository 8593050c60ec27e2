"""`make test`: every suite of the repository, one after the other, and how they ended.

A failing suite does not keep the next ones from running. Arguments choose suites by the start of a name.
"""

import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table
from weir_embedded.setup import java_environment

ROOT = Path(__file__).parents[1]
PYTHON = sys.executable
RUFF = str(Path(PYTHON).with_name("ruff"))
PYTEST = (PYTHON, "-m", "pytest", "-ra", "--color=no", "-p", "no:cacheprovider")
MAVEN = ("mvn", "--batch-mode", "--no-transfer-progress", "-Dstyle.color=never")


@dataclass(frozen=True)
class Suite:
    """A command, where it runs and what it adds to the environment."""

    name: str
    command: tuple[str, ...]
    folder: str = "."
    env: dict[str, str] = field(default_factory=dict)


SUITES = (
    Suite("lint: format", (RUFF, "format", "--check", ".")),
    Suite("lint: rules", (RUFF, "check", ".")),
    Suite("lint: types of ingest", (PYTHON, "-m", "mypy"), "ingest"),
    Suite("lint: types of infra", (PYTHON, "-m", "mypy"), "infra/embedded"),
    Suite("ingest and schemas", (*PYTEST, "tests"), "ingest"),
    Suite("infra", (*PYTEST, "tests"), "infra/embedded"),
    Suite("superset", (*PYTEST, "tests"), "superset", {"PYTHONPATH": str(ROOT / "superset")}),
    Suite("flink-jobs", (*MAVEN, "verify"), "flink-jobs", {"WEIR_TEST_PYTHON": PYTHON}),
    Suite("sim", (*PYTEST, "sim"), "tests"),
    Suite("stack: end to end, browser, faults", (*PYTEST, "e2e", "browser", "faults"), "tests"),
)


def main(chosen: list[str]) -> int:
    """Run the suites; the number of those that failed."""
    console = Console(width=None if sys.stdout.isatty() else 140, highlight=False)
    table = Table("suite", "result", "seconds")
    failed = 0
    for suite in SUITES:
        if chosen and not suite.name.startswith(tuple(chosen)):
            continue
        console.rule(suite.name)
        started = time.monotonic()
        code = subprocess.run(
            suite.command,
            cwd=ROOT / suite.folder,
            env={**os.environ, **java_environment(), **suite.env},
            check=False,
        ).returncode
        failed += code != 0
        result = "[green]passed[/]" if code == 0 else f"[red]failed ({code})[/]"
        table.add_row(suite.name, result, f"{time.monotonic() - started:.0f}")
    console.print(table)
    return failed


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))
