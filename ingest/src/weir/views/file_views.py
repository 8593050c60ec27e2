"""What files of scheduler records and device samples hold, as `weir scheduler parse` and others print it."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from weir.errors import Refused, UserError
from weir.formats import DeviceFormat, devices, lustre, scheduler
from weir.text import printable
from weir.views.log_view import size


@dataclass
class SchedulerFile:
    """What a file holds, for a person; filled object by object."""

    file: Path
    jobs: Counter[str] = field(default_factory=Counter)
    steps: int = 0
    refused: int = 0
    clusters: set[str] = field(default_factory=set)
    users: set[str] = field(default_factory=set)
    first: str | None = None
    last: str | None = None

    def add(self, record: dict[str, Any] | Refused) -> None:
        """Count one object, or one thing that was not understood."""
        if isinstance(record, Refused):
            self.refused += 1
        elif record["step"] is not None:
            self.steps += 1
        else:
            self.jobs[record["state"]] += 1
            self.clusters |= {record["cluster"]} - {None}
            self.users |= {record["user"]} - {None}
            times = [record[name] for name in scheduler.TIMES if record[name]]
            self.first = min([*times, self.first or "9999"]) if times else self.first
            self.last = max([*times, self.last or ""]) if times else self.last

    def shown(self) -> RenderableType:
        """For a terminal."""
        grid = Table.grid(padding=(0, 2))
        states = ", ".join(f"{count:,} {state}" for state, count in self.jobs.most_common())
        rows = {
            "file": printable(str(self.file)),
            "clusters": printable(", ".join(sorted(self.clusters))) or "not stated",
            "jobs": f"{self.jobs.total():,}" + (f": {states}" if states else ""),
            "steps": f"{self.steps:,}",
            "users": f"{len(self.users):,}",
            "time": f"{self.first} to {self.last}" if self.first else "not stated",
            "not understood": f"{self.refused:,}",
        }
        for name, value in rows.items():
            grid.add_row(
                Text(name, "dim"), Text(value, "red" if name == "not understood" and self.refused else "")
            )
        return Group(grid, "")


@dataclass
class _Device:
    samples: int = 0
    first: str = ""
    last: str = ""
    sums: dict[str, float] = field(default_factory=dict)
    utils: int = 0
    util_sum: float = 0.0
    util_max: float = 0.0


@dataclass
class DeviceFile:
    """What a file holds, for a person; filled object by object."""

    file: Path
    devices: dict[tuple[str, str], _Device] = field(default_factory=dict)
    refused: int = 0

    def add(self, record: dict[str, Any] | Refused) -> None:
        """Count one object, or one thing that was not understood."""
        if isinstance(record, Refused):
            self.refused += 1
            return
        device = self.devices.setdefault((record["server"] or "", record["device"]), _Device())
        device.samples += 1
        device.first, device.last = device.first or record["time"] or "", record["time"] or device.last
        for name in devices.RATED:
            if record[name] is not None:
                device.sums[name] = device.sums.get(name, 0.0) + record[name]
        if record["util"] is not None:
            device.utils += 1
            device.util_sum += record["util"]
            device.util_max = max(device.util_max, record["util"])

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


@dataclass
class LustreFile:
    """What a file holds, for a person; filled object by object."""

    file: Path
    rows: dict[tuple[str, str], list[float]] = field(default_factory=dict)
    refused: int = 0

    def add(self, record: dict[str, Any] | Refused) -> None:
        """Count one object, or one thing that was not understood."""
        if isinstance(record, Refused):
            self.refused += 1
            return
        row = self.rows.setdefault((record["target"], record["kind"]), [0] * (1 + len(lustre.COLUMNS)))
        for place, value in enumerate([1, *(record.get(column, 0) for column in lustre.COLUMNS)]):
            row[place] += value

    def shown(self) -> RenderableType:
        """For a terminal."""
        table = Table("target", "kind", box=None, padding=(0, 2, 0, 0), header_style="dim")
        for name in ("entries", "reads", "writes", "read", "written", "others"):
            table.add_column(name, justify="right")
        for (target, kind), (entries, reads, writes, read, written, others) in self.rows.items():
            numbers = (f"{entries:,}", f"{reads:,}", f"{writes:,}", size(read), size(written), f"{others:,}")
            table.add_row(printable(target), kind, *numbers)
        refused_ = Text(f"not understood: {self.refused:,}", "red" if self.refused else "dim")
        return Group(Text(printable(str(self.file)), "bold"), table, refused_, "")


def of_devices(file: Path, how: devices.How) -> DeviceFile | LustreFile:
    """Returns the summary, for a person, of what `objects` gives."""
    try:
        form = how.form or devices.format_of(file)
    except (OSError, UserError):
        form = None  # refused when it is read
    return LustreFile(file) if form is DeviceFormat.lustre else DeviceFile(file)
