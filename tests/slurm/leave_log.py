"""What an instrumented program of a job leaves: a valid Darshan log, where and as Darshan writes it.

    leave_log.py DIRECTORY SECONDS [STEP]

The log appears under DIRECTORY/year/month/day (of the start, local time, not padded) as .darshan_partial
and is renamed when it is whole.
"""

import os
import pwd
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "ingest/tests"))
from darshan_writer import LogWriter

PROCESSES = 4
MIB = 1 << 20


def main() -> None:
    """Run, and leave the log."""
    root, seconds = Path(sys.argv[1]), float(sys.argv[2])
    step = sys.argv[3] if len(sys.argv) > 3 else "batch"
    job_id, began = int(os.environ["SLURM_JOB_ID"]), time.time()
    time.sleep(seconds)  # the program's run time
    ended = time.time()
    log = LogWriter(
        nprocs=PROCESSES,
        uid=os.getuid(),
        jobid=job_id,
        start=_of(began),
        end=_of(ended),
        exe=f"/opt/app/bin/sim --step {step}".encode(),
    )
    for rank in range(PROCESSES):
        name = f"/scratch/{job_id}/{step}/{rank}".encode()
        counters = {"POSIX_OPENS": 1, "POSIX_WRITES": 8, "POSIX_BYTES_WRITTEN": 8 * MIB}
        log.add("POSIX", 4, [{"name": name, "rank": rank, **counters}])
    day = time.localtime(began)
    folder = root / f"{day.tm_year}/{day.tm_mon}/{day.tm_mday}"
    folder.mkdir(parents=True, exist_ok=True)
    user = pwd.getpwuid(os.getuid()).pw_name
    second = day.tm_hour * 3600 + day.tm_min * 60 + day.tm_sec
    unique = f"{second}-{random.getrandbits(63)}"
    name = f"{user}_sim_id{job_id}-{os.getpid()}_{day.tm_mon}-{day.tm_mday}-{unique}_1.darshan"
    partial = folder / f"{name}_partial"
    partial.write_bytes(log.to_bytes())
    partial.rename(folder / name)


def _of(second: float) -> tuple[int, int]:
    return int(second), int(second % 1 * 1e9)


if __name__ == "__main__":
    main()
