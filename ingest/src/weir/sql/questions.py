"""Reads the saved questions: `schemas/queries/<name>.sql`, a comment that describes it and its SQL."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from weir.errors import UserError
from weir.schemas_dir import SCHEMAS

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
        return values

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
