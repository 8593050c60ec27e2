"""What the views of ClickHouse say of a simulated center, beside its ledger."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from tenacity import Retrying, retry_if_not_result, stop_after_delay, wait_fixed
from weir import documents
from weir.kafka import Publisher
from weir_embedded import status

from sim.center import UNTOLD, Center
from sim.publish import Sent, publish
from sim.schedule import Schedule

# how a row came here, not what it says
PASSAGE = {"landed_at", "origin"}
MEASUREMENTS = {"landings", "producer_ledger", "migrations", "dead_letters"}


LEVELS = ("filesystem", "server", "device")


GROUPS = ("weir-storage-analysis", "weir-job-analysis")

_patiently = Retrying(
    retry=retry_if_not_result(bool),
    wait=wait_fixed(1),
    stop=stop_after_delay(600),
    retry_error_callback=lambda _: None,
)


def _read_to_the_end(stack, groups: Iterable[str]) -> bool:
    return all(status.consumer_lag(stack, group) == 0 for group in groups)


def send(center: Center, schedule: Schedule, stack) -> Sent:
    """Put its site in force and publish its messages; every one is acknowledged."""
    documents.publish(stack.kafka_bootstrap, "weir.site", center.cluster, center.site)
    # offsets are committed when a checkpoint is complete: then every operator knows the site
    _patiently(lambda: _read_to_the_end(stack, (f"{group}-control" for group in GROUPS)))
    with Publisher(stack.kafka_bootstrap, center.origin) as publisher:
        sent = publish(schedule.sendings(center.messages()), publisher)
    assert sent.acknowledged.total() == sent.messages.total()
    return sent


def await_rest(center: Center, stack, sql, drained) -> None:
    """Until all has landed and says what the ledger says; after ten minutes it is left as it is."""
    _patiently(lambda: _read_to_the_end(stack, GROUPS))
    drained()
    truth = center.truth()
    _patiently(
        lambda: (
            not differences(truth.jobs, jobs(sql, center.cluster))
            and not differences(truth.runs, runs(sql, center.cluster))
            and all(_hours_are_whole(sql, center.cluster, level) for level in LEVELS)
        )
    )
    drained()


def _hours_are_whole(sql, cluster: str, level: str) -> bool:
    """The hourly rows hold the bytes of all buckets."""
    sums = [
        sql.one(f"SELECT sum(bytes_read) FROM {table} WHERE cluster = {{c:String}}", c=cluster)
        for table in (f"{level}_load", f"{level}_load_hourly")
    ]
    return sums[0] == sums[1]


def runs(sql, cluster: str) -> dict[str, dict[str, Any]]:
    """Log id -> columns of the view."""
    rows = sql.rows("SELECT * FROM runs WHERE cluster = {c:String}", c=cluster)
    for row in rows:
        row["findings"] = frozenset(row["findings"])
        if row["io_time_seconds"] is not None:
            row["io_time_seconds"] = round(row["io_time_seconds"], 6)
    return {row["log_id"]: row for row in rows}


def jobs(sql, cluster: str) -> dict[str, dict[str, Any]]:
    """job_uid -> columns of the view."""
    rows = sql.rows("SELECT * FROM job_results WHERE cluster = {c:String}", c=cluster)
    return {row["job_uid"]: row | {"findings": frozenset(row["findings"])} for row in rows}


def differences(truths: dict[str, Any], found: dict[str, dict[str, Any]]) -> list[str]:
    """In words: what is missing, what is not expected, and each field that says something else."""
    told = [f"missing: {truths[key]}" for key in truths.keys() - found.keys()]
    told += [f"not expected: {found[key]}" for key in found.keys() - truths.keys()]
    for key in sorted(truths.keys() & found.keys()):
        truth, row = asdict(truths[key]), found[key]
        for field, expected in truth.items():
            got = row.get(field, UNTOLD)
            if field == "job_join_reason" and expected:
                got = got[: len(expected)]
            if UNTOLD not in (got, expected) and got != expected:
                told.append(f"{truth['situation']}: {field} is {got}, not {expected}: {truth}")
    return told


def filesystem_load(sql, cluster: str) -> dict[tuple[str, int], tuple[float, ...]]:
    """(file system, bucket start) -> bytes read and written, servers that reported, largest util."""
    rows = sql.rows(
        "SELECT filesystem, toUnixTimestamp(bucket_start) AS start, * FROM filesystem_load "
        "WHERE cluster = {c:String}",
        c=cluster,
    )
    measures = ("bytes_read", "bytes_written", "servers_reported", "util_max")
    return {(row["filesystem"], row["start"]): tuple(row[m] for m in measures) for row in rows}


def checksums(sql, center: Center) -> dict[str, tuple[int, int]]:
    """View -> (rows, checksum) of its cluster, the same for the same center under another name.

    Identities that depend on the cluster's name are replaced by numbers that do not.
    """
    seen = (log for job in center.plan.jobs for look in job.looks for log in look.logs)
    log_ids = {log.log_id(center.cluster): str(log.number) for log in (*center.plan.logs, *seen)}
    job_uids = {
        submit.uid(center.cluster): f"{submit.job_id}/{submit.array_index}/{submit.submit}"
        for submit in center.plan.submits
    }
    log = f"{_array(log_ids)}, {_array(log_ids.values())}"
    neutral = {
        "log_id": f"transform(log_id, {log})",
        "log_ids": f"arrayMap(x -> transform(x, {log}), log_ids)",
        "coverage_reason": "replaceRegexpOne(coverage_reason, '^log [0-9a-f]+', 'log')",
        "job_uid": f"transform(ifNull(job_uid, ''), {_array(job_uids)}, {_array(job_uids.values())})",
    }
    out = {}
    for view, columns in _views(sql).items():
        hashes = [
            f"ifNull(cityHash64({neutral.get(column, f'`{column}`')}), 0)"
            for column in columns
            if column != "cluster"
        ]
        (row,) = sql.rows(
            f"SELECT count() AS rows, sum(cityHash64({', '.join(hashes)})) AS sum FROM {view} "
            "WHERE cluster = {c:String}",
            c=center.cluster,
        )
        out[view] = (row["rows"], row["sum"])
    return out


def _array(texts: Iterable[str]) -> str:
    return "[" + ", ".join(f"'{text}'" for text in texts) + "]"


def _views(sql) -> dict[str, list[str]]:
    """Those with a cluster -> columns that are the same whatever the way here."""
    names = [row["name"] for row in sql.rows("SHOW TABLES") if not row["name"].endswith("_versions")]
    found = {}
    for name in sorted(set(names) - MEASUREMENTS):
        columns = [row["name"] for row in sql.rows(f"DESCRIBE TABLE {name}")]
        if "cluster" in columns:
            found[name] = [column for column in columns if column not in PASSAGE]
    return found
