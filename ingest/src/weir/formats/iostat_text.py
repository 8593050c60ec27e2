"""Text of iostat in the column layouts of sysstat 9 to 12: -x, -k, -m, -t, -z, -h, -s, -g, -p.

Columns are known by their names in the header, whatever their order. What a layout does not separate (the
requests of -d, the bytes of -s) stays unknown. The first report after a banner covers the time since boot.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import tzinfo
from pathlib import Path

from weir.errors import Refused
from weir.formats.device_record import DeviceReading, Intervals, Stamps, factor, is_known, over_interval
from weir.formats.reading import FieldError, numbered_lines, refused
from weir.text import escape

_BANNER = re.compile(r"\S+ \S+ \((.*)\)\s+(\S+)(?:\s+\S+\s+\(\d+ CPU\))?\s*")
_STAMP = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S*|\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4} +\d{1,2}:\d\d:\d\d(?: [AP]M)?"
)
_VALUE = re.compile(r"(-?\d+(?:[.,]\d+)?)([BkMGTP%]?)")
_UNITS = {unit: 1024.0**power for power, unit in enumerate("BkMGTP")}


def is_iostat(start: bytes) -> bool:
    """Whether a file that begins so is for this reader."""
    lines = escape(start).splitlines()[:200]
    return any(_is_header(line.split()) or line.startswith("avg-cpu:") for line in lines)


def readings(
    file: Path, zone: tzinfo | None = None, interval: float | None = None, day_first: bool = False
) -> Iterator[DeviceReading | Refused]:
    """Gives a reading for each report, and a Refused for each line that is not understood.

    `zone` is that of stamps without one, `interval` (seconds) is for files without stamps, `day_first` how
    03/04/26 is meant where no date of the file shows it.
    """
    day_first = _day_first(file, day_first)
    intervals = Intervals(_times(file, zone, day_first))
    reports = _Reports(intervals, Stamps(zone, day_first), interval)
    with file.open("rb") as stream:
        for line in numbered_lines(stream):
            if isinstance(line, Refused):
                yield line
                continue
            number, raw = line
            try:
                yield from reports.take(number, escape(raw))
            except ValueError as error:
                yield refused(error, f"line {number}", raw)
    yield from reports.finish()


@dataclass
class _Reports:
    """Takes line after line and gives a report when the next one begins."""

    intervals: Intervals
    stamps: Stamps
    interval: float | None
    server: str | None = None
    first: bool = True
    time: int | None = None
    last: int | None = None
    header: list[str] = field(default_factory=list)
    device_at: int = 0
    seen: set[str] = field(default_factory=set)
    rows: dict[str, dict[str, float]] = field(default_factory=dict)
    groups: set[str] = field(default_factory=set)
    name: tuple[int, str] | None = None  # line and name of a device whose values stand on the next line
    skip: int = 0  # lines that are of processors or, up to the next empty one, of NFS

    def take(self, number: int, text: str) -> Iterator[DeviceReading | Refused]:
        """The report that line `number` ends, if any. ValueError for a line that is not understood."""
        words = text.split()
        if not words:
            self.skip = 0
        elif text.startswith("avg-cpu:") or words[0] == "Filesystem:":
            yield from self.finish()
            self.skip = 1 if words[0] == "avg-cpu:" else sys.maxsize
        elif _is_header(words):
            yield from self._begin(words)
        elif _STAMP.fullmatch(text.strip()):
            yield from self.finish()
            self.time = None
            self.time = self.stamps.micros(text.strip())
        elif (banner := _BANNER.fullmatch(text)) and not self._is_row(words):
            yield from self.finish()
            self.server, self.first, self.time, self.last = banner[1], True, None, None
        elif self.skip:
            self.skip -= 1
        else:
            self._row(number, text, words)

    def finish(self) -> Iterator[DeviceReading | Refused]:
        """The report that was being read."""
        if self.seen:
            length = self.interval if self.time is None else self.intervals.before(self.time, self.last)
            if self.rows:
                values = {name: over_interval(row, length or 1.0) for name, row in self.rows.items()}
                yield DeviceReading(
                    self.time, length, values, self.server, self.first, frozenset(self.groups)
                )
            self.first, self.last = False, self.time
        if self.name is not None:
            number, name = self.name
            yield Refused("a device's name without its values: cut", f"line {number}", name.encode())
        self.header, self.seen, self.rows, self.groups = [], set(), {}, set()
        self.skip, self.name = 0, None

    def _begin(self, words: list[str]) -> Iterator[DeviceReading | Refused]:
        """A header begins a report, or with -h a further part of one: other columns of the same devices."""
        device_at = 0 if words[0].startswith("Device") else len(words) - 1
        columns = words[:device_at] + words[device_at + 1 :]
        if not is_known(columns):
            yield from self.finish()
            raise FieldError("Device", f"no column of iostat's that is known beside it: {' '.join(columns)}")
        if self.seen.intersection(columns):
            yield from self.finish()
        self.header, self.device_at, self.skip = columns, device_at, 0
        self.seen.update(columns)

    def _is_row(self, words: list[str]) -> bool:
        return len(words) == len(self.header) + 1

    def _row(self, number: int, text: str, words: list[str]) -> None:
        if not self.header:
            raise ValueError("no line of iostat's that is known, and no header of devices above it")
        if self.name is not None:
            words.insert(self.device_at and len(words), self.name[1])
            self.name = None
        elif len(words) == 1 and not _VALUE.fullmatch(words[0]):
            self.name = number, words[0]  # sysstat 10 and 11 with -h
            return
        if not self._is_row(words):
            raise ValueError(f"{len(words)} values where the header has {len(self.header) + 1}")
        name = words.pop(self.device_at)
        if not self.device_at and text[0].isspace() and name == text.split()[0]:
            self.groups.add(name)
        values = {column: _value(column, word) for column, word in zip(self.header, words, strict=True)}
        known = {column: value for column, value in values.items() if value is not None}
        self.rows.setdefault(name, {}).update(known)


def _is_header(words: list[str]) -> bool:
    return len(words) > 1 and (words[0] in ("Device", "Device:") or words[-1] == "Device")


def _value(column: str, word: str) -> float | None:
    """A number in the column's own unit; None for what sysstat 9 prints where it divided by nothing."""
    if word.lower().lstrip("-") in ("nan", "inf"):
        return None
    found = _VALUE.fullmatch(word)
    if not found:
        raise FieldError(column, f"{word!r} is no number")
    number = float(found[1].replace(",", "."))
    return number * _UNITS[found[2]] / factor(column) if found[2] in _UNITS else number


