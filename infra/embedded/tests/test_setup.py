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


def test_jobs_that_have_been_built_are_not_built_again(capsys):
    stack = Stack()
    if not all(jar.exists() for jar in built_jars(stack)):
        pytest.skip("the Flink jobs are not built: weir-stack setup")
    # the first brings them up to date with the sources
    setup.build_jobs(stack, Board())
    capsys.readouterr()
    setup.build_jobs(stack, Board())
    assert capsys.readouterr().out == "✓ Build the Flink jobs (unchanged)\n"
