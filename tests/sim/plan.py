"""What happens at the simulated center: jobs in every situation, each with its submits, logs and looks.

A situation is a function that draws logs, puts submits around them and says what must come of it; its weight
says how often it is drawn. Times are Unix seconds.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from itertools import cycle
from math import ceil
from random import Random
from zoneinfo import ZoneInfo

from weir.identity import job_uid

from sim.archetypes import ARCHETYPES, HOME, SCRATCH, Archetype

CORES_PER_NODE = 32
BUCKET, TICK = 10, 5
SLOT = 40
"""For so long a run has its file system for itself: a bucket before, two of I/O, one after."""
LEAD = 20
"""From a log's start to its slot."""
RUN_SECONDS = 120
SLOW_IO, FAST_IO = 20, 2
"""Seconds of I/O of a run that is slow, and of one that is not."""

TERMINAL = {"COMPLETED", "FAILED", "TIMEOUT", "CANCELLED", "NODE_FAIL"}
RANKS = {"PENDING": 1, "RUNNING": 2} | dict.fromkeys(TERMINAL, 3)


@dataclass(frozen=True)
class Person:
    name: str
    uid: int
    project: str


@dataclass(frozen=True)
class App:
    """A program of a user; it does the same at each run, and takes as long for it."""

    exe: str
    person: Person
    kind: str
    io_seconds: int = FAST_IO

    @property
    def archetype(self) -> Archetype:
        return ARCHETYPES[self.kind]


@dataclass
class Submit:
    """A job as the scheduler knows it."""

    job_id: int
    person: Person
    submit: int
    start: int | None
    end: int | None
    nodes: int
    state: str = "COMPLETED"
    array_id: int | None = None
    array_index: int | None = None
    told: bool = True
    """Whether the scheduler's records of it ever come."""
    coverage: str = "instrumented"
    settled: bool = True

    def uid(self, cluster: str) -> str:
        return job_uid(cluster, self.job_id, self.array_index, self.submit)


@dataclass
class Log:
    """A run as its log tells it, and what must come of it."""

    number: int
    app: App
    start: int
    filesystem: str | None
    """Of the site, that its bytes go to."""
    slot: int | None
    """Index of its slot on that file system; None where nothing samples it."""
    io_seconds: int
    findings: frozenset[str] = frozenset()
    """Beside those of its archetype."""
    acquitted: bool = False
    """Its pattern never made it slow before."""
    job_id: int = 0
    uid: int = 0
    owner: int | None = None
    owner_check: str = "strict"
    state: str = "complete"
    """complete, partial, damaged, or incomplete: see `lost`."""
    lost: str = ""
    """A part that never comes: header, batch or end."""
    supersedes: "Log | None" = None
    superseded: bool = False
    join: str = "not_joinable"
    reason: str = "the scheduler knows no job of this id"
    submit: Submit | None = None

    @property
    def archetype(self) -> Archetype:
        return self.app.archetype

    @property
    def io_begin(self) -> int:
        """Seconds after the start."""
        return LEAD + BUCKET

    @property
    def file_name(self) -> str:
        ending = ".darshan_partial" if self.state == "partial" else ".darshan"
        return f"{self.app.person.name}_{self.app.exe}_id{self.job_id}_{self.number}{ending}"

    def log_id(self, cluster: str) -> str:
        """Stands for the hash of the file; a file of another cluster is another file.

        In the order of the numbers: where a job's runs lost as much, the log id decides which speaks for it.
        """
        return f"{self.number:08x}" + blake2b(f"{cluster} {self.number}".encode(), digest_size=12).hexdigest()


@dataclass(frozen=True)
class Look:
    """Into the log directory: what a job had left by then."""

    job_id: int
    submit: Submit
    named: bool
    """Whether the look knew the submit, or its job id only."""
    at: int
    final: bool
    logs: tuple[Log, ...]


