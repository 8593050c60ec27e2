"""What restarted, when and why: kept in a small file, so that a loop is reported with its cause."""

import os
import re
import time
from collections import defaultdict, deque
from collections.abc import Iterable
from pathlib import Path

from pydantic import BaseModel, ValidationError, computed_field

RECENT_SECONDS = 900
FEW = 3
OVER_SECONDS = 90
MOST_KEPT = 500


class Restart(BaseModel):
    """One restart of a part of the stack or of a Flink job."""

    time: float
    part: str
    cause: str
    times: int = 1
    """Which one for this cause it is, of those in `RECENT_SECONDS`; `note` counts."""

    @property
    def kind(self) -> tuple[str, str]:
        """The part and its cause, whatever numbers that names."""
        return self.part, re.sub(r"\d+", "0", self.cause)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def loops_until(self) -> float | None:
        """Unix time until which the part counts as looping, if it is one restart too many."""
        return self.time + OVER_SECONDS if self.times > FEW else None


class Loop(BaseModel):
    """A part that restarts for the same cause more than a few times."""

    cause: str
    times: int

    def __str__(self) -> str:
        return f"restarts again and again, {self.times} times in {RECENT_SECONDS // 60} minutes: {self.cause}"


def note(file: Path, restarts: Iterable[Restart]) -> None:
    """Add those that the file does not have; of all the newest are kept."""
    known = read(file)
    seen = {(restart.time, restart.part, restart.cause) for restart in known}
    new = [each for each in restarts if (each.time, each.part, each.cause) not in seen]
    if not new:
        return
    kept = counted(known + new)[-MOST_KEPT:]
    partial = file.with_suffix(f".{os.getpid()}")  # the watch and the keeper both write
    partial.write_text("".join(restart.model_dump_json() + "\n" for restart in kept))
    partial.rename(file)


def counted(restarts: Iterable[Restart]) -> list[Restart]:
    """Sorts restarts by time, each with which one for its cause it is."""
    recent: dict[tuple[str, str], deque[float]] = defaultdict(deque)
    found = []
    for restart in sorted(restarts, key=lambda restart: restart.time):
        same = recent[restart.kind]
        same.append(restart.time)
        while same[0] < restart.time - RECENT_SECONDS:
            same.popleft()
        found.append(restart.model_copy(update={"times": max(restart.times, len(same))}))
    return found


def read(file: Path) -> list[Restart]:
    """All that are kept, oldest first; none where the file was cut or is no such file."""
    try:
        return [Restart.model_validate_json(line) for line in file.read_text().splitlines()]
    except (OSError, ValidationError, UnicodeDecodeError):
        return []


def loop(restarts: Iterable[Restart], part: str, now: float | None = None) -> Loop | None:
    """The cause for which a part restarts more than a few times, until it has run for a while."""
    now = time.time() if now is None else now
    newest = max((each for each in restarts if each.part == part), key=lambda each: each.time, default=None)
    if newest is None or newest.loops_until is None or newest.loops_until < now:
        return None
    return Loop(cause=newest.cause, times=newest.times)
