"""What the shipping daemon reports to Prometheus."""

import time

from prometheus_client import Counter, Gauge, Histogram

from weir.shipping.job_spool import JobSpool

BACKLOG = Gauge("weir_ship_backlog_entries", "Entries in the hook's spool")
OLDEST = Gauge("weir_ship_oldest_entry_seconds", "Age of the oldest entry in the hook's spool")
SPOOL_BYTES = Gauge("weir_ship_spool_bytes", "Bytes in the hook's spool")
DROPPED = Gauge("weir_ship_hook_dropped", "Ends of jobs that the hook could not note")
SHIPPED = Counter("weir_ship_logs_shipped", "Logs that Kafka has acknowledged", ["state"])
REFUSED = Counter("weir_ship_logs_refused", "Logs that were quarantined")
REFUSED_BY_KAFKA = Counter(
    "weir_ship_refused_by_kafka", "Logs, manifests and dead letters that Kafka refuses for good", ["topic"]
)
RETRIES = Counter("weir_ship_retries", "Logs that are tried again later")
FAILURES = Counter("weir_ship_kafka_failures", "Rounds that failed and are repeated")
MANIFESTS = Counter("weir_ship_manifests", "Manifests that Kafka has acknowledged")
BAD_ENTRIES = Counter("weir_ship_bad_entries", "Entries of the spool that could not be read")
SECONDS = Histogram(
    "weir_ship_seconds",
    "From the hook's note to the acknowledgement of the job's final manifest",
    buckets=(0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 600, 3600, 86400),
)


def of_spool(spool: JobSpool) -> None:
    """Let the gauges look into the spool when they are read: they are right while Kafka is away, too."""
    BACKLOG.set_function(lambda: len(spool.names()))
    OLDEST.set_function(lambda: max(0.0, time.time() - (spool.oldest() or time.time())))
    SPOOL_BYTES.set_function(lambda: sum(spool.sizes()))
    DROPPED.set_function(spool.dropped)
