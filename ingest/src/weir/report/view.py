"""What a report says, as plain text in order: no markup, no escapes of an output form."""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any

from weir.analyze.offline import Analysis, AnalyzedJob, Heatmap, Inputs, Run
from weir.report.operations import Section, sections
from weir.report.plots import Plot, plots
from weir.report.words import BOUND_WORDS, Number, duration, fill, fill_lines, holds, size, words
from weir.site_file import setting
from weir.text import common_start, printable, shortened, unescape

_SEVERITIES = ("critical", "warning", "notice", "info")
_ESTIMATED_ABOVE = 4096
_NOTABLE_BYTES, _NOTABLE_SHARE = 1 << 20, 0.01
_NOTABLE_SECONDS = 1  # the resolution of many logs' run times
_BIN_ENDS = {
    "0_100": 100, "100_1k": 1 << 10, "1k_10k": 10 << 10, "10k_100k": 100 << 10, "100k_1m": 1 << 20,
    "1m_4m": 4 << 20, "4m_10m": 10 << 20, "10m_100m": 100 << 20, "100m_1g": 1 << 30,
}  # fmt: skip
_NEARLY_ALL = 0.95
_LONGEST_PATH = 200
_MOST_TITLES = 3
MOST_ROWS = 20
MOST_DETAILS = 10
ROW_HEADER = ("log", "run time", "read", "written", "I/O time", "findings")


@dataclass(frozen=True)
class Change:
    """One thing to do, and the lines to type for it."""

    advice: str
    text: str
    code: list[str]


@dataclass(frozen=True)
class Finding:
    """A rule that held."""

    id: str
    title: str
    severity: str
    evidence: str
    evidence_class: str
    meaning: str
    gain: str
    change: Change | None
    others: list[Change]
    """More ways to the same end."""
    where: str
    """In which of several logs; empty for one."""


@dataclass(frozen=True)
class RunPart:
    """What is said of one log of a report."""

    name: str
    facts: list[tuple[str, str]]
    summary: str
    plots: list[Plot]
    sections: list[Section]


@dataclass(frozen=True)
class Report:
    """The report of one job: a log, or several."""

    title: str
    headline: str
    """What was found, in a line: the findings, gravest first, or that there is none."""
    facts: list[tuple[str, str]]
    summary: str
    cost: str
    verdict: str
    verdict_label: str
    verdict_text: str
    findings: list[Finding]
    findings_note: str
    limits: list[str]
    runs: list[RunPart]
    """The log; of several those with most I/O time."""
    rows: list[tuple[str, ...]]
    """A row for each of several logs, as ROW_HEADER says; those with most I/O time."""
    logs: int

    @property
    def several(self) -> bool:
        """Whether it is of several logs."""
        return self.logs > 1


@dataclass(frozen=True)
class Brief:
    """What a message says of one run: the part of a report for which its JSON object is enough."""

    program: str
    start: str
    summary: str
    cost: str
    verdict: str
    verdict_label: str
    verdict_text: str
    findings: list[Finding]
    repeats: dict[str, str]
    """Findings that say no more than another, and which that is."""


def brief(facts: dict[str, Any], site: dict[str, Any] | None) -> Brief:
    """Says in short what is known of a run as `weir analyze --json` reports it, its files left out.

    `site` is a site file's content. Each finding stands alone, as a reader may get only some of them.
    """
    mounts = [prefix for fs in (site or {}).get("file_systems", []) for prefix in fs["mount_prefixes"]]
    header = {
        "exe": facts["exe"],
        "nprocs": facts["nprocs"],
        "file_name": facts["file"],
        "start_time": datetime.fromtimestamp(facts["start_time"] / 1e6, UTC),
        "mounts": [{"path": mount} for mount in mounts],
    }
    run = Run(
        [Path(facts["file"])], facts["log_id"], header, Heatmap(facts["nprocs"]), facts=facts | {"files": []}
    )
    job = AnalyzedJob([run])
    verdict = facts["verdict"]["value"]
    return Brief(
        program=_program(run),
        start=_start(header),
        summary=_summary(run),
        cost=_cost(run),
        verdict=verdict,
        verdict_label=words()["verdicts"][verdict]["label"],
        verdict_text=_verdict(job, facts["verdict"], Analysis(Inputs(), site)),
        findings=[_finding(run, finding, "", {}) for finding in run.facts["findings"]],
        repeats=_repeats(run),
    )


