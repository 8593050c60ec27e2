"""B6: from a job's end to the mail about it handed to the SMTP server, by step, at a multiple of S1.

    make demo; .weir/venv/bin/python tests/bench/mail_latency.py --times 100 --minutes 5

S1 is a job in 216 s and 128 storage servers that are sampled every 60 s. Here every job is a mail: it writes
small requests until its last second, and has a user of its own. Its messages are those of the simulated
center, published in real time as the agents would:

- log and manifest 1 s after the job's end, as hook and `weir agent ship` send them at once
- scheduler records at the next look of `weir agent scheduler`, one in 30 s
- a sample of each server at each interval, at a phase of its own, as each agent starts at another time;
  of as many devices as --times

Steps come from the clocks of the record: the alert's `settled_at` and `decided_at`, and the time of its
delivery's state `sent`. What a poll every five minutes would take is computed for the same jobs, not
measured. The rows of the bench's cluster are dropped at the end. Prints one JSON object; writes nothing
into the repository.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from heapq import heappop, heappush
from itertools import count
from math import ceil
from pathlib import Path
from random import Random
from statistics import mean, quantiles
from threading import Event
from typing import Any

import numpy as np
from clickhouse_connect.driver.client import Client
from weir import clickhouse, documents, settings
from weir.formats.device_record import COLUMNS
from weir.kafka import Options, Publisher
from weir.replay import ledger

sys.path.append(str(Path(__file__).parents[1]))

from sim.center import Center, Message
from sim.plan import RUN_SECONDS, App, Job, Log, Look, Person, Submit

CLUSTER = "bench-mail"
S1_JOB_SECONDS, SERVERS = 216, 128
HOOK_SECONDS, SCHEDULER_SECONDS, POLL_SECONDS = 1, 30, 300
LEAD_SECONDS, WATCH_SECONDS = 5, 1
PATIENCE_SECONDS = 300
HOURLY_SECONDS = 90
"""After a change of load its hourly row has landed by then."""
STEPS = ("published", "settled", "decided", "sent")
ALERTS = {
    "mode": "live",
    "least_severity": "info",
    "least_node_hours": 0,
    "least_share": 0,
    "per_user_and_day": 1000,
    "digest": "never",
}
MAILS = """
    SELECT alerts.unit, alerts.settled_at, alerts.decided_at, deliveries.time FROM alerts
    INNER JOIN deliveries ON deliveries.cluster = alerts.cluster AND deliveries.alert = alerts.alert
    WHERE alerts.cluster = {c:String} AND alerts.kind = 'finding' AND deliveries.state = 'sent'
"""


def main() -> None:
    """Publish jobs, watch for their mails, and print the distribution of each step in seconds."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--times", type=float, default=1, help="of S1's jobs and devices")
    options.add_argument(
        "--minutes", type=float, default=5, help="in which jobs end; of the poll a multiple of 5"
    )
    options.add_argument(
        "--interval", type=int, default=60, help="seconds from sample to sample, and of a bucket"
    )
    given = options.parse_args()
    config = settings.load()
    began = int(time.time()) + LEAD_SECONDS
    center = Center(CLUSTER, jobs=0, base=began, filesystems=1, servers=0)
    center.plan.jobs = list(_jobs(began, S1_JOB_SECONDS / given.times, 60 * given.minutes))
    devices = [f"d{number}" for number in range(ceil(given.times))]
    documents.publish(config.kafka, "weir.site", CLUSTER, _site(center, devices, given.interval))
    stop = Event()
    with ThreadPoolExecutor() as threads:
        sampling = threads.submit(_sample, config.kafka, devices, given.interval, stop)
        publishing = threads.submit(_publish, config.kafka, _shipped(center.messages()))
        try:
            queryable, mails = _watch(clickhouse.connect(config), center.plan.jobs, publishing)
        finally:
            stop.set()
        sampling.result()
    found = [
        _delays(job, publishing.result()[job.submits[0].job_id], queryable[_log_id(job)], *mails[_unit(job)])
        for job in center.plan.jobs
        if _unit(job) in mails and _log_id(job) in queryable
    ]
    counts = {"jobs": len(center.plan.jobs), "mails": len(mails)}
    print(json.dumps(vars(given) | counts | _distributions(found)), flush=True)
    # a server's last bucket lands after two silent intervals; nothing may land once the rows are dropped
    time.sleep(2 * given.interval + HOURLY_SECONDS)
    ledger.drop_rows(clickhouse.connect(config, migrator=True), config.clickhouse_database, CLUSTER)


def _jobs(began: int, gap: float, seconds: float) -> Iterator[Job]:
    """Draw slow jobs, each of which ends somewhere in its gap; no run of the bench shares their numbers."""
    random = Random(1)
    for place in range(ceil(seconds / gap)):
        number, end = began + place, began + int((place + random.random()) * gap)
        person = Person(f"bench{number}", 60_000, "bench")
        app = App("writer", person, "small_io", io_seconds=RUN_SECONDS - 30)
        log = Log(
            number, app, end - RUN_SECONDS, "scratch0", None, app.io_seconds,
            job_id=number, uid=person.uid, owner=person.uid,
        )  # fmt: skip
        submit = Submit(number, person, log.start - 60, log.start, end, nodes=1)
        look = Look(number, submit, named=False, at=end + HOOK_SECONDS, final=True, logs=(log,))
        yield Job("bench", [submit], [log], [look])


def _log_id(job: Job) -> str:
    return job.logs[0].log_id(CLUSTER)


def _unit(job: Job) -> str:
    return f"job {job.submits[0].uid(CLUSTER)}"


