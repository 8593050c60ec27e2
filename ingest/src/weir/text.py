r"""Bytes of unknown encoding as text and back: what is not valid UTF-8 becomes `\xNN`, a backslash `\\`."""

import re
import unicodedata

_UNPRINTABLE = re.compile("C|Zl|Zp")  # Unicode's categories
_ESCAPE = re.compile(r"\\(?:\\|x([0-9a-f]{2}))")


def escape(raw: bytes) -> str:
    """Valid UTF-8 text that stands for `raw`; `unescape` gives the same bytes back."""
    return raw.replace(b"\\", b"\\\\").decode("utf-8", "backslashreplace")


def unescape(text: str) -> bytes:
    """The bytes that `escape` was given."""
    parts, last = [], 0
    for found in _ESCAPE.finditer(text):
        parts += [
            text[last : found.start()].encode(),
            bytes.fromhex(found[1]) if found[1] else b"\\",
        ]
        last = found.end()
    return b"".join([*parts, text[last:].encode()])


def printable(text: str) -> str:
    r"""`text` for a terminal or a page, on one line.

    Control and direction characters and line separators are written `\xNN` or `\uNNNN`.
    """
    if text.isprintable():
        return text
    return "".join(ascii(c)[1:-1] if _UNPRINTABLE.match(unicodedata.category(c)) else c for c in text)


def common_start(texts: list[str]) -> str:
    """The characters that all of them begin with."""
    first, last = min(texts, default=""), max(texts, default="")
    same = next((i for i, c in enumerate(first) if last[i : i + 1] != c), len(first))
    return first[:same]


def shortened(text: str, most: int) -> str:
    """`text` in at most `most` characters: its middle gives way to an ellipsis."""
    if len(text) <= most:
        return text
    head = (most - 1) // 3
    return f"{text[:head]}…{text[head + 1 - most :]}"