def reports(analysis: Analysis) -> list[Report]:
    """A report a job, in the order of the logs."""
    return [_report(job, analysis) for job in analysis.jobs]


def _report(job: AnalyzedJob, analysis: Analysis) -> Report:
    first = job.runs[0]
    several = len(job.runs) > 1
    facts = job.facts if several and job.facts else first.facts
    findings = list(_findings(job))
    if several:
        complete = all(map(_timed, job.runs))
        programs = _and(list(dict.fromkeys(map(_program, job.runs)))[:3])
        totals = {name: _total(job, name) for name in ("bytes_read", "bytes_written", "io_time_seconds")}
        summary = fill(words()["summary"]["job"], runs=len(job.runs), programs=programs, **totals)
        cost = fill(words()["summary"]["cost_job"], facts=facts, complete=complete, **totals)
    else:
        summary, cost = _summary(first), _cost(first)
    return Report(
        title=_job_title(job) if several else _program(first),
        headline=_headline(job, findings),
        facts=(_job_facts(job) if several else _run_facts(first)) + _state(job),
        summary=summary,
        cost=cost,
        verdict=facts["verdict"]["value"],
        verdict_label=words()["verdicts"][facts["verdict"]["value"]]["label"],
        verdict_text=_verdict(job, facts["verdict"], analysis),
        findings=findings,
        findings_note=_findings_note(job, findings, facts["verdict"]["value"]),
        limits=list(_limits(job, analysis)),
        runs=[_part(run, job) for run in _most_io(job.runs, MOST_DETAILS)],
        rows=[(_short(run, job), *_row(run)) for run in _most_io(job.runs, MOST_ROWS)] if several else [],
        logs=len(job.runs),
    )


def _job_title(job: AnalyzedJob) -> str:
    name = shown((job.facts or {}).get("job_name") or "")
    return f"Job {job.runs[0].header['job_id']}" + (f" ({name})" if name else "")


def _verdict(job: AnalyzedJob, verdict: dict[str, Any], analysis: Analysis) -> str:
    site = analysis.site or {}
    slow_seconds = setting(site, "slow_threshold_seconds")
    longest = max(run.facts["run_time_seconds"] or 0 for run in job.runs)
    text = fill(
        words()["verdicts"][verdict["value"]]["text"],
        several=len(job.runs) > 1,
        short=longest if longest < slow_seconds else None,
        slow_seconds=slow_seconds,
        slow_share=setting(site, "slow_threshold_share"),
    )
    if verdict["value"] == "not_slow":
        return text
    return f"{text} {_sentence(shown(verdict['reason']))}"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def shown(text: str, most: int = _LONGEST_PATH) -> str:
    """Text of a log as a reader may see it: printable, and no longer than a path has to be."""
    return shortened(printable(text), most)


# --- one log ---------------------------------------------------------------------------------------------


class _Parameters(dict[str, Any]):
    """Holds the parameters of an advice; None stands for one that the log does not show."""

    def __missing__(self, name: str) -> None:
        return None


def _values(run: Run) -> dict[str, Any]:
    return _values_of(run.facts["features"])


def _values_of(features: dict[str, Any]) -> dict[str, Any]:
    return {name: feature["value"] for name, feature in features.items()}


def _complete(run: Run) -> bool:
    """Whether nothing is missing of what the run did, be it until it was killed."""
    return run.facts["log_state"] in ("complete", "killed")


def _killed(run: Run) -> bool:
    return bool(run.facts["log_state"] == "killed")


def _lacks(run: Run, name: str) -> bool:
    """Whether records that the log lost take part in a feature; of one that has no end any may be lost."""
    if _complete(run):
        return False
    ended = run.facts["log_state"] in ("partial", "damaged") and not _is_partial_file(run)
    return not ended or bool(run.facts["features"].get(name, {}).get("incomplete", False))


def _is_partial_file(run: Run) -> bool:
    return str(run.header["file_name"]).endswith(".darshan_partial")


def _timed(run: Run) -> bool:
    """Whether the I/O time is that of the whole run: what else the log lost doesn't matter to it."""
    return _complete(run) or (
        _values(run)["io_time_seconds"] is not None and not _lacks(run, "io_time_seconds")
    )


