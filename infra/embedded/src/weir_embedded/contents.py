"""What a started stack is filled with: topics, tables, the site and its rules, Superset's assets.

Every step may be repeated: it brings its subject to the state that the checkout declares.
"""

import sys
from pathlib import Path

from weir_embedded.commands import run
from weir_embedded.progress import Board
from weir_embedded.settings import Stack

AFTER_WAVE = 1
"""After the servers are healthy and before the jobs are submitted."""


def publish(stack: Stack, board: Board) -> None:
    """All of it, in order."""
    weir(stack, board, "Create the topics", "topics", "apply")
    weir(stack, board, "Migrate the tables", "migrate", "up")


def weir(stack: Stack, board: Board, title: str, *words: str) -> None:
    """One `weir` command as a step."""
    with board.step(title) as step:
        run(
            [Path(sys.executable).with_name("weir"), *words],
            log=stack.logs / f"weir-{'-'.join(words[:2])}.log",
            step=step,
            env={"WEIR_CONFIG": str(stack.weir_config)},
        )
