"""Finds places in a statement's text with the engine's own lexer, so that it can be put together again."""

from collections.abc import Iterator

from chdb.state.sqlitelike import Connection

# Without these a statement holds no comment and no heredoc, so its end is plain to see.
HIDING = ("--", "/*", "#", "$")
SPACE = " \t\r\n\f\v"
SIGNIFICANT = "arrayFilter(t -> t.3 NOT IN ('Whitespace', 'Comment'), tokenizeQuery({sql:String}))"
ENDS = f"""
WITH {SIGNIFICANT} AS tokens,
    arrayLastIndex(t -> upper(substring({{sql:String}}, t.1 + 1, t.2 - t.1)) = 'FORMAT', tokens) AS clause
SELECT tokens[clause].1, tokens[clause + 1].2, arrayLast(t -> t.3 != 'Semicolon', tokens).2
"""
TOKENS = f"SELECT t.1, t.2, t.3 FROM (SELECT arrayJoin({SIGNIFICANT}) AS t)"  # noqa: S608


def split_at_format(connection: Connection, sql: str, fmt: str) -> tuple[str, str]:
    """What stands before FORMAT and behind it, without the semicolon at the end; `fmt` may be empty."""
    if not any(mark in sql for mark in HIDING):
        text = sql.rstrip(SPACE + ";")
        words = text.rsplit(None, 2)
        if not fmt:
            return text, ""
        if len(words) == 3 and words[1].upper() == "FORMAT":
            return words[0], ""
    (line,) = _lines(connection, ENDS, sql)
    start, behind, end = (int(number) for number in line)
    raw = sql.encode()
    return (raw[:start] if fmt else raw[:end]).decode(), (raw[behind:end] if fmt else b"").decode()


def without_json_arguments(connection: Connection, sql: str) -> tuple[str, set[str]]:
    """The statement with each type JSON(...) as JSON, and every name that stood in the parentheses."""
    raw, kept, names = sql.encode(), bytearray(), set()
    copied = depth = 0
    previous = b""
    for start, end, kind in _lines(connection, TOKENS, sql):
        token = raw[int(start) : int(end)]
        if depth:
            names.add(token.decode().strip('`"').lower())
            depth += {"OpeningRoundBracket": 1, "ClosingRoundBracket": -1}.get(kind, 0)
            copied = int(end)
        elif kind == "OpeningRoundBracket" and previous.upper() == b"JSON":
            kept += raw[copied : int(start)]
            depth = 1
        previous = token
    return (kept + raw[copied:]).decode(), names


def _lines(connection: Connection, question: str, sql: str) -> Iterator[list[str]]:
    text = connection.query(question, "TSVRaw", params={"sql": escaped(sql)}).data()
    return (line.split("\t") for line in text.splitlines())


def escaped(text: str) -> str:
    """Writes text as the value of a String parameter, with the escapes of TSV."""
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")
