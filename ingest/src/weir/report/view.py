"""What a report says, as plain text in order: no markup, no escapes of an output form."""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any

from weir.analyze import Analysis, Job, Run
from weir.report.operations import Section, sections
from weir.report.plots import Plot, plots
from weir.report.words import duration, fill, fill_lines, holds, size, words
from weir.text import common_start, printable, shortened, unescape

_SEVERITIES = ("critical", "warning", "notice", "info")
_ESTIMATED_ABOVE = 4096
_NOTABLE_BYTES, _NOTABLE_SHARE = 1 << 20, 0.01
_LONGEST_PATH = 200
_ABOUT = {"lower_bound": "at least ", "bounded": "about "}
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
    """Of one job: a log, or several."""

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
    """As ROW_HEADER says, a row for each of several logs; those with most I/O time."""
    logs: int

    @property
    def several(self) -> bool:
        """Whether it is of several logs."""
        return self.logs > 1


def reports(analysis: Analysis) -> list[Report]:
    """A report a job, in the order of the logs."""
    return [_report(job, analysis) for job in analysis.jobs]


def _report(job: Job, analysis: Analysis) -> Report:
    first = job.runs[0]
    several = len(job.runs) > 1
    told = job.told if several and job.told else first.told
    findings = list(_findings(job))
    if several:
        complete = all(map(_complete, job.runs))
        programs = _and(list(dict.fromkeys(map(_program, job.runs)))[:3])
        summary = fill(
            words()["summary"]["job"], runs=len(job.runs), told=told, programs=programs, complete=complete
        )
        cost = fill(words()["summary"]["cost_job"], told=told, complete=complete)
    else:
        summary, cost = _summary(first), _cost(first)
    return Report(
        title=_job_title(job) if several else _program(first),
        headline=_headline(job, findings),
        facts=(_job_facts(job) if several else _run_facts(first)) + _state(job),
        summary=summary,
        cost=cost,
        verdict=told["verdict"]["value"],
        verdict_label=words()["verdicts"][told["verdict"]["value"]]["label"],
        verdict_text=_verdict(told["verdict"], several, analysis),
        findings=findings,
        findings_note=_findings_note(job, findings, told["verdict"]["value"]),
        limits=list(_limits(job, analysis)),
        runs=[_part(run, job) for run in _most_io(job.runs, MOST_DETAILS)],
        rows=[(_short(run, job), *_row(run)) for run in _most_io(job.runs, MOST_ROWS)] if several else [],
        logs=len(job.runs),
    )


def _job_title(job: Job) -> str:
    name = shown((job.told or {}).get("job_name") or "")
    return f"Job {job.runs[0].header['job_id']}" + (f" ({name})" if name else "")


