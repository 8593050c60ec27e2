"""Back-fill: logs of the past, published beside the live stream; a journal lets it go on where it was."""

import os
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from itertools import islice
from pathlib import Path

from weir import documents
from weir.agents.config import AgentConfig
from weir.errors import Refused, UserError
from weir.kafka import Publisher, Stopped
from weir.logs import log_messages, mapped_logs
from weir.logs.darshan_log import NotYet, Place, Source
from weir.logs.mapped_logs import Incomplete, MappedSet
from weir.privacy import Privacy
from weir.shipping import directories
from weir.shipping.daemon import SOURCE
from weir.shipping.decoding import Decoded, Decoder, Task
from weir.shipping.directories import DAY
from weir.shipping.memory import Known, ShippingMemory, State
from weir.text import escape

JOURNAL = "backfill.sqlite"  # in the state folder
LOGS = 256  # between two acknowledgements


@dataclass(frozen=True)
class Wanted:
    """What is back-filled: logs below `folder` whose runs began at these Unix seconds."""

    folder: Path
    start: float = 0
    end: float = float("inf")
    trusted: bool = False
    """The owner of a log need not be its job's user."""
    again: bool = False
    """Those that an earlier back-fill has sent, too."""


@dataclass
class Outcome:
    """What became of the logs; `refused` by reason."""

    sent: int = 0
    damaged: int = 0
    """How many of those that were sent are damaged."""
    skipped: int = 0
    """Sent by an earlier back-fill."""
    outside: int = 0
    """Logs whose run began outside of the time that is wanted."""
    unfinished: int = 0
    """Partial logs, and logs of some of a killed run's processes, that changed within the last day."""
    of_ended_runs: int = 0
    """Logs that processes left of runs that have their own logs."""
    refused: Counter[str] = field(default_factory=Counter)

    def count(self, known: Known) -> None:
        """One more log."""
        self.sent += known.state in (State.shipped, State.damaged)
        self.damaged += known.state == State.damaged
        self.outside += known.state == State.left_out
        if known.state in (State.quarantined, State.refused):
            self.refused[known.reason or ""] += 1


def days(site_file: Path, since: date | None, until: date | None) -> tuple[float, float]:
    """Unix seconds of the center's days from `since` to `until`, both included."""
    zone = documents.time_zone(documents.load_site(site_file))
    start = datetime(since.year, since.month, since.day, tzinfo=zone).timestamp() if since else 0
    after = until + timedelta(days=1) if until else None
    end = datetime(after.year, after.month, after.day, tzinfo=zone).timestamp() if after else float("inf")
    return start, end


def run(
    config: AgentConfig,
    wanted: Wanted,
    progress: Callable[[float, float], None] = lambda *_: None,
    stop: threading.Event | None = None,
) -> Outcome:
    """Publish what is wanted; kafka.Stopped if `stop` is set before Kafka has acknowledged all."""
    if not wanted.folder.is_dir():
        raise UserError(f"{wanted.folder}: no directory. Give one that holds logs, at any depth.")
    site = documents.load_site(config.site)
    check = "trusted_archive" if wanted.trusted else "strict"
    source = Source(site["cluster"], check, Privacy.of(site))
    whole = sum(1 for mapped in (False, True) for _ in _logs(wanted, mapped))
    stop = stop or threading.Event()
    with (
        ShippingMemory(config.state / JOURNAL) as journal,
        Decoder(config.state / "backfill", config.ship.processes, config.ship.decode_seconds) as decoder,
        Publisher.for_agent(config.kafka, "backfill", stop) as publisher,
    ):
        work = _Backfill(wanted, source, journal, decoder, publisher)
        for done in work.batches():
            progress(done, whole)
            if stop.is_set():
                raise Stopped
        return work.outcome


