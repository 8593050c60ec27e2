"""Lets one request ask the database for an answer that others wait for, too.

Superset looks into its cache for the answer of a chart and asks the database where there is none. Viewers of
a dashboard refresh together, so each of the server's threads would ask the same before the first answer is
there.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from contextvars import ContextVar
from functools import wraps
from pathlib import Path
from typing import Any
from zlib import crc32

from filelock import FileLock
from redis import Redis
from redis.exceptions import RedisError

WAIT_SECONDS = 5
"""Who has waited so long asks as well: the first one's question may be slow, or fail."""
LOOK_SECONDS = 0.02
LEASE_SECONDS = 60
"""A process that was killed holds a lock in Redis no longer; longer than a question may take."""
FILES = 256

Turn = Callable[[str], AbstractContextManager[None]]
"""Waits until nobody else asks for the answer of a key."""

_asking: ContextVar[ExitStack | None] = ContextVar("_asking", default=None)


def in_files(folder: Path) -> Turn:
    """Gives turns to the processes of this machine, by files of the folder."""
    folder.mkdir(parents=True, exist_ok=True)

    @contextmanager
    def turn(key: str) -> Iterator[None]:
        file = folder / f"{crc32(key.encode()) % FILES}.lock"
        with ExitStack() as held:
            with suppress(OSError):  # it was waited for long enough, or the disk is full
                held.enter_context(FileLock(file, timeout=WAIT_SECONDS, poll_interval=LOOK_SECONDS))
            yield

    return turn


def in_redis(redis: Redis) -> Turn:
    """Gives turns to all processes that share this Redis."""

    @contextmanager
    def turn(key: str) -> Iterator[None]:
        lock = redis.lock(
            f"superset_asking_{key}", LEASE_SECONDS, sleep=LOOK_SECONDS, blocking_timeout=WAIT_SECONDS
        )
        is_ours = False
        with suppress(RedisError):
            is_ours = lock.acquire()
        try:
            yield
        finally:
            if is_ours:
                with suppress(RedisError):  # it took longer than the lease, or Redis is gone
                    lock.release()

    return turn


def install(turn: Turn) -> None:
    """Make Superset look again, once it is its turn, for an answer that its cache did not have."""
    # Superset's models can only be loaded within its application.
    from superset.common.query_context_processor import QueryContextProcessor
    from superset.common.utils.query_cache_manager import QueryCacheManager

    answer_chart, look = QueryContextProcessor.get_df_payload, QueryCacheManager.get

    @wraps(answer_chart)
    def answer_in_turn(*args: Any, **kwargs: Any) -> Any:
        with ExitStack() as held:
            before = _asking.set(held)
            try:
                return answer_chart(*args, **kwargs)
            finally:
                _asking.reset(before)

    @wraps(look)
    def look_again(
        key: str | None, region: Any, force_query: bool = False, force_cached: bool = False
    ) -> Any:
        found, held = look(key, region, force_query, force_cached), _asking.get()
        if found.is_loaded or force_query or key is None or held is None:
            return found
        held.enter_context(turn(key))
        return look(key, region)

    QueryContextProcessor.get_df_payload = answer_in_turn
    QueryCacheManager.get = staticmethod(look_again)
