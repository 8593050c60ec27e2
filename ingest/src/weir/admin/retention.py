"""How long rows are kept: each table's TTL, as the settings say or else as the migrations declare it.

A row is as old as a time of its own says: that of the TTL which the migrations declare, else the first time
that every row of its table has. Versions of a row, and what takes it back, mostly have the same time and go
together; where a correction moves it, the newest version goes last.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from weir.admin.migrations import TTL, Migration, all_migrations
from weir.errors import UserError

if TYPE_CHECKING:
    from clickhouse_connect.driver.client import Client

DECLARED = re.compile(
    r"CREATE TABLE (?:IF NOT EXISTS )?(?P<table>\w+?)(?:_new)?\b"
    r".*\bTTL toDateTime\((?P<column>\w+)\) \+ INTERVAL (?P<count>\d+) (?P<unit>DAY|YEAR)",
    re.DOTALL,
)
WRITTEN = re.compile(r"toDateTime\((?P<column>\w+)\) \+ toInterval(?P<unit>Day|Year)\((?P<count>\d+)\)")
# Tables of rows with their TTL, and the times that no row lacks.
TABLES = f"""
SELECT t.name, {TTL} AS ttl,
    arrayMap(pair -> pair.2, arraySort(groupArray((c.position, c.name)))) AS times
FROM system.tables AS t
LEFT JOIN
(
    SELECT table, name, position FROM system.columns
    WHERE database = {{db:String}} AND startsWith(type, 'Date') AND name NOT IN ('landed_at', 'built_at')
) AS c ON c.table = t.name
WHERE t.database = {{db:String}} AND t.engine LIKE '%MergeTree' AND t.name != 'migrations'
GROUP BY t.name, ttl
ORDER BY t.name
"""  # noqa: S608 - a constant
# Views that leave out the records of replaced logs, as long as superseded_logs has these.
HIDING = """
SELECT name FROM system.tables
WHERE database = {db:String} AND engine = 'View' AND name != {marks:String}
    AND position(as_select, {marks:String}) > 0
