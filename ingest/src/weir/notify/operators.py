"""Decides what operators hear: troubles of storage and pipeline, grouped, once each, and when they are over.

A group is a file system, or the pipeline. A server of several file systems has all of them for its group: one
message reports it, and a long trouble of one file system does not hold back what befalls another.

All is decided from the events, what was reported, and the time. So a desk that is given these again
after a restart goes on where the one before it stopped.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from weir.notify.trouble import to_operators

TROUBLE = "trouble"
OVER = "over"
RECIPIENT = "operators"
PIPELINE = "pipeline"
UNLISTED = "other servers"
"""Group of servers that the site file gives no file system; a blank is in no file system's id."""

MICROSECOND = timedelta(microseconds=1)
GATHER = timedelta(seconds=60) // MICROSECOND
"""Time from a trouble's first event to its message: a hundred servers that vanish at once are one message."""
HOLD = timedelta(minutes=5) // MICROSECOND
"""A trouble is over after so long without one: what begins again sooner goes on."""
UPDATE = timedelta(hours=1) // MICROSECOND
"""While a trouble lasts its further subjects are reported no more often."""
TOO_OLD = timedelta(hours=6) // MICROSECOND
"""What began longer ago and was not reported is history: a first start finds 30 days of it in the topic."""
MOST_SUBJECTS = 50
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_PART = "part"
_UNIT = re.compile(
    r"(?P<trouble>.*/(?P<group>[^/]*)/(?P<kind>[^/]*)/(?P<opened>-?\d{1,20}))(\+\d+)?", flags=re.DOTALL
)
"""The unit of a trouble's message; its number is bounded because int() refuses thousands of digits."""

Place = tuple[str, str, str]
"""Cluster, group and kind: what one trouble is about."""


@dataclass(frozen=True)
class Event:
    """What one message says of one trouble of one subject; its version is a time in microseconds."""

    cluster: str
    kind: str
    subject_kind: str
    subject: str
    server: str
    filesystem: str
    since: datetime
    ended: datetime | None
    state: str
    in_maintenance: bool
    cause: str
    numbers: dict[str, float]
    version: int

    @property
    def is_open(self) -> bool:
        """Whether it lasts."""
        return self.state == "open"


@dataclass(frozen=True)
class Subject:
    """How the newest trouble of a subject stands."""

    event: Event
    group: str
    known: int
    """Since when it is known to be as it is: in trouble outside maintenance, or not."""
    is_silenced: bool
    """Whether maintenance silences it: it begins nothing, but what was reported of it is not over."""
    spells: tuple[tuple[int, int | None], ...] = ()
    """When each of its troubles of late was known, and known to be over."""

    @property
    def place(self) -> Place:
        """The trouble to which it belongs."""
        return self.event.cluster, self.group, self.event.kind

    @property
    def name(self) -> tuple[str, str]:
        """It among the subjects of its trouble."""
        return self.event.subject_kind, self.event.subject

    def is_active(self, moment: int) -> bool:
        """Whether operators should know of it. The topic of the pipeline holds no history that is too old."""
        is_recent = self.event.subject_kind == _PART or moment - self.known <= TOO_OLD
        return self.event.is_open and not self.is_silenced and is_recent

    def was_in_trouble(self, moment: int) -> bool:
        """Whether it was known to be, then."""
        return any(opened <= moment and (over is None or moment < over) for opened, over in self.spells)


@dataclass(frozen=True)
class _Message:
    """Whom a message was about, as far as it is known."""

    decided_at: int
    names: frozenset[tuple[str, str]]
    has_all_names: bool

    def knows(self, subject: Subject) -> bool:
        """Whether it was about a subject: one that it names, or else one that was in trouble then."""
        return subject.name in self.names or (
            not self.has_all_names and subject.was_in_trouble(self.decided_at)
        )


