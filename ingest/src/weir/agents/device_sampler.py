"""Samples a server's block devices: /proc/diskstats to weir.device.sample.

A sample carries the kernel's counters since boot; the consumer takes differences. So a lost sample costs
resolution and no byte, and a sampler that restarts has nothing to make good.
"""

import math
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import structlog
from numpy.typing import NDArray
from prometheus_client import Counter, Gauge

from weir import documents, wire
from weir.agents import lustre_live
from weir.agents.block_devices import BlockDevices, Device
from weir.agents.config import AgentConfig
from weir.agents.message_spool import Message, MessageSpool
from weir.agents.outbox import Outbox
from weir.agents.service import running
from weir.errors import UserError
from weir.formats.device_record import COLUMNS
from weir.formats.diskstats import COUNTERS, MILLISECONDS

_PLACES = {column: (place, unit) for column, place, unit in COUNTERS} | {
    column: (place, 0.001) for column, place in MILLISECONDS
}
_NAME, _FIRST_COUNTER = 2, 3  # fields of a line
_WRAP = 2.0**32 * 0.001  # the kernel keeps milliseconds in 32 bits

SAMPLES = Counter("weir_devices_samples", "Samples taken")
MISSED = Counter(
    "weir_devices_samples_missed", "Samples that were due while the machine or the sampler stood still"
)
FAILED = Counter("weir_devices_samples_failed", "Samples that could not be taken")
DEVICES = Gauge("weir_devices_sampled", "Devices that are sampled")


class Sampler:
    """Takes samples; `root` is / unless set otherwise."""

    def __init__(self, cluster: str, server: str, devices: BlockDevices, root: Path = Path("/")):
        self._devices = devices
        self._file = root / "proc/diskstats"
        self._boot_id = (root / "proc/sys/kernel/random/boot_id").read_text().strip()
        self._fixed = {"cluster": cluster, "server": server, "cumulative": True, "origin": "live"}
        self._names: list[bytes] = []
        self._events = ""
        self._sampled: list[Device] = []
        self._lines: list[int] = []
        self._counters = np.zeros((len(COLUMNS), 0))
        self._wraps = np.zeros_like(self._counters)

    def sample(self, interval_seconds: float) -> dict[str, Any] | None:
        """A DeviceSample of now; None where there is no device. UserError where the file is no diskstats."""
        words = self._file.read_bytes()
        time_micros = time.time_ns() // 1000
        fields = words.split()
        width = len(words.partition(b"\n")[0].split())
        if width < _FIRST_COUNTER + 11 or len(fields) % width:
            raise UserError(
                f"{self._file}: not lines of at least 14 fields each, as Linux from 2.6.25 writes"
            )
        self._refresh(fields[_NAME::width])
        if not self._sampled:
            return None
        counters = np.array([self._column(fields, width, name) for name in COLUMNS])
        return self._fixed | {
            "time": time_micros,
            "interval_seconds": interval_seconds,
            "boot_id": self._boot_id,
            "device_ids": [device.id for device in self._sampled],
            "device_names": [device.name for device in self._sampled],
            "columns": COLUMNS,
            "values": self._unwrapped(counters).astype("<f8").tobytes(),
        }

    def _column(self, fields: list[bytes], width: int, name: str) -> list[float]:
        place, unit = _PLACES[name]
        column = fields[_FIRST_COUNTER + place :: width]
        return [int(column[line]) * unit for line in self._lines]

    def _refresh(self, names: list[bytes]) -> None:
        """Looks at sysfs, which takes long, only when the kernel says that something changed."""
        events = self._devices.events()
        if names == self._names and events == self._events:
            return
        self._names, self._events = names, events
        texts = [name.decode(errors="backslashreplace") for name in names]
        sampled = self._devices.sampled(texts)
        line_of = {text: line for line, text in enumerate(texts)}
        self._lines = [line_of[device.name] for device in sampled]
        if sampled == self._sampled:
            return
        known = {device: place for place, device in enumerate(self._sampled)}
        before = [known.get(device, -1) for device in sampled]
        # a device that is new, of column -1, has counted nothing yet
        self._counters, self._wraps = (
            np.pad(each, ((0, 0), (0, 1)))[:, before] for each in (self._counters, self._wraps)
        )
        self._sampled = sampled
        DEVICES.set(len(sampled))
        structlog.get_logger().info("devices", sampled=len(sampled))

    def _unwrapped(self, counters: NDArray[np.float64]) -> NDArray[np.float64]:
        """The counters with what their 32 bits of milliseconds lost.

        Where a count fell too, the device itself restarted: the consumer sees that by the count.
        """
        fell = counters < self._counters
        milliseconds = np.array([_PLACES[name][1] == 0.001 for name in COLUMNS])
        anew = fell[~milliseconds].any(axis=0)
        self._wraps += fell * milliseconds[:, None] * ~anew * _WRAP
        self._counters = counters
        return counters + self._wraps


def sample_times(
    interval: float,
    stop: Callable[[float], bool],
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[float]:
    """Yields at deadlines that lie `interval` seconds apart, each time the seconds since the one before.

    A deadline does not move because the one before was late; those that passed meanwhile are left out and
    counted. `stop(seconds)` waits so long and says whether to end.
    """
    deadline = last = clock()
    first = True
    while True:
        now = clock()
        yield interval if first else now - last
        first, last = False, now
        passed = math.floor((clock() - deadline) / interval)
        MISSED.inc(passed)
        deadline += (passed + 1) * interval
        if stop(max(0.0, deadline - clock())):
            return


def run(config: AgentConfig, root: Path = Path("/")) -> None:
    """Samples until SIGTERM."""
    site = documents.site_of_agents(config.site, "devices")
    own = config.devices
    server, interval = _server(own.server or socket.gethostname(), site, config.site)
    devices = BlockDevices(root, server, own.include, own.exclude)
    sampler = Sampler(site["cluster"], server, devices, root)
    folder = config.spool / "devices"
    try:
        spool = MessageSpool(folder, own.spool_bytes)
    except OSError as error:
        raise UserError(
            f"{folder}: {error.strerror}. The agent's user must be able to write there."
        ) from None
    key = f"{site['cluster']}/{server}"
    with (
        running("devices", own.metrics_port) as stop,
        Outbox(config.kafka, spool, own.resend_per_second) as outbox,
        lustre_live.looking(site["cluster"], server, own, outbox, root, stop),
    ):
        for seconds in sample_times(interval, stop.wait):
            try:
                sample = sampler.sample(seconds)
            except OSError as error:
                FAILED.inc()
                structlog.get_logger().error("no sample", error=str(error))
                continue
            SAMPLES.inc()
            if sample:
                outbox.send(Message("weir.device.sample", key, wire.encode("DeviceSample", sample)))


def _server(name: str, site: dict[str, Any], file: Path) -> tuple[str, float]:
    """Its name and sample interval by the site file."""
    known = {server["name"]: float(server["sample_interval_seconds"]) for server in site["servers"]}
    found = next((each for each in (name, name.partition(".")[0]) if each in known), None)
    if found is None:
        raise UserError(
            f"{file}: servers has {', '.join(known) or 'none'}, but not {name}. Add it there, or say as which"
            " of them this machine is known: devices.server in the agents' file."
        )
    return found, known[found]
