"""Repair of what came after the stream had forgotten the rest: publishes stored records again.

The stream keeps what is known around a job id for the longest wall time and a week. A log that comes
later finds no scheduler's record; that is in ClickHouse, and so is the last look for logs. What the
job's other logs said is not: without them its result would be of less than it was.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from weir.formats.job_record import JOIN_PADDING_SECONDS
from weir.kafka import Publisher

if TYPE_CHECKING:
    from clickhouse_connect.driver.client import Client

# as the analysis joins (LogJobJoin): the same cluster, job id and user, and a log that starts near the job
UNJOINED = """
SELECT DISTINCT r.cluster AS cluster, r.job_id AS job_id, r.log_id AS log_id, r.file_name AS file_name,
    r.start_time AS start_time, r.landed_at AS landed_at
FROM runs AS r
INNER JOIN scheduler_jobs AS j ON j.cluster = r.cluster AND j.job_id = r.job_id
WHERE r.job_join IN ('waiting', 'not_joinable') AND r.start_time >= {since:DateTime64(6, 'UTC')}
    AND j.uid = r.uid AND j.start_time <= r.start_time + toIntervalSecond({padding:UInt32})
    AND (j.end_time IS NULL OR j.end_time >= r.start_time - toIntervalSecond({padding:UInt32}))
ORDER BY cluster, start_time, log_id
"""
# known for sure is what was published or written in the last week, whatever the longest wall time is
FORGOTTEN = """
SELECT cluster, job_id, log_id, file_name, start_time, landed_at FROM runs
WHERE cluster = {cluster:String} AND job_id IN {job_ids:Array(Int64)}
    AND landed_at < now64(6) - INTERVAL 7 DAY AND log_id NOT IN (
        SELECT log_id FROM log_modules
        WHERE cluster = {cluster:String} AND landed_at >= now64(6) - INTERVAL 7 DAY AND log_id IN (
            SELECT log_id FROM runs WHERE cluster = {cluster:String} AND job_id IN {job_ids:Array(Int64)}))
ORDER BY job_id, start_time, log_id
"""
SUBMITS = """
SELECT * EXCEPT (version, is_deleted, landed_at), bitAnd(version, 4294967295) AS version
FROM scheduler_jobs_versions FINAL
WHERE cluster = {cluster:String} AND job_id IN {job_ids:Array(Int64)}
"""
LOOKS = """
SELECT * EXCEPT landed_at FROM job_manifests
WHERE cluster = {cluster:String} AND job_id IN {job_ids:Array(Int64)}
"""
TIMES = ("submit_time", "start_time", "end_time", "scan_time")


@dataclass(frozen=True)
class StoredRun:
    """A run as ClickHouse has it; times in UTC."""

    cluster: str
    job_id: int
    log_id: str
    file_name: str
    start_time: datetime
    landed_at: datetime

    @property
    def job(self) -> tuple[str, int]:
        """Cluster and job id: what the stream remembers things by."""
        return self.cluster, self.job_id


def unjoined(client: "Client", since: datetime) -> list[StoredRun]:
    """Runs since then (UTC) without a job although a stored scheduler's record fits; by cluster, start."""
    asked = {"since": since, "padding": JOIN_PADDING_SECONDS}
    return [StoredRun(**row) for row in client.query(UNJOINED, parameters=asked).named_results()]


def forgotten(client: "Client", runs: list[StoredRun]) -> list[StoredRun]:
    """All runs of the same job ids, these among them, that the stream may not know any more.

    Their logs have to be published again first: a result that is judged without them says less than it did.
    """
    return [
        StoredRun(**row)
        for asked in _asked(runs)
        for row in client.query(FORGOTTEN, parameters=asked).named_results()
    ]


def publish(client: "Client", publisher: Publisher, runs: list[StoredRun]) -> None:
    """Send the scheduler's records and the last looks of their job ids once more, as they were."""
    for asked in _asked(runs):
        cluster = asked["cluster"]
        for row in client.query(SUBMITS, parameters=asked).named_results():
            publisher.send("weir.scheduler.job", f"{cluster}/{row['job_id']}", "SchedulerJob", _message(row))
        for row in client.query(LOOKS, parameters=asked).named_results():
            look = _message(row) | {"final": bool(row["final"])}
            publisher.send("weir.job.manifest", f"{cluster}/{row['job_id']}", "JobManifest", look)
    publisher.flush()


def _asked(runs: list[StoredRun]) -> Iterator[dict[str, Any]]:
    """A cluster and its job ids, cluster by cluster."""
    for cluster in sorted({run.cluster for run in runs}):
        yield {"cluster": cluster, "job_ids": sorted({run.job_id for run in runs if run.cluster == cluster})}


def _message(row: dict[str, Any]) -> dict[str, Any]:
    return row | {name: _micros(row[name]) for name in TIMES if row.get(name) is not None}


def _micros(time: datetime) -> int:
    return round(time.replace(tzinfo=UTC).timestamp() * 1_000_000)
