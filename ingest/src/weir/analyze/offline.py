"""Logs judged offline by the same code as on the stream: the facts that `weir analyze` reports."""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from weir import wire
from weir.analyze import accounting, jvm
from weir.darshan import Log
from weir.errors import Refused, UserError
from weir.identity import job_uid
from weir.logs import darshan_log, dxt, mapped_logs
from weir.logs.darshan_log import Parts, Place
from weir.logs.operations import Operations
from weir.privacy import DEFAULT, Privacy
from weir.text import escape, unescape

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# as the analysis says it, which sees no samples that give no load
_NO_SAMPLES = "no storage samples of this time, or only ones longer than 1.5 load buckets"
_ROWS = 64
_MOST_BINS = 4096


class WrongNodes(UserError):
    """`--nodes` contradicts a log."""


@dataclass(frozen=True)
class Inputs:
    """What is looked at beside the logs; all of it may be absent."""

    site_file: Path | None = None
    sacct_file: Path | None = None
    iostat_files: dict[str, list[Path]] = field(default_factory=dict)
    """Files of device samples, by server."""
    nodes: int | None = None
    """The number of the job's nodes, where no scheduler record states it."""
    privacy: Privacy | None = None
    """What is shown of names and commands to who need not be allowed to read the logs; None shows all."""


