"""What a producer says it has sent, and what of it can be queried in ClickHouse."""

import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from weir.clickhouse import patiently
from weir.errors import UserError

if TYPE_CHECKING:
    from clickhouse_connect.driver.client import Client

PRODUCER = "replay"
_RECORDS = ("posix", "mpiio", "stdio", "h5f", "h5d", "pnetcdf_file", "pnetcdf_var")
_LANDED = {
    "runs": "SELECT count() FROM runs WHERE cluster = {cluster:String}",
    "file records": " UNION ALL ".join(
        f"SELECT count() FROM {module}_records WHERE cluster = {{cluster:String}}"  # noqa: S608
        for module in _RECORDS
    ),
    "heatmap bins": "SELECT count() FROM heatmap_bins WHERE cluster = {cluster:String}",
    "Lustre stripes": "SELECT count() FROM lustre_stripes WHERE cluster = {cluster:String}",
    "jobs": "SELECT count() FROM scheduler_jobs WHERE cluster = {cluster:String} AND state_rank = 3",
    "manifests": "SELECT count() FROM job_manifests WHERE cluster = {cluster:String}",
    "device samples": "SELECT count() FROM device_samples WHERE cluster = {cluster:String}",
    "dead letters": "SELECT count() FROM dead_letters WHERE cluster = {cluster:String}",
}
_SETTLED = "SELECT countIf(settled) FROM job_results WHERE cluster = {cluster:String}"
_FINDINGS = "SELECT count() FROM findings WHERE cluster = {cluster:String}"


@dataclass(frozen=True)
class Balance:
    """Counts of one cluster: what was sent and what landed by kind, jobs with a settled result, findings."""

    sent: dict[str, int]
    landed: dict[str, int]
    settled: int
    findings: int

    @property
    def surplus(self) -> dict[str, int]:
        """Rows by kind that were not sent: of another recording or producer, or the same ones twice."""
        more = {kind: count - self.sent.get(kind, 0) for kind, count in self.landed.items()}
        return {kind: count for kind, count in more.items() if count > 0}

    @property
    def awaited(self) -> int:
        """Rows and results that are still on their way."""
        missing = sum(max(0, count - self.landed[kind]) for kind, count in self.sent.items())
        return missing + max(0, self.sent.get("jobs", 0) - self.settled)


def refuse_uneven(balance: Balance, cluster: str, waited_seconds: float) -> None:
    """UserError where what has landed is not what was sent."""
    if balance.awaited:
        raise UserError(
            f"not all has landed within {waited_seconds:.0f} s; see what lags: make status, make logs"
        )
    if balance.surplus:
        more = ", ".join(f"{kind} {count:,}" for kind, count in balance.surplus.items())
        raise UserError(
            f"cluster {cluster} has more rows than this replay sent: {more}. Another recording or another "
            "producer wrote them; give this one a cluster of its own, or drop all rows of it: --fresh."
        )


@patiently
def write(client: "Client", cluster: str, sent: Counter[str]) -> None:
    """Say in ClickHouse what was sent of each kind, so that it can be compared with what landed."""
    version = time.time_ns()
    rows = [[cluster, PRODUCER, kind, sent[kind], version] for kind in _LANDED]
    client.insert(
        "producer_ledger_versions", rows, column_names=["cluster", "producer", "kind", "count", "version"]
    )


@patiently
def balance(client: "Client", cluster: str) -> Balance:
    """What the ledger and the views say now."""

    def count(sql: str) -> int:
        return sum(row[0] for row in client.query(sql, parameters={"cluster": cluster}).result_rows)

    ledger = client.query(
        "SELECT kind, count FROM producer_ledger WHERE cluster = {cluster:String}",
        parameters={"cluster": cluster},
    )
    landed = {kind: count(sql) for kind, sql in _LANDED.items()}
    sent = {str(row[0]): int(row[1]) for row in ledger.result_rows}
    return Balance(sent, landed, count(_SETTLED), count(_FINDINGS))


def drop_rows(client: "Client", database: str, cluster: str) -> None:
    """Delete every row of `cluster`; `client` is the migrator's."""
    tables = client.query(
        "SELECT c.table FROM system.columns AS c "
        "JOIN system.tables AS t ON c.database = t.database AND c.table = t.name "
        "WHERE c.database = {db:String} AND c.name = 'cluster' AND t.engine LIKE '%MergeTree'",
        parameters={"db": database},
    )
    for (table,) in tables.result_rows:
        client.command(
            f"ALTER TABLE {database}.{table} DELETE WHERE cluster = {{cluster:String}}",
            parameters={"cluster": cluster},
            settings={"mutations_sync": 1},
        )
