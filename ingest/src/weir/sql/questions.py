"""Reads the saved questions: `schemas/queries/<name>.sql`, a comment that describes it and its SQL."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from weir.errors import UserError
from weir.schemas_dir import SCHEMAS

RANGE = ("since", "until")
"""Parameters that every question may use without declaring them: the range that is looked at."""


class Parameter(BaseModel):
    """A value that a question asks for, of a type of ClickHouse."""

    model_config = ConfigDict(extra="forbid")

    type: str
    meaning: str
    default: Any = None


class Question(BaseModel):
    """A saved question and the SQL that answers it, in which `{name:Type}` stands for a parameter."""

    model_config = ConfigDict(extra="forbid")

    title: str
    question: str
    note: str | None = None
    source: str | None = None
    parameters: dict[str, Parameter] = {}
    sql: str

    def values(self, given: dict[str, str]) -> dict[str, str]:
        """Return all parameters with what was given for them; UserError for unknown and for missing ones."""
        unknown = given.keys() - self.parameters.keys()
        if unknown:
            known = ", ".join(self.parameters) or "none"
            raise UserError(f"--set {min(unknown)}: no such parameter. There are: {known}.")
        defaults = {
            name: str(parameter.default)
            for name, parameter in self.parameters.items()
            if parameter.default is not None
        }
        values = defaults | given
        for name, parameter in self.parameters.items():
            if name not in values:
                raise UserError(f"Say {parameter.meaning}: --set {name}=...")
        return values


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
