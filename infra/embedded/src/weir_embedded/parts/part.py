"""What every part of the stack has in common."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import httpx

CHECK_SECONDS = 10
"""How long a health check waits for its answer, which comes late on a busy machine."""


class NotReady(Exception):
    """A health check failed; the text says what was seen."""


class Hopeless(NotReady):
    """A health check failed, and waiting will not mend it."""


@dataclass(frozen=True)
class Part:
    """One supervised program. `check` returns when the part is healthy, else it raises `NotReady`."""

    name: str
    title: str
    argv: tuple[str, ...]
    check: Callable[[], None]
    version: Callable[[], str]
    env: Mapping[str, str] = field(default_factory=dict)
    start_seconds: float = 120
    """How long the part may take to become healthy: beside a browser on two slow cores Kafka took 61."""
    stop_seconds: int = 20
    """How long the part may take to stop before it is killed."""
    needs: tuple[str, ...] = ()
    """Parts without which this one cannot be healthy, so that it is not blamed for them."""
    wave: int = 0
    """Parts of a wave are started together, when all of the waves before are healthy."""
    outlives_supervisor: bool = False
    """Whether the part stays when the supervisor is killed; all others die with it."""


def get(url: str, **options: object) -> httpx.Response:
    """GET that turns every failure into `NotReady`."""
    try:
        answer = httpx.get(url, timeout=CHECK_SECONDS, trust_env=False, **options)  # type: ignore[arg-type]
    except httpx.HTTPError as error:
        raise NotReady(f"{url}: {type(error).__name__} {error}") from error
    if answer.status_code != httpx.codes.OK:
        raise NotReady(f"{url} answers {answer.status_code}: {answer.text[:200]}")
    return answer