@dataclass
class _Reported:
    """A trouble that was reported and is not over: its messages by unit."""

    place: Place
    opened: int
    since: datetime
    messages: dict[str, _Message] = field(default_factory=dict)

    @property
    def last(self) -> int:
        """When its newest message was decided."""
        return max(message.decided_at for message in self.messages.values())

    def has(self, subject: Subject) -> bool:
        """Whether a subject belongs to it: of its place, or named before the site file gave it another.

        What ended before it began does not; nor does what was left open long before.
        """
        cluster, _, kind = self.place
        if (subject.event.cluster, subject.event.kind) != (cluster, kind):
            return False
        is_of_place = subject.place == self.place or any(
            subject.name in message.names for message in self.messages.values()
        )
        return is_of_place and subject.known >= self.opened - (TOO_OLD if subject.event.is_open else 0)

    def began(self, members: Iterable[Subject]) -> datetime:
        """Since when it lasts; a delivery alone does not say that."""
        return min([self.since, *(member.event.since for member in members)])

    def knows(self, subject: Subject) -> bool:
        """Whether a message was about it."""
        return any(message.knows(subject) for message in self.messages.values())


class OperatorsDesk:
    """Takes events in any order and gives the messages that are due.

    On start give it the site files, all that the topics of events hold, and what was reported: then decide.
    """

    def __init__(self) -> None:
        self._groups: dict[tuple[str, str], str] = {}
        self._maintenance: dict[str, list[tuple[int, int]]] = {}
        self._events: dict[tuple[str, ...], dict[datetime, dict[int, Event]]] = {}
        self._reported: dict[str, _Reported] = {}
        self._over: set[str] = set()

    def site(self, site: Mapping[str, Any]) -> None:
        """Take a checked site file instead of the cluster's earlier one.

        In a maintenance window of the whole center nothing of the pipeline is reported either.
        """
        of_servers: dict[str, set[str]] = {}
        for filesystem in site["file_systems"]:
            for server in filesystem.get("devices", {}):
                of_servers.setdefault(server, set()).add(filesystem["id"])
        cluster = site["cluster"]
        groups = {place: group for place, group in self._groups.items() if place[0] != cluster}
        self._groups = groups | {
            (cluster, server): "+".join(sorted(of_servers[server])) for server in of_servers
        }
        self._maintenance[cluster] = [
            (micros(datetime.fromisoformat(window["from"])), micros(datetime.fromisoformat(window["to"])))
            for window in site.get("maintenance_windows", [])
            if not window.get("servers") and not window.get("file_systems")
        ]

    def take(self, record: Mapping[str, Any]) -> None:
        """Take a StorageEvent or PipelineEvent; ValueError for one of which no message can be named."""
        events = _of_storage(record) if "event_id" in record else _of_pipeline(record)
        for event in events:
            if "/" in event.kind + event.filesystem:
                raise ValueError(f"kind {event.kind!r}, file system {event.filesystem!r}: with a slash")
            whom = event.cluster, event.kind, event.subject_kind, event.subject
            self._events.setdefault(whom, {}).setdefault(event.since, {})[event.version] = event

    def remember(self, reported: Mapping[str, Any]) -> None:
        """Take an Alert or Delivery of kind trouble or over that was written, in any order.

        A delivery names no subjects: all that were in trouble when it was decided count as reported.
        """
        unit = _UNIT.fullmatch(reported["unit"])
        if reported["kind"] == OVER:
            self._over.add(reported["unit"])
        if reported["kind"] != TROUBLE or not unit:
            return
        place = reported["cluster"], unit["group"], unit["kind"]
        begun = _Reported(place, int(unit["opened"]), reported["decided_at"])
        trouble = self._reported.setdefault(unit["trouble"], begun)
        decided_at = micros(reported["decided_at"])
        facts = reported.get("trouble")
        if facts is None:
            trouble.messages.setdefault(reported["unit"], _Message(decided_at, frozenset(), False))
            return
        trouble.since = min(trouble.since, facts["since"])
        names = frozenset((each["subject_kind"], each["subject"]) for each in facts["subjects"])
        has_all_names = facts["subjects_in_all"] == len(facts["subjects"])
        trouble.messages[reported["unit"]] = _Message(decided_at, names, has_all_names)

    def decide(self, now: datetime) -> list[dict[str, Any]]:
        """Alerts that are due, which from then on are reported."""
        moment = micros(now)
        self._reported = {
            unit: reported for unit, reported in self._reported.items() if unit not in self._over
        }
        self._forget(moment)
        subjects = self.subjects(now)
        alerts = []
        for unit, reported in self._reported.items():
            members = [subject for subject in subjects if reported.has(subject)]
            if alert := _over(unit, reported, members, now) or _update(unit, reported, members, now):
                alerts.append(alert)
        begun: dict[Place, list[Subject]] = {}
        for subject in subjects:
            if subject.is_active(moment) and not any(
                reported.has(subject) for reported in self._reported.values()
            ):
                begun.setdefault(subject.place, []).append(subject)
        for place, found in begun.items():
            if _gathered(found, moment):
                unit = "/".join((*place, str(min(subject.known for subject in found))))
                since = min(subject.event.since for subject in found)
                alerts.append(_alert(TROUBLE, unit, place, since, None, found, now))
        for alert in alerts:
            self.remember(alert)
        return sorted(alerts, key=lambda alert: alert["unit"])

    def subjects(self, now: datetime) -> list[Subject]:
        """How each subject stands of which there was trouble of late."""
        return [self._subject(events, micros(now)) for events in self._events.values()]

    def _subject(self, events: Mapping[datetime, Mapping[int, Event]], moment: int) -> Subject:
        versions = _newest(events)
        event = versions[max(versions)]
        group = self._group(event)
        known, is_silenced = event.version, event.in_maintenance
        if event.subject_kind == _PART:
            is_silenced = self._is_in_maintenance(moment)
            if event.is_open:
                ends = (end for windows in self._maintenance.values() for _, end in windows if end <= moment)
                known = max(known, *ends, 0)
        elif event.is_open and not is_silenced:
            known = _opened(versions)
        return Subject(event, group, known, is_silenced, tuple(map(_spell, events.values())))

    def _is_in_maintenance(self, moment: int) -> bool:
        """Whether every cluster is: the pipeline serves all of them."""
        return bool(self._maintenance) and all(
            any(begin <= moment < end for begin, end in windows) for windows in self._maintenance.values()
        )

    def _group(self, event: Event) -> str:
        if event.subject_kind == _PART:
            return PIPELINE
        return event.filesystem or self._groups.get((event.cluster, event.server or event.subject), UNLISTED)

    def _forget(self, moment: int) -> None:
        """Drop events that have ended too long ago to be reported, and are part of no trouble that lasts."""
        lasting = {
            (cluster, kind) for cluster, _, kind in (reported.place for reported in self._reported.values())
        }
        for whom, events in list(self._events.items()):
            if whom[:2] in lasting:
                continue
            newest = _newest(events)
            is_open = newest[max(newest)].is_open
            kept = {
                since: versions
                for since, versions in events.items()
                if moment - max(versions) <= TOO_OLD or (is_open and versions is newest)
            }
            if kept:
                self._events[whom] = kept
            else:
                del self._events[whom]


