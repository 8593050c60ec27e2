"""Options and values that several commands have in common."""

from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo

import typer

Records = Annotated[list[Path], typer.Argument(help="Files of records.", show_default=False)]
AsLines = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
ZoneName = Annotated[str, typer.Option("--timezone", help="IANA zone of times that are written without one.")]
Cluster = Annotated[str | None, typer.Option(help="Where more than one has published a site file.")]
Since = Annotated[str, typer.Option(help="How far back: 36h or 7d.")]


def zone_named(name: str) -> ZoneInfo:
    """Return the zone of this name; wrong usage where there is none."""
    try:
        return ZoneInfo(name)
    except (KeyError, OSError, ValueError):
        raise typer.BadParameter(
            f"{name!r} is no IANA zone, such as Europe/Berlin", param_hint="--timezone"
        ) from None


def duration(text: str) -> timedelta:
    """Return how long `36h` or `7d` is; wrong usage for anything else."""
    units = {"h": "hours", "d": "days"}
    if not text[:-1].isdecimal() or text[-1:] not in units:
        raise typer.BadParameter(f"{text!r}: expected such as 36h or 30d", param_hint="--since")
    number = int(text[:-1])
    if number > 100_000:
        raise typer.BadParameter(f"{text!r}: at most 100000{text[-1]}", param_hint="--since")
    return timedelta(**{units[text[-1]]: number})


def echo_published(what: str, revision: int, changed: bool) -> None:
    """Print the revision of a published document."""
    typer.echo(f"{what}: revision {revision} {'published' if changed else 'is active already'}")


def echo_all(lines: Iterable[str], nothing: str) -> None:
    """Print lines as they come, or `nothing` where there are none."""
    empty = True
    for line in lines:
        typer.echo(line)
        empty = False
    if empty:
        typer.echo(nothing)
