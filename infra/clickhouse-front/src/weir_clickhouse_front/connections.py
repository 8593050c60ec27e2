"""What a connection may take before anybody has logged in on it: header bytes, time and a place.

uvicorn with h11 bounds the bytes of a head; neither it nor granian nor hypercorn bounds how many connections
there are, in all and of a client, so that is here.
"""

import asyncio
from typing import cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MAX_HEAD_BYTES = 128 << 10
HEAD_SECONDS = 10
IDLE_SECONDS = 30
# For the rest of a body that nobody wants, so that its sender reads the answer before the connection ends.
UNWANTED_BODY_SECONDS = 10
MAX_CONNECTIONS = 400
MAX_CONNECTIONS_OF_A_CLIENT = 300


class BoundedConnection(H11Protocol):
    """One connection of uvicorn that ends when its time is over, or when its place is needed."""

    _deadline: asyncio.TimerHandle | None = None
    waiting_since = 0.0

    @property
    def is_serving(self) -> bool:
        """Whether a request has arrived, at least its head, and is not answered yet."""
        return self.cycle is not None and not self.cycle.response_complete

    @property
    def address(self) -> str:
        return self.client[0] if self.client else ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.app_state = self.app_state | {"abort": transport.abort}
        self.waiting_since = self.loop.time()
        self._end_in(HEAD_SECONDS)
        self._make_room()

    def _make_room(self) -> None:
        """Ends the connection that has waited longest without a request, this one if there is no such."""
        everybody = cast("set[BoundedConnection]", self.connections)
        of_this_client = {each for each in everybody if each.address == self.address}
        if len(of_this_client) > MAX_CONNECTIONS_OF_A_CLIENT:
            crowd = of_this_client
        elif len(everybody) > MAX_CONNECTIONS:
            crowd = everybody
        else:
            return
        waiting = (each for each in crowd if not each.is_serving)
        last = min(waiting, key=lambda each: each.waiting_since)
        everybody.discard(last)
        last.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_in(None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if not self.is_serving and self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0]:
            self._end_in(HEAD_SECONDS)
        try:
            super().data_received(data)
        except h11.LocalProtocolError:  # damaged after its answer has begun
            self.transport.abort()
        if self.is_serving:
            self._end_in(None)

    def on_response_complete(self) -> None:
        self.waiting_since = self.loop.time()
        super().on_response_complete()
        # The deadline below takes the place of uvicorn's, which any byte puts off.
        self._unset_keepalive_if_required()
        if self.is_serving:  # the next request was there already
            return
        if self.conn.their_state is h11.SEND_BODY:
            self._end_in(UNWANTED_BODY_SECONDS)
        else:
            self._end_in(HEAD_SECONDS if self.conn.trailing_data[0] else IDLE_SECONDS)

    def _end_in(self, seconds: float | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        # Aborted and not closed: who does not read must not hold what was not sent.
        self._deadline = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)
