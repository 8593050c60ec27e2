"""Live I/O of running jobs from a Lustre server's job_stats to weir.job.live."""

import re
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import structlog
from prometheus_client import Counter, Gauge

from weir import lustre, wire
from weir.agents.config import Devices
from weir.agents.outbox import Outbox
from weir.agents.spool import Message

# where the kernel module of one release or the other keeps them
_PLACES = ("proc/fs/lustre", "sys/fs/lustre", "sys/kernel/debug/lustre")
Job = tuple[int, int | None]  # id, array index

PATIENCE_SECONDS = 10
MISREAD = Counter("weir_devices_job_stats_misread", "Files of job_stats that were not understood")
NO_JOB = Gauge("weir_devices_job_stats_of_no_job", "Entries of job_stats whose id is of no job")


class JobStats:
    """Looks at the job_stats of all targets below `root`."""

    def __init__(self, cluster: str, server: str, pattern: str, root: Path = Path("/")):
        self._cluster, self._server, self._root = cluster, server, root
        self._pattern = re.compile(pattern)
        self._known: dict[tuple[str, str], dict[str, float]] = {}

    def files(self) -> list[Path]:
        """One for each target."""
        return [
            file
            for place in _PLACES
            for kind in ("obdfilter", "mdt")
            for file in sorted((self._root / place).glob(f"{kind}/*/job_stats"))
        ]

    def look(self) -> Iterator[dict[str, Any]]:
        """JobLive records of the jobs whose counters changed since the look before."""
        now = time.time_ns() // 1000
        known: dict[tuple[str, str], dict[str, float]] = {}
        rows: dict[Job, list[lustre.Counters]] = defaultdict(list)
        changed: dict[Job, None] = {}
        for counters in self._counters():
            place = counters.target, counters.job_key or ""
            known[place] = counters.totals
            job = lustre.job_of(place[1], self._pattern)
            if job:
                rows[job].append(counters)
                if self._known.get(place) != known[place]:
                    changed[job] = None
        self._known = known
        NO_JOB.set(len(known) - sum(map(len, rows.values())))
        for job in changed:
            yield self._record(job, rows[job], now)

    def _counters(self) -> Iterator[lustre.Counters]:
        for file in self.files():
            try:
                with file.open(encoding="utf-8", errors="backslashreplace") as lines:
                    yield from lustre.job_stats(file.parent.name, lines)
            except (OSError, ValueError) as error:
                MISREAD.inc()
                structlog.get_logger().error("job_stats not understood", file=str(file), error=str(error))

    def _record(self, job: Job, rows: list[lustre.Counters], now: int) -> dict[str, Any]:
        totals = [each.totals for each in rows]
        return {
            "cluster": self._cluster,
            "job_id": job[0],
            "array_index": job[1],
            "server": self._server,
            "time": now,
            "targets": [each.target for each in rows],
            "job_keys": [each.job_key for each in rows],
            "columns": lustre.COLUMNS,
            "values": wire.packed([[each[column] for each in totals] for column in lustre.COLUMNS]),
            "origin": "live",
        }


@contextmanager
def looking(
    cluster: str, server: str, own: Devices, outbox: Outbox, root: Path, stop: threading.Event
) -> Iterator[None]:
    """Looks in a thread of its own until `stop`, if the configuration asks for it."""
    if not own.job_stats_seconds:
        yield
        return
    job_stats = JobStats(cluster, server, own.job_id_pattern, root)

    def look() -> None:
        while not stop.wait(own.job_stats_seconds):
            for record in job_stats.look():
                key = f"{cluster}/{record['job_id']}"
                outbox.send(Message("weir.job.live", key, wire.encode("JobLive", record)), PATIENCE_SECONDS)

    thread = threading.Thread(target=look, name="job_stats")
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
