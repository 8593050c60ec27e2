"""Counters of Lustre's servers: obdfilter and mdt `job_stats`, `stats` and `md_stats`, osd `brw_stats`.

The text is that of `lctl get_param`, or of the files below /proc/fs/lustre, whose folders name the parameter.
Lustre's manual, chapter "Monitoring", has the formats; 2.5 to 2.15 differ in units and added fields.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from weir.reading import FieldError, unix_second

_PARAMETER = re.compile(r"([a-zA-Z][\w\-]*(?:\.[^\s=]+)+)=(.*)")
_JOB = re.compile(r"- job_id:\s*(.*)")
_TIME = re.compile(r"\s*(snapshot_time|start_time):?\s+(\d+)(?:\.(\d{1,9}))?")
_JOB_COUNTER = re.compile(
    r"\s+(\w+):\s+\{ samples:\s*(\d+), unit:\s*\w+(?:, min:\s*\d+, max:\s*\d+, sum:\s*(\d+))?"
)
_COUNTER = re.compile(r"(\w+)\s+(\d+) samples \[\w+\](?:\s+(\d+)\s+(\d+)\s+(\d+))?")
_BYTES = ("read_bytes", "write_bytes")
# with these two, Lustre from 2.12 on tells the same requests again, by their time
_SAME_AGAIN = ("read", "write")


@dataclass
class Counters:
    """What one target (an OST or MDT, such as lustrefs-OST0000) counted, for one job id or in all.

    `time` and `since` are Unix microseconds: of the look, and when counting began, where told. `samples` are
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
        """reads, writes, bytes_read, bytes_written and other_operations."""
        others = sum(n for name, n in self.samples.items() if name not in (*_BYTES, *_SAME_AGAIN))
        return {
            "reads": self.samples.get("read_bytes", 0),
            "writes": self.samples.get("write_bytes", 0),
            "bytes_read": self.sums.get("read_bytes", 0),
            "bytes_written": self.sums.get("write_bytes", 0),
            "other_operations": others,
        }


def job_stats(target: str, lines: Iterator[str]) -> Iterator[Counters]:
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


def stats(target: str, kind: str, lines: Iterator[str]) -> Counters:
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
    """Without the quotes that newer servers put around one with special characters."""
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def job_of(key: str, pattern: "re.Pattern[str]") -> tuple[int, int | None] | None:
    """Job id and array index that a jobid_name tells; None for what is no job, such as `dd.0`."""
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


def parameters(lines: Iterator[str]) -> Iterator[tuple[str, list[str]]]:
    """What `lctl get_param` printed: names of parameters on ...stats and the lines of their values."""
    name: str | None = None
    value: list[str] = []
    for line in lines:
        if found := _PARAMETER.match(line):
            if name and name.endswith("stats"):
                yield name, value
            name, value = found[1], [found[2]] if found[2] else []
        else:
            value.append(line)
    if name and name.endswith("stats"):
        yield name, value


def as_object(counters: Counters) -> dict[str, Any]:
    """Of a kind to print."""
    return {"target": counters.target, "kind": counters.kind, "job_key": counters.job_key} | counters.totals
