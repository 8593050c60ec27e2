"""Makes the report of runs that have landed, from their logs where Darshan left them.

Who asks for it may not be allowed to read the logs, and who writes there may put others in their place. So a
log is known by its id, a hash of its bytes, no link is followed, and names and commands are shown as the site
lets them leave. The verdict is that of the tables, which know what else was going on.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from weir import documents, identity
from weir.analyze import offline
from weir.errors import Refused, UserError
from weir.logs import darshan_log, mapped_logs
from weir.logs.darshan_log import Place
from weir.logs.mapped_logs import MappedSet
from weir.privacy import Privacy
from weir.report import render, view
from weir.report.words import fill, words
from weir.shipping import directories
from weir.shipping.directories import LogDirectory, Span
from weir.text import escape, unescape

if TYPE_CHECKING:
    from clickhouse_connect.driver.client import Client

_LANDED = """
SELECT
    log_id, file_name, toUnixTimestamp64Micro(start_time) AS start, job_id, job_uid, run_nodes,
    verdict, verdict_reason, load_state
FROM runs
WHERE start_time IN
    (
        SELECT time FROM times_of_ids
        WHERE kind = 'log' AND id IN (SELECT sipHash64(arrayJoin(splitByChar(',', {ids:String}))))
    )
    AND has(splitByChar(',', {ids:String}), log_id) AND cluster = {cluster:String}
ORDER BY start, log_id
"""
_OF_KILLED = re.compile(rb"id\d+_mmap-log-\d+\.darshan")
"""The name of the set of logs that the processes of a killed run left; no file has it."""
_OF_JOB = """
SELECT verdict, verdict_reason
FROM job_results
WHERE submit_time IN (SELECT time FROM times_of_ids WHERE kind = 'job' AND id = sipHash64({job:String}))
    AND job_uid = {job:String} AND cluster = {cluster:String}
"""
_MOST_BYTES = 4 << 30
"""Of the logs of a page together."""


@dataclass(frozen=True)
class Verdict:
    """Says whether the program or the storage made a run or job slow, and why."""

    value: str
    reason: str


@dataclass(frozen=True)
class Landed:
    """Holds what the tables know of a run: where its log may be, and what was said of it."""

    log_id: str
    name: bytes
    start: float
    """Unix seconds."""
    job_id: int
    nodes: int | None
    """Compute nodes that it ran on."""
    verdict: Verdict
    load_state: str
    of_job: Verdict | None
    """The verdict of its job; None where it has none, or none yet."""


def known(client: "Client", log_ids: list[str], cluster: str) -> list[Landed]:
    """Looks runs of a cluster up by the ids of their logs; UserError names those that have not landed."""
    jobs: dict[str | None, Verdict | None] = {None: None}
    found = []
    asked = {"ids": ",".join(log_ids), "cluster": cluster}
    for row in client.query(_LANDED, parameters=asked).named_results():
        job = row["job_uid"]
        if job not in jobs:
            said = client.query(_OF_JOB, parameters={"job": job, "cluster": cluster}).result_rows
            jobs[job] = Verdict(*said[0]) if said else None
        found.append(
            Landed(
                log_id=row["log_id"],
                name=unescape(row["file_name"]),
                start=int(row["start"]) / 1e6,
                job_id=int(row["job_id"]),
                nodes=row["run_nodes"],
                verdict=Verdict(row["verdict"], row["verdict_reason"]),
                load_state=row["load_state"],
                of_job=jobs[job],
            )
        )
    if missing := set(log_ids) - {run.log_id for run in found}:
        raise UserError(f"No run of {cluster} has landed of the log {', '.join(sorted(missing))}.")
    return found


def page(runs: list[Landed], site: dict[str, Any], site_file: Path) -> str:
    """Makes one HTML page with a report a job; UserError names a log that is not there any more."""
    roots = directories.of_site(site, documents.time_zone(site), site_file.parent)
    one_job = len({run.job_id for run in runs}) == 1
    nodes = max((run.nodes or 0 for run in runs), default=0) if one_job else 0
    inputs = offline.Inputs(site_file, nodes=nodes or None, privacy=Privacy.of(site))
    with TemporaryDirectory(prefix="weir-report-") as folder:
        copies = _Copies(Path(folder))
        logs = [log for run in runs for log in _copied(run, roots, copies)]
        found = offline.analyze(logs, inputs)
    if missing := {run.log_id for run in runs} - {run.log_id for run in found.runs}:
        reasons = "; ".join(reason for _, reason in found.refused)
        raise UserError(f"The log {', '.join(sorted(missing))} cannot be read: {reasons}")
    _say_what_landed(found, {run.log_id: run for run in runs})
    judged = len(runs) == 1 or all(run.of_job for run in runs)
    note = fill(words()["limits"]["landed"], judged=judged)
    reports = [replace(report, limits=[note, *report.limits]) for report in view.reports(found)]
    return render.page(reports, [(view.shown(file.name), why) for file, why in found.refused])


def _say_what_landed(found: offline.Analysis, runs: dict[str, Landed]) -> None:
    """Puts what the tables say in place of what the logs alone let say."""
    for job in found.jobs:
        for run in job.runs:
            landed = runs[run.log_id]
            run.files = [Path(file.name) for file in run.files]
            run.facts["verdict"] |= asdict(landed.verdict)
            run.facts["load"] |= {"state": landed.load_state}
            # Weir decided them, with the load that the log alone lacks
            run.facts["unknowable"] = [rule for rule in run.facts["unknowable"] if not view.needs_load(rule)]
        of_job = runs[job.runs[0].log_id].of_job
        if job.facts and of_job:
            job.facts["verdict"] |= asdict(of_job)


@dataclass
class _Copies:
    """Holds copies of logs in a folder of a moment, up to _MOST_BYTES: who may write logs may leave many."""

    folder: Path
    size: int = 0
    """Bytes."""
    """Bytes."""

    def add(self, run: Landed, name: bytes, content: bytes) -> Path:
        """Keeps a file of a run's log; UserError where there are too many bytes."""
        self.size += len(content)
        if self.size > _MOST_BYTES:
            raise UserError(
                f"{view.shown(escape(run.name))}: the logs have more than {_MOST_BYTES >> 30} GiB together. "
                "Make the report of some of them: weir analyze FILES --html FILE."
            )
        file = self.folder / run.log_id / os.fsdecode(name)
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(content)
        return file


