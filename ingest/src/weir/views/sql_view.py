"""`weir sql list` and `weir sql schema` as they are printed."""

from collections import Counter

from rich.table import Table
from rich.text import Text

from weir.errors import UserError
from weir.sql import dictionary
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


def print_schema(tables: list[dictionary.Table], columns: list[dictionary.Column], table: str | None) -> None:
    """Print what each table has a row of, or the same and the columns of one."""
    known = {each.name: each.meaning for each in tables}
    if table is not None and table not in known:
        # a view that is asked with a range has it in its name
        table = next((name for name in known if name.startswith(f"{table}(")), table)
    if table is not None and table not in known:
        raise UserError(f"{table}: no such table. There are: {', '.join(known)}.")
    shown = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    if table is None:
        numbers = Counter(column.table for column in columns)
        shown.add_column("table", no_wrap=True)
        shown.add_column("columns", justify="right")
        shown.add_column("a row is")
        for name, meaning in known.items():
            shown.add_row(Text(name, "bold"), str(numbers[name]), Text(meaning))
    else:
        console().print(Text(known[table]))
        for header in ("column", "type", "meaning"):
            shown.add_column(header)
        for column in columns:
            if column.table == table:
                shown.add_row(Text(column.name, "bold"), Text(column.type), Text(column.meaning))
    console().print(shown)
