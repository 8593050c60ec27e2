"""B8: back-filling a folder of logs, against the route through text that darshan-parser's users take.

    .weir/venv/bin/python tests/bench/backfill.py [--copies N] [--processes N] [--turns N] [FOLDER...]

Logs are those of the folders, by default of tests/data/center, copied so often. Weir runs its back-fill; the
other way lets pydarshan read the records of each log (no DXT, LUSTRE, HEATMAP), writes a line a counter as
darshan-parser does, parses the lines and publishes each record as JSON, in as many processes. Both publish to
librdkafka's mock cluster and wait until all is acknowledged. They take turns; medians of the turns and their
quartiles are told, starts included.
"""

import argparse
import json
import multiprocessing
import shutil
import tempfile
import time
import warnings
from pathlib import Path
from statistics import quantiles

import yaml
from confluent_kafka import Producer
from weir.agents.config import AgentConfig
from weir.shipping import backfill

MODULES = {"POSIX", "MPI-IO", "STDIO", "H5F", "H5D", "PNETCDF_FILE", "PNETCDF_VAR"}
CENTER = Path(__file__).parents[1] / "data/center"


def main() -> None:
    """Time both ways and print the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("folders", nargs="*", type=Path, default=[CENTER])
    options.add_argument("--copies", type=int, default=20)
    options.add_argument("--processes", type=int, default=2)
    options.add_argument("--turns", type=int, default=7)
    given = options.parse_args()
    mock = Producer({"test.mock.num.brokers": 1, "log_level": 0})
    broker = mock.list_topics(timeout=30).brokers[1]
    bootstrap = f"{broker.host}:{broker.port}"
    with tempfile.TemporaryDirectory() as folder:
        logs = copied(given.folders, Path(folder) / "logs", given.copies)
        weir, text = [], []
        for turn in range(given.turns):
            weir.append(len(logs) / timed_weir(Path(folder), bootstrap, given.processes, turn))
            text.append(len(logs) / timed_text(logs, bootstrap, given.processes))
    ratios = [ours / theirs for ours, theirs in zip(weir, text, strict=True)]
    print(f"{len(logs)} logs, {given.processes} processes")
    print("| back-fill, logs/s | through text, logs/s | ratio |")
    print("|---|---|---|")
    print(f"| {spread(weir)} | {spread(text)} | {spread(ratios)} |")


def copied(folders: list[Path], into: Path, copies: int) -> list[Path]:
    """Each log so often, under names of its own."""
    into.mkdir()
    made = []
    for folder in folders:
        for log in sorted(folder.rglob("*.darshan")):
            for number in range(copies):
                made.append(into / f"{len(made)}_{number}_{log.name}")
                shutil.copy(log, made[-1])
    return made


def timed_weir(folder: Path, bootstrap: str, processes: int, turn: int) -> float:
    """Seconds."""
    site = folder / "site.yaml"
    content = yaml.safe_load((CENTER / "site.yaml").read_text())
    site.write_text(yaml.safe_dump(content))
    config = AgentConfig(
        site=site,
        kafka={"bootstrap.servers": bootstrap},
        state=folder / str(turn),
        ship={"processes": processes, "decode_seconds": 60},
    )
    began = time.perf_counter()
    outcome = backfill.run(config, backfill.Wanted(folder / "logs", trusted=True))
    taken = time.perf_counter() - began
    assert not outcome.refused, outcome
    return taken


def timed_text(logs: list[Path], bootstrap: str, processes: int) -> float:
    """Seconds."""
    began = time.perf_counter()
    producer = Producer({"bootstrap.servers": bootstrap, "compression.type": "zstd", "linger.ms": 20})
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for records in pool.imap(through_text, logs, chunksize=16):
            for record in records:
                while True:
                    try:
                        producer.produce("text", record)
                        break
                    except BufferError:
                        producer.poll(0.1)
    producer.flush()
    return time.perf_counter() - began


def through_text(log: Path) -> list[bytes]:
    """A JSON message a record, out of the lines of `as_text`."""
    records: dict[tuple[str, str, str], dict[str, str]] = {}
    for line in as_text(log):
        module, rank, record, counter, value, name = line.split("\t")
        records.setdefault((module, rank, record), {"name": name})[counter] = value
    return [json.dumps(dict(zip(("module", "rank", "record"), key, strict=True)) | told).encode()
            for key, told in records.items()]  # fmt: skip


def as_text(log: Path) -> list[str]:
    """A line a counter, as darshan-parser prints them."""
    import darshan

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        report = darshan.DarshanReport(str(log), read_all=False)
    lines = []
    for module in set(report.modules) & MODULES:
        report.mod_read_all_records(module, dtype="numpy")
        frames = report.records[module].to_df()
        for kind in ("counters", "fcounters"):
            for row in frames[kind].to_dict("records") if kind in frames else ():
                name = report.name_records.get(row["id"], "")
                lines += [
                    f"{module}\t{row['rank']}\t{row['id']}\t{counter}\t{value}\t{name}"
                    for counter, value in row.items()
                    if counter not in ("rank", "id")
                ]
    return lines


def spread(values: list[float]) -> str:
    """Median and quartiles."""
    low, middle, high = quantiles(values, n=4)
    return f"{middle:,.3g} ({low:,.3g} to {high:,.3g})"


if __name__ == "__main__":
    main()