def _verdict(verdict: dict[str, Any], several: bool, analysis: Analysis) -> str:
    site = analysis.site or {}
    text = fill(
        words()["verdicts"][verdict["value"]]["text"],
        several=several,
        slow_seconds=site.get("slow_threshold_seconds", 30),
        slow_share=site.get("slow_threshold_share", 0.05),
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
    """Of an advice: one that the log can't tell is left out by the analysis."""

    def __missing__(self, name: str) -> None:
        return None


def _values(run: Run) -> dict[str, Any]:
    return _values_of(run.told["features"])


def _values_of(features: dict[str, Any]) -> dict[str, Any]:
    return {name: feature["value"] for name, feature in features.items()}


def _complete(run: Run) -> bool:
    """Whether nothing is missing of what the run did, be it until it was killed."""
    return run.told["log_state"] in ("complete", "killed")


def _killed(run: Run) -> bool:
    return bool(run.told["log_state"] == "killed")


def _facts(run: Run, filesystem: str | None = None) -> dict[str, Any]:
    """What the words see of a run, or of one file system of it; text in it is printable."""
    told = run.told
    own = (part["features"] for part in told["filesystems"] if part["filesystem"] == filesystem)
    features = told["features"] | next(own, {})
    value = _values_of(features)
    moved = value["bytes_moved"] or 0
    ways = [way for way, name in (("read", "bytes_read"), ("write", "bytes_written"))
            if (value[name] or 0) > _NOTABLE_SHARE * moved]  # fmt: skip
    return {
        "f": value,
        "least": lambda name: "at least " if features[name]["evidence_class"] == "lower_bound" else "",
        # of an incomplete log the class says already that the number is of what was recorded
        "about": lambda name: _ABOUT.get(features[name]["evidence_class"], "") if _complete(run) else "",
        "most": lambda name: "at most " if features[name]["evidence_class"] == "upper_bound" else "",
        "way": " and ".join(ways) or "read and write",
        "told": told,
        "filesystem": shown(filesystem or ""),
        "cost": told["cost"],
        "complete": _complete(run),
        "mpi": "nonmpi" not in told["traits"],
    }


def _run_facts(run: Run) -> list[tuple[str, str]]:
    header, nodes = run.header, run.told["cost"]["nodes"]
    more = f" and {len(run.files) - 1:,} more" if len(run.files) > 1 else ""
    facts = [
        ("log", shown(str(run.file)) + more),
        ("command", shown(run.command)),
        ("job", f"{header['job_id']}, user id {header['uid']}"),
        ("processes", f"{header['nprocs']:,}" + (f" on {nodes:,} node{'s' * (nodes != 1)}" if nodes else "")),
        ("time", f"{_start(header)}, {_run_time(run)}"),
    ]
    return [fact for fact in facts if fact[1]]


def _job_facts(job: Job) -> list[tuple[str, str]]:
    headers = [run.header for run in job.runs]
    first = min(headers, key=lambda header: header["start_time"])
    end = max(header[key] for header in headers for key in ("start_time", "end_time"))
    ended = all(run.told["run_time_seconds"] is not None for run in job.runs)
    took = f"for {duration(max(0, (end - first['start_time']).total_seconds()))}"
    return [
        ("logs", f"{len(headers):,}"),
        ("user id", str(first["uid"])),
        ("time", f"{_start(first)}, {took if ended else 'did not come to its end'}"),
    ]


def _state(job: Job) -> list[tuple[str, str]]:
    """The scheduler's word for how the job ended, such as FAILED; none where no scheduler said."""
    state = (job.told or {}).get("job_state") or "UNKNOWN"
    return [] if state == "UNKNOWN" else [("job state", shown(state))]


def _part(run: Run, job: Job) -> RunPart:
    return RunPart(_short(run, job), _run_facts(run), _summary(run), plots(run), sections(run))


def _program(run: Run) -> str:
    return shown(run.header["exe"]) or "(no program name)"


def _run_time(run: Run) -> str:
    known: float | None = run.told["run_time_seconds"]
    if known is not None:
        return f"for {duration(known)}"
    return "did not come to its end" if _values(run)["mapped_processes"] is None else "was killed"


def _start(header: dict[str, Any]) -> str:
    start: datetime = header["start_time"]
    return start.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _summary(run: Run) -> str:
    told, names = run.told, words()["traits"]
    known = [trait for trait in told["traits"] if trait in names]
    return fill(
        words()["summary"]["run"],
        **_facts(run) | {"filesystem": shown(told["filesystem"] or "")},
        program=_program(run),
        interfaces=_and([names[trait] for trait in known if ":" not in trait]),
        sharing=next((names[trait] for trait in known if ":" in trait and told["nprocs"] > 1), ""),
    )


def _and(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def _cost(run: Run) -> str:
    known = run.told["cost"]["time_lost_seconds"] is not None and _complete(run)
    return fill(words()["summary"]["cost_lost" if known else "cost_unknown"], **_facts(run))


# --- several logs ----------------------------------------------------------------------------------------


def _most_io(runs: list[Run], most: int) -> list[Run]:
    """In the order that they have."""
    chosen = sorted(runs, key=lambda run: -(_values(run)["io_time_seconds"] or 0))[:most]
    return [run for run in runs if run in chosen]


def _short(run: Run, job: Job) -> str:
    """The log's name without what the names of all the job's logs begin with."""
    names = [each.file.name.removesuffix(".darshan") for each in job.runs]
    cut = len(common_start(names)) // 8 * 8
    return ("…" if cut else "") + shown(run.file.name.removesuffix(".darshan")[cut:])


def _row(run: Run) -> tuple[str, ...]:
    value = _values(run)
    return (
        "?" if run.told["run_time_seconds"] is None else duration(run.told["run_time_seconds"]),
        *("?" if value[name] is None else size(value[name]) for name in ("bytes_read", "bytes_written")),
        "?" if value["io_time_seconds"] is None else duration(value["io_time_seconds"]),
        ", ".join(finding["id"] for finding in run.told["findings"]) or "none",
    )


# --- findings --------------------------------------------------------------------------------------------


def _findings(job: Job) -> Iterator[Finding]:
    """Each rule once, as it held in the run where it weighs most; the gravest first.

    What a graver finding has said already (a gain, a change) is not said again.
    """
    held: dict[str, list[tuple[Run, dict[str, Any]]]] = {}
    for run in job.runs:
        for finding in run.told["findings"]:
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


def _weight(held: list[tuple[Run, dict[str, Any]]]) -> tuple[float, ...]:
    """Of a rule in the runs where it held, the gravest first: by severity, then loss, then I/O time."""
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
    facts = _facts(run, quoted.get("filesystem"))
    its_words = words()["findings"].get(finding["id"], {})
    others = [_facts(run, name) for name in quoted.get("other_filesystems", [])]
    numbers = [fill(its_words["evidence"], **each) for each in (facts, *others)] if its_words else []
    changes = [change for each in finding["advice"] if (change := _change(each, run, facts))]
    fresh = [change for change in changes if (change.advice, *change.code) not in said]
    fresh = fresh[:1] + [change for change in fresh[1:] if not change.code or change.code != fresh[0].code]
    if changes and not fresh:
        first = said[(changes[0].advice, *changes[0].code)]
        fresh = [Change(changes[0].advice, _sentence(fill(words()["summary"]["same_change"], id=first)), [])]
    said.setdefault((fresh[0].advice, *fresh[0].code) if fresh else None, finding["id"])
    gain = _gain(its_words, facts)
    if gain and said.setdefault((gain, where), finding["id"]) != finding["id"]:
        gain = _sentence(fill(words()["summary"]["same_gain"], id=said[gain, where]))
    return Finding(
        id=finding["id"],
        title=finding["title"],
        severity=finding["severity"],
        evidence=_sentence(" ".join(numbers) or _bare(quoted)),
        evidence_class=_evidence_class(run, finding),
        meaning=fill(its_words.get("meaning", ""), **facts),
        gain=gain,
        change=fresh[0] if fresh else None,
        others=fresh[1:],
        where=where,
    )


def _evidence_class(run: Run, finding: dict[str, Any]) -> str:
    bounded = finding["evidence_class"] == "bounded"
    key = "recorded" if bounded and not _complete(run) else finding["evidence_class"]
    said = words()["evidence_classes"]
    return str(said[key] + (said["killed"] if _killed(run) else ""))


def _gain(its_words: dict[str, str], facts: dict[str, Any]) -> str:
    if not facts["complete"]:
        return ""  # what is missing may have taken longer than all that is there
    return fill(its_words.get("gain", ""), **facts) or fill(words()["gain_unknown"], **facts)


def _bare(evidence: dict[str, Any]) -> str:
    """Of a rule that a site wrote itself, without words for it."""
    return ", ".join(f"{name} = {_bare_value(value)}" for name, value in evidence.items())


def _bare_value(value: Any) -> str:
    if isinstance(value, list):
        return " and ".join(map(_bare_value, value))
    return f"{value:g}" if isinstance(value, float) else shown(str(value))


def _headline(job: Job, findings: list[Finding]) -> str:
    if findings:
        more = len(findings) - _MOST_TITLES
        titles = [finding.title for finding in findings[:_MOST_TITLES]]
        return "; ".join([*titles, f"and {more} more"] if more > 0 else titles)
    judged = any(run.told["log_state"] != "unfinished" for run in job.runs)
    undecided = any(_undecided(run) for run in job.runs)
    killed = any(map(_killed, job.runs))
    return fill(words()["summary"]["headline"], judged=judged, undecided=undecided, killed=killed)


def _findings_note(job: Job, findings: list[Finding], verdict: str) -> str:
    said = words()["summary"]
    if not findings:
        undecided = any(_undecided(run) for run in job.runs)
        return fill(said["no_findings"], undecided=undecided, killed=any(map(_killed, job.runs)))
    if verdict == "not_slow":
        return fill(said["findings_not_slow"])
    lost = job.runs[0].told["cost"]["node_hours_lost"]
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
    used = files or [_file(file, run) for file in run.told["files"][:1] if file["name"]]
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


# --- what the log can't tell -----------------------------------------------------------------------------


def _limits(job: Job, analysis: Analysis) -> Iterator[str]:
    """Of the logs, each said once, then of what stood beside them."""
    logs: dict[str, int] = {}
    for run in job.runs:
        for text in _limits_of(run):
            logs[text] = logs.get(text, 0) + 1
    for text, some in logs.items():
        if some == len(job.runs):
            yield text
        else:
            yield fill(words()["limits"]["in_some"], some=some, all=len(job.runs), text=text)
    said, told = words()["limits"], [run.told for run in job.runs]
    if analysis.site is None:
        mounts = sorted({shown(part["filesystem"]) for each in told for part in each["filesystems"]})
        yield fill(said["no_site"], mounts=", ".join(mounts))
    if any(each["cost"]["nodes"] is None for each in told):
        joined = "no_nodes_of_job" if any(each["job_uid"] for each in told) else "no_job"
        yield fill(said[joined if analysis.inputs.sacct_file else "no_nodes"])
    if analysis.too_seldom:
        yield from (_sentence(shown(reason)) for reason in analysis.too_seldom)
    elif any(each["load"]["state"] == "no_samples" for each in told):
        yield fill(said["no_load"])


def _limits_of(run: Run) -> Iterator[str]:
    """Of one log."""
    told, value, said = run.told, _values(run), words()["limits"]
    if run.trailing:
        yield fill(said["trailing"], reason=run.trailing)
    if run.header["file_name"].endswith(".darshan_partial"):
        yield fill(said["partial_file"])
    mapped = value["mapped_processes"]
    if told["log_state"] in ("unfinished", "killed"):
        key = "killed" if _killed(run) else "unfinished" if mapped is None else "mapped"
        yield fill(said[key], processes=told["nprocs"], mapped=mapped)
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
    if "posix_unrecorded" in told["traits"]:
        yield fill(said["posix_unrecorded"], **_facts(run))
    elif value["io_time_seconds"] is None and _complete(run):
        yield fill(said["times"])
    if value["bytes_moved"] and told["busy"]["evidence_class"] != "exact":
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


def _undecided(run: Run) -> list[str]:
    """Rules that the log can't decide; what only lacks samples of the storage has a limit of its own."""
    no_load = run.told["load"]["state"] == "no_samples"
    return [
        rule for rule in run.told["unknowable"]
        if not (no_load and words()["findings"].get(rule, {}).get("needs") == "load")
    ]  # fmt: skip
