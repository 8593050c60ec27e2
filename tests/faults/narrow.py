"""A way to a server through which as few bytes pass as it is told."""

import asyncio
import socket
import threading
from contextlib import contextmanager, suppress

PIECE_BYTES = 1024


class Way:
    """Hands on what comes to its port; all requests together pass as fast as `bytes_per_second` says."""

    def __init__(self, host, port):
        self._target = (host, port)
        self.bytes_per_second = None
        self.passed = 0
        self.ready = threading.Event()

    async def serve(self):
        self._loop, self._over, self._turn = asyncio.get_running_loop(), asyncio.Event(), asyncio.Lock()
        listener = socket.socket()
        # Little lies in buffers: what has not passed has not been sent.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, PIECE_BYTES)
        listener.bind(("127.0.0.1", 0))
        self.port = listener.getsockname()[1]
        async with await asyncio.start_server(self._connected, sock=listener, limit=PIECE_BYTES):
            self.ready.set()
            await self._over.wait()

    def close(self):
        self._loop.call_soon_threadsafe(self._over.set)

    async def _connected(self, reader, writer):
        with suppress(OSError, asyncio.CancelledError):
            there, back = await asyncio.open_connection(*self._target)
            await asyncio.gather(self._requests(reader, back), self._answers(there, writer))

    async def _requests(self, reader, writer):
        while piece := await reader.read(PIECE_BYTES):
            if self.bytes_per_second:
                async with self._turn:
                    await asyncio.sleep(len(piece) / self.bytes_per_second)
            self.passed += len(piece)
            writer.write(piece)
            await writer.drain()
        writer.close()

    async def _answers(self, reader, writer):
        while piece := await reader.read(1 << 16):
            writer.write(piece)
            await writer.drain()
        writer.close()


@contextmanager
def way_to(host, port):
    """Such a way, wide at first."""
    way = Way(host, port)
    thread = threading.Thread(target=lambda: asyncio.run(way.serve()))
    thread.start()
    way.ready.wait()
    try:
        yield way
    finally:
        way.close()
        thread.join()
