"""The shipping daemon: looks for logs of ended jobs and for all others, and gets them to Kafka without loss.

What happens when it is killed: before Kafka has acknowledged, nothing is remembered and all is done again;
after that and before `ShippingMemory` is written, the same messages are sent again, and are one by identity;
after that and before the spool's entry is removed, the entry is looked at again and found done.
"""

import os
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import structlog
from confluent_kafka import KafkaException

from weir import documents
from weir.agents import service
from weir.agents.config import AgentConfig, Ship
from weir.agents.kafka_log import logged
from weir.errors import Refused
from weir.kafka import Publisher, Refusals, Stopped
from weir.logs import log_messages, mapped_logs
from weir.logs.darshan_log import NotYet, Place
from weir.logs.mapped_logs import Incomplete
from weir.shipping import directories, metrics
from weir.shipping.decoding import Decoded, Decoder, Task
from weir.shipping.directories import DAY, LogDirectory, Name, Span
from weir.shipping.job_spool import JobSpool
from weir.shipping.memory import EndedJob, Known, ShippingMemory, State
from weir.shipping.watch import Watch
from weir.text import escape

MEMORY = "ship.sqlite"  # in the state folder
SOURCE = "darshan"  # of its dead letters
MANIFESTS = "weir.job.manifest"
POLL_SECONDS = 1
JOBS = 256  # that are looked for at a time
LOGS = 64  # between two acknowledgements
ATTEMPTS = 4
RETRY_SECONDS = 30  # and twice as long each time
PARTIAL_ALONE_SECONDS = DAY  # of a job that no hook reported, since its log last changed
REMEMBERED_DAYS = 40  # beyond those that are swept
FAILURE_SECONDS = 5  # after a round that failed, and twice as long each time
FAILURE_SECONDS_MOST = 60


@dataclass(frozen=True)
class Found:
    """A log in a directory, or what killed processes of one run left there, under the name of their set."""

    directory: LogDirectory
    folder: tuple[bytes, ...]
    name: bytes
    said: Name
    members: tuple[Place, ...] = ()

    @property
    def place(self) -> Place:
        """The place where it lies."""
        return self.directory.place(self.folder, self.name)


@dataclass(frozen=True)
class Handled:
    """What is to be remembered of a log, the log that it supersedes, and its dead letters."""

    known: Known
    supersedes: str | None = None
    letters: tuple[Refused, ...] = ()


