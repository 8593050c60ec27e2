"""A recorded center: Darshan logs, scheduler records and device samples of one site, in order of time."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any

import yaml

from weir import documents
from weir.errors import Refused, UserError
from weir.formats import devices, scheduler
from weir.formats.job_record import JOIN_PADDING_SECONDS
from weir.formats.reading import head
from weir.identity import job_uid
from weir.kafka import Publisher
from weir.logs import darshan_log, log_messages
from weir.logs.darshan_log import DarshanLog, Source
from weir.privacy import Privacy

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ROWS_OF = {"HEATMAP": "heatmap bins", "LUSTRE": "Lustre stripes"}  # of other modules: file records
Show = Callable[[float, float], None]


@dataclass(frozen=True, order=True)
class Event:
    """Something that happened at `second` (Unix, recorded).

    `counts` says how many rows of each kind must land because of it; `publish` takes a shift in seconds.
    """

    second: float
    kind: str
    counts: dict[str, int] = field(compare=False)
    publish: Callable[[Publisher, int], None] = field(compare=False)


@dataclass(frozen=True)
class Center:
    """Its site, all events in order of time, and what could not be read: (source, file, why)."""

    site: dict[str, Any]
    events: list[Event]
    refused: list[tuple[str, str, Refused]]

    @property
    def last_second(self) -> int:
        """The last second of the recording, rounded up."""
        return ceil(self.events[-1].second)


def load(folder: Path, progress: Show = lambda *_: None) -> Center:
    """Read the recording that `folder`/center.yaml lists: site, sacct, darshan, iostat.

    Files under sacct are of any format of scheduler records, those under iostat of device samples.

    `progress(done, whole)` is called with how many of its logs are decoded. UserError for a file that is
    listed and can't be opened, and where no event is left.
    """
    file = folder / "center.yaml"
    if not file.exists():
        raise UserError(f"{file}: not there. Give the folder of a recorded center.")
    listed = yaml.safe_load(file.read_text())
    site = documents.load_site(folder / listed["site"])
    cluster = site["cluster"]
    refused: list[tuple[str, str, Refused]] = []
    zone = documents.time_zone(site)
    newest: dict[str, dict[str, Any]] = {}  # of a job that is reported several times, as PBS does
    read_jobs = partial(scheduler.jobs, how=scheduler.How(zone, cluster=cluster))
    for name in listed["sacct"]:
        for job in _good(read_jobs, "sacct", folder, name, refused):
            newest[job["job_uid"]] = max(newest.get(job["job_uid"], job), job, key=_progress)
    jobs = list(newest.values())
    events = [event for job in jobs for event in _job_events(job)]
    for server, names in listed["iostat"].items():
        read_samples = partial(devices.samples, how=devices.How(zone), cluster=cluster, server=server)
        for name in names:
            samples = _good(read_samples, "iostat", folder, name, refused)
            events += [_sample_event(sample) for sample in samples]
    source = Source(cluster, "trusted_archive", Privacy.of(site))
    logs = decode_logs(folder, listed["darshan"], source, refused, progress)
    events += [_log_event(log) for log in logs]
    events += [_manifest_event(job, logs) for job in jobs]
    if not events:
        whys = "".join(f"\n{name}: {why.reason}" for _, name, why in refused)
        raise UserError(f"{file}: the recording holds no event.{whys}")
    return Center(site, sorted(events), refused)


def _progress(job: dict[str, Any]) -> tuple[int, int]:
    return job["state_rank"], job["version"]


def _good(
    read: Callable[[Path], Iterator[Any]], source: str, folder: Path, name: str, refused: list[Any]
) -> list[Any]:
    """What is readable of a listed file; the rest, or a file of no known format, is appended to `refused`."""
    file, good = folder / name, []
    try:
        for item in read(file):
            if isinstance(item, Refused):
                refused.append((source, name, item))
            else:
                good.append(item)
    except UserError as error:
        why = str(error).removeprefix(f"{file}: ")
        refused.append((source, name, Refused(why, "byte 0", head(file))))
    except OSError as error:
        raise UserError(
            f"{file}: {error.strerror}, but center.yaml lists it. Nothing is published."
        ) from None
    return good


def decode_logs(
    folder: Path, patterns: list[str], source: Source, refused: list[Any], progress: Show = lambda *_: None
) -> list[DarshanLog]:
    """The logs that match; what can't be read is appended to `refused` as (source, file, why)."""
    files = sorted({file for pattern in patterns for file in folder.glob(pattern)})

    logs = []
    for done, file in enumerate(files, start=1):
        name = str(file.relative_to(folder))
        try:
            log = darshan_log.decode(file, source)
        except Refused as why:
            refused.append(("darshan", name, why))
        else:
            logs.append(log)
            refused += [("darshan", name, why) for why in darshan_log.damage(log)]
        progress(done, len(files))
    return logs


