"""What the storage servers of the center measure: ticks as messages, and the load that follows from them.

Every file system has servers of its own, and their devices share its traffic evenly. Servers of even number
send what an interval did, those of odd number counters since boot.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from weir import wire

from sim.archetypes import HOME, SCRATCH
from sim.logs import moved
from sim.plan import BUCKET, SLOT, TICK, Plan

COLUMNS = [
    "reads", "writes", "bytes_read", "bytes_written", "busy_seconds", "weighted_queue_seconds",
    "read_wait_seconds", "write_wait_seconds",
]  # fmt: skip
READ, WRITTEN, BUSY = (
    COLUMNS.index("bytes_read"),
    COLUMNS.index("bytes_written"),
    COLUMNS.index("busy_seconds"),
)
REQUEST = 1 << 20
IDLE_BYTES, IDLE_UTIL, OWN_UTIL, CONTENDED_UTIL = 1 << 16, 0.015625, 0.25, 0.9375
"""Utils are sums of powers of two, so that busy seconds add up exactly."""
OTHERS = 10
"""Times the run's own bytes, where others contend."""

WEATHER = {"quiet": 60, "contended": 25, "silent": 5, "gap": 4, "restart": 3, "wrap": 3}
"""What may be wrong in the slot of a run, by weight. silent: a server sends nothing; gap: it misses a tick;
restart: it boots anew; wrap: the counters of a device begin anew."""

TICKS_A_SLOT = SLOT // TICK
MARGIN = 2 * BUCKET // TICK
"""Ticks before the first slot and behind the last, so that every bucket of a slot closes."""


@dataclass(frozen=True)
class Bucket:
    """Of a file system."""

    bytes_read: int
    bytes_written: int
    servers: int
    """That reported."""
    ticks: int
    """That gave values."""
    util_max: float


class Server:
    """Its ticks; `values` are those of each interval: tick, device, column."""

    def __init__(self, name: str, filesystem: str, devices: int, ticks: int, cumulative: bool):
        self.name, self.filesystem, self.cumulative = name, filesystem, cumulative
        self.devices = [f"wwn-0x{name}{device:03}" for device in range(devices)]
        self.device_names = [f"sd{device}" for device in range(devices)]
        self.values = np.zeros((ticks, devices, len(COLUMNS)))
        self.boots = np.zeros(ticks, int)
        self.sent = np.ones(ticks, bool)
        self.wrapped = np.zeros((ticks, devices), bool)
        """Counters of the device began anew within the interval."""

    def counters(self) -> np.ndarray:
        """As they are sent."""
        if not self.cumulative:
            return self.values
        counted = np.cumsum(self.values, axis=0) + 4096.0
        for tick in np.flatnonzero(np.diff(self.boots)) + 1:
            counted[tick:] -= counted[tick]
        for tick, device in zip(*np.nonzero(self.wrapped), strict=True):
            counted[tick:, device] -= counted[tick, device]
        return counted

    def known(self) -> tuple[np.ndarray, np.ndarray]:
        """(ticks that give values, devices whose values are known by tick)."""
        ticks = self.sent.copy()
        devices = np.repeat(self.sent[:, None], len(self.devices), axis=1)
        if self.cumulative:
            ticks[0] = False
            ticks[1:] &= self.sent[:-1] & (np.diff(self.boots) == 0)
            devices = ticks[:, None] & ~self.wrapped
        return ticks, devices


