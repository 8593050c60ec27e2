"""Avro single-object encoding with every schema that was ever frozen."""

import io
import json
import struct
from functools import cache
from typing import Any

import fastavro
from fastavro.schema import fingerprint, to_parsing_canonical_form

from weir.schemas_dir import SCHEMAS

_MAGIC = b"\xc3\x01"


@cache
def schema(name: str) -> Any:
    """The active schema of message `name`, parsed."""
    return fastavro.parse_schema(json.loads((SCHEMAS / "avro" / f"{name}.avsc").read_text()))


@cache
def _prefix(name: str) -> bytes:
    # fastavro writes the fingerprint's hex in the byte order of the wire
    canonical = to_parsing_canonical_form(schema(name))
    return _MAGIC + bytes.fromhex(fingerprint(canonical, "CRC-64-AVRO"))


@cache
def _history() -> dict[bytes, tuple[str, Any]]:
    """Prefix -> (message name, writer's schema), of all frozen schemas."""
    known = {}
    for path in sorted((SCHEMAS / "avro" / "history").glob("*/*.avsc")):
        parsed = fastavro.parse_schema(json.loads(path.read_text()))
        mark = bytes.fromhex(fingerprint(to_parsing_canonical_form(parsed), "CRC-64-AVRO"))
        known[_MAGIC + mark] = (path.parent.name, parsed)
    return known


def encode(name: str, record: dict[str, Any]) -> bytes:
    """`record` as one message of schema `name`; a missing or wrong field raises ValueError naming it."""
    out = io.BytesIO()
    out.write(_prefix(name))
    fastavro.schemaless_writer(out, schema(name), record)
    return out.getvalue()


def decode(message: bytes) -> tuple[str, dict[str, Any]]:
    """(message name, record in the newest schema) of a message in any frozen schema.

    Whatever else the bytes are, ValueError.
    """
    found = _history().get(message[:10])
    if found is None:
        raise ValueError(f"not a Weir message, or of an unknown schema: it starts with {message[:10].hex()}")
    name, writer = found
    body = io.BytesIO(message[10:])
    try:
        record: Any = fastavro.schemaless_reader(body, writer, schema(name))
    except Exception as error:  # fastavro has no error of its own for damaged bytes
        raise ValueError(f"a {name} of {len(message)} bytes that can't be decoded: {error}") from error
    if body.tell() != len(message) - 10:
        raise ValueError(f"a {name} with {len(message) - 10 - body.tell()} bytes too many")
    return name, record


def packed(values: list[list[float]]) -> bytes:
    """Columns of floats as little-endian float64, column after column."""
    return b"".join(struct.pack(f"<{len(column)}d", *column) for column in values)