def _site(center: Center, devices: list[str], interval: int) -> dict[str, Any]:
    """Put one file system on all servers; in maintenance, so that no operator gets a mail at the end."""
    servers, today = [f"oss{number}" for number in range(SERVERS)], datetime.now(UTC)
    scratch = center.site["file_systems"][0] | {"devices": dict.fromkeys(servers, devices)}
    window = {"from": today.isoformat(), "to": (today + timedelta(days=1)).isoformat(), "reason": "bench"}
    return center.site | {
        "file_systems": [scratch],
        "servers": [{"name": server, "sample_interval_seconds": interval} for server in servers],
        "load_bucket_seconds": interval,
        "maintenance_windows": [window],
        "alerts": ALERTS,
    }


def _shipped(messages: Iterable[Message]) -> Iterator[tuple[float, Message]]:
    """Give the messages in the order in which agents publish them, with the time of that."""
    waiting: list[tuple[float, int, Message]] = []
    for number, message in enumerate(messages):
        heappush(waiting, (_shipped_at(message), number, message))
        while waiting and waiting[0][0] <= message.at:
            due, _, first = heappop(waiting)
            yield due, first
    while waiting:
        due, _, first = heappop(waiting)
        yield due, first


def _shipped_at(message: Message) -> float:
    if message.kind == "job":
        return ceil(message.at / SCHEDULER_SECONDS) * SCHEDULER_SECONDS
    return message.at if message.kind == "manifest" else message.at + HOOK_SECONDS


def _publish(kafka: Options, messages: Iterable[tuple[float, Message]]) -> dict[int, float]:
    """Publish each when it is due; when Kafka had acknowledged the last of each job, by job id."""
    acknowledged: dict[int, float] = {}
    with Publisher(kafka, "live") as publisher:
        for due, message in messages:
            time.sleep(max(0.0, due - time.time()))
            publisher.put(message.topic, message.key, message.value)
            if message.kind in ("job", "manifest"):  # the log is before its manifest
                publisher.flush()
                acknowledged[int(message.key.split("/")[1])] = time.time()
    return acknowledged


def _sample(kafka: Options, devices: list[str], interval: int, stop: Event) -> None:
    """Publish what each server counted since boot, those of the first run's time at once, until `stop`."""
    random = Random(2)
    phases = sorted((random.uniform(0, interval), f"oss{number}") for number in range(SERVERS))
    first = time.time() - RUN_SECONDS - 2 * interval  # the first run began before the bench did
    with Publisher(kafka, "live") as publisher:
        for tick in count():
            for phase, server in phases:
                at = first + tick * interval + phase
                if stop.wait(max(0.0, at - time.time())):
                    return
                sample = {
                    "cluster": CLUSTER,
                    "server": server,
                    "time": int(at * 1e6),
                    "interval_seconds": float(interval),
                    "cumulative": True,
                    "boot_id": f"bench{first:.0f}",
                    "device_ids": devices,
                    "device_names": devices,
                    "columns": COLUMNS,
                    "values": np.full((len(COLUMNS), len(devices)), float(tick)).tobytes(),
                    "origin": "live",
                }
                publisher.send("weir.device.sample", f"{CLUSTER}/{server}", "DeviceSample", sample)


def _watch(
    client: Client, jobs: list[Job], publishing: Future
) -> tuple[dict[str, float], dict[str, tuple[float, ...]]]:
    """Look each second: when findings were first seen by log, and the times of each mail by unit."""
    queryable: dict[str, float] = {}
    mails: dict[str, tuple[float, ...]] = {}
    units = {_unit(job) for job in jobs}
    until = max(job.submits[0].end for job in jobs) + PATIENCE_SECONDS
    while mails.keys() != units and time.time() < until:
        if publishing.done():
            publishing.result()  # raises what ended it
        time.sleep(WATCH_SECONDS)
        seen = client.query("SELECT DISTINCT log_id FROM findings WHERE cluster = {c:String}", {"c": CLUSTER})
        for (log_id,) in seen.result_rows:
            queryable.setdefault(log_id, time.time())
        for unit, *times in client.query(MAILS, {"c": CLUSTER}).result_rows:
            if unit in units:
                mails[unit] = tuple(each.timestamp() for each in times)
    return queryable, mails


def _delays(job: Job, in_kafka: float, queryable: float, settled: float, decided: float, sent: float):
    """Seconds of each step of a job, and what a poll would have taken."""
    end = job.submits[0].end
    return {
        "published": in_kafka - end,
        "settled": settled - in_kafka,
        "decided": decided - settled,
        "sent": sent - decided,
        "all": sent - end,
        "after settling": sent - settled,
        "findings queryable": queryable - end,
        "poll of findings, computed": _polled(queryable) - end,
        "poll of settled results, computed": _polled(settled) - end,
    }


def _polled(at: float) -> float:
    """When the next poll finds it, and mails at once."""
    return ceil(at / POLL_SECONDS) * POLL_SECONDS


def _distributions(found: list[dict[str, float]]) -> dict[str, dict[str, float]]:
    """Compute quantiles of each delay, and the steps' shares of the whole."""
    distributions = {}
    for step in found[0]:
        delays = [each[step] for each in found]
        cuts = quantiles(delays, n=100, method="inclusive")
        distributions[step] = {"p50": cuts[49], "p95": cuts[94], "p99": cuts[98], "max": max(delays)}
        if step in STEPS:
            distributions[step]["share"] = mean(delays) / mean(each["all"] for each in found)
    return {step: {name: round(value, 2) for name, value in of.items()} for step, of in distributions.items()}


if __name__ == "__main__":
    main()
