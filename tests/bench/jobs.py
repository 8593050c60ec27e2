"""B3: job-analysis, file records a second, against a job that only decodes the same messages.

    make up; cd tests; ../.weir/venv/bin/python -m bench.jobs [--json FILE] [--jobs N] [--backend hashmap]

A simulated center is published to the running stack, so that its load is what storage-analysis made of it;
its messages are then read back from Kafka, and both ways take them from memory and write into nothing, in one
process on a small Flink cluster, at parallelism 1 and 2 in turn. The other way decodes all five topics and
encodes the rows of the records. Medians of seven and their quartiles are told, ratios as medians of the
ratios in one turn. Needs Maven and what it has downloaded before. Prints a Markdown table; writes nothing
into the repository.
"""

import argparse
import json
import multiprocessing
import os
import platform
import struct
import subprocess
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from statistics import quantiles
from typing import Any

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, TopicPartition
from sim.center import Center
from sim.publish import publish
from sim.schedule import Schedule
from weir import documents, settings, wire
from weir.kafka import Publisher, lags, read_to_end
from weir_embedded.setup import java_environment

JOBS = Path(__file__).parents[2] / "flink-jobs"
TOPICS = ("weir.darshan.log", "weir.scheduler.job", "weir.job.manifest", "weir.storage.load")
TURNS = 7
Runs = dict[tuple[str, int], list[float]]


def main() -> None:
    """Publish, read back, run the bench, print its table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--json", type=Path, help="where to write the figures")
    options.add_argument("--jobs", type=int, default=1500, help="of the simulated center")
    options.add_argument("--backend", default="rocksdb", choices=["rocksdb", "hashmap"])
    given = options.parse_args()
    center = Center(f"bench-{int(time.time())}", jobs=given.jobs)
    records = sum(message.rows for message in center.messages() if message.kind == "batch")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "messages"
        messages = collect(center, file)
        print(f"{messages:,} messages, {records:,} file records", flush=True)
        runs = timed(file, center, records, given.backend)
    rows = [row(runs, parallelism) for parallelism in (1, 2)]
    print("| parallelism | job-analysis, records/s | pass-through, records/s | ratio |\n|---|---|---|---|")
    for figures in rows:
        print(line(figures))
    if given.json:
        machine = f"{platform.machine()}, {multiprocessing.cpu_count()} cores"
        told = {"machine": machine, "backend": given.backend, "messages": messages, "records": records}
        given.json.write_text(json.dumps(told | {"rows": rows}, indent=1) + "\n")


def collect(center: Center, file: Path) -> int:
    """Publish the center and write its messages of all topics to the file; how many they are."""
    bootstrap = settings.load().kafka_bootstrap
    documents.publish(bootstrap, "weir.site", center.cluster, center.site)
    _wait_until_read(bootstrap)
    with Publisher(bootstrap, "live") as publisher:
        publish(Schedule().sendings(center.messages()), publisher)
    _wait_until_read(bootstrap)
    time.sleep(10)  # the last buckets are closed by the timers of storage-analysis
    number, logs = 0, {log.log_id(center.cluster) for log in center.plan.logs}
    with file.open("wb") as out:
        for place, topic in enumerate(TOPICS):
            for message in _all(bootstrap, topic):
                _, record = wire.decode(message)
                if record.get("cluster") == center.cluster or record.get("log_id") in logs:
                    out.write(struct.pack(">BI", place, len(message)) + message)
                    number += 1
    return number


def _wait_until_read(bootstrap: str) -> None:
    while sum(lags(bootstrap, "weir-").values()):
        time.sleep(1)


def _all(bootstrap: str, topic: str):
    consumer = Consumer(
        {"bootstrap.servers": bootstrap, "group.id": "bench", "enable.partition.eof": True}
        | {"enable.auto.commit": False}
    )
    partitions = set(consumer.list_topics(topic).topics[topic].partitions)
    consumer.assign([TopicPartition(topic, partition, OFFSET_BEGINNING) for partition in partitions])
    while partitions:
        for message in consumer.consume(1000, timeout=1):
            if message.error() is None:
                yield message.value()
            elif message.error().code() == KafkaError._PARTITION_EOF:
                partitions.discard(message.partition())
    consumer.close()


def timed(file: Path, center: Center, records: int, backend: str) -> Runs:
    """Records a second of every turn by (way, parallelism)."""
    site, rules = file.with_name("site.json"), file.with_name("rules.json")
    site.write_text(json.dumps(center.site))
    published = read_to_end(settings.load().kafka_bootstrap, "weir.rules")["default"]
    rules.write_text(wire.decode(published)[1]["content"])
    command = [
        "mvn", "--batch-mode", "-Dstyle.color=never", "--offline", "--quiet", "--projects", "job-analysis",
        "--also-make", "test", "-Dtest=JobBench", "-Dsurefire.failIfNoSpecifiedTests=false",
        f"-Dbench={file},{center.cluster},{site},{rules},{TURNS},{backend}",
    ]  # fmt: skip
    env = os.environ | java_environment()
    done = subprocess.run(command, cwd=JOBS, env=env, capture_output=True, text=True, check=False)
    runs = defaultdict(list)
    for told in done.stdout.splitlines():
        match told.replace("\x1b[0m", "").split():
            case ["B3", way, parallelism, seconds]:
                runs[way, int(parallelism)].append(records / float(seconds))
    if done.returncode or not runs:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return runs


def row(runs: Runs, parallelism: int) -> dict[str, Any]:
    """Rates (quartiles) and their ratio."""
    ours, theirs = runs["job-analysis", parallelism], runs["pass-through", parallelism]
    ratios = [mine / other for mine, other in zip(ours, theirs, strict=True)]
    return {
        "parallelism": parallelism,
        "job_analysis": quantiles(ours, n=4),
        "pass_through": quantiles(theirs, n=4),
        "ratio": quantiles(ratios, n=4),
    }


def line(figures: dict[str, Any]) -> str:
    """As Markdown."""
    rates = [
        "{1:,.0f} ({0:,.0f} to {2:,.0f})".format(*figures[way]) for way in ("job_analysis", "pass_through")
    ]
    ratio = "{1:.2f} ({0:.2f} to {2:.2f})".format(*figures["ratio"])
    return f"| {figures['parallelism']} | {' | '.join(rates)} | {ratio} |"


if __name__ == "__main__":
    main()
