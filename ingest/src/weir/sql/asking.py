"""Asks ClickHouse as a reader, and writes the answer as it comes."""

import codecs
import re
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, Any

from clickhouse_connect.driver.exceptions import ClickHouseError
from urllib3.exceptions import HTTPError

from weir.clickhouse import reason
from weir.errors import UserError
from weir.text import printable

if TYPE_CHECKING:
    from clickhouse_connect.driver.client import Client

FORMATS = {
    "table": "PrettyCompactMonoBlock",
    "csv": "CSVWithNames",
    "json": "JSONEachRow",
    "parquet": "Parquet",
}
"""How an answer is written, and ClickHouse's name of it."""
PIECE_BYTES = 256 * 1024
PARAMETER = re.compile(r"\{(\w+):")
# Begins the message of an error that came while the answer was on its way.
BROKEN_OFF = b"\r\n__exception__\r\n"
# The message is no longer than this.
LAST_BYTES = 64 * 1024


def ask(
    client: "Client",
    sql: str,
    parameters: dict[str, str],
    form: str,
    out: IO[bytes],
    *,
    for_terminal: bool = False,
) -> int:
    """Write the answer to `out`, in one of FORMATS, and return how many bytes it has.

    With `for_terminal` without what a terminal would obey: names in it come from users and logs. JSON is of
    UTF-8 alone: other bytes of a text become U+FFFD.

    UserError says what ClickHouse refused or broke off.
    """
    written = 0
    # A statement without parameters is sent as it is: the client would take a % of it for one of Python's.
    named = {name: parameters[name] for name in PARAMETER.findall(sql) if name in parameters}
    try:
        answer: Any = client.raw_stream(sql, parameters=named, fmt=FORMATS[form])
        pieces = _complete(iter(lambda: answer.read1(PIECE_BYTES), b""))
        if for_terminal:
            pieces = _printable(pieces)
        elif form == "json":
            pieces = (text.encode() for text in codecs.iterdecode(pieces, "utf-8", "replace"))
        for piece in pieces:
            written += out.write(piece)
    except ClickHouseError as error:
        raise UserError(reason(str(error))) from None
    return written


def _printable(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Give the pieces with control characters written out, lines apart."""
    for text in codecs.iterdecode(pieces, "utf-8", "replace"):
        yield "\n".join(map(printable, text.split("\n"))).encode()


def _complete(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Give the pieces of an answer, its end held back until it is known to be no error."""
    held, lost = b"", ""
    try:
        for piece in pieces:
            held += piece
            if len(held) > LAST_BYTES:
                yield held[:-LAST_BYTES]
                held = held[-LAST_BYTES:]
    except HTTPError as error:
        lost = str(error)
    answer, broken, message = held.partition(BROKEN_OFF)
    yield answer
    if broken:
        raise UserError(f"The answer was broken off: {reason(message.decode(errors='replace'))}")
    if lost:
        raise UserError(f"The answer was broken off: {lost}.")
