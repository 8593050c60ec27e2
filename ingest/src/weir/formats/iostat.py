"""`iostat -o JSON` documents as device samples.

The first report of a document covers the time since boot. iostat prints rates over an interval whose exact
length it does not print (see Intervals), so bytes and counts are right to the rounding of the printed rates.
"""

import json
import re
from collections.abc import Iterator
from datetime import tzinfo
from pathlib import Path
from typing import Any

from weir.errors import Refused
from weir.formats.device_record import DeviceReading, Intervals, Stamps, is_known, over_interval, samples
from weir.formats.reading import FieldError, head, json_items, json_text, refused

_REPORT = "sysstat.hosts.item.statistics.item"


def read(file: Path, cluster: str, server: str) -> Iterator[dict[str, Any] | Refused]:
    """DeviceSample records without `origin`, and a Refused for each report that can't be one.

    A document that is cut or damaged gives all whole reports before the damage and one Refused. The report
    since boot is left out.
    """
    found = readings(file)
    return samples(
        (each for each in found if isinstance(each, Refused) or not each.since_boot),
        cluster,
        server,
    )


def is_iostat_json(start: bytes) -> bool:
    """Whether a file that begins like this is a document of `iostat -o JSON`."""
    return start.lstrip().startswith(b"{") and b'"sysstat"' in start


def readings(
    file: Path, zone: tzinfo | None = None, interval: float | None = None, day_first: bool = False
) -> Iterator[DeviceReading | Refused]:
    """A reading a report, one at a time, and a Refused for each that can't be one.

    `zone` is that of stamps without one; `interval` (seconds) is for documents without stamps.
    """
    intervals, stamps = Intervals(_times(file, zone, day_first)), Stamps(zone, day_first)
    named = re.search(rb'"nodename":\s*"([^"]*)"', head(file))
    server = named[1].decode(errors="replace") if named else None
    number, last = 0, None
    for number, report in enumerate(json_items(file, _REPORT, "report"), start=1):
        if isinstance(report, Refused):
            yield report
            continue
        try:
            if not isinstance(report, dict):
                raise FieldError("statistics", f"{report!r} is no report")
            time = stamps.micros(report["timestamp"]) if "timestamp" in report else None
            length = interval if time is None else intervals.before(time, last)
            last = time
            yield DeviceReading(time, length, _rows(report, length or 1.0), server, since_boot=number == 1)
        except ValueError as error:
            yield refused(error, f"report {number}", json.dumps(report).encode())
    if not number:
        yield Refused("no sysstat report in it; write it with iostat -x -t -o JSON", "byte 0")


def _times(file: Path, zone: tzinfo | None, day_first: bool) -> Iterator[int]:
    stamps = Stamps(zone, day_first)
    for text in json_items(file, f"{_REPORT}.timestamp", "stamp"):
        try:
            if not isinstance(text, Refused):
                yield stamps.micros(text)
        except ValueError:
            continue  # refused when the report is read


def _rows(report: dict[str, Any], interval: float) -> dict[str, dict[str, float]]:
    disks = report.get("disk")
    if not isinstance(disks, list) or not all(isinstance(disk, dict) for disk in disks):
        raise FieldError("disk", "no list of devices; run iostat with -x or -d")
    rows = {}
    for disk in disks:
        name = disk.get("disk_device")
        if not isinstance(name, str):
            raise FieldError("disk_device", f"{name!r} is no name")
        numbers = {column: value for column, value in disk.items() if isinstance(value, float | int)}
        if not is_known(numbers):
            raise FieldError("r/s", f"not there, nor any other of iostat's columns of {name}")
        rows[json_text(name)] = over_interval(numbers, interval)
    return rows