def _copied(run: Landed, roots: list[LogDirectory], copies: _Copies) -> list[Path]:
    """Copies the run's log; of one that was killed the logs of its processes."""
    for root, folder in _folders(run, roots):
        try:
            if files := list(_copy(run, root, root.place(folder, run.name), copies)):
                return files
        except (Refused, OSError, ValueError):  # not there, not to be read, or its name cannot be one
            continue
    looked = ", ".join(os.fsdecode(root.root) for root in roots)
    raise UserError(f"{view.shown(escape(run.name))}: the log is not in {looked} any more, or was changed.")


def _folders(run: Landed, roots: list[LogDirectory]) -> Iterator[tuple[LogDirectory, tuple[bytes, ...]]]:
    """Where it may be; a folder of a job need not have the job's number as its name."""
    span = Span(run.start, run.start).padded()
    for root in roots if b"/" not in run.name else ():
        try:
            folders = dict.fromkeys(chain(root.folders_of(run.job_id, span), root.folders(span)))
        except OSError:  # one that may not be listed hides no other
            continue
        yield from ((root, folder) for folder in folders)


def _copy(run: Landed, root: LogDirectory, place: Place, copies: _Copies) -> Iterator[Path]:
    """Copies the files of the run at this place; none where what is there is another one's.

    Refused or OSError where there is nothing that can be read.
    """
    if not _OF_KILLED.fullmatch(run.name):
        content, _ = darshan_log.content_of(place, root.source)
        if identity.log_id(content) == run.log_id:
            yield copies.add(run, place.name, content)
        return
    members = tuple(place.beside(name) for name in root.logs(place.folders) if _set_of(name) == run.name)
    merged = mapped_logs.stream(MappedSet(place, members), root.source) if members else None
    if merged and merged.log_id == run.log_id:
        left_out = {refused.position for refused in merged.left_out}
        for each in members:
            if escape(each.name) not in left_out:
                yield copies.add(run, each.name, darshan_log.content_of(each, root.source)[0])


def _set_of(name: bytes) -> bytes | None:
    mapped = mapped_logs.name_of(name)
    return mapped.of_set if mapped else None