def _of_storage(record: Mapping[str, Any]) -> list[Event]:
    """None for what is not live: it is of another time."""
    if record["origin"] != "live":
        return []
    numbers = dict(zip(record["names"], record["numbers"], strict=False))
    same = ("cluster", "kind", "subject_kind", "subject", "server", "filesystem", "since", "ended", "state")
    own = {name: record[name] for name in (*same, "in_maintenance", "version")}
    return [Event(**own, cause="", numbers=numbers)]


def _of_pipeline(record: Mapping[str, Any]) -> list[Event]:
    """Its beginning and, if it is over, its end: the topic is compacted and may hold the latter alone."""
    since, until = record["since"], record["until"]
    begun = Event(
        cluster="",
        kind=record["kind"],
        subject_kind=_PART,
        subject=record["subject"],
        server="",
        filesystem="",
        since=since,
        ended=None,
        state="open",
        in_maintenance=False,
        cause=record["cause"],
        numbers={"count": float(record["count"])},
        version=micros(since),
    )
    if until is None:
        return [begun]
    known = max(micros(until), begun.version + 1)
    return [begun, replace(begun, ended=until, state="recovered", version=known)]


def _newest(events: Mapping[datetime, Mapping[int, Event]]) -> Mapping[int, Event]:
    """The versions of the trouble that began last, which alone can be open; one withdrawn never was."""
    last = {since: versions[max(versions)] for since, versions in events.items()}
    return events[max(last, key=lambda since: (last[since].state != "withdrawn", since))]


