"""B3: job-analysis, file records a second, against a job that passes the same messages through.

    cd tests; ../.weir/venv/bin/python -m bench.jobs [--json FILE] [--jobs N] [--turns N] [--backend hashmap]

Both ways take the messages of a simulated center from memory and land their rows through the sink of
ClickHouse, in a server that acknowledges and keeps nothing, in one process on a small Flink cluster, at
parallelism 1 and 2 in turn. The other way decodes all topics and encodes the rows of the records, of the
scheduler and of manifests; it adds nothing up, keeps no state and judges no run. A turn lasts from the first
message to the last insert: what is written only after waits of more than three seconds is left out. Medians
of the turns and their quartiles are told, ratios as medians of the ratios in one turn. Part of the start of
the job, in which rules are compiled, falls into a turn: with fewer jobs than by default it counts for more.
Records a second and core are by processor time, all threads of the process included. Needs Maven and what it
has downloaded before. Prints a Markdown table; writes nothing into the repository.
"""

import argparse
import json
import multiprocessing
import os
import platform
import struct
import subprocess
import tempfile
from collections import defaultdict
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from sim.center import Center
from weir import documents
from weir.admin import rules
from weir_embedded.setup import java_environment

JOBS = Path(__file__).parents[2] / "flink-jobs"
TOPICS = ("weir.darshan.log", "weir.scheduler.job", "weir.job.manifest", "weir.device.sample")
Runs = dict[tuple[str, int], list[tuple[float, float]]]


def main() -> None:
    """Write the messages, run the bench, print its table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--json", type=Path, help="where to write the figures")
    options.add_argument("--jobs", type=int, default=1500, help="of the simulated center")
    options.add_argument("--turns", type=int, default=7)
    options.add_argument("--backend", default="rocksdb", choices=["rocksdb", "hashmap"])
    given = options.parse_args()
    center = Center("bench", jobs=given.jobs)
    with tempfile.TemporaryDirectory() as folder:
        messages, records = write(center, Path(folder))
        print(f"{messages:,} messages, {records:,} file records", flush=True)
        runs = timed(Path(folder), records, given.turns, given.backend)
    rows = [row(runs, parallelism) for parallelism in (1, 2)]
    print("| parallelism | job-analysis, records/s | pass-through, records/s | ratio | records/s and core |")
    print("|---|---|---|---|---|")
    for figures in rows:
        print(line(figures))
    if given.json:
        machine = f"{platform.machine()}, {multiprocessing.cpu_count()} cores"
        told = {"machine": machine, "backend": given.backend, "messages": messages, "records": records}
        given.json.write_text(json.dumps(told | {"rows": rows}, indent=1) + "\n")


def write(center: Center, folder: Path) -> tuple[int, int]:
    """Write what JobBench reads into the folder; returns messages, but those of samples, and file records.

    JobBench makes the messages of load from the samples.
    """
    rule_files = sorted(rules.SHIPPED.glob("*.yaml"))
    rule_set = {"id": rules.RULE_SET, "rules": [documents.Document(f, "rule").content for f in rule_files]}
    (folder / "rules.json").write_text(json.dumps(rule_set))
    (folder / "site.json").write_text(json.dumps(center.site))
    number = records = 0
    with (folder / "messages").open("wb") as out:
        for message in center.messages():
            out.write(_framed(message.topic, message.value))
            number += message.kind != "tick"
            if message.kind == "batch":
                records += message.rows
    return number, records


def _framed(topic: str, message: bytes) -> bytes:
    return struct.pack(">BI", TOPICS.index(topic), len(message)) + message


def timed(folder: Path, records: int, turns: int, backend: str) -> Runs:
    """(Records a second, records a second of processor time) of every turn by (way, parallelism)."""
    command = [
        "mvn", "--batch-mode", "-Dstyle.color=never", "--offline", "--quiet", "--projects", "job-analysis",
        "--also-make", "test", "-Dtest=JobBench", "-Dsurefire.failIfNoSpecifiedTests=false",
        "-DargLine=-XX:+TieredCompilation",
        f"-Dbench={folder},{turns},{backend}",
    ]  # fmt: skip
    env = os.environ | java_environment()
    done = subprocess.run(command, cwd=JOBS, env=env, capture_output=True, text=True, check=False)
    runs = defaultdict(list)
    for told in done.stdout.splitlines():
        match told.replace("\x1b[0m", "").split():
            case ["B3", way, parallelism, seconds, cpu_seconds]:
                rates = records / float(seconds), records / float(cpu_seconds)
                runs[way, int(parallelism)].append(rates)
    if done.returncode or not runs:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return runs


def row(runs: Runs, parallelism: int) -> dict[str, Any]:
    """Rates (quartiles) and their ratio."""
    ours, theirs = runs["job-analysis", parallelism], runs["pass-through", parallelism]
    ratios = [mine / other for (mine, _), (other, _) in zip(ours, theirs, strict=True)]
    return {
        "parallelism": parallelism,
        "job_analysis": quantiles([rate for rate, _ in ours], n=4),
        "pass_through": quantiles([rate for rate, _ in theirs], n=4),
        "ratio": quantiles(ratios, n=4),
        "per_core": median(rate for _, rate in ours),
        "pass_through_per_core": median(rate for _, rate in theirs),
    }


def line(figures: dict[str, Any]) -> str:
    """As Markdown."""
    rates = [
        "{1:,.0f} ({0:,.0f} to {2:,.0f})".format(*figures[way]) for way in ("job_analysis", "pass_through")
    ]
    ratio = "{1:.2f} ({0:.2f} to {2:.2f})".format(*figures["ratio"])
    cores = f"{figures['per_core']:,.0f} of {figures['pass_through_per_core']:,.0f}"
    return f"| {figures['parallelism']} | {' | '.join(rates)} | {ratio} | {cores} |"


if __name__ == "__main__":
    main()
