"""Commands `weir log ...`."""

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from weir.cli import group
from weir.errors import UserError, complain

app = group("log")

LogFile = Annotated[Path, typer.Argument(help="A Darshan log.", show_default=False)]


@app.command("show")
def log_show(
    files: Annotated[list[Path], typer.Argument(help="Darshan logs.", show_default=False)],
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object a log, on a line of its own.")
    ] = False,
) -> None:
    """Show what logs hold: the run, its modules and their state, bytes, performance, top files, heatmap.

    Exit code 0: all were read; 1: one could not be read at all; 2: wrong usage; 3: all were read, but a
    module or the names of one are damaged, or its file holds more than the log.
    """

    from weir.errors import Refused
    from weir.logs import log_facts
    from weir.views import log_view

    refused = damaged = False
    for file in files:
        try:
            facts = log_facts.read(file)
        except Refused as error:
            refused = True
            if as_json:
                typer.echo(json.dumps({"file": str(file), "error": error.reason}))
            else:
                complain(f"{file}: {error.reason}")
            continue
        damaged |= facts.damaged
        if as_json:
            typer.echo(json.dumps(log_facts.as_object(facts), allow_nan=False))
        else:
            log_view.console().print(log_view.show(facts))
    sys.exit(1 if refused else 3 if damaged else 0)


class RecordFormat(StrEnum):
    """What `weir log records` prints."""

    csv = "csv"
    jsonl = "jsonl"
    avro = "avro"


@app.command("records")
def log_records(
    file: LogFile,
    module: Annotated[str, typer.Option(help="By Darshan's name: POSIX, MPI-IO, DXT_POSIX, ...")],
    form: Annotated[RecordFormat, typer.Option("--format", help="Of what is printed.")] = RecordFormat.csv,
) -> None:
    """Print a module's records under Darshan's counter names, a row each.

    Of HEATMAP a row is a bin, of LUSTRE a stripe of a component (of one without stripes the component, its
    `ost` empty), of DXT a segment. Counters that the version of the module does not have are absent. Exit
    codes are those of `weir log show`.
    """
    from weir.errors import Refused
    from weir.logs import log_facts
    from weir.views import log_view

    try:
        _, log = log_facts.opened(file)
    except Refused as error:
        raise UserError(f"{file}: {error.reason}") from None
    module = next((each.name for each in log.modules if each.name.lower() == module.lower()), module)
    log_view.WRITERS[form](log_facts.blocks(log, module))
    state, damage = log.state(module), log.names.damage
    problems = [f"the names are damaged: {damage}"] if damage else []
    if state.state == "damaged":
        problems.append(f"{module} is damaged after {state.records_read} records: {state.reason}")
    if log.trailing:
        problems.append(f"not read: {log.trailing.reason}")
    for problem in problems:
        complain(f"{file}: {problem}")
    sys.exit(3 if problems else 0)
