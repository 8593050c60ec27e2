"""Command `weir analyze`."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weir.cli import alone
from weir.errors import UserError, complain

if TYPE_CHECKING:
    from weir.analyze.offline import Analysis

app = alone()


@app.command("analyze")
def analyze_command(
    logs: Annotated[
        list[Path], typer.Argument(help="Darshan logs, or directories of them.", show_default=False)
    ],
    site: Annotated[
        Path | None, typer.Option(help="Site file: file systems, what they can do, their devices.")
    ] = None,
    sacct: Annotated[
        Path | None, typer.Option(help="Scheduler's records, as weir scheduler parse reads them.")
    ] = None,
    iostat: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SERVER=FILE",
            help="Device samples of a server, as weir devices parse reads them; repeat it.",
        ),
    ] = None,
    nodes: Annotated[
        int | None, typer.Option(min=1, help="Compute nodes of the job, where there is no --sacct.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option(help="Write one self-contained page with plots here, not to the terminal.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object a run, on a line of its own.")
    ] = False,
) -> None:
    """Show what a job's I/O did and cost, whose fault it is if that was slow, and what to change.

    The same analysis as on the stream, for logs that lie here; it needs Java 17. Logs of one job make one
    report; the memory-mapped logs of the killed processes of a run are merged. Without --site every mounted
    file system in a log is judged, and what it could do is not known.
    How grave a finding is follows from the node-hours lost; where the job's nodes are not known, from the
    I/O time, the most that can be lost, and never above warning. It is info where the run is not slow.

    Exit code 0: all was read, whatever was found; 1: a log or a file beside it could not be read, or a record
    in that one (the others are reported); 2: wrong usage; 3: all was read, but a module of a log is damaged,
    or a file holds more than its log.
    """

    from weir.analyze import jvm
    from weir.logs import log_files

    if nodes and sacct:
        raise typer.BadParameter("--sacct tells the nodes already", param_hint="--nodes")
    beside = _by_server(iostat or [])
    logs = log_files.expanded(logs)
    # it starts while the rest is imported; without a log there is nothing for it to do
    program = jvm.judging(site) if any(map(log_files.begins_as_log, logs)) else None
    from weir.analyze import offline

    try:
        inputs = offline.Inputs(site, sacct, beside, nodes)
        found = offline.analyze(
            logs, inputs, program, _ready_to_report if html or not as_json else lambda: None
        )
    except offline.WrongNodes as error:
        raise typer.BadParameter(str(error), param_hint="--nodes") from None
    if as_json:
        for facts in offline.as_objects(logs, found):
            typer.echo(json.dumps(facts, allow_nan=False))
    if html:
        _write_page(html, found)
    if not as_json and not html:
        _print_reports(found)
    for file, reason in _shown(found.refused):
        complain(f"{file}: {reason}")
    sys.exit(1 if found.refused else 3 if found.damaged else 0)


def _ready_to_report() -> None:
    """Import and read what a report takes."""
    from weir.report import render, view, words  # noqa: F401
    from weir.views import log_view  # noqa: F401

    words.words()


def _by_server(pairs: list[str]) -> dict[str, list[Path]]:
    files: dict[str, list[Path]] = {}
    for pair in pairs:
        server, _, file = pair.partition("=")
        if not server or not file:
            raise typer.BadParameter(f"{pair!r} is not of the form SERVER=FILE", param_hint="--iostat")
        files.setdefault(server, []).append(Path(file))
    return files


def _shown(refused: list[tuple[Path, str]]) -> list[tuple[str, str]]:
    if not refused:
        return []
    from weir.report.view import shown

    return [(shown(str(file)), shown(reason)) for file, reason in refused]


def _write_page(file: Path, found: "Analysis") -> None:
    from weir.report import render, view

    try:
        file.write_text(render.page(view.reports(found), _shown(found.refused)), encoding="utf-8")
    except OSError as error:
        raise UserError(f"{file}: {error.strerror}. Give --html a file that can be written.") from None


def _print_reports(found: "Analysis") -> None:
    from weir.report import render, view
    from weir.views import log_view

    console = log_view.console()
    for report in view.reports(found):
        console.print(render.text(report, min(console.width, render.WIDTH)), soft_wrap=True)
