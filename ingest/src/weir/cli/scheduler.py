"""Commands `weir scheduler ...`."""

import sys
from typing import Annotated

import typer

from weir.cli import group
from weir.cli.options import AsLines, Records, ZoneName, zone_named
from weir.formats import SchedulerFormat

app = group("scheduler")


@app.command("parse")
def scheduler_parse(
    files: Records,
    form: Annotated[
        SchedulerFormat | None, typer.Option("--format", help="If not by how the file begins.")
    ] = None,
    zone: ZoneName = "UTC",
    cluster: Annotated[
        str | None, typer.Option(help="Of jobs whose records name none; of PBS, instead of the server.")
    ] = None,
    fields: Annotated[
        str | None, typer.Option(help="sacct's fields in order, where there is no header: JobID,User,...")
    ] = None,
    as_json: AsLines = False,
) -> None:
    """Read scheduler records: sacct --parsable2 (any fields, order, delimiter), sacct --json, PBS accounting.

    With --json an object for each job and step, or of PBS for each record of a job's state; times in UTC.
    What is not understood is an object too: file, position, line, field, error.

    Exit code 0: all was understood; 1: a file could not be read at all; 2: wrong usage; 3: all were read, but
    a line or a job was not understood.
    """
    from weir.formats import scheduler
    from weir.views import file_views, parse_view

    how = scheduler.How(zone_named(zone), form, cluster, fields.split(",") if fields else None)
    sys.exit(
        parse_view.print_files(
            files, as_json, lambda file: scheduler.objects(file, how), file_views.SchedulerFile
        )
    )