@dataclass
class Job:
    """One drawn situation."""

    situation: str
    submits: list[Submit] = field(default_factory=list)
    logs: list[Log] = field(default_factory=list)
    looks: list[Look] = field(default_factory=list)


@dataclass
class Lane:
    """The slots of one file system."""

    id: str
    used: int = 0


class Plan:
    """All jobs of a center, drawn from a seed; the first slot is at `base`."""

    def __init__(self, seed: int, jobs: int, base: int, filesystems: int, zone: str):
        self.base, self.zone = base, ZoneInfo(zone)
        self.random = Random(seed)
        self.lanes = [Lane(f"scratch{i}") for i in range(filesystems)]
        self.home = Lane("home")
        self.people = [Person(f"user{i:03}", 5000 + i, f"project{i % 13:02}") for i in range(40)]
        self.apps = [
            App(f"{kind}.{seconds}.{copy}", self.random.choice(self.people), kind, seconds)
            for copy, seconds in enumerate((SLOW_IO, SLOW_IO, FAST_IO))
            for kind in ARCHETYPES
        ]
        self._in_turn = cycle(self.apps)
        self._free_ids = iter(range(100_000, 1 << 31))
        self._process_ids = iter(range(1_000, 60_000))
        self._numbers = iter(range(1 << 40))
        self.jobs: list[Job] = []
        names, weights = list(SITUATIONS), [weight for _, weight in SITUATIONS.values()]
        # each once, then by weight
        drawn = (names + self.random.choices(names, weights, k=jobs))[:jobs]
        for name in drawn:
            self.job = Job(name)
            self.jobs.append(self.job)
            SITUATIONS[name][0](self)

    @property
    def logs(self) -> Iterable[Log]:
        return (log for job in self.jobs for log in job.logs)

    @property
    def submits(self) -> Iterable[Submit]:
        return (submit for job in self.jobs for submit in job.submits)

    @property
    def slots(self) -> int:
        """That any file system has used."""
        return max(lane.used for lane in [*self.lanes, self.home])

    # --- what situations are made of

    def slot_time(self, slot: int) -> int:
        return self.base + slot * SLOT

    def new_id(self) -> int:
        return next(self._free_ids)

    def process_id(self) -> int:
        return next(self._process_ids)

    def log(self, app: App | None = None, at: int | None = None) -> Log:
        """A log of `app`, or of one in turn; in the next slot of its file system, or at an unsampled time."""
        app = app or next(self._in_turn)
        mounts = {files.mount for files in app.archetype.files}
        # a file of all runs of a program is on one file system
        lanes = self.lanes[:1] if any(files.common for files in app.archetype.files) else self.lanes
        lane = self.home if HOME in mounts else min(lanes, key=lambda lane: lane.used)
        sampled = at is None and bool(mounts & {HOME, SCRATCH})
        slot = max(lane.used, min(each.used for each in self.lanes))
        if sampled:
            lane.used = slot + 1
        log = Log(
            next(self._numbers),
            app,
            self.slot_time(slot) - LEAD if at is None else at,
            lane.id if mounts & {HOME, SCRATCH} else None,
            slot if sampled else None,
            app.io_seconds,
            uid=app.person.uid,
            owner=app.person.uid,
        )
        self.job.logs.append(log)
        return log

    def submit(self, *logs: Log, job_id: int | None = None, joined: bool = True, **known) -> Submit:
        """The job that left the logs: it began and ended a few seconds around them, if not `known` else."""
        app = logs[0].app if logs else self.random.choice(self.apps)
        begin = min((log.start for log in logs), default=self.slot_time(min(x.used for x in self.lanes)))
        end = max((log.start for log in logs), default=begin) + RUN_SECONDS + 5
        start = known.pop("start", begin - 5)
        told = {
            "job_id": self.new_id() if job_id is None else job_id,
            "person": app.person,
            "submit": (begin - 5 if start is None else start) - self.random.randrange(10, 3600),
            "start": start,
            "end": end,
            "nodes": max((ceil(log.archetype.nprocs / CORES_PER_NODE) for log in logs), default=1),
        }
        submit = Submit(**told | known)
        self.job.submits.append(submit)
        for log in logs:
            log.job_id = submit.job_id
            if joined:
                log.join, log.reason, log.submit = "joined", "", submit
        return submit

    def look(self, submit: Submit, *logs: Log, final: bool = True, named: bool = True, after: int = 10):
        """`after` the job's end, or now if it still runs."""
        at = (submit.end or submit.start or submit.submit) + after
        self.job.looks.append(Look(submit.job_id, submit, named, at, final, logs))

    def local(self, *date: int) -> int:
        """The newest such local time, (month, day, hour, minute), at least a day before everything else."""
        latest = datetime.fromtimestamp(self.base, UTC).astimezone(self.zone) - timedelta(days=1)
        time = datetime(latest.year, *date, tzinfo=self.zone)
        return int((time if time < latest else time.replace(year=latest.year - 1)).timestamp())

    def clock_change(self, months: range) -> int:
        """The newest such one of the zone, or any midday of these months where it has none."""
        year = int(datetime.fromtimestamp(self.base - 86_400, UTC).year)
        for each in (year, year - 1):
            hours = range(int(datetime(each, months[0], 1, tzinfo=UTC).timestamp()), self.base - 86_400, 3600)
            for hour in hours[: 24 * 31 * len(months)]:
                offsets = [datetime.fromtimestamp(t, self.zone).utcoffset() for t in (hour, hour + 3600)]
                if offsets[0] != offsets[1]:
                    return hour + 3600
        return self.local(months[0], 15, 12, 0)


