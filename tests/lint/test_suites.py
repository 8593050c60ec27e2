"""The table of suites, and the page that shows it."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

import long_runs  # noqa: E402
import suites  # noqa: E402

README = (ROOT / "tests/README.md").read_text()
ALL = {
    suite.name: suite for stage in [*suites.every_stage(), suites.unit()] for lane in stage for suite in lane
}


def needs(suite):
    """As the page words it."""
    if suite.needs == suites.STACK:
        return "a stack"
    return ", ".join([*suite.needs, *["a container engine"] * suite.engine])


def test_the_page_shows_every_suite_with_its_budget_and_needs():
    shown = re.findall(r"^\| ([^|`]+?) \| (\d+) \| ([^|]*?) ?\|$", README, re.MULTILINE)
    assert shown == [(name, str(suite.budget), needs(suite)) for name, suite in ALL.items()]


def test_the_page_shows_every_long_run():
    shown = re.findall(r"^\| `(\w+)` \| .* \| (repeats it|tries .*) \|$", README, re.MULTILINE)
    assert [(name, told == "repeats it") for name, told in shown] == [
        (run.name, run.in_test) for run in suites.LONG_RUNS
    ]


def test_every_pattern_of_a_long_run_fits_a_file_and_its_suites_are_run():
    for run in suites.LONG_RUNS:
        assert len(long_runs.subject(run)) == 64
        assert {suite.name for suite in run.suites} <= ALL.keys()


def test_kept_results_can_be_read_and_are_of_long_runs():
    names = {run.name for run in suites.LONG_RUNS}
    assert {file.stem for file in long_runs.RESULTS.glob("*")} <= names
    for run in suites.LONG_RUNS:
        kept = long_runs.read(run)
        if kept is not None:
            assert kept.keys() == {"date", "machine", "seconds", "figures", "subject"}
            assert kept["seconds"].keys() == {suite.name for suite in run.suites}


def test_what_the_developers_loop_leaves_out_is_part_of_the_test():
    quick = {suite.name for lane in suites.unit() for suite in lane}
    told = {suite.name: suite for stage in suites.CONTINUOUS for lane in stage for suite in lane}
    assert quick - told.keys() == {"unit: flink-jobs"}  # flink-jobs is all of it
    for loop in (suites.INGEST, suites.INFRA):
        rest = [suite for suite in told.values() if suite.folder == loop.folder and "slow" in suite.command]
        (whole,) = [suite for suite in rest if "tests" in suite.command]
        ignored = {word[len("--ignore=") :] for word in whole.command if word.startswith("--ignore=")}
        assert all(any(one in suite.command for suite in told.values()) for one in ignored)


@pytest.mark.parametrize("lane", suites.lint(), ids=lambda lane: lane[0].name)
def test_lint_needs_nothing_to_be_set_up(lane):
    assert [suite.name for suite in lane if suite.needs or suite.engine] == []
