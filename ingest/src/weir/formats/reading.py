"""What the readers of scheduler records and of device samples share: lines, JSON items, refusals, times."""

import codecs
import io
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import IO, Any

import ijson

from weir.errors import Refused

LONGEST_LINE = 16 << 20
_HEAD = 1 << 16
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_SECOND = 253_402_300_799  # of the year 9999


class FieldError(ValueError):
    """A field that can't be understood: its name and why."""

    def __init__(self, field: str, why: str):
        super().__init__(f"{field}: {why}")
        self.field = field


def refused(error: ValueError, position: str, data: bytes = b"") -> Refused:
    """What a reader yields in the place of what it did not understand."""
    return Refused(str(error), position, data, getattr(error, "field", None))


def head(file: Path) -> bytes:
    """The first bytes of a file, by which its format is known; OSError where it can't be read."""
    with file.open("rb") as stream:
        return stream.read(_HEAD)


def numbered_lines(stream: IO[bytes]) -> Iterator[tuple[int, bytes] | Refused]:
    """(number from 1, line without its end); a Refused for a line too long to be held."""
    number = 0
    while line := stream.readline(LONGEST_LINE):
        number += 1
        if len(line) < LONGEST_LINE or line.endswith(b"\n"):
            yield number, line.rstrip(b"\r\n")
            continue
        while (rest := stream.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
            pass
        yield Refused(f"longer than {LONGEST_LINE:,} bytes", f"line {number}", line[:1024])


# --- JSON ------------------------------------------------------------------------------------------------


def json_items(file: Path, prefix: str, what: str) -> Iterator[Any]:
    """The items at `prefix` of a document, one at a time, then a Refused if it is cut or no JSON.

    `what` names an item in the Refused's position. Text of items is for `json_text` to mend.
    """
    number = 0
    with file.open("rb") as stream:
        text = _Utf8(stream)  # named, as the stream closes with it
        try:
            for item in ijson.items(text, prefix, use_float=True):
                number += 1
                yield item
        except ijson.JSONError as error:
            reason = f"not whole JSON: {str(error).splitlines()[0]}"
            yield Refused(reason, f"{what} {number + 1}, byte {stream.tell()}")


def json_has(file: Path, prefix: str) -> bool:
    """Whether a whole document has anything at `prefix`, if only an empty list."""
    with file.open("rb") as stream:
        return any(place == prefix for place, _, _ in ijson.parse(_Utf8(stream)))


def json_text(value: str) -> str:
    """Text of an item as `weir.text.escape` would have given it."""
    return value.replace("\\", "\\\\").replace("\0", "\\")


def _marked(error: UnicodeError) -> tuple[str, int]:
    """JSON for the bytes that are not UTF-8: NUL, which no name holds, and `xNN`."""
    assert isinstance(error, UnicodeDecodeError)
    return "".join(f"\\u0000x{byte:02x}" for byte in error.object[error.start : error.end]), error.end


codecs.register_error("weir.json", _marked)


class _Utf8:
    """A stream of bytes that JSON readers take, as they refuse a whole document for one byte in a name."""

    def __init__(self, stream: IO[bytes]):
        self._text = io.TextIOWrapper(stream, "utf-8", "weir.json", newline="")

    def read(self, size: int = -1) -> bytes:
        return self._text.read(size).encode()


# --- times -----------------------------------------------------------------------------------------------


def unix_second(field: str, value: int) -> int:
    """`value` if it is a second up to the year 9999, else FieldError."""
    if not 0 <= value <= _LAST_SECOND:
        raise FieldError(field, f"{value} is no Unix second")
    return value


def local_seconds(field: str, time: datetime, zone: tzinfo) -> list[int]:
    """Unix seconds that `time` may be: two in the hour that comes twice in autumn; a zone of its own counts.

    FieldError in the hour that is left out in spring.
    """
    local = time if time.tzinfo else time.replace(tzinfo=zone)
    first, second = (unix_second(field, int(local.replace(fold=fold).timestamp())) for fold in (0, 1))
    if first == second:
        return [first]
    if first > second:  # either side of the change says that it is on the other
        raise FieldError(field, f"{time} does not exist in {zone}, whose clocks leave it out")
    return [first, second]


def iso(microseconds: int | None) -> str | None:
    """UTC as 2026-11-21T07:59:10Z, with a fraction where there is one."""
    if microseconds is None:
        return None
    return (_EPOCH + timedelta(microseconds=microseconds)).isoformat().replace("+00:00", "Z")
