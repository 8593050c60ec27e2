"""Whether the engine answers: asked in a thread of its own, one question at a time, whoever wants to know."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from weir_clickhouse_front.engine import Engine
from weir_clickhouse_front.errors import FrontError

PATIENCE_SECONDS = 8
MEMORY_LIMIT_EXCEEDED = 241


class Health:
    """Answers without a login and without waiting for a user: many questions at once cost one query."""

    def __init__(self, engine: Engine):
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="health")
        self._asked: asyncio.Future[int] | None = None

    async def memory_bytes(self) -> int:
        """What the engine's own tracker counts now."""
        if self._asked is None or self._asked.done():
            loop = asyncio.get_running_loop()
            self._asked = loop.run_in_executor(self._thread, self._engine.memory_bytes)
        return await asyncio.shield(self._asked)

    async def problem(self) -> str:
        """Why the engine is not healthy, in one line; empty if it is."""
        try:
            await asyncio.wait_for(self.memory_bytes(), PATIENCE_SECONDS)
        except TimeoutError:
            return f"The engine has not answered for {PATIENCE_SECONDS} s."
        except FrontError as error:
            # Memory that users have filled is theirs again soon: no reason to restart the engine.
            return "" if error.code == MEMORY_LIMIT_EXCEEDED else str(error).split("\n", 1)[0]
        return ""

    def close(self) -> None:
        """Waits until the thread is idle."""
        self._thread.shutdown(wait=True)
