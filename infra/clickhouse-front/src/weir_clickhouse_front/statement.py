"""Finds where the SQL of an INSERT ends and its data begins.

It has as much of ClickHouse's lexer as that needs; what the statement means is the engine's parse (parse.py).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

# No text is gone over more than twice: what can follow a repetition never begins as what is repeated. What
# does not end is one token up to the end of the text. Possessive repetitions of groups would say the same
# shorter, but Python before 3.11.5 gets them wrong.
TOKEN = re.compile(
    rb"""(?P<space>\s+|--[^\n]*|\#[ !][^\n]*|/\*.*?\*/)
    |(?P<quoted>'[^'\\]*(?:(?:\\.|'')[^'\\]*)*'(?!')|`[^`\\]*(?:(?:\\.|``)[^`\\]*)*`(?!`)
        |"[^"\\]*(?:(?:\\.|"")[^"\\]*)*"(?!"))
    |(?P<word>[A-Za-z_][\w$]*)
    |(?P<open>(?:/\*|['`"]).*)
    |(?P<other>.)""",
    re.DOTALL | re.VERBOSE,
)
AFTER_FORMAT = re.compile(rb"[ \t\f]*;?[ \t\f]*\r?\n?")
MAX_STATEMENT_BYTES = 1 << 20
# Of an INSERT before its data: what a server reads of a query by default.
MAX_HEAD_BYTES = 256 << 10


@dataclass(frozen=True)
class InsertHead:
    """`INSERT INTO t (a, b)`, the format of its data and where in the text that data starts."""

    sql: bytes
    format: str
    data_offset: int


def find_insert_data(text: bytes) -> InsertHead | None:
    """The head of an INSERT that brings data; None for another statement, or if more text is needed."""
    tokens = (token for token in TOKEN.finditer(text) if token.lastgroup != "space")
    start = _insert_start(tokens)
    if start is None:
        return None
    depth, previous = 0, b""
    for token in tokens:
        word = (token["word"] or b"").upper()
        if depth == 0 and previous not in (b"INTO", b"TABLE", b"FUNCTION", b".", b"="):
            if word == b"VALUES":
                return InsertHead(text[start : token.start()], "Values", token.end())
            if word in (b"SELECT", b"WITH", b"WATCH"):
                return None
            if word == b"FORMAT":
                return _format_head(text, start, token.start(), tokens)
        depth += {b"(": 1, b")": -1}.get(token[0], 0)
        previous = word or token[0]
    return None


def _insert_start(tokens: Iterator[re.Match[bytes]]) -> int | None:
    """Finds INSERT: at the start, or behind a WITH, which is of no use to data and is left out."""
    depth = 0
    for number, token in enumerate(tokens):
        word = (token["word"] or b"").upper()
        if depth == 0 and word == b"INSERT":
            return token.start()
        if (number == 0 and word != b"WITH") or (depth == 0 and word == b"SELECT"):
            return None
        depth += {b"(": 1, b")": -1}.get(token[0], 0)
    return None


def _format_head(
    text: bytes, start: int, end_of_sql: int, tokens: Iterator[re.Match[bytes]]
) -> InsertHead | None:
    name = next(tokens, None)
    if name is None or name["word"] is None:
        return None
    data_offset = AFTER_FORMAT.match(text, name.end())
    assert data_offset is not None  # matches the empty text too
    return InsertHead(text[start:end_of_sql], name["word"].decode(), data_offset.end())