class Shipper:
    """One site's logs. `round` does what is to be done now; nothing of it is lost if it raises."""

    def __init__(
        self,
        ship: Ship,
        logs: list[LogDirectory],
        spool: JobSpool,
        memory: ShippingMemory,
        decoder: Decoder,
        clock: Callable[[], float] = time.time,
    ):
        self._ship, self._logs, self._clock = ship, logs, clock
        self._spool, self._memory, self._decoder = spool, memory, decoder
        self._cluster = logs[0].source.cluster
        self._entries: dict[str, tuple[int, float]] = {}
        self._noticed: dict[bytes, None] = {}  # paths, in the order in which they were noticed
        self._unlisted: set[int] = set()  # ids of jobs of which a folder could not be listed
        self._sweeping: Iterator[Found] = iter(())
        self._next_sweep = 0.0
        self._log = structlog.get_logger()

    # --- what there is to do -------------------------------------------------------------------------------

    def noticed(self, folder: bytes, name: bytes) -> None:
        """A log may have come; of what killed processes left, a scan of the whole folder shows more."""
        said = directories.name_of(name)
        if said and not said.of_set:
            self._noticed[folder + b"/" + name] = None

    def sweep_now(self) -> None:
        """Look through all directories again."""
        self._next_sweep = 0

    def watched(self) -> Iterator[bytes]:
        """Folders in which logs are expected to come."""
        now = self._clock()
        for directory in self._logs:
            span = Span(now - self._ship.longest_job_seconds, now).padded()
            for folder in directory.folders(span) if directory.layout != "job" else ():
                yield directory.place(folder, b"").directory

    def round(self, publisher: Publisher) -> bool:
        """Ship what is due, a few logs; whether there may be more at once."""
        now = self._clock()
        self._read_spool()
        jobs = self._memory.open_jobs(JOBS)
        of_jobs = list(self._of_jobs(jobs))
        noticed = [*self._take_noticed(), *self._due(now)]
        todo = {each.place.path: each for each in of_jobs if self._is_due(each, now)}
        todo |= {each.place.path: each for each in noticed if self._is_due(each, now, changed=True)}
        swept = list(islice(self._swept(now), max(0, LOGS - len(todo))))
        todo |= {each.place.path: each for each in swept if self._is_due(each, now)}
        # a run's own log goes before what its processes may have left as well
        alone = {each.said.job_id for each in todo.values() if not each.members}
        todo = {path: one for path, one in todo.items() if not one.members or one.said.job_id not in alone}
        age = {job.job_id: number for number, job in enumerate(jobs)}
        first = sorted(todo.values(), key=lambda each: age.get(each.said.job_id or 0, JOBS))
        later = {each.place.path: None for each in first[LOGS:]}
        self._noticed = {each.place.path: None for each in first[LOGS:] if not each.members} | self._noticed
        self._ship_logs(first[:LOGS], publisher)
        self._report(jobs, of_jobs, set(later), publisher)
        self._clear()
        return bool(later or self._noticed) or len(todo) + len(swept) >= LOGS

    def _read_spool(self) -> None:
        names = self._spool.names()
        for name in islice((name for name in names if name not in self._entries), JOBS):
            try:
                entry = self._spool.read(name)
            except FileNotFoundError:
                continue
            except Refused as why:
                metrics.BAD_ENTRIES.inc()
                self._log.error("an entry of the spool can't be read", entry=name, reason=why.reason)
                self._spool.set_aside(name)
                continue
            number = self._memory.note(entry.job_id, entry.uid, entry.start, entry.end, entry.noted)
            self._entries[name] = number, entry.noted

    def _of_jobs(self, jobs: list[EndedJob]) -> Iterator[Found]:
        """Logs with the job ids, in the folders of the jobs' days; each folder is listed once."""
        wanted: dict[tuple[int, tuple[bytes, ...]], set[int]] = {}
        for job in jobs:
            span = job.span(self._ship.longest_job_seconds).padded()
            for number, directory in enumerate(self._logs):
                for folder in directory.folders_of(job.job_id, span):
                    wanted.setdefault((number, folder), set()).add(job.job_id)
        self._unlisted = set()
        for (number, folder), ids in wanted.items():
            directory = self._logs[number]
            try:
                named = directory.logs(folder)
            except OSError as error:
                self._log.error("a folder can't be listed", folder=str(folder), reason=error.strerror)
                self._unlisted |= ids
                continue
            own = {name: said for name, said in named.items() if said.job_id in ids}
            yield from _found(directory, folder, own)

    def _take_noticed(self) -> Iterator[Found]:
        for path in list(islice(self._noticed, LOGS)):
            del self._noticed[path]
            yield from self._at(path)

    def _due(self, now: float) -> Iterator[Found]:
        for known in self._memory.due(now, LOGS):
            yield from self._at(known.directory + b"/" + known.name)

    def _at(self, path: bytes) -> Iterator[Found]:
        """The log at a path below one of the directories."""
        for directory in self._logs:
            below = directory.root.rstrip(b"/") + b"/"
            if path.startswith(below):
                *folder, name = path[len(below) :].split(b"/")
                if said := directory.name_of(tuple(folder), name):
                    yield Found(directory, tuple(folder), name, said)
                    return

    def _swept(self, now: float) -> Iterator[Found]:
        """Goes on with the sweep that is under way; begins one when it is time."""
        for found in self._sweeping:  # not "yield from": that would close it
            yield found
        if now >= self._next_sweep:
            self._next_sweep = now + self._ship.sweep_seconds
            self._memory.forget(now - (self._ship.sweep_days + REMEMBERED_DAYS) * DAY)
            self._spool.remove_torn(now)
            self._sweeping = self._sweep(Span(now - self._ship.sweep_days * DAY, now).padded())
            for found in self._sweeping:
                yield found

    def _sweep(self, span: Span) -> Iterator[Found]:
        for directory in self._logs:
            for folder in directory.folders(span):
                known = self._memory.names(directory.place(folder, b"").directory)
                try:
                    named = directory.logs(folder)
                except OSError as error:
                    self._log.error("a folder can't be listed", folder=str(folder), reason=error.strerror)
                    continue
                new = {
                    name: said
                    for name, said in named.items()
                    if said.of_set or known.get(name, State.damaged) == State.damaged
                }
                found = list(_found(directory, folder, new))
                yield from sorted(
                    (each for each in found if not each.members), key=lambda each: _changed(each.place)
                )
                sets = self._memory.sets(directory.place(folder, b"").directory)
                yield from (each for each in found if each.members and not _is_done(each, sets))

    def _is_due(self, found: Found, now: float, changed: bool = False) -> bool:
        """Whether a log is there that is to be shipped now; a sound one again only if somebody touched it."""
        known = self._memory.get(found.place)
        if found.members:
            return self._is_set_due(found, known, now)
        if known and known.state == State.waiting:
            return (known.due or 0) <= now
        looked_at = (State.damaged, State.quarantined, State.refused, *([State.shipped] if changed else []))
        if known and known.state not in looked_at:
            return False
        try:
            stat = Path(_text(found.place)).lstat()
        except OSError:
            return False
        if known:
            return (known.size, known.mtime_ns) != (stat.st_size, stat.st_mtime_ns)
        if stat.st_mtime < now - self._ship.sweep_days * DAY and not self._is_asked_for(found):
            self._memory.put(_known(found.place, State.left_out, now, reason="older than the sweep looks"))
            return False
        return not found.said.partial or self._partial_is_due(found, stat.st_mtime, now)

    def _is_set_due(self, found: Found, known: Known | None, now: float) -> bool:
        """Whether to look into what killed processes left: when the job has ended, and when more came."""
        more = known is None or len(found.members) > (known.members or 0)
        if known and known.state == State.waiting:
            return (known.due or 0) <= now
        if known and known.state == State.incomplete:
            return more or self._is_last_look(found, now)
        if known and not more:
            looked_at = known.state in (State.damaged, State.quarantined, State.refused)
            return looked_at and _stat_if_there(found) not in (None, (known.size, known.mtime_ns))
        if self._jobs(found):
            return True
        stat = _stat_if_there(found)
        if stat and stat[1] / 1e9 < now - self._ship.sweep_days * DAY:
            old = _known(found.place, State.left_out, now, reason="older than the sweep looks")
            self._memory.put(replace(old, members=len(found.members)))
            return False
        return self._is_last_look(found, now)

    def _is_last_look(self, found: Found, now: float) -> bool:
        """Whether what is not there yet is not waited for any more."""
        if jobs := self._jobs(found):
            return all(self._grace_is_over(job, now) for job in jobs)
        stat = _stat_if_there(found)
        return stat is not None and stat[1] / 1e9 < now - PARTIAL_ALONE_SECONDS

    def _jobs(self, found: Found) -> list[EndedJob]:
        """Those that had the job id of a log."""
        return [] if found.said.job_id is None else self._memory.jobs_of(found.said.job_id)

    def _is_asked_for(self, found: Found) -> bool:
        return any(job.open for job in self._jobs(found))

    def _partial_is_due(self, found: Found, changed: float, now: float) -> bool:
        if any(self._grace_is_over(job, now) for job in self._jobs(found)):
            return True
        return changed < now - PARTIAL_ALONE_SECONDS

    def _grace_is_over(self, job: EndedJob, now: float) -> bool:
        return now >= job.end + self._ship.partial_grace_seconds

    # --- shipping ------------------------------------------------------------------------------------------

    def _ship_logs(self, found: list[Found], publisher: Publisher) -> None:
        """Decode, publish, wait for the acknowledgements, and only then remember.

        Dead letters come last: where their topic can't be written, sound logs are done all the same.
        """
        began = time.monotonic()
        by_place = {each.place: each for each in found}
        done = [
            self._handled(by_place[task.place], task, result, publisher)
            for task, result in self._decoder.decode(self._task(each) for each in found)
        ]
        refused = self._answers(publisher)
        done = [self._unless_refused(each, refused) for each in done]
        self._remember(each for each in done if not each.letters)
        told_of = [each for each in done if each.letters]
        for each in told_of:
            for letter in each.letters:
                place = Place(each.known.directory, (), each.known.name)
                publisher.refuse(self._cluster, SOURCE, escape(place.path), letter)
        if told_of:
            self._answers(publisher)
            self._remember(told_of)
        if done:
            pace = len(done) / self._ship.logs_per_second - (time.monotonic() - began)
            time.sleep(max(0, pace))

    def _unless_refused(self, handled: Handled, refused: Refusals) -> Handled:
        why = refused.get((log_messages.TOPIC, handled.known.log_id or ""))
        if not why:
            return handled
        known = replace(handled.known, state=State.refused, reason=why.str())
        return Handled(known, letters=(Refused(f"Kafka refuses it: {why.str()}"),))

    def _answers(self, publisher: Publisher) -> Refusals:
        """What Kafka refuses for good of all that was sent, once it has answered.

        A dead letter among it is only logged: what it was about is remembered elsewhere.
        """
        refused = publisher.settle()
        for (topic, key), why in refused.items():
            metrics.REFUSED_BY_KAFKA.labels(topic).inc()
            self._log.error("Kafka refuses a message for good", topic=topic, key=key, reason=why.str())
        return refused

    def _task(self, found: Found) -> Task:
        earlier = self._memory.earlier(found.place, found.said.partial_name)
        task = Task(found.place, found.directory.source, "live", earlier)
        if not found.members:
            return task
        users = {job.uid for job in self._jobs(found) if job.uid is not None}
        return replace(
            task,
            members=found.members,
            whole_only=not self._is_last_look(found, self._clock()),
            uid=users.pop() if len(users) == 1 else None,
        )

    def _handled(self, found: Found, task: Task, result: Decoded | Refused, publisher: Publisher) -> Handled:
        """Queues the messages of a log that is to be published."""
        now, place = self._clock(), found.place
        if isinstance(result, Refused):
            return self._refused(found, self._memory.get(place), result)
        size, mtime_ns = result.opened.size, result.opened.mtime_ns
        if found.members:
            # of all that are there, not only of those that were merged
            size, mtime_ns = _stat_if_there(found) or (size, mtime_ns)
        known = replace(
            _known(place, State.damaged if result.damage else State.shipped, now),
            size=size,
            mtime_ns=mtime_ns,
            log_id=result.log_id,
            job_id=result.job_id,
            owner_uid=result.opened.owner_uid,
            strict=task.source.owner_check == "strict",
            start=result.start,
            members=len(found.members) or None,
        )
        if found.members and self._memory.has_own_log(result.job_id, result.start):
            result.messages.unlink()
            reason = "of a run that came to its end, whose log was shipped"
            return Handled(replace(known, state=State.left_out, reason=reason, log_id=None))
        if result.damage and mtime_ns / 1e9 > now - self._ship.settle_seconds:
            result.messages.unlink()
            return Handled(
                replace(known, state=State.waiting, due=now + self._ship.settle_seconds, log_id=None)
            )
        problem = self._foreign(result) if known.strict else None
        if problem:
            result.messages.unlink()
            return Handled(
                replace(known, state=State.quarantined, reason=problem), letters=(Refused(problem),)
            )
        if self._memory.is_published(result.log_id):
            result.messages.unlink()
            return Handled(known)
        for message in result.read():
            publisher.put(log_messages.TOPIC, result.log_id, message)
        return Handled(known, result.supersedes, result.damage)

    def _foreign(self, log: Decoded) -> str | None:
        """Why the log is not that of its job's user; None if it is."""
        owner = log.opened.owner_uid
        jobs = [
            job
            for job in self._memory.jobs_of(log.job_id)
            if job.uid is not None and _holds(job.span(self._ship.longest_job_seconds), log.start)
        ]
        users = {job.uid for job in jobs} or {log.uid}
        if owner in users:
            return None
        whose = " or ".join(map(str, sorted(user for user in users if user is not None)))
        noticed = "the scheduler" if jobs else "the log"
        return f"the file belongs to user {owner}, job {log.job_id} to {whose} as {noticed} says"

    def _refused(self, found: Found, before: Known | None, refused: Refused) -> Handled:
        now, place = self._clock(), found.place
        attempts = (before.attempts if before else 0) + 1
        known = replace(
            _known(place, State.quarantined, now),
            reason=refused.reason,
            attempts=attempts,
            members=len(found.members) or None,
        )
        if isinstance(refused, Incomplete):
            return Handled(replace(known, state=State.incomplete, attempts=0))
        try:
            size, mtime_ns = _stat(found)
        except FileNotFoundError:
            # a partial log that became whole, or one that its user took away
            return Handled(replace(known, state=State.gone))
        except OSError:
            pass
        else:
            known = replace(known, size=size, mtime_ns=mtime_ns)
            if mtime_ns / 1e9 > now - self._ship.settle_seconds and attempts < ATTEMPTS:
                return Handled(replace(known, state=State.waiting, due=now + self._ship.settle_seconds))
        if isinstance(refused, NotYet) and attempts < ATTEMPTS:
            return Handled(replace(known, state=State.waiting, due=now + RETRY_SECONDS * 2 ** (attempts - 1)))
        return Handled(known, letters=(refused,))

    def _remember(self, done: Iterable[Handled]) -> None:
        with self._memory.transaction():
            for each in done:
                self._remember_one(each.known, each.supersedes)

    def _remember_one(self, known: Known, supersedes: str | None) -> None:
        place = Place(known.directory, (), known.name)
        if known.state == State.gone:
            self._memory.drop(place)
            return
        self._memory.put(known)
        if supersedes:
            self._memory.supersede(supersedes, place)
        if known.log_id and known.job_id is not None and known.start is not None:
            self._memory.reopen(known.job_id, known.start)
        log = self._log.bind(log=escape(place.path), job_id=known.job_id)
        if known.state in (State.shipped, State.damaged):
            metrics.SHIPPED.labels(known.state.value).inc()
            log.info("shipped", state=known.state.value, log_id=known.log_id, supersedes=supersedes)
        elif known.state in (State.incomplete, State.left_out):
            log.info("not shipped", state=known.state.value, reason=known.reason)
        elif known.state == State.waiting:
            metrics.RETRIES.inc()
            log.info("tried again later", reason=known.reason)
        else:
            metrics.REFUSED.inc()
            log.warning("refused", state=known.state.value, reason=known.reason)

    # --- jobs ----------------------------------------------------------------------------------------------

    def _report(
        self, looked_for: list[EndedJob], found: list[Found], later: set[bytes], publisher: Publisher
    ) -> None:
        """Publish manifests that are new or have changed, and close jobs whose manifest is final."""
        now = self._clock()
        pending = Counter(each.said.job_id for each in found if self._is_open(each))
        unshipped = {each.said.job_id for each in found if each.place.path in later}
        numbers, done = {job.number for job in looked_for}, []
        for job in self._memory.open_jobs(JOBS):
            if job.number not in numbers or job.job_id in unshipped:
                continue
            whole = not pending[job.job_id] and job.job_id not in self._unlisted
            final = whole or self._grace_is_over(job, now)
            log_ids = self._memory.published_ids(job, job.span(self._ship.longest_job_seconds))
            seen = replace(job, open=not final, final=final, log_ids=log_ids, reason=None)
            if (seen.final, seen.log_ids) != (job.final, job.log_ids):
                seen = replace(seen, scan_second=max(int(now), job.scan_second + 1))
                publisher.send(MANIFESTS, self._key(job), "JobManifest", self._manifest(seen))
            done.append((job, seen))
        refused = self._answers(publisher)
        with self._memory.transaction():
            for job, seen in done:
                if why := refused.get((MANIFESTS, self._key(job))):
                    seen = replace(job, open=False, reason=why.str())
                metrics.MANIFESTS.inc(seen.scan_second > job.scan_second)
                self._memory.put_job(seen)

    def _is_open(self, found: Found) -> bool:
        """Whether a log of a job that has ended is not shipped yet: it is partial, or not readable so far."""
        known = self._memory.get(found.place)
        return known is None or known.state in (State.waiting, State.incomplete)

    def _key(self, job: EndedJob) -> str:
        return f"{self._cluster}/{job.job_id}"

    def _manifest(self, job: EndedJob) -> dict[str, Any]:
        return {
            "cluster": self._cluster,
            "job_id": job.job_id,
            "job_uid": None,
            "scan_time": job.scan_second * 1_000_000,
            "final": job.final,
            "log_ids": job.log_ids,
            "origin": "live",
        }

    def _clear(self) -> None:
        """Remove the entries of jobs that are done."""
        still = self._memory.open_numbers()
        for name, (number, noted) in list(self._entries.items()):
            if number not in still:
                self._spool.remove(name)
                del self._entries[name]
                metrics.SECONDS.observe(self._clock() - noted)


