"""Command `weir reconcile`."""

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from weir.cli import alone
from weir.cli.options import duration

if TYPE_CHECKING:
    from weir.admin.reconcile import StoredRun

app = alone()


@app.command("reconcile")
def reconcile_command(
    since: Annotated[str, typer.Option(help="How far back the runs started: 36h or 90d.")] = "90d",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="List the runs and publish nothing.")] = False,
) -> None:
    """Join runs whose job the stream had forgotten: publish its stored records again.

    A job of which the stream has forgotten a log stays as it is, for its result would be of the others
    alone: publish those logs again (weir backfill --again), then reconcile within a week.

    Exit code 0: all was published; 1: logs have to be published first, which are listed.
    """
    from weir import clickhouse, settings
    from weir.admin import reconcile
    from weir.kafka import Publisher

    config = settings.load()
    client = clickhouse.connect(config)
    runs = reconcile.unjoined(client, datetime.now(UTC) - duration(since))
    if not runs:
        typer.echo("every run whose job is known is joined to it")
        return
    _print_runs(runs)
    forgotten = reconcile.forgotten(client, runs)
    incomplete = {run.job for run in forgotten}
    whole = [run for run in runs if run.job not in incomplete]
    if whole and not dry_run:
        with Publisher(config.kafka, "backfill") as publisher:
            reconcile.publish(client, publisher, whole)
        typer.echo(f"published what is stored of the jobs of {len(whole)} runs")
    if forgotten:
        _print_runs(forgotten)
        typer.echo(
            f"{len(incomplete)} of the jobs stay as they are: the stream has forgotten these logs of theirs, "
            "and would judge the jobs without them. Publish the logs again (weir backfill --again DIR), "
            "then reconcile within a week."
        )
        sys.exit(1)


def _print_runs(runs: "list[StoredRun]") -> None:
    from rich.table import Column, Table

    from weir.text import printable
    from weir.views import log_view

    log = Column("log", no_wrap=True)
    table = Table("cluster", "job", log, "file", "start (UTC)", "landed (UTC)")
    for run in runs:
        times = f"{run.start_time:%Y-%m-%d %H:%M:%S}", f"{run.landed_at:%Y-%m-%d %H:%M:%S}"
        table.add_row(run.cluster, str(run.job_id), run.log_id, printable(run.file_name), *times)
    log_view.console().print(table)