# --- situations ------------------------------------------------------------------------------------------

SITUATIONS: dict[str, tuple[Callable[[Plan], None], int]] = {}


def situation(weight: int) -> Callable[[Callable[[Plan], None]], None]:
    def add(function: Callable[[Plan], None]) -> None:
        SITUATIONS[function.__name__] = function, weight

    return add


@situation(200)
def one_run(plan):
    log = plan.log()
    plan.look(plan.submit(log), log)


@situation(20)
def several_runs(plan):
    app = plan.random.choice(plan.apps)
    logs = [plan.log(app) for _ in range(3)]
    plan.look(plan.submit(*logs), *logs)


@situation(10)
def seen_twice(plan):
    """The first look is too early for the second log."""
    app = plan.random.choice(plan.apps)
    logs = [plan.log(app) for _ in range(2)]
    submit = plan.submit(*logs)
    plan.look(submit, logs[0], final=False, after=2)
    plan.look(submit, *logs, after=60)


@situation(10)
def array(plan):
    """Of Slurm: each task has a job id of its own."""
    app, first = plan.random.choice(plan.apps), plan.new_id()
    for index in range(3):
        log = plan.log(app)
        job_id = first if index == 0 else plan.new_id()
        submit = plan.submit(log, job_id=job_id, array_id=first, array_index=index)
        plan.look(submit, log)


@situation(5)
def array_of_one_id(plan):
    """Of PBS, SGE and LSF: tasks share id and submit time; they ran one after the other."""
    app, job_id = plan.random.choice(plan.apps), plan.new_id()
    begin = plan.base - 20_000
    for index in range(3):
        log = plan.log(app, at=begin + 300 * index)
        submit = plan.submit(log, job_id=job_id, array_id=job_id, array_index=index, submit=begin - 600)
        plan.look(submit, log)


@situation(5)
def ambiguous(plan):
    """The same, but they ran side by side."""
    app, job_id = plan.random.choice(plan.apps), plan.new_id()
    begin = plan.base - 18_000
    for index in range(2):
        log = plan.log(app, at=begin + 10 * index)
        submit = plan.submit(
            log,
            job_id=job_id,
            joined=False,
            array_id=job_id,
            array_index=index,
            submit=begin - 600,
            start=begin - 30,
            end=begin + 300,
            coverage="unjoinable",
        )
        plan.look(submit, log)
        log.join, log.reason = "ambiguous", "2 submits of this job id hold the log's start"


