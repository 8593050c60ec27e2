"""The content of a message, as plain text in order: templates only write it down.

All text of logs, schedulers and sites is made printable and short here, so that no template can forget it.
"""

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import structlog

from weir.notify.links import Links
from weir.report.view import Brief, Change, Finding, brief, shown
from weir.report.words import words

_MOST_ITEMS = 3
_MOST_IN_DIGEST = 20
_MOST_RETRACTED = 5
_LONGEST_NAME = 80
_LONGEST_TITLE = 120


@dataclass(frozen=True)
class Run:
    """A run that the message shows as an example."""

    program: str
    job: str
    start: str
    summary: str
    cost: str
    io_time_seconds: float | None
    run_time_seconds: float | None
    node_hours_lost: float | None
    verdict_label: str
    verdict_text: str
    url: str | None


@dataclass(frozen=True)
class Item:
    """A case: what was found in a program, and what to do about it."""

    title: str
    rule_id: str
    program: str
    runs: int
    node_hours_lost: float
    times_sent: int
    held_back: str
    evidence: str
    meaning: str
    change: Change | None
    retracted: list[str]
    """Jobs of earlier messages in which it is not found any more."""
    mute_command: str
    wrong_command: str
    mute_url: str | None
    wrong_url: str | None


@dataclass(frozen=True)
class Subject:
    """What a trouble is about, such as a server."""

    kind: str
    name: str
    server: str
    since: str
    ended: str
    cause: str
    numbers: list[tuple[str, float]]


@dataclass(frozen=True)
class Trouble:
    """What operators should know."""

    group: str
    kind: str
    since: str
    until: str
    subjects_in_all: int
    subjects: list[Subject]


@dataclass(frozen=True)
class Message:
    """One alert, for one reader."""

    kind: str
    cluster: str
    user: str
    alert: str
    period: str
    """The period of a digest."""
    alerts_url: str | None
    """Shows the cases of a message that is about no job alone."""
    node_hours_lost: float
    jobs: list[str]
    jobs_in_all: int
    runs: list[Run]
    items: list[Item]
    more_items: int
    trouble: Trouble | None
    rehearsal: bool
    """It goes to staff instead of the user."""
    copy: bool
    """It goes to who leads the user's project, or to staff."""
    mute_all_url: str | None
    mute_all_command: str


@dataclass(frozen=True)
class Reader:
    """For whom a message is written."""

    rehearsal: bool = False
    copy: bool = False
    chat: bool = False
    """Many may read it."""

    @property
    def is_user(self) -> bool:
        """Whether the user reads it: only the user gets links that act in the user's name."""
        return not (self.rehearsal or self.copy or self.chat)


def message(
    alert: Mapping[str, Any], site: Mapping[str, Any] | None, links: Links, reader: Reader
) -> Message:
    """The facts of an alert."""
    zone = ZoneInfo((site or {}).get("time_zone", "UTC"))
    briefs = _briefs(alert, site)
    most = _MOST_IN_DIGEST if alert["kind"] == "digest" else _MOST_ITEMS
    signed = links if reader.is_user else links.unsigned()
    cases = _cases(alert, briefs)
    user = _name(alert["recipient"])
    return Message(
        kind=alert["kind"],
        cluster=_name(alert["cluster"]),
        user=user,
        alert=_name(alert["alert"]),
        period=_name(alert["unit"].rpartition(" ")[2]),
        alerts_url=links.alerts(),
        node_hours_lost=alert["node_hours_lost"],
        jobs=[_job_name(job) for job in alert["jobs"]],
        jobs_in_all=alert["jobs_in_all"],
        runs=_runs(alert, briefs, links, zone),
        items=[_item(alert, case, briefs, signed) for case in cases[:most]],
        more_items=len(cases[most:]),
        trouble=_trouble(alert["trouble"], zone) if alert["trouble"] else None,
        rehearsal=reader.rehearsal,
        copy=reader.copy,
        mute_all_url=signed.mute(alert["cluster"], alert["recipient"], "all"),
        mute_all_command=_command("mute", alert["recipient"], "all"),
    )


def _briefs(
    alert: Mapping[str, Any], site: Mapping[str, Any] | None
) -> dict[str, tuple[dict[str, Any], Brief]]:
    """Returns what the reports say, by log id; the message goes without a report that cannot be read."""
    found = {}
    for report in alert["reports"]:
        try:
            run = json.loads(report["report"])
            found[report["log_id"]] = (run, brief(run, dict(site) if site else None))
        except Exception as error:  # it may be of another version of the analysis
            structlog.get_logger().error(
                "a report is left out", alert=alert["alert"], log_id=report["log_id"], reason=repr(error)
            )
    return found


def _cases(
    alert: Mapping[str, Any], briefs: Mapping[str, tuple[dict[str, Any], Brief]]
) -> list[Mapping[str, Any]]:
    """Those of the alert, without what says no more than another of the same program."""
    all_cases: Sequence[Mapping[str, Any]] = alert["cases"]
    named = {(case["program"], case["rule_id"]) for case in all_cases}

    def is_repeated(case: Mapping[str, Any]) -> bool:
        others = {brief_.repeats.get(case["rule_id"]) for brief_ in _briefs_of(alert, case, briefs)}
        return any((case["program"], other) in named for other in others)

    return [case for case in all_cases if not is_repeated(case)]


