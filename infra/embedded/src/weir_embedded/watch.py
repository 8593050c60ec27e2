"""The health watch: restarts a part that runs but does not answer, which the supervisor alone cannot see.

A part is restarted when its check has failed for `PATIENCE_SECONDS` without a break and it has had its time
to start; also one on which supervisord has given up. A part that only waits for another is left alone, and
so are the jobs: their keeper mends them itself.
"""

import re
import time
from dataclasses import dataclass, field

import structlog
from weir_keeper.place import restarts
from weir_keeper.restarts import Restart, note

from weir_embedded import supervisor
from weir_embedded.parts import all_parts
from weir_embedded.parts.part import NotReady, Part
from weir_embedded.settings import Stack

PERIOD_SECONDS = 5
PATIENCE_SECONDS = 120
"""What only waits for busy cores answers within this time; to restart it would make them busier."""
LEFT_ALONE = {"jobs", "watch"}
LOG_BYTES = 1 << 20  # what a part writes before the watch looks again, as a TaskManager's 200 KB of settings
# An error with its message, or alone at the end of a line; no option such as -XX:+ExitOnOutOfMemoryError.
FAILURE = re.compile(rb"^.*?(?<![\w+])[\w.$]*[A-Za-z](?:Error|Exception)(?::.*|\s*)$", re.MULTILINE)

log = structlog.get_logger()


@dataclass
class Patience:
    """What is remembered about each part from look to look; all times in Unix seconds."""

    failing_since: dict[str, float] = field(default_factory=dict)
    proven_start: dict[str, float] = field(default_factory=dict)
    """The start of the program that has been healthy once: it gets no more time to start."""

    def is_over(self, part: Part, healthy: bool, started: float, now: float) -> bool:
        """Note one result; true when the part should be restarted."""
        if healthy:
            self.proven_start[part.name] = started
        is_starting = self.proven_start.get(part.name) != started and now - started < part.start_seconds
        if healthy or is_starting:
            self.failing_since.pop(part.name, None)
            return False
        since = self.failing_since.setdefault(part.name, now)
        if now - since < PATIENCE_SECONDS:
            return False
        del self.failing_since[part.name]
        return True


@dataclass
class Starts:
    """When each part was started last, to notice that it was started again."""

    last: dict[str, float] = field(default_factory=dict)
    hung: dict[str, str] = field(default_factory=dict)
    """Why the watch has killed a part that is not yet started again."""

    def is_again(self, name: str, started: float) -> bool:
        """Note a start; true when it follows another one."""
        before = self.last.get(name, started)
        self.last[name] = started
        return started != before


def main() -> None:
    """Watch for ever."""
    stack = Stack()
    parts = [part for part in all_parts(stack).values() if part.name not in LEFT_ALONE]
    patience, starts = Patience(), Starts()
    while True:
        look(stack, parts, patience, starts)
        time.sleep(PERIOD_SECONDS)


def look(stack: Stack, parts: list[Part], patience: Patience, starts: Starts) -> None:
    """Check every part once, note what was started again, and restart what has failed for too long."""
    seen = supervisor.processes(stack)
    unhealthy: set[str] = set()
    for part in parts:
        info = seen.get(part.name, {})
        state = info.get("statename")
        if info and starts.is_again(part.name, info["start"]):
            cause = starts.hung.pop(part.name, None) or _cause(stack, part)
            note(restarts(stack), [Restart(time=info["start"], part=part.name, cause=cause)])
            log.warning("part.restarted", part=part.name, cause=cause)
        if state == "FATAL":
            log.warning("part.given_up", part=part.name, way_out="started again")
            supervisor.api(stack).startProcess(part.name, False)
        elif state == "RUNNING":
            problem = None if unhealthy.intersection(part.needs) else _problem(part)
            if problem:
                unhealthy.add(part.name)
            if patience.is_over(part, problem is None, info["start"], time.time()):
                log.warning("part.hangs", part=part.name, problem=problem, way_out="restarted")
                starts.hung[part.name] = f"did not answer for {PATIENCE_SECONDS} s: {problem}"
                _restart(stack, part)


def _cause(stack: Stack, part: Part) -> str:
    """Returns the signal that ended the part, else the last error in its log, else how it ended."""
    exited = re.compile(rb"exited: %b \(([^)]*)" % part.name.encode())
    ends = exited.findall(_end_of_log(stack, "supervisord"))
    end = ends[-1].decode() if ends else "no reason found"
    failures = [] if end.startswith("terminated by") else FAILURE.findall(_end_of_log(stack, part.name))
    return failures[-1].decode(errors="replace").strip()[:500] if failures else end


def _end_of_log(stack: Stack, name: str) -> bytes:
    file = stack.logs / f"{name}.log"
    if not file.exists():
        return b""
    with file.open("rb") as log:
        log.seek(max(0, file.stat().st_size - LOG_BYTES))
        return log.read()


def _problem(part: Part) -> str | None:
    try:
        part.check()
    except NotReady as problem:
        log.info("part.unhealthy", part=part.name, problem=str(problem))
        return str(problem)
    return None


def _restart(stack: Stack, part: Part) -> None:
    # Killed and not stopped: what hangs does not end on request, and supervisord starts again what ended.
    supervisor.api(stack).signalProcess(part.name, "KILL")


if __name__ == "__main__":
    main()
