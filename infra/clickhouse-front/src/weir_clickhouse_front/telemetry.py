"""What the front reports about itself: Prometheus metrics and one access log line per request."""

import structlog
from prometheus_client import Counter, Gauge, Histogram

REQUESTS = Counter("weir_front_requests_total", "Requests answered", ["profile", "kind", "status"])
ERRORS = Counter("weir_front_errors_total", "Requests answered with an error", ["profile", "code"])
SECONDS = Histogram(
    "weir_front_request_seconds",
    "Time from head of the request to end of the answer",
    ["profile"],
    buckets=(0.005, 0.02, 0.1, 0.5, 1, 5, 20, 60),
)
QUEUED = Gauge("weir_front_queued_requests", "Requests that wait for a thread", ["profile"])
RUNNING = Gauge("weir_front_running_requests", "Requests with a thread", ["profile"])
CANCELLED = Counter("weir_front_cancelled_total", "Queries cancelled because their client went away")
INSERTED_ROWS = Counter("weir_front_inserted_rows_total", "Rows acknowledged")
INSERTED_BYTES = Counter(
    "weir_front_inserted_bytes_total", "Bytes of data received for acknowledged rows, unpacked"
)
ENGINE_MEMORY = Gauge("weir_front_engine_memory_bytes", "What the engine's memory tracker counts")

log = structlog.get_logger("weir.front")


def configure_logging() -> None:
    """JSON lines on stdout."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ]
    )