def _requeued(plan, named):
    app, job_id = plan.random.choice(plan.apps), plan.new_id()
    begin = plan.base - 15_000
    first, second = plan.log(app, at=begin), plan.log(app, at=begin + 400)
    failed = plan.submit(first, job_id=job_id, submit=begin - 600, state="NODE_FAIL")
    again = plan.submit(second, job_id=job_id, submit=failed.end + 60)
    plan.look(failed, first, named=named)
    plan.look(again, second, named=named)


@situation(5)
def requeued(plan):
    """The same job id again within the padding of ten minutes."""
    _requeued(plan, named=True)


@situation(3)
def requeued_unnamed(plan):
    """The same, and the looks know no submit: each belongs to the one in whose time it was."""
    _requeued(plan, named=False)


@situation(5)
def reused_id(plan):
    """The id was another user's two months ago."""
    job_id = plan.new_id()
    old = plan.log(at=plan.base - 60 * 86_400)
    log = plan.log()
    for each in (old, log):
        plan.look(plan.submit(each, job_id=job_id), each)


@situation(40)
def no_log(plan):
    plan.look(plan.submit(coverage="not_instrumented"))


@situation(10)
def killed_without_log(plan):
    plan.look(plan.submit(state="TIMEOUT", coverage="killed"))


@situation(5)
def killed_partial(plan):
    """Only a .darshan_partial is left, and the grace is over."""
    log = plan.log()
    log.state = "partial"
    submit = plan.submit(log, state="TIMEOUT", coverage="partial")
    plan.look(submit, log, final=False)
    plan.look(submit, log, after=600)


@situation(10)
def superseded(plan):
    """A .darshan_partial was read, then the whole log was there."""
    partial = plan.log()
    partial.state = "partial"
    whole = replace(partial, number=next(plan._numbers), state="complete", supersedes=partial)
    plan.job.logs.append(whole)
    submit = plan.submit(partial, whole)
    partial.superseded = True
    plan.look(submit, partial, final=False)
    plan.look(submit, whole, after=60)


@situation(5)
def process_id(plan):
    """A program without a job id in its environment."""
    log = plan.log()
    submit = plan.submit(log, joined=False, coverage="not_instrumented")
    log.job_id = plan.process_id()
    plan.look(submit)


@situation(5)
def process_id_of_a_job(plan):
    """The same, but the number is that of somebody else's job."""
    other = plan.log()
    submit = plan.submit(other)
    plan.look(submit, other)
    stranger = plan.random.choice([person for person in plan.people if person != submit.person])
    log = plan.log(App("helper", stranger, "local_only"), at=other.start)
    log.job_id = submit.job_id
    log.reason = f"the log says uid {log.uid}, the job of this id at this time is uid {submit.person.uid}"


@situation(5)
def owner_mismatch(plan):
    log = plan.log()
    submit = plan.submit(log, joined=False, coverage="unjoinable")
    plan.look(submit, log)
    log.owner = log.uid + 1000
    log.join = "quarantined"
    log.reason = f"the log file's owner is uid {log.owner}, the job's user is uid {log.uid}"


@situation(3)
def owner_unknown(plan):
    log = plan.log()
    submit = plan.submit(log, joined=False, coverage="unjoinable")
    plan.look(submit, log)
    log.owner = None
    log.join, log.reason = "quarantined", "the log file's owner is unknown"


@situation(5)
def owner_trusted(plan):
    """The archive's copy belongs to whoever made it."""
    log = plan.log()
    plan.look(plan.submit(log), log)
    log.owner, log.owner_check = 0, "trusted_archive"


@situation(5)
def unknown_job(plan):
    """The scheduler's records never come."""
    log = plan.log()
    submit = plan.submit(log, joined=False, told=False, settled=False)
    plan.look(submit, log)


