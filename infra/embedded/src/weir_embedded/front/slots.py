"""Threads for requests: a fixed number per profile, so that readers never take the writer's."""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

from weir_embedded.front import telemetry
from weir_embedded.front.errors import FrontError
from weir_embedded.front.profiles import Profile, ProfileName


class Slots:
    """One pool of threads and one queue per profile."""

    def __init__(self, profiles: dict[ProfileName, Profile], queue_seconds: float):
        self._queue_seconds = queue_seconds
        self._free = {name: asyncio.Semaphore(profile.threads) for name, profile in profiles.items()}
        self._pools = {
            name: ThreadPoolExecutor(profile.threads, thread_name_prefix=name)
            for name, profile in profiles.items()
        }

    @asynccontextmanager
    async def take(self, profile: Profile) -> AsyncIterator[ThreadPoolExecutor]:
        """Waits for a free thread of the profile; FrontError 202 after queue_seconds."""
        free = self._free[profile.name]
        waiting = telemetry.QUEUED.labels(profile.name)
        with waiting.track_inprogress():
            try:
                await asyncio.wait_for(free.acquire(), self._queue_seconds)
            except TimeoutError:
                raise FrontError(
                    202,
                    "TOO_MANY_SIMULTANEOUS_QUERIES",
                    f"Too many simultaneous queries: {profile.threads} of {profile.name} run, this waited "
                    f"{self._queue_seconds:g} s. Try again later.",
                ) from None
        try:
            yield self._pools[profile.name]
        finally:
            free.release()

    def close(self) -> None:
        """Waits until every thread is idle."""
        for pool in self._pools.values():
            pool.shutdown(wait=True)
