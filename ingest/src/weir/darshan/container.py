"""The outside of a Darshan log: what file this is, its header, and its compressed regions within bounds."""

import bz2
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from time import thread_time
from typing import NamedTuple

import numpy as np
from zlib_ng import zlib_ng as zlib

from weir.darshan import layouts
from weir.darshan.layouts import Order

CHUNK = 1 << 20  # bytes that are inflated at a time
_PIECE = 1 << 14  # compressed bytes that are handed over at a time
_FIRST_PIECE = 512  # of a stream: what is handed over behind its end is copied in vain
_MOST_PARTS = 1024


class DarshanError(Exception):
    """Bytes that can't be decoded: `reason`, and `position` in the file where it is known.

    `is_cut`: bytes are missing at the end, or were too many, and what was read before is sound. Else it is
    suspect.
    """

    def __init__(self, reason: str, position: int | None = None, is_cut: bool = False):
        super().__init__(reason if position is None else f"{reason} (byte {position})")
        self.reason, self.position, self.is_cut = reason, position, is_cut


@dataclass(frozen=True)
class Limits:
    """What a log may cost; beyond it the module is damaged and the reason names the limit."""

    file_bytes: int = 256 << 20
    inflated_bytes: int = 4 << 30
    """The most bytes of one inflated region; it is never held as a whole."""
    ratio: int = 256
    """Inflated to compressed bytes of a region, once it has given 64 MiB. Records reach 50."""
    name_bytes: int = 128 << 20
    names: int = 2_000_000
    name_length: int = 1 << 16
    records: int = 3_000_000
    """The most records of one module."""
    record_bytes: int = 64 << 20
    """The most bytes of one record of variable size."""
    seconds: float = 5
    """Processor time of the decoder for a log; what is done with the records takes about as long again."""


class Budget:
    """Processor time of one log, spent between `start` and `stop`; the caller's own work is not counted.

    Reading the clock costs as much as a small log, so that it begins with the first `check`.
    """

    def __init__(self, seconds: float):
        self._left = seconds
        self._started: float | None = None
        self._counts = False

    def start(self) -> None:
        """The decoder works from now on."""
        self._started = thread_time() if self._counts else None

    def stop(self) -> None:
        """The decoder rests."""
        if self._started is not None:
            self._left -= thread_time() - self._started

    def check(self, position: int) -> None:
        """Raises DarshanError once the time is used up."""
        self.stop()
        self._counts = True
        self.start()
        if self._left < 0:
            raise DarshanError("decoding took longer than the limit of processor time", position, True)


class Region(NamedTuple):
    """The place of compressed data, as the header states it: it may be wrong."""

    offset: int
    length: int


class Header(NamedTuple):
    """The header of a log; `modules` are (slot, module version, partial flag, region) of those with data."""

    version: str
    byte_order: Order
    compression: int
    size: int
    names: Region
    modules: tuple[tuple[int, int, bool, Region], ...]

    @property
    def is_sound(self) -> bool:
        """Whether the regions follow one another, as Darshan writes them; in a mapped file they need not."""
        regions = sorted([*([self.names] if self.names.length else []), *(each[-1] for each in self.modules)])
        followed = all(one.offset + one.length == next.offset for one, next in pairwise(regions))
        return self.compression == layouts.UNCOMPRESSED or followed

    @property
    def end(self) -> int | None:
        """The byte at which the last region ends; None where the header has none."""
        regions = (self.names, *(each[-1] for each in self.modules))
        return max(region.offset + region.length for region in regions) or None


def read_header(content: bytes) -> Header:
    """The header of the log that `content` is; DarshanError says what it is instead."""
    version = _version(content)
    order: Order = "<"
    layout = layouts.header_of(version)
    if len(content) < layout.itemsize:
        size = f"{len(content)} bytes are no whole header of {layout.itemsize}"
        raise DarshanError(f"the file is cut: {size}", len(content))
    fields = np.frombuffer(content, layout, 1)[0]
    if fields["magic"] != layouts.MAGIC:
        order = ">"
        fields = np.frombuffer(content, layouts.header_of(version, order), 1)[0]
    if fields["magic"] != layouts.MAGIC:
        raise DarshanError(f"no Darshan log: it says format {version}, but its magic number is wrong", 8)
    compression = int(fields["compression"])
    if compression > layouts.UNCOMPRESSED:
        raise DarshanError(f"unknown compression type {compression}", 16)
    partial, regions, versions = int(fields["partial"]), fields["modules"], fields["module_versions"]
    modules = tuple(
        (slot, int(versions[slot]), bool(partial >> slot & 1), Region(*regions[slot].tolist()))
        for slot in regions["length"].nonzero()[0].tolist()
    )
    return Header(version, order, compression, layout.itemsize, Region(*fields["names"].tolist()), modules)


