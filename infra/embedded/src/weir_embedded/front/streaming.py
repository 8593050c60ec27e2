"""Formats whose chunks the engine can hand out one by one, and the header each chunk repeats."""

from collections.abc import Callable

from weir_embedded.front.errors import FrontError


def header_size(chunk: bytes, fmt: str) -> int:
    """Bytes at the start of a chunk that belong in front of the first one only."""
    return HEADERS[fmt.lower()](chunk)


def can_stream(fmt: str) -> bool:
    return fmt.lower() in HEADERS


def has_header(fmt: str) -> bool:
    """Whether the format has something to say about a result without rows."""
    return "withnames" in fmt.lower()


def _none(chunk: bytes) -> int:
    return 0


def _one_line(chunk: bytes) -> int:
    return chunk.index(b"\n") + 1


def _two_lines(chunk: bytes) -> int:
    return chunk.index(b"\n", _one_line(chunk)) + 1


def _names(chunk: bytes) -> int:
    columns, offset = _varint(chunk, 0)
    return _skip_strings(chunk, offset, columns)


def _names_and_types(chunk: bytes) -> int:
    columns, offset = _varint(chunk, 0)
    return _skip_strings(chunk, offset, 2 * columns)


def _skip_strings(chunk: bytes, offset: int, count: int) -> int:
    for _ in range(count):
        length, offset = _varint(chunk, offset)
        offset += length
    return offset


def _varint(chunk: bytes, offset: int) -> tuple[int, int]:
    """An LEB128 number and the offset after it."""
    value = 0
    for shift in range(0, 63, 7):
        byte = chunk[offset]
        offset += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, offset
    raise FrontError(1002, "UNKNOWN_EXCEPTION", "The engine's binary header is longer than 63 bits")


HEADERS: dict[str, Callable[[bytes], int]] = {
    "tabseparated": _none,
    "tsv": _none,
    "tabseparatedraw": _none,
    "tsvraw": _none,
    "jsoneachrow": _none,
    "jsonlines": _none,
    "ndjson": _none,
    "jsoncompacteachrow": _none,
    "csv": _none,
    "native": _none,
    "rowbinary": _none,
    "tabseparatedwithnames": _one_line,
    "tsvwithnames": _one_line,
    "jsoncompacteachrowwithnames": _one_line,
    "tabseparatedwithnamesandtypes": _two_lines,
    "tsvwithnamesandtypes": _two_lines,
    "jsoncompacteachrowwithnamesandtypes": _two_lines,
    "rowbinarywithnames": _names,
    "rowbinarywithnamesandtypes": _names_and_types,
}
