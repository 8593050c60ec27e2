"""Decisions about messages to users: the program agrees with a second opinion on thousands of histories.

The second opinion is alert_policy_model. Longer: WEIR_ALERT_POLICIES=200 and WEIR_ALERT_USERS=500.
"""

import base64
import hashlib
import json
import os
import random
import struct
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from alert_policy_model import (
    DAY,
    HOUR,
    SECOND,
    Arrival,
    Calendar,
    Finding,
    Held,
    Message,
    Named,
    Result,
    Run,
    User,
    Wish,
    case_id,
)
from weir import wire
from weir.analyze import jvm

pytestmark = pytest.mark.slow

POLICIES = int(os.environ.get("WEIR_ALERT_POLICIES", "12"))
USERS = int(os.environ.get("WEIR_ALERT_USERS", "170"))
FIRST_SEED = int(os.environ.get("WEIR_ALERT_SEED", "0"))

CLUSTER = "alpine"
PROGRAMS = ("lammps", "vasp", "wrf")
RULES = ("many_opens", "serial_io", "small_io", "unaligned_io")
QUIET = (
    {},
    {"from": "20:00", "to": "07:30", "weekends": True, "holidays": ["2026-10-26", "2027-01-01"]},
    {"from": "08:00", "to": "12:00", "weekends": False},
    {"from": "06:00", "to": "06:00", "weekends": True},
    {"from": "22:30", "to": "09:15", "holidays": ["2026-03-29", "2026-12-25", "2026-12-28"]},
    {"weekends": True},
)
ZONES = ("Europe/Berlin", "America/New_York", "Asia/Kolkata", "America/Santiago", "Australia/Lord_Howe")
BEGINNINGS = (
    "2026-03-26",
    "2026-10-22",
    "2026-10-29",
    "2026-12-24",
    "2027-03-11",
    "2026-06-15",
    "2026-09-03",
)
"""Before the hour changes somewhere, before a year ends, and in summer."""

Outcome = Message | Held
History = list[Arrival]


# --- random policies and histories -------------------------------------------------------------------------


