"""Counters of Lustre's servers: obdfilter and mdt `job_stats`, `stats` and `md_stats`, osd `brw_stats`.

The text is that of `lctl get_param`, or of the files below /proc/fs/lustre, whose folders name the parameter.
Lustre's manual, chapter "Monitoring", has the formats; 2.5 to 2.15 differ in units and added fields.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from weir.errors import Refused
from weir.formats.reading import FieldError, head, iso, refused, unix_second

_PARAMETER = re.compile(r"([a-zA-Z][\w\-]*(?:\.[^\s=]+)+)=(.*)")
_OF_TARGET = re.compile(r"(?:obdfilter|mdt|osd-\w+)\.[^.\s]+\.\w+$")
_READ = re.compile(r"\.(?:stats|md_stats|job_stats|brw_stats)$")
_OF_TARGET_START = re.compile(rb"^(?:obdfilter|mdt|osd-\w+)\.[^\s=]+=", re.MULTILINE)
_FILE_START = re.compile(rb"\A\s*(?:job_stats:|snapshot_time:?\s+\d)")
_JOB = re.compile(r"- job_id:\s*(.*)")
_TIME = re.compile(r"\s*(snapshot_time|start_time):?\s+(\d+)(?:\.(\d{1,9}))?")
_JOB_COUNTER = re.compile(
    r"\s+(\w+):\s+\{ samples:\s*(\d+), unit:\s*\w+(?:, min:\s*\d+, max:\s*\d+, sum:\s*(\d+))?.*\}$"
)
_COUNTER = re.compile(r"(\w+)\s+(\d+) samples \[\w+\](?:\s+(\d+)\s+(\d+)\s+(\d+))?")
_BYTES = ("read_bytes", "write_bytes")
# these count the same requests again: their time, and their parts
_SAME_AGAIN = ("read", "write", "preprw", "commitrw")
# these keep connections up, whether anybody does I/O or not
_UPKEEP = ("ping", "connect", "reconnect", "disconnect")


COLUMNS = ["reads", "writes", "bytes_read", "bytes_written", "other_operations"]


@dataclass
class Counters:
    """What one target (an OST or MDT, such as lustrefs-OST0000) counted, for one job id or in all.

    `time` and `since` are Unix microseconds: of the query, and when counting began, if stated. `samples` are
    requests by operation, `sums` bytes of read_bytes and write_bytes.
    """

    target: str
    kind: str
    job_key: str | None = None
    time: int | None = None
    since: int | None = None
    samples: dict[str, int] = field(default_factory=dict)
    sums: dict[str, int] = field(default_factory=dict)

    @property
    def totals(self) -> dict[str, float]:
        """The totals by COLUMNS."""
        left_out = (*_BYTES, *_SAME_AGAIN, *_UPKEEP)
        others = sum(n for name, n in self.samples.items() if name not in left_out)
        return {
            "reads": self.samples.get("read_bytes", 0),
            "writes": self.samples.get("write_bytes", 0),
            "bytes_read": self.sums.get("read_bytes", 0),
            "bytes_written": self.sums.get("write_bytes", 0),
            "other_operations": others,
        }


def job_stats(target: str, lines: Iterable[str]) -> Iterator[Counters]:
    """Counters of each job id. ValueError for a line that is none of job_stats."""
    counters: Counters | None = None
    for line in lines:
        if found := _JOB.match(line):
            if counters:
                yield counters
            counters = Counters(target, "job_stats", job_key(found[1]))
        elif counters is None:
            if line.strip() not in ("", "job_stats:"):
                raise ValueError(f"{line.strip()[:80]!r} is no job_stats")
        elif found := _TIME.match(line):
            _take_time(counters, found)
        elif found := _JOB_COUNTER.match(line):
            _take(counters, found[1], found[2], found[3])
        elif line.strip() and not line.lstrip().startswith("elapsed_time"):
            raise ValueError(f"{line.strip()[:80]!r} is no counter of job_stats")
    if counters:
        yield counters


def stats(target: str, kind: str, lines: Iterable[str]) -> Counters:
    """Counters of a whole target: obdfilter's `stats`, mdt's `md_stats`. ValueError for other lines."""
    counters = Counters(target, kind)
    for line in lines:
        if found := _TIME.match(line):
            _take_time(counters, found)
        elif found := _COUNTER.match(line):
            _take(counters, found[1], found[2], found[5])
        elif line.strip() and not line.startswith("elapsed_time"):
            raise ValueError(f"{line.strip()[:80]!r} is no counter")
    return counters


def job_key(text: str) -> str:
    """Returns a job's key without the quotes that newer servers put around one with special characters."""
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def job_of(key: str, pattern: "re.Pattern[str]") -> tuple[int, int | None] | None:
    """Reads job id and array index from a jobid_name; None for what is no job, such as `dd.0`."""
    found = pattern.fullmatch(key)
    if not found or not found["id"].isdecimal() or len(found["id"]) > 18:
        return None
    index = found.groupdict().get("index")
    return int(found["id"]), int(index) if index else None


