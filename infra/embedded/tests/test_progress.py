import io
import re
import time

import pytest
from rich.console import Console
from weir_embedded import progress
from weir_embedded.commands import run
from weir_embedded.errors import StackError
from weir_embedded.progress import Board, in_parallel


@pytest.fixture
def board():
    return Board(Console(file=io.StringIO(), width=200))


def text(board):
    return board.console.file.getvalue()


def test_a_long_step_is_never_silent_where_there_is_no_terminal(board, monkeypatch):
    monkeypatch.setattr(progress, "HEARTBEAT_SECONDS", 0.5)
    with board.shown(), board.step("Fetch") as step:
        step.note("12 of 90 files")
        time.sleep(1.7)
    assert len(re.findall(r"Fetch: \d+ s 12 of 90 files", text(board))) >= 2
    assert "✓ Fetch" in text(board)


def test_a_failing_program_shows_the_end_of_its_output_and_where_the_rest_is(board, tmp_path):
    with board.shown(), board.step("Build") as step, pytest.raises(StackError) as failure:
        run(["sh", "-c", "echo early; echo the reason; exit 3"], tmp_path / "build.log", step)
    assert "code 3" in str(failure.value)
    assert str(tmp_path / "build.log") in str(failure.value)
    assert failure.value.detail.endswith("the reason")


def test_one_failing_lane_lets_the_other_finish_its_step_but_start_no_new_one():
    done = []

    def fail():
        time.sleep(0.1)
        raise StackError("no")

    def slow():
        time.sleep(0.3)
        done.append("slow")

    with pytest.raises(StackError):
        in_parallel([[fail, lambda: done.append("never")], [slow, lambda: done.append("never")]])
    assert done == ["slow"]
