"""`weir sql list` and `weir sql schema` as they are printed."""

from itertools import groupby

from rich.table import Table
from rich.text import Text

from weir.errors import UserError
from weir.sql.dictionary import Column
from weir.sql.questions import Question
from weir.views.log_view import console


def print_questions(questions: dict[str, Question]) -> None:
    """Print a line for each saved question, with its parameters below it."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("name", no_wrap=True)
    table.add_column("question")
    for name, question in questions.items():
        table.add_row(Text(name, "bold"), Text(question.question))
        for parameter, about in question.parameters.items():
            default = "needed" if about.default is None else f"{about.default}"
            table.add_row("", Text(f"--set {parameter}=...: {about.meaning} ({default})", "dim"))
    console().print(table)


def print_schema(columns: list[Column], table: str | None) -> None:
    """Print the tables with how many columns they have, or the columns of one."""
    known = {name: list(own) for name, own in groupby(columns, key=lambda column: column.table)}
    if table is not None and table not in known:
        raise UserError(f"{table}: no such table. There are: {', '.join(known)}.")
    shown = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    if table is None:
        for header in ("table", "columns"):
            shown.add_column(header)
        for name, own in known.items():
            shown.add_row(Text(name, "bold"), str(len(own)))
    else:
        for header in ("column", "type", "meaning"):
            shown.add_column(header)
        for column in known[table]:
            shown.add_row(Text(column.name, "bold"), Text(column.type), Text(column.meaning))
    console().print(shown)