def _job_events(job: dict[str, Any]) -> Iterator[Event]:
    """What sacct would have shown at submit, at start and at the end."""
    unknown = {"end_time": None, "exit_code": None, "exit_signal": None}
    submit, start, end = (
        job[key] and job[key] // 1_000_000 for key in ("submit_time", "start_time", "end_time")
    )
    pending = {"state": "PENDING", "state_rank": 1, "start_time": None, "nodes": None, "node_list": ""}
    yield _job_event(submit, 0, job | unknown | pending | {"version": submit})
    if start is not None and end is not None:
        yield _job_event(start, 0, job | unknown | {"state": "RUNNING", "state_rank": 2, "version": start})
    yield _job_event(end or start or submit, 1, job)


def _job_event(second: int, jobs: int, job: dict[str, Any]) -> Event:
    """A state of a job; only its last one counts, as the newest state replaces the earlier ones."""

    def publish(publisher: Publisher, shift: int) -> None:
        moved = job | {
            key: None if job[key] is None else job[key] + shift * 1_000_000
            for key in ("submit_time", "start_time", "end_time")
        }
        moved |= {"job_uid": _uid(job, shift), "version": job["version"] + shift, "origin": publisher.origin}
        publisher.send("weir.scheduler.job", _key(job), "SchedulerJob", moved)

    return Event(second, "job", {"jobs": jobs}, publish)


def _key(job: dict[str, Any]) -> str:
    return f"{job['cluster']}/{job['job_id']}"


def _uid(job: dict[str, Any], shift: int) -> str:
    return job_uid(job["cluster"], job["job_id"], job["array_index"], job["submit_time"] // 1_000_000 + shift)


def _sample_event(sample: dict[str, Any]) -> Event:
    def publish(publisher: Publisher, shift: int) -> None:
        moved = sample | {"time": sample["time"] + shift * 1_000_000, "origin": publisher.origin}
        publisher.send("weir.device.sample", f"{sample['cluster']}/{sample['server']}", "DeviceSample", moved)

    return Event(sample["time"] / 1e6, "sample", {"device samples": len(sample["device_ids"])}, publish)


def _log_event(log: DarshanLog) -> Event:
    def publish(publisher: Publisher, shift: int) -> None:
        log_messages.publish(publisher, log, shift, log.log_id)

    counts = Counter({"runs": 1})
    for batch in log.batches:
        counts[_ROWS_OF.get(batch["module"], "file records")] += batch["rows"]
    return Event(_end(log), "log", counts, publish)


def _end(log: DarshanLog) -> float:
    """Unix seconds; of a run that did not come to its end its start."""
    return max(seconds(log.header[key]) for key in ("start_time", "end_time"))


def seconds(time: datetime) -> float:
    """Unix seconds."""
    return (time - EPOCH).total_seconds()


def _manifest_event(job: dict[str, Any], logs: list[DarshanLog]) -> Event:
    """The look into the log directory after the job's end, when all its logs are there."""
    left = [log for log in logs if _left_by(log, job)]
    end = (job["end_time"] or job["submit_time"]) / 1e6
    second = ceil(max([end, *map(_end, left)]))

    def publish(publisher: Publisher, shift: int) -> None:
        manifest = {
            "cluster": job["cluster"],
            "job_id": job["job_id"],
            "job_uid": _uid(job, shift),
            "scan_time": (second + shift) * 1_000_000,
            "final": True,
            "log_ids": [log.log_id for log in left],
            "origin": publisher.origin,
        }
        publisher.send("weir.job.manifest", _key(job), "JobManifest", manifest)

    return Event(second, "manifest", {"manifests": 1}, publish)


def _left_by(log: DarshanLog, job: dict[str, Any]) -> bool:
    if log.header["job_id"] != job["job_id"] or job["start_time"] is None:
        return False
    start, end = job["start_time"] / 1e6, (job["end_time"] or float("inf")) / 1e6
    return start - JOIN_PADDING_SECONDS <= seconds(log.header["start_time"]) <= end + JOIN_PADDING_SECONDS
