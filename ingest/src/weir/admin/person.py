"""One person's rows in every table: which they are, how many, and their erasure.

A row is the person's by the name in it, by a log or job of the person, or, in the few tables of RULES, by
more than that. Which columns a table has is asked of ClickHouse, so that a new table is looked at too. Runs
that were never joined have no name: they are the person's by a user id that the scheduler gave nobody else.

What the person's logs and jobs are is worked out once, and lies in a table of its own until the work is done.
ClickHouse keeps the text of its last mutations, and so the name is in none. The table of a command that was
killed is dropped by one a day later.
"""

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, Self
from uuid import uuid4

from clickhouse_connect.driver.binding import quote_identifier

from weir.clickhouse import reason
from weir.errors import UserError
from weir.formats.job_record import JOIN_PADDING_SECONDS

if TYPE_CHECKING:
    from clickhouse_connect.driver.client import Client

KEYS = "person_keys_"
LEFT_OVER_SECONDS = 86_400
POLL_SECONDS = 0.1
GRACE_SECONDS = 86_400
"""After a job's end its logs are looked for so long at most."""
OPERATORS = "operators"
"""The recipient of messages to no user: schemas/README."""
UNKNOWN = "(unknown)"
"""The user in totals of runs whose user is not known."""

BY_COLUMN = {"user": "user", "recipient": "user", "log_id": "log", "job_uid": "job"}
"""The kind of key that a column of this name holds, in whatever table."""
_MOMENT = "concat(toString(job_id), ' ', toString({time}))"
RULES = {
    "job_live_versions": ("moment", _MOMENT.format(time="time")),
    "job_manifests_versions": ("moment", _MOMENT.format(time="scan_time")),
    "dead_letters_versions": ("letter", "id"),
    "deliveries_versions": ("notice", "alert"),
}
"""By what else rows of a table are the person's: a kind of key, and what of the row is compared with it."""
HOURS = ("", "_hourly")
NOBODY = frozenset(
    (
        *(f"{each}_load{hourly}_versions" for each in ("device", "filesystem", "server") for hourly in HOURS),
        *(
            f"{each}_versions"
            for each in (
                "device_samples",
                "device_totals",
                "storage_events",
                "target_io_sizes",
                "target_live",
            )
        ),
        *("landings", "landings_hourly", "producer_ledger_versions", "report_words_versions", "migrations"),
        *(
            "pipeline_metrics",
            "pipeline_metrics_hourly",
            "pipeline_restarts",
            "hours_of_totals",
            "days_of_totals",
            "months_of_totals",
            "times_of_ids",
            "times_of_files",
        ),
    )
)
"""Tables about the center, the storage or the pipeline: no row of them is a person's."""
_OLD_DAYS = """
INSERT INTO days_of_totals (table, day, landed_at)
SELECT DISTINCT arrayJoin({totals}), toDate({time}), now64(6, 'UTC') + INTERVAL 1 DAY FROM {table}
WHERE ({{where}}) AND user IS NULL
"""
_OLD_HOURS = """
INSERT INTO hours_of_totals (hour, landed_at)
SELECT DISTINCT toStartOfHour(start_time), now64(6, 'UTC') + INTERVAL 1 DAY FROM {table}
WHERE ({{where}}) AND (cluster, log_id) IN (SELECT cluster, log_id FROM runs_versions WHERE user IS NULL)
"""
OLD_TOTALS = {
    **{
        table: _OLD_DAYS.format(totals=totals, time=time, table=table)
        for table, totals, time in (
            ("runs_versions", ["runs", "run_io", "targets"], "start_time"),
            ("findings_versions", ["findings"], "start_time"),
            ("job_results_versions", ["job_results"], "submit_time"),
        )
    },
    **{
        table: _OLD_HOURS.format(table=table)
        for table in ("posix_records_versions", "stdio_records_versions")
    },
}
"""How the days or hours are made known of which totals have rows of a table without the person's name.

As if something landed of them a day later, when the rows are surely gone: until they are worked out anew
then, what is left of the rows is read.
"""
KNOWN_BY = tuple(
    f"{name}_versions"
    for name in ("findings", "superseded_logs", "job_manifests", "runs", "job_results", "scheduler_jobs")
)
"""By their rows the others are known to be the person's: erased last, as an erasure may be interrupted."""

