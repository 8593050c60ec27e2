"""The bridge between an ASGI connection (event loop) and the thread that serves one request."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, TypeVar

from starlette.types import Message, Receive, Send

from weir_embedded.front.errors import ClientGone, FrontError

IDLE_SECONDS = 60
T = TypeVar("T")


class Exchange:
    """Reads the request's body and writes the answer, blocking, from a thread."""

    def __init__(self, receive: Receive, send: Send, loop: asyncio.AbstractEventLoop):
        self._receive = receive
        self._send = send
        self._loop = loop
        self._body_over = False
        self._watcher: asyncio.Future[None] | None = None
        self._gone = False
        self.started = False
        self.status = 0
        self.tail = b""
        self.complete = False
        self.opened_at = time.monotonic()

    def body(self) -> Iterator[bytes]:
        """The body as it arrives. ClientGone if it breaks off, FrontError 209 if IDLE_SECONDS pass."""
        while not self._body_over:
            message = self._wait(self._next_message())
            self._body_over = not message.get("more_body", False)
            if message.get("body"):
                yield message["body"]

    async def _next_message(self) -> Message:
        try:
            message = await asyncio.wait_for(self._receive(), IDLE_SECONDS)
        except TimeoutError:
            raise FrontError(
                209, "SOCKET_TIMEOUT", f"Nothing of the request's body for {IDLE_SECONDS} s"
            ) from None
        if message["type"] == "http.disconnect":
            raise ClientGone
        return message

    def on_client_gone(self, act: Callable[[], None]) -> None:
        """From now on, `act` is called in a thread if the client closes. The body must be over."""
        self._wait(self._start_watching(act))

    async def _start_watching(self, act: Callable[[], None]) -> None:
        self._watcher = asyncio.ensure_future(self._watch(act))

    async def _watch(self, act: Callable[[], None]) -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        self._gone = True
        await asyncio.to_thread(act)

    def start(self, status: int, headers: dict[str, str]) -> None:
        """Sends status and headers of an answer whose body follows in pieces."""
        self._wait(self._send_one(head_message(status, headers)))
        self.started, self.status = True, status

    def write(self, data: bytes) -> None:
        """Sends a piece and waits until the connection can take more. ClientGone if there is nobody."""
        if self._gone:
            raise ClientGone
        self._wait(self._send_one({"type": "http.response.body", "body": data, "more_body": True}))

    def finish(self, tail: bytes, complete: bool) -> None:
        """Notes how the answer ends. `close` sends it, when session and query id are free again."""
        self.tail, self.complete = tail, complete

    async def close(self) -> None:
        """Ends a streamed answer in the event loop; one that is not complete ends as a broken connection."""
        if self.tail or self.complete:
            await self._send(
                {"type": "http.response.body", "body": self.tail, "more_body": not self.complete}
            )

    async def _send_one(self, message: Message) -> None:
        await self._send(message)

    def stop_watching(self) -> None:
        """Called in the event loop when the request is over."""
        if self._watcher is not None and not self._gone:
            self._watcher.cancel()

    def _wait(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()


def head_message(status: int, headers: dict[str, str]) -> Message:
    """The ASGI message that starts an answer."""
    encoded = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    return {"type": "http.response.start", "status": status, "headers": encoded}
