"""What the views of ClickHouse say of a simulated center, beside its ledger."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from clients import unread
from tenacity import Retrying, retry_if_not_result, stop_after_delay, wait_fixed
from weir import documents
from weir.kafka import Publisher
from weir_keeper.declared import NAMES

from sim.center import UNTOLD, Center, Truth
from sim.publish import Sent, publish
from sim.schedule import Schedule, Sending

# how a row came here, not what it says
PASSAGE = {"landed_at", "origin"}
MEASUREMENTS = {
    *("landings", "landings_by_hour", "landings_hourly"),
    *("producer_ledger", "migrations", "dead_letters"),
}
# Which days have totals depends on when rows landed (superset/tests/test_totals_sql.py); others take a time.
# times_of_ids and times_of_files have a row for each landing until the engine merges parts.
NOT_COMPARED = re.compile("hours_|days_|months_|times_of_|.*_(landed|buil[dt]|totals?|months|since|times)$")
# Whether a server is silent is judged by the clock when its samples come: an event, its beginning and its
# numbers are other ones on another day, in another order and on a slower machine. What they say is tested
# where they are awaited (e2e/test_storage_events.py).
# When a message to a user is decided, is that of the result's arrival (test_alerts.py).
BY_THE_CLOCK = {"storage_events", "cases", "alerts", "deliveries", "alert_controls"}


LEVELS = ("filesystem", "server", "device")


GROUPS = tuple(f"weir-{name}" for name in NAMES)

_patiently = Retrying(
    retry=retry_if_not_result(bool),
    wait=wait_fixed(1),
    stop=stop_after_delay(180),
    retry_error_callback=lambda _: None,
)


def await_read(stack, groups: Iterable[str] = GROUPS) -> None:
    """Until the jobs have read all there is, and a complete checkpoint holds what they made of it."""
    _patiently(lambda: all(unread(stack.kafka, group) == 0 for group in groups))


def publish_site(center: Center, stack) -> None:
    """Activate its site; then every operator knows it."""
    documents.publish(stack.kafka, "weir.site", center.cluster, center.site)
    await_read(stack, [f"{group}-control" for group in GROUPS])


def put(center: Center, sendings: Iterable[Sending], stack) -> Sent:
    """Publish messages; every one is acknowledged."""
    with Publisher(stack.kafka, center.origin) as publisher:
        sent = publish(sendings, publisher)
    assert sent.acknowledged.total() == sent.messages.total()
    return sent


def send(center: Center, schedule: Schedule, stack) -> Sent:
    """Activate its site and publish its messages; every one is acknowledged."""
    publish_site(center, stack)
    return put(center, schedule.sendings(center.messages()), stack)


def await_rest(center: Center, stack, sql, drained, besides: str = "") -> None:
    """Until all has landed and says what the ledger says; after three minutes it is left as it is.

    `besides` is a rule that the ledger does not know.
    """
    await_read(stack)
    truth = center.truth()
    _patiently(
        lambda: (
            not differences(truth.jobs, jobs(sql, center.cluster, besides))
            and not differences(truth.runs, runs(sql, center.cluster, besides))
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


def runs(sql, cluster: str, besides: str = "") -> dict[str, dict[str, Any]]:
    """Log id -> columns of the view."""
    rows = sql.rows("SELECT * FROM runs WHERE cluster = {c:String}", c=cluster)
    for row in rows:
        row["findings"] = frozenset(row["findings"]) - {besides}
        if row["io_time_seconds"] is not None:
            row["io_time_seconds"] = round(row["io_time_seconds"], 6)
    return _by("log_id", rows)


def jobs(sql, cluster: str, besides: str = "") -> dict[str, dict[str, Any]]:
    """job_uid -> columns of the view."""
    rows = sql.rows("SELECT * FROM job_results WHERE cluster = {c:String}", c=cluster)
    for row in rows:
        row["findings"] = frozenset(row["findings"]) - {besides}
    return _by("job_uid", rows)


def _by(key: str, rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    found = {row[key]: row for row in rows}
    assert len(found) == len(rows), f"a {key} has two rows"
    return found


def findings(sql, cluster: str) -> dict[str, frozenset[str]]:
    """Log id -> rules of the view; of logs that have any."""
    rows = sql.rows("SELECT log_id, rule_id FROM findings WHERE cluster = {c:String}", c=cluster)
    found = defaultdict(set)
    for row in rows:
        found[row["log_id"]].add(row["rule_id"])
    assert sum(map(len, found.values())) == len(rows), "a finding has two rows"
    return {log_id: frozenset(rules) for log_id, rules in found.items()}


def wrong(center: Center, sql, besides: str = "") -> list[str]:
    """In words: all that the views say otherwise than the ledger; a duplicate row is an error."""
    truth = center.truth()
    found = runs(sql, center.cluster, besides)
    told = differences(truth.runs, found) + _loads_beside_other_findings(truth, found)
    told += differences(truth.jobs, jobs(sql, center.cluster, besides))
    told += _wrong_findings(truth, findings(sql, center.cluster), besides)
    told += wrong_rows(center, truth, sql)
    if filesystem_load(sql, center.cluster) != load(truth):
        told.append("the load of file systems is another")
    return told


def _loads_beside_other_findings(truth: Truth, found: dict[str, dict[str, Any]]) -> list[str]:
    """What they were judged by, as a wrong finding is mostly one of load."""
    return [
        f"judged by {[f'{column}={value}' for column, value in row.items() if column.startswith('load')]}"
        for log_id, row in found.items()
        if log_id in truth.runs and truth.runs[log_id].findings not in (UNTOLD, row["findings"])
    ]


def _wrong_findings(truth: Truth, found: dict[str, frozenset[str]], besides: str) -> list[str]:
    told = [
        f"findings of a run that is not expected: {log_id}" for log_id in found.keys() - truth.runs.keys()
    ]
    for log_id, run in truth.runs.items():
        got = found.get(log_id, frozenset()) - {besides}
        if run.findings not in (UNTOLD, got):
            told.append(f"findings are {set(got)}: {run}")
    return told


def wrong_rows(center: Center, truth: Truth, sql) -> list[str]:
    """Tables that do not have as many rows as were published, duplicates apart; none is a dead letter."""
    expected = Counter(job_manifests=truth.manifests, dead_letters=0)
    for message in center.messages():
        if message.table:
            expected[message.table] += message.rows
    count = "SELECT count() FROM {table} WHERE cluster = {{c:String}}"
    landed = {table: sql.one(count.format(table=table), c=center.cluster) for table in expected}
    return [
        f"{table}: {landed[table]} rows, not {rows}"
        for table, rows in expected.items()
        if landed[table] != rows
    ]


def load(truth: Truth) -> dict[tuple[str, int], tuple[float, ...]]:
    """What `filesystem_load` must be."""
    return {
        key: (bucket.bytes_read, bucket.bytes_written, bucket.servers, bucket.util_max)
        for key, bucket in truth.load.items()
    }


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


def checksums(sql, center: Center) -> dict[str, tuple[int, dict[str, int]]]:
    """View -> (rows, checksums by column) of its cluster.

    They are the same for the same center under another name, in any order.

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
        "superseded_by": f"transform(superseded_by, {log})",
        "log_ids": f"arrayMap(x -> transform(x, {log}), log_ids)",
        "coverage_reason": "replaceRegexpOne(coverage_reason, '^log [0-9a-f]+', 'log')",
        "job_uid": f"transform(ifNull(job_uid, ''), {_array(job_uids)}, {_array(job_uids.values())})",
    }
    out = {}
    for view, columns in _views(sql).items():
        hashes = {
            column: f"ifNull(cityHash64({neutral.get(column, f'`{column}`')}), 0)"
            for column in columns
            if column != "cluster"
        }
        hashes["(all columns)"] = f"cityHash64({', '.join(hashes.values())})"
        sums = ", ".join(f"sum({each})" for each in hashes.values())
        (row,) = sql.rows(
            f"SELECT count() AS rows, [{sums}] AS sums FROM {view} WHERE cluster = {{c:String}}",
            c=center.cluster,
        )
        out[view] = (row["rows"], dict(zip(hashes, row["sums"], strict=True)))
    return out


def awaited_checksums(sql, center: Center, expected: dict[str, Any]) -> dict[str, Any]:
    """The checksums, as soon as they are as expected: a job's last row may come after its last message.

    Those of the last look where they are not after three minutes.
    """
    found: dict[str, Any] = {}

    def agrees() -> bool:
        found.clear()
        found.update(checksums(sql, center))
        return found == expected

    _patiently(agrees)
    return found


def _array(texts: Iterable[str]) -> str:
    return "[" + ", ".join(f"'{text}'" for text in texts) + "]"


def compared_views(sql, besides: set[str]) -> set[str]:
    """The views that show the same rows whatever the way of these, `besides` some."""
    names = {row["name"] for row in sql.rows("SHOW TABLES") if not row["name"].endswith("_versions")}
    return {name for name in names - besides if not NOT_COMPARED.match(name)}


def _views(sql) -> dict[str, list[str]]:
    """Those with a cluster -> columns that are the same whatever the way here."""
    found = {}
    for name in sorted(compared_views(sql, MEASUREMENTS | BY_THE_CLOCK)):
        columns = [row["name"] for row in sql.rows(f"DESCRIBE TABLE {name}")]
        if "cluster" in columns:
            found[name] = [column for column in columns if column not in PASSAGE]
    return found
