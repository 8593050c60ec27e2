"""The command `weir`: a file of this folder for each command or group of them.

Only the file of the command that is called is imported, and modules are imported where they are used, so that
every command starts at once.
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Annotated

import typer
from typer.core import TyperGroup

from weir.errors import UserError, complain

if TYPE_CHECKING:
    from typer._click import Command, Context, HelpFormatter

COMMANDS = {
    "analyze": "Show what a job's I/O did and cost, whose fault it is if that was slow, and what to change.",
    "log": "Darshan logs: what they hold.",
    "scheduler": "Scheduler records: what files of them say.",
    "devices": "Device samples: what files of them say.",
    "agent": "The agents, which run until they get SIGTERM.",
    "spool": "Logs that wait for shipping, or were refused.",
    "backfill": "Publish logs of the past whose runs began from one day to another, both included.",
    "doctor": "Look at all that the agents of this machine need, and say what is wrong and how to mend it.",
    "check-config": "Report everything that is wrong in the agents' file and the site file that it names.",
    "sql": "Ask the tables: a prompt, one statement, or a saved question.",
    "topics": "Kafka topics, as schemas/topics.yaml declares them.",
    "migrate": "ClickHouse tables, as schemas/clickhouse numbers them.",
    "site": "The site file: what the center is made of.",
    "rules": "The rules that find things.",
    "reference": "Reference rates: what comparable runs reached.",
    "pipeline": "How the pipeline itself does.",
    "reconcile": "Join runs whose job the stream had forgotten: publish its stored records again.",
    "replay": "Publish a recorded center as if it were happening now.",
    "notify": "Deliver the alerts on weir.alert to people, each at most once, until SIGTERM.",
    "person": "What Weir holds of one person: export it, erase it.",
    "alerts": "Messages to users and operators.",
}
"""Each command or group, as `weir --help` shows it."""


class Lazily(TyperGroup):
    """Finds a command in the file of its name when it is called."""

    def list_commands(self, ctx: "Context") -> list[str]:
        """Return all names in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: "Context", cmd_name: str) -> "Command | None":
        """Import the command; None if there is none of this name."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"weir.cli.{cmd_name.replace('-', '_')}")
        return typer.main.get_command(module.app)

    def format_commands(self, ctx: "Context", formatter: "HelpFormatter") -> None:
        """Write the list of commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def alone() -> typer.Typer:
    """Return an app that holds one command; its help is plain: paragraphs flow, nothing slow is imported."""
    return typer.Typer(add_completion=False, rich_markup_mode=None)


def group(name: str) -> typer.Typer:
    """Return an app for a group of commands."""
    app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None, help=COMMANDS[name])
    app.callback()(lambda: None)  # else the only command of a group would be taken for the group
    return app


app = typer.Typer(
    cls=Lazily,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"weir {version('weir')}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_print_version, help="Print the version.")
    ] = False,
) -> None:
    """Weir: live I/O analytics for computing centers."""


def main() -> None:
    """Entry point: a UserError is one or more plain lines on stderr and exit code 1."""
    try:
        app()
    except UserError as error:
        complain(str(error))
        sys.exit(1)
