"""The suites of the repository: set up what they need, run them side by side, show how they ended.

    python tests/run.py test [SUITE...]   all, or those whose names begin so (`make test`)
    python tests/run.py lint              what the files alone say (`make lint`)
    python tests/run.py unit              the developer's loop (`make unit`)
    python tests/run.py long [RUN...]     long runs, those whose subject has changed since if none is named

A failing suite does not keep the next ones from running. What the suites are: suites.py.
"""

import math
import os
import re
import shutil
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

import long_runs
from rich.console import Console
from rich.table import Table
from suites import (
    CONTINUOUS,
    LONG_BEGIN_BY,
    LONG_RUNS,
    ROOT,
    Lane,
    LongRun,
    Stage,
    Suite,
    every_stage,
    lint,
    unit,
)
from weir_embedded.setup import Part, java_environment

# The lines in which pytest, Maven, mypy and ruff say what failed, without Maven's advice after each failure.
MAVEN_ADVICE = r"(?:->|\[Help|To see|Re-run|For more|After correcting|  mvn )"
OWN_PLACE = r"(?!\S*/site-packages/)\S+:\d+(:\d+)?: "
REASON = re.compile(rf"(FAILED|ERROR) |E   +\S|\[ERROR\] (?!{MAVEN_ADVICE})|{OWN_PLACE}|✗ ")
REASONS_KEPT = 30
SKIPPED = re.compile(r"=+ .*\b\d+ skipped")


@dataclass(frozen=True)
class Result:
    """How a suite ended, the last lines that say why it failed, and what a long run keeps of its output."""

    suite: Suite
    code: int
    seconds: float
    reasons: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    skipped: bool = False

    @property
    def over_budget(self) -> bool:
        """Whether it took longer than suites.py allows."""
        return self.seconds > self.suite.budget


class SetUp:
    """Brings what suites need up to date, each part once and one call at a time."""

    def __init__(self) -> None:
        self._done: set[Part] = set()
        self._lock = Lock()

    def bring(self, suite: Suite) -> int:
        """0, or the exit code of `weir-stack setup`."""
        with self._lock:
            missing = [part for part in suite.needs if part not in self._done]
            if not missing:
                return 0
            command = (str(Path(sys.executable).with_name("weir-stack")), "setup", *missing)
            code = _shown("set-up", command, ROOT, {}, lambda line: None)
            self._done.update(missing if code == 0 else ())
            return code


def run(suite: Suite, set_up: SetUp) -> Result:
    """Run a suite to its end, after what it needs; its seconds are its own."""
    if set_up.bring(suite):
        return Result(suite, 1, 0, ("what it needs could not be set up",))
    reasons: deque[str] = deque(maxlen=REASONS_KEPT)
    figures: list[str] = []
    skipped: list[str] = []
    kept = next((re.compile(each.figures) for each in LONG_RUNS if suite in each.suites), None)

    def heard(line: str) -> None:
        if REASON.match(line):
            reasons.append(line)
        if SKIPPED.match(line):
            skipped.append(line)
        if kept and (match := kept.fullmatch(line)):
            figures.extend(group for group in match.groups() if group)

    started = time.monotonic()
    environment = {**java_environment(), "PYTHONUNBUFFERED": "1", **suite.env}
    code = _shown(suite.name, suite.command, ROOT / suite.folder, environment, heard)
    seconds = time.monotonic() - started
    return Result(suite, code, seconds, tuple(reasons), tuple(figures), bool(skipped))


