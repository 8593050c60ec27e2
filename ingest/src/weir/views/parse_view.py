"""`weir scheduler parse` and `weir devices parse` as they are printed."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

from rich.console import RenderableType

from weir.errors import Refused, UserError, complain
from weir.views.log_view import console

Found = Iterator[dict[str, Any] | Refused]


class Summary(Protocol):
    """What a person is shown of a file."""

    def add(self, record: dict[str, Any] | Refused) -> None: ...

    def shown(self) -> RenderableType: ...


def print_files(
    files: list[Path], as_json: bool, read: Callable[[Path], Found], summary: Callable[[Path], Summary]
) -> int:
    """Print what `read` gives of each file, object by object or summed up; returns the exit code."""
    unread = misunderstood = False
    for file in files:
        shown: Summary = summary(file)
        for record in _reported(file, read):
            if isinstance(record, UserError):
                unread = True
                _print_error(file, as_json, str(record).removeprefix(f"{file}: "))
                break
            shown.add(record)
            if isinstance(record, Refused):
                misunderstood = True
                _print_error(file, as_json, record.reason, record)
            elif as_json:
                sys.stdout.write(json.dumps(record, allow_nan=False) + "\n")
        else:
            if not as_json:
                console().print(shown.shown())
    return 1 if unread else 3 if misunderstood else 0


def _reported(file: Path, read: Callable[[Path], Found]) -> Iterator[dict[str, Any] | Refused | UserError]:
    """Gives why a file can't be read last, as an error that is not confused with one of printing."""
    if file.exists() and not file.is_file():
        yield UserError("no regular file; files are read more than once, so a pipe has to be written to one")
        return
    try:
        yield from read(file)
    except OSError as error:
        yield UserError(error.strerror or str(error))
    except UserError as error:
        yield error


def _print_error(file: Path, as_json: bool, reason: str, why: Refused | None = None) -> None:
    if as_json:
        place = {"position": why.position, "line": _line(why), "field": why.field} if why else {}
        sys.stdout.write(json.dumps({"file": str(file), **place, "error": reason}) + "\n")
    else:
        where = f"{file}: {why.position}" if why else str(file)
        complain(f"{where}: {reason}")


def _line(why: Refused) -> int | None:
    word, _, number = (why.position or "").partition(" ")
    return int(number) if word == "line" and number.isdigit() else None