def _next_log(content: bytes, start: int) -> int | None:
    """Finds the byte behind `start` at which the header of another log begins."""
    magics = (layouts.MAGIC.to_bytes(8, order) for order in ("little", "big"))
    places = (content.find(magic, start + 8) - 8 for magic in magics)
    return min((at for at in places if at > 0 and _VERSION(content[at : at + 8])), default=None)


def trailing(header: Header, content: bytes) -> DarshanError | None:
    """What lies behind the end of a log and is no padding, such as a second log, at its position."""
    other, end = _next_log(content, header.size), header.end
    if other:
        # a log that is cut ends there, whatever its header says
        size = len(content) - min(end or other, other)
        reason = f"{size} bytes after the end of the log; another Darshan log begins at byte {other}"
        return DarshanError(reason, other)
    # in a mapped file there may be memory behind the last region
    if end is None or header.compression == layouts.UNCOMPRESSED or not content[end:].strip(b"\0"):
        return None
    return DarshanError(f"{len(content) - end} bytes after the end of the log", end)


def _version(content: bytes) -> str:
    """Returns the version of the log format; DarshanError if this decoder does not read it."""
    if not content:
        raise DarshanError("empty file")
    written = _version_string(content)
    if written in layouts.LOG_VERSIONS:
        return written
    if content.startswith((b"\x1f\x8b", b"BZh")):
        raise DarshanError(f"no Darshan log of format 3: {_what_is_compressed(content)}", 0)
    if written.startswith(("1.", "2.")):
        raise DarshanError(f"no Darshan log of format 3: {_old(written)}", 0)
    if written:
        known = f"{layouts.LOG_VERSIONS[0]} to {layouts.LOG_VERSIONS[-1]}"
        raise DarshanError(f"Darshan log format {written} is not known; this decoder reads {known}", 0)
    head = content[:512]
    if head.startswith(b"# darshan log version"):
        raise DarshanError("no Darshan log: the text that darshan-parser prints", 0)
    if not any(head):
        raise DarshanError("no Darshan log: it starts with zero bytes", 0)
    if all(byte >= 32 or byte in b"\t\n\r\f" for byte in head):
        raise DarshanError("no Darshan log: text", 0)
    raise DarshanError(f"no Darshan log: it starts with the bytes {head[:8].hex(' ')}", 0)


_VERSION = re.compile(rb"(\d{1,3}\.\d{1,3})\0").match


def _version_string(content: bytes) -> str:
    found = _VERSION(content[:8])
    return found[1].decode() if found else ""


def _what_is_compressed(content: bytes) -> str:
    kind = "gzip" if content.startswith(b"\x1f\x8b") else "bzip2"
    try:
        if kind == "gzip":
            inside = zlib.decompressobj(31).decompress(content[:_PIECE], 64)
        else:
            inside = bz2.BZ2Decompressor().decompress(content[: 16 * _PIECE], 64)
    except (zlib.error, OSError, EOFError):
        inside = b""
    version = _version_string(inside)
    if version.startswith(("1.", "2.")):
        return _old(version)
    return f"a {kind} file{f' with a log of format {version} in it; unpack it first' if version else ''}"


def _old(version: str) -> str:
    return f"a log of format {version}, of Darshan 1 or 2; the tools of Darshan 2.3 read it"


def inflate(
    content: bytes, region: Region, compression: int, limits: Limits, budget: Budget
) -> Iterator[bytes]:
    """The region's data, about CHUNK bytes at a time; what is sound comes before the DarshanError."""
    stop = region.offset + region.length
    if compression == layouts.ZLIB and region.length <= _PIECE and stop <= len(content):
        # nearly all regions of nearly all logs, and they should cost little more than zlib does
        rest, parts = content[region.offset : stop], []
        try:
            while rest:
                stream = zlib.decompressobj()
                parts.append(stream.decompress(rest, CHUNK))
                if not stream.eof:
                    break
                rest = stream.unused_data
        except zlib.error:
            pass
        if not rest:
            return iter((b"".join(parts),))
    return _inflate(content, region, compression, limits, budget)


