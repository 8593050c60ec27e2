"""Commands `weir migrate ...`."""

from typing import TYPE_CHECKING, Annotated

import typer

from weir.cli import group
from weir.cli.options import echo_all

if TYPE_CHECKING:
    from weir.admin.migrations import Migrator
    from weir.admin.retention import Retention

app = group("migrate")

DryRun = Annotated[bool, typer.Option("--dry-run", help="Print the SQL and do nothing.")]


def _migrator() -> "Migrator":
    from weir import clickhouse, settings
    from weir.admin.migrations import Migrator

    config = settings.load()
    return Migrator(clickhouse.connect(config, migrator=True, database=""), config.clickhouse_database)


def _retention() -> "Retention":
    from weir import clickhouse, settings
    from weir.admin.retention import Retention

    config = settings.load()
    client = clickhouse.connect(config, migrator=True)
    return Retention(client, config.clickhouse_database, config.retention_days, config.file())


@app.command("up")
def migrate_up(dry_run: DryRun = False) -> None:
    """Apply every migration that is not applied yet, and write the words of reports into report_words."""
    migrator = _migrator()
    echo_all(migrator.up(dry_run=dry_run), "tables are up to date")
    if not dry_run:
        from weir.admin import report_words

        report_words.store(migrator.client, migrator.database)


@app.command("retention")
def migrate_retention(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show every table and change nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Change it also where rows are deleted.")] = False,
) -> None:
    """Bring the retention of every table to what is configured.

    It is what retention_days of weir.yaml says, and what the migrations declare for tables that are not
    named there. ClickHouse rewrites a table whose retention changes, once and in the background
    (system.mutations). Where this would delete rows, nothing is changed without --yes. A migration that
    creates a table again resets its retention: run this command after an update.
    """
    retention = _retention()
    tables = retention.tables()
    if dry_run:
        echo_all(map(str, tables), "there are no tables: weir migrate up")
        return
    echo_all(retention.apply(tables, may_delete=yes), "every table has the configured retention")


@app.command("down")
def migrate_down(
    to: Annotated[int, typer.Option(help="Number of the newest migration to keep; 0 keeps none.")],
    dry_run: DryRun = False,
) -> None:
    """Take migrations back. Their tables and rows are gone then."""
    echo_all(_migrator().down(to, dry_run=dry_run), "nothing to take back")


@app.command("status")
def migrate_status() -> None:
    """List migrations and their state."""
    for migration, state, at in _migrator().status():
        typer.echo(f"{migration.name:32} {state:9} {at}")
