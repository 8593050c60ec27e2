"""What restarted, when and why: kept in a small file, so that a loop is reported with its cause."""

import os
import re
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from pydantic import BaseModel, ValidationError

RECENT_SECONDS = 900
FEW = 3
OVER_SECONDS = 90
MOST_KEPT = 500


class Restart(BaseModel):
    """One restart of a part of the stack or of a Flink job."""

    time: float
    part: str
    cause: str


class Loop(BaseModel):
    """A part that restarts for the same cause more than a few times."""

    cause: str
    times: int

    def __str__(self) -> str:
        return f"restarts again and again, {self.times} times in {RECENT_SECONDS // 60} minutes: {self.cause}"


def note(file: Path, restarts: Iterable[Restart]) -> None:
    """Add those that the file does not have; of all the newest are kept."""
    known = read(file)
    new = [restart for restart in restarts if restart not in known]
    if not new:
        return
    kept = sorted(known + new, key=lambda restart: restart.time)[-MOST_KEPT:]
    partial = file.with_suffix(f".{os.getpid()}")  # the watch and the keeper both write
    partial.write_text("".join(restart.model_dump_json() + "\n" for restart in kept))
    partial.rename(file)


def read(file: Path) -> list[Restart]:
    """All that are kept, oldest first; none where the file was cut or is no such file."""
    try:
        return [Restart.model_validate_json(line) for line in file.read_text().splitlines()]
    except (OSError, ValidationError, UnicodeDecodeError):
        return []


def loop(restarts: Iterable[Restart], part: str, now: float | None = None) -> Loop | None:
    """The cause for which a part restarts more than a few times, until it has run for a while.

    Numbers in a cause may differ.
    """
    now = time.time() if now is None else now
    recent = [
        restart for restart in restarts if restart.part == part and restart.time >= now - RECENT_SECONDS
    ]
    if not recent:
        return None
    newest = max(recent, key=lambda restart: restart.time)
    times = Counter(_kind(restart.cause) for restart in recent)[_kind(newest.cause)]
    is_loop = times > FEW and newest.time >= now - OVER_SECONDS
    return Loop(cause=newest.cause, times=times) if is_loop else None


def _kind(cause: str) -> str:
    return re.sub(r"\d+", "0", cause)