def _found(directory: LogDirectory, folder: tuple[bytes, ...], named: dict[bytes, Name]) -> Iterator[Found]:
    """The logs of a folder, and what killed processes left there run by run."""
    alone, sets = mapped_logs.grouped(directory.place(folder, name) for name in named)
    for place in alone:
        yield Found(directory, folder, place.name, named[place.name])
    for each in sets:
        yield Found(directory, folder, each.place.name, named[each.members[0].name], each.members)


def _is_done(found: Found, sets: dict[bytes, Known]) -> bool:
    """Whether nothing came to what killed processes left since it was shipped or left out."""
    known = sets.get(found.name)
    over = (State.shipped, State.superseded, State.left_out)
    return known is not None and known.state in over and len(found.members) <= (known.members or 0)


def _stat(found: Found) -> tuple[int, int]:
    """Bytes and the nanosecond of the last change of all its files; OSError if one is not there."""
    stats = [Path(_text(place)).lstat() for place in found.members or (found.place,)]
    return sum(stat.st_size for stat in stats), max(stat.st_mtime_ns for stat in stats)


def _stat_if_there(found: Found) -> tuple[int, int] | None:
    try:
        return _stat(found)
    except OSError:
        return None


def _known(place: Place, state: State, now: float, reason: str | None = None) -> Known:
    return Known(place.directory, place.name, state, reason=reason, at=now)


