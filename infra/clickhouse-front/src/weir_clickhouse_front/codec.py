"""Compressed bytes, both ways and streaming: HTTP content encodings and ClickHouse's native blocks.

A native block (`compress=1`, `decompress=1`) is a 16-byte CityHash128 of what follows, one byte of method,
compressed size with this 9-byte header and uncompressed size (UInt32 LE each), then the data.
"""

import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Protocol

import brotli
import lz4.block
import lz4.frame
from backports import zstd
from clickhouse_cityhash.cityhash import CityHash128

from weir_clickhouse_front.errors import FrontError, bad_request

PIECE_BYTES = 1 << 20
MAX_BLOCK_BYTES = 16 << 20
# The window that every decoder of Content-Encoding zstd grants (RFC 9659): 8 MiB.
ZSTD_OPTIONS: dict[int, int] = {zstd.DecompressionParameter.window_log_max: 23}
NONE, LZ4, ZSTD = 0x02, 0x82, 0x90
HEADER = struct.Struct("<BII")
CHECKSUM_BYTES = 16

ENCODINGS = ("zstd", "lz4", "gzip", "br", "deflate")


class Compressor(Protocol):
    """One stream of compressed output."""

    def compress(self, data: bytes) -> bytes: ...

    def flush(self) -> bytes: ...


