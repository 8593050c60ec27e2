"""`make test`: every suite of the repository, and how they ended.

A failing suite does not keep the next ones from running. Arguments choose suites by the start of a name.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table
from weir_embedded.setup import java_environment

ROOT = Path(__file__).parents[1]
PYTHON = sys.executable
RUFF = str(Path(PYTHON).with_name("ruff"))
PYTEST = (PYTHON, "-m", "pytest", "-ra", "--color=no", "--durations=25", "-p", "no:cacheprovider")
MAVEN = ("mvn", "--batch-mode", "--no-transfer-progress", "-Dstyle.color=never")


def _has_engine() -> bool:
    """Whether a container engine answers; where none does, the tests of containers say so."""
    return (
        bool(shutil.which("docker"))
        and not subprocess.run(["docker", "info"], capture_output=True).returncode
    )


@dataclass(frozen=True)
class Suite:
    """A command, where it runs and what it adds to the environment."""

    name: str
    command: tuple[str, ...]
    folder: str = "."
    env: dict[str, str] = field(default_factory=dict)


CONTAINERS = {"WEIR_TEST_STACK": "containers", "TESTCONTAINERS_RYUK_DISABLED": "true"}
ON_A_STACK = (*PYTEST, "-v")
ANOTHER_STACK = {"WEIR_TEST_HOME": str(ROOT / ".weir/test-faults"), "WEIR_TEST_PORT_OFFSET": "3000"}
TIMED = "faults/test_flink_killed.py"

# Lanes run side by side, the suites of a lane one after the other. Those of the second stage have each a
# stack, as their tests mostly wait for something to come back.
STAGES = (
    (
        (Suite("flink-jobs", (*MAVEN, "verify"), "flink-jobs", {"WEIR_TEST_PYTHON": PYTHON}),),
        (
            Suite("lint: format", (RUFF, "format", "--check", ".")),
            Suite("lint: rules", (RUFF, "check", ".")),
            Suite("lint: types of ingest", (PYTHON, "-m", "mypy"), "ingest"),
            Suite("lint: types of infra", (PYTHON, "-m", "mypy"), "infra/embedded"),
            Suite("lint: types of keeper and containers", (PYTHON, "-m", "mypy"), "infra/keeper"),
            Suite("ingest and schemas", (*PYTEST, "tests"), "ingest"),
        ),
        (
            Suite(
                "infra", (*PYTEST, "tests", "../keeper/tests", "../compose/configure/tests"), "infra/embedded"
            ),
            Suite("superset", (*PYTEST, "tests"), "superset", {"PYTHONPATH": str(ROOT / "superset")}),
            Suite("sim", (*PYTEST, "sim"), "tests"),
        ),
        (
            Suite("images", ("infra/images/build",)),
            Suite("images: keys", (*PYTEST, "containers/test_images.py"), "tests"),
        )
        if _has_engine()
        else (),
    ),
    (
        (
            Suite(
                "stack: end to end, Slurm, browser, ledger, demo",
                (*ON_A_STACK, "e2e", "slurm", "browser", "ledger", "demo"),
                "tests",
            ),
            Suite("compose", (*ON_A_STACK, "containers/test_compose.py"), "tests", CONTAINERS),
        ),
        (Suite("faults", (*ON_A_STACK, "faults", f"--ignore={TIMED}"), "tests", ANOTHER_STACK),),
    ),
    # the one test with a bound of time has the machine for itself
    ((Suite("faults: timed", (*ON_A_STACK, TIMED), "tests"),),),
    (
        (
            Suite(
                "containers",
                (*ON_A_STACK, "e2e/test_center.py", "e2e/test_repeat.py", "containers/test_containers.py"),
                "tests",
                CONTAINERS,
            ),
        ),
    ),
)


# Where pytest, Maven, mypy and ruff say what failed.
REASON = re.compile(r"(FAILED|ERROR) |E   +\S|\[ERROR\] |\S+:\d+(:\d+)?: ")
REASONS_KEPT = 20


@dataclass(frozen=True)
class Result:
    """How a suite ended, and the last lines that say why it failed."""

    suite: str
    code: int
    seconds: float
    reasons: tuple[str, ...]


def run(suite: Suite) -> Result:
    """Run a suite to its end; each line that it prints begins with its name."""
    started = time.monotonic()
    reasons: deque[str] = deque(maxlen=REASONS_KEPT)
    with subprocess.Popen(
        suite.command,
        cwd=ROOT / suite.folder,
        env={**os.environ, **java_environment(), "PYTHONUNBUFFERED": "1", **suite.env},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(f"{suite.name.split(':')[0]} | {line}", end="", flush=True)
            if REASON.match(line):
                reasons.append(line.rstrip())
    return Result(suite.name, process.returncode, time.monotonic() - started, tuple(reasons))


def main(chosen: list[str]) -> int:
    """Run the suites; the number of those that failed."""

    def walk(lane: tuple[Suite, ...]) -> list[Result]:
        suites = [suite for suite in lane if not chosen or suite.name.startswith(tuple(chosen))]
        return [run(suite) for suite in suites]

    results: list[Result] = []
    with ThreadPoolExecutor() as lanes:
        for stage in STAGES:
            results += [result for lane in lanes.map(walk, stage) for result in lane]
    console = Console(width=None if sys.stdout.isatty() else 140, highlight=False)
    table = Table("suite", "result", "seconds")
    for result in results:
        ended = "[green]passed[/]" if result.code == 0 else f"[red]failed ({result.code})[/]"
        table.add_row(result.suite, ended, f"{result.seconds:.0f}")
    console.print(table)
    failed = [result for result in results if result.code != 0]
    for result in failed:  # last, as many a log keeps no more than its end
        for reason in result.reasons:
            print(f"{result.suite.split(':')[0]} | {reason}")
    return len(failed)


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))
