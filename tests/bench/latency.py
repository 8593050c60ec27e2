"""B6: from the first message of a log published to its run queryable, at a steady rate.

    weir-stack up; .weir/venv/bin/python tests/bench/latency.py --rate 5 --seconds 60

The recorded logs are published again and again under new identities in a cluster of their own, whose rows
are dropped at the end. Prints one JSON object; writes nothing into the repository.
"""

import argparse
import itertools
import json
import threading
import time
from pathlib import Path
from statistics import quantiles

from weir import clickhouse, documents, identity, settings
from weir.kafka import Publisher
from weir.logs import log_messages
from weir.logs.darshan_log import Source
from weir.replay import center, ledger

RECORDING = Path(__file__).parents[1] / "data/center"
CLUSTER = "bench"
PATIENCE_SECONDS = 60


def main() -> None:
    """Publish, watch, and tell the distribution of the delays in seconds."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rate", type=float, default=5, help="logs a second")
    options.add_argument("--seconds", type=float, default=60)
    given = options.parse_args()
    config = settings.load()
    site = documents.load_site(RECORDING / "site.yaml") | {"cluster": CLUSTER}
    documents.publish(config.kafka, "weir.site", CLUSTER, site)
    logs = center.decode_logs(RECORDING, ["darshan/*/*/*.darshan"], Source(CLUSTER, "trusted_archive"), [])
    count = int(given.rate * given.seconds)
    sent: dict[str, float] = {}
    seen: dict[str, float] = {}
    watcher = threading.Thread(target=_watch, args=(config, count, sent, seen))
    watcher.start()
    _publish(config, itertools.islice(itertools.cycle(logs), count), given.rate, sent)
    watcher.join()
    ledger.drop_rows(clickhouse.connect(config, migrator=True), config.clickhouse_database, CLUSTER)
    delays = sorted(seen[log_id] - sent[log_id] for log_id in seen)
    cuts = quantiles(delays, n=100)
    print(json.dumps({
        "rate": given.rate, "logs": count, "landed": len(seen),
        "p50": cuts[49], "p95": cuts[94], "p99": cuts[98], "max": delays[-1],
    }))  # fmt: skip


def _publish(config, logs, rate, sent) -> None:
    run = time.time_ns()
    began = time.monotonic()
    with Publisher(config.kafka, "live") as publisher:
        for number, log in enumerate(logs):
            time.sleep(max(0.0, began + number / rate - time.monotonic()))
            log_id = identity.log_id(f"{run} {number}".encode())
            shift = int(time.time() - center.seconds(log.header["end_time"]))
            sent[log_id] = time.monotonic()
            log_messages.publish(publisher, log, shift, log_id)


def _watch(config, count, sent, seen) -> None:
    client = clickhouse.connect(config)
    quiet_since = time.monotonic()
    while len(seen) < count and time.monotonic() - quiet_since < PATIENCE_SECONDS:
        rows = client.query(
            "SELECT DISTINCT log_id FROM runs_versions WHERE cluster = {c:String}", parameters={"c": CLUSTER}
        ).result_rows
        now = time.monotonic()
        new = {log_id for (log_id,) in rows} - seen.keys()
        seen.update(dict.fromkeys(new & sent.keys(), now))
        quiet_since = now if new else quiet_since
        time.sleep(0.1)


if __name__ == "__main__":
    main()
