"""Commands `weir person ...`."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weir.cli import group
from weir.errors import UserError

if TYPE_CHECKING:
    from clickhouse_connect.driver.client import Client

    from weir.admin.person import PersonRows
    from weir.admin.person_topics import Entries
    from weir.settings import Settings

app = group("person")

Name = Annotated[str, typer.Argument(help="By the scheduler's name.", show_default=False)]
OneCluster = Annotated[str | None, typer.Option(help="Only of this cluster; of all if not given.")]


@app.command("export")
def person_export(
    name: Name,
    output: Annotated[Path, typer.Option(help="The folder to make.", show_default=False)],
    cluster: OneCluster = None,
) -> None:
    """Write the rows of a person to files of JSON lines.

    A README.md beside them has the meaning of every column.

    Exit code 1: there is nothing of the person.
    """
    from weir.admin import person_export as files

    _, client, person = _opened(name, cluster)
    with person:
        if not person.held():
            raise UserError(_nothing(name, cluster))
        for written in files.export(client, person, output):
            typer.echo(f"{written.file}: {written.rows:,} rows")
        typer.echo(f"{output / files.README}: what they mean")
        _echo_doubts(person)


@app.command("erase")
def person_erase(
    name: Name,
    cluster: OneCluster = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete the rows of a person from every table.

    The person's entries in Kafka's compacted topics are deleted as well. The command shows first what there
    is, and last what stays elsewhere and for how long. Run it again later: it deletes what has landed since.

    Exit code 0: no row is left; 1: there is nothing of the person, or rows came meanwhile.
    """
    from weir.admin import person_limits, person_topics

    config, _, person = _opened(name, cluster)
    with person:
        held = person.held()
        entries = person_topics.find(config.kafka, name, cluster or "", datetime.now(UTC))
        if not held and not entries.any:
            raise UserError(_nothing(name, cluster))
        for table, rows in held:
            typer.echo(f"{table}: {rows:,} rows")
        _echo_entries(entries)
        _echo_doubts(person)
        if not yes:
            typer.confirm("Delete them for good?", abort=True)
        for table, _ in held:
            person.erase(table)
        person_topics.delete(config.kafka, entries)
        left = person.held()
    typer.echo("deleted")
    typer.echo("\nThis stays, and is not for this command to delete:")
    for sentence in person_limits.remaining(entries):
        typer.echo(f"- {sentence}")
    soon, late = person_limits.again_after_days()
    typer.echo(f"Run this again after {soon} days and after {late} days: what landed again since goes then.")
    if left:
        came = ", ".join(f"{table} {rows:,}" for table, rows in left)
        raise UserError(f"rows came while others were deleted: {came}. Run this again.")


def _opened(name: str, cluster: str | None) -> "tuple[Settings, Client, PersonRows]":
    from weir import clickhouse, settings
    from weir.admin.person import PersonRows, checked

    checked(name)
    config = settings.load()
    client = clickhouse.connect(config, migrator=True)
    return config, client, PersonRows(client, config.clickhouse_database, name, cluster)


def _nothing(name: str, cluster: str | None) -> str:
    where = f"cluster {cluster}" if cluster else "any cluster"
    return f"there is nothing of {name} on {where}. Names are the scheduler's, upper and lower case apart."


def _echo_entries(entries: "Entries") -> None:
    from weir.admin.person_topics import CONTROL, DELIVERY

    if entries.wishes:
        typer.echo(f"Kafka's {CONTROL}: {len(entries.wishes):,} entries")
    if entries.deliveries or entries.needed:
        typer.echo(
            f"Kafka's {DELIVERY}: {len(entries.deliveries):,} entries, and {entries.needed:,} that must stay"
        )


def _echo_doubts(person: "PersonRows") -> None:
    """Say of what it is not known whether it is the person's."""
    for cluster, uid in person.shared_uids():
        typer.echo(
            f"user id {uid} of {cluster} is also another user's: runs without a name are left out", err=True
        )
    for table in person.unknown:
        typer.echo(f"table {table} is none of Weir's and was not looked at", err=True)
