import shutil

import pytest
from rich.console import Console
from weir_embedded import setup
from weir_embedded.errors import StackError
from weir_embedded.programs import built_jars
from weir_embedded.progress import Board
from weir_embedded.settings import Stack


@pytest.fixture
def board():
    return Board(Console(quiet=True))


def test_a_step_is_done_once_and_again_when_any_of_its_results_is_gone(unstarted, board, tmp_path):
    results, done = [tmp_path / "one.jar", tmp_path / "two.jar"], []

    def work(step):
        done.append(step)
        for result in results:
            result.touch()

    def once():
        setup.once(unstarted, board, "Build", "inputs", work, *results)

    once()
    once()
    assert len(done) == 1
    results[1].unlink()
    once()
    assert len(done) == 2


def test_a_step_that_leaves_out_a_result_is_an_error_and_not_done_again_for_ever(unstarted, board, tmp_path):
    with pytest.raises(StackError, match=r"Build: .*two\.jar"):
        setup.once(unstarted, board, "Build", "inputs", lambda _: None, tmp_path, tmp_path / "two.jar")


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """A checkout that holds the poms and what they name, and a Maven that counts its calls."""
    root = Stack().root
    for pom in root.glob("flink-jobs/**/pom.xml"):
        copied = tmp_path / "root" / pom.relative_to(root)
        copied.parent.mkdir(parents=True)
        copied.write_bytes(pom.read_bytes())
    shutil.copytree(root / "schemas", tmp_path / "root/schemas")
    stack = Stack(root=tmp_path / "root", home=tmp_path / "home", packages=tmp_path / "packages")
    calls = []

    def maven(argv, **_):
        calls.append(argv)
        for jar in built_jars(stack):
            jar.parent.mkdir(exist_ok=True)
            jar.touch()

    monkeypatch.setattr(setup, "run", maven)
    return stack, calls


@pytest.mark.parametrize(
    "read",
    [
        "clickhouse/9999_more.up.sql",
        "avro/More.avsc",
        "avro/history/Older.avsc",
        "rules/more.yaml",
        "vectors/more.json",
    ],
)
def test_the_jobs_are_built_again_when_anything_that_their_build_reads_is_added(sources, board, read):
    stack, calls = sources
    setup.build_jobs(stack, board)
    setup.build_jobs(stack, board)
    assert len(calls) == 1
    (stack.root / "schemas" / read).write_text("new")
    setup.build_jobs(stack, board)
    assert len(calls) == 2


def test_what_the_build_does_not_read_repeats_nothing(sources, board):
    stack, calls = sources
    setup.build_jobs(stack, board)
    (stack.root / "schemas/site.schema.json").write_text("{}")
    setup.build_jobs(stack, board)
    assert len(calls) == 1


def test_only_the_parts_that_are_asked_for_are_set_up(unstarted, board, monkeypatch):
    done = []
    for step in ("fetch_kafka", "build_jobs", "fetch_flink", "install_superset", "initialize_superset"):
        monkeypatch.setattr(setup, step, lambda stack, board, step=step: done.append(step))
    setup.set_up(unstarted, board, [setup.Part.JOBS])
    assert done == ["build_jobs"]
    setup.set_up(unstarted, board)
    assert sorted(done[1:]) == sorted(
        ["fetch_kafka", "build_jobs", "fetch_flink", "install_superset", "initialize_superset"]
    )
