"""Lets one request ask the database for an answer that others wait for, too.

Superset looks into its cache for the answer of a chart and asks the database where there is none. Viewers of
a dashboard refresh together, so each of the server's threads would ask the same before the first answer is
there. Where an answer takes long, as the cores have other work, it would be old before the last of them has
it; so it is kept the longer, the longer it took.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any
from zlib import crc32

if TYPE_CHECKING:
    from redis import Redis

WAIT_SECONDS = 20
"""Who has waited so long asks as well: the first one's process may be dead."""
KEPT_TIMES = 20
"""An answer is kept so many times as long as it took, as a page has as many charts."""
MOST_KEPT_SECONDS = 59
"""No answer is kept longer for that: viewers see what is a minute old at most."""
LOOK_SECONDS = 0.02
LEASE_SECONDS = 60
"""A process that was killed holds a lock in Redis no longer; longer than a question may take."""
FILES = 256

Turn = Callable[[str], AbstractContextManager[None]]
"""Waits until nobody else asks for the answer of a key."""


@dataclass
class _Asking:
    """One chart's answer under way: what is held for it, and since when the database is asked."""

    held: ExitStack
    since: float | None = None


_asking: ContextVar[_Asking | None] = ContextVar("_asking", default=None)


def kept_seconds(timeout: int | None, took: float) -> int | None:
    """Returns how long to keep an answer that took so many seconds; one that is not kept by time stays so."""
    if timeout is None or timeout <= 0:
        return timeout
    return max(timeout, min(MOST_KEPT_SECONDS, round(KEPT_TIMES * took)))


def in_files(folder: Path) -> Turn:
    """Gives turns to the processes of this machine, by files of the folder."""
    # Superset's environment has it; that of the tests has not.
    from filelock import FileLock

    folder.mkdir(parents=True, exist_ok=True)

    @contextmanager
    def turn(key: str) -> Iterator[None]:
        file = folder / f"{crc32(key.encode()) % FILES}.lock"
        with ExitStack() as held:
            with suppress(OSError):  # it was waited for long enough, or the disk is full
                held.enter_context(FileLock(file, timeout=WAIT_SECONDS, poll_interval=LOOK_SECONDS))
            yield

    return turn


def in_redis(redis: "Redis") -> Turn:
    """Gives turns to all processes that share this Redis."""
    from redis.exceptions import RedisError

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

    answer_chart, look, keep = (
        QueryContextProcessor.get_df_payload,
        QueryCacheManager.get,
        QueryCacheManager.set,
    )

    @wraps(answer_chart)
    def answer_in_turn(*args: Any, **kwargs: Any) -> Any:
        with ExitStack() as held:
            before = _asking.set(_Asking(held))
            try:
                return answer_chart(*args, **kwargs)
            finally:
                _asking.reset(before)

    @wraps(look)
    def look_again(
        key: str | None, region: Any, force_query: bool = False, force_cached: bool = False
    ) -> Any:
        found, asking = look(key, region, force_query, force_cached), _asking.get()
        if found.is_loaded or force_query or key is None or asking is None:
            return found
        asking.held.enter_context(turn(key))
        asking.since = monotonic()
        return look(key, region)

    @wraps(keep)
    def keep_longer(
        key: str | None, value: Any, timeout: int | None = None, *more: Any, **named: Any
    ) -> None:
        asking = _asking.get()
        if asking is not None and asking.since is not None:
            timeout = kept_seconds(timeout, monotonic() - asking.since)
        keep(key, value, timeout, *more, **named)

    QueryContextProcessor.get_df_payload = answer_in_turn
    QueryCacheManager.get = staticmethod(look_again)
    QueryCacheManager.set = staticmethod(keep_longer)
