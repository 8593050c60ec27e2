"""Holds what every reader of device samples gives, and makes DeviceSample records of the wire from it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any

from weir import wire
from weir.errors import Refused
from weir.formats.reading import FieldError, local_seconds

COLUMNS = [
    "reads", "writes", "bytes_read", "bytes_written", "busy_seconds", "weighted_queue_seconds",
    "read_wait_seconds", "write_wait_seconds",
]  # fmt: skip


@dataclass(frozen=True)
class DeviceReading:
    """What the devices of one server did in the interval that ends at `time` (Unix microseconds).

    `values` are COLUMNS by device, over the interval, or a second of it where its length is not known; what
    the source does not state is absent. `since_boot`: the interval is the time since the machine started.
    `groups` are devices that are sums of others. `server` as the source names it.
    """

    time: int | None
    interval_seconds: float | None
    values: dict[str, dict[str, float]]
    server: str | None = None
    since_boot: bool = False
    groups: frozenset[str] = frozenset()


def samples(
    readings: Iterable[DeviceReading | Refused], cluster: str, server: str
) -> Iterator[dict[str, Any] | Refused]:
    """Gives DeviceSample records without `origin`; a Refused for a reading that has no time or no length."""
    for number, reading in enumerate(readings, start=1):
        if isinstance(reading, Refused):
            yield reading
        elif reading.time is None or reading.interval_seconds is None:
            yield Refused("no time stamp; run iostat with -t and S_TIME_FORMAT=ISO", f"report {number}")
        else:
            rows = {name: row for name, row in reading.values.items() if name not in reading.groups}
            known = [column for column in COLUMNS if all(column in row for row in rows.values())]
            yield {
                "cluster": cluster,
                "server": server,
                "time": reading.time,
                "interval_seconds": reading.interval_seconds,
                "cumulative": False,
                "boot_id": None,
                "device_ids": [f"{server}:{name}" for name in rows],
                "device_names": list(rows),
                "columns": known,
                "values": wire.packed([[row[column] for row in rows.values()] for column in known]),
            }


# --- iostat ----------------------------------------------------------------------------------------------

_KIB, _MIB = 1024.0, 1024.0**2
# columns that are known, and of no use alone: sums over directions, discards, flushes
_UNUSED = frozenset(("tps", "d/s", "f/s"))
# iostat's columns as per-second rates of COLUMNS; in the JSON of sysstat 11 without /s
_RATES: dict[str, tuple[str, float]] = {
    "r/s": ("reads", 1), "r": ("reads", 1), "w/s": ("writes", 1), "w": ("writes", 1),
    "%util": ("busy_seconds", 0.01), "util": ("busy_seconds", 0.01),
    "aqu-sz": ("weighted_queue_seconds", 1), "avgqu-sz": ("weighted_queue_seconds", 1),
    **dict.fromkeys(("rsec/s", "rsec", "Blk_read/s"), ("bytes_read", 512)),
    **dict.fromkeys(("rkB/s", "rkB", "kB_read/s"), ("bytes_read", _KIB)),
    **dict.fromkeys(("rMB/s", "rMB", "MB_read/s"), ("bytes_read", _MIB)),
    **dict.fromkeys(("wsec/s", "wsec", "Blk_wrtn/s"), ("bytes_written", 512)),
    **dict.fromkeys(("wkB/s", "wkB", "kB_wrtn/s"), ("bytes_written", _KIB)),
    **dict.fromkeys(("wMB/s", "wMB", "MB_wrtn/s"), ("bytes_written", _MIB)),
}  # fmt: skip
# milliseconds a request
_WAITS = {"r_await": ("reads", "read_wait_seconds"), "w_await": ("writes", "write_wait_seconds")}


def is_known(columns: Iterable[str]) -> bool:
    """Whether a header is one of iostat's for devices."""
    return any(column in _RATES or column in _UNUSED for column in columns)


def factor(column: str) -> float:
    """What a column of iostat counts in: bytes for those of bytes, else 1."""
    return _RATES.get(column, ("", 1.0))[1]


def over_interval(row: Mapping[str, float], interval: float) -> dict[str, float]:
    """Convert a row of iostat (rates) to totals over `interval` seconds, without what it did not print."""
    values = {column: row[name] * scale * interval for name, (column, scale) in _RATES.items() if name in row}
    for name, (requests, column) in _WAITS.items():
        if name in row and requests in values:
            values[column] = row[name] / 1000 * values[requests]
    return values


class Intervals:
    """Lengths of iostat's intervals, which it does not print, from its time stamps, cut to whole seconds.

    An interval is the median distance of the stamps; where one lies further than that cut can explain, iostat
    was held up and it is the distance itself.
    """

    def __init__(self, times: Iterable[int | None]):
        steps: Counter[int] = Counter()
        before = None
        for time in times:  # microseconds; None where iostat was restarted
            if time is not None and before is not None:
                steps[time - before] += 1
            before = time
        self._median = _median(steps) / 1e6

    def before(self, time: int, last: int | None) -> float:
        """Seconds of the interval that ends at `time`, the report before it having been at `last`."""
        step = self._median if last is None else (time - last) / 1e6
        return step if abs(step - self._median) > 1 and step > 0 else self._median


def _median(counts: Counter[int]) -> float:
    """A second, if there is nothing to count."""
    steps = sorted(counts)
    half, seen = counts.total() / 2, 0
    for at, step in enumerate(steps):
        seen += counts[step]
        if seen == half:
            return (step + steps[at + 1]) / 2
        if seen > half:
            return step
    return 1e6


class Stamps:
    """Reads iostat's time stamps in their order.

    `zone` is that of stamps without one; with `day_first` 03/04/26 is in April.
    """

    def __init__(self, zone: tzinfo | None, day_first: bool = False):
        self._zone, self._day_first, self._last = zone, day_first, 0

    def micros(self, text: Any) -> int:
        """Unix microseconds; FieldError for what is no time, or none whose zone is known."""
        time = _time(text, self._day_first) if isinstance(text, str) else None
        if time is None:
            raise FieldError(
                "timestamp", f"{text!r} is no ISO time; run iostat with -t and S_TIME_FORMAT=ISO"
            )
        if time.tzinfo is None and self._zone is None:
            raise FieldError("timestamp", f"{text!r} has no zone; run iostat with S_TIME_FORMAT=ISO")
        may_be = local_seconds("timestamp", time, self._zone or time.tzinfo)  # type: ignore[arg-type]
        # the hour that comes twice: stamps do not go back
        second = next((each for each in may_be if each >= self._last), may_be[0])
        self._last = second
        return second * 1_000_000


_DATES = {True: ("%d/%m/%Y", "%d/%m/%y"), False: ("%m/%d/%Y", "%m/%d/%y")}
_CLOCKS = ("%H:%M:%S", "%I:%M:%S %p")


def _time(text: str, day_first: bool) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        pass
    date, _, clock = text.partition(" ")
    dates = ("%d.%m.%Y", "%d.%m.%y") if "." in date else _DATES[day_first]
    for form in (f"{each} {hours}" for each in dates for hours in _CLOCKS):
        try:
            return datetime.strptime(f"{date.replace('-', '/')} {clock.strip()}", form)
        except ValueError:
            continue
    return None
