"""Splits what the client sends into a statement and, for an INSERT, the stream of its data."""

from collections.abc import Iterator
from dataclasses import dataclass

from weir_embedded.front.codec import PIECE_BYTES, decoded, native_blocks_decoded
from weir_embedded.front.errors import FrontError, bad_request
from weir_embedded.front.request import Request
from weir_embedded.front.statement import MAX_STATEMENT_BYTES, InsertHead, find_insert_data, is_insert


@dataclass(frozen=True)
class Incoming:
    """The statement's text; `data` and its format only for an INSERT that brings data."""

    sql: str
    format: str = ""
    data: Iterator[bytes] | None = None


def read_incoming(request: Request, chunks: Iterator[bytes]) -> Incoming:
    """Reads until the statement is known, no further. The statement is `query=`, newline, body."""
    plain = decoded(request.content_encoding, chunks)
    if request.body_in_native_blocks:
        plain = native_blocks_decoded(plain)
    text = request.query.encode() + b"\n" if request.query else b""
    insert = is_insert(text)
    head = find_insert_data(text) if insert else None
    if head and head.data_offset <= len(text) and text.endswith(b"\n"):
        return _insert(text, head, plain)
    for chunk in plain:
        text += chunk
        insert = insert or is_insert(text[:MAX_STATEMENT_BYTES])
        head = find_insert_data(text) if insert else None
        if head and head.data_offset < len(text):
            return _insert(text, head, plain)
        if len(text) > MAX_STATEMENT_BYTES:
            raise FrontError(62, "SYNTAX_ERROR", f"The statement is longer than {MAX_STATEMENT_BYTES} bytes")
    if head:
        return _insert(text, head, iter(()))
    if not text.strip():
        raise FrontError(62, "SYNTAX_ERROR", "Empty query")
    return Incoming(_as_text(text))


def _insert(text: bytes, head: InsertHead, rest: Iterator[bytes]) -> Incoming:
    return Incoming(_as_text(head.sql), head.format, _pieces(text[head.data_offset :], rest))


def _pieces(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    """The data in pieces of about PIECE_BYTES: each costs a call into the engine."""
    gathered = bytearray(first)
    for chunk in rest:
        gathered += chunk
        if len(gathered) >= PIECE_BYTES:
            yield bytes(gathered)
            gathered.clear()
    if gathered:
        yield bytes(gathered)


def _as_text(sql: bytes) -> str:
    try:
        return sql.decode()
    except UnicodeDecodeError as error:
        raise bad_request(f"The statement is not UTF-8 at byte {error.start}") from None
