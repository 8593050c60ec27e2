"""What the devices of file systems and servers did in each load bucket, from samples that lie in files.

The same sums as Flink's storage-analysis makes of the stream: a sample counts in the bucket that holds the
middle of its interval, if it is not much longer than a bucket, and a bucket is closed once its servers have
sampled a later one.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from math import ceil
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weir.site_file import setting

Samples = Mapping[str, list[dict[str, Any]]]
# an interval so much longer than a bucket leaves one in ten without a sample
_MOST_OF_BUCKET = 1.1


def file_systems(samples: Samples, site: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """StorageLoad records of the site's file systems; `samples` are DeviceSample records by server."""
    width = int(setting(site, "load_bucket_seconds") * 1_000_000)
    for file_system in site["file_systems"]:
        devices = {server: set(names) for server, names in file_system.get("devices", {}).items()}
        newest = [max((_bucket(s, width) for s in samples.get(server, [])), default=0) for server in devices]
        common = {
            "cluster": site["cluster"],
            "kind": "filesystem",
            "subject": file_system["id"],
            "bucket_seconds": width / 1e6,
            "closed_until": min(newest, default=0),
            "servers_expected": len(devices),
            "device_ids": [],
            "device_columns": [],
            "device_values": b"",
            "origin": "backfill",
        }
        buckets: dict[int, _Bucket] = defaultdict(_Bucket)
        for server, names in devices.items():
            for sample in samples.get(server, []):
                buckets[_bucket(sample, width)].add(server, sample, names, width)
        for start, bucket in sorted(buckets.items()):
            if bucket.sums:
                yield common | {"bucket_start": start} | bucket.totals()


def servers(samples: Samples, site: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """StorageLoad records of the servers, with arrays over their devices."""
    width = int(setting(site, "load_bucket_seconds") * 1_000_000)
    for server, of_server in samples.items():
        buckets: dict[int, _Bucket] = defaultdict(_Bucket)
        for sample in of_server:
            buckets[_bucket(sample, width)].add(server, sample, set(sample["device_ids"]), width)
        common = {
            "cluster": site["cluster"],
            "kind": "server",
            "subject": server,
            "bucket_seconds": width / 1e6,
            "closed_until": max(buckets, default=0),
            "servers_expected": 1,
            "origin": "backfill",
        }
        for start, bucket in sorted(buckets.items()):
            if bucket.sums:
                yield common | {"bucket_start": start} | bucket.totals() | bucket.devices()


def too_seldom(samples: Samples, site: dict[str, Any], file: Path) -> dict[str, str]:
    """By server, what is wrong with `site` (a `file`) where samples come too seldom to fill each bucket."""
    bucket = setting(site, "load_bucket_seconds")
    stated = {server["name"]: server["sample_interval_seconds"] for server in site.get("servers", [])}
    found = {}
    for server, of_server in samples.items():
        seconds = median(sample["interval_seconds"] for sample in of_server)
        if seconds > _MOST_OF_BUCKET * bucket:
            found[server] = (
                f"samples of server {server} come every {seconds:.3g} s, but {file.name} says "
                f"{stated[server]:g} s: set its sample_interval_seconds, and load_bucket_seconds "
                f"(now {bucket:g}), to {seconds:.3g}"
            )
    return found


def _bucket(sample: dict[str, Any], width: int) -> int:
    middle = sample["time"] - round(sample["interval_seconds"] * 1e6 / 2)
    return int(middle // width * width)


class _Bucket:
    """Sums by device over the samples of one bucket."""

    def __init__(self) -> None:
        self.sums: dict[tuple[str, str], NDArray[np.float64]] = {}
        self.seconds: dict[tuple[str, str], float] = defaultdict(float)
        self.columns: list[str] = []
        self.ticks = 0

    def add(self, server: str, sample: dict[str, Any], names: set[str], width: int) -> None:
        if sample["interval_seconds"] * 1e6 > 1.5 * width:
            return  # nobody knows how much of it was in this bucket
        self.columns = sample["columns"]
        values = np.frombuffer(sample["values"], "<f8").reshape(len(self.columns), -1)
        self.ticks += 1
        for place, device in enumerate(sample["device_ids"]):
            if device in names:
                key = server, device
                self.sums[key] = self.sums.get(key, 0) + values[:, place]
                self.seconds[key] += sample["interval_seconds"]

    def _util(self) -> list[float]:
        busy = self.columns.index("busy_seconds")
        return [min(1.0, sums[busy] / self.seconds[key]) for key, sums in self.sums.items()]

    def devices(self) -> dict[str, Any]:
        values = np.vstack([np.array(list(self.sums.values())).T, self._util()])
        return {
            "device_ids": [device for _, device in self.sums],
            "device_columns": [*self.columns, "util"],
            "device_values": values.astype("<f8").tobytes(),
        }

    def totals(self) -> dict[str, Any]:
        util = sorted(self._util())
        total = dict(zip(self.columns, np.sum(list(self.sums.values()), axis=0), strict=True))
        names = ("bytes_read", "bytes_written", "reads", "writes", "read_wait_seconds", "write_wait_seconds")
        return {name: float(total[name]) for name in names} | {
            "util_mean": float(np.mean(util)),
            "util_p95": float(util[ceil(0.95 * len(util)) - 1]),
            "util_max": float(util[-1]),
            "servers_reported": len({server for server, _ in self.sums}),
            "version": self.ticks,
        }
