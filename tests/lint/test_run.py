"""How suites are run: what is set up for them, in which order, and what is said in the end."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

import long_runs
import run
from suites import LongRun, Suite
from weir_embedded.setup import Part


def says(name, code=0, lines="", **more):
    """A suite that prints these lines and ends with this code."""
    program = f"import sys; print({lines!r}); sys.exit({code})"
    return Suite(name, (sys.executable, "-c", program), more.pop("budget", 60), **more)


@pytest.fixture
def set_up(monkeypatch):
    """What was set up, call by call; nothing is."""
    asked, shown = [], run._shown

    def instead(name, command, *rest):
        if name == "set-up":
            asked.append(command[2:])
            return 0
        return shown(name, command, *rest)

    monkeypatch.setattr(run, "_shown", instead)
    return asked


@pytest.fixture
def kept(monkeypatch, tmp_path):
    """A long run of its own, whose subject is a file below a folder of its own."""
    (tmp_path / "subject.txt").write_text("one")
    monkeypatch.setattr(long_runs, "RESULTS", tmp_path / "long_runs")
    monkeypatch.setattr(long_runs, "ROOT", tmp_path)
    monkeypatch.setattr(run, "ROOT", tmp_path)

    def long_run(*suites):
        made = LongRun("made", suites, ("*.txt",), r"=+ (\d+ passed.*?) =+$|(took .*)", in_test=True)
        monkeypatch.setattr(run, "LONG_RUNS", (made,))
        return made

    return long_run


def test_what_suites_need_is_set_up_once_and_nothing_else(set_up):
    lane = (says("a"), says("b", needs=(Part.JOBS,)), says("c", needs=(Part.KAFKA, Part.JOBS)), says("d"))
    assert [result.code for result in run.run_stages([(lane,)])] == [0, 0, 0, 0]
    assert set_up == [(Part.JOBS,), (Part.KAFKA,)]


def test_lint_sets_nothing_up(set_up, monkeypatch):
    monkeypatch.setattr(run, "lint", lambda: ((says("lint: x"),),))
    assert run.main(["lint"]) == 0
    assert set_up == []


def test_a_suite_whose_needs_cannot_be_set_up_fails_and_says_so(monkeypatch):
    monkeypatch.setattr(run, "_shown", lambda *_: 3)
    (result,) = run.run_stages([((says("a", needs=(Part.JOBS,)),),)])
    assert (result.code, result.reasons) == (1, ("what it needs could not be set up",))


def test_a_failing_suite_keeps_no_other_from_running_and_its_reason_is_the_last_line(capsys):
    bad = says("bad", 1, "FAILED test_x - because")
    results = run.run_stages([((bad, says("next")),), ((says("later"),),)])
    assert [(result.suite.name, result.code) for result in results] == [("bad", 1), ("next", 0), ("later", 0)]
    run.tell(results, 1)
    assert capsys.readouterr().out.splitlines()[-1] == "bad | FAILED test_x - because"


def test_who_exceeded_the_budget_is_named(capsys):
    slow, quick = says("slow", budget=5), says("quick", budget=5)
    run.tell([run.Result(slow, 0, 7.2), run.Result(quick, 0, 4.9)], 8)
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("over budget")]
    assert told == ["over budget: slow, 7 of 5 s"]


def test_a_long_run_is_kept_with_its_figures_and_due_when_its_subject_changes(kept, tmp_path, capsys):
    made = kept(says("first", lines="took 3 s\n=== 4 passed in 2.00s ==="), says("second"))
    assert long_runs.why_due(made) == "it has never been recorded"
    run.run_stages([(made.suites,)])
    told = json.loads((tmp_path / "long_runs/made.json").read_text())
    assert told["figures"] == ["took 3 s", "4 passed in 2.00s"]
    assert told["seconds"].keys() == {"first", "second"}
    assert "GiB" in told["machine"]
    assert long_runs.why_due(made) == "" and run.due([made]) == []
    (tmp_path / "subject.txt").write_text("two")
    assert long_runs.why_due(made) == f"its subject has changed since {told['date']}"
    assert "make long RUN=made" in run.due([made])[0]


@pytest.mark.parametrize(
    "suites",
    [
        (says("fails", 1),),
        (says("skips", lines="=== 4 passed, 1 skipped in 2.00s ==="),),
        (says("nothing", lines="=== 5 skipped in 2.00s ==="),),
        (says("good"), says("fails", 1)),
    ],
    ids=lambda suites: suites[-1].name,
)
def test_a_long_run_that_did_not_pass_as_a_whole_is_not_kept(kept, suites):
    made = kept(*suites)
    run.run_stages([(made.suites,)])
    assert long_runs.read(made) is None


def test_a_long_run_is_kept_though_what_follows_it_never_ends(kept, monkeypatch):
    made = kept(says("long"))
    run_one = run.run

    def killed_at_the_next(suite, set_up):
        if suite.name == "next":
            raise KeyboardInterrupt
        return run_one(suite, set_up)

    monkeypatch.setattr(run, "run", killed_at_the_next)
    with pytest.raises(KeyboardInterrupt):
        run.run_stages([((*made.suites, says("next")),)])
    assert long_runs.read(made)


def test_a_pattern_that_no_file_fits_is_an_error(kept, tmp_path):
    made = kept()
    (tmp_path / "subject.txt").unlink()
    with pytest.raises(ValueError, match=r"made: \*\.txt fits no file"):
        long_runs.subject(made)


def test_a_long_run_is_part_of_the_test_only_while_it_is_due(kept, monkeypatch):
    long, short = says("long"), says("short")
    made = kept(long)
    monkeypatch.setattr(run, "CONTINUOUS", (((short, long),),))
    monkeypatch.setattr(run, "every_stage", lambda: (((short, long),),))
    assert run.stages_of_test([]) == [((short, long),)]
    run.record(long, [run.Result(long, 0, 1)])
    assert run.stages_of_test([]) == [((short,),)]
    assert run.stages_of_long([]) == [((),)]
    assert run.stages_of_long(["made"]) == run.stages_of_test(["lon"]) == [((long,),)]
    assert long_runs.read(made)


def test_where_time_has_run_out_no_long_run_is_begun_and_it_stays_due(kept, monkeypatch):
    made = kept(says("long"))
    stages = [((says("short"), says("long")),)]
    assert [result.suite.name for result in run.run_stages(stages, long_begin_by=-1)] == ["short"]
    monkeypatch.setattr(run, "stages_of_test", lambda names: stages)
    monkeypatch.setattr(run, "LONG_BEGIN_BY", -1)
    assert run.main(["test"]) == 0
    assert long_runs.why_due(made)
    assert [result.suite.name for result in run.run_stages(stages, long_begin_by=60)] == ["short", "long"]
    assert long_runs.read(made)
    assert run.main(["test", "long"]) == 0
    assert not long_runs.why_due(made)


def test_a_suite_is_chosen_by_the_start_of_its_name_or_of_what_follows_the_colon():
    suite = says("unit: infra")
    assert [run._is_called(suite, name) for name in ("unit", "inf", "fra")] == [True, True, False]


def test_a_name_that_no_suite_has_is_refused():
    with pytest.raises(SystemExit, match="no suite: \\['nosuch'\\]"):
        run.main(["test", "nosuch"])
    with pytest.raises(SystemExit, match="no such long run: nosuch; there are containers, "):
        run.main(["long", "nosuch"])


def test_what_needs_an_engine_is_left_out_where_none_answers(monkeypatch):
    monkeypatch.setattr(run, "_has_engine", lambda: False)
    images, other = says("images", engine=True), says("other")
    assert run.chosen([((images, other),)], lambda _: True) == [((other,),)]