@dataclass
class Heatmap:
    """Bytes by process and time, of the module that moved them; at most 64 rows of processes."""

    nprocs: int
    bin_seconds: float = 0.0
    cells: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    """Module -> rows x bins."""

    @property
    def processes_a_row(self) -> int:
        return max(1, -(-self.nprocs // _ROWS))

    def add(self, batch: dict[str, Any]) -> None:
        """Adds a LogBatch of HEATMAP. Each killed process has the width of bins that it had come to."""
        bins, read, written = np.frombuffer(batch["ints"], "<i8").reshape(3, -1)
        rows = np.clip(np.frombuffer(batch["ranks"], "<i8") // self.processes_a_row, 0, _ROWS - 1)
        names = [name.removeprefix("heatmap:") for name in batch["names"]]
        modules = np.array(names)
        widths = np.frombuffer(batch["floats"], "<f8")
        self._widen(float(widths.max(initial=self.bin_seconds)))
        with np.errstate(invalid="ignore", divide="ignore"):
            bins = (bins * (widths / self.bin_seconds)).astype(np.int64)
        for module in sorted(set(names)):
            own = (modules == module) & (bins >= 0) & (bins < _MOST_BINS)
            width = int(bins[own].max(initial=-1)) + 1
            cells = self.cells.get(module, np.zeros((-(-self.nprocs // self.processes_a_row), 0)))
            if width > cells.shape[1]:
                cells = np.pad(cells, ((0, 0), (0, width - cells.shape[1])))
            inside = own & (rows < len(cells))
            np.add.at(cells, (rows[inside], bins[inside]), (read + written)[inside].astype(float))
            self.cells[module] = cells

    def _widen(self, seconds: float) -> None:
        """Adds up what lies within one bin of the new width."""
        if self.bin_seconds and seconds > self.bin_seconds:
            for module, cells in self.cells.items():
                bins = (np.arange(cells.shape[1]) * (self.bin_seconds / seconds)).astype(np.int64)
                wider = np.zeros((len(cells), int(bins.max(initial=-1)) + 1))
                np.add.at(wider.T, bins, cells.T)
                self.cells[module] = wider
        self.bin_seconds = seconds


@dataclass
class Run:
    """One log: its own parts, and what the analysis says of it (its JSON object of kind `run`)."""

    files: list[Path]
    """One; of a run that was killed the memory-mapped logs of its processes."""
    log_id: str
    header: dict[str, Any]
    heatmap: Heatmap
    operations: Operations = field(default_factory=Operations)
    traces: dict[str, dxt.Trace] = field(default_factory=dict)
    """The traces by DXT module."""
    end: dict[str, Any] = field(default_factory=dict)
    command: str = ""
    """The command as far as Darshan kept it; what is published has no more of it than the site allows."""
    trailing: str | None = None
    """What follows the log in its file."""
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def file(self) -> Path:
        """The first of its files."""
        return self.files[0]


@dataclass
class AnalyzedJob:
    """The runs of one job, in the order of the files; `facts` if it has several or a scheduler's record."""

    runs: list[Run]
    facts: dict[str, Any] | None = None


@dataclass
class Analysis:
    """All that was asked for; `inputs` say what could be known."""

    inputs: Inputs
    site: dict[str, Any] | None
    """Content of the site file."""
    jobs: list[AnalyzedJob] = field(default_factory=list)
    refused: list[tuple[Path, str]] = field(default_factory=list)
    """(file, reason): logs, files of accounting and of iostat, and single records of these."""
    too_seldom: list[str] = field(default_factory=list)
    """Why device samples give no load, or not of all of the time: they come seldomer than the site says."""

    @property
    def runs(self) -> list[Run]:
        """The runs of all jobs."""
        return [run for job in self.jobs for run in job.runs]

    @property
    def damaged(self) -> bool:
        """Whether a module of a log could not be read to its end, or something follows a log."""
        return any(
            run.trailing or any(module["state"] in ("damaged", "suspect") for module in run.end["modules"])
            for run in self.runs
        )


def analyze(
    files: list[Path],
    inputs: Inputs,
    program: jvm.Program | None = None,
    meanwhile: Callable[[], object] = lambda: None,
) -> Analysis:
    """Reads and judges `files`; UserError where nothing can be judged at all, a site file that is wrong.

    `program` is the analysis, where it has been started already; it is ended in any case. `meanwhile` is
    called while it judges.
    """
    try:
        return _analyze(files, inputs, program, meanwhile)
    finally:
        if program:
            program.stop()


def _analyze(
    files: list[Path], inputs: Inputs, program: jvm.Program | None, meanwhile: Callable[[], object]
) -> Analysis:
    site = _site(inputs.site_file)
    found = Analysis(inputs, site)
    _check_servers(inputs, site)
    scheduled = _scheduled(found)
    cluster = _cluster(site, scheduled)
    runs: dict[str, Run] = {}
    messages = _messages(files, cluster, scheduled, found, runs)
    first = next(messages, None)
    if not runs or first is None:
        return found  # no log could be read: nothing that takes Java
    program = program or jvm.judging(inputs.site_file)
    output = program.run(chain([first], messages), meanwhile)[1]
    lines = [json.loads(line) for line in output.splitlines()]
    by_job: dict[str, AnalyzedJob] = {}
    for facts in lines:
        if facts["kind"] == "run":
            run = runs[facts["log_id"]]
            run.facts = _with_reason(facts, found.too_seldom)
            key = facts["job_uid"] or f"{facts['cluster']}/{facts['job_id']}"
            by_job.setdefault(key, AnalyzedJob([])).runs.append(run)
        else:
            by_job[facts["job"]].facts = facts
    found.jobs = list(by_job.values())
    return found


def _with_reason(facts: dict[str, Any], too_seldom: list[str]) -> dict[str, Any]:
    """What is said of a run, with the reason for which samples that there are gave it no load."""
    verdict, reason = facts["verdict"], "; ".join(too_seldom)
    return facts | {
        "verdict": verdict | {"reason": verdict["reason"].replace(_NO_SAMPLES, reason or _NO_SAMPLES)}
    }


def as_objects(files: list[Path], found: Analysis) -> Iterator[dict[str, Any]]:
    """Gives the objects of `weir analyze --json`: one a run or refused file, in the order of the files."""
    runs = {run.file: run for run in found.runs}
    refused = dict(found.refused)
    jobs = {run.file: _job_object(job) for job in found.jobs for run in job.runs}
    for file in files:
        if run := runs.get(file):
            said = {name: value for name, value in run.facts.items() if name != "kind"}
            merged = {"files": [str(each) for each in run.files]} if len(run.files) > 1 else {}
            trailing = {"trailing": run.trailing} if run.trailing else {}
            yield said | {"file": str(file), "job": jobs.get(file)} | merged | trailing
        elif file in refused:
            yield {"file": str(file), "error": refused[file]}


def _job_object(job: AnalyzedJob) -> dict[str, Any] | None:
    """Returns what is said of the whole job, traits too; None for one log without a scheduler's record."""
    if job.facts is None:
        return None
    return {name: value for name, value in job.facts.items() if name not in ("kind", "job")}


def _messages(
    files: list[Path],
    cluster: str,
    scheduled: list[dict[str, Any]],
    found: Analysis,
    runs: dict[str, Run],
) -> Iterator[bytes]:
    """What the analysis reads, each with its length before it; `runs` and `found.refused` are filled."""
    # a link is followed, since the user named it
    paths = {Place.of(file.resolve()): file for file in reversed(files)}
    alone, sets = mapped_logs.grouped(Place.of(file.resolve()) for file in files)
    source = darshan_log.Source(cluster, "trusted_archive", found.inputs.privacy or DEFAULT)
    for place in alone:
        yield from _run([paths[place]], partial(darshan_log.stream, place, source), found, runs)
    for each in sets:
        members = [paths[place] for place in each.members]
        yield from _run(members, partial(mapped_logs.stream, each, source), found, runs)
    if runs and found.inputs.nodes:
        _check_nodes(found.inputs.nodes, _by_job_id(runs.values()))
        scheduled = [_told_by_user(each, found.inputs.nodes) for each in _by_job_id(runs.values())]
    headers: dict[int, list[dict[str, Any]]] = {}
    unowned: list[tuple[str, str]] = []
    for run in runs.values():
        headers.setdefault(run.header["job_id"], []).append(run.header)
    for job in scheduled:
        if own := headers.get(job["job_id"]):
            if missing := accounting.without_owner(job, own):
                unowned.append((job["job_display_id"], missing))
            yield jvm.framed(wire.encode("SchedulerJob", accounting.completed(job, own)))
    if found.inputs.sacct_file:
        found.refused += [(found.inputs.sacct_file, line) for line in accounting.each_once(unowned)]
    if found.site and found.inputs.site_file and found.inputs.iostat_files:
        from weir.analyze import sampling

        samples = _samples(cluster, found)
        for server, problem in sampling.too_seldom(samples, found.site, found.inputs.site_file).items():
            found.refused.append((found.inputs.iostat_files[server][0], problem))
            found.too_seldom.append(problem)
        for sample in chain.from_iterable(samples.values()):
            yield jvm.framed(wire.encode("DeviceSample", sample | {"origin": "backfill"}))


def _run(
    files: list[Path], read: Callable[[], Parts], found: Analysis, runs: dict[str, Run]
) -> Iterator[bytes]:
    """Messages of a run, of which nothing is held; what is refused of it is kept file by file."""
    try:
        parts = read()
        _check_new(parts, runs.values())
    except Refused as error:
        found.refused += [(file, error.reason) for file in files]
        return
    left_out = {refused.position: refused.reason for refused in parts.left_out}
    merged = []
    for file in files:
        if why := left_out.get(escape(os.fsencode(file.resolve().name))):
            found.refused.append((file, why))
        else:
            merged.append(file)
    run = Run(merged, parts.log_id, parts.header, Heatmap(parts.header["nprocs"]))
    run.command = parts.command if found.inputs.privacy is None else _kept_command(parts.header)
    runs[parts.log_id] = run
    try:
        yield from map(jvm.framed, _log(run, parts, found.inputs.privacy))
    except Refused as error:
        raise UserError(f"{error.reason}. Run weir analyze again when nothing writes there.") from None


def _kept_command(header: dict[str, Any]) -> str:
    return str(header["metadata"].get("command_line", header["exe"]))


def _check_new(parts: Parts, runs: Iterable[Run]) -> None:
    """Raises Refused if it is of a run that is there already."""
    for run in runs:
        if run.log_id == parts.log_id:
            raise Refused(f"the same log as {run.file}")
        if mapped_logs.is_of(parts.header, run.header):
            raise Refused(f"of a run that came to its end: {run.file} is its log")


def _log(run: Run, parts: Parts, privacy: Privacy | None) -> Iterator[bytes]:
    """Messages of a log, read once."""

    def message(kind: str, body: dict[str, Any]) -> bytes:
        typed = body | {"-type": f"org.weir.wire.{kind}"}
        part = {"log_id": parts.log_id, "origin": "backfill", "body": typed}
        return wire.encode("DarshanLogMessage", part)

    yield message("LogHeader", parts.header)
    for batch in parts.batches:
        if batch["module"] == "HEATMAP":
            run.heatmap.add(batch)
        run.operations.add(batch)
        yield message("LogBatch", batch)
    run.end = parts.end
    run.trailing = parts.trailing.reason if parts.trailing else None
    if any(module["name"] == "HEATMAP" and module["state"] == "suspect" for module in run.end["modules"]):
        run.heatmap.cells.clear()
    yield message("LogEnd", parts.end)
    if parts.log:
        _add_traces(run, parts.log, privacy)
    run.operations.settle({module["name"]: module["state"] for module in run.end["modules"]})


def _add_traces(run: Run, log: Log, privacy: Privacy | None) -> None:
    """Adds what DXT traced, which is not published; what damage makes doubtful is not used."""
    found = dxt.read(log)
    for name, trace in found.items():
        if privacy and trace.longest:
            (shown,) = privacy.names(name, [unescape(trace.longest.name)])
            trace.longest = replace(trace.longest, name=escape(shown or b""))
    ends = {
        module.name: darshan_log.module_end(log, module, log.state(module.name))
        for module in log.modules
        if module.name in found
    }
    run.traces = {name: trace for name, trace in found.items() if ends[name]["state"] != "suspect"}
    run.end |= {"modules": [ends.get(each["name"], each) for each in run.end["modules"]]}


# --- what stands beside the logs -------------------------------------------------------------------------


def _check_servers(inputs: Inputs, site: dict[str, Any] | None) -> None:
    if inputs.iostat_files and site is None:
        raise UserError("--iostat needs --site: it tells which devices a file system lies on.")
    known = [server["name"] for server in site.get("servers", [])] if site else []
    for server in inputs.iostat_files:
        if server not in known:
            raise UserError(
                f"--iostat {server}: {inputs.site_file} has {', '.join(known) or 'none'} under servers. "
                "Add it there with its sample_interval_seconds, and its devices to a file system."
            )


def _cluster(site: dict[str, Any] | None, scheduled: list[dict[str, Any]]) -> str:
    if site:
        return str(site["cluster"])
    return str(scheduled[0]["cluster"]) if scheduled else accounting.UNNAMED_CLUSTER


def _site(file: Path | None) -> dict[str, Any] | None:
    if file is None:
        return None
    from weir import documents  # with JSON Schema, which takes as long as all else

    return documents.load_site(file)


def _scheduled(found: Analysis) -> list[dict[str, Any]]:
    """SchedulerJob records of the cluster that the logs are of."""
    file, site = found.inputs.sacct_file, found.site
    if file is None:
        return []
    jobs, problems = accounting.read(file, _zone(site), str(site["cluster"]) if site else None)
    found.refused += [(file, problem) for problem in problems]
    clusters = {str(job["cluster"]) for job in jobs}
    if len(clusters) > 1 and site is None:
        names = ", ".join(sorted(clusters))
        raise UserError(f"{file}: jobs of {names}. Give --site to say which cluster the logs are of.")
    if jobs and site and site["cluster"] not in clusters:
        names = ", ".join(sorted(clusters))
        found.refused.append((file, f"jobs of {names}, but the site file is of {site['cluster']}"))
    return jobs


def _check_nodes(nodes: int, jobs: Iterable[list[Run]]) -> None:
    """A node without a process of the job is none of its nodes."""
    for runs in jobs:
        processes = sum(run.header["nprocs"] for run in runs)
        if nodes > processes:
            raise WrongNodes(
                f"job {runs[0].header['job_id']} ran with {processes:,} process{'es' * (processes != 1)}, "
                f"so on at most {processes:,} node{'s' * (processes != 1)}, not on {nodes:,}"
            )


def _zone(site: dict[str, Any] | None) -> tzinfo:
    return ZoneInfo(site["time_zone"]) if site else _local_zone()


def _local_zone() -> tzinfo:
    return datetime.now().astimezone().tzinfo or UTC


def _samples(cluster: str, found: Analysis) -> dict[str, list[dict[str, Any]]]:
    from weir.formats import devices
    from weir.formats.device_record import COLUMNS

    samples: dict[str, list[dict[str, Any]]] = {}
    how = devices.How(_zone(found.site))
    for server, files in found.inputs.iostat_files.items():
        for file in files:
            try:
                for sample in devices.samples(file, how, cluster, server):
                    if isinstance(sample, Refused):
                        found.refused.append((file, f"{sample.position}: {sample.reason}"))
                    elif missing := [column for column in COLUMNS if column not in sample["columns"]]:
                        found.refused.append((file, f"{', '.join(missing)} not in it; run iostat with -x"))
                        break
                    elif sample["device_ids"]:  # else iostat -z, and none of them did anything
                        samples.setdefault(server, []).append(sample)
            except OSError as error:
                found.refused.append((file, str(error.strerror)))
            except UserError as error:
                found.refused.append((file, str(error).removeprefix(f"{file}: ")))
    return samples


def _by_job_id(runs: Iterable[Run]) -> Iterator[list[Run]]:
    groups: dict[tuple[int, int], list[Run]] = {}
    for run in runs:
        groups.setdefault((run.header["job_id"], run.header["uid"]), []).append(run)
    yield from groups.values()


def _told_by_user(runs: list[Run], nodes: int) -> dict[str, Any]:
    """The scheduler's part where the user says the number of nodes: nothing but that is known of the job."""
    first = runs[0].header
    start = min(_micros(run.header["start_time"]) for run in runs)
    return {
        "cluster": first["cluster"],
        "job_id": first["job_id"],
        "job_uid": job_uid(first["cluster"], first["job_id"], None, start // 1_000_000),
        "job_display_id": str(first["job_id"]),
        "array_id": None,
        "array_index": None,
        "user": None,
        "uid": first["uid"],
        "account": None,
        "partition": None,
        "qos": None,
        "job_name": "",
        "state": "UNKNOWN",
        "state_rank": 0,
        "exit_code": None,
        "exit_signal": None,
        "submit_time": start,
        "start_time": start,
        "end_time": max(_micros(run.header[key]) for run in runs for key in ("start_time", "end_time")),
        "nodes": nodes,
        "cpus": None,
        "node_list": "",
        "time_limit_seconds": None,
        "version": 0,
        "origin": "backfill",
    }


def _micros(when: datetime) -> int:
    return int((when - _EPOCH).total_seconds() * 1e6)
