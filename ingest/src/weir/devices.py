"""Device samples of any known format: which one a file is, and `weir devices parse` as it is printed."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import tzinfo
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from weir import device_record, diskstats, iostat, iostat_text, lustre
from weir.device_record import Tick
from weir.errors import Refused, UserError
from weir.formats import DeviceFormat as Format
from weir.log_view import size
from weir.reading import head, iso
from weir.text import printable


@dataclass(frozen=True)
class How:
    """What the user tells of a file: its format, the zone of times without one, and what it does not say.

    `since_boot`: the first report of iostat is wanted too.
    """

    zone: tzinfo
    form: Format | None = None
    interval: float | None = None
    day_first: bool = False
    server: str | None = None
    since_boot: bool = False


def format_of(file: Path) -> Format:
    """By the first 64 KiB; UserError where they are of no known format, OSError where they can't be read."""
    start = head(file)
    if start.lstrip().startswith(b"{") and b'"sysstat"' in start:
        return Format.iostat_json
    if iostat_text.is_iostat(start):
        return Format.iostat
    if lustre.is_lustre(start):
        return Format.lustre
    if diskstats.is_diskstats(start):
        return Format.diskstats
    raise UserError(
        f"{file}: neither text of iostat, nor of iostat -o JSON, nor a capture of /proc/diskstats or of "
        f"lctl get_param: it begins with {start[:40]!r}. weir devices parse can be told with --format."
    )


def ticks(file: Path, how: How) -> Iterator[Tick | Refused]:
    """Every tick of a file, and a Refused for each part that is not understood."""
    match how.form or format_of(file):
        case Format.iostat:
            return iostat_text.ticks(file, how.zone, how.interval, how.day_first)
        case Format.iostat_json:
            return iostat.ticks(file, how.zone, how.interval, how.day_first)
        case Format.diskstats:
            return diskstats.ticks(file, how.zone)
        case Format.lustre:
            raise UserError(f"{file}: counters of Lustre's targets are no samples of devices.")


def samples(file: Path, how: How, cluster: str, server: str) -> Iterator[dict[str, Any] | Refused]:
    """DeviceSample records without `origin`, and a Refused for each part that can't be one.

    What iostat counted since boot is left out.
    """
    found = ticks(file, how)
    return device_record.samples(
        (tick for tick in found if isinstance(tick, Refused) or not tick.since_boot), cluster, server
    )


def objects(file: Path, how: How) -> Iterator[dict[str, Any] | Refused]:
    """An object to print for each device and tick; a Refused stays one.

    What was counted is null where the length of the interval is not known. Of Lustre's targets it is what
    they counted until `time`.
    """
    if (how.form or format_of(file)) is Format.lustre:
        yield from lustre.objects(file)
        return
    for tick in ticks(file, how):
        if isinstance(tick, Refused):
            yield tick
        elif how.since_boot or not tick.since_boot:
            yield from _devices(tick, how.server or tick.server)


def _devices(tick: Tick, server: str | None) -> Iterator[dict[str, Any]]:
    length = None if tick.since_boot else tick.interval_seconds
    for device, row in tick.values.items():
        rates = {column: value / (tick.interval_seconds or 1.0) for column, value in row.items()}
        yield {
            "server": server,
            "device": device,
            "time": iso(tick.time),
            "interval_seconds": length,
            **{name: _rounded(row.get(column)) if length else None for name, column in _COUNTED.items()},
            **{f"{name}_per_second": _rounded(rates.get(column)) for name, column in _RATED.items()},
            "util": _rounded(rates.get("busy_seconds")),
            "queue_length": _rounded(rates.get("weighted_queue_seconds")),
            "since_boot": tick.since_boot,
            "group": device in tick.groups,
        }


_RATED = {"reads": "reads", "writes": "writes", "read_bytes": "bytes_read", "written_bytes": "bytes_written"}
_COUNTED = _RATED | {name: name for name in ("read_wait_seconds", "write_wait_seconds")}


def _rounded(value: float | None) -> float | None:
    """Without what binary fractions add to numbers that were printed."""
    return None if value is None else round(value, 6)


@dataclass
class _Device:
    samples: int = 0
    first: str = ""
    last: str = ""
    sums: dict[str, float] = field(default_factory=dict)
    utils: int = 0
    util_sum: float = 0.0
    util_max: float = 0.0


def summary(file: Path, how: How) -> "Summary | lustre.Summary":
    """For a person, of what `objects` tells."""
    try:
        form = how.form or format_of(file)
    except (OSError, UserError):
        form = None  # told when it is read
    return lustre.Summary(file) if form is Format.lustre else Summary(file)


@dataclass
class Summary:
    """What a file holds, for a person; filled object by object."""

    file: Path
    devices: dict[tuple[str, str], _Device] = field(default_factory=dict)
    refused: int = 0

    def add(self, told: dict[str, Any] | Refused) -> None:
        """Count one object, or one thing that was not understood."""
        if isinstance(told, Refused):
            self.refused += 1
            return
        device = self.devices.setdefault((told["server"] or "", told["device"]), _Device())
        device.samples += 1
        device.first, device.last = device.first or told["time"] or "", told["time"] or device.last
        for name in _RATED:
            if told[name] is not None:
                device.sums[name] = device.sums.get(name, 0.0) + told[name]
        if told["util"] is not None:
            device.utils += 1
            device.util_sum += told["util"]
            device.util_max = max(device.util_max, told["util"])

    def shown(self) -> RenderableType:
        """For a terminal."""
        table = Table("server", "device", box=None, padding=(0, 2, 0, 0), header_style="dim")
        for name in ("samples", "reads", "writes", "read", "written", "util mean", "max"):
            table.add_column(name, justify="right")
        table.add_column("time (UTC)")
        for (server, name), device in self.devices.items():
            counts = [
                f"{device.sums[each]:,.0f}" if each in device.sums else "" for each in ("reads", "writes")
            ]
            sizes = [
                size(device.sums[each]) if each in device.sums else ""
                for each in ("read_bytes", "written_bytes")
            ]
            utils = (
                (f"{device.util_sum / device.utils:.1%}", f"{device.util_max:.1%}")
                if device.utils
                else ("", "")
            )
            time = f"{device.first[:19]} to {device.last[:19]}" if device.first else "no time stamps"
            row = (printable(server), printable(name), f"{device.samples:,}", *counts, *sizes, *utils, time)
            table.add_row(*map(Text, row))
        refused = Text(f"not understood: {self.refused:,}", "red" if self.refused else "dim")
        return Group(Text(printable(str(self.file)), "bold"), table, refused, "")
