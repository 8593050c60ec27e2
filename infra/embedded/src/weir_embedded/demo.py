"""The demo's own steps: the recorded center, replayed into a running stack, and the mails that follow."""

import os
import subprocess
import sys
from pathlib import Path

from tenacity import Retrying, retry_if_not_result, stop_after_delay, wait_fixed

from weir_embedded.errors import StackError
from weir_embedded.parts.part import get
from weir_embedded.progress import Board
from weir_embedded.settings import Stack

QUIET_SECONDS, MOST_SECONDS = 10, 60


def replay(stack: Stack, speed: float | None, fresh: bool) -> None:
    """Replay and wait until all has landed; `weir` shows its progress and the final table itself."""
    options = ["--live", *(["--speed", str(speed)] if speed else []), *(["--fresh"] if fresh else [])]
    done = subprocess.run(
        [Path(sys.executable).with_name("weir"), "replay", *options, stack.recorded_center],
        env={**os.environ, "WEIR_CONFIG": str(stack.weir_config)},
        check=False,
    )
    if done.returncode != 0:
        raise StackError("The replay did not come through: see above, and make status, make logs.")


def await_mails(stack: Stack, board: Board) -> None:
    """Wait for the mails about the recorded jobs, which follow some seconds after their results."""
    with board.step("Wait for the mails") as step:
        counts = [-1]

        def is_over() -> bool:
            counts.append(len(get(f"{stack.mailbox_url}/messages/").json()["messages"]))
            step.note(f"{counts[-1]} mails")
            return counts[-1] > 0 and counts[-1] == counts[-2]

        Retrying(
            retry=retry_if_not_result(bool),
            wait=wait_fixed(QUIET_SECONDS),
            stop=stop_after_delay(MOST_SECONDS),
            retry_error_callback=lambda _: None,
        )(is_over)
