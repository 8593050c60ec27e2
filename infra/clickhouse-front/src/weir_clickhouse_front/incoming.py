"""Splits what the client sends into a statement and, for an INSERT, the stream of its data."""

from collections.abc import Iterator
from dataclasses import dataclass

from weir_clickhouse_front.codec import PIECE_BYTES, decoded, native_blocks_decoded
from weir_clickhouse_front.errors import FrontError, bad_request
from weir_clickhouse_front.request import Request
from weir_clickhouse_front.statement import MAX_HEAD_BYTES, MAX_STATEMENT_BYTES, InsertHead, find_insert_data


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
    text = bytearray(request.query.encode() + b"\n" if request.query else b"")
    head = _head(text)
    if head and head.data_offset <= len(text) and text.endswith(b"\n"):
        return _insert(bytes(text), head, plain)
    looked_at = len(text)
    for chunk in plain:
        text += chunk
        # Looked at again when it has doubled: whatever the pieces, all looks together cost two whole ones.
        if 2 * looked_at <= len(text) and looked_at < MAX_HEAD_BYTES:
            looked_at = len(text)
            if (head := _head(text)) and head.data_offset < min(len(text), MAX_HEAD_BYTES):
                return _insert(bytes(text), head, plain)
        if len(text) > MAX_STATEMENT_BYTES:
            break
    head = _head(text)
    if head and head.data_offset <= min(len(text), MAX_HEAD_BYTES - 1):
        return _insert(bytes(text), head, plain)
    if len(text) > MAX_STATEMENT_BYTES:
        raise FrontError(62, "SYNTAX_ERROR", f"The statement is longer than {MAX_STATEMENT_BYTES} bytes")
    if not text.strip():
        raise FrontError(62, "SYNTAX_ERROR", "Empty query")
    return Incoming(_as_text(bytes(text)))


def _head(text: bytearray) -> InsertHead | None:
    return find_insert_data(bytes(text[:MAX_HEAD_BYTES]))


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
