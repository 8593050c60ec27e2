"""The memory-mapped logs that killed processes leave, one each, as the one run that they are of.

Darshan names them USER_EXE_idJOB_mmap-log-NUMBER-RANK.darshan; NUMBER is one for all processes of a run. The
logs of a run make a set. Where that holds a sound log of each of its processes, what they count is all that
the run did until it was killed.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple

from weir import identity
from weir.darshan import DarshanError, Log, open_log
from weir.errors import Refused
from weir.logs import darshan_log
from weir.logs.darshan_log import LIMITS, NotYet, Opened, Packer, Parts, Place, Reading, Source
from weir.text import escape

_NAME = re.compile(rb"(?:^|_)(id(\d{1,19})_mmap-log-\d{1,20})-(0|[1-9]\d{0,9})\.darshan$")
_NO_END = datetime(1970, 1, 1, tzinfo=UTC)
# of a module in several logs; the worst last
_STATES = ("complete", "partial", "listed", "damaged", "suspect")


class Incomplete(NotYet):
    """Logs of some of the run's processes are not there, or not sound, so far."""


class Name(NamedTuple):
    """What the name of a memory-mapped log says."""

    of_set: bytes
    """The name under which its set is known; no file has it."""
    job_id: int
    rank: int


def name_of(name: bytes) -> Name | None:
    """Reads a file's name; None for one that is no memory-mapped log."""
    found = _NAME.search(name)
    return Name(found[1] + b".darshan", int(found[2]), int(found[3])) if found else None


class MappedSet(NamedTuple):
    """The logs that have the number of one run in their names; no file is at `place`, that of the set."""

    place: Place
    members: tuple[Place, ...] = ()


def grouped(places: Iterable[Place]) -> tuple[list[Place], list[MappedSet]]:
    """Parts logs into those that stand alone and the sets of memory-mapped ones, wherever these lie."""
    alone: list[Place] = []
    sets: dict[bytes, dict[Place, None]] = defaultdict(dict)
    for place in places:
        if named := name_of(place.name):
            sets[named.of_set].setdefault(place)
        else:
            alone.append(place)
    return alone, [
        MappedSet(next(iter(members)).beside(name), tuple(members)) for name, members in sets.items()
    ]


def is_of(header: dict[str, Any], log: dict[str, Any]) -> bool:
    """Whether logs of killed processes are of a run of which Darshan has written the log as well.

    That begins when the first process does. Darshan up to 3.4 writes whole seconds only, which prove nothing.
    """
    same = ("uid", "job_id", "nprocs", "start_time")
    ended = log["end_time"] >= log["start_time"]
    return ended and bool(log["start_time"].microsecond) and all(header[key] == log[key] for key in same)


class _Run(NamedTuple):
    """What the job records of all processes of a run have in common."""

    uid: int
    job_id: int
    nprocs: int
    log_version: str


class _Module(NamedTuple):
    name: str
    version: int
    partial: bool


@dataclass(frozen=True, slots=True)
class _Member:
    place: Place
    rank: int
    log_id: str
    opened: Opened
    run: _Run
    start: datetime
    modules: tuple[_Module, ...]
    sizes: tuple[int, ...]
    """Bytes of each module's region."""


def stream(found: MappedSet, source: Source, uid: int | None = None, whole_only: bool = False) -> Parts:
    """Merges the logs of a set into the parts of one log, holding one of them at a time.

    Each file is read twice: what is merged has to be known before the first part is made. A file that is
    not of the run is left out, with a reason in `Parts.left_out`. `uid` is the user of the job, where a
    scheduler said that. Incomplete where `whole_only` and not every process has its log; Refused where none
    has one.
    """
    sound = _Members(found, source, uid)
    members, run = sound.of_one_run()
    if whole_only and len(members) < max(1, run.nprocs):
        known = f"the logs of {len(members)} of {run.nprocs} processes are there"
        raise Incomplete(known if members else sound.left_out[0].reason)
    if not members:
        raise sound.left_out[0]
    first = members[0]
    log = _log(first, source)
    header = darshan_log.header_of(log, source, first.opened, found.place.name)
    header |= {
        "start_time": min(member.start for member in members),
        "end_time": _NO_END,
        "run_time_seconds": 0.0,
        "modules": _modules(members),
    }
    command = escape(log.exe)
    parts = Parts(_identity(members), _opened(members), header, iter(()), command, left_out=sound.left_out)
    parts.batches = _batches(members, source, parts)
    return parts