class _Backfill:
    def __init__(
        self, wanted: Wanted, source: Source, journal: ShippingMemory, decoder: Decoder, publisher: Publisher
    ):
        self._wanted, self._source, self._journal = wanted, source, journal
        self._decoder, self._publisher = decoder, publisher
        self.outcome = Outcome()

    def batches(self) -> Iterator[int]:
        """Publishes them; gives how many are done, each time that Kafka has acknowledged so many."""
        done = 0
        # a run's own log goes before what its processes may have left as well
        for mapped in (False, True):
            logs = _logs(self._wanted, mapped)
            while some := list(islice(logs, LOGS)):
                self._send(some)
                done += len(some)
                yield done

    def _send(self, some: list[MappedSet]) -> None:
        handled = []
        for task, result in self._decoder.decode(self._tasks(some)):
            handled.append(self._handled(task, result))
        handled = self._unless_refused(handled)
        with self._journal.transaction():
            for known in handled:
                self._journal.put(known)
        for known in handled:
            self.outcome.count(known)

    def _unless_refused(self, handled: list[Known]) -> list[Known]:
        """Once Kafka has answered; what it refuses for good becomes a dead letter, where it takes that."""
        refused = self._publisher.settle()
        for number, known in enumerate(handled):
            if why := refused.get((log_messages.TOPIC, known.log_id or "")):
                reason = f"Kafka refuses it: {why.str()}"
                self._refuse(Place(known.directory, (), known.name), Refused(reason))
                handled[number] = replace(known, state=State.refused, reason=reason)
        self._publisher.settle()
        return handled

    def _tasks(self, some: list[MappedSet]) -> Iterator[Task]:
        for place, members in some:
            known = self._journal.get(place)
            known = None if self._wanted.again else known
            if known and known.state in (State.shipped, State.damaged) and _has_all(known, members):
                self.outcome.skipped += 1
            elif known and known.state in (State.quarantined, State.refused) and _has_all(known, members):
                self.outcome.count(known)
            elif place.name.endswith(directories.PARTIAL) and _changed(place) > time.time() - DAY:
                self.outcome.unfinished += 1
            elif members:
                earlier = self._journal.earlier(place, place.name)
                fresh = max(map(_changed, members)) > time.time() - DAY
                yield Task(place, self._source, "backfill", earlier, members, whole_only=fresh)
            else:
                yield Task(place, self._source, "backfill")

    def _handled(self, task: Task, result: Decoded | Refused) -> Known:
        """What the journal keeps of a log that is published, unless it began at another time."""
        place = task.place
        known = Known(place.directory, place.name, State.shipped, at=time.time())
        known = replace(known, members=len(task.members) or None)
        if isinstance(result, Incomplete):
            self.outcome.unfinished += 1
            return replace(known, state=State.waiting, reason=result.reason)
        if isinstance(result, Decoded):
            foreign = self._source.owner_check == "strict" and result.opened.owner_uid != result.uid
            if not self._wanted.start <= result.start < self._wanted.end:
                result.messages.unlink()
                return replace(known, state=State.left_out)
            if task.members and self._journal.has_own_log(result.job_id, result.start):
                result.messages.unlink()
                self.outcome.of_ended_runs += 1
                return replace(known, state=State.waiting)
            if not foreign:
                for message in result.read():
                    self._publisher.put(log_messages.TOPIC, result.log_id, message)
                for damage in result.damage:
                    self._refuse(place, damage)
                return replace(
                    known,
                    state=State.damaged if result.damage else State.shipped,
                    log_id=result.log_id,
                    job_id=result.job_id,
                    owner_uid=result.opened.owner_uid,
                    start=result.start,
                )
            result.messages.unlink()
            owner = result.opened.owner_uid
            result = Refused(
                f"the file belongs to user {owner}, its job to {result.uid} (--trusted allows it)"
            )
        self._refuse(place, result)
        # what may pass is tried by the next back-fill
        state = State.waiting if isinstance(result, NotYet) else State.quarantined
        self.outcome.refused[result.reason] += state == State.waiting
        return replace(known, state=state, reason=result.reason)

    def _refuse(self, place: Place, refused: Refused) -> None:
        self._publisher.refuse(self._source.cluster, SOURCE, escape(place.path), refused)


def _logs(wanted: Wanted, mapped: bool) -> Iterator[MappedSet]:
    """Gives logs that may have begun in time, since a log is not older than its run.

    Those that stand alone, as sets without members, or what killed processes left, by folder and run.
    """
    root = os.fsencode(wanted.folder)
    for folder, below, names in os.walk(root):
        below.sort()
        parts = tuple(part for part in os.path.relpath(folder, root).split(b"/") if part != b".")
        alone, sets = mapped_logs.grouped(
            Place(root, parts, name) for name in sorted(names) if directories.name_of(name)
        )
        for found in sets if mapped else (MappedSet(place) for place in alone):
            if all(_changed(place) >= wanted.start for place in found.members or (found.place,)):
                yield found


def _has_all(known: Known, members: tuple[Place, ...]) -> bool:
    return len(members) <= (known.members or 0)


def _changed(place: Place) -> float:
    """Returns the Unix second of its last change; now for a file that is gone, as its decoder will report."""
    try:
        return Path(os.fsdecode(place.path)).lstat().st_mtime
    except FileNotFoundError:
        return time.time()
