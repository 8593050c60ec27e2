"""Brings the supervisor back after a kill -9, and every part with it.

supervisord restarts the reviver like any part; the reviver alone is not bound to supervisord's life. It waits
in a shell, which takes less than 1 MB, and this program runs once that shell sees that supervisord is gone.
"""

import time
import xmlrpc.client

import psutil
import structlog
from tenacity import RetryCallState, Retrying, retry_if_exception_type, wait_exponential

from weir_embedded import supervisor
from weir_embedded.errors import StackError
from weir_embedded.settings import Stack

# A supervisor that dies at once is not started in a tight loop.
SHORTEST_LIFE_SECONDS = 5

log = structlog.get_logger()


def _tell(attempt: RetryCallState) -> None:
    problem = attempt.outcome.exception() if attempt.outcome else None
    detail = getattr(problem, "detail", "")
    log.warning("supervisor.not_revived", problem=str(problem), detail=detail, way_out="tried again")


def main() -> None:
    """Start supervisord and all of its parts again, until it has worked; they include another reviver."""
    waited = time.time() - psutil.Process().create_time()
    time.sleep(max(0.0, SHORTEST_LIFE_SECONDS - waited))
    again = retry_if_exception_type((StackError, OSError, xmlrpc.client.Error))
    Retrying(retry=again, wait=wait_exponential(min=1, max=60), before_sleep=_tell)(
        supervisor.revive, Stack()
    )
    log.info("supervisor.revived")


if __name__ == "__main__":
    main()
