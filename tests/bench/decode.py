"""B1: decoding a log completely, against pydarshan's report and against only reading and inflating it.

    .weir/venv/bin/python tests/bench/decode.py [--json FILE] [FOLDER...]

Logs are those of the folders, by default of tests/data/center and, where it is there,
../shared/data/darshan. Of each class the log with the most bytes is taken, of the small ones a middle one.
The three ways are timed in turn, each in a process of its own that has imported what it needs; medians of
nine and their quartiles of processor time are told, ratios as medians of the ratios in one turn. Prints a
Markdown table; writes nothing into the repository.
"""

import argparse
import json
import multiprocessing
import platform
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from weir.darshan import open_log
from weir.darshan.container import Budget, Limits, inflate, read_header
from weir.logs import log_facts

ROOT = Path(__file__).parents[2]
FOLDERS = [ROOT / "tests/data/center", ROOT.parent / "shared/data/darshan"]
TURNS = 9
LEAST_SECONDS = 0.05  # a turn repeats a fast way until it took so long


def main() -> None:
    """Time every class and print the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("folders", nargs="*", type=Path, default=FOLDERS)
    options.add_argument("--json", type=Path, help="where to write the figures")
    given = options.parse_args()
    logs = [log for folder in given.folders for log in sorted(folder.rglob("*.darshan"))]
    rows = []
    for kind, log in classes(logs).items():
        rows.append({"class": kind, "log": log.name} | timed(log))
        print_row(rows[-1], first=len(rows) == 1)
    if given.json:
        told = {"machine": f"{platform.machine()}, {multiprocessing.cpu_count()} cores", "rows": rows}
        given.json.write_text(json.dumps(told, indent=1) + "\n")


def classes(logs: list[Path]) -> dict[str, Path]:
    """The largest log of each class that is there; of the small ones a middle one."""
    members: dict[str, list[Path]] = {"small": [], "many records": [], "DXT": [], "many processes": []}
    for path in logs:
        try:
            facts = log_facts.read(path)
        except log_facts.Refused:
            continue
        states = {module.state.state for module in facts.modules.values()}
        if states & {"damaged", "listed"}:
            continue
        records = sum(module.state.records_read for module in facts.modules.values())
        dxt = any(name.startswith("DXT") for name in facts.modules)
        if dxt:
            members["DXT"].append(path)
        elif facts.log.job.nprocs >= 4096:
            members["many processes"].append(path)
        elif records >= 1000:
            members["many records"].append(path)
        else:
            members["small"].append(path)
    by_size = {kind: sorted(paths, key=lambda path: path.stat().st_size) for kind, paths in members.items()}
    return {
        kind: paths[len(paths) // 2 if kind == "small" else -1] for kind, paths in by_size.items() if paths
    }


def weir(path: Path) -> None:
    """Every record of every module, and every name."""
    log = open_log(path)
    for module in log.modules:
        for _ in log.records(module.name):
            pass
    len(log.names)


def pydarshan(path: Path) -> None:
    """What an analyst gets by default."""
    import darshan

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        darshan.DarshanReport(str(path), read_all=True)


def floor(path: Path) -> None:
    """Reading and inflating only."""
    content = path.read_bytes()
    header, limits = read_header(content), Limits()
    for region in (header.names, *(region for *_, region in header.modules)):
        budget = Budget(limits.seconds)
        budget.start()
        for _ in inflate(content, region, header.compression, limits, budget):
            pass


WAYS: dict[str, Callable[[Path], None]] = {"weir": weir, "pydarshan": pydarshan, "floor": floor}


def _serve(way: str, path: Path, pipe: Any) -> None:
    WAYS[way](path)
    pipe.send(None)
    while pipe.recv():
        began, times = time.process_time(), 0
        while time.process_time() - began < LEAST_SECONDS:
            WAYS[way](path)
            times += 1
        pipe.send((time.process_time() - began) / times)


def timed(path: Path) -> dict[str, Any]:
    """Milliseconds by way (quartiles), and ratios."""
    context = multiprocessing.get_context("spawn")
    pipes = {}
    for way in WAYS:
        pipes[way], theirs = context.Pipe()
        context.Process(target=_serve, args=(way, path, theirs), daemon=True).start()
        pipes[way].recv()
    turns: dict[str, list[float]] = {way: [] for way in WAYS}
    for _ in range(TURNS):
        for way, pipe in pipes.items():
            pipe.send(True)
            turns[way].append(1000 * pipe.recv())
    for pipe in pipes.values():
        pipe.send(False)
    told: dict[str, Any] = {f"{way}_ms": [round(q, 3) for q in quantiles(turns[way], n=4)] for way in WAYS}
    pairs = list(zip(turns["pydarshan"], turns["weir"], turns["floor"], strict=True))
    told["faster_than_pydarshan"] = round(median(theirs / ours for theirs, ours, _ in pairs), 1)
    told["times_the_floor"] = round(median(ours / least for _, ours, least in pairs), 2)
    return told


def print_row(row: dict[str, Any], first: bool) -> None:
    """As Markdown."""
    if first:
        print("| class | weir, ms | pydarshan, ms | floor, ms | faster than pydarshan | times the floor |")
        print("|---|---|---|---|---|---|")
    low_mid_high = ["{1} ({0} to {2})".format(*row[f"{way}_ms"]) for way in WAYS]
    ratios = f"{row['faster_than_pydarshan']} | {row['times_the_floor']}"
    print(f"| {row['class']} | {' | '.join(low_mid_high)} | {ratios} |", flush=True)


if __name__ == "__main__":
    main()