def _runs(
    alert: Mapping[str, Any], briefs: Mapping[str, tuple[dict[str, Any], Brief]], links: Links, zone: ZoneInfo
) -> list[Run]:
    """Those with a report; without any the first run of each job, up to three."""
    all_runs = [(job, run) for job in alert["jobs"] for run in job["runs"]]
    reported = [each for each in all_runs if each[1]["log_id"] in briefs]
    return [_run(job, run, briefs.get(run["log_id"]), links, zone) for job, run in (reported or all_runs)[:3]]


def _run(
    job: Mapping[str, Any],
    run: Mapping[str, Any],
    report: tuple[dict[str, Any], Brief] | None,
    links: Links,
    zone: ZoneInfo,
) -> Run:
    said = words()["verdicts"].get(run["verdict"], words()["verdicts"]["unknown"])
    brief_ = report[1] if report else None
    return Run(
        program=_name(run["program"]),
        job=_job_name(job),
        start=_time(job["start_time"], zone),
        summary=brief_.summary if brief_ else "",
        cost=brief_.cost if brief_ else "",
        io_time_seconds=run["io_time_seconds"],
        run_time_seconds=run["run_time_seconds"],
        node_hours_lost=run["node_hours_lost"],
        verdict_label=brief_.verdict_label if brief_ else said["label"],
        verdict_text=brief_.verdict_text if brief_ else "",
        url=links.run(run["log_id"]) or links.alerts(),
    )


def _item(
    alert: Mapping[str, Any],
    case: Mapping[str, Any],
    briefs: Mapping[str, tuple[dict[str, Any], Brief]],
    links: Links,
) -> Item:
    found = _finding(alert, case, briefs)
    cluster, user, rule = alert["cluster"], alert["recipient"], case["rule_id"]
    return Item(
        title=shown(case["title"], _LONGEST_TITLE),
        rule_id=_name(rule),
        program=_name(case["program"]),
        runs=case["runs"],
        node_hours_lost=case["node_hours_lost"],
        times_sent=case["times_sent"],
        held_back=case["held_back"],
        evidence=found.evidence if found else "",
        meaning=found.meaning if found else "",
        change=found.change if found else None,
        retracted=[_name(job) for job in case["retracted"][:_MOST_RETRACTED]],
        mute_command=_command("mute", user, case["case"]),
        wrong_command=_command("wrong", alert["alert"], rule),
        mute_url=links.mute(cluster, user, case["case"]),
        wrong_url=links.wrong(cluster, user, f"{alert['alert']} {rule}"),
    )


def _finding(
    alert: Mapping[str, Any], case: Mapping[str, Any], briefs: Mapping[str, tuple[dict[str, Any], Brief]]
) -> Finding | None:
    """Returns the finding as a report of the case's program has it; None where no report has it."""
    listed = (finding for brief_ in _briefs_of(alert, case, briefs) for finding in brief_.findings)
    return next((finding for finding in listed if finding.id == case["rule_id"]), None)


def _briefs_of(
    alert: Mapping[str, Any], case: Mapping[str, Any], briefs: Mapping[str, tuple[dict[str, Any], Brief]]
) -> list[Brief]:
    """Returns the briefs of runs of the case's program."""
    runs = (run for job in alert["jobs"] for run in job["runs"] if run["program"] == case["program"])
    return [briefs[run["log_id"]][1] for run in runs if run["log_id"] in briefs]


def _trouble(trouble: Mapping[str, Any], zone: ZoneInfo) -> Trouble:
    return Trouble(
        group=_name(trouble["group"]),
        kind=_name(trouble["kind"]),
        since=_time(trouble["since"], zone),
        until=_time(trouble["until"], zone),
        subjects_in_all=trouble["subjects_in_all"],
        subjects=[_subject(each, zone) for each in trouble["subjects"]],
    )


def _subject(subject: Mapping[str, Any], zone: ZoneInfo) -> Subject:
    numbers: Sequence[tuple[str, float]] = sorted(subject["numbers"].items())
    return Subject(
        kind=_name(subject["subject_kind"]),
        name=_name(subject["subject"]),
        server=_name(subject["server"]),
        since=_time(subject["since"], zone),
        ended=_time(subject["ended"], zone),
        cause=shown(subject["cause"]),
        numbers=[(_name(name).replace("_", " "), value) for name, value in numbers],
    )


def _job_name(job: Mapping[str, Any]) -> str:
    name = _name(job["job_name"])
    return _name(job["job_display_id"]) + (f" ({name})" if name else "")


def _command(*words: str) -> str:
    """One to type: what a name is made of must not be read by a shell."""
    return shlex.join(["weir", "alerts", *map(_name, words)])


def _name(text: str) -> str:
    return shown(text, _LONGEST_NAME)


def _time(time: datetime | None, zone: ZoneInfo) -> str:
    return time.astimezone(UTC).astimezone(zone).strftime("%Y-%m-%d %H:%M:%S %Z") if time else ""