def _inflate(
    content: bytes, region: Region, compression: int, limits: Limits, budget: Budget
) -> Iterator[bytes]:
    start, stop = region.offset, min(region.offset + region.length, len(content))
    if start >= len(content):
        raise DarshanError(
            f"the region lies behind the end of the file of {len(content)} bytes", len(content), is_cut=True
        )
    most = min(limits.inflated_bytes, (64 << 20) + limits.ratio * (stop - start))
    parts: list[bytes] = []
    size = whole = 0
    damage = None
    try:
        for number, part in enumerate(_CHUNKS[compression](memoryview(content), start, stop), start=1):
            parts.append(part)
            size += len(part)
            if number % 1024 == 0 or size >= CHUNK:
                budget.check(start)
            if size >= CHUNK:
                whole += size
                if whole > most:
                    raise DarshanError(f"{stop - start} bytes inflate to more than {most}", start, True)
                yield parts[0] if len(parts) == 1 else b"".join(parts)
                parts, size = [], 0
    except DarshanError as error:
        damage = error
    if size:
        yield parts[0] if len(parts) == 1 else b"".join(parts)
    if damage:
        # data that seems cut although the file goes on is wrong before its end
        damage.is_cut &= region.offset + region.length > len(content) or " cut" not in damage.reason
        raise damage
    if region.offset + region.length > len(content):
        ends = region.offset + region.length
        raise DarshanError(f"the file ends here, the region at byte {ends}", len(content), is_cut=True)


def _zlib_chunks(data: memoryview, start: int, stop: int) -> Iterator[bytes]:
    """Each process of a parallel run compresses its own records: many tiny streams may follow one another."""
    data = data[:stop]
    parts: list[bytes] = []
    size = 0
    while start < stop:
        stream, first, given, step = zlib.decompressobj(), start, 0, _FIRST_PIECE
        while not stream.eof:
            piece = data[start : start + step]
            try:
                out = stream.decompress(piece, CHUNK)
            except zlib.error as error:
                good, position = _rescue(data, first, start, given)
                yield b"".join(parts) + good
                raise DarshanError(f"the compressed data is damaged: {error}", position) from None
            start += len(piece) - len(stream.unused_data if stream.eof else stream.unconsumed_tail)
            parts.append(out)
            size += len(out)
            given += len(out)
            step = _PIECE
            if size >= _PIECE or len(parts) == _MOST_PARTS or not piece:
                yield b"".join(parts)
                parts, size = [], 0
            if not out and not piece:
                raise DarshanError("the compressed data is cut", start, is_cut=True)
    yield b"".join(parts)


def _rescue(data: memoryview, first: int, sound: int, given: int) -> tuple[bytes, int]:
    """What the stream that begins at `first` still gives after its `given` bytes, and at which byte it fails.

    zlib returns nothing from a call that fails: so the stream is read again, and behind `sound` byte by byte.
    """
    stream, at = zlib.decompressobj(), first
    parts, step = [], _PIECE
    while step:
        piece = data[at : min(at + step, sound)] if at < sound else data[at : at + step]
        trial = stream if at < sound else stream.copy()
        try:
            out = trial.decompress(piece, CHUNK)
        except zlib.error:
            step //= 2
            continue
        parts.append(out[max(given, 0) :])
        given -= len(out)
        stream = trial
        at += len(piece) - len(stream.unconsumed_tail)
    return b"".join(parts), at


def _bzip2_chunks(data: memoryview, start: int, stop: int) -> Iterator[bytes]:
    while start < stop:
        stream = bz2.BZ2Decompressor()
        while not stream.eof:
            piece = data[start : min(start + _PIECE, stop)] if stream.needs_input else data[:0]
            if stream.needs_input and not piece:
                raise DarshanError("the compressed data is cut", start, is_cut=True)
            try:
                out = stream.decompress(piece, _PIECE)
            except OSError as error:
                raise DarshanError(f"the compressed data is damaged: {error}", start) from None
            start += len(piece)
            yield out
        start -= len(stream.unused_data)


def _plain_chunks(data: memoryview, start: int, stop: int) -> Iterator[bytes]:
    for at in range(start, stop, CHUNK):
        yield bytes(data[at : min(at + CHUNK, stop)])


_CHUNKS = {
    layouts.ZLIB: _zlib_chunks,
    layouts.BZIP2: _bzip2_chunks,
    layouts.UNCOMPRESSED: _plain_chunks,
}