def _shown(
    name: str, command: Iterable[str], folder: Path, environment: dict[str, str], heard: Callable[[str], None]
) -> int:
    """The exit code of a command, each line of which is shown behind a name and heard."""
    with subprocess.Popen(
        [*command],
        cwd=folder,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(f"{name} | {line}", end="", flush=True)
            heard(line.rstrip())
    return process.returncode


def run_stages(stages: Iterable[Stage], long_begin_by: float = math.inf) -> list[Result]:
    """The lanes of a stage side by side, stages and the suites of a lane one after the other.

    After `long_begin_by` seconds no suite of a long run is begun: it stays due. Results come in the order in
    which suites end; a long run is recorded once its last one has, and so kept if what follows is killed.
    """
    set_up = SetUp()
    started = time.monotonic()
    long = {suite.name for each in LONG_RUNS for suite in each.suites}
    results: list[Result] = []
    recording = Lock()

    def walk(lane: Lane) -> None:
        for suite in lane:
            if suite.name not in long or time.monotonic() - started <= long_begin_by:
                result = run(suite, set_up)
                with recording:
                    results.append(result)
                    record(suite, results)

    for stage in stages:
        with ThreadPoolExecutor(max(1, len(stage))) as lanes:
            list(lanes.map(walk, stage))  # raises what a lane raised
    return results


def chosen(stages: Iterable[Stage], wanted: Callable[[Suite], bool]) -> list[Stage]:
    """The stages without the suites that are not wanted, or cannot run here."""
    has_engine = _has_engine()

    def stays(suite: Suite) -> bool:
        return wanted(suite) and (not suite.engine or has_engine)

    return [tuple(tuple(filter(stays, lane)) for lane in stage) for stage in stages]


def _has_engine() -> bool:
    """Whether a container engine answers, or must: then what runs on it says that none does."""
    return bool(os.environ.get("WEIR_REQUIRE_CONTAINERS")) or (
        bool(shutil.which("docker"))
        and not subprocess.run(["docker", "info"], capture_output=True, check=False).returncode
    )


def stages_of_test(names: list[str]) -> list[Stage]:
    """All but the long runs whose results still hold; or every suite whose name begins so."""
    if names:
        stages = chosen(every_stage(), lambda suite: any(_is_called(suite, name) for name in names))
        return stages if any(lane for stage in stages for lane in stage) else sys.exit(f"no suite: {names}")
    fresh = {suite.name for run in LONG_RUNS if not long_runs.why_due(run) for suite in run.suites}
    return chosen(CONTINUOUS, lambda suite: suite.name not in fresh)


def _is_called(suite: Suite, name: str) -> bool:
    """Whether the suite's name, or what follows its colon, begins so."""
    return any(part.startswith(name) for part in (suite.name, suite.name.partition(": ")[2]))


def stages_of_long(names: list[str]) -> list[Stage]:
    """The suites of these long runs, or of those that are due."""
    unknown = set(names) - {run.name for run in LONG_RUNS}
    if unknown:
        known = ", ".join(run.name for run in LONG_RUNS)
        sys.exit(f"no such long run: {', '.join(sorted(unknown))}; there are {known}")
    runs = [run for run in LONG_RUNS if (run.name in names if names else long_runs.why_due(run))]
    mine = {suite.name for run in runs for suite in run.suites}
    return chosen(every_stage(), lambda suite: suite.name in mine)


def record(last: Suite, results: list[Result]) -> None:
    """Keep what came of the long run that ends with this suite, if all passed and no test was skipped."""
    passed = {result.suite.name: result for result in results if result.code == 0 and not result.skipped}
    for each in LONG_RUNS:
        ended = [passed[suite.name] for suite in each.suites if suite.name in passed]
        if last in each.suites and len(ended) == len(each.suites):
            figures = [figure for result in ended for figure in result.figures]
            long_runs.keep(each, {result.suite.name: round(result.seconds) for result in ended}, figures)
            print(f"{long_runs.file_of(each).relative_to(ROOT)} holds the new result: commit it.")


def tell(results: list[Result], seconds: float) -> None:
    """The table, what took longer than it may, what is due, and last why suites failed."""
    console = Console(width=None if sys.stdout.isatty() else 140, highlight=False)
    table = Table("suite", "result", "seconds", "budget")
    for result in results:
        ended = "[green]passed[/]" if result.code == 0 else f"[red]failed ({result.code})[/]"
        took = f"[yellow]{result.seconds:.0f}[/]" if result.over_budget else f"{result.seconds:.0f}"
        table.add_row(result.suite.name, ended, took, str(result.suite.budget))
    console.print(table)
    console.print(f"{seconds:.0f} s in all")
    for result in results:
        if result.over_budget:
            console.print(
                f"over budget: {result.suite.name}, {result.seconds:.0f} of {result.suite.budget} s"
            )
    for notice in due(LONG_RUNS):
        console.print(notice, soft_wrap=True)
    for result in results:  # last, as many a log keeps no more than its end
        for reason in result.reasons if result.code else ():
            print(f"{result.suite.name} | {reason}")


def due(runs: Iterable[LongRun]) -> list[str]:
    """A line for each long run whose subject has changed since its last result."""
    found = [(run, long_runs.why_due(run)) for run in runs]
    return [f"due: the long run {run.name} ({why}): make long RUN={run.name}" for run, why in found if why]


def main(words: list[str]) -> int:
    """Run what is asked for; 1 if any suite failed."""
    what, *names = words or ["test"]
    ways = {
        "test": lambda: stages_of_test(names),
        "long": lambda: stages_of_long(names),
        "lint": lambda: [lint()],
        "unit": lambda: [unit()],
    }
    if what not in ways:
        sys.exit(__doc__)
    started = time.monotonic()
    results = run_stages(ways[what](), LONG_BEGIN_BY if what == "test" and not names else math.inf)
    tell(results, time.monotonic() - started)
    return 1 if any(result.code for result in results) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
