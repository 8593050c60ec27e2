"""Commands `weir log ...`."""

import json
import re
import signal
import sys
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, NoReturn

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


@app.command("report")
def log_report(
    log_ids: Annotated[
        list[str], typer.Argument(metavar="LOG_ID...", help="Ids of logs, of one job.", show_default=False)
    ],
    site: Annotated[Path, typer.Option(help="Site file, whose log_directories are looked into.")],
    within: Annotated[
        int | None, typer.Option(min=1, help="Give up after so many seconds.", show_default=False)
    ] = None,
) -> None:
    """Write the report of runs that have landed, one page of HTML, to the standard output.

    The log is found by what the tables know of it (WEIR_CONFIG, as for weir sql) and judged alone, as weir
    analyze does without samples and scheduler records; of names and commands the page has no more than the
    site file's privacy lets leave. Superset calls this for the link on the page of a run or job.
    """
    from weir import clickhouse, documents, settings
    from weir.shipping import landed

    if wrong := [each for each in log_ids if not re.fullmatch("[0-9a-f]{32}", each)]:
        raise typer.BadParameter(f"{wrong[0]!r} is no log_id, 32 hexadecimal digits", param_hint="LOG_ID")
    if within:
        signal.signal(signal.SIGALRM, partial(_too_long, within))
        signal.alarm(within)
    center = documents.site_of_agents(site, "ship")
    runs = landed.known(clickhouse.connect_reader(settings.load_reader()), log_ids, center["cluster"])
    typer.echo(landed.page(runs, center, site), nl=False)


def _too_long(seconds: int, *_: object) -> NoReturn:
    raise UserError(f"The report takes longer than {seconds} s; without --within it is waited for.")


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
