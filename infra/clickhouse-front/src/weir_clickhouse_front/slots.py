"""Threads for requests: a fixed number per login, so that nobody takes another's."""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from weir_clickhouse_front import telemetry
from weir_clickhouse_front.errors import FrontError
from weir_clickhouse_front.profiles import Profile

MAX_WAITING = 32


@dataclass
class Login:
    """The threads of one login and how many of its requests wait for one."""

    threads: ThreadPoolExecutor
    free: asyncio.Semaphore
    waiting: int = field(default=0)


class Slots:
    """One pool of threads and one short queue per login."""

    def __init__(self, profiles: dict[str, Profile], queue_seconds: float):
        """`profiles` by login."""
        self._queue_seconds = queue_seconds
        self._logins = {
            login: Login(
                ThreadPoolExecutor(profile.threads, thread_name_prefix=login),
                asyncio.Semaphore(profile.threads),
            )
            for login, profile in profiles.items()
        }

    @asynccontextmanager
    async def take(self, name: str, profile: Profile) -> AsyncIterator[ThreadPoolExecutor]:
        """Waits for a free thread of the login; FrontError 202 after queue_seconds, or where many wait."""
        login = self._logins[name]
        if login.waiting >= MAX_WAITING:
            raise _too_many(f"{profile.threads} of {name} run and {MAX_WAITING} wait.")
        login.waiting += 1
        try:
            with telemetry.QUEUED.labels(profile.name).track_inprogress():
                await asyncio.wait_for(login.free.acquire(), self._queue_seconds)
        except TimeoutError:
            raise _too_many(
                f"{profile.threads} of {name} run, this waited {self._queue_seconds:g} s."
            ) from None
        finally:
            login.waiting -= 1
        try:
            yield login.threads
        finally:
            login.free.release()

    def close(self) -> None:
        """Waits until every thread is idle."""
        for login in self._logins.values():
            login.threads.shutdown(wait=True)


def _too_many(text: str) -> FrontError:
    return FrontError(
        202, "TOO_MANY_SIMULTANEOUS_QUERIES", f"Too many simultaneous queries: {text} Try again later."
    )
