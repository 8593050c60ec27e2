"""A Lustre server with two OSTs and an MDT, and two running jobs: its files, read by the agent's own parser.

The recorded center has no Lustre: two of its jobs are told of here as if they ran on one.
"""

import time
from datetime import UTC, datetime, timedelta

from weir.agents.config import Devices
from weir.agents.lustre_live import JobStats, TargetStats
from weir.kafka import Publisher

KIB, MIB = 1 << 10, 1 << 20
LOOKS, SECONDS = 13, 10
# MiB/s by job of the recorded center: read, written; of each of two targets
RATES = {"110": (12, 3), "111": (0, 40)}
TARGETS = ("scratch-OST0000", "scratch-OST0001")
MDT, OPENS_PER_SECOND = "scratch-MDT0000", 25
# requests are of 1 MiB; the disks of one target take them whole, those of the other in pieces of 16 KiB
PIECES = {TARGETS[0]: ("1M", 1), TARGETS[1]: ("16K", MIB // (16 * KIB))}
# at this look the second target has just been mounted again, and counts anew
MOUNTED_AT = 5


def publish(stack, cluster, folder):
    """Two minutes of looks that end now, as `weir agent devices` sends them."""
    jobs = JobStats(cluster, "oss1", Devices().job_id_pattern, folder)
    targets = TargetStats(cluster, "oss1", folder)
    first = datetime.fromtimestamp(int(time.time()) - SECONDS * (LOOKS - 1), UTC)
    with Publisher(stack.kafka, "live") as publisher:
        for look in range(LOOKS):
            _write(folder / "proc/fs/lustre", look)
            at = {"time": first + timedelta(seconds=SECONDS * look)}
            publisher.send("weir.target.live", f"{cluster}/oss1", "TargetLive", targets.look() | at)
            for record in jobs.look():
                publisher.send("weir.job.live", f"{cluster}/{record['job_id']}", "JobLive", record | at)


def _write(lustre, look):
    """All files of the server at its look of that number, as Lustre 2.10 writes them."""
    for target in TARGETS:
        mounted = MOUNTED_AT if target == TARGETS[1] and look >= MOUNTED_AT else 0
        ticks = look + 1 - mounted
        _put(
            lustre / "obdfilter" / target / "job_stats",
            "job_stats:\n" + "".join(_entry(job, look) for job in RATES),
        )
        _put(lustre / "obdfilter" / target / "stats", _stats(ticks))
        _put(lustre / "osd-ldiskfs" / target / "brw_stats", _brw_stats(ticks, *PIECES[target]))
    opens = OPENS_PER_SECOND * SECONDS * (look + 1)
    _put(
        lustre / "mdt" / MDT / "md_stats",
        f"snapshot_time 1510782606.789 secs.nsecs\nopen {opens} samples [reqs]\n",
    )


def _put(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def _entry(job, look):
    read, written = (rate * MIB * SECONDS * (look + 1) for rate in RATES[job])
    line = "  {}_bytes: {{ samples: {}, unit: bytes, min: 4096, max: 1048576, sum: {} }}\n"
    return (
        f"- job_id: {job}\n  snapshot_time: 1510782606\n"
        + line.format("read", read // MIB, read)
        + line.format("write", written // MIB, written)
        + f"  setattr: {{ samples: {look}, unit: reqs }}\n"
    )


def _requests(ticks):
    """Of 1 MiB since the target was mounted: read, written."""
    return (SECONDS * ticks * sum(rates) for rates in zip(*RATES.values(), strict=True))


def _stats(ticks):
    line = "{}_bytes {} samples [bytes] 1048576 1048576 {}\n"
    counted = zip(("read", "write"), _requests(ticks), strict=True)
    lines = [line.format(name, requests, requests * MIB) for name, requests in counted]
    return "snapshot_time 1510782606.789 secs.nsecs\n" + "".join(lines) + f"ping {ticks} samples [reqs]\n"


def _brw_stats(ticks, edge, pieces):
    reads, writes = (requests * pieces for requests in _requests(ticks))
    return (
        "snapshot_time:         1510782606.797 (secs.nsecs)\n\n"
        "                           read      |     write\n"
        "disk I/O size          ios   % cum % |  ios         % cum %\n"
        f"{edge}:\t\t {reads} 100 100   | {writes} 100 100\n"
    )
