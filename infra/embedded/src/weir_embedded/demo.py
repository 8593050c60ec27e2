"""The demo's own step: the recorded center, replayed into a running stack."""

import os
import subprocess
import sys
from pathlib import Path

from weir_embedded.errors import StackError
from weir_embedded.settings import Stack


def replay(stack: Stack, speed: float | None, fresh: bool) -> None:
    """Replay and wait until all has landed; `weir` shows its progress and the final table itself."""
    options = [*(["--speed", str(speed)] if speed else []), *(["--fresh"] if fresh else [])]
    done = subprocess.run(
        [Path(sys.executable).with_name("weir"), "replay", *options, stack.recorded_center],
        env={**os.environ, "WEIR_CONFIG": str(stack.weir_config)},
        check=False,
    )
    if done.returncode != 0:
        raise StackError("The replay did not come through: see above, and make status, make logs.")
