"""A way to a server through which as few bytes pass as it is told."""

import asyncio
import socket
from contextlib import contextmanager, suppress
from threading import Thread

PIECE_BYTES = 1024


class Way:
    """Hands on what comes to its port; while `bytes_per_second` is set, requests pass as slowly as that."""

    def __init__(self, host, port):
        self._target = (host, port)
        self.bytes_per_second = None
        self.passed = 0

    async def serve(self, ready):
        listener = socket.socket()
        # Little lies in buffers: what has not passed has not been sent.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, PIECE_BYTES)
        listener.bind(("127.0.0.1", 0))
        self.port = listener.getsockname()[1]
        async with await asyncio.start_server(self._connected, sock=listener, limit=PIECE_BYTES):
            ready()
            await asyncio.Event().wait()

    async def _connected(self, reader, writer):
        with suppress(OSError):
            there, back = await asyncio.open_connection(*self._target)
            await asyncio.gather(self._hand_on(reader, back, True), self._hand_on(there, writer, False))

    async def _hand_on(self, reader, writer, is_request):
        with suppress(OSError):
            while piece := await reader.read(PIECE_BYTES if is_request else 1 << 16):
                if is_request:
                    self.passed += len(piece)
                    if self.bytes_per_second:
                        await asyncio.sleep(len(piece) / self.bytes_per_second)
                writer.write(piece)
                await writer.drain()
        writer.close()


@contextmanager
def way_to(host, port):
    """Such a way, wide at first."""
    way, loop = Way(host, port), asyncio.new_event_loop()
    ready = asyncio.Event()
    serving = loop.create_task(way.serve(ready.set))
    loop.run_until_complete(
        asyncio.wait({serving, loop.create_task(ready.wait())}, return_when="FIRST_COMPLETED")
    )
    thread = Thread(target=loop.run_forever)
    thread.start()
    try:
        yield way
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.gather(*asyncio.all_tasks(loop), return_exceptions=True))
        loop.close()