class Storage:
    """Servers and their ticks for the runs of a plan."""

    def __init__(self, plan: Plan, seed: int, servers: int, devices: int, slots: int):
        self.plan = plan
        self.begin = plan.base - MARGIN * TICK
        self.ticks = 2 * MARGIN + slots * TICKS_A_SLOT
        self.weather: dict[int, str] = {}
        """By the number of a log."""
        self.filesystems = [lane.id for lane in [*plan.lanes, plan.home]]
        self.servers = [
            Server(f"oss{f * servers + s:03}", filesystem, devices, self.ticks, bool(s % 2))
            for f, filesystem in enumerate(self.filesystems)
            for s in range(servers)
        ]
        self._draw(Random(f"storage {seed}"))

    def of(self, filesystem: str) -> list[Server]:
        return [server for server in self.servers if server.filesystem == filesystem]

    def _draw(self, random: Random) -> None:
        for server in self.servers:
            self._add(server, slice(None), IDLE_BYTES, IDLE_BYTES, IDLE_UTIL)
        for log in self.plan.logs:
            if log.slot is None or log.superseded:
                continue
            weather = random.choices(list(WEATHER), list(WEATHER.values()))[0]
            self.weather[log.number] = weather
            first = MARGIN + log.slot * TICKS_A_SLOT
            io = first + (log.io_begin - SLOT // 2) // TICK
            servers = self.of(log.filesystem)
            parts = sum(len(server.devices) for server in servers)
            ticks = -(-log.io_seconds // TICK)
            read, written = (each // parts // ticks for each in moved(log.archetype, (SCRATCH, HOME)))
            for server in servers:
                self._add(server, slice(io, io + ticks), read, written, OWN_UTIL)
                if weather == "contended":
                    others = OTHERS * (read + written) + (1 << 30)
                    self._add(
                        server, slice(first, first + TICKS_A_SLOT), others, others, CONTENDED_UTIL - OWN_UTIL
                    )
            self._spoil(weather, random.choice(servers), first, io, random)

    @staticmethod
    def _add(server: Server, ticks: slice, read: int, written: int, util: float) -> None:
        """Bytes of each device in each tick."""
        busy = util * TICK
        columns = [
            read // REQUEST + 1,
            written // REQUEST + 1,
            read,
            written,
            busy,
            4 * busy,
            busy / 2,
            busy / 2,
        ]
        server.values[ticks] += columns

    @staticmethod
    def _spoil(weather: str, server: Server, first: int, io: int, random: Random) -> None:
        if weather == "silent":
            server.sent[first : first + TICKS_A_SLOT - 2] = False
        elif weather == "gap":
            server.sent[io] = False
        elif weather == "restart":
            server.boots[io:] += 1
        elif weather == "wrap" and server.cumulative:
            server.wrapped[io, random.randrange(len(server.devices))] = True

    def time(self, tick: int) -> int:
        """End of its interval."""
        return self.begin + (tick + 1) * TICK

    def load(self, filesystem: str) -> dict[int, Bucket]:
        """Bucket start -> load, of those that any server's tick tells something of."""
        starts = (self.begin + TICK * np.arange(self.ticks) + TICK / 2) // BUCKET * BUCKET
        width = BUCKET // TICK
        if self.begin % BUCKET:
            raise ValueError(f"the ticks begin at {self.begin}: expected a multiple of {BUCKET}")
        shape = (self.ticks // width, width)
        sums = np.zeros((shape[0], 2), "<i8")
        ticks, servers, util = np.zeros(shape[0], int), np.zeros(shape[0], int), np.zeros(shape[0])
        for server in self.of(filesystem):
            given, known = server.known()
            values = np.where(known[:, :, None], server.values, 0).reshape(*shape, *server.values.shape[1:])
            sums += values.sum(axis=(1, 2))[:, [READ, WRITTEN]].astype("<i8")
            sampled = known.reshape(*shape, -1).sum(axis=1) * TICK
            busy = values.sum(axis=1)[:, :, BUSY]
            util = np.maximum(util, np.max(busy / np.maximum(sampled, 1), axis=1))
            ticks += given.reshape(shape).sum(axis=1)
            servers += (sampled > 0).any(axis=1)
        return {
            int(starts[width * place]): Bucket(
                *map(int, (*sums[place], servers[place], ticks[place])), util[place]
            )
            for place in np.flatnonzero(servers)
        }

    def messages(self, cluster: str, origin: str) -> Iterator[tuple[int, str, int, bytes]]:
        """(time, server, devices, message) of each tick that is sent, in the order of time."""
        counters = [np.ascontiguousarray(each.counters().transpose(0, 2, 1)) for each in self.servers]
        commons: list[dict[str, Any]] = [
            {
                "cluster": cluster,
                "server": server.name,
                "interval_seconds": float(TICK),
                "cumulative": server.cumulative,
                "device_ids": server.devices,
                "device_names": server.device_names,
                "columns": COLUMNS,
                "origin": origin,
            }
            for server in self.servers
        ]
        for tick in range(self.ticks):
            for server, common, values in zip(self.servers, commons, counters, strict=True):
                if server.sent[tick]:
                    sample = common | {
                        "time": self.time(tick) * 1_000_000,
                        "boot_id": f"boot{server.boots[tick]}" if server.cumulative else None,
                        "values": values[tick].tobytes(),
                    }
                    message = wire.encode("DeviceSample", sample)
                    yield self.time(tick), server.name, len(server.devices), message
