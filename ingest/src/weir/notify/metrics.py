"""What the notifier shows Prometheus."""

from prometheus_client import Counter, Gauge, Histogram

ENDED = Counter("weir_notify_deliveries", "Deliveries that ended", ["kind", "state"])
WAITING = Gauge("weir_notify_waiting", "Alerts that are not delivered yet")
AWAY = Gauge("weir_notify_channel_away", "1 while nothing can be sent through a channel", ["channel"])
SECONDS = Histogram(
    "weir_notify_seconds",
    "From the decision of an alert until it was sent",
    buckets=(0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 3600, 86400, 259200),
)