def _spell(versions: Mapping[int, Event]) -> tuple[int, int | None]:
    """When an event was known to be open, and to be so no more."""
    newest = max(versions)
    opened = min((version for version, event in versions.items() if event.is_open), default=newest)
    return opened, None if versions[newest].is_open else newest


def _opened(versions: Mapping[int, Event]) -> int:
    """When an event that is open became so: the first version since it was closed or in maintenance."""
    opened = max(versions)
    for version in sorted(versions, reverse=True):
        if not versions[version].is_open or versions[version].in_maintenance:
            break
        opened = version
    return opened


def _gathered(found: Iterable[Subject], moment: int) -> bool:
    """Whether others had time to show. What a wrong clock dates into the future is not waited for."""
    return any(abs(moment - subject.known) >= GATHER for subject in found)


def _over(unit: str, reported: _Reported, members: list[Subject], now: datetime) -> dict[str, Any] | None:
    """Returns the message that a trouble is over; None where it is not, or where no member is known."""
    if not members or any(member.event.is_open for member in members):
        return None
    if abs(micros(now) - max(member.known for member in members)) < HOLD:
        return None
    until = max(member.event.ended or member.event.since for member in members)
    return _alert(OVER, unit, reported.place, reported.began(members), until, members, now)


def _update(unit: str, reported: _Reported, members: list[Subject], now: datetime) -> dict[str, Any] | None:
    """The message with further subjects, numbered; it has all that are in trouble, to be read alone."""
    moment = micros(now)
    further = [member for member in members if member.is_active(moment) and not reported.knows(member)]
    if moment - reported.last < UPDATE or not _gathered(further, moment):
        return None
    lasting = [member for member in members if member.event.is_open and not member.is_silenced]
    return _alert(
        TROUBLE,
        f"{unit}+{len(reported.messages)}",
        reported.place,
        reported.began(members),
        None,
        lasting,
        now,
    )


def _alert(
    kind: str,
    unit: str,
    place: Place,
    since: datetime,
    until: datetime | None,
    subjects: list[Subject],
    now: datetime,
) -> dict[str, Any]:
    cluster, group, of_kind = place
    named = sorted(subjects, key=lambda subject: (subject.event.subject, subject.event.subject_kind))
    trouble = {
        "group": group,
        "kind": of_kind,
        "since": since,
        "until": until,
        "subjects_in_all": len(named),
        "subjects": [
            {
                "subject_kind": subject.event.subject_kind,
                "subject": subject.event.subject,
                "server": subject.event.server,
                "since": subject.event.since,
                "ended": subject.event.ended,
                "cause": subject.event.cause,
                "numbers": subject.event.numbers,
            }
            for subject in named[:MOST_SUBJECTS]
        ],
    }
    return to_operators(kind, cluster, unit, trouble, now)


def micros(time: datetime) -> int:
    """Microseconds since 1970."""
    return (time - _EPOCH) // MICROSECOND