ORDER BY name
"""
GOING = """
SELECT count(), uniqExact(toDate({column})), toString(min(toDate({column}))), toString(max(toDate({column})))
FROM {table} WHERE {wanted} <= now() AND {kept}
"""
VERSIONS = "_versions"
SUPERSEDED = "superseded_logs"
FINDING_FILES = ("times_of_files", "user_file_totals", "file_reader_totals")
"""Tables by which questions find the records of files."""
FILE_RECORDS = ("posix_records", "stdio_records")


@dataclass(frozen=True)
class Kept:
    """For how long rows are kept, from the time in a column on."""

    column: str
    count: int
    unit: str

    @property
    def sql(self) -> str:
        """The TTL as ClickHouse writes it."""
        return f"toDateTime({self.column}) + toInterval{self.unit}({self.count})"

    @property
    def days(self) -> int:
        """In days; a year has at least 365."""
        return self.count * (365 if self.unit == "Year" else 1)

    def __str__(self) -> str:
        return f"{self.count} {self.unit.lower()}{'' if self.count == 1 else 's'}"


@dataclass(frozen=True)
class TableRetention:
    """How long a table keeps rows now and how long it shall, None for ever; and what the change deletes."""

    table: str
    now: Kept | None
    wanted: Kept | None
    rows: int = 0
    days: int = 0
    first_day: str = ""
    last_day: str = ""

    @property
    def name(self) -> str:
        """As the settings and SQL call it."""
        return _name(self.table)

    @property
    def differs(self) -> bool:
        """Whether the table is not as it shall be."""
        return self.now != self.wanted

    def __str__(self) -> str:
        line = f"{self.name}: {self.now or 'for ever'}"
        if self.differs:
            line += f" -> {self.wanted or 'for ever'}"
        if self.rows:
            line += (
                f", deletes {self.rows:,} rows of {self.days:,} days from {self.first_day} to {self.last_day}"
            )
        return line


def declared(migrations: list[Migration] | None = None) -> dict[str, Kept]:
    """Tables with the TTL that the newest migration that made them declares."""
    found: dict[str, Kept] = {}
    for migration in all_migrations() if migrations is None else migrations:
        for statement in migration.statements("up"):
            if ttl := DECLARED.match(statement):
                found[ttl["table"]] = Kept(ttl["column"], int(ttl["count"]), ttl["unit"].capitalize())
    return found


class Retention:
    """Compares one database with what is wanted; `client` is the migrator's, connected to it."""

    def __init__(self, client: "Client", database: str, days: Mapping[str, int | None], file: Path):
        """Takes `days` by table, as `file` has them; a table that it does not name keeps what is declared."""
        self._client, self._database, self._days, self._file = client, database, days, file

    def tables(self) -> list[TableRetention]:
        """Each table whose rows age; UserError for settings that cannot be followed."""
        defaults = declared()
        found = {}
        for table, ttl, times in self._client.query(TABLES, parameters={"db": self._database}).result_rows:
            default = defaults.get(table)
            if column := default.column if default else next(iter(times), ""):
                found[table] = (self._kept(table, ttl), self._wanted(table, default, column))
        if not found:
            return []
        self._check_names(found)
        self._check_outlived({_name(table): wanted for table, (_, wanted) in found.items()})
        return [self._compared(table, *kept) for table, kept in found.items()]

    def apply(self, tables: list[TableRetention], *, may_delete: bool) -> Iterator[str]:
        """Change what differs; yields a line per table. UserError, before any change, where rows would go."""
        changes = [table for table in tables if table.differs]
        deleting = [str(table) for table in changes if table.rows]
        if deleting and not may_delete:
            raise UserError(
                "\n".join(deleting) + "\nNothing was changed. Say --yes to delete these rows for good, "
                f"or raise retention_days in {self._file}."
            )
        for table in changes:
            # Each part knows when its rows expire. By default ClickHouse rewrites the parts that there are:
            # else those that merge no more would go by the TTL before, or never. That outlasts any answer.
            change = f"MODIFY TTL {table.wanted.sql}" if table.wanted else "REMOVE TTL"
            self._client.command(
                f"ALTER TABLE {self._database}.{table.table} {change} SETTINGS mutations_sync = 0"
            )
            yield str(table)

    def _kept(self, table: str, ttl: str) -> Kept | None:
        if not ttl:
            return None
        written = WRITTEN.fullmatch(ttl)
        if not written:
            raise UserError(
                f"{self._database}.{table} has a TTL that Weir did not write: {ttl}. Take it away by hand "
                f"(ALTER TABLE {self._database}.{table} REMOVE TTL), or leave all of them to ClickHouse."
            )
        return Kept(written["column"], int(written["count"]), written["unit"])

    def _wanted(self, table: str, default: Kept | None, column: str) -> Kept | None:
        name = _name(table)
        if name not in self._days:
            return default
        days = self._days[name]
        return None if days is None else Kept(column, days, "Day")

    def _check_names(self, tables: Iterable[str]) -> None:
        names = sorted(map(_name, tables))
        if unknown := [name for name in self._days if name not in names]:
            wrong = [f"{self._file}: retention_days.{name}: no table whose rows age." for name in unknown]
            raise UserError("\n".join([*wrong, f"Name one of these: {', '.join(names)}."]))

    def _check_outlived(self, wanted: Mapping[str, Kept | None]) -> None:
        """Refuses records that outlive the rows by which they are hidden or found."""
        views = self._client.query(HIDING, parameters={"db": self._database, "marks": SUPERSEDED})
        hidden = [view for (view,) in views.result_rows]
        self._check_kept(
            wanted, SUPERSEDED, hidden, "the records of logs that were replaced would be shown again"
        )
        for table in FINDING_FILES:
            self._check_kept(wanted, table, FILE_RECORDS, "questions about files would miss the older ones")

    def _check_kept(
        self, wanted: Mapping[str, Kept | None], name: str, of: Iterable[str], otherwise: str
    ) -> None:
        rows = wanted.get(name)
        for table in of:
            records = wanted.get(table, rows)
            if rows and (not records or records.days > rows.days):
                longer = f"for {records}" if records else "for ever"
                raise UserError(
                    f"{self._file}: retention_days: {name} is kept for {rows} and {table} {longer}: "
                    f"{otherwise}. Keep {name} at least as long."
                )

    def _compared(self, table: str, now: Kept | None, wanted: Kept | None) -> TableRetention:
        if not wanted or now == wanted:
            return TableRetention(table, now, wanted)
        kept = f"{now.sql} > now()" if now else "true"
        going = GOING.format(column=wanted.column, table=table, wanted=wanted.sql, kept=kept)
        ((rows, days, first, last),) = self._client.query(going).result_rows
        return TableRetention(table, now, wanted, rows, days, first, last)


def _name(table: str) -> str:
    return table.removesuffix(VERSIONS)
