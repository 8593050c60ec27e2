"""What a Lustre server counts: of running jobs to weir.job.live, of its targets to weir.target.live."""

import re
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import structlog
from prometheus_client import Counter, Gauge

from weir import wire
from weir.agents.config import Devices
from weir.agents.message_spool import Message
from weir.agents.outbox import Outbox
from weir.formats import lustre

# where the kernel module of one release or the other keeps them
_PLACES = ("proc/fs/lustre", "sys/fs/lustre", "sys/kernel/debug/lustre")
JOB_STATS = ("obdfilter/*/job_stats", "mdt/*/job_stats")
STATS = ("obdfilter/*/stats", "mdt/*/md_stats")
BRW_STATS = ("osd-*/*/brw_stats", "obdfilter/*/brw_stats")  # the second is the place before 2.4, later a link
Job = tuple[int, int | None]  # id, array index

PATIENCE_SECONDS = 10
MISREAD = Counter("weir_devices_lustre_misread", "Files of Lustre's counters that were not understood")
NO_JOB = Gauge("weir_devices_job_stats_of_no_job", "Entries of job_stats whose id is of no job")


def files(root: Path, patterns: tuple[str, ...]) -> dict[str, Path]:
    """Target -> its file; the first where several places have one."""
    found: dict[str, Path] = {}
    for pattern in patterns:
        for place in _PLACES:
            for file in sorted((root / place).glob(pattern)):
                found.setdefault(file.parent.name, file)
    return found


class JobStats:
    """Looks at the job_stats of all targets below `root`."""

    def __init__(self, cluster: str, server: str, pattern: str, root: Path = Path("/")):
        self._cluster, self._server, self._root = cluster, server, root
        self._pattern = re.compile(pattern)
        self._known: dict[tuple[str, str], dict[str, float]] = {}

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
        for target, file in files(self._root, JOB_STATS).items():
            with _reporting(file):
                yield from lustre.job_stats(target, _lines(file))

    def _record(self, job: Job, rows: list[lustre.Counters], now: int) -> dict[str, Any]:
        return {
            "cluster": self._cluster,
            "job_id": job[0],
            "array_index": job[1],
            "server": self._server,
            "time": now,
            "targets": [each.target for each in rows],
            "job_keys": [each.job_key for each in rows],
            **_values(rows),
            "origin": "live",
        }


class TargetStats:
    """Looks at the `stats`, `md_stats` and `brw_stats` of all targets below `root`."""

    def __init__(self, cluster: str, server: str, root: Path = Path("/")):
        self._cluster, self._server, self._root = cluster, server, root

    def look(self) -> dict[str, Any] | None:
        """A TargetLive record of now; None where there is no target."""
        now = time.time_ns() // 1000
        rows: list[lustre.Counters] = []
        for target, file in files(self._root, STATS).items():
            with _reporting(file):
                rows.append(lustre.stats(target, file.name, _lines(file)))
        sizes: dict[str, dict[int, list[int]]] = {}
        for target, file in files(self._root, BRW_STATS).items():
            with _reporting(file):
                sizes[target] = lustre.disk_io_sizes(_lines(file))
        if not rows and not sizes:
            return None
        return {
            "cluster": self._cluster,
            "server": self._server,
            "time": now,
            "targets": [each.target for each in rows],
            **_values(rows),
            "size_targets": list(sizes),
            "size_bytes": [list(bins) for bins in sizes.values()],
            "disk_reads": [[reads for reads, _ in bins.values()] for bins in sizes.values()],
            "disk_writes": [[writes for _, writes in bins.values()] for bins in sizes.values()],
            "origin": "live",
        }


def _lines(file: Path) -> Iterator[str]:
    with file.open(encoding="utf-8", errors="backslashreplace") as text:
        for line in text:
            if not line.endswith("\n"):
                raise ValueError(f"cut in {line.strip()[:80]!r}")
            yield line


@contextmanager
def _reporting(file: Path) -> Iterator[None]:
    """One file that can't be read or understood stops no other."""
    try:
        yield
    except (OSError, ValueError) as error:
        MISREAD.inc()
        structlog.get_logger().error("not understood", file=str(file), error=str(error))


def _values(rows: Sequence[lustre.Counters]) -> dict[str, Any]:
    """Fields `columns` and `values` of a message with these rows."""
    totals = [each.totals for each in rows]
    return {
        "columns": lustre.COLUMNS,
        "values": wire.packed([[each[column] for each in totals] for column in lustre.COLUMNS]),
    }


@contextmanager
def looking(
    cluster: str, server: str, own: Devices, outbox: Outbox, root: Path, stop: threading.Event
) -> Iterator[None]:
    """Looks in a thread of its own until `stop`, if the configuration asks for it.

    An error that nobody foresaw sets `stop` and is raised here: systemd restarts the agent.
    """
    if not own.lustre_seconds:
        yield
        return
    jobs = JobStats(cluster, server, own.job_id_pattern, root)
    targets = TargetStats(cluster, server, root)

    def send(topic: str, key: str, name: str, record: dict[str, Any]) -> None:
        outbox.send(Message(topic, f"{cluster}/{key}", wire.encode(name, record)), PATIENCE_SECONDS)

    def look() -> None:
        try:
            while not stop.wait(own.lustre_seconds):
                if record := targets.look():
                    send("weir.target.live", server, "TargetLive", record)
                for record in jobs.look():
                    send("weir.job.live", str(record["job_id"]), "JobLive", record)
        finally:
            stop.set()

    with ThreadPoolExecutor(1, "lustre") as thread:
        looks = thread.submit(look)
        try:
            yield
        finally:
            stop.set()
            looks.result()
