"""ClickHouse migrations: numbered files under schemas/clickhouse, applied in order, each with its way back.

State lies in the table `migrations` of the database: a row when a migration starts and one when it is
done. DDL is not transactional, so a migration that was killed halfway is taken back (its down file,
where what is not there is no error) before it is run again.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from clickhouse_connect.driver.binding import format_str, quote_identifier

from weir.errors import UserError
from weir.identity import text_hash
from weir.schemas_dir import SCHEMAS

if TYPE_CHECKING:
    from clickhouse_connect.driver.client import Client

STATUS_TABLE = """
CREATE TABLE IF NOT EXISTS migrations
(
    number UInt16,
    name String,
    state LowCardinality(String) COMMENT 'started, applied or reverted',
    checksum String COMMENT 'BLAKE2b-128 of the up file',
    at DateTime64(6, 'UTC') DEFAULT now64(6)
)
ENGINE = ReplacingMergeTree(at)
ORDER BY number
"""

TTL = "extract(engine_full, ' TTL (.*?)(?: SETTINGS |$)')"
"""How long a table of system.tables keeps its rows, as an expression of their times; empty for ever."""
OTHER_COMMENTS = """
SELECT views.name, groupArray((own.name, below.comment))
FROM system.tables AS views
INNER JOIN system.columns AS own ON own.database = views.database AND own.table = views.name
INNER JOIN system.columns AS below
    ON below.database = own.database AND below.table = own.table || '_versions' AND below.name = own.name
WHERE views.database = {db:String} AND views.engine = 'View'
    AND own.comment != below.comment AND below.comment != ''
GROUP BY views.name
ORDER BY views.name
"""
"""Of each view the columns whose comment is not that of the table below it, with this."""
COPY = re.compile(r"CREATE TABLE (?P<table>\w+)_new AS (?P=table)\b")


@dataclass(frozen=True)
class Migration:
    """One numbered pair of files."""

    up_file: Path

    @property
    def name(self) -> str:
        """Such as 0003_runs."""
        return self.up_file.name.removesuffix(".up.sql")

    @property
    def number(self) -> int:
        """Its place in the order."""
        return int(self.name.split("_")[0])

    @cached_property
    def checksum(self) -> str:
        """The hash of the up file: an applied migration must not change."""
        return text_hash(self.up_file.read_bytes())

    def statements(self, direction: str) -> list[str]:
        """The SQL of `up` or `down`, one statement each."""
        file = self.up_file.with_name(f"{self.name}.{direction}.sql")
        lines = [line for line in file.read_text().splitlines() if not line.startswith("--")]
        # not at each semicolon: comments of columns hold some
        parts = "\n".join(lines).split(";\n")
        return [part.strip().rstrip(";") for part in parts if part.strip()]


def all_migrations(folder: Path = SCHEMAS / "clickhouse") -> list[Migration]:
    """In order; UserError for two files of one number or a missing way back."""
    found = [Migration(file) for file in sorted(folder.glob("*.up.sql"))]
    for before, after in pairwise(found):
        if before.number == after.number:
            raise UserError(f"{folder}: {before.name} and {after.name} have the same number; renumber one.")
    for migration in found:
        if not (folder / f"{migration.name}.down.sql").exists():
            raise UserError(f"{folder}: {migration.name} has no .down.sql; write its way back.")
    return found


class Migrator:
    """Moves one database between versions; `client` is the migrator's, connected to no database."""

    def __init__(self, client: "Client", database: str, migrations: list[Migration] | None = None):
        self.client, self.database = client, database
        self.migrations = all_migrations() if migrations is None else migrations

    def status(self) -> list[tuple[Migration, str, str]]:
        """(migration, pending | started | applied | reverted | changed, when) for each file."""
        states = self._states()
        out = []
        for migration in self.migrations:
            state, checksum, at = states.get(migration.number, ("pending", migration.checksum, ""))
            changed = state == "applied" and checksum != migration.checksum
            out.append((migration, "changed" if changed else state, at))
        return out

    def up(self, *, dry_run: bool = False) -> Iterator[str]:
        """Apply what is not applied; yields a line per migration, or its SQL for a dry run."""
        if not dry_run:
            self._prepare()
        for migration, state, _ in self.status():
            if state == "changed":
                raise UserError(
                    f"{migration.up_file}: it was applied and has changed since. "
                    "Take the change back and write a new migration."
                )
            if state == "applied":
                continue
            if dry_run:
                yield from (f"{sql};" for sql in migration.statements("up"))
                continue
            if state == "started":
                self._run(migration, "down")
            self._mark(migration, "started")
            self._run(migration, "up")
            self._mark(migration, "applied")
            yield f"applied {migration.name}"
        if not dry_run:
            self._comment_views()

    def down(self, to: int, *, dry_run: bool = False) -> Iterator[str]:
        """Take back every migration above number `to`, newest first."""
        if not dry_run:
            self._prepare()
        for migration, state, _ in reversed(self.status()):
            if migration.number <= to or state in ("pending", "reverted"):
                continue
            if dry_run:
                yield from (f"{sql};" for sql in migration.statements("down"))
                continue
            self._mark(migration, "started")
            self._run(migration, "down")
            self._mark(migration, "reverted")
            yield f"reverted {migration.name}"

    def _states(self) -> dict[int, tuple[str, str, str]]:
        known = self.client.query(
            "SELECT name FROM system.tables WHERE database = {db:String} AND name = 'migrations'",
            parameters={"db": self.database},
        )
        if not known.result_rows:
            return {}
        rows = self.client.query(
            f"SELECT number, state, checksum, toString(at) FROM {self.database}.migrations FINAL"  # noqa: S608
        ).result_rows
        return {number: (state, checksum, at) for number, state, checksum, at in rows}

    def _prepare(self) -> None:
        self.client.command(f"CREATE DATABASE IF NOT EXISTS {self.database}")
        self.client.database = self.database
        self.client.command(STATUS_TABLE)

    def _run(self, migration: Migration, direction: str) -> None:
        for sql in migration.statements(direction):
            self.client.command(sql)
            if copy := COPY.match(sql):
                self._keep_retention(copy["table"])

    def _comment_views(self) -> None:
        """Gives columns of views the comments of the tables below them, which a view does not take over."""
        found = self.client.query(OTHER_COMMENTS, parameters={"db": self.database})
        for view, columns in found.result_rows:
            changes = [
                f"COMMENT COLUMN {quote_identifier(name)} {format_str(text)}" for name, text in columns
            ]
            self.client.command(f"ALTER TABLE {view} {', '.join(changes)}")

    def _keep_retention(self, table: str) -> None:
        """Gives a table's copy its retention: rows that a center keeps longer would go as they are copied."""
        now, declared = self._ttl(table), self._ttl(f"{table}_new")
        if now != declared:
            change = f"MODIFY TTL {now}" if now else "REMOVE TTL"
            self.client.command(f"ALTER TABLE {table}_new {change}")

    def _ttl(self, table: str) -> str:
        found = self.client.query(
            f"SELECT {TTL} FROM system.tables WHERE database = {{db:String}} AND name = {{table:String}}",  # noqa: S608
            parameters={"db": self.database, "table": table},
        )
        ((ttl,),) = found.result_rows
        return str(ttl)

    def _mark(self, migration: Migration, state: str) -> None:
        row = [[migration.number, migration.name, state, migration.checksum]]
        self.client.insert("migrations", row, column_names=["number", "name", "state", "checksum"])
