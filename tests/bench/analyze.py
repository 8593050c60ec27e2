"""Times `weir analyze` of one small log as a user waits for it, against other commands on the same log.

    .weir/venv/bin/python tests/bench/analyze.py [--turns N] [--log FILE] [--other NAME=COMMAND]...

The ways take turns, so that a loaded machine slows all of them: without an archive of classes (the first
use), with it, `weir --version` (no numpy, no Java), and other commands, in which {} is the log, for example
--other "drishti=drishti {}". Prints medians of seconds waited and of processor seconds of all, and the load
of the machine; writes nothing into the repository.
"""

import argparse
import os
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from statistics import median

CASE = Path(__file__).parents[1] / "data/center/darshan/generated/small_unaligned_shared"


def main() -> None:
    """Time every way and print the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--turns", type=int, default=7)
    options.add_argument("--log", type=Path, default=next(CASE.glob("*.darshan")))
    options.add_argument("--other", action="append", default=[], metavar="NAME=COMMAND")
    given = options.parse_args()
    weir = [sys.executable, "-m", "weir"]
    others = {name: command for name, _, command in (each.partition("=") for each in given.other)}
    seconds: dict[str, list[tuple[float, float]]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as warm:
        timed([*weir, "analyze", str(given.log)], warm)
        for _ in range(given.turns):
            with tempfile.TemporaryDirectory() as cold:
                seconds["first use"].append(timed([*weir, "analyze", str(given.log)], cold))
            seconds["later use"].append(timed([*weir, "analyze", str(given.log)], warm))
            seconds["weir --version"].append(timed([*weir, "--version"], warm))
            for name, command in others.items():
                words = shlex.split(command.replace("{}", shlex.quote(str(given.log))))
                seconds[name].append(timed(words, warm))
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, medians of {given.turns} turns\n")
    print("| way | seconds | processor seconds |\n|---|---|---|")
    for name, turns in seconds.items():
        waited, used = (median(column) for column in zip(*turns, strict=True))
        print(f"| {name} | {waited:.2f} | {used:.2f} |")


def timed(command: list[str], cache: str) -> tuple[float, float]:
    """Seconds waited and processor seconds of a command and its children; CalledProcessError if it fails."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, check=True, capture_output=True, env=os.environ | {"XDG_CACHE_HOME": cache})
    waited, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return waited, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
