"""Reads the saved questions: `schemas/queries/<name>.sql`, a comment that describes it and its SQL."""

import re
from datetime import UTC, datetime
from functools import cache
from math import isfinite
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from weir.errors import UserError
from weir.schemas_dir import SCHEMAS
from weir.text import printable

PLACE = re.compile(r"\{(\w+):([^{}]+)\}")
"""Where a statement has a parameter: `{name:Type}`."""


MONTH = 30
"""Days."""


class Parameter(BaseModel):
    """A value that a question asks for, of a type of ClickHouse."""

    model_config = ConfigDict(extra="forbid")

    type: str
    meaning: str
    default: Any = None


TIME = "DateTime64(6, 'UTC')"
BUILT_IN = {
    "since": Parameter(type=TIME, meaning="where the range begins, in UTC"),
    "until": Parameter(type=TIME, meaning="where the range ends, in UTC"),
    "cluster": Parameter(
        type="String", meaning="the only cluster that is looked at; empty for all", default=""
    ),
}
"""Parameters of every question, which none declares: the range and the cluster that are looked at."""


class Question(BaseModel):
    """A saved question and the SQL that answers it, in which `{name:Type}` stands for a parameter."""

    model_config = ConfigDict(extra="forbid")

    title: str
    question: str
    note: str | None = None
    source: str | None = None
    days: int = Field(MONTH, ge=1)
    """Days that it looks back where nothing else is said; fewer where a month has too many rows for it."""
    parameters: dict[str, Parameter] = {}
    example: str = ""
    """What it answers of a small center, as CSV with the names of its columns."""
    sql: str

    def values(self, given: dict[str, str]) -> dict[str, str]:
        """Return all parameters with what was given for them; UserError for unknown and for missing ones."""
        parameters = BUILT_IN | self.parameters
        unknown = given.keys() - parameters.keys()
        if unknown:
            known = ", ".join([*self.parameters, *BUILT_IN])
            raise UserError(f"--set {min(unknown)}: no such parameter. There are: {known}.")
        defaults = {
            name: str(parameter.default)
            for name, parameter in parameters.items()
            if parameter.default is not None
        }
        values = defaults | given
        for name, parameter in parameters.items():
            if name not in values:
                raise UserError(f"Say {parameter.meaning}: --set {name}=...")
        return {name: _checked(name, parameters[name].type, value) for name, value in values.items()}

    def statement(self, span: dict[str, str] | None = None) -> str:
        """Return the SQL as one that runs by itself: each parameter is its default, behind its name.

        The range is `span`, as `last_days` gives its own. What has no default is the empty text, which
        nothing is called.
        """
        span = span or self.last_days()
        parameters = BUILT_IN | self.parameters
        head = [self.question, "What can be changed stands behind its name:"]
        head += [f"{name}: {about.meaning}" for name, about in parameters.items()]
        sql = PLACE.sub(
            lambda place: f"/* {place[1]} */ {span.get(place[1]) or _literal(parameters[place[1]])}",
            self.sql,
        )
        return "".join(f"-- {line}\n" for line in head) + sql

    def last_days(self) -> dict[str, str]:
        """Return the range where none is given, in SQL."""
        return {"since": f"(now64(6, 'UTC') - INTERVAL {self.days} DAY)", "until": "now64(6, 'UTC')"}


def _checked(name: str, type_: str, value: str) -> str:
    """Return a value as its type writes it; UserError for one that is none.

    ClickHouse takes 30 February for 2 March, and of a number that is too large the last digits.
    """
    number = re.fullmatch(r"UInt(\d+)", type_)
    try:
        if type_ == TIME:
            time = datetime.fromisoformat(value)
            time = time.astimezone(UTC) if time.tzinfo else time
            if not 1900 <= time.year < 2300:
                raise ValueError
            return f"{time:%F %T.%f}"
        if number and not (value.isdecimal() and int(value) < 2 ** int(number[1])):
            raise ValueError
        if type_ == "Float64" and not isfinite(float(value)):
            raise ValueError
    except (ValueError, OverflowError):
        expected = (
            "a time in UTC from 1900 to 2299, such as '2026-05-10 03:00'"
            if type_ == TIME
            else f"a whole number below {2 ** int(number[1])}"
            if number
            else "a number"
        )
        raise UserError(f"{name}={printable(value)}: expected {expected}.") from None
    return value


def _literal(parameter: Parameter) -> str:
    """Return the default of a parameter in SQL."""
    text = "" if parameter.default is None else str(parameter.default)
    if parameter.type != "String":
        return text
    escaped = text.replace("\\", r"\\").replace("'", r"\'")
    return f"'{escaped}'"


@cache
def saved(folder: Path = SCHEMAS / "queries") -> dict[str, Question]:
    """Return all saved questions by name, in order; UserError names the file that is wrong."""
    return {file.stem: _read(file) for file in sorted(folder.glob("*.sql"))}


def _read(file: Path) -> Question:
    comment, end, sql = file.read_text(encoding="utf-8").partition("*/")
    if not comment.startswith("/*") or not end:
        raise UserError(f"{file}: begins with no comment /* title: ... */ that describes the question.")
    try:
        described = yaml.safe_load(comment.removeprefix("/*"))
        return Question.model_validate({**described, "sql": sql.strip()})
    except (yaml.YAMLError, ValidationError, TypeError) as error:
        raise UserError(f"{file}: {error}") from None
