"""Commands `weir spool ...`."""

import json
from typing import Annotated

import typer

from weir.cli import group
from weir.cli.options import echo_all

app = group("spool")

Patterns = Annotated[list[str], typer.Argument(help="What `weir spool ls` shows, or patterns such as '*'.")]


@app.command("ls")
def spool_ls(
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """List ended jobs that wait, logs that will be tried again, and what was refused, with reasons."""
    from rich.table import Column, Table

    from weir.agents import config
    from weir.shipping import quarantine
    from weir.text import printable
    from weir.views import log_view

    table = Table(
        "state", "since (UTC)", "job", *(Column(each, overflow="fold") for each in ("what", "reason"))
    )
    for line in quarantine.lines(config.load()):
        since, job = f"{line.since:%Y-%m-%d %H:%M:%S}", str(line.job_id or "")
        if as_json:
            typer.echo(json.dumps(vars(line) | {"since": line.since.isoformat()}))
        table.add_row(line.state, since, job, printable(line.what), printable(line.reason))
    if not as_json:
        log_view.console().print(table)


@app.command("retry")
def spool_retry(patterns: Patterns) -> None:
    """Let the daemon try refused logs and manifests again."""
    from weir.agents import config
    from weir.shipping import quarantine

    echo_all(quarantine.retry(config.load(), patterns), "nothing that was refused matches")


@app.command("purge")
def spool_purge(patterns: Patterns) -> None:
    """Take what was refused off the list for good; the files stay where they are."""
    from weir.agents import config
    from weir.shipping import quarantine

    echo_all(quarantine.purge(config.load(), patterns), "nothing that was refused matches")
