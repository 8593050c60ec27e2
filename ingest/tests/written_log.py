"""Darshan logs of format 3.41 made to order: what a real program can't be made to do on a test's machine."""

from dataclasses import dataclass, field
from pathlib import Path

from darshan_writer import LogWriter, Record

GIB = 1 << 30
# the runtime cuts a longer command line
MOST_EXE = 2_900


@dataclass
class File:
    """A file that all processes wrote evenly, `requests` times."""

    name: bytes
    requests: int
    request_bytes: int
    seconds: float
    """Of each process."""
    stripe_count: int = 0
    """0 for one that is not on Lustre."""
    stripe_size: int = 1 << 20
    counters: dict[str, int] = field(default_factory=dict)
    """More of POSIX, by Darshan's names."""


def write(
    path: Path, files: list[File], exe: bytes = b"./app -x", nprocs: int = 64, job_id: int = 77
) -> Path:
    """A log of a run of 100 s of user 1001; /lus is a mounted Lustre."""
    log = LogWriter(
        nprocs=nprocs,
        uid=1001,
        jobid=job_id,
        end=(1_700_000_100, 0),
        exe=exe[:MOST_EXE],
        mounts=[(b"lustre", b"/lus")],
    )
    log.add("POSIX", 4, [_posix(file, nprocs) for file in files])
    striped = [file for file in files if file.stripe_count]
    if striped:
        log.add("LUSTRE", 1, [_lustre(file) for file in striped])
    path.write_bytes(log.to_bytes())
    return path


def _posix(file: File, nprocs: int) -> Record:
    """One record of all processes, with the sums that Darshan's reduction makes."""
    moved, small = file.requests * file.request_bytes, file.request_bytes < 1 << 20
    counters = {
        "OPENS": nprocs, "WRITES": file.requests, "BYTES_WRITTEN": moved, "MAX_BYTE_WRITTEN": moved - 1,
        "SEQ_WRITES": file.requests - nprocs, "FILE_ALIGNMENT": 1 << 20,
        "SIZE_WRITE_10K_100K" if small else "SIZE_WRITE_100M_1G": file.requests,
        "SLOWEST_RANK_BYTES": moved // nprocs, "FASTEST_RANK_BYTES": moved // nprocs,
        "F_WRITE_TIME": nprocs * file.seconds, "F_SLOWEST_RANK_TIME": file.seconds,
        "F_FASTEST_RANK_TIME": file.seconds, "F_WRITE_START_TIMESTAMP": 1.0,
        "F_WRITE_END_TIMESTAMP": 1.0 + file.seconds,
    }  # fmt: skip
    named = {f"POSIX_{name}": value for name, value in (counters | file.counters).items()}
    return {"name": file.name, "rank": -1, **named}


def _lustre(file: File) -> Record:
    layout = {"osts": 248, "mdts": 1, "stripe_size": file.stripe_size}
    return {"name": file.name, "rank": -1, **layout, "targets": list(range(file.stripe_count))}