@situation(10)
def running(plan):
    log = plan.log()
    submit = plan.submit(log, state="RUNNING", end=None, settled=False, coverage="running")
    plan.look(submit, log, final=False, after=200)


@situation(5)
def pending(plan):
    plan.submit(state="PENDING", start=None, end=None, settled=False, coverage="running")


@situation(5)
def cancelled_before_start(plan):
    plan.look(plan.submit(state="CANCELLED", start=None, coverage="not_started"))


@situation(5)
def failed(plan):
    log = plan.log()
    plan.look(plan.submit(log, state="FAILED"), log)


@situation(5)
def never_looked(plan):
    log = plan.log()
    plan.submit(log, settled=False, coverage="awaited")


@situation(5)
def log_never_came(plan):
    """The look saw a log that nobody sent."""
    app = plan.random.choice(plan.apps)
    log, absent = plan.log(app), plan.log(app)
    plan.look(plan.submit(log, settled=False, coverage="awaited"), log, absent)
    plan.job.logs.remove(absent)


def _off(plan, seconds):
    log = plan.log(at=plan.base - 10_000)
    submit = plan.submit(log)
    log.start += seconds
    plan.look(submit, log)
    return log, submit


@situation(5)
def clock_ahead(plan):
    _off(plan, 9 * 60)


@situation(5)
def clock_behind(plan):
    _off(plan, -9 * 60)


@situation(3)
def clock_far_off(plan):
    log, submit = _off(plan, 25 * 60)
    log.join, log.reason, log.submit = "not_joinable", "the log starts outside of every job of this id", None
    submit.coverage = "unjoinable"


def _at(plan, time):
    log = plan.log(at=time - RUN_SECONDS // 2)
    plan.look(plan.submit(log), log)


@situation(3)
def over_midnight(plan):
    _at(plan, plan.base // 86_400 * 86_400 - 86_400)


@situation(3)
def over_new_year(plan):
    _at(plan, plan.local(1, 1, 0, 0))


@situation(3)
def over_spring_clock_change(plan):
    _at(plan, plan.clock_change(range(2, 5)))


@situation(3)
def over_autumn_clock_change(plan):
    _at(plan, plan.clock_change(range(9, 12)))


@situation(3)
def long_job(plan):
    """Two days; its logs are of its first and of its last minutes."""
    app = plan.random.choice(plan.apps)
    logs = [plan.log(app, at=plan.base - 47 * 3600), plan.log(app)]
    plan.look(plan.submit(*logs), *logs)


@situation(5)
def slower_than_before(plan):
    """The same program was ten times as fast six times before."""
    kind = plan.random.choice(["healthy", "small_io"])
    app = App(f"history.{plan.new_id()}", plan.random.choice(plan.people), kind)
    log = plan.log(app)
    log.io_seconds = SLOW_IO
    log.findings, log.acquitted = frozenset({"slow_vs_history"}), True
    before = [plan.log(app, at=plan.base - 40_000 + 1000 * number) for number in range(6)]
    for each in (log, *before):
        each.filesystem = log.filesystem
        plan.look(plan.submit(each), each)


def _losing(plan, part):
    # without a batch there is nothing to lose
    log = plan.log(plan.random.choice([app for app in plan.apps if app.kind != "no_io"]))
    log.lost, log.state = part, "incomplete"
    submit = plan.submit(log, coverage="damaged")
    plan.look(submit, log)
    return submit


@situation(3)
def header_lost(plan):
    submit = _losing(plan, "header")
    submit.settled, submit.coverage = False, "awaited"


@situation(3)
def batch_lost(plan):
    _losing(plan, "batch")


@situation(3)
def end_lost(plan):
    _losing(plan, "end")


@situation(3)
def damaged(plan):
    log = plan.log(plan.random.choice([app for app in plan.apps if app.kind != "no_io"]))
    log.state = "damaged"
    plan.look(plan.submit(log, coverage="damaged"), log)
