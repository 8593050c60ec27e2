"""Command `weir backfill`."""

import sys
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from weir.cli import alone
from weir.errors import UserError

app = alone()

Limit = Annotated[
    datetime | None, typer.Option(formats=["%Y-%m-%d"], help="A day in the center's time zone.")
]


@app.command("backfill")
def backfill_command(
    folder: Annotated[Path, typer.Argument(help="A directory of logs, at any depth.")],
    since: Limit = None,
    until: Limit = None,
    trusted: Annotated[
        bool, typer.Option("--trusted", help="Logs need not belong to their job's user: an archive.")
    ] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Send those again that an earlier back-fill sent.")
    ] = False,
) -> None:
    """Publish logs of the past whose runs began from one day to another, both included.

    Can be stopped and started again, and run beside the live stream: it goes on where it was, and no row
    comes twice.

    Exit code 0: all was sent; 1: something was refused (why: here, and in a dead letter); 2: wrong usage.
    """
    from weir.agents import config, service
    from weir.kafka import Stopped
    from weir.progress import Progress
    from weir.shipping import backfill

    agent = config.load()
    start, end = backfill.days(agent.site, since.date() if since else None, until.date() if until else None)
    wanted = backfill.Wanted(folder.resolve(), start, end, trusted, again)
    try:
        with service.stopping() as stop, Progress("back-fill", "logs") as show:
            outcome = backfill.run(agent, wanted, show, stop)
    except Stopped:
        raise UserError("stopped; the same command goes on from here") from None
    counts = {
        "damaged": outcome.damaged,
        "sent before": outcome.skipped,
        "of other days": outcome.outside,
        "still written": outcome.unfinished,
        "of processes whose run has its own log": outcome.of_ended_runs,
    }
    more = "".join(f", {count:,} {what}" for what, count in counts.items() if count)
    typer.echo(f"{outcome.sent:,} sent{more}, {outcome.refused.total():,} refused")
    for reason, count in outcome.refused.most_common():
        typer.echo(f"{count:8,}  {reason}")
    sys.exit(1 if outcome.refused.total() else 0)