_COLUMNS = """
SELECT t.name, groupArray(c.name) FROM system.tables AS t
INNER JOIN system.columns AS c ON c.database = t.database AND c.table = t.name
WHERE t.database = {db:String} AND t.engine LIKE '%MergeTree' AND NOT startsWith(t.name, {keys:String})
GROUP BY t.name ORDER BY t.name
"""
_MADE_KEYS = """
CREATE TABLE {keys} (kind LowCardinality(String), cluster LowCardinality(String), key String)
ENGINE = MergeTree ORDER BY (kind, cluster, key)
"""
_LEFT_OVER = """
SELECT name FROM system.tables
WHERE database = {db:String} AND startsWith(name, {keys:String})
    AND metadata_modification_time <= now() - toIntervalSecond({seconds:UInt32})
    AND NOT arrayExists(command -> position(command, name) > 0,
        (SELECT groupArray(command) FROM system.mutations WHERE database = {db:String} AND NOT is_done))
"""
_USERS = """
INSERT INTO {keys} SELECT DISTINCT 'user', cluster, {{name:String}} FROM {table}
WHERE {column} = {{name:String}} AND ({{cluster:String}} = '' OR cluster = {{cluster:String}})
"""
_UIDS = """
INSERT INTO {keys} SELECT DISTINCT 'uid', cluster, toString(uid) FROM scheduler_jobs_versions
WHERE (cluster, user) IN {users} AND uid IS NOT NULL AND (cluster, uid) NOT IN
    (SELECT cluster, uid FROM scheduler_jobs_versions WHERE user != {{name:String}} AND uid IS NOT NULL)
"""
_OF_USER = """
INSERT INTO {keys} SELECT DISTINCT '{kind}', cluster, assumeNotNull({column}) FROM {table}
WHERE (cluster, user) IN {users} AND {column} != ''
"""
_LOGS_BY_UID = """
INSERT INTO {keys} SELECT DISTINCT 'log', cluster, log_id FROM runs_versions
WHERE user IS NULL AND (cluster, toString(uid)) IN {uids} AND (cluster, log_id) NOT IN
    (SELECT cluster, log_id FROM runs_versions WHERE user != {{name:String}})
"""
_LOGS_OF_JOBS = """
INSERT INTO {keys} SELECT DISTINCT 'log', cluster, log_id FROM {table}
WHERE (cluster, job_uid) IN {jobs} AND log_id != ''
"""
_LOGS_OF_MANIFESTS = """
INSERT INTO {keys} SELECT DISTINCT 'log', cluster, log FROM job_manifests_versions ARRAY JOIN log_ids AS log
WHERE (cluster, job_uid) IN {jobs}
"""
_LOGS_REPLACED = """
INSERT INTO {keys} SELECT DISTINCT 'log', cluster, log_id FROM superseded_logs_versions
WHERE (cluster, superseded_by) IN {logs} AND (cluster, log_id) NOT IN {logs}
"""
_MANIFESTS_OF_LOGS = """
INSERT INTO {keys} SELECT DISTINCT 'moment', cluster, {moment}
FROM job_manifests_versions ARRAY JOIN log_ids AS log
WHERE (cluster, log) IN {logs}
"""
# What has a job's id alone: the id comes again over the years, so it counts while the job ran.
_MOMENTS = """
INSERT INTO {keys} SELECT DISTINCT 'moment', cluster, {moment} FROM {table} AS looks
INNER JOIN
(
    SELECT cluster, job_id, ifNull(start_time, submit_time) - toIntervalSecond({before}) AS earliest,
        ifNull(end_time, now64(6)) + toIntervalSecond({after}) AS latest
    FROM scheduler_jobs WHERE (cluster, user) IN {users}
) AS jobs USING (cluster, job_id)
WHERE {only} AND {time} BETWEEN earliest AND latest
"""
# The name as a word, in what may be no text at all.
_NAMED = """
INSERT INTO {keys} SELECT DISTINCT '{kind}', cluster, {key} FROM {table}
WHERE {only} AND ({{cluster:String}} = '' OR cluster = {{cluster:String}}) AND match(
    toValidUTF8(concatWithSeparator('\\n', {texts})),
    concat('(^|[^A-Za-z0-9])', regexpQuoteMeta({{name:String}}), '($|[^A-Za-z0-9])'))
"""
_SHARED_UIDS = """
SELECT DISTINCT cluster, uid FROM scheduler_jobs_versions
WHERE (cluster, user) IN {users} AND uid IS NOT NULL
    AND (cluster, toString(assumeNotNull(uid))) NOT IN {uids} ORDER BY cluster, uid
"""