def decoded(encoding: str, chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The chunks without their Content-Encoding, in bounded pieces. FrontError if they are damaged."""
    if encoding in ("", "identity"):
        yield from chunks
        return
    if encoding not in DECODERS:
        raise FrontError(
            48, "NOT_IMPLEMENTED", f"Content-Encoding {encoding} is not one of {', '.join(ENCODINGS)}"
        )
    try:
        yield from DECODERS[encoding](chunks)
    except (zlib.error, RuntimeError, EOFError, zstd.ZstdError, brotli.error) as error:
        raise FrontError(354, "CANNOT_DECOMPRESS", f"The request body is not {encoding}: {error}") from None


def _inflate(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """gzip and zlib streams, one after the other if there are several."""
    stream = zlib.decompressobj(wbits=47)
    for chunk in chunks:
        data = chunk
        while data:
            if stream.eof:
                stream = zlib.decompressobj(wbits=47)
            yield stream.decompress(data, PIECE_BYTES)
            data = stream.unused_data if stream.eof else stream.unconsumed_tail
    yield stream.flush()
    _require_end(stream.eof)


def _frames(new_frame: Callable[[], Any], chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The content of frames that follow one another; they have the methods of Python's own bz2 objects."""
    frame = new_frame()
    for chunk in chunks:
        data = chunk
        while data or not (frame.eof or frame.needs_input):
            if frame.eof:
                frame = new_frame()
            yield frame.decompress(data, PIECE_BYTES)
            data = (frame.unused_data or b"") if frame.eof else b""
    _require_end(frame.eof)


def _unbrotli(chunks: Iterable[bytes]) -> Iterator[bytes]:
    stream = brotli.Decompressor()
    for chunk in chunks:
        yield stream.process(chunk, output_buffer_limit=PIECE_BYTES)
        while not stream.can_accept_more_data():
            yield stream.process(b"", output_buffer_limit=PIECE_BYTES)
    _require_end(stream.is_finished())


def _require_end(ended: bool) -> None:
    if not ended:
        raise EOFError("it ends before its last block")


DECODERS: dict[str, Callable[[Iterable[bytes]], Iterator[bytes]]] = {
    "gzip": _inflate,
    "deflate": _inflate,
    "lz4": partial(_frames, lz4.frame.LZ4FrameDecompressor),
    "zstd": partial(_frames, partial(zstd.ZstdDecompressor, options=ZSTD_OPTIONS)),
    "br": _unbrotli,
}


def native_blocks_decoded(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """The content of a stream of native blocks. FrontError on a wrong checksum, size or method."""
    buffer = bytearray()
    for chunk in chunks:
        buffer += chunk
        while (block := _take_block(buffer)) is not None:
            yield block
    if buffer:
        raise FrontError(33, "CANNOT_READ_ALL_DATA", "The request body ends inside a compressed block.")


def _take_block(buffer: bytearray) -> bytes | None:
    """Removes one whole block from the buffer and returns its content, None if it is not whole yet."""
    if len(buffer) < CHECKSUM_BYTES + HEADER.size:
        return None
    method, size, plain_size = HEADER.unpack_from(buffer, CHECKSUM_BYTES)
    if not (HEADER.size <= size <= MAX_BLOCK_BYTES and plain_size <= MAX_BLOCK_BYTES):
        raise FrontError(
            271,
            "CORRUPTED_DATA",
            f"Compressed block of {size} bytes for {plain_size}: at most {MAX_BLOCK_BYTES}",
        )
    end = CHECKSUM_BYTES + size
    if len(buffer) < end:
        return None
    checked_bytes = bytes(memoryview(buffer)[CHECKSUM_BYTES:end])
    if _checksum(checked_bytes) != buffer[:CHECKSUM_BYTES]:
        raise FrontError(40, "CHECKSUM_DOESNT_MATCH", "A compressed block of the request body is damaged.")
    del buffer[:end]
    return _plain(method, checked_bytes[HEADER.size :], plain_size)


def _plain(method: int, data: bytes, plain_size: int) -> bytes:
    try:
        if method == LZ4:
            return bytes(lz4.block.decompress(data, uncompressed_size=plain_size))
        if method == ZSTD:
            return zstd.ZstdDecompressor(options=ZSTD_OPTIONS).decompress(data, plain_size)
    except (lz4.block.LZ4BlockError, zstd.ZstdError) as error:
        raise FrontError(271, "CORRUPTED_DATA", f"A compressed block cannot be read: {error}") from None
    if method == NONE:
        return data
    raise FrontError(89, "UNKNOWN_COMPRESSION_METHOD", f"Compressed block of method 0x{method:02x}")


def _checksum(data: bytes) -> bytes:
    """CityHash128 as ClickHouse stores it: its two UInt64, the first one first, each little-endian."""
    number = CityHash128(data)
    return struct.pack("<QQ", number >> 64, number & 0xFFFFFFFFFFFFFFFF)


class NativeBlocks:
    """Output as native LZ4 blocks, for `compress=1`."""

    def compress(self, data: bytes) -> bytes:
        view = memoryview(data)
        pieces = (view[start : start + PIECE_BYTES] for start in range(0, len(data), PIECE_BYTES))
        return b"".join(self._block(piece) for piece in pieces)

    def flush(self) -> bytes:
        return b""

    @staticmethod
    def _block(piece: memoryview) -> bytes:
        packed = lz4.block.compress(piece, store_size=False)
        body = HEADER.pack(LZ4, HEADER.size + len(packed), len(piece)) + packed
        return _checksum(body) + bytes(body)


class _Lz4Frame:
    """lz4.frame needs its header asked for; otherwise a compressor like the others."""

    def __init__(self) -> None:
        self._frame = lz4.frame.LZ4FrameCompressor()
        self._head: bytes = self._frame.begin()

    def compress(self, data: bytes) -> bytes:
        head, self._head = self._head, b""
        return head + bytes(self._frame.compress(data))

    def flush(self) -> bytes:
        head, self._head = self._head, b""
        return head + bytes(self._frame.flush())


class _Brotli:
    def __init__(self) -> None:
        self._stream = brotli.Compressor(quality=3)

    def compress(self, data: bytes) -> bytes:
        return bytes(self._stream.process(data))

    def flush(self) -> bytes:
        return bytes(self._stream.finish())


COMPRESSORS: dict[str, Callable[[], Compressor]] = {
    "zstd": lambda: zstd.ZstdCompressor(level=1),
    "lz4": _Lz4Frame,
    "gzip": lambda: zlib.compressobj(level=3, wbits=31),
    "deflate": lambda: zlib.compressobj(level=3, wbits=15),
    "br": _Brotli,
}


def choose_encoding(accept_encoding: str) -> str | None:
    """The first of our encodings that an Accept-Encoding header offers."""
    offered = [part.strip().split(";", 1) for part in accept_encoding.lower().split(",")]
    usable = {
        name.strip() for name, *quality in offered if not (quality and quality[0].replace(" ", "") == "q=0")
    }
    return next((encoding for encoding in ENCODINGS if encoding in usable), None)


def compressor(encoding: str) -> Compressor:
    """A new compressor of a content encoding that `choose_encoding` returned."""
    if encoding not in COMPRESSORS:
        raise bad_request(f"Encoding {encoding} is not known")
    return COMPRESSORS[encoding]()
