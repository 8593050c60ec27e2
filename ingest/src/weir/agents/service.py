"""What every agent does as a service: logs as JSON lines, metrics on loopback, ending on a signal."""

import logging
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import structlog
from prometheus_client import Gauge, start_http_server

from weir.agents import clock
from weir.errors import UserError

FAILING = Gauge(
    "weir_agent_failing", "1 while the agent can't go on and tries again, by the reason", ["reason"]
)

CLOCK = Gauge(
    "weir_agent_clock_error_seconds",
    "Most that the clock here can be off, as the kernel knows from NTP; NaN where it is not synchronized",
)
CLOCK.set_function(clock.error_seconds)


def failing(reason: str) -> None:
    """Notes why the agent can't go on but tries again; metrics and `weir doctor` show it until `well`."""
    FAILING.clear()
    FAILING.labels(reason).set(1)


def well() -> None:
    """It could go on."""
    FAILING.clear()


@contextmanager
def running(agent: str, metrics_port: int) -> Iterator[threading.Event]:
    """Gives the event that SIGTERM and SIGINT set; the agent goes on until then."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper("iso"),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    structlog.contextvars.bind_contextvars(agent=agent)
    if metrics_port:
        try:
            start_http_server(metrics_port, "127.0.0.1")
        except OSError as error:
            raise UserError(
                f"metrics_port {metrics_port} of {agent}: {error.strerror}. Choose another."
            ) from None
    with stopping() as stop:
        log = structlog.get_logger()
        log.info("started")
        yield stop
        log.info("stopped")


@contextmanager
def stopping() -> Iterator[threading.Event]:
    """Gives the event that SIGTERM and SIGINT set."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    yield stop