def _take(counters: Counters, name: str, samples: str, total: str | None) -> None:
    # `statfs` may stand twice in stats, of the target and of the service
    counters.samples[name] = counters.samples.get(name, 0) + int(samples)
    if name in _BYTES:
        if total is None and int(samples):
            raise FieldError(name, "has no sum: cut")
        counters.sums[name] = int(total or 0)


def _take_time(counters: Counters, found: "re.Match[str]") -> None:
    micros = unix_second(found[1], int(found[2])) * 1_000_000 + int((found[3] or "0").ljust(9, "0")[:6])
    if found[1] == "snapshot_time":
        counters.time = micros
    else:
        counters.since = micros


_HISTOGRAM = re.compile(r"(\S.*\S)\s+(?:rpcs|ios|maps)\s+% cum % \|")
_BIN = re.compile(r"(\d+[KMGT]?):\s+(\d+)\s+\d+\s+\d+\s+\|\s+(\d+)\s+\d+\s+\d+")


def brw_stats(lines: Iterable[str]) -> dict[str, dict[str, list[int]]]:
    """Reads and writes by bin, by histogram, such as `disk I/O size`. ValueError for other lines."""
    histograms: dict[str, dict[str, list[int]]] = {}
    bins: dict[str, list[int]] | None = None
    for line in lines:
        if found := _HISTOGRAM.match(line):
            bins = histograms.setdefault(found[1], {})
        elif (found := _BIN.match(line)) and bins is not None:
            bins[found[1]] = [int(found[2]), int(found[3])]
        elif line.strip() and not _TIME.match(line) and not re.match(r"\s*read\s+\||elapsed_time", line):
            raise ValueError(f"{line.strip()[:80]!r} is no line of brw_stats")
    return histograms


def disk_io_sizes(lines: Iterable[str]) -> dict[int, list[int]]:
    """Reads and writes of the disk since counting began, by the upper edge of their size's bin in bytes.

    A bin holds what is larger than half of its edge (Lustre's lprocfs_oh_tally_log2). ValueError where they
    are not stated.
    """
    histograms = brw_stats(lines)
    if "disk I/O size" not in histograms:
        raise ValueError("has no disk I/O size: cut")
    return {_bytes_of(edge): ios for edge, ios in histograms["disk I/O size"].items()}


def _bytes_of(edge: str) -> int:
    return int(edge) if edge.isdecimal() else int(edge[:-1]) << 10 * (1 + "KMGT".index(edge[-1]))


# --- captures in files -----------------------------------------------------------------------------------


def is_lustre(start: bytes) -> bool:
    """Whether a file that begins so is for this reader."""
    return bool(_FILE_START.search(start) or _OF_TARGET_START.search(start))


def objects(file: Path) -> Iterator[dict[str, Any] | Refused]:
    """Gives an object for each target, and of job_stats for each job id; what is of no target is left out.

    A file without names of parameters is of the target whose folder it lies in.
    """
    with file.open(encoding="utf-8", errors="backslashreplace") as text:
        for number, name, lines in _parameters(text, _name(file)):
            target, _, kind = name.rpartition(".")
            try:
                yield from _objects(target.rpartition(".")[2], kind, lines)
            except ValueError as error:
                yield refused(error, f"line {number}", "".join(lines).encode())


def _name(file: Path) -> str:
    """Returns the name of the parameter whose value a file is; empty where the file names parameters."""
    start = head(file)
    if _OF_TARGET_START.search(start):
        return ""
    kind = file.name
    if not _READ.search(f".{kind}"):
        of_jobs = start.lstrip().startswith(b"job_stats:")
        kind = "job_stats" if of_jobs else "brw_stats" if b"% cum %" in start else "stats"
    return f"{file.absolute().parent.name}.{kind}"


def _objects(target: str, kind: str, lines: list[str]) -> Iterator[dict[str, Any]]:
    if kind == "brw_stats":
        yield {"target": target, "kind": kind, "histograms": brw_stats(lines)}
        return
    for counters in job_stats(target, lines) if kind == "job_stats" else [stats(target, kind, lines)]:
        times = {"time": iso(counters.time), "since": iso(counters.since)}
        yield {"target": target, "kind": kind, "job_key": counters.job_key} | times | counters.totals


def _parameters(text: Iterable[str], name: str) -> Iterator[tuple[int, str, list[str]]]:
    """Line number, name and lines of the value of each parameter of a target that is read here."""
    first, value = 1, list[str]()
    for number, line in enumerate(text, start=1):
        if found := _PARAMETER.match(line):
            if _READ.search(name) and value:
                yield first, name, value
            first, name, value = number, found[1] if _OF_TARGET.match(found[1]) else "", []
        else:
            value.append(line)
    if _READ.search(name) and value:
        yield first, name, value
