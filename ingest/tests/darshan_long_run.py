"""Thousands of damaged logs, all hostile ones, one of a million files, decoded, made messages of and shown.

    python ingest/tests/darshan_long_run.py [--logs N] [--seed S] [--keep FOLDER]

Prints what came of them and every broken promise of darshan_decoding; ends with 1 if there is one.
"""

import argparse
import itertools
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import darshan_hostile as hostile
import darshan_mutations as mutations
import darshan_writer as writer
from darshan_decoding import Result, decode, publish, show

Way = Callable[[bytes | Path], Result]


class Report:
    """Counts outcomes, prints what is broken."""

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        self.broken, self.seconds, self.mebibytes = 0, 0.0, 0.0

    def add(self, name: str, result: Result) -> None:
        self.outcomes[result.outcome] += 1
        self.seconds = max(self.seconds, result.seconds)
        self.mebibytes = max(self.mebibytes, result.mebibytes)
        if result.broken:
            self.broken += 1
            print(name, *result.broken, sep="\n    ", flush=True)

    def tell(self, what: str) -> None:
        outcomes = ", ".join(f"{number} {outcome}" for outcome, number in sorted(self.outcomes.items()))
        print(f"{what}: {outcomes}; {self.broken} broken promises; ", end="")
        print(f"at most {self.seconds:.2f} s and {self.mebibytes:.0f} MiB", flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--logs", type=int, default=3000, help="damaged logs (%(default)s)")
    options.add_argument("--seed", type=int, default=11, help="of the damage (%(default)s)")
    options.add_argument("--keep", type=Path, help="folder for damaged logs on which a promise was broken")
    chosen = options.parse_args()
    contents = mutations.corpus(20 << 20)
    reports = []
    for way in (decode, publish, show):
        print(f"{way.__name__}:")
        reports += [_damaged(contents, way, chosen), _hostile(way), _million(way)]
    sys.exit(any(report.broken for report in reports))


def _damaged(contents: list[bytes], way: Way, chosen: argparse.Namespace) -> Report:
    report = Report()
    for name, content, result in mutations.campaign(chosen.logs, chosen.seed, contents, way):
        report.add(name, result)
        if result.broken and chosen.keep:
            (chosen.keep / f"{chosen.seed}-{name.partition(':')[0]}.darshan").write_bytes(content)
    report.tell(f"{chosen.logs} damaged logs made of {len(contents)}")
    return report


def _hostile(way: Way) -> Report:
    report = Report()
    for case in itertools.chain(hostile.cases(), hostile.lies()):
        result = way(case.build())
        if way is decode:
            result.broken = hostile.judge(case, result)
        report.add(case.name, result)
    report.tell("hostile logs")
    return report


def _million(way: Way) -> Report:
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "million.darshan"
        with path.open("wb") as file:
            log = writer.LogWriter(nprocs=1024)
            writer.many_files(log, 1_000_000)
            log.write(file)
            del log
        result = way(path)
        if (result.outcome, result.rows) != ("whole", {"POSIX": 1_000_000}):
            result.broken.append(f"{result.outcome}: {result.rows}, {result.reasons}")
        report.add("a million files", result)
    report.tell("a log of a million files")
    return report


if __name__ == "__main__":
    main()