def _holds(span: Span, second: float) -> bool:
    start, end = span.padded()
    return start <= second <= end


def _text(place: Place) -> str:
    return place.path.decode("utf-8", "surrogateescape")


def _changed(place: Place) -> float:
    try:
        return Path(_text(place)).lstat().st_mtime
    except OSError:
        return 0


def serve(config: AgentConfig, stop: threading.Event) -> None:
    """Ship until `stop` is set."""
    site = documents.site_of_agents(config.site, "ship")
    logs = directories.of_site(site, documents.time_zone(site), config.site.parent)
    spool = JobSpool(config.jobs_spool)
    spool.check()
    metrics.of_spool(spool)
    log = structlog.get_logger()
    with (
        ShippingMemory(config.state / MEMORY) as memory,
        Decoder(config.state / "decoded", config.ship.processes, config.ship.decode_seconds) as decoder,
        Watch() as watch,
    ):
        shipper = Shipper(config.ship, logs, spool, memory, decoder)
        failures = 0
        while not stop.is_set():
            try:
                with Publisher.for_agent(logged(config.kafka), "live", stop) as publisher:
                    while not stop.is_set():
                        _round(shipper, publisher, watch, os.fsencode(spool.folder))
                        failures = 0
                        service.well()
            except Stopped:
                log.info("stopped before Kafka has acknowledged all; the rest is sent at the next start")
            except (KafkaException, OSError, sqlite3.Error) as error:
                # nothing of the round is remembered, so that it is done again
                reason = error.args[0].str() if isinstance(error, KafkaException) else str(error)
                metrics.FAILURES.inc()
                service.failing(reason)
                log.error("a round failed and is repeated", reason=reason)
                stop.wait(min(FAILURE_SECONDS * 2**failures, FAILURE_SECONDS_MOST))
                failures += 1


def _round(shipper: Shipper, publisher: Publisher, watch: Watch, spool: bytes) -> None:
    if watch.set([spool, *shipper.watched()]) or watch.overflowed:
        watch.overflowed = False
        shipper.sweep_now()
    more = shipper.round(publisher)
    for folder, name in watch.wait(0 if more else POLL_SECONDS):
        shipper.noticed(folder, name)


def main(config: AgentConfig) -> None:
    """The command `weir agent ship`."""
    with service.running("ship", config.ship.metrics_port) as stop:
        serve(config, stop)