def _features(run: Run, filesystem: str | None) -> dict[str, Any]:
    """Returns the features of the run; those of one of its file systems where that has its own."""
    own = (part["features"] for part in run.facts["filesystems"] if part["filesystem"] == filesystem)
    return run.facts["features"] | next(own, {})


def _numbers(run: Run, filesystem: str | None = None) -> dict[str, Number | None]:
    """Features as words print them."""
    return {
        name: None if feature["value"] is None else Number(feature["value"], _bound(run, name, feature))
        for name, feature in _features(run, filesystem).items()
    }


def _bound(run: Run, name: str, feature: dict[str, Any] | None = None) -> str:
    feature = feature or run.facts["features"][name]
    if name == "time_lost_seconds" and _bound(run, "io_time_seconds") == "lower_bound":
        return "lower_bound"  # what of the I/O time is not seen was lost as well
    bound = str(feature["evidence_class"])
    return "recorded" if bound == "bounded" and _lacks(run, name) else bound


def _facts(run: Run, filesystem: str | None = None) -> dict[str, Any]:
    """What the words see of a run, or of one file system of it; text in it is printable."""
    facts, value = run.facts, _values_of(_features(run, filesystem))
    return {
        "f": _numbers(run, filesystem),
        "way": " and ".join(_ways(value)) or "read and write",
        "facts": facts,
        "filesystem": shown(filesystem or ""),
        "cost": facts["cost"] | _loss(run),
        "complete": _timed(run),
        "tiny": (value["application_bytes"] or 0) < _NOTABLE_BYTES
        and (value["io_time_seconds"] or 0) < _NOTABLE_SECONDS,
        "typical_bytes": _typical_request(value),
        "mpiio_is_collective": _is_collective(value),
        "mpi": "nonmpi" not in facts["traits"],
    }


def _loss(run: Run) -> dict[str, Number | None]:
    """Both are of the I/O time, so as far from the truth as that."""
    bound = _bound(run, "time_lost_seconds")
    names = ("time_lost_seconds", "node_hours_lost")
    cost = {name: run.facts["cost"][name] for name in names}
    return {name: None if lost is None else Number(lost, bound) for name, lost in cost.items()}


def _typical_request(value: dict[str, Any]) -> int | None:
    """Bytes that half of the POSIX requests do not exceed: the end of a size bin; None where it has none."""
    half = ((value["reads"] or 0) + (value["writes"] or 0)) / 2
    below = 0.0
    for bin_, end in _BIN_ENDS.items():
        below += sum(value[f"posix_size_{way}_{bin_}"] or 0 for way in ("read", "write"))
        if below >= half > 0:
            return end
    return None


def _is_collective(value: dict[str, Any]) -> bool:
    """Whether most of MPI-IO's operations are collective, so that its aggregators make the requests."""
    kinds = {
        kind: sum(value[f"mpiio_{kind}_{ways}"] or 0 for ways in ("reads", "writes"))
        for kind in ("coll", "split", "indep", "nb")
    }
    return kinds["coll"] + kinds["split"] > kinds["indep"] + kinds["nb"]


def _ways(value: dict[str, Any]) -> list[str]:
    """What the program itself did: below MPI-IO, its library may read what the program only writes."""
    layer = "mpiio_site_bytes_{}" if value["mpiio_site_bytes"] else "bytes_{}"
    moved = {way: value[layer.format(name)] or 0 for way, name in (("read", "read"), ("write", "written"))}
    return [way for way, number in moved.items() if number > _NOTABLE_SHARE * sum(moved.values())]


def _run_facts(run: Run) -> list[tuple[str, str]]:
    header, nodes = run.header, run.facts["cost"]["nodes"]
    more = f" and {len(run.files) - 1:,} more" if len(run.files) > 1 else ""
    facts = [
        ("log", shown(str(run.file)) + more),
        ("command", shown(run.command)),
        ("job", f"{header['job_id']}, user id {header['uid']}"),
        ("processes", f"{header['nprocs']:,}" + (f" on {nodes:,} node{'s' * (nodes != 1)}" if nodes else "")),
        ("time", f"{_start(header)}, {_run_time(run)}"),
    ]
    return [fact for fact in facts if fact[1]]


