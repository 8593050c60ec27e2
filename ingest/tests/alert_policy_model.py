"""Which messages a user gets, worked out from the written policy alone, to judge the program.

Nothing is counted on the way. Each decision reads the whole log of what arrived and of what was decided
before, so it is slow and short. Times are milliseconds since 1970 in UTC.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import fsum
from typing import Any
from zoneinfo import ZoneInfo

SECOND, HOUR, DAY = 1_000, 3_600_000, 86_400_000
GATHERING = 15 * SECOND
CURRENT = 6 * HOUR
SEVERITIES = ("info", "notice", "warning", "critical")
_STEP = 5 * 60 * SECOND
"""Quiet hours in these tests start and end at multiples of it."""

_DEFAULTS = {
    "mode": "shadow",
    "least_severity": "warning",
    "least_node_hours": 1,
    "least_share": 0.1,
    "per_user_and_day": 3,
    "digest": "weekly",
    "remind_days": 7,
    "clean_runs": 3,
    "opt_in": False,
    "trust_archive": False,
    "quiet_hours": {},
    "exclude": {},
}


@dataclass(frozen=True)
class Run:
    log_id: str
    program: str
    end_time: int
    log_state: str = "complete"
    owner_check: str = "strict"
    run_time: float | None = 100.0
    time_lost: float | None = 50.0
    node_hours: float | None = 2.0
    site_bytes: float | None = 1000.0
    verdict: str = "application"
    unknowable: tuple[str, ...] = ()


@dataclass(frozen=True)
class Finding:
    rule: str
    log_id: str | None
    severity: str = "warning"
    evidence_class: str = "exact"


@dataclass(frozen=True)
class Result:
    uid: str
    version: int
    runs: tuple[Run, ...]
    findings: tuple[Finding, ...]
    end_time: int | None
    settled: bool = True
    origin: str = "live"
    array_id: int | None = None
    account: str | None = "physics"
    partition: str | None = "batch"
    display_id: str = ""

    def found_in(self, run: Run) -> dict[str, str]:
        """Severity of each rule that the run has."""
        mine = [each for each in self.findings if each.log_id == run.log_id]
        return {each.rule: each.severity for each in mine if each.evidence_class != "unknowable"}

    def causes(self) -> set[tuple[str, str]]:
        """Programs and rules that its runs have."""
        return {(run.program, rule) for run in self.runs for rule in self.found_in(run)}


@dataclass(frozen=True)
class Wish:
    """A control. The subject of a mute may be a (program, rule), which stands for the case."""

    kind: str
    subject: str | tuple[str, str] = "all"
    until: int | None = None
    wanted: bool | None = None


@dataclass(frozen=True)
class Arrival:
    time: int
    what: Result | Wish


@dataclass(frozen=True)
class Named:
    """A case as a message names it."""

    case: str
    runs: int
    millionths: int
    times_sent: int
    held_back: str
    retracted: tuple[str, ...]


@dataclass(frozen=True)
class Message:
    time: int
    kind: str
    unit: str
    cases: tuple[Named, ...]
    node_hours: float | None = None
    jobs: int | None = None
    settled_at: int | None = None


@dataclass(frozen=True)
class Held:
    time: int
    unit: str
    reason: str


@dataclass(frozen=True)
class _Seen:
    """An arrival, the result that it replaced, and the units for which it is a reason."""

    arrival: Arrival
    before: Result | None = None
    newest: bool = False
    reason_for: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Decided:
    time: int
    unit: str
    outcome: Message | Held | None = None
    waiting: tuple[str, ...] = ()
    """Cases that the digest will name."""


_DIGEST = "digest"


def case_id(cluster: str, user: str, program: str, rule: str) -> str:
    return hashlib.blake2b("\0".join((cluster, user, program, rule)).encode(), digest_size=16).hexdigest()


class Calendar:
    """The site's days, and its quiet hours."""

    def __init__(self, site: dict[str, Any]):
        self.zone = ZoneInfo(site["time_zone"])
        self._quiet = site.get("alerts", {}).get("quiet_hours", {})
        self._known: dict[int, int] = {}

    def local(self, time: int) -> datetime:
        return datetime.fromtimestamp(time // 1000, self.zone)

    def day(self, time: int) -> str:
        return self.local(time).date().isoformat()

    def week(self, time: int) -> str:
        year, week, _ = self.local(time).isocalendar()
        return f"{year}-W{week:02}"

    def is_quiet(self, time: int) -> bool:
        local = self.local(time)
        if self._quiet.get("weekends") and local.isoweekday() > 5:
            return True
        if local.date().isoformat() in self._quiet.get("holidays", ()):
            return True
        begin, end = self._quiet.get("from", "00:00"), self._quiet.get("to", "00:00")
        now = f"{local:%H:%M}"
        return begin <= now < end if begin <= end else now >= begin or now < end

    def open_from(self, time: int) -> int:
        """The first moment that is not quiet, from `time` on."""
        if not self.is_quiet(time):
            return time
        step = time // _STEP + 1
        if step not in self._known:
            moment = step
            while self.is_quiet(moment * _STEP):
                moment += 1
            self._known[step] = moment * _STEP
        return self._known[step]

    def digest_after(self, time: int, period: str) -> int:
        day = self.local(time).date() + timedelta(days=1)
        while period == "weekly" and day.isoweekday() != 1:
            day += timedelta(days=1)
        morning = datetime(day.year, day.month, day.day, 8, tzinfo=self.zone)
        return self.open_from(int(morning.astimezone(UTC).timestamp()) * 1000)


class User:
    """One user's log, and what it leads to."""

    def __init__(self, site: dict[str, Any], name: str, calendar: Calendar):
        self.cluster, self.name, self.calendar = site["cluster"], name, calendar
        self.policy = _DEFAULTS | site.get("alerts", {})
        self.log: list[_Seen | _Decided] = []

    def decide_all(self, arrivals: Sequence[Arrival], end: int) -> list[Message | Held]:
        """Outcomes in the order in which they are decided."""
        ahead = list(arrivals)
        while True:
            due = min(self._due(), default=(end + 1, False, ""))
            if ahead and ahead[0].time < due[0]:
                self._arrive(ahead.pop(0))
            elif due[0] <= end:
                self.log.append(self._decide(due[0], due[2]))
            else:
                break
        return [each.outcome for each in self.log if isinstance(each, _Decided) and each.outcome]

    # --- the log, read again and again --------------------------------------------------------------------

    def _due(self) -> Iterator[tuple[int, bool, str]]:
        """What waits: when it is due, whether it is the digest, and its unit."""
        waiting: dict[str, int] = {}
        told = set()
        for entry in self.log:
            if isinstance(entry, _Seen):
                for unit in entry.reason_for:
                    if unit not in told:
                        waiting.setdefault(unit, self.calendar.open_from(entry.arrival.time + GATHERING))
                continue
            waiting.pop(entry.unit, None)
            if isinstance(entry.outcome, Message):
                told.add(entry.unit)
            if entry.waiting and self.policy["digest"] != "never":
                morning = self.calendar.digest_after(entry.time, self.policy["digest"])
                waiting.setdefault(_DIGEST, morning)
        for unit, time in waiting.items():
            yield time, unit == _DIGEST, unit

    def _messages(self, case: str | None = None) -> list[Message]:
        decided = [each.outcome for each in self.log if isinstance(each, _Decided)]
        sent = [each for each in decided if isinstance(each, Message)]
        return [each for each in sent if case is None or case in [named.case for named in each.cases]]

    def _newest(self) -> dict[str, Result]:
        newest: dict[str, Result] = {}
        for entry in self.log:
            if isinstance(entry, _Seen) and isinstance(entry.arrival.what, Result):
                result = entry.arrival.what
                if result.uid not in newest or result.version > newest[result.uid].version:
                    newest[result.uid] = result
        return newest

    def _wishes(self, kind: str) -> list[Wish]:
        arrived = [each.arrival.what for each in self.log if isinstance(each, _Seen)]
        return [each for each in arrived if isinstance(each, Wish) and each.kind == kind]

    def _case(self, program: str, rule: str) -> str:
        return case_id(self.cluster, self.name, program, rule)

    def _is_open(self, case: str) -> bool:
        sent = self._messages(case)
        return bool(sent) and sent[-1].kind != "fixed"

    def _is_due(self, case: str, now: int) -> bool:
        if not self._is_open(case):
            return True
        return now - self._messages(case)[-1].time >= self.policy["remind_days"] * DAY

    # --- what is known of runs ----------------------------------------------------------------------------

    def _unit(self, result: Result) -> str:
        if result.array_id is None:
            return f"job {result.uid}"
        return f"array {self.cluster} {result.array_id}"

    def _reportable(self, result: Result) -> list[Run]:
        trusted = {"strict", "trusted_archive"} if self.policy["trust_archive"] else {"strict"}
        return [run for run in result.runs if run.owner_check in trusted and result.found_in(run)]

    def _told(self, jobs: Sequence[Result]) -> list[tuple[Result, Run]]:
        """The runs that a message is about: those that the storage slowed only where there are no others."""
        reportable = [(job, run) for job in jobs for run in self._reportable(job)]
        return [each for each in reportable if each[1].verdict != "storage"] or reportable

    def _totals(self, of: Sequence[tuple[Run, set[str]]]) -> dict[tuple[str, str], tuple[int, int]]:
        """Runs and millionths of node-hours of each program and rule."""
        totals: dict[tuple[str, str], tuple[int, int]] = {}
        for run, rules in of:
            for rule in rules:
                runs, lost = totals.get((run.program, rule), (0, 0))
                totals[run.program, rule] = runs + 1, lost + round((run.node_hours or 0) * 1_000_000)
        return totals

    def _ever(self) -> dict[str, tuple[int, int]]:
        every = [
            (run, set(result.found_in(run))) for result in self._newest().values() for run in result.runs
        ]
        return {self._case(*cause): total for cause, total in self._totals(every).items()}

    def _kept(self, program: str) -> list[tuple[Run, set[str]]]:
        runs = [
            (run, set(result.found_in(run)))
            for result in self._newest().values()
            for run in result.runs
            if run.program == program
        ]
        runs.sort(key=lambda each: (each[0].end_time, each[0].log_id))
        last = {rule: run.log_id for run, rules in runs for rule in rules}
        return [each for each in runs if each in runs[-32:] or each[0].log_id in last.values()]

    def _closing(self, program: str, rule: str) -> str | None:
        """The log of the run that closes the case."""
        kept = self._kept(program)
        last = max((place for place, (_, rules) in enumerate(kept) if rule in rules), default=None)
        if last is None:
            return None
        needed = (kept[last][0].site_bytes or 0) / 10
        clean = [
            run.log_id
            for run, _ in kept[last + 1 :]
            if run.log_state == "complete" and rule not in run.unknowable and (run.site_bytes or 0) >= needed
        ]
        number = self.policy["clean_runs"]
        return clean[number - 1] if len(clean) >= number else None

    # --- what the user and the site want ------------------------------------------------------------------

    def _unwanted(self) -> bool:
        opted = [each.wanted for each in self._wishes("opt")]
        return not (opted[-1] if opted else not self.policy["opt_in"])

    def _may_be_named(self, program: str, rule: str, now: int) -> bool:
        exclude = self.policy["exclude"]
        if program in exclude.get("programs", ()) or rule in exclude.get("rules", ()):
            return False
        until: dict[Any, int | None] = {}
        for wish in self._wishes("mute"):
            until[wish.subject] = wish.until
        about = [until[subject] for subject in ("all", rule, (program, rule)) if subject in until]
        return all(end is not None and end <= now for end in about)

    # --- arrivals and decisions ---------------------------------------------------------------------------

    def _arrive(self, arrival: Arrival) -> None:
        result = arrival.what
        if not isinstance(result, Result):
            self.log.append(_Seen(arrival))
            return
        before = self._newest().get(result.uid)
        newest = before is None or result.version > before.version
        self.log.append(_Seen(arrival, before, newest))
        late = result.end_time is None or result.end_time + CURRENT < arrival.time
        if newest and result.settled and result.origin == "live" and not late:
            self.log[-1] = _Seen(arrival, before, newest, tuple(self._reasons(result)))

    def _reasons(self, result: Result) -> Iterator[str]:
        if self._reportable(result):
            yield self._unit(result)
        for program in sorted({run.program for run in result.runs}):
            for rule in sorted(set().union(*(rules for _, rules in self._kept(program)))):
                case, log_id = self._case(program, rule), self._closing(program, rule)
                if log_id is not None and self._is_open(case):
                    yield f"fixed {case} {log_id}"

    def _decide(self, now: int, unit: str) -> _Decided:
        if unit == _DIGEST:
            return _Decided(now, unit, self._digest(now))
        if unit.startswith("fixed "):
            return _Decided(now, unit, self._fixed(now, *unit.split()[1:]))
        return self._of_jobs(now, unit)

    def _of_jobs(self, now: int, unit: str) -> _Decided:
        newest = self._newest()
        members = [uid for uid, result in newest.items() if self._unit(result) == unit][:500]
        told = self._told(
            [newest[uid] for uid in members if newest[uid].settled and newest[uid].origin == "live"]
        )
        if not told:
            return _Decided(now, unit)
        jobs = list({job.uid: job for job, _ in told}.values())
        runs = [(run, job.found_in(run)) for job, run in told]
        totals = self._totals([(run, set(rules)) for run, rules in runs])
        causes = sorted(totals, key=lambda cause: (-totals[cause][1], self._case(*cause)))
        nameable = [self._case(*cause) for cause in causes if self._may_be_named(*cause, now)]
        hours = fsum(run.node_hours or 0 for run, _ in runs)
        reason = self._reason_against(now, jobs, runs, hours, nameable)
        if reason:
            waiting = tuple(nameable) if reason in ("limit", "storage") else ()
            return _Decided(now, unit, Held(now, unit, reason), waiting)
        new = not all(self._is_open(case) for case in nameable)
        reasons = [
            each.arrival.time for each in self.log if isinstance(each, _Seen) and unit in each.reason_for
        ]
        message = Message(
            now,
            "finding" if new else "reminder",
            unit,
            tuple(self._named(case) for case in nameable),
            hours,
            len(jobs),
            max(reasons),
        )
        return _Decided(now, unit, message)

    def _reason_against(
        self,
        now: int,
        jobs: Sequence[Result],
        runs: Sequence[tuple[Run, dict[str, str]]],
        hours: float,
        nameable: Sequence[str],
    ) -> str | None:
        exclude, policy = self.policy["exclude"], self.policy

        def left_out(job: Result) -> bool:
            accounts, partitions = exclude.get("accounts", ()), exclude.get("partitions", ())
            return job.account in accounts or job.partition in partitions

        def share(run: Run) -> float:
            if run.time_lost is None or run.run_time is None or run.run_time <= 0:
                return 0
            return run.time_lost / run.run_time

        worst = max(SEVERITIES.index(severity) for _, rules in runs for severity in rules.values())
        today = [each for each in self._messages() if self.calendar.day(each.time) == self.calendar.day(now)]
        reasons = {
            "unwanted": self._unwanted(),
            "excluded": self.name in exclude.get("users", ()) or all(left_out(job) for job in jobs),
            "below_thresholds": worst < SEVERITIES.index(policy["least_severity"])
            or hours < policy["least_node_hours"]
            or max(share(run) for run, _ in runs) < policy["least_share"],
            "storage": all(run.verdict == "storage" for run, _ in runs),
            "muted": not nameable,
            "sent_before": not any(self._is_due(case, now) for case in nameable),
            "limit": len(today) >= policy["per_user_and_day"],
        }
        return next((reason for reason, holds in reasons.items() if holds), None)

    def _fixed(self, now: int, case: str, log_id: str) -> Message | None:
        every = {self._case(*cause): cause for each in self._newest().values() for cause in each.causes()}
        if case not in every or self._closing(*every[case]) != log_id or not self._is_open(case):
            return None
        if self._unwanted() or self.name in self.policy["exclude"].get("users", ()):
            return None
        if not self._may_be_named(*every[case], now):
            return None
        return Message(now, "fixed", f"{case} {log_id}", (self._named(case),))

    def _digest(self, now: int) -> Message | None:
        waiting: dict[str, str] = {}
        for entry in self.log:
            if not isinstance(entry, _Decided):
                continue
            if entry.unit == _DIGEST:
                waiting.clear()
            elif isinstance(entry.outcome, Held):
                waiting.update(dict.fromkeys(entry.waiting, entry.outcome.reason))
            elif entry.outcome:
                for named in entry.outcome.cases:
                    waiting.pop(named.case, None)
        if self._unwanted() or self.name in self.policy["exclude"].get("users", ()):
            return None
        ever = self._ever()
        every = {self._case(*cause): cause for each in self._newest().values() for cause in each.causes()}
        listed = [
            case
            for case in waiting
            if case in ever and self._is_due(case, now) and self._may_be_named(*every[case], now)
        ]
        if not listed:
            return None
        listed.sort(key=lambda case: (-ever[case][1], case))
        period = self.calendar.day(now) if self.policy["digest"] == "daily" else self.calendar.week(now)
        named = tuple(self._named(case, waiting[case]) for case in listed)
        return Message(now, "digest", f"{self.cluster} {period}", named)

    def _named(self, case: str, held_back: str = "") -> Named:
        runs, millionths = self._ever().get(case, (0, 0))
        retracted = tuple(sorted(self._retracted(case)))
        return Named(case, runs, millionths, len(self._messages(case)), held_back, retracted)

    def _retracted(self, case: str) -> set[str]:
        """Jobs that lost the case since a message last named it."""
        lost: set[str] = set()
        told: set[str] = set()
        named = False
        for entry in self.log:
            if isinstance(entry, _Decided) and isinstance(entry.outcome, Message):
                told.add(entry.unit)
                if case in [each.case for each in entry.outcome.cases]:
                    named, lost = True, set()
            elif isinstance(entry, _Seen) and entry.before and entry.newest and named:
                after = entry.arrival.what
                assert isinstance(after, Result)
                had = {self._case(*cause) for cause in entry.before.causes()}
                has = {self._case(*cause) for cause in after.causes()}
                if case in had - has and self._unit(after) in told:
                    lost.add(after.display_id)
        return lost
