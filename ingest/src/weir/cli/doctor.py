"""Command `weir doctor`."""

import sys
from typing import Annotated

import typer

from weir.cli import alone
from weir.errors import UserError

app = alone()


@app.command("doctor")
def doctor_command(
    agents: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ship|scheduler|devices]...", help="Those that the file has a section of."),
    ] = None,
) -> None:
    """Look at all that the agents of this machine need, and say what is wrong and how to mend it.

    Exit code 0: all is well; 1: something is not.
    """
    from rich.table import Column, Table
    from rich.text import Text

    from weir import doctor
    from weir.agents import config
    from weir.text import printable
    from weir.views import log_view

    found = config.load()
    if unknown := set(agents or ()) - set(doctor.TOPICS):
        raise UserError(f"{', '.join(sorted(unknown))}: the agents are {', '.join(doctor.TOPICS)}")
    checks = list(doctor.examine(found, agents or found.agents))
    whole = (Column(each, overflow="fold") for each in ("what", "seen", "how to mend it"))  # paths stay whole
    table = Table("", *whole, box=None, header_style="dim")
    for check in checks:
        mark = Text("ok", "green") if check.good else Text("bad", "red")
        table.add_row(mark, *(printable(each) for each in (check.subject, check.seen, check.way_out)))
    log_view.console().print(table)
    sys.exit(0 if all(check.good for check in checks) else 1)
