"""Times `weir analyze` of one small log as a user waits for it, against other commands on the same log.

    .weir/venv/bin/python tests/bench/analyze.py [--turns N] [--log FILE] [--other NAME=COMMAND]...

The ways take turns, so that a loaded machine slows all of them: a fresh install (Python's bytecode is not
there either, as after uv), without an archive of classes (the first use after pip), with it,
`weir --version` (no numpy, no Java), and other commands, in which {} is the log, for example
--other "drishti=drishti {}". Prints medians and quartiles of seconds waited and of processor seconds of
all, the load of the machine, and how long it takes over a loop in Python, by which figures of different
days compare. Leaves nothing in the repository but Python's bytecode.
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
from statistics import quantiles

CASE = Path(__file__).parents[1] / "data/center/darshan/generated/small_unaligned_shared"


def main() -> None:
    """Time every way and print the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--turns", type=int, default=7)
    options.add_argument("--log", type=Path, default=next(CASE.glob("*.darshan")))
    options.add_argument("--other", action="append", default=[], metavar="NAME=COMMAND")
    given = options.parse_args()
    weir = [sys.executable, "-m", "weir"]
    analyze = [*weir, "analyze", str(given.log)]
    others = {name: command for name, _, command in (each.partition("=") for each in given.other)}
    seconds: dict[str, list[tuple[float, float]]] = defaultdict(list)
    loops = []
    with tempfile.TemporaryDirectory() as warm:
        for command in (analyze, *(words(command, given.log) for command in others.values())):
            timed(command, warm)
        for _ in range(given.turns):
            with tempfile.TemporaryDirectory() as cold:
                seconds["fresh install"].append(timed(analyze, cold, PYTHONPYCACHEPREFIX=cold))
            with tempfile.TemporaryDirectory() as cold:
                seconds["first use"].append(timed(analyze, cold))
            seconds["later use"].append(timed(analyze, warm))
            seconds["weir --version"].append(timed([*weir, "--version"], warm))
            for name, command in others.items():
                seconds[name].append(timed(words(command, given.log), warm))
            loops.append(loop())
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, {given.turns} turns,", end=" ")
    print(f"5 million additions in {spread(loops)} processor seconds\n")
    print("| way | seconds | processor seconds |\n|---|---|---|")
    for name, turns in seconds.items():
        waited, used = map(spread, zip(*turns, strict=True))
        print(f"| {name} | {waited} | {used} |")


def words(command: str, log: Path) -> list[str]:
    """The words of a command that was given as one."""
    return shlex.split(command.replace("{}", shlex.quote(str(log))))


def timed(command: list[str], cache: str, **more: str) -> tuple[float, float]:
    """Seconds waited and processor seconds of a command and its children; CalledProcessError if it fails."""
    environment = os.environ | {"XDG_CACHE_HOME": cache} | more
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, check=True, capture_output=True, env=environment)
    waited, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return waited, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def loop() -> float:
    """Processor seconds of 5 million additions."""
    began, total = time.process_time(), 0
    for number in range(5_000_000):
        total += number
    return time.process_time() - began


def spread(values: list[float]) -> str:
    """Median and quartiles."""
    lower, middle, upper = quantiles(values, method="inclusive")
    return f"{middle:.2f} ({lower:.2f} to {upper:.2f})"


if __name__ == "__main__":
    main()
