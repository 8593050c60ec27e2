"""Replaying a recorded center as if it were happening now.

Recorded times are moved by a shift that is chosen once and kept, so that replaying again publishes the
same things with the same times; the pace is a matter of display and changes no event's time.
"""

import json
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from weir.errors import UserError
from weir.kafka import Publisher
from weir.replay.center import Center, Show

Sleep = Callable[[float], None]


def shift_seconds(file: Path, center: Center, now: float) -> int:
    """Whole seconds to add to recorded times; chosen at the first call so that the last event is at `now`.

    UserError where `file` does not hold what an earlier call chose.
    """
    if file.exists():
        try:
            return int(json.loads(file.read_text())["shift_seconds"])
        except (ValueError, TypeError, KeyError):
            raise UserError(
                f"{file}: does not tell by how much the first replay moved the times. Begin anew, without "
                "the rows of that cluster: weir replay FOLDER --fresh; of the demo, make demo FRESH=1."
            ) from None
    shift = int(now) - center.last_second
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")  # a kill leaves all of the file or none
    part.write_text(json.dumps({"shift_seconds": shift}))
    part.rename(file)
    return shift


def replay(
    center: Center,
    publisher: Publisher,
    shift: int,
    speed: float,
    progress: Show,
    clock: Callable[[], float] = time.monotonic,
    sleep: Sleep = time.sleep,
) -> Counter[str]:
    """Publish every event in its order, `speed` recorded seconds a second; returns what was sent by kind.

    `progress(done, whole)` is called with the recorded seconds that have passed.
    """
    if speed <= 0:
        raise UserError(f"speed {speed}: must be above 0; 1 is real time, 1000 is at once.")
    first, sent = center.events[0].second, Counter[str]()
    whole, began = center.events[-1].second - first, clock()
    for source, file, why in center.refused:
        publisher.refuse(center.site["cluster"], source, file, why)
        sent["dead letters"] += 1
    for event in center.events:
        offset = event.second - first
        while (wait := began + offset / speed - clock()) > 0:
            sleep(min(wait, 1.0))
            progress(min((clock() - began) * speed, offset), whole)
        event.publish(publisher, shift)
        sent.update(event.counts)
    publisher.flush()
    progress(whole, whole)
    return sent
