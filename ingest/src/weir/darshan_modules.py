"""Reads what `schemas/darshan/modules.yaml` says of Darshan's modules; its head explains the keys."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from weir import yaml_file
from weir.schemas_dir import SCHEMAS


@dataclass(frozen=True)
class Version:
    """What a version of a module's records has beside, and has not of, those before it."""

    release: str
    adds: Sequence[str] = ()
    drops: Sequence[str] = ()


@dataclass(frozen=True)
class Row:
    """Columns of a published row that are no counters."""

    ints: Sequence[str] = ()
    floats: Sequence[str] = ()


@dataclass(frozen=True)
class DarshanModule:
    """One module that is decoded."""

    names: str
    versions: Mapping[int, Version]
    prefix: str = ""
    table: str | None = None
    ints: Sequence[str] = ()
    floats: Sequence[str] = ()
    head: Mapping[str, str] = field(default_factory=dict)
    tail: Mapping[str, str] = field(default_factory=dict)
    part: Mapping[str, str] = field(default_factory=dict)
    sums: Mapping[str, Sequence[str]] = field(default_factory=dict)
    mixed: str = ""
    row: Row = field(default_factory=Row)

    @property
    def newest(self) -> int:
        """The newest version of its records."""
        return max(self.versions)

    @property
    def has_counters(self) -> bool:
        """Whether a record has one set of counters, and so a fixed size."""
        return bool(self.ints) and not self.part

    def of_version(self, names: Iterable[str], version: int) -> tuple[str, ...]:
        """Returns those of its counters or fields that records of a version have."""
        absent: set[str] = set()
        for number, each in self.versions.items():
            absent.update(each.adds if number > version else each.drops)
        return tuple(name for name in names if name not in absent)


@cache
def modules() -> dict[str, DarshanModule]:
    """Returns the modules that are decoded, by Darshan's name."""
    return {name: _module(declared) for name, declared in _content()["modules"].items()}


@cache
def slots() -> dict[str, list[str]]:
    """Returns the module of each slot of a log's header, by the log format from which on it holds."""
    return dict(_content()["slots"])


@cache
def _content() -> Any:
    return yaml_file.load(SCHEMAS / "darshan/modules.yaml")


def _module(declared: Mapping[str, Any]) -> DarshanModule:
    versions = {number: Version(**each) for number, each in declared["versions"].items()}
    return DarshanModule(**{**declared, "versions": versions, "row": Row(**declared.get("row", {}))})
