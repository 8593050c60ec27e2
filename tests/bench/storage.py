"""B4: storage-analysis, device samples a second, against a job that only decodes them and encodes their rows.

    .weir/venv/bin/python tests/bench/storage.py [--json FILE] [--servers N] [--ticks N] [--backend hashmap]

Both take the same ticks from memory and write into nothing, in one process on a small Flink cluster. Runs
of both ways at parallelism 1 and 2 are timed in turn; medians of seven and their quartiles are told, ratios
as medians of the ratios in one turn. A tick holds 107 devices, so 53,580 devices on 500 servers are 53,600
samples a second at ticks of 1 s, ten in a bucket (the default here), and 5,360 at ticks of 10 s, each a
bucket of its own. Samples a second and core are by processor time, the source and Flink's own threads
included. Needs Maven and what it has downloaded before. Prints a Markdown table; writes nothing into the
repository.
"""

import argparse
import json
import multiprocessing
import os
import platform
import subprocess
from collections import defaultdict
from pathlib import Path
from statistics import median, quantiles
from typing import Any

JOBS = Path(__file__).parents[2] / "flink-jobs"
DEVICES = 107
Runs = dict[tuple[str, int], list[tuple[float, float]]]
TURNS = 7


def main() -> None:
    """Run the bench and print its table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--json", type=Path, help="where to write the figures")
    options.add_argument("--servers", type=int, default=50)
    options.add_argument("--ticks", type=int, default=1000, help="of each server")
    options.add_argument("--tick-seconds", type=int, default=1)
    options.add_argument("--backend", default="rocksdb", choices=["rocksdb", "hashmap"])
    given = options.parse_args()
    runs = timed(given.servers, given.ticks, given.tick_seconds, given.backend)
    rows = [row(runs, parallelism) for parallelism in (1, 2)]
    print(
        "| parallelism | storage-analysis, samples/s | pass-through, samples/s | ratio | samples/s and core |"
    )
    print("|---|---|---|---|---|")
    for figures in rows:
        print(line(figures))
    if given.json:
        machine = f"{platform.machine()}, {multiprocessing.cpu_count()} cores"
        told = {
            "machine": machine,
            "backend": given.backend,
            "tick_seconds": given.tick_seconds,
            "devices": given.servers * DEVICES,
            "rows": rows,
        }
        given.json.write_text(json.dumps(told, indent=1) + "\n")


def timed(servers: int, ticks: int, tick_seconds: int, backend: str) -> Runs:
    """(Samples a second, samples a second of processor time) of every turn by (way, parallelism)."""
    command = [
        "mvn", "--batch-mode", "--offline", "--quiet", "--projects", "storage-analysis", "--also-make",
        "test", "-Dtest=StorageBench", "-Dsurefire.failIfNoSpecifiedTests=false",
        "-DargLine=-XX:+TieredCompilation",
        f"-Dbench={servers},{DEVICES},{ticks},{tick_seconds},{TURNS},{backend}",
    ]  # fmt: skip
    done = subprocess.run(command, cwd=JOBS, env=os.environ, capture_output=True, text=True, check=False)
    runs = defaultdict(list)
    for told in done.stdout.splitlines():
        match told.replace("\x1b[0m", "").split():
            case ["B4", way, parallelism, samples, seconds, cpu_seconds]:
                rates = int(samples) / float(seconds), int(samples) / float(cpu_seconds)
                runs[way, int(parallelism)].append(rates)
    if done.returncode or not runs:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return runs


def row(runs: Runs, parallelism: int) -> dict[str, Any]:
    """Rates (quartiles) and their ratio."""
    ours, theirs = runs["storage-analysis", parallelism], runs["pass-through", parallelism]
    ratios = [mine / other for (mine, _), (other, _) in zip(ours, theirs, strict=True)]
    return {
        "parallelism": parallelism,
        "storage_analysis": quantiles([rate for rate, _ in ours], n=4),
        "pass_through": quantiles([rate for rate, _ in theirs], n=4),
        "ratio": quantiles(ratios, n=4),
        "per_core": median(rate for _, rate in ours),
        "pass_through_per_core": median(rate for _, rate in theirs),
    }


def line(figures: dict[str, Any]) -> str:
    """As Markdown."""
    rates = [
        "{1:,.0f} ({0:,.0f} to {2:,.0f})".format(*figures[way])
        for way in ("storage_analysis", "pass_through")
    ]
    ratio = "{1:.2f} ({0:.2f} to {2:.2f})".format(*figures["ratio"])
    cores = f"{figures['per_core']:,.0f} of {figures['pass_through_per_core']:,.0f}"
    return f"| {figures['parallelism']} | {' | '.join(rates)} | {ratio} | {cores} |"


if __name__ == "__main__":
    main()
