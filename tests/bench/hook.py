"""B2: how long a job's end waits for the hook, beside /bin/true and a hook that publishes by itself.

    .weir/venv/bin/python tests/bench/hook.py [--turns N] [--spool FOLDER] [--python /usr/bin/python3]

The ways take turns, each as a process of its own that is waited for. The hook is run with an empty spool,
with one that holds 10,000 entries, and with one that is full; it never talks to Kafka, so that an outage is
just that. The naive hook imports Weir and produces to a broker (librdkafka's mock cluster), then to one that
is away, for which it waits a second. Prints a Markdown table of wall and processor time in milliseconds.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import quantiles

from confluent_kafka import Producer

HOOK = Path(__file__).parents[2] / "ingest/hook/weir_job_end.py"
NAIVE = """
import sys
from confluent_kafka import Producer
from weir import wire
producer = Producer({"bootstrap.servers": sys.argv[1], "log_level": 0})
entry = {"id": "77", "revision": 1, "content": "ended"}
producer.produce("weir.job.end", key=b"77", value=wire.encode("Published", entry))
producer.flush(1)
"""


def main() -> None:
    """Time every way and print the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--turns", type=int, default=100)
    options.add_argument(
        "--spool", type=Path, help="on the file system to measure; a temporary one if not given"
    )
    options.add_argument("--python", default="/usr/bin/python3", help="that runs the hook")
    given = options.parse_args()
    mock = Producer({"test.mock.num.brokers": 1, "log_level": 0})
    broker = mock.list_topics(timeout=30).brokers[1]
    with tempfile.TemporaryDirectory(dir=given.spool) as folder:
        ways = {
            "/bin/true": ["/bin/true"],
            "python3 -IS, doing nothing": [given.python, "-IS", "-c", ""],
            "hook": hook(given.python, Path(folder) / "empty", 0),
            "hook, 10,000 entries wait": hook(given.python, Path(folder) / "some", 10_000),
            "hook, spool full": hook(given.python, Path(folder) / "full", 20_000),
            "naive hook, Kafka up": [sys.executable, "-c", NAIVE, f"{broker.host}:{broker.port}"],
            "naive hook, Kafka away": [sys.executable, "-c", NAIVE, "127.0.0.1:9"],
        }
        taken: dict[str, list[tuple[float, float]]] = {way: [] for way in ways}
        for _ in range(given.turns):
            for way, command in ways.items():
                taken[way].append(timed(command))
    print("| way | wall p50, ms | p99 | most | processor p50, ms |")
    print("|---|---|---|---|---|")
    for way, times in taken.items():
        wall, processor = ([1000 * each for each in kind] for kind in zip(*times, strict=True))
        cuts = quantiles(wall, n=100)
        print(
            f"| {way} | {cuts[49]:.1f} | {cuts[98]:.1f} | {max(wall):.1f} | {quantiles(processor)[1]:.1f} |"
        )


def hook(python: str, spool: Path, entries: int) -> list[str]:
    """The command, and its spool."""
    spool.mkdir()
    spool.chmod(0o2770)
    for number in range(entries):
        os.close(os.open(spool / f"{number}.json", os.O_CREAT | os.O_WRONLY, 0o640))
    return [python, "-IS", str(HOOK), "--spool", str(spool), "--job-id", "77", "--uid", "1000"]


def timed(command: list[str]) -> tuple[float, float]:
    """Wall and processor seconds of a command."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True)
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
