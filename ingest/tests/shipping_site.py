"""A small center for tests of shipping: its directories of logs, its spool, and what was published."""

import json
import os
import time
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from darshan_writer import LogWriter
from weir import wire
from weir.agents.config import Ship
from weir.kafka import Publisher
from weir.shipping import directories
from weir.shipping.daemon import Shipper
from weir.shipping.job_spool import JobSpool
from weir.shipping.memory import ShippingMemory

ZONE = ZoneInfo("Pacific/Auckland")
NOON = datetime(2026, 11, 21, 12, tzinfo=ZONE).timestamp()
HOUR = 3600
USER = os.getuid()


class Recorder(Publisher):
    """Keeps messages where Kafka would; what is not flushed dies with it."""

    def __init__(self, origin="live"):
        self.origin = origin
        self.queued, self.messages, self.flushes = [], [], 0
        self.fail, self.refusals = None, {}

    def put(self, topic, key, message):
        self.queued.append((topic, key, message))

    def settle(self):
        self.flushes += 1
        if self.fail:
            raise self.fail
        refused = {(topic, key) for topic, key, _ in self.queued} & self.refusals.keys()
        self.messages += [each for each in self.queued if each[:2] not in refused]
        self.queued = []
        return {place: self.refusals[place] for place in refused}

    def of(self, topic):
        """Decoded messages of a topic."""
        return [wire.decode(message)[1] for name, _, message in self.messages if name == topic]

    def log_ids(self):
        """Of logs whose header, batches and end are there, in this order; each as often as it is."""
        whole, parts = [], {}
        for message in self.of("weir.darshan.log"):
            bodies = parts.setdefault(message["log_id"], [])
            bodies.append(message["body"])
            if "batches" in message["body"]:
                assert "nprocs" in bodies[0] and bodies[-1]["batches"] == len(bodies) - 2
                whole.append(message["log_id"])
                del parts[message["log_id"]]
        assert not parts
        return whole

    def headers(self):
        return [m["body"] for m in self.of("weir.darshan.log") if "nprocs" in m["body"]]

    def manifests(self):
        return [(m["job_id"], m["final"], len(m["log_ids"])) for m in self.of("weir.job.manifest")]

    def reasons(self):
        return [letter["reason"] for letter in self.of("weir.dead-letter")]


def site(root: Path, layout="year/month/day", owner_check="strict", privacy=None):
    """A site file's content, as far as shipping reads it."""
    listed = [{"path": str(root), "layout": layout, "owner_check": owner_check}]
    return {"cluster": "lab", "log_directories": listed, "privacy": privacy or {}}


def log_bytes(job_id=77, uid=USER, start=NOON, records=3, exe=b"/opt/sim --token=secret"):
    """A log of a run of a minute."""
    log = LogWriter(nprocs=4, uid=uid, jobid=job_id, start=(int(start), 0), end=(int(start) + 60, 0), exe=exe)
    log.add("POSIX", 4, [{"name": b"/scratch/f%d" % i, "rank": 0, "POSIX_OPENS": 1} for i in range(records)])
    return log.to_bytes()


@dataclass
class Center:
    """A shipper with everything around it; `now` is its clock."""

    root: Path
    logs: Path
    spool: JobSpool
    memory: ShippingMemory
    shipper: Shipper
    publisher: Recorder
    now: float

    def put(self, name, content=None, job_id=77, start=NOON, written=None, **of_log):
        """A log in the folder of its day."""
        day = datetime.fromtimestamp(start, ZONE)
        folder = self.logs / f"{day.year}/{day.month}/{day.day}"
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / name
        file.write_bytes(log_bytes(job_id, start=start, **of_log) if content is None else content)
        os.utime(file, (written or start + 60,) * 2)
        return file

    def end_job(self, job_id=77, uid=USER, start=NOON, end=NOON + HOUR, number=1):
        """What the hook writes."""
        name = f"{int(end * 1e9):020d}-{job_id}-{number}.json"
        entry = {"job_id": job_id, "uid": uid, "start": int(start), "end": int(end), "noted": int(end * 1e6)}
        (self.spool.folder / name).write_text(json.dumps(entry))

    def run(self, rounds=3):
        """Until there is nothing to do."""
        for _ in range(rounds):
            while self.shipper.round(self.publisher):
                pass
        return self.publisher


@contextmanager
def center(root: Path, decoder, ship: Ship | None = None, layout="year/month/day", **of_site):
    """At one in the afternoon."""
    logs, folder = root / "darshan", root / "spool/jobs"
    logs.mkdir(exist_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    listed = directories.of_site(site(logs, layout, **of_site), ZONE)
    ship = ship or Ship(logs_per_second=1e9)
    with ShippingMemory(root / "state/ship.sqlite") as memory:
        made = Center(root, logs, JobSpool(folder), memory, None, Recorder(), NOON + HOUR + 1)
        made.shipper = Shipper(ship, listed, made.spool, memory, decoder, lambda: made.now)
        yield made


def wait_for(condition, seconds=30):
    """Polls, for what another process does."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.02)
