"""The accounting files of PBS Pro, OpenPBS and Torque as a live source: a file a day, read on as it grows."""

import os
import re
from collections.abc import Iterator
from datetime import datetime, tzinfo
from pathlib import Path
from typing import IO, Any

import structlog
from prometheus_client import Counter

from weir.agents.scheduler_memory import SchedulerMemory
from weir.errors import Refused
from weir.formats import pbs
from weir.formats.job_record import TERMINAL
from weir.formats.reading import LONGEST_LINE, refused

_DAY_FILE = re.compile(r"\d{8}")
SOURCE = "pbs"
RUNNING = 2  # of state_rank

PASSED = Counter(
    "weir_scheduler_pbs_events_passed", "Deletions, aborts and reruns that change nothing that is known"
)


class Pbs:
    """Reads the day files in `folder` from where the last look that `memory` kept ended."""

    source = SOURCE

    def __init__(
        self, folder: Path, zone: tzinfo, cluster: str, lookback_seconds: float, memory: SchedulerMemory
    ):
        self._folder, self._zone, self._cluster, self._memory = folder, zone, cluster, memory
        self._lookback = lookback_seconds
        self.file = str(folder)

    def look(self, now: float) -> Iterator[dict[str, Any] | Refused]:
        """Jobs and refusals; OSError where the folder can't be read.

        A line counts when it has its end. A day's file is done when there is one of a later day.
        """
        oldest = datetime.fromtimestamp(now - self._lookback, self._zone).strftime("%Y%m%d")
        at = self._memory.position(SOURCE) or {"day": oldest}
        first = max(at["day"], oldest)
        # listed before any is read: what is not the last one then is read to its very end
        names = (file.name for file in self._folder.iterdir())
        days = sorted(name for name in names if _DAY_FILE.fullmatch(name) and name >= first)
        for day in days:
            file = self._folder / day
            try:
                with file.open("rb") as stream:
                    inode, start = self._start(day, stream.fileno(), at)
                    stream.seek(start)
                    yield from self._lines(day, stream, inode, start, done=day != days[-1])
            except FileNotFoundError:
                structlog.get_logger().warning("a file of accounting is gone", file=str(file))

    def _start(self, day: str, descriptor: int, at: dict[str, Any]) -> tuple[int, int]:
        """Inode and the byte to go on at; 0 where it is another file than it was, or was cut."""
        status = os.fstat(descriptor)
        if at["day"] != day or "byte" not in at:
            return status.st_ino, 0
        if status.st_ino != at["inode"] or status.st_size < at["byte"]:
            structlog.get_logger().warning("a file of accounting was replaced or cut", file=day)
            return status.st_ino, 0
        return status.st_ino, at["byte"]

    def _lines(
        self, day: str, stream: IO[bytes], inode: int, byte: int, done: bool
    ) -> Iterator[dict[str, Any] | Refused]:
        while line := stream.readline(LONGEST_LINE):
            if not line.endswith(b"\n") and len(line) < LONGEST_LINE and not done:
                break  # the rest of it is still to come
            if found := self._job(line.rstrip(b"\r\n"), f"{day}, byte {byte}"):
                yield found
            byte += len(line)
        self._memory.set_position(SOURCE, {"day": day, "inode": inode, "byte": byte})

    def _job(self, line: bytes, place: str) -> dict[str, Any] | Refused | None:
        try:
            job = pbs.of_line(line, self._zone, self._cluster, strict=False) if line else None
        except ValueError as error:
            return refused(error, place, line)
        if job is None or job["job_uid"]:
            return job
        # not said when it was submitted: it ends a job that waits, one that runs has its E to come
        known = self._memory.open_job(job["job_id"], job["array_index"])
        if known and known["state_rank"] < RUNNING and job["state_rank"] == TERMINAL:
            ended = {
                name: job[name] for name in ("state", "state_rank", "exit_code", "exit_signal", "end_time")
            }
            return known | ended | {"version": max(known["version"], job["version"])}
        PASSED.inc()
        return None
