"""`iostat -x -o JSON` documents as device samples.

The first report of a document covers the time since boot and is left out. iostat prints rates over an
interval whose exact length it does not print: the median distance of its time stamps is taken, since these
are cut to whole seconds. So bytes and counts are right to the rounding of the printed rates.
"""

from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import ijson

from weir import wire
from weir.errors import Refused
from weir.text import escape

COLUMNS = [
    "reads", "writes", "bytes_read", "bytes_written", "busy_seconds", "weighted_queue_seconds",
    "read_wait_seconds", "write_wait_seconds",
]  # fmt: skip
_UNITS = {"kB/s": 1024.0, "MB/s": 1024.0 * 1024.0}


def read(file: Path, cluster: str, server: str) -> Iterator[dict[str, Any] | Refused]:
    """DeviceSample records without `origin`, and a Refused for each report that can't be one.

    A document that is cut or damaged gives all whole reports before the damage and one Refused.
    """
    reports: list[dict[str, Any]] = []
    broken: Refused | None = None
    with file.open("rb") as stream:
        try:
            reports.extend(ijson.items(stream, "sysstat.hosts.item.statistics.item", use_float=True))
        except ijson.JSONError as error:
            reason = f"not whole JSON: {str(error).splitlines()[0]}"
            broken = Refused(reason, f"report {len(reports) + 1}, byte {stream.tell()}")
    if not reports and not broken:
        broken = Refused("no sysstat report in it; write it with iostat -x -t -o JSON", "byte 0")
    yield from _samples(reports, cluster, server)
    if broken:
        yield broken


def _samples(reports: list[dict[str, Any]], cluster: str, server: str) -> Iterator[dict[str, Any] | Refused]:
    timed: list[tuple[int, dict[str, Any]]] = []
    for number, report in enumerate(reports[1:], start=2):
        try:
            timed.append((_micros(report), report | {"number": number}))
        except ValueError as error:
            yield Refused(str(error), f"report {number}", str(report).encode())
    steps = [after - before for (before, _), (after, _) in pairwise(timed)]
    interval = median(steps) / 1e6 if steps else 1.0
    for time, report in timed:
        try:
            yield _sample(report["disk"], cluster, server, time, interval)
        except (KeyError, ValueError, TypeError) as error:
            reason = f"{type(error).__name__}: {error}"
            yield Refused(reason, f"report {report['number']}", str(report).encode())


def _micros(report: dict[str, Any]) -> int:
    value = report.get("timestamp", "")
    try:
        time = datetime.fromisoformat(value)
    except (ValueError, TypeError):
        raise ValueError(
            f"timestamp: {value!r} is no ISO time; run iostat with -t and S_TIME_FORMAT=ISO"
        ) from None
    if time.tzinfo is None:
        raise ValueError(f"timestamp: {value!r} has no zone; run iostat with S_TIME_FORMAT=ISO")
    return int(time.timestamp()) * 1_000_000


def _sample(
    disks: list[dict[str, Any]], cluster: str, server: str, time: int, interval: float
) -> dict[str, Any]:
    names = [escape(disk["disk_device"].encode()) for disk in disks]
    rows = [_device(disk, interval) for disk in disks]
    return {
        "cluster": cluster,
        "server": server,
        "time": time,
        "interval_seconds": interval,
        "cumulative": False,
        "boot_id": None,
        "device_ids": [f"{server}:{name}" for name in names],
        "device_names": names,
        "columns": COLUMNS,
        "values": wire.packed([[row[i] for row in rows] for i in range(len(COLUMNS))]),
    }


def _device(disk: dict[str, Any], interval: float) -> list[float]:
    """The values of COLUMNS of one device over the interval."""
    reads, writes = disk["r/s"] * interval, disk["w/s"] * interval
    return [
        reads,
        writes,
        _bytes_per_second(disk, "r") * interval,
        _bytes_per_second(disk, "w") * interval,
        disk["util"] / 100 * interval,
        disk["aqu-sz"] * interval,
        disk["r_await"] / 1000 * reads,
        disk["w_await"] / 1000 * writes,
    ]


def _bytes_per_second(disk: dict[str, Any], direction: str) -> float:
    for unit, factor in _UNITS.items():
        if f"{direction}{unit}" in disk:
            return disk[f"{direction}{unit}"] * factor
    raise KeyError(f"{direction}kB/s or {direction}MB/s")
