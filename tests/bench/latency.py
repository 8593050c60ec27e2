"""B6: from the first message of a log published to its run queryable, at a steady rate.

    weir-stack up; .weir/venv/bin/python tests/bench/latency.py --rate 5 --seconds 60 [--servers N] [--keep]

The recorded logs are published again and again under new identities in a cluster of their own, whose rows
are dropped at the end, which rewrites parts of all tables: over a long history `--keep` them. With
`--servers` so many storage servers send samples of 53 devices every five seconds meanwhile; 506 are those of
S2. Prints one JSON object; writes nothing into the repository.
"""

import argparse
import itertools
import json
import threading
import time
from pathlib import Path
from statistics import quantiles

from weir import clickhouse, documents, identity, settings, wire
from weir.kafka import Publisher
from weir.logs import log_messages
from weir.logs.darshan_log import Source
from weir.replay import center, ledger

RECORDING = Path(__file__).parents[1] / "data/center"
CLUSTER = "bench"
PATIENCE_SECONDS = 60
DEVICES, EVERY_SECONDS = 53, 5
# what each device did in five seconds, in the order of COLUMNS
COLUMNS = ["reads", "writes", "bytes_read", "bytes_written", "busy_seconds", "weighted_queue_seconds"]
MOVED = [500.0, 450.0, 5e8, 4e8, 2.0, 3.0]


def main() -> None:
    """Publish, watch, and tell the distribution of the delays in seconds."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rate", type=float, default=5, help="logs a second")
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--servers", type=int, default=0, help="that send samples of their devices")
    options.add_argument("--keep", action="store_true", help="leave the rows in their tables")
    given = options.parse_args()
    config = settings.load()
    servers = [f"bench{number}" for number in range(given.servers)]
    site = documents.load_site(RECORDING / "site.yaml") | {"cluster": CLUSTER}
    site["load_bucket_seconds"] = 10
    site["file_systems"][0]["devices"] |= {server: _devices(server) for server in servers}
    site["servers"] += [{"name": server, "sample_interval_seconds": EVERY_SECONDS} for server in servers]
    documents.publish(config.kafka, "weir.site", CLUSTER, site)
    logs = center.decode_logs(RECORDING, ["darshan/*/*/*.darshan"], Source(CLUSTER, "trusted_archive"), [])
    count = int(given.rate * given.seconds)
    sent: dict[str, float] = {}
    seen: dict[str, float] = {}
    watcher = threading.Thread(target=_watch, args=(config, count, sent, seen))
    watcher.start()
    ended = threading.Event()
    sampler = threading.Thread(target=_sample, args=(config, servers, ended))
    sampler.start()
    _publish(config, itertools.islice(itertools.cycle(logs), count), given.rate, sent)
    watcher.join()
    ended.set()
    sampler.join()
    if not given.keep:
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


def _devices(server) -> list[str]:
    return [f"{server}:sd{number}" for number in range(DEVICES)]


def _sample(config, servers, ended) -> None:
    began, fixed = time.monotonic(), {"cluster": CLUSTER, "cumulative": False, "boot_id": None}
    values = wire.packed([[moved] * DEVICES for moved in MOVED])
    with Publisher(config.kafka, "live") as publisher:
        # one server after the other, evenly over the interval
        for number in itertools.count() if servers else ():
            if ended.wait(max(0.0, began + number * EVERY_SECONDS / len(servers) - time.monotonic())):
                return
            server = servers[number % len(servers)]
            sample = fixed | {
                "server": server, "time": time.time_ns() // 1000, "interval_seconds": float(EVERY_SECONDS),
                "device_ids": _devices(server), "device_names": _devices(server),
                "columns": COLUMNS, "values": values, "origin": "live",
            }  # fmt: skip
            publisher.send("weir.device.sample", f"{CLUSTER}/{server}", "DeviceSample", sample)


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
        time.sleep(0.5)


if __name__ == "__main__":
    main()
