import pytest
from weir_embedded import setup
from weir_embedded.programs import built_jars
from weir_embedded.progress import Board
from weir_embedded.settings import Stack


def test_jobs_that_have_been_built_are_not_built_again(capsys):
    stack = Stack()
    if not all(jar.exists() for jar in built_jars(stack)):
        pytest.skip("the Flink jobs are not built: weir-stack setup")
    # the first brings them up to date with the sources
    setup.build_jobs(stack, Board())
    capsys.readouterr()
    setup.build_jobs(stack, Board())
    assert capsys.readouterr().out == "✓ Build the Flink jobs (unchanged)\n"
