"""Device samples of any known format: which one a file is."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path
from typing import Any

from weir.errors import Refused, UserError
from weir.formats import DeviceFormat as Format
from weir.formats import device_record, diskstats, iostat, iostat_text, lustre
from weir.formats.device_record import DeviceReading
from weir.formats.reading import head, iso


@dataclass(frozen=True)
class How:
    """What the user states of a file: its format, the zone of times without one, and what it does not say.

    `since_boot`: the first report of iostat is wanted too.
    """

    zone: tzinfo
    form: Format | None = None
    interval: float | None = None
    day_first: bool = False
    server: str | None = None
    since_boot: bool = False


@dataclass(frozen=True)
class Reader:
    """How files of one format are recognized by their first 64 KiB, and read."""

    begins: Callable[[bytes], bool]
    readings: Callable[[Path, How], Iterator[DeviceReading | Refused]]


def _no_devices(file: Path, _how: How) -> Iterator[DeviceReading | Refused]:
    raise UserError(f"{file}: counters of Lustre's targets are no samples of devices.")


READERS = {
    Format.iostat_json: Reader(
        iostat.is_iostat_json,
        lambda file, how: iostat.readings(file, how.zone, how.interval, how.day_first),
    ),
    Format.iostat: Reader(
        iostat_text.is_iostat,
        lambda file, how: iostat_text.readings(file, how.zone, how.interval, how.day_first),
    ),
    Format.lustre: Reader(lustre.is_lustre, _no_devices),
    Format.diskstats: Reader(
        diskstats.is_diskstats,
        lambda file, how: diskstats.readings(file, how.zone),
    ),
}
"""The formats that are known, in the order in which they are tried."""


def format_of(file: Path) -> Format:
    """Detects the format by the first 64 KiB; UserError where unknown, OSError where they can't be read."""
    start = head(file)
    for form, reader in READERS.items():
        if reader.begins(start):
            return form
    raise UserError(
        f"{file}: neither text of iostat, nor of iostat -o JSON, nor a capture of /proc/diskstats or of "
        f"lctl get_param: it begins with {start[:40]!r}. Name the format with --format."
    )


def readings(file: Path, how: How) -> Iterator[DeviceReading | Refused]:
    """Every reading of a file, and a Refused for each part that is not understood."""
    return READERS[how.form or format_of(file)].readings(file, how)


def samples(file: Path, how: How, cluster: str, server: str) -> Iterator[dict[str, Any] | Refused]:
    """DeviceSample records without `origin`, and a Refused for each part that can't be one.

    What iostat counted since boot is left out.
    """
    found = readings(file, how)
    return device_record.samples(
        (each for each in found if isinstance(each, Refused) or not each.since_boot),
        cluster,
        server,
    )


def objects(file: Path, how: How) -> Iterator[dict[str, Any] | Refused]:
    """An object to print for each device and reading; a Refused stays one.

    What was counted is null where the length of the interval is not known. Of Lustre's targets it is what
    they counted until `time`.
    """
    if (how.form or format_of(file)) is Format.lustre:
        yield from lustre.objects(file)
        return
    for reading in readings(file, how):
        if isinstance(reading, Refused):
            yield reading
        elif how.since_boot or not reading.since_boot:
            yield from _devices(reading, how.server or reading.server)


def _devices(reading: DeviceReading, server: str | None) -> Iterator[dict[str, Any]]:
    length = None if reading.since_boot else reading.interval_seconds
    for device, row in reading.values.items():
        rates = {column: value / (reading.interval_seconds or 1.0) for column, value in row.items()}
        yield {
            "server": server,
            "device": device,
            "time": iso(reading.time),
            "interval_seconds": length,
            **{name: _rounded(row.get(column)) if length else None for name, column in _COUNTED.items()},
            **{f"{name}_per_second": _rounded(rates.get(column)) for name, column in RATED.items()},
            "util": _rounded(rates.get("busy_seconds")),
            "queue_length": _rounded(rates.get("weighted_queue_seconds")),
            "since_boot": reading.since_boot,
            "group": device in reading.groups,
        }


RATED = {"reads": "reads", "writes": "writes", "read_bytes": "bytes_read", "written_bytes": "bytes_written"}
_COUNTED = RATED | {name: name for name in ("read_wait_seconds", "write_wait_seconds")}


def _rounded(value: float | None) -> float | None:
    """Rounds off what binary fractions add to numbers that were printed."""
    return None if value is None else round(value, 6)
