"""A Lustre server that counts two running jobs: its files of job_stats, read by the agent's own parser.

The recorded center has no Lustre: two of its jobs are told of here as if they ran on one.
"""

import time
from datetime import UTC, datetime, timedelta

from weir.agents.config import Devices
from weir.agents.lustre_jobs import JobStats
from weir.kafka import Publisher

MIB = 1 << 20
LOOKS, SECONDS = 13, 10
# MiB/s by job of the recorded center: read, written; of each of two targets
RATES = {"110": (12, 3), "111": (0, 40)}
TARGETS = ("scratch-OST0000", "scratch-OST0001")


def publish(stack, cluster, folder):
    """Two minutes of looks that end now, as `weir agent devices` sends them."""
    server = JobStats(cluster, "oss1", Devices().job_id_pattern, folder)
    first = datetime.fromtimestamp(int(time.time()) - SECONDS * (LOOKS - 1), UTC)
    with Publisher(stack.kafka, "live") as publisher:
        for look in range(LOOKS):
            for target in TARGETS:
                file = folder / "proc/fs/lustre/obdfilter" / target / "job_stats"
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text("job_stats:\n" + "".join(_entry(job, look) for job in RATES))
            for record in server.look():
                at = first + timedelta(seconds=SECONDS * look)
                key = f"{cluster}/{record['job_id']}"
                publisher.send("weir.job.live", key, "JobLive", record | {"time": at})


def _entry(job, look):
    """As Lustre 2.10 writes it."""
    read, written = (rate * MIB * SECONDS * (look + 1) for rate in RATES[job])
    line = "  {}_bytes: {{ samples: {}, unit: bytes, min: 4096, max: 1048576, sum: {} }}\n"
    return (
        f"- job_id: {job}\n  snapshot_time: 1510782606\n"
        + line.format("read", read // MIB, read)
        + line.format("write", written // MIB, written)
        + f"  setattr: {{ samples: {look}, unit: reqs }}\n"
    )
