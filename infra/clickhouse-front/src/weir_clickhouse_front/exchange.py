"""The bridge between an ASGI connection (event loop) and the thread that serves one request."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from starlette.types import Message, Receive, Scope, Send

from weir_clickhouse_front.errors import ClientGone, FrontError

T = TypeVar("T")


@dataclass
class Patience:
    """How long a client may keep the front waiting: at once, and altogether by what its bytes earn."""

    seconds: float
    bytes_a_second: int
    most_seconds: float
    waited: float = 0.0
    moved: int = 0

    @property
    def left(self) -> float:
        """The seconds that the next step may take."""
        earned = min(self.seconds + self.moved / self.bytes_a_second, self.most_seconds)
        return min(self.seconds, earned - self.waited)

    async def wait_for(self, step: Coroutine[Any, Any, T]) -> T:
        """The result of the step; TimeoutError when the patience is over."""
        began = time.monotonic()
        try:
            return await asyncio.wait_for(step, max(self.left, 0.01))
        finally:
            self.waited += time.monotonic() - began


class Exchange:
    """Reads the request's body and writes the answer; from a thread where a method is not async."""

    def __init__(self, scope: Scope, receive: Receive, send: Send, seconds: float):
        """`seconds` is the longest that the client may stand still."""
        self._receive = receive
        self._send = send
        self._abort: Callable[[], None] = scope["state"]["abort"]
        self._loop = asyncio.get_running_loop()
        # A writer may be behind a slow network; whoever reads so slowly only holds a thread.
        self._for_body = Patience(seconds, bytes_a_second=4 << 10, most_seconds=3600)
        self._for_answer = Patience(seconds, bytes_a_second=64 << 10, most_seconds=600)
        self._body_over = False
        self._watcher: asyncio.Future[None] | None = None
        self._gone = False
        self.started = False
        self.status = 0
        self.tail = b""
        self.complete = False
        self.opened_at = time.monotonic()

    def body(self) -> Iterator[bytes]:
        """The body as it arrives. ClientGone if it breaks off, FrontError 209 if it comes too slowly."""
        while not self._body_over:
            message = self._wait(self._next_message())
            self._body_over = not message.get("more_body", False)
            if message.get("body"):
                self._for_body.moved += len(message["body"])
                yield message["body"]

    async def _next_message(self) -> Message:
        try:
            message = await self._for_body.wait_for(self._receive_one())
        except TimeoutError:
            waited, moved = self._for_body.waited, self._for_body.moved
            raise FrontError(
                209,
                "SOCKET_TIMEOUT",
                f"The request's body comes too slowly: {moved} bytes, {waited:.0f} s waited. Send it faster "
                f"than {self._for_body.bytes_a_second} bytes a second.",
            ) from None
        if message["type"] == "http.disconnect":
            raise ClientGone
        return message

    async def _receive_one(self) -> Message:
        return await self._receive()

    def on_client_gone(self, act: Callable[[], None]) -> None:
        """Calls `act` in a thread if the client closes from now on. The body must be over."""
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
        self._wait(self.send(head_message(status, headers)))
        self.started, self.status = True, status

    def write(self, data: bytes) -> None:
        """Sends a piece and waits until the connection can take more. ClientGone if there is nobody."""
        if self._gone:
            raise ClientGone
        self._wait(self.send({"type": "http.response.body", "body": data, "more_body": True}))

    def finish(self, tail: bytes, complete: bool) -> None:
        """Notes how the answer ends. `close` sends it, when session and query id are free again."""
        self.tail, self.complete = tail, complete

    async def close(self) -> None:
        """Ends a streamed answer in the event loop; one that is not complete ends as a broken connection."""
        if self.tail or self.complete:
            await self.send({"type": "http.response.body", "body": self.tail, "more_body": not self.complete})

    async def send(self, message: Message) -> None:
        """Sends in the event loop; breaks the connection and raises ClientGone on who reads too slowly."""
        try:
            await self._for_answer.wait_for(self._send_one(message))
        except TimeoutError:
            self._abort()
            raise ClientGone(
                f"the client read too slowly: {self._for_answer.moved} bytes, "
                f"{self._for_answer.waited:.0f} s waited"
            ) from None
        self._for_answer.moved += len(message.get("body", b""))

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