def _job_facts(job: AnalyzedJob) -> list[tuple[str, str]]:
    headers = [run.header for run in job.runs]
    first = min(headers, key=lambda header: header["start_time"])
    ended = all(run.facts["run_time_seconds"] is not None for run in job.runs)
    ends = [
        (run.header["start_time"] - first["start_time"]).total_seconds()
        + (run.facts["run_time_seconds"] or 0)
        for run in job.runs
    ]
    took = f"for {duration(max(ends))}"
    return [
        ("logs", f"{len(headers):,}"),
        ("user id", str(first["uid"])),
        ("time", f"{_start(first)}, {took if ended else 'did not come to its end'}"),
    ]


def _state(job: AnalyzedJob) -> list[tuple[str, str]]:
    """The scheduler's word for how the job ended, such as FAILED; none where no scheduler said."""
    state = (job.facts or {}).get("job_state") or "UNKNOWN"
    return [] if state == "UNKNOWN" else [("job state", shown(state))]


def _part(run: Run, job: AnalyzedJob) -> RunPart:
    return RunPart(_short(run, job), _run_facts(run), _summary(run), plots(run), sections(run))


def _program(run: Run) -> str:
    return shown(run.header["exe"]) or "(no program name)"


def _run_time(run: Run) -> str:
    known: float | None = run.facts["run_time_seconds"]
    if known is not None:
        return f"for {duration(known)}"
    return "did not come to its end" if _values(run)["mapped_processes"] is None else "was killed"


def _start(header: dict[str, Any]) -> str:
    start: datetime = header["start_time"]
    return start.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _summary(run: Run) -> str:
    facts, names = run.facts, words()["traits"]
    known = [trait for trait in facts["traits"] if trait in names]
    bytes_known = _its_filesystem(run).get("bytes_read") is not None
    return fill(
        words()["summary"]["run"],
        **_facts(run) | {"filesystem": shown(facts["filesystem"] or "") if bytes_known else ""},
        program=_program(run),
        placed=_placed(run),
        streamed=_is_streamed(_values(run)),
        interfaces=_and([names[trait] for trait in known if ":" not in trait]),
        sharing=next((names[trait] for trait in known if ":" in trait and facts["nprocs"] > 1), ""),
    )


def _its_filesystem(run: Run) -> dict[str, Any]:
    there = (each for each in run.facts["filesystems"] if each["filesystem"] == run.facts["filesystem"])
    return next(there, {})


def _placed(run: Run) -> str:
    """Which of its bytes the run's file system has; empty for all of them."""
    value, there = _values(run), _its_filesystem(run)
    ways = {"read": "bytes_read", "wrote": "bytes_written"}
    moved = {way: value[name] for way, name in ways.items() if value[name]}
    share = {way: (there.get(ways[way]) or 0) / number for way, number in moved.items()}
    whole = [way for way, part in share.items() if part >= _NEARLY_ALL]
    if len(whole) == len(share):
        return ""
    if whole and max(share[way] for way in share if way not in whole) < 1 - _NEARLY_ALL:
        return f"what it {whole[0]}"
    on_it = sum(share[way] * number for way, number in moved.items())
    return "most of it" if on_it > sum(moved.values()) / 2 else "a part of it"


def _is_streamed(value: dict[str, Any]) -> bool:
    """Whether so much went through standard streams that what else is said of the bytes is not of these."""
    streams = value["standard_stream_bytes"] or 0
    ways = [value[name] for name in ("bytes_read", "bytes_written") if value[name]]
    return any(streams >= (1 - _NEARLY_ALL) * moved for moved in ways)