@dataclass
class _Members:
    """The files of a set, looked into one after the other."""

    found: MappedSet
    source: Source
    uid: int | None
    left_out: list[Refused] = field(default_factory=list)
    _modules: dict[tuple[_Module, ...], tuple[_Module, ...]] = field(default_factory=dict)

    def of_one_run(self) -> tuple[list[_Member], _Run]:
        """Those of the run that most of the files are of, one a rank, in the order of the ranks."""
        members = [member for place in self.found.members if (member := self._opened(place))]
        ours = [member.run for member in members if self.uid in (None, member.run.uid)]
        runs = Counter(ours or [member.run for member in members])
        run = max(runs, key=lambda run: (runs[run], run), default=_Run(0, 0, 0, ""))
        members = self._keep(members, lambda member: _why_foreign(member.run, run))
        members = self._keep(members, lambda member: _why_not_of(member, run))
        members = sorted(self._one_a_rank(members), key=lambda member: member.rank)
        versions: dict[str, int] = {}
        return self._keep(members, lambda member: _why_other_version(member, versions)), run

    def _opened(self, place: Place) -> _Member | None:
        try:
            content, opened = darshan_log.content_of(place, self.source)
            log = open_log(content, LIMITS)
            if log.damage:
                raise log.damage
            member = self._member(place, content, opened, log)
        except NotYet as error:
            self._leave_out(place, error.reason, NotYet)
            return None
        except (DarshanError, Refused) as error:
            self._leave_out(place, error.reason)
            return None
        if why := self._why_not_mapped(member, log):
            self._leave_out(place, why)
            return None
        return member

    def _member(self, place: Place, content: bytes, opened: Opened, log: Log) -> _Member:
        header = darshan_log.header_of(log, self.source, opened, place.name)
        modules = tuple(_Module(*(each[key] for key in _Module._fields)) for each in header["modules"])
        named = name_of(place.name)
        assert named  # it would not be in a set
        return _Member(
            place,
            named.rank,
            identity.log_id(content),
            opened,
            _Run(log.job.uid, log.job.job_id, log.job.nprocs, log.version),
            header["start_time"],
            self._modules.setdefault(modules, modules),
            tuple(each["compressed_bytes"] for each in header["modules"]),
        )

    def _why_not_mapped(self, member: _Member, log: Log) -> str | None:
        named, job = name_of(member.place.name), log.job
        if named and named.job_id != job.job_id:
            return f"its name says job {named.job_id}, its job record {job.job_id}"
        if not job.is_unfinished:
            return "it has an end: its process had begun to write the log of the run"
        if self.source.owner_check == "strict" and member.opened.owner_uid != job.uid:
            return f"the file belongs to user {member.opened.owner_uid}, its job to {job.uid}"
        return None

    def _keep(self, members: list[_Member], why_not: Callable[[_Member], str | None]) -> list[_Member]:
        kept = []
        for member in members:
            if why := why_not(member):
                self._leave_out(member.place, why)
            else:
                kept.append(member)
        return kept

    def _one_a_rank(self, members: list[_Member]) -> Iterator[_Member]:
        """Copies of one file are one; of two that differ it is unknown which is right."""
        by_rank: dict[int, dict[str, _Member]] = defaultdict(dict)
        for member in members:
            by_rank[member.rank].setdefault(member.log_id, member)
        for same in by_rank.values():
            if len(same) == 1:
                yield from same.values()
            else:
                for member in same.values():
                    self._leave_out(
                        member.place, f"one of {len(same)} logs of rank {member.rank} that differ"
                    )

    def _leave_out(self, place: Place, why: str, kind: type[Refused] = Refused) -> None:
        self.left_out.append(kind(why, escape(place.name)))