class Held(NamedTuple):
    """How many rows of the person a table has, versions and retractions of a row counted each."""

    table: str
    rows: int


def checked(name: str) -> str:
    """The name; UserError for one that is nobody's: rows without a user would all be taken for theirs."""
    if not name.strip():
        raise UserError("The name is empty: say the person's name as the scheduler has it.")
    if name == UNKNOWN:
        raise UserError(f"{UNKNOWN} is no person: totals have all runs of unknown users under it.")
    if name == OPERATORS:
        raise UserError(f"{OPERATORS} is no person: messages to all operators have this recipient.")
    return name


class PersonRows:
    """Finds the rows of one person; use as a context manager.

    `client` is the migrator's, connected to the database. Without a cluster the person is looked for in all.
    """

    def __init__(self, client: "Client", database: str, name: str, cluster: str | None = None):
        self._client, self._database = client, database
        self.name, self.cluster = checked(name), cluster or ""
        self._keys = f"{database}.{KEYS}{uuid4().hex}"
        columns = client.query(_COLUMNS, parameters={"db": database, "keys": KEYS}).result_rows
        self.conditions = {
            table: condition for table, names in columns if (condition := self._condition(table, names))
        }
        """What is true of the person's rows, by table."""
        self.unknown = [table for table, _ in columns if table not in {*self.conditions, *NOBODY}]
        """Tables that Weir did not make and that hold none of the columns it knows people by."""
        self._columns: dict[str, list[str]] = {row[0]: row[1] for row in columns}

    def __enter__(self) -> Self:
        left = {"db": self._database, "keys": KEYS, "seconds": LEFT_OVER_SECONDS}
        for (table,) in self._client.query(_LEFT_OVER, parameters=left).result_rows:
            self._client.command(f"DROP TABLE {self._database}.{table} SYNC")
        self._client.command(_MADE_KEYS.format(keys=self._keys))
        try:
            self._collect()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Leave nothing behind: a mutation that is not done would wait for the keys for ever."""
        if self._unfinished():
            self._client.command(
                f"KILL MUTATION WHERE database = '{self._database}' AND position(command, '{self._keys}') > 0"
            )
        self._client.command(f"DROP TABLE {self._keys} SYNC")

    def held(self) -> list[Held]:
        """The tables that have rows of the person, in the order in which they are erased."""
        last = {table: place for place, table in enumerate(KNOWN_BY)}
        tables = sorted(self.conditions, key=lambda table: (last.get(table, -1), table))
        return [Held(table, rows) for table in tables if (rows := self._count(table))]

    def shared_uids(self) -> list[tuple[str, int]]:
        """Cluster and user id of the person that others have too: runs known by it alone are nobody's."""
        sql = _SHARED_UIDS.format(users=self._of("user"), uids=self._of("uid"))
        return [(cluster, uid) for cluster, uid in self._client.query(sql).result_rows]

    def erase(self, table: str) -> None:
        """Rewrite the table's parts without the person's rows; returns when it is done.

        A mutation takes the rows off the disk (the old parts go within minutes); DELETE FROM would only hide
        them until some merge. Totals that have the rows without the person's name are worked out anew.
        UserError where ClickHouse fails at it.
        """
        where = self.conditions[table]
        change = f"ALTER TABLE {self._database}.{quote_identifier(table)} DELETE WHERE {where}"
        if table in OLD_TOTALS:
            self._client.command(OLD_TOTALS[table].format(where=where))
        # in the background, as it may take longer than an answer may
        self._client.command(f"{change} SETTINGS mutations_sync = 0")
        while unfinished := self._unfinished():
            if why := " ".join(failure for (failure,) in unfinished if failure):
                raise UserError(
                    f"{table}: rows could not be deleted: {reason(why)} Mend that, and run this again."
                )
            time.sleep(POLL_SECONDS)

    def _unfinished(self) -> list[tuple[str]]:
        sql = (
            "SELECT latest_fail_reason FROM system.mutations "
            "WHERE database = {db:String} AND NOT is_done AND position(command, {keys:String}) > 0"
        )
        return self._rows(sql, {"db": self._database, "keys": self._keys})

    def _count(self, table: str) -> int:
        sql = f"SELECT count() FROM {quote_identifier(table)} WHERE {self.conditions[table]}"  # noqa: S608
        ((rows,),) = self._rows(sql)
        return int(rows)

    def _rows(self, sql: str, parameters: dict[str, str] | None = None) -> list[Any]:
        return list(self._client.query(sql, parameters=parameters).result_rows)

    def _of(self, kind: str) -> str:
        return f"(SELECT cluster, key FROM {self._keys} WHERE kind = '{kind}')"  # noqa: S608

    def _condition(self, table: str, columns: list[str]) -> str:
        if "cluster" not in columns:
            return ""
        compared = [(BY_COLUMN[column], column) for column in columns if column in BY_COLUMN]
        compared += [RULES[table]] if table in RULES else []
        return " OR ".join(f"(cluster, {what}) IN {self._of(kind)}" for kind, what in compared)

    def _collect(self) -> None:
        for sql in self._key_statements():
            self._client.command(sql, parameters={"name": self.name, "cluster": self.cluster})
        replaced = _LOGS_REPLACED.format(keys=self._keys, logs=self._of("log"))
        known = -1
        while known != (known := self._key_count()):  # one that replaced another can itself be replaced
            self._client.command(replaced)
        moment = RULES["job_manifests_versions"][1]
        self._client.command(_MANIFESTS_OF_LOGS.format(keys=self._keys, moment=moment, logs=self._of("log")))

    def _key_count(self) -> int:
        ((count,),) = self._rows(f"SELECT count() FROM {self._keys}")  # noqa: S608
        return int(count)

    def _key_statements(self) -> Iterator[str]:
        keys, users, jobs = self._keys, self._of("user"), self._of("job")
        tables = {quote_identifier(table): self._columns[table] for table in self.conditions}
        for table, columns in tables.items():
            for column in BY_COLUMN.keys() & {*columns}:
                if BY_COLUMN[column] == "user":
                    yield _USERS.format(keys=keys, table=table, column=column)
        yield _UIDS.format(keys=keys, users=users)
        for table, columns in tables.items():
            for column in ("job_uid", "log_id"):
                if {"user", column} <= {*columns}:
                    kind = BY_COLUMN[column]
                    yield _OF_USER.format(keys=keys, kind=kind, column=column, table=table, users=users)
        yield _LOGS_BY_UID.format(keys=keys, uids=self._of("uid"))
        for table, columns in tables.items():
            if {"job_uid", "log_id"} <= {*columns}:
                yield _LOGS_OF_JOBS.format(keys=keys, table=table, jobs=jobs)
        yield _LOGS_OF_MANIFESTS.format(keys=keys, jobs=jobs)
        for table, when, only, after in (
            ("job_live_versions", "time", "true", JOIN_PADDING_SECONDS),
            ("job_manifests_versions", "scan_time", "job_uid IS NULL", GRACE_SECONDS),
        ):
            kind, moment = RULES[table]
            yield _MOMENTS.format(
                keys=keys,
                moment=moment,
                table=table,
                users=users,
                only=only,
                time=when,
                before=JOIN_PADDING_SECONDS,
                after=after,
            )
        yield _NAMED.format(
            keys=keys,
            kind="letter",
            key="id",
            table="dead_letters_versions",
            only="true",
            texts="ifNull(file, ''), key, reason, ifNull(position, ''), bytes",
        )
        yield _NAMED.format(
            keys=keys,
            kind="notice",
            key="alert",
            table="deliveries_versions",
            only=f"recipient = '{OPERATORS}'",
            texts="unit, subject",
        )
