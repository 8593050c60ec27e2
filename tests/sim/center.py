"""A simulated center: what it publishes, and what must become of it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import merge
from typing import Any

from weir import wire

from sim.archetypes import BLAMES_STORAGE, HOME, SCRATCH
from sim.logs import moved, parts
from sim.plan import BUCKET, CORES_PER_NODE, RANKS, RUN_SECONDS, SLOW_IO, TICK, Log, Look, Plan, Submit
from sim.storage import Bucket, Storage

ZONE = "America/Adak"
"""No day ends there while a center runs that begins at the last midnight of UTC: what ended on a day before,
if it is much, becomes the reference of the rest, which the ledger does not know.
"""
PEAK_MIB = 1_000_000
"""So high that all of the I/O time is lost."""
GATE_BYTES = 16 << 20
"""Runs that move less are not told of contention."""


@dataclass(frozen=True, slots=True)
class Message:
    """Something that is published at `at` (Unix seconds), when the center's own time is kept."""

    at: float
    topic: str
    key: str
    value: bytes
    kind: str
    """header, batch, end, job, manifest or tick."""
    table: str = ""
    """Where its rows land, and how many of them are shown: of batches and ticks."""
    rows: int = 0


UNTOLD = "untold"
"""What does not follow from what was planted: findings of a log that lacks parts, for example."""


@dataclass(frozen=True)
class RunTruth:
    """What must be said of a run, under the names of its columns."""

    log_id: str
    situation: str
    kind: str
    job_uid: str | None
    job_join: str
    job_join_reason: str
    """How it begins."""
    user: str | None
    log_state: str
    bytes_read: int | str
    bytes_written: int | str
    io_time_seconds: float | str
    filesystem: str | None
    load_state: str
    findings: frozenset[str] | str
    verdict: str


@dataclass(frozen=True)
class JobTruth:
    """What must be said of a job."""

    job_uid: str
    situation: str
    state: str
    settled: bool
    logs_analysed: int
    logs_expected: int | None
    coverage: str
    """The job's word in the coverage ledger."""
    findings: frozenset[str] | str


@dataclass(frozen=True)
class Truth:
    """The ledger of a center: runs by log id, jobs by job_uid, load by file system and bucket start."""

    runs: dict[str, RunTruth]
    jobs: dict[str, JobTruth]
    manifests: int
    load: dict[tuple[str, int], Bucket]