def _why_foreign(run: _Run, ours: _Run) -> str | None:
    if run == ours:
        return None
    said = "user {}, job {}, {} processes, log format {}"
    return f"its job record says {said.format(*run)}; those of this run {said.format(*ours)}"


def _why_not_of(member: _Member, run: _Run) -> str | None:
    if member.rank < run.nprocs:
        return None
    return f"rank {member.rank} of a run with {run.nprocs} processes"


def _why_other_version(member: _Member, versions: dict[str, int]) -> str | None:
    """`versions` are those of the logs before, and then of this one too."""
    for name, version, _ in member.modules:
        if versions.setdefault(name, version) != version:
            return f"{name} is of version {version}, in the log of a lower rank of {versions[name]}"
    return None


def _log(member: _Member, source: Source) -> Log:
    """Opens a member again."""
    content, opened = darshan_log.content_of(member.place, source)
    if opened != member.opened:
        raise NotYet(f"{escape(member.place.name)} changed while its set was read; it is still being written")
    return open_log(content, LIMITS)


def _identity(members: list[_Member]) -> str:
    return identity.mapped_set_id((member.rank, member.log_id) for member in members)


def _opened(members: list[_Member]) -> Opened:
    return Opened(
        members[0].opened.owner_uid,
        sum(member.opened.size for member in members),
        max(member.opened.mtime_ns for member in members),
    )


def _modules(members: list[_Member]) -> list[dict[str, Any]]:
    """What the headers say, module by module: partial if one is, sizes added up."""
    merged: dict[str, dict[str, Any]] = {}
    for member in members:
        for (name, version, partial), size in zip(member.modules, member.sizes, strict=True):
            empty = {"name": name, "version": version, "partial": False, "compressed_bytes": 0}
            module = merged.setdefault(name, empty)
            module["partial"] |= partial
            module["compressed_bytes"] += size
    return list(merged.values())


def _batches(members: list[_Member], source: Source, parts: Parts) -> Iterator[dict[str, Any]]:
    """The bodies of all batches, which the rows of many logs share; then `parts.end` is set."""
    packers: dict[str, Packer] = {}
    ends: dict[str, dict[str, Any]] = {}
    processes = 0

    def rows() -> Iterator[dict[str, Any]]:
        nonlocal processes
        for member in members:
            log = _log(member, source)
            reading, sound = Reading(log, source.privacy, member.rank), True
            for module in log.modules:
                packer = packers.setdefault(module.name, Packer(module))
                end = yield from reading.module(module, packer)
                sound &= end["state"] in ("complete", "partial", "listed")
                ends[module.name] = _worst(ends.get(module.name), end, member.rank)
            processes += sound
        for packer in packers.values():
            yield from packer.rest()

    batches = yield from darshan_log.numbered(parts.header, rows())
    parts.end = {"batches": batches, "modules": list(ends.values()), "processes": processes}


def _worst(known: dict[str, Any] | None, end: dict[str, Any], rank: int) -> dict[str, Any]:
    """How far a module could be read in all logs so far."""
    reason = f"rank {rank}: {end['reason']}" if end["reason"] else None
    if known is None:
        return end | {"reason": reason}
    counts = {
        "records_read": known["records_read"] + end["records_read"],
        "records_expected": None
        if None in (known["records_expected"], end["records_expected"])
        else known["records_expected"] + end["records_expected"],
    }
    worse = _STATES.index(end["state"]) > _STATES.index(known["state"])
    return (end | {"reason": reason} if worse else known) | counts