def policy(seed: int) -> dict[str, Any]:
    """A site file. Users whose names begin with `left` are excluded."""
    pick = random.Random(f"policy {seed}")
    alerts = {
        "mode": ("shadow", "live", "rehearsal")[seed % 3],
        "staff": ["staff@example.org"],
        "least_severity": pick.choice(("info", "notice", "warning", "warning", "warning")),
        "least_node_hours": pick.choice((0, 0.5, 1, 2)),
        "least_share": pick.choice((0, 0.1, 0.25)),
        "per_user_and_day": (1, 3, 2, 50)[seed % 4],
        "digest": ("daily", "weekly", "never", "daily", "weekly")[seed % 5],
        "remind_days": (7, 8, 10, 14)[seed // 2 % 4],
        "clean_runs": pick.choice((1, 2, 3)),
        "opt_in": seed % 11 == 4,
        "trust_archive": pick.random() < 0.3,
        "quiet_hours": QUIET[seed % len(QUIET)],
        "exclude": {"accounts": ["guests"], "partitions": ["debug"]},
    }
    if pick.random() < 0.5:
        alerts["exclude"] |= {"programs": ["wrf"], "rules": ["many_opens"]}
    return {
        "cluster": CLUSTER,
        "time_zone": ZONES[seed // 2 % len(ZONES)],
        "cores_per_node": {"default": 64},
        "file_systems": [{"id": "scratch", "kind": "lustre", "mount_prefixes": ["/scratch"]}],
        "alerts": alerts,
    }


class Author:
    """Writes the history of one user.

    The milliseconds of every moment are its own, so that nothing arrives at the moment something is due:
    which of both comes first is not specified.
    """

    def __init__(self, seed: str, site: Mapping[str, Any]):
        self.pick = random.Random(seed)
        self.site, self.alerts = site, site["alerts"]
        self.moments = 0
        self.jobs = 0
        self.logs = 0
        self.written: History = []
        first = datetime.fromisoformat(self.pick.choice(BEGINNINGS)).replace(tzinfo=UTC)
        self.begin = int(first.timestamp()) * 1000 + self.pick.randrange(4 * DAY)

    def history(self) -> History:
        kinds = {
            self.mixed: 5,
            self.repaired: 4,
            self.busy: 3,
            self.array: 3,
            self.reminded: 3,
            self.beside_storage: 2,
            self.long_lived: 2,
        }
        story = self.pick.choices(list(kinds), list(kinds.values()))[0]
        story()
        self.wishes()
        self.written.sort(key=lambda each: each.time)
        return self.written

    def moment(self, time: float) -> int:
        self.moments += 1
        assert self.moments < 1000
        return int(time) // SECOND * SECOND + self.moments

    # what is published

    def run(self, program: str, end: int, **of: Any) -> Run:
        self.logs += 1
        pick = self.pick
        base: dict[str, Any] = {
            "log_id": f"log{pick.randrange(100):02}-{self.logs}",
            "program": program,
            "end_time": end,
            "log_state": "complete" if pick.random() < 0.9 else pick.choice(("partial", "killed")),
            "owner_check": "strict" if pick.random() < 0.88 else "trusted_archive",
            "run_time": pick.choice((100.0, 100.0, 100.0, 100.0, 1000.0, 400.0, 0.0, None)),
            "time_lost": pick.choice((50.0, 50.0, 40.0, 100.0, 25.0, 10.0, None)),
            "node_hours": self.node_hours(),
            "site_bytes": pick.choice((1000.0, 1000.0, 5000.0, 500.0, 99.0, 100.0, 0.0, None)),
            "verdict": pick.choice(
                ("application", "application", "both", "unknown", "not_slow", "storage", "storage")
            ),
        }
        return Run(**(base | of))

    def node_hours(self) -> float | None:
        pick = self.pick
        if pick.random() < 0.3:
            return (pick.randrange(6_000_000) + pick.choice((0, 0.3, 0.7))) / 1_000_000
        return pick.choice((None, 0.0, 0.25, 0.5, 1.0, 1.0, 2.0, 4.0, 8.0))

    def findings(self, run: Run, rules: Sequence[str]) -> list[Finding]:
        severities = ("info", "notice", "warning", "critical")
        return [
            Finding(
                rule,
                run.log_id,
                self.pick.choices(severities, (1, 1, 6, 3))[0],
                self.pick.choices(("exact", "bounded", "unknowable"), (6, 3, 1))[0],
            )
            for rule in rules
        ]

    def some_rules(self) -> list[str]:
        return self.pick.sample(RULES, self.pick.choices((0, 1, 2, 3), (2, 6, 3, 1))[0])

    def job(
        self, end: int, runs: Sequence[Run] = (), rules: Sequence[str] | None = None, **of: Any
    ) -> Result:
        """By default with random runs, each with random rules or the given ones."""
        pick = self.pick
        self.jobs += 1
        used = list(runs) or [
            self.run(pick.choice(PROGRAMS), end - pick.randrange(600) * SECOND)
            for _ in range(pick.choice((1, 1, 1, 2, 3)))
        ]
        findings = [
            each for run in used for each in self.findings(run, self.some_rules() if rules is None else rules)
        ]
        if pick.random() < 0.1:
            findings.append(Finding("job_wide", pick.choice((None, "elsewhere")), "critical"))
        if pick.random() < 0.2:
            place = pick.randrange(len(used))
            used[place] = replace(used[place], unknowable=tuple(pick.sample(RULES, 2)))
        base: dict[str, Any] = {
            "uid": f"uid{pick.randrange(1000):03}-{self.jobs}",
            "version": pick.choice((1, 40, 2**62, 2**63 - 2, 2**63 + 5)),
            "runs": tuple(used),
            "findings": tuple(findings),
            "end_time": end if pick.random() < 0.97 else None,
            "settled": pick.random() < 0.9,
            "origin": pick.choices(("live", "backfill", "replay"), (18, 1, 1))[0],
            "account": pick.choices(("physics", "guests", None), (16, 1, 2))[0],
            "partition": pick.choices(("batch", "debug", None), (16, 1, 2))[0],
            "display_id": str(pick.randrange(100, 999)),
        }
        return Result(**(base | of))

    def correct(self, result: Result) -> Result:
        """A later version: something of it differs."""
        pick = self.pick
        version = result.version + pick.choice((1, 1, 3, 2**32))
        runs, findings = list(result.runs), list(result.findings)
        place = pick.randrange(len(runs))
        change = pick.randrange(8)
        if change == 0:
            findings = []
        elif change == 1 and findings:
            findings.remove(pick.choice(findings))
        elif change == 2:
            have = {(each.log_id, each.rule) for each in findings}
            new = self.findings(runs[place], pick.sample(RULES, 2))
            findings += [each for each in new if (each.log_id, each.rule) not in have]
        elif change == 3:
            runs[place] = replace(
                runs[place],
                node_hours=self.node_hours(),
                verdict=pick.choice(("application", "storage")),
                owner_check=pick.choice(("strict", "trusted_archive")),
            )
        elif change == 4:
            return replace(result, version=version, settled=not result.settled)
        elif change == 5:
            return replace(result, version=version, settled=True, account="physics", partition="batch")
        elif change == 6 and len(runs) > 1:
            del runs[place]
        elif change == 7:
            runs.append(self.run(pick.choice(PROGRAMS), runs[place].end_time + SECOND))
            findings += self.findings(runs[-1], self.some_rules())
        return replace(result, version=version, runs=tuple(runs), findings=tuple(findings), settled=True)

    def publish(self, result: Result, time: float) -> int:
        moment = self.moment(time)
        if self.written and self.pick.random() < 0.08:  # at the same moment as another
            near = min((each.time for each in self.written), key=lambda each: abs(each - moment))
            moment = near if abs(near - moment) < HOUR else moment
        if self.pick.random() < 0.06 and result.end_time is not None:  # to the millisecond as old as may be
            result = replace(result, end_time=moment - 6 * HOUR - self.pick.choice((0, 0, 1)))
        self.written.append(Arrival(moment, result))
        return moment

    def publish_with_corrections(self, result: Result) -> None:
        pick = self.pick
        end = result.end_time or result.runs[0].end_time
        delay = pick.choices((60, 1800, 5.5 * 3600, 30 * 3600), (14, 3, 2, 1))[0]
        time: float = end + pick.uniform(2, delay) * SECOND
        versions = [result]
        while pick.random() < 0.35:
            versions.append(self.correct(versions[-1]))
        if pick.random() < 0.15:
            versions.append(pick.choice(versions))  # once more
        if pick.random() < 0.15:
            pick.shuffle(versions)
        if pick.random() < 0.05:
            versions.append(replace(self.correct(versions[-1]), version=versions[-1].version))
        for version in versions:
            self.publish(version, time)
            time += pick.choice((1, 10, 14, 16, 40, 3600, 6000, 20_000, 90_000)) * SECOND

    # stories

    def mixed(self) -> None:
        span = self.pick.choice((HOUR, 5 * HOUR, DAY, 4 * DAY, 20 * DAY))
        for _ in range(self.pick.randrange(1, 8)):
            self.publish_with_corrections(self.job(self.begin + self.pick.randrange(span)))

    def repaired(self) -> None:
        """A program is slow, then clean for some runs, and perhaps slow again."""
        pick = self.pick
        program, rules = pick.choice(PROGRAMS), pick.sample(RULES, pick.choice((1, 1, 2)))
        end = self.begin
        for _ in range(pick.choice((1, 1, 2, 3))):
            for slow in [True] * pick.choice((1, 1, 2)) + [False] * pick.choice((1, 2, 3, 4)):
                end += int(pick.choice((20, 3600, 30_000, 100_000)) * SECOND)
                run = self.run(program, end, **({"node_hours": 8.0, "time_lost": 50.0} if slow else {}))
                other = pick.sample(RULES, 1) if pick.random() < 0.1 else []
                job = self.job(end, [run], rules if slow else [r for r in other if r not in rules])
                if pick.random() < 0.2:
                    self.publish_with_corrections(job)
                else:
                    self.publish(job, end + pick.choice((5, 60, 5 * 3600, 7 * 3600)) * SECOND)

    def busy(self) -> None:
        """More than a day may have messages about, or one cause again and again."""
        pick = self.pick
        self.begin += pick.choice((0, DAY))
        for _ in range(pick.randrange(4, 10)):
            end = self.begin + pick.randrange(pick.choice((HOUR, 12 * HOUR, 2 * DAY, 3 * DAY)))
            run = self.run(pick.choice((*PROGRAMS, "gromacs", "cp2k", "nek")), end, time_lost=50.0)
            run = replace(run, verdict=pick.choice(("storage", "application", "application")), node_hours=4.0)
            self.publish_with_corrections(self.job(end, [run], pick.sample(RULES, pick.choice((1, 2)))))

    def array(self) -> None:
        pick = self.pick
        for number in range(pick.choice((1, 1, 2))):
            start = self.begin + pick.randrange(DAY)
            for _ in range(pick.randrange(2, 6)):
                end = start + pick.choice((1, 10, 30, 3600, 50_000, 200_000)) * SECOND
                self.publish_with_corrections(self.job(end, array_id=500 + number))

    def reminded(self) -> None:
        """One cause day by day, to the millisecond at times."""
        pick = self.pick
        program, rule = pick.choice(PROGRAMS), pick.choice(RULES)
        time = self.moment(self.begin)
        for _ in range(pick.randrange(2, 9)):
            end = time - 60 * SECOND
            run = self.run(program, end, node_hours=8.0, time_lost=50.0, run_time=100.0, verdict="both")
            job = self.job(end, [run], [rule])
            self.written.append(Arrival(time, job))
            if pick.random() < 0.35:  # and something else on the same day
                run = self.run(pick.choice(PROGRAMS), end, node_hours=4.0, time_lost=50.0, verdict="both")
                self.publish(self.job(end, [run], pick.sample(RULES, 1)), time + pick.randrange(6 * HOUR))
            if pick.random() < 0.3:
                self.publish(self.correct(job), time + pick.choice((16, 4000, 50_000)) * SECOND)
            time += pick.choice((DAY, self.alerts["remind_days"] * DAY, 2 * DAY, 7 * DAY))
            if pick.random() < 0.4:
                time = self.moment(time + pick.randrange(-HOUR, HOUR))

    def beside_storage(self) -> None:
        """Of a job or an array: a run that the storage slowed, which lost most, and ones that it did not."""
        pick = self.pick
        programs, rules = pick.sample(PROGRAMS, 2), pick.sample(RULES, 2)
        strict: dict[str, Any] = {"owner_check": "strict", "run_time": 100.0}
        for number in range(pick.randrange(1, 4)):
            end = self.begin + pick.randrange(3 * DAY)
            large = {"time_lost": 80.0, "node_hours": 8.0, "verdict": "storage"}
            runs = [self.run(pick.choice(programs), end, **strict, **large)]
            for _ in range(pick.choice((1, 1, 2, 3))):
                other = {  # below one threshold, some, or none
                    "time_lost": pick.choice((5.0, 50.0, 50.0)),
                    "node_hours": pick.choice((0.01, 1.25, 3.0)),
                    "verdict": pick.choice(("not_slow", "not_slow", "application", "both")),
                }
                runs.append(self.run(pick.choice(programs), end, **strict, **other))
            severity = pick.choice(("info", "notice", "warning"))
            findings = [Finding(pick.choice(rules), runs[0].log_id, "critical")]
            findings += [Finding(pick.choice(rules), run.log_id, severity) for run in runs[1:]]
            jobs, array = ([runs], None) if pick.random() < 0.6 else ([[run] for run in runs], 900 + number)
            pick.shuffle(jobs)
            for place, used in enumerate(jobs):
                found = [each for each in findings if each.log_id in [run.log_id for run in used]]
                job = self.job(end, used, array_id=array, findings=tuple(found), settled=True, origin="live")
                self.publish(job, end + (place + pick.choice((1, 1, 30))) * SECOND)

    def long_lived(self) -> None:
        """Runs with a cause, then so many that cannot count as clean that the first are pushed out.

        Nothing that was found is retracted: which run had it before is not kept.
        """
        pick, needed = self.pick, self.alerts["clean_runs"]
        program, (first, second) = pick.choice(PROGRAMS[:2]), pick.sample(RULES[1:], 2)
        found = {"both": [first, second], "first": [first], "second": [second]}
        slow = pick.choice((["both"], ["first", "first"], ["first", "second"], ["both", "first"]))
        # With the last clean one that is needed, the first one is just within the last 32, or just not.
        small = 32 - needed + pick.choice((-1, 0, 1, 4))
        early = pick.choice((0, needed - 1, needed - 1))
        kinds = slow + ["clean"] * early + ["small"] * small + ["clean"] * 4
        if pick.random() < 0.15:
            kinds.insert(pick.randrange(len(kinds)), pick.choice(slow))
        end, step = self.begin, pick.choice((600, 5000, 5000)) * SECOND
        for kind in kinds:
            end += step
            run = self.run(program, end, node_hours=8.0, time_lost=50.0, run_time=100.0, owner_check="strict")
            # Whether 300 bytes are comparable is up to the run that had the rule last.
            moved = pick.choice((5000.0, 300.0, 300.0) if kind == "clean" else (5000.0, 1000.0))
            run = replace(run, verdict="both", log_state="complete", site_bytes=moved)
            if kind == "small":
                less = ({"site_bytes": 50.0}, {"log_state": "partial"}, {"unknowable": (first, second)})
                run = replace(run, **pick.choice(less))
            findings = tuple(Finding(rule, run.log_id, "critical") for rule in found.get(kind, []))
            job = self.job(end, [run], findings=findings, settled=True, origin="live")
            self.publish(job, end + pick.choice((5, 60, 60, 60, 4000, 15_000)) * SECOND)
            if pick.random() < 0.05:  # once more, perhaps after it was pushed out
                again = replace(job, version=job.version + 1)
                self.publish(again, end + pick.choice((100, 20_000, 200_000)) * SECOND)

    def wishes(self) -> None:
        pick = self.pick
        times = [each.time for each in self.written]
        if pick.random() < (0.8 if self.alerts["opt_in"] else 0.03):
            self.wish(Wish("opt", wanted=self.alerts["opt_in"]), times[0] - HOUR)
        for _ in range(pick.choices((0, 1, 2, 4), (12, 2, 2, 1))[0]):
            time = pick.choice(times) + pick.choice((-HOUR, 1000, 5000, 20_000, HOUR, DAY))
            kind = pick.choices(("mute", "opt", "wrong"), (8, 2, 1))[0]
            if kind == "opt":
                self.wish(Wish("opt", wanted=pick.random() < 0.5), time)
                continue
            results = [each.what for each in self.written if isinstance(each.what, Result)]
            causes = sorted(set().union(*(each.causes() for each in results))) or [("vasp", "small_io")]
            cause = pick.choice(causes)
            subject = pick.choices((cause, cause[1], "all"), (2, 2, 1))[0]
            later = pick.choice(times)
            until = pick.choice((None, time - DAY, later + 15 * SECOND, later + 15 * SECOND + 1, time + DAY))
            self.wish(Wish(kind, subject, until), time)

    def wish(self, wish: Wish, time: float) -> None:
        self.written.append(Arrival(self.moment(time), wish))


def users(seed: int, site: Mapping[str, Any]) -> dict[str, History]:
    names = [f"left{each}" if each % 50 == 7 else f"user{each}" for each in range(USERS)]
    return {name: Author(f"{seed} {name}", site).history() for name in names}


# --- the program, and the second opinion -------------------------------------------------------------------


def moment(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else datetime.fromtimestamp(milliseconds / 1000, UTC)


def milliseconds(time: datetime | None) -> int | None:
    return None if time is None else round(time.timestamp() * 1000)


def as_message(user: str, arrival: Arrival, cluster: str = CLUSTER) -> bytes:
    what = arrival.what
    if isinstance(what, Wish):
        subject = what.subject if isinstance(what.subject, str) else case_id(cluster, user, *what.subject)
        control = {
            "cluster": cluster,
            "user": user,
            "kind": what.kind,
            "subject": subject,
            "until": moment(what.until),
            "wanted": what.wanted,
            "said_by": user,
            "time": moment(arrival.time),
        }
        return wire.encode("Control", control)
    runs = [
        {
            "log_id": run.log_id,
            "program": run.program,
            "end_time": moment(run.end_time),
            "log_state": run.log_state,
            "owner_check": run.owner_check,
            "run_time_seconds": run.run_time,
            "site_bytes": run.site_bytes,
            "time_lost_seconds": run.time_lost,
            "node_hours_lost": run.node_hours,
            "verdict": run.verdict,
            "unknowable": list(run.unknowable),
        }
        for run in what.runs
    ]
    findings = [
        {
            "rule_id": each.rule,
            "log_id": each.log_id,
            "severity": each.severity,
            "evidence_class": each.evidence_class,
            "evidence": "{}",
            "advice": [],
        }
        for each in what.findings
    ]
    result = {
        "cluster": cluster,
        "job_uid": what.uid,
        "job_id": 1,
        "user": user,
        "account": what.account,
        "state": "COMPLETED",
        "end_time": moment(what.end_time),
        "settled": what.settled,
        "logs_analysed": len(runs),
        "logs_expected": None,
        "verdict": "unknown",
        "verdict_reason": "",
        "findings": findings,
        "version": what.version - 2**64 if what.version >= 2**63 else what.version,
        "origin": what.origin,
        "job_display_id": what.display_id,
        "array_id": what.array_id,
        "partition": what.partition,
        "runs": runs,
    }
    return wire.encode("JobResult", result)


def end_of(histories: Mapping[str, History]) -> int:
    return max(each.time for history in histories.values() for each in history) + 30 * DAY


def site_of(site: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The site file with the users it excludes."""
    exclude = site["alerts"].get("exclude", {}) | {"users": [each for each in names if each[:4] == "left"]}
    return {**site, "alerts": site["alerts"] | {"exclude": exclude}}


def decided_by_program(
    site: Mapping[str, Any], histories: Mapping[str, History], folder: Path
) -> tuple[dict[str, list[Outcome]], list[dict[str, Any]]]:
    """What it decided for each user, and the alerts as they are on the wire."""
    file = folder / "site.json"
    file.write_text(json.dumps(site_of(site, list(histories))))
    arrivals = [(each.time, name, each) for name, history in histories.items() for each in history]
    arrivals.sort(key=lambda each: each[0])

    def frames():
        for time, name, arrival in arrivals:
            for cluster in (CLUSTER, "other") if time % 97 == 0 else (CLUSTER,):
                message = as_message(name, arrival, cluster)
                yield struct.pack(">iq", len(message) + 8, time) + message
        yield struct.pack(">iq", 8, end_of(histories))

    _, output = jvm.run(["preview-alerts", "--site", str(file)], frames())
    outcomes: dict[str, list[Outcome]] = {name: [] for name in histories}
    alerts = []
    for line in output.splitlines():
        told = json.loads(line)
        assert "refused" not in told
        if told["cluster"] != CLUSTER:
            continue
        if "held" in told:
            outcomes[told["user"]].append(Held(told["time"], told["unit"], told["held"]))
            continue
        alert = wire.decode(base64.b64decode(told["alert"]))[1]
        assert milliseconds(alert["decided_at"]) == told["time"]
        alerts.append(alert)
        outcomes[told["user"]].append(as_outcome(alert))
    return outcomes, alerts


def as_outcome(alert: Mapping[str, Any]) -> Message:
    about_jobs = alert["kind"] in ("finding", "reminder")
    return Message(
        milliseconds(alert["decided_at"]) or 0,
        alert["kind"],
        alert["unit"],
        tuple(
            Named(
                each["case"],
                each["runs"],
                round(each["node_hours_lost"] * 1_000_000),
                each["times_sent"],
                each["held_back"],
                tuple(each["retracted"]),
            )
            for each in alert["cases"]
        ),
        round(alert["node_hours_lost"], 6) if about_jobs else None,
        alert["jobs_in_all"] if about_jobs else None,
        milliseconds(alert["settled_at"]) if about_jobs else None,
    )


def decided_by_model(
    site: Mapping[str, Any], name: str, history: History, end: int, calendar: Calendar
) -> list[Outcome]:
    outcomes = User(site_of(site, [name]), name, calendar).decide_all(history, end)
    return [
        replace(each, node_hours=round(each.node_hours, 6))
        if isinstance(each, Message) and each.node_hours is not None
        else each
        for each in outcomes
    ]


@dataclass
class Difference:
    name: str
    history: History
    program: list[Outcome]
    model: list[Outcome]


def differences(
    site: Mapping[str, Any], histories: Mapping[str, History], folder: Path
) -> tuple[list[Difference], list[Outcome]]:
    """Users of whom both differ, and all that the model decided."""
    said, _ = decided_by_program(site, histories, folder)
    calendar, end, out, every = Calendar(dict(site)), end_of(histories), [], []
    for name, history in histories.items():
        expected = decided_by_model(site, name, history, end, calendar)
        every += expected
        if said[name] != expected:
            out.append(Difference(name, history, said[name], expected))
    return out, every


def shrunk(site: Mapping[str, Any], found: Difference, folder: Path) -> Difference:
    """With as few messages as still make both differ; each round tries all in one run of the program."""
    size = max(len(found.history) // 2, 1)
    while True:
        length = len(found.history)
        tries = {
            f"{found.name[:4]}{place}x{length}": found.history[:place] + found.history[place + size :]
            for place in range(0, length, size)
            if length > size
        }
        differing = differences(site, tries, folder)[0] if tries else []
        if differing:
            found = min(differing, key=lambda each: len(each.history))
        elif size == 1:
            return found
        size = max(min(size, len(found.history)) // (1 if differing else 2), 1)


def readable(site: Mapping[str, Any], found: Difference) -> str:
    calendar = Calendar(dict(site))
    causes = {(program, rule) for program in (*PROGRAMS, "gromacs", "cp2k", "nek") for rule in RULES}
    names = {case_id(CLUSTER, found.name, *cause): "/".join(cause) for cause in causes}

    def at(time: int) -> str:
        return f"{calendar.local(time):%a %Y-%m-%d %H:%M:%S}.{time % 1000:03} ({time})"

    def said(outcomes: Sequence[Outcome]) -> list[str]:
        return [f"  {at(each.time)} {each}" for each in outcomes] or ["  nothing"]

    lines = [f"policy {site['alerts']} in {site['time_zone']}", f"history of {found.name}:"]
    lines += [f"  {at(each.time)} {each.what}" for each in found.history]
    text = "\n".join([*lines, "the program:", *said(found.program), "the model:", *said(found.model)])
    for case, name in names.items():
        text = text.replace(case, name)
    return text


# --- both agree --------------------------------------------------------------------------------------------


@dataclass
class Compared:
    outcomes: list[Outcome]
    users: int
    reports: list[str]


@pytest.fixture(scope="module")
def compared(analysis_jar, tmp_path_factory) -> Compared:
    folder = tmp_path_factory.mktemp("alerts")
    out = Compared([], 0, [])
    for seed in range(FIRST_SEED, FIRST_SEED + POLICIES):
        site = policy(seed)
        histories = users(seed, site)
        differing, outcomes = differences(site, histories, folder)
        out.outcomes += outcomes
        out.users += len(histories)
        for each in sorted(differing, key=lambda each: len(each.history))[:2]:
            text = readable(site, shrunk(site, each, folder))
            out.reports.append(f"policy {seed}, {len(differing)} users differ, such as:\n{text}")
    return out


def test_the_program_decides_as_the_policy_says(compared):
    assert not compared.reports, "\n\n".join(compared.reports[:5])
    assert compared.users == POLICIES * USERS


def test_every_kind_of_outcome_was_compared(compared):
    kinds = Counter(
        each.kind if isinstance(each, Message) else f"held: {each.reason}" for each in compared.outcomes
    )
    reasons = ("unwanted", "excluded", "below_thresholds", "storage", "muted", "sent_before", "limit")
    wanted = ["finding", "reminder", "fixed", "digest", *(f"held: {each}" for each in reasons)]
    assert set(kinds) == set(wanted)
    named = [case for each in compared.outcomes if isinstance(each, Message) for case in each.cases]
    kinds["retracted"] = sum(bool(case.retracted) for case in named)
    kinds["digest for limit"] = sum(case.held_back == "limit" for case in named)
    kinds["digest for storage"] = sum(case.held_back == "storage" for case in named)
    rare = {kind: number for kind, number in kinds.items() if number < compared.users / 400}
    assert not rare, f"hardly tried: {rare} of {dict(kinds)}"


# --- what users get, beside what was planted ---------------------------------------------------------------


@dataclass(frozen=True)
class Planted:
    """A job whose truth is known."""

    user: str
    program: str
    rule: str
    truth: str
    result: Result
    time: int

    @property
    def case(self) -> str:
        return case_id(CLUSTER, self.user, self.program, self.rule)


VERDICTS = {"storage": "storage", "not slow": "not_slow", "unknowable": "unknown"}
BESIDE: dict[str, dict[str, str]] = {
    "program beside storage": {"verdict": "storage"},
    "program beside foreign owner": {"owner_check": "trusted_archive"},
    "hardly anything beside storage": {"verdict": "storage"},
}
"""What else the job ran: it lost much more, and is no part of any message."""
TOLD = ("program", "program beside storage", "program beside foreign owner")
TRUTHS = (*TOLD, "hardly anything beside storage", "storage", "not slow", "unknowable", "foreign owner")


def planted_jobs() -> list[Planted]:
    """2,000 jobs: of 200 users five programs, each with one truth, and two jobs of each, days apart."""
    pick = random.Random("planted")
    begin = int(datetime(2026, 3, 2, tzinfo=UTC).timestamp()) * 1000
    jobs = []
    for number in range(2000):
        user, place = f"user{number // 10}", number % 10
        truth = TRUTHS[(number // 10 + place % 5) % len(TRUTHS)]
        rule = RULES[(number // 10 + place % 5) % len(RULES)]
        end = begin + (place // 5 * 8 * DAY) + pick.randrange(DAY)
        seconds = {"not slow": 3.0, "unknowable": None}.get(truth, 60.0)
        run = Run(
            f"log{number}",
            f"program{place % 5}",
            end,
            log_state="partial" if truth == "unknowable" else "complete",
            owner_check="trusted_archive" if truth == "foreign owner" else "strict",
            time_lost=seconds,
            node_hours=0.05 if truth.startswith("hardly") else seconds and seconds / 20,
            verdict=VERDICTS.get(truth, "application"),
            unknowable=(rule,) if truth == "unknowable" else (),
        )
        evidence = "unknowable" if truth == "unknowable" else pick.choice(("exact", "bounded"))
        runs, found = [run], [Finding(rule, run.log_id, "critical", evidence)]
        if truth in BESIDE:
            large = Run(f"large{number}", "mesh", end, time_lost=90.0, node_hours=500.0)
            runs.append(replace(large, **BESIDE[truth]))
            found.append(Finding(rule, large.log_id, "critical"))
        result = Result(f"uid{number}", 1, tuple(runs), tuple(found), end)
        jobs.append(Planted(user, run.program, rule, truth, result, end + pick.randrange(5, 300) * SECOND))
    return jobs


@pytest.mark.parametrize("digest", ["never", "daily"])
def test_mails_are_about_planted_causes_and_about_nothing_else(digest, analysis_jar, tmp_path):
    jobs = planted_jobs()
    assert Counter(each.truth for each in jobs) == dict.fromkeys(TRUTHS, 250)
    alerts = {"mode": "live", "staff": ["staff@example.org"], "per_user_and_day": 1000}
    site = {**policy(0), "time_zone": "Europe/Berlin", "alerts": alerts | {"digest": digest}}
    histories: dict[str, History] = {}
    for each in sorted(jobs, key=lambda each: each.time):
        histories.setdefault(each.user, []).append(Arrival(each.time, each.result))
    _, mails = decided_by_program(site, histories, tmp_path)

    planted = {each.result.uid for each in jobs if each.truth in TOLD}
    causes = {each.case for each in jobs if each.truth in TOLD}
    cases = {truth: {each.case for each in jobs if each.truth == truth} for truth in TRUTHS}
    about_jobs = [each for each in mails if each["kind"] in ("finding", "reminder")]
    told = [job["job_uid"] for each in about_jobs for job in each["jobs"]]
    named = {
        case["case"]
        for each in mails
        for case in each["cases"]
        if each["kind"] != "digest" or case["held_back"] == "limit"
    }
    hits = planted & set(told)
    assert (len(hits) / len(set(told)), len(hits) / len(planted)) == (1.0, 1.0)
    assert len(told) == len(set(told))
    assert len(named & causes) / len(named) == 1.0
    assert len(named & causes) / len(causes) == 1.0
    assert Counter(each["kind"] for each in about_jobs) == {"finding": 375, "reminder": 375}
    own = {each.result.uid: each for each in jobs}
    for each in about_jobs:
        (job,) = each["jobs"]
        assert [case["case"] for case in each["cases"]] == [own[job["job_uid"]].case]
        assert [run["log_id"] for run in job["runs"]] == [own[job["job_uid"]].result.runs[0].log_id]
        assert (each["jobs_in_all"], each["node_hours_lost"]) == (1, 3.0)

    digests = [case for each in mails if each["kind"] == "digest" for case in each["cases"]]
    assert {case["held_back"] for case in digests} == ({"storage"} if digest == "daily" else set())
    assert {case["case"] for case in digests} == (cases["storage"] if digest == "daily" else set())
    in_mails = {case["case"] for each in mails for case in each["cases"]}
    assert in_mails == causes | {case["case"] for case in digests}


@pytest.mark.parametrize("seed", [3, 4, 5])  # of each mode one
def test_alerts_carry_their_identity_mode_and_recipient(seed, analysis_jar, tmp_path):
    site = policy(seed)
    site["alerts"]["opt_in"] = False
    histories = users(seed, site)
    _, alerts = decided_by_program(site, histories, tmp_path)
    assert len(alerts) > 50
    assert {each["kind"] for each in alerts} >= {"finding", "reminder", "digest"}
    assert len({each["alert"] for each in alerts}) == len(alerts)
    for each in alerts:
        kind = "finding" if each["kind"] == "reminder" else each["kind"]
        kind = kind if each["mode"] == "live" else f"{each['mode']} {kind}"
        identity = "\0".join((kind, each["unit"], each["recipient"]))
        assert each["alert"] == hashlib.blake2b(identity.encode(), digest_size=16).hexdigest()
        assert (each["cluster"], each["mode"]) == (CLUSTER, site["alerts"]["mode"])
        assert each["recipient"] in histories
        for case in each["cases"]:
            cause = (case["program"], case["rule_id"])
            assert case["case"] == case_id(CLUSTER, each["recipient"], *cause)
        for job in each["jobs"]:
            assert job["runs"]
            assert "storage" not in [run["verdict"] for run in job["runs"]]


def test_what_the_storage_slowed_is_no_part_of_a_mail(analysis_jar, tmp_path):
    end = int(datetime(2026, 6, 1, tzinfo=UTC).timestamp()) * 1000
    slowed = Run("slowed", "vasp", end, node_hours=100.0, verdict="storage")
    own = Run("own", "lammps", end, node_hours=3.0)
    small = Run("small", "lammps", end, node_hours=0.01, verdict="not_slow")
    foreign = Run("foreign", "wrf", end, node_hours=50.0, owner_check="trusted_archive")

    def job(name: str, *runs: Run, **of: Any) -> Result:
        return Result(name, 1, runs, tuple(Finding("small_io", run.log_id) for run in runs), end, **of)

    tasks = [replace(slowed, log_id=f"task{number}") for number in range(19)]
    histories: dict[str, History] = {
        "ann": [Arrival(end + 1, job("mixed", slowed, own, foreign))],
        "ben": [Arrival(end + 1, job("hardly", slowed, small))],
        "cat": [Arrival(end + 1, job("slow", slowed))],
        "dan": [Arrival(end + n + 1, job(f"{n}", run, array_id=3)) for n, run in enumerate([*tasks, own])],
    }
    site = {**policy(1), "time_zone": "UTC"}
    site["alerts"] = {"mode": "live", "staff": ["staff@example.org"], "digest": "never"}
    said, alerts = decided_by_program(site, histories, tmp_path)
    for user in ("ann", "dan"):
        (mail,) = said[user]
        assert isinstance(mail, Message)
        assert (mail.jobs, mail.node_hours) == (1, 3.0)
        assert [each.case for each in mail.cases] == [case_id(CLUSTER, user, "lammps", "small_io")]
    about = {each["recipient"]: [job["job_uid"] for job in each["jobs"]] for each in alerts}
    assert about == {"ann": ["mixed"], "dan": ["19"]}
    assert [each.reason for each in said["ben"]] == ["below_thresholds"]
    assert [each.reason for each in said["cat"]] == ["storage"]


def test_a_case_is_fixed_however_many_small_runs_came_between(analysis_jar, tmp_path):
    begin = int(datetime(2026, 6, 1, tzinfo=UTC).timestamp()) * 1000
    histories: dict[str, History] = {}
    for between in (0, 30, 31, 90):
        kinds = ["serial_io", "small_io", "clean", *["small"] * between, "clean", "clean"]
        history = []
        for number, kind in enumerate(kinds):
            end = begin + number * HOUR
            # The second run is too small to be a clean one of the first one's cause.
            moved = {"small": 1.0, "small_io": 99.0}.get(kind, 1000.0)
            run = Run(f"log{number}", "vasp", end, site_bytes=moved)
            found = (Finding(kind, run.log_id),) if kind in RULES else ()
            history.append(Arrival(end + 1, Result(f"uid{number}", 1, (run,), found, end)))
        histories[f"user{between}"] = history
    site = {**policy(1), "time_zone": "UTC"}
    site["alerts"] = {"mode": "live", "staff": ["staff@example.org"], "digest": "never", "clean_runs": 2}
    said, _ = decided_by_program(site, histories, tmp_path)
    # With 31 or more between, the first clean run is no longer kept at the second one.
    for between, closed_by in ((0, 3), (30, 33), (31, 35), (90, 94)):
        user = f"user{between}"
        fixed = {each.unit for each in said[user] if isinstance(each, Message) and each.kind == "fixed"}
        cases = [case_id(CLUSTER, user, "vasp", rule) for rule in ("serial_io", "small_io")]
        assert fixed == {f"{case} log{closed_by}" for case in cases}
        assert len(said[user]) == 4


def test_of_an_array_the_first_500_jobs_count(analysis_jar, tmp_path):
    begin = int(datetime(2026, 6, 1, tzinfo=UTC).timestamp()) * 1000
    history = []
    for number in range(510):
        run = Run(f"log{number}", "vasp", begin, node_hours=1.0 if number < 500 else 1000.0)
        found = (Finding("small_io", run.log_id),)
        result = Result(f"uid{number}", 1, (run,), found, begin, array_id=7)
        history.append(Arrival(begin + number + 1, result))
    said, _ = decided_by_program(policy(1), {"ann": history}, tmp_path)
    (message,) = said["ann"]
    assert isinstance(message, Message)
    assert (message.unit, message.jobs, message.node_hours) == (f"array {CLUSTER} 7", 500, 500.0)
    assert (message.cases[0].runs, message.cases[0].millionths) == (510, 10_500_000_000)