def _and(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def _cost(run: Run) -> str:
    known = run.facts["cost"]["time_lost_seconds"] is not None and _timed(run)
    return fill(words()["summary"]["cost_lost" if known else "cost_unknown"], **_facts(run))


# --- several logs ----------------------------------------------------------------------------------------


def _total(job: AnalyzedJob, name: str) -> Number | None:
    """Sums a feature over the runs; None where it is unknown for one of them."""
    parts = [_numbers(run)[name] for run in job.runs]
    return None if None in parts else sum(filter(None, parts), Number(0))


def _most_io(runs: list[Run], most: int) -> list[Run]:
    """In the order that they have."""
    chosen = sorted(runs, key=lambda run: -(_values(run)["io_time_seconds"] or 0))[:most]
    return [run for run in runs if run in chosen]


def _short(run: Run, job: AnalyzedJob) -> str:
    """The log's name without what the names of all the job's logs begin with."""
    names = [each.file.name.removesuffix(".darshan") for each in job.runs]
    cut = len(common_start(names)) // 8 * 8
    return ("…" if cut else "") + shown(run.file.name.removesuffix(".darshan")[cut:])


def _row(run: Run) -> tuple[str, ...]:
    value = _values(run)
    return (
        "?" if run.facts["run_time_seconds"] is None else duration(run.facts["run_time_seconds"]),
        *("?" if value[name] is None else size(value[name]) for name in ("bytes_read", "bytes_written")),
        "?" if value["io_time_seconds"] is None else duration(value["io_time_seconds"]),
        ", ".join(finding["id"] for finding in _told_findings(run)) or "none",
    )


# --- findings --------------------------------------------------------------------------------------------


def _findings(job: AnalyzedJob) -> Iterator[Finding]:
    """Each rule once, as it held in the run where it weighs most; the gravest first.

    What a graver finding has said already (a gain, a change) is not said again.
    """
    held: dict[str, list[tuple[Run, dict[str, Any]]]] = {}
    for run in job.runs:
        for finding in _told_findings(run):
            held.setdefault(finding["id"], []).append((run, finding))
    order = list(words()["findings"])
    said: dict[Any, str] = {}
    for each in sorted(held.values(), key=lambda each: (_weight(each), _place(each, order))):
        run, finding = min(each, key=lambda one: _weight([one]))
        where = ""
        if len(job.runs) > 1:
            where = fill(
                words()["summary"]["in_runs"], some=len(each), all=len(job.runs), file=shown(run.file.name),
                cost=finding["cost"],
            )  # fmt: skip
        yield _finding(run, finding, where, said)


def _told_findings(run: Run) -> list[dict[str, Any]]:
    """Returns the findings without those that say no more than another."""
    repeats = _repeats(run)
    return [finding for finding in run.facts["findings"] if finding["id"] not in repeats]


def _repeats(run: Run) -> dict[str, str]:
    """Findings that say no more than another that held for the same reason, and which that is."""
    found = {finding["id"]: finding for finding in run.facts["findings"]}
    repeats = {}
    for rule_id, finding in found.items():
        other = found.get(words()["findings"].get(rule_id, {}).get("repeats", ""))
        if other is not None and any(
            name.endswith("_effective_ranks_upper") and name in other["reasons"]
            for name in finding["reasons"]
        ):
            repeats[rule_id] = other["id"]
    return repeats


def _weight(held: list[tuple[Run, dict[str, Any]]]) -> tuple[float, ...]:
    """Returns the sort key of a rule in the runs where it held: by severity, then loss, then I/O time."""
    return (
        min(_SEVERITIES.index(finding["severity"]) for _, finding in held),
        -sum(finding["cost"]["node_hours_lost"] or 0 for _, finding in held),
        -sum(_values(run)["io_time_seconds"] or 0 for run, _ in held),
    )


def _place(held: list[tuple[Run, dict[str, Any]]], order: list[str]) -> int:
    rule = held[0][1]["id"]
    return order.index(rule) if rule in order else len(order)


def _finding(run: Run, finding: dict[str, Any], where: str, said: dict[Any, str]) -> Finding:
    """`said` remembers which finding said a gain or change first."""
    quoted = finding["evidence"]
    held = {"held": lambda feature: feature in finding["reasons"]}
    facts = _facts(run, quoted.get("filesystem")) | held
    its_words = words()["findings"].get(finding["id"], {})
    others = [_facts(run, name) | held for name in quoted.get("other_filesystems", [])]
    numbers = [fill(its_words["evidence"], **each) for each in (facts, *others)] if its_words else []
    changes = [change for each in finding["advice"] if (change := _change(each, run, facts))]
    fresh = [change for change in changes if (change.text, *change.code) not in said]
    fresh = fresh[:1] + [change for change in fresh[1:] if not change.code or change.code != fresh[0].code]
    if changes and not fresh:
        first = said[(changes[0].text, *changes[0].code)]
        fresh = [Change(changes[0].advice, _sentence(fill(words()["summary"]["same_change"], id=first)), [])]
    said.setdefault((fresh[0].text, *fresh[0].code) if fresh else None, finding["id"])
    gain = _gain(its_words, facts)
    if gain and said.setdefault((gain, where), finding["id"]) != finding["id"]:
        gain = _sentence(fill(words()["summary"]["same_gain"], id=said[gain, where]))
    return Finding(
        id=finding["id"],
        title=finding["title"],
        severity=finding["severity"],
        evidence=_sentence(" ".join(numbers) or _bare(quoted, run)),
        evidence_class=_evidence_class(run, finding),
        meaning=fill(its_words.get("meaning", ""), **facts),
        gain=gain,
        change=fresh[0] if fresh else None,
        others=fresh[1:],
        where=where,
    )


def _evidence_class(run: Run, finding: dict[str, Any]) -> str:
    bounded = finding["evidence_class"] == "bounded"
    lacks = any(_lacks(run, name) for name in (*finding["evidence"], *finding["reasons"]))
    key = "recorded" if bounded and lacks else finding["evidence_class"]
    said = words()["evidence_classes"]
    return str(said[key] + (said["killed"] if _killed(run) else ""))


def _gain(its_words: dict[str, str], facts: dict[str, Any]) -> str:
    if not facts["complete"]:
        return ""  # what is missing may have taken longer than all that is there
    return fill(its_words.get("gain", ""), **facts) or fill(words()["gain_unknown"], **facts)


def _bare(evidence: dict[str, Any], run: Run) -> str:
    """Writes the evidence of a rule that a site wrote itself, without words for it."""
    return ", ".join(f"{name} = {_bare_value(run, name, value)}" for name, value in evidence.items())


def _bare_value(run: Run, name: str, value: Any) -> str:
    if isinstance(value, list):
        return " and ".join(shown(str(each)) for each in value)
    return f"{BOUND_WORDS[_bound(run, name)]}{value:g}" if isinstance(value, float) else shown(str(value))


def _headline(job: AnalyzedJob, findings: list[Finding]) -> str:
    if findings:
        more = len(findings) - _MOST_TITLES
        titles = [finding.title for finding in findings[:_MOST_TITLES]]
        return "; ".join([*titles, f"and {more} more"] if more > 0 else titles)
    judged = any(run.facts["log_state"] != "unfinished" for run in job.runs)
    undecided = any(_undecided(run) for run in job.runs)
    killed = any(map(_killed, job.runs))
    return fill(words()["summary"]["headline"], judged=judged, undecided=undecided, killed=killed)


def _findings_note(job: AnalyzedJob, findings: list[Finding], verdict: str) -> str:
    said = words()["summary"]
    if not findings:
        undecided = any(_undecided(run) for run in job.runs)
        return fill(said["no_findings"], undecided=undecided, killed=any(map(_killed, job.runs)))
    if verdict == "not_slow":
        return fill(said["findings_not_slow"])
    lost = job.runs[0].facts["cost"]["node_hours_lost"]
    if len(findings) > 1 and len(job.runs) == 1 and lost:
        return fill(said["findings_shared"], count=f"The {len(findings)}")
    return ""


# --- what to change --------------------------------------------------------------------------------------


def _change(advice: dict[str, Any], run: Run, facts: dict[str, Any]) -> Change | None:
    """None where it makes no sense for this run."""
    said = words()["advice"].get(advice["id"])
    if said is None:
        return Change(advice["id"], advice["id"], [])
    files = [_file(file, run) for file in advice["files"] if file["name"]]
    used = files or [_file(file, run) for file in run.facts["files"][:1] if file["name"]]
    seen = facts | {
        "p": _Parameters(advice["parameters"]),
        "files": files,
        "directory": used[0]["directory"] if used else "DIRECTORY",
    }
    if not holds(said.get("when", "true"), **seen):
        return None
    code = [printable(line) for line in fill_lines(said.get("code", ""), **seen)]
    return Change(advice["id"], fill(said["text"], **seen), code)


def _file(file: dict[str, Any], run: Run) -> dict[str, Any]:
    """A file's name to read, and its path and directory to type: quoted for a shell."""
    path, directory = "FILE", "DIRECTORY"
    try:
        raw = unescape(file["name"]).decode()
    except UnicodeDecodeError:
        raw = ""
    # a name that a terminal would not show as it is must not be typed from a report either
    if raw.startswith("/") and shown(raw) == raw:
        path = shlex.quote(raw)
        parent = str(PurePosixPath(raw).parent)
        # a whole file system is nobody's to stripe
        if parent not in ("/", *(mount["path"] for mount in run.header["mounts"])):
            directory = shlex.quote(parent)
    return {
        "name": shown(file["name"]),
        "extent_bytes": file["extent_bytes"],
        "path": path,
        "directory": directory,
    }


# --- what the log can't show -----------------------------------------------------------------------------


def _limits(job: AnalyzedJob, analysis: Analysis) -> Iterator[str]:
    """Gives the limits of the logs, each said once, then of what stood beside them."""
    logs: dict[str, int] = {}
    for run in job.runs:
        for text in _limits_of(run):
            logs[text] = logs.get(text, 0) + 1
    for text, some in logs.items():
        if some == len(job.runs):
            yield text
        else:
            yield fill(words()["limits"]["in_some"], some=some, all=len(job.runs), text=text)
    said, facts = words()["limits"], [run.facts for run in job.runs]
    if analysis.site is None:
        mounts = sorted({shown(part["filesystem"]) for each in facts for part in each["filesystems"]})
        yield fill(said["no_site"], mounts=", ".join(mounts))
    if any(each["cost"]["nodes"] is None for each in facts):
        joined = "no_nodes_of_job" if any(each["job_uid"] for each in facts) else "no_job"
        yield fill(said[joined if analysis.inputs.sacct_file else "no_nodes"])
    if analysis.too_seldom:
        yield from (_sentence(shown(reason)) for reason in analysis.too_seldom)
    elif any(each["load"]["state"] == "no_samples" for each in facts):
        yield fill(said["no_load"])


def _limits_of(run: Run) -> Iterator[str]:
    """Gives the limits of one log."""
    facts, value, said = run.facts, _values(run), words()["limits"]
    if run.trailing:
        yield fill(said["trailing"], reason=run.trailing)
    if _is_partial_file(run):
        yield fill(said["partial_file"])
    mapped = value["mapped_processes"]
    if facts["log_state"] in ("unfinished", "killed"):
        key = "killed" if _killed(run) else "unfinished" if mapped is None else "mapped"
        yield fill(said[key], processes=facts["nprocs"], mapped=mapped)
    sizes = {module["name"]: module["compressed_bytes"] for module in run.header["modules"]}
    for module in run.end.get("modules", []):
        if module["state"] in ("partial", "damaged", "suspect", "listed"):
            yield fill(
                said[module["state"]],
                module=shown(module["name"]),
                read=module["records_read"],
                expected=module["records_expected"],
                reason=shown(module["reason"] or ""),
                size=sizes.get(module["name"], 0),
            )
    if undecided := _undecided(run):
        yield fill(said["undecided"], rules=undecided)
    if "posix_unrecorded" in facts["traits"]:
        yield fill(said["posix_unrecorded"], **_facts(run))
    elif value["io_time_seconds"] is None and _complete(run):
        yield fill(said["times"])
    if value["bytes_moved"] and facts["busy"]["evidence_class"] != "exact":
        yield fill(said["busy"], heatmap=bool(run.heatmap.cells))
    notable = max(_NOTABLE_BYTES, _NOTABLE_SHARE * (value["bytes_moved"] or 0))
    for name, feature in (("other_mounts", "other_mount_bytes"), ("streams", "standard_stream_bytes")):
        if (value[feature] or 0) >= notable:
            yield fill(said[name], bytes=value[feature], streams=_streams(run))
    if (value["data_files"] or 0) > _ESTIMATED_ABOVE:
        yield fill(said["estimated"], files=value["data_files"])


def _streams(run: Run) -> list[str]:
    """What went through each standard stream, the most first."""
    stdio = run.operations.modules.get("STDIO")
    moved = {name: sum(both) for name, both in stdio.streams.items()} if stdio else {}
    most_first = sorted(moved.items(), key=lambda each: -each[1])
    return [f"{size(number)} through {name}" for name, number in most_first if number]


def needs_load(rule: str) -> bool:
    """Returns whether only samples of the storage can decide a rule."""
    return words()["findings"].get(rule, {}).get("needs") == "load"


def _undecided(run: Run) -> list[str]:
    """Rules that the log can't decide; what only lacks samples of the storage has a limit of its own."""
    no_load = run.facts["load"]["state"] == "no_samples"
    return [
        rule for rule in run.facts["unknowable"]
        if not (no_load and needs_load(rule))
    ]  # fmt: skip
