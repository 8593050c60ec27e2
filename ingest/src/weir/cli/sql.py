"""The command `weir sql`."""

import os
import re
import shlex
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import IO, Annotated

import typer

from weir.cli import alone
from weir.cli.options import duration
from weir.errors import UserError
from weir.text import printable

app = alone()

SCHEMA, LIST = "schema", "list"


@app.command(no_args_is_help=False)
def sql(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SQL | NAME | list | schema [TABLE]]",
            help="A statement, the name of a saved question, or what to show.",
            show_default=False,
        ),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(
            help="How far back a saved question looks: 36h or 30d.",
            show_default="30d, or what the question says",
        ),
    ] = None,
    cluster: Annotated[
        str, typer.Option(help="The only cluster that a saved question looks at.", show_default="all")
    ] = "",
    given: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the question.", show_default=False),
    ] = None,
    form: Annotated[
        str,
        typer.Option("--format", help="table, csv, json (an object a line) or parquet."),
    ] = "table",
    output: Annotated[Path | None, typer.Option(help="The file to write, instead of the terminal.")] = None,
) -> None:
    """Ask the tables: a prompt, one statement, or a saved question.

    Without words a prompt opens; where the input is no terminal, the statement is read from it. `weir sql
    list` shows the saved questions, `weir sql schema` the tables and what a row of each is, `weir sql schema
    TABLE` its columns with what they mean. In a statement {since:DateTime('UTC')} and
    {until:DateTime('UTC')} stand for the range, {cluster:String} for the cluster; --set gives each of them
    another value. The parameters of a question may stand behind its name, as they do at the prompt.
    Statements run as the login of readers.
    """
    from weir.sql import questions

    told = words or []
    if told[:1] == [LIST]:
        from weir.views import sql_view

        sql_view.print_questions(questions.saved())
        return
    from weir import clickhouse, settings

    client = clickhouse.connect_reader(settings.load_reader())
    if told[:1] == [SCHEMA]:
        from weir.sql import dictionary
        from weir.views import sql_view

        known = dictionary.tables(client), dictionary.columns(client)
        sql_view.print_schema(*known, told[1] if len(told) > 1 else None)
        return

    from weir.sql import asking

    if form not in asking.FORMATS:
        raise typer.BadParameter(f"{form!r} is none of {', '.join(asking.FORMATS)}", param_hint="--format")
    if form == "parquet" and output is None and sys.stdout.isatty():
        raise UserError("Parquet is not for the eye: name a file with --output, or pipe it.")
    looks_back = None if since is None else duration(since)
    set_values, saved = _pairs(given), questions.saved()
    options = {"since": since, "cluster": cluster} | set_values

    def answer(text: str, parameters: list[str] | None = None, *, once: bool = False) -> None:
        """Ask; without `parameters` a question has them in the text; `once`: a statement uses all options."""
        text = text.strip().rstrip("; \n")
        name, *more = text.split(maxsplit=1) or [""]
        question = saved.get(name)
        until = datetime.now(UTC)
        its_own = timedelta(days=question.days if question else questions.MONTH)
        start = until - (its_own if looks_back is None else looks_back)
        looked_at = {"since": f"{start:%F %T}", "until": f"{until:%F %T}", "cluster": cluster}
        values = looked_at | set_values
        if question:
            words = _words("".join(more)) if parameters is None else parameters
            values = question.values(values | _pairs(words))
        else:
            _refuse_name(name, text, [*saved])
            if once:
                _refuse_unused({option for option, value in options.items() if value}, text)
        statement = question.sql if question else text
        if not _is_text(statement):
            raise UserError("There is no statement, or it is not UTF-8: weir sql 'SELECT ...'.")
        for_terminal = form == "table" or (output is None and sys.stdout.isatty())
        ask = partial(asking.ask, client, statement, values, form, for_terminal=for_terminal)
        if output is None:
            written = ask(sys.stdout.buffer)
            sys.stdout.buffer.flush()
            if not written:
                typer.echo("No rows.", err=True)
        else:
            _write(output, ask)

    if told and told[0] in saved:
        answer(told[0], [word for word in told[1:] if word != "--set"])
    elif told:
        answer(" ".join(told), once=True)
    elif sys.stdin.isatty():
        from weir.sql import dictionary, prompt

        home = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state")
        known = dictionary.tables(client), dictionary.columns(client)
        prompt.talk(answer, *known, [*saved], home / "weir/sql_history")
    else:
        answer(os.fsdecode(sys.stdin.buffer.read()), once=True)


def _refuse_name(name: str, text: str, known: list[str]) -> None:
    """Raise UserError for what is meant as the name of a question and is none; let statements through."""
    alike = get_close_matches(name, known, cutoff=0.75)
    if alike or re.fullmatch(r"\w+", text):
        meant = f" Did you mean {' or '.join(alike)}?" if alike else ""
        raise UserError(
            f"{printable(name)}: no saved question has this name.{meant} They are in: weir sql list"
        )


def _refuse_unused(options: set[str], statement: str) -> None:
    """Raise UserError for an option of which a statement has no parameter: whoever gives it expects less."""
    from weir.sql import asking

    for option in sorted(options - {*asking.PARAMETER.findall(statement)}):
        raise UserError(
            f"{printable(option)} is given, and the statement has no {{{printable(option)}:...}}."
        )


def _is_text(statement: str) -> bool:
    """Whether there is something to ask, and in UTF-8: other bytes come as surrogates."""
    return bool(statement) and not any("\ud800" <= letter <= "\udfff" for letter in statement)


def _write(file: Path, ask: Callable[[IO[bytes]], int]) -> None:
    """Write a whole answer, or leave the file as it was."""
    if file.exists() and not file.is_file():
        raise UserError(f"{file} is no file that could be replaced. Name another one, or leave --output out.")
    file = file.resolve()
    part = file.with_name(f".{file.name}.part")
    try:
        with part.open("wb") as out:
            ask(out)
        part.replace(file)
    except OSError as error:
        raise UserError(f"{file}: {error.strerror}. Name another file.") from None
    finally:
        with suppress(OSError):
            part.unlink()


def _words(text: str) -> list[str]:
    """Split what follows the name of a question at the prompt; --set may stand before each parameter."""
    words = shlex.shlex(text, posix=True, punctuation_chars=False)
    words.whitespace_split, words.escape, words.commenters = True, "", ""  # a backslash is one of a name
    try:
        return [word for word in words if word != "--set"]
    except ValueError as error:
        raise UserError(f"{text}: {error}. Quote a value with spaces: since='2026-05-10 03:00'.") from None


def _pairs(given: list[str] | None) -> dict[str, str]:
    pairs = {}
    for text in given or []:
        name, equals, value = text.partition("=")
        if not equals:
            raise UserError(f"{printable(text)}: expected NAME=VALUE, a parameter of the question.")
        pairs[name] = value
    return pairs