def _stamps(file: Path) -> Iterator[str | None]:
    """Gives every stamp as text; None where iostat was restarted."""
    with file.open("rb") as stream:
        for line in numbered_lines(stream):
            text = escape(line[1]).strip() if not isinstance(line, Refused) else ""
            if _STAMP.fullmatch(text):
                yield text
            elif " CPU)" in text:
                yield None


def _times(file: Path, zone: tzinfo | None, day_first: bool) -> Iterator[int | None]:
    stamps = Stamps(zone, day_first)
    for text in _stamps(file):
        try:
            yield None if text is None else stamps.micros(text)
        except ValueError:
            continue  # refused when the report is read


def _day_first(file: Path, if_untold: bool) -> bool:
    """Whether dates are day/month: a first or second number above 12 shows that."""
    with file.open("rb") as stream:
        for line in numbered_lines(stream):
            if isinstance(line, Refused):
                continue
            text = escape(line[1]).strip()
            banner = _BANNER.fullmatch(text)
            date = banner[2] if banner else text.split(" ")[0] if _STAMP.fullmatch(text) else ""
            parts = re.fullmatch(r"(\d{1,2})[/-](\d{1,2})[/-]\d{2,4}", date)
            if parts and (int(parts[1]) > 12) != (int(parts[2]) > 12):
                return int(parts[1]) > 12
    return if_untold