class Center:
    """Everything is drawn from `seed`: the same arguments give the same bytes.

    `base` is the Unix second of the first sampled run, a multiple of a bucket; `cluster` and `origin` change
    names and identities only.
    """

    def __init__(
        self,
        cluster: str = "sim",
        seed: int = 1,
        jobs: int = 500,
        base: int = 1_790_000_000,
        origin: str = "live",
        filesystems: int = 8,
        servers: int = 2,
        devices: int = 4,
        hours: float = 0,
    ):
        self.cluster, self.origin = cluster, origin
        self.plan = Plan(seed, jobs, base // BUCKET * BUCKET, filesystems, ZONE)
        slots = max(self.plan.slots, int(hours * 90))
        self.storage = Storage(self.plan, seed, servers, devices, slots)

    @cached_property
    def site(self) -> dict[str, Any]:
        """The content of its site file."""
        return {
            "cluster": self.cluster,
            "time_zone": ZONE,
            "scheduler": "slurm",
            "load_bucket_seconds": BUCKET,
            "slow_threshold_seconds": SLOW_IO // 2,
            "cores_per_node": {"default": CORES_PER_NODE},
            "file_systems": [
                {
                    "id": filesystem,
                    "kind": "nfs" if filesystem == HOME else "lustre",
                    "mount_prefixes": [f"/{filesystem}"],
                    "devices": {server.name: server.devices for server in self.storage.of(filesystem)},
                    "peak_mib_per_second": {"1": PEAK_MIB},
                    "slow": filesystem == HOME,
                }
                for filesystem in self.storage.filesystems
            ],
            "servers": [
                {"name": server.name, "sample_interval_seconds": TICK} for server in self.storage.servers
            ],
            "log_directories": [{"path": "/logs", "layout": "year/month/day", "owner_check": "strict"}],
        }

    @property
    def events(self) -> int:
        """States, looks, headers of logs and ticks that are sent."""
        states = sum(1 for submit in self.plan.submits for _ in self._states(submit))
        others = sum(len(job.looks) + sum(log.lost != "header" for log in job.logs) for job in self.plan.jobs)
        return states + others + sum(int(server.sent.sum()) for server in self.storage.servers)

    def messages(self) -> Iterator[Message]:
        """In the order of their time; logs are written as they are asked for."""
        events = [(at, submit, state) for submit in self.plan.submits for state, at in self._states(submit)]
        events += [(log.start + RUN_SECONDS, log, "") for log in self.plan.logs]
        events += [(look.at, look, "") for job in self.plan.jobs for look in job.looks]
        events.sort(key=lambda event: event[0])
        of_jobs = (self._written(*event) for event in events)
        of_servers = ([self._tick(*tick)] for tick in self.storage.messages(self.cluster, self.origin))
        for group in merge(of_jobs, of_servers, key=lambda group: group[0].at):
            yield from group

    @staticmethod
    def _states(submit: Submit) -> Iterator[tuple[str, int]]:
        """As the scheduler goes through them, and when."""
        if submit.told:
            yield "PENDING", submit.submit
            if submit.start is not None:
                yield "RUNNING", submit.start
            if submit.end is not None:
                yield submit.state, submit.end

    def _written(self, at: float, what: Submit | Log | Look, state: str) -> list[Message]:
        if isinstance(what, Log):
            log_id = what.log_id(self.cluster)
            shown = not what.superseded
            return [
                Message(at, "weir.darshan.log", log_id, part.value, part.kind, part.table, shown * part.rows)
                for part in parts(what, self.cluster, self.origin)
            ]
        key = f"{self.cluster}/{what.job_id}"
        if isinstance(what, Look):
            return [Message(at, "weir.job.manifest", key, self._manifest(what), "manifest")]
        return [Message(at, "weir.scheduler.job", key, self._job(what, state, int(at)), "job")]

    def _tick(self, at: int, server: str, devices: int, value: bytes) -> Message:
        key = f"{self.cluster}/{server}"
        return Message(at, "weir.device.sample", key, value, "tick", "device_samples", devices)

    def _job(self, submit: Submit, state: str, at: int) -> bytes:
        rank = RANKS[state]
        started, ended = rank > 1 and submit.start is not None, rank > 2
        record = {
            "cluster": self.cluster,
            "job_id": submit.job_id,
            "job_uid": submit.uid(self.cluster),
            "job_display_id": f"{submit.array_id}_{submit.array_index}"
            if submit.array_id
            else str(submit.job_id),
            "array_id": submit.array_id,
            "array_index": submit.array_index,
            "user": submit.person.name,
            "uid": submit.person.uid,
            "account": submit.person.project,
            "partition": "batch",
            "qos": "normal",
            "job_name": "sim",
            "state": state,
            "state_rank": rank,
            "exit_code": int(state != "COMPLETED") if ended else None,
            "exit_signal": 0 if ended else None,
            "submit_time": submit.submit * 1_000_000,
            "start_time": submit.start * 1_000_000 if started else None,
            "end_time": submit.end * 1_000_000 if ended else None,
            "nodes": submit.nodes if started else None,
            "cpus": submit.nodes * CORES_PER_NODE if started else None,
            "node_list": f"n[1-{submit.nodes}]" if started else "",
            "time_limit_seconds": 3600,
            "version": at,
            "origin": self.origin,
        }
        return wire.encode("SchedulerJob", record)

    def _manifest(self, look: Look) -> bytes:
        record = {
            "cluster": self.cluster,
            "job_id": look.job_id,
            "job_uid": look.submit.uid(self.cluster) if look.named else None,
            "scan_time": look.at * 1_000_000,
            "final": look.final,
            "log_ids": [log.log_id(self.cluster) for log in look.logs],
            "origin": self.origin,
        }
        return wire.encode("JobManifest", record)

    # --- the truth

    def truth(self) -> Truth:
        """What must be in the views when all messages have come, in whatever order."""
        load = {
            (filesystem, start): bucket
            for filesystem in self.storage.filesystems
            for start, bucket in self.storage.load(filesystem).items()
        }
        runs, jobs = {}, {}
        for job in self.plan.jobs:
            in_force = [log for log in job.logs if not log.superseded and log.lost != "header"]
            runs |= {log.log_id(self.cluster): self._run(log, job.situation, load) for log in in_force}
            looks = {id(look.submit): look for look in sorted(job.looks, key=lambda look: look.at)}
            for submit in job.submits:
                if submit.told:
                    own = [log for log in in_force if log.submit is submit]
                    of_own = [runs[log.log_id(self.cluster)].findings for log in own]
                    look = looks.get(id(submit))
                    jobs[submit.uid(self.cluster)] = JobTruth(
                        submit.uid(self.cluster),
                        job.situation,
                        submit.state,
                        submit.settled,
                        len(own),
                        None if look is None else len(look.logs),
                        submit.coverage,
                        UNTOLD if UNTOLD in of_own else frozenset().union(*of_own),
                    )
        manifests = {
            (look.job_id, look.named and id(look.submit)) for job in self.plan.jobs for look in job.looks
        }
        return Truth(runs, jobs, len(manifests), load)

    def _run(self, log: Log, situation: str, load: dict[tuple[str, int], Bucket]) -> RunTruth:
        joined = log.join == "joined"
        read, written = moved(log.archetype)
        load_state = self._load_state(log, load)
        findings = log.archetype.findings | log.findings
        contended = load_state == "closed" and self.storage.weather[log.number] == "contended"
        if contended and joined and sum(moved(log.archetype, (SCRATCH, HOME))) >= GATE_BYTES:
            findings |= {"device_contention"}
        truth = RunTruth(
            log_id=log.log_id(self.cluster),
            situation=situation,
            kind=log.app.kind,
            job_uid=log.submit.uid(self.cluster) if joined else None,
            job_join=log.join,
            job_join_reason=log.reason,
            user=log.submit.person.name if joined else None,
            log_state=log.state,
            bytes_read=read,
            bytes_written=written,
            io_time_seconds=float(log.io_seconds if log.archetype.files else 0),
            filesystem=log.filesystem,
            load_state=load_state,
            findings=findings,
            verdict=_verdict(log, joined, load_state, findings, contended),
        )
        hidden = {
            "complete": (),
            "partial": ("findings", "verdict"),
            "damaged": ("findings", "verdict"),
            "incomplete": (
                *("findings", "verdict", "load_state", "filesystem"),
                *("bytes_read", "bytes_written", "io_time_seconds"),
            ),
        }
        return replace(truth, **dict.fromkeys(hidden[log.state], UNTOLD))

    def _load_state(self, log: Log, load: dict[tuple[str, int], Bucket]) -> str:
        if log.filesystem is None:
            return "no_filesystem"
        begin = log.start + log.io_begin
        found = [
            load.get((log.filesystem, start))
            for start in range(begin // BUCKET * BUCKET, begin + log.io_seconds, BUCKET)
        ]
        if not any(found):
            return "no_samples"
        servers = len(self.storage.of(log.filesystem))
        return "closed" if all(bucket and bucket.servers == servers for bucket in found) else "incomplete"


def _verdict(log: Log, joined: bool, load_state: str, findings: frozenset[str], contended: bool) -> str:
    """Whose fault it was, if the run was slow at all."""
    if log.io_seconds < SLOW_IO or not log.archetype.files:
        return "not_slow"
    if not joined or load_state != "closed":
        return "unknown"
    storage = contended or bool(findings & BLAMES_STORAGE)
    application = bool(log.archetype.findings - BLAMES_STORAGE) and not (storage and log.acquitted)
    return {
        (True, True): "both",
        (True, False): "application",
        (False, True): "storage",
        (False, False): "unknown",
    }[application, storage]
