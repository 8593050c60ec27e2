"""Captures of /proc/diskstats: blocks of its lines, each line after a time or each block below one.

Counters count since boot; a reading has their differences. Linux's admin-guide/iostats.rst has the fields:
11 up to Linux 4.17, 15 with discards, 17 with flushes, and 4 for partitions before 2.6.25.

The live reader of these counters is `weir/agents/device_sampler.py`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any

from weir.errors import Refused
from weir.formats.device_record import DeviceReading, samples
from weir.formats.reading import FieldError, local_seconds, numbered_lines, refused, unix_second
from weir.text import escape

_SECTOR = 512
_SECONDS = re.compile(r"\d{9,}(\.\d+)?")
_LINE = re.compile(rb"^(?:\S+[ \t]+)?[ \t]*\d+[ \t]+\d+[ \t]+\S+(?:[ \t]+\d+){4,}[ \t]*\r?$", re.MULTILINE)
# (column, place among the counters, what a unit of it is); milliseconds are kept in 32 bits and wrap
COUNTERS = (
    ("reads", 0, 1), ("bytes_read", 2, _SECTOR), ("writes", 4, 1), ("bytes_written", 6, _SECTOR),
)  # fmt: skip
MILLISECONDS = (
    ("read_wait_seconds", 3), ("write_wait_seconds", 7), ("busy_seconds", 9), ("weighted_queue_seconds", 10),
)  # fmt: skip
# reads, sectors read, writes, sectors written of a partition
_PARTITION = (("reads", 0, 1), ("bytes_read", 1, _SECTOR), ("writes", 2, 1), ("bytes_written", 3, _SECTOR))


def read(file: Path, cluster: str, server: str, zone: tzinfo) -> Iterator[dict[str, Any] | Refused]:
    """DeviceSample records without `origin`, and a Refused for each line that is not understood."""
    return samples(readings(file, zone), cluster, server)


def is_diskstats(start: bytes) -> bool:
    """Whether a file that begins so is for this reader."""
    return bool(_LINE.search(start))


@dataclass(frozen=True)
class _Row:
    micros: int
    counters: list[int]


def readings(file: Path, zone: tzinfo | None = None) -> Iterator[DeviceReading | Refused]:
    """A reading for each time after the first, and a Refused for each line that is not understood.

    A device that a capture left out is read at its return, in a reading of its own longer interval.
    """
    last: dict[str, _Row] = {}
    time: int | None = None
    found: dict[int, dict[str, dict[str, float]]] = {}  # by length in microseconds
    with file.open("rb") as stream:
        for line in numbered_lines(stream):
            if isinstance(line, Refused):
                yield line
                continue
            number, raw = line
            words = escape(raw).split()
            try:
                now = _time(words, zone)
                if now is not None and now != time:
                    yield from _between(time, found)
                    found = {}
                    if time is not None and now < time:
                        raise FieldError("time", "before that of the line above it")
                    time = now
                if not words:
                    continue
                if time is None:
                    raise FieldError("time", "none before the counters; begin each line with date +%s.%N")
                row = _Row(time, _counters(words))
                name = words[2]
                before, last[name] = last.get(name), row
                if before and before.micros < time:
                    found.setdefault(time - before.micros, {})[name] = _differences(
                        name, before.counters, row.counters
                    )
            except ValueError as error:
                yield refused(error, f"line {number}", raw)
    yield from _between(time, found)


def _between(time: int | None, found: dict[int, dict[str, dict[str, float]]]) -> Iterator[DeviceReading]:
    for length, rows in found.items():
        yield DeviceReading(time, length / 1e6, rows)


def _time(words: list[str], zone: tzinfo | None) -> int | None:
    """Takes the time off the front of the words: microseconds; None where there is none."""
    if not words:
        return None
    if _SECONDS.fullmatch(words[0]) and (len(words) == 1 or len(words) > 4):
        seconds = float(words.pop(0))
        return round((unix_second("time", int(seconds)) + seconds % 1) * 1e6)
    try:
        time = datetime.fromisoformat(words[0]) if len(words[0]) > 10 else None
    except ValueError:
        return None
    if time is None:
        return None
    if time.tzinfo is None and zone is None:
        raise FieldError("time", f"{words[0]!r} has no zone")
    words.pop(0)
    return local_seconds("time", time, zone)[0] * 1_000_000 + time.microsecond  # type: ignore[arg-type]


def _counters(words: list[str]) -> list[int]:
    counters = words[3:]
    if len(counters) not in (4, 11, 15) and len(counters) < 17:
        raise ValueError(f"{len(counters)} counters, expected 4, 11, 15 or 17: cut, or no line of diskstats")
    for place, word in enumerate(counters, start=1):
        if not word.isdecimal():
            raise FieldError(f"counter {place}", f"{word!r} is no whole number")
    return [int(word) for word in counters]


def _differences(name: str, before: list[int], now: list[int]) -> dict[str, float]:
    partition = len(now) == 4
    grown: dict[str, float] = {}
    for column, place, unit in _PARTITION if partition else COUNTERS:
        if len(before) != len(now) or now[place] < before[place]:
            raise FieldError(column, f"the counters of {name} began anew; no value until the next time")
        grown[column] = (now[place] - before[place]) * unit
    for column, place in () if partition else MILLISECONDS:
        grown[column] = (now[place] - before[place]) % (1 << 32) / 1000
    return grown
