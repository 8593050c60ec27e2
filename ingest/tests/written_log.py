"""Darshan logs of format 3.41 made to order: what a real program can't be made to do on a test's machine."""

import zlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from weir.darshan import layouts

GIB = 1 << 30
_POSIX = layouts.COUNTERS["POSIX", 4]
_JOB = layouts.job_of("3.41")


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
    job = np.zeros(1, _JOB)
    job["uid"], job["nprocs"], job["jobid"] = 1001, nprocs, job_id
    job["start_time_sec"], job["end_time_sec"] = 1_700_000_000, 1_700_000_100
    text = exe + b"\nlustre\t/lus\n"
    parts = {
        "job": job.tobytes() + text.ljust(layouts.JOB_RECORD_BYTES - _JOB.itemsize, b"\0"),
        "names": b"".join(np.uint64(i + 1).tobytes() + file.name + b"\0" for i, file in enumerate(files)),
        "POSIX": b"".join(_posix(i + 1, file, nprocs) for i, file in enumerate(files)),
        "LUSTRE": b"".join(_lustre(i + 1, file) for i, file in enumerate(files) if file.stripe_count),
    }
    header = np.zeros(1, layouts.header_of("3.41"))
    header["version"], header["magic"] = b"3.41", layouts.MAGIC
    body = b""
    for name, content in parts.items():
        region = (header.nbytes + len(body), len(zlib.compress(content)))
        if name == "names":
            header["names"] = region
        elif name != "job" and content:
            slot = layouts.modules_of("3.41").index(name)
            header["modules"][0, slot] = region
            header["module_versions"][0, slot] = {"POSIX": 4, "LUSTRE": 1}[name]
        body += zlib.compress(content)
    path.write_bytes(header.tobytes() + body)
    return path


def _posix(record_id: int, file: File, nprocs: int) -> bytes:
    """One record of all processes, with the sums that Darshan's reduction makes."""
    moved, small = file.requests * file.request_bytes, file.request_bytes < 1 << 20
    ints = {
        "OPENS": nprocs, "WRITES": file.requests, "BYTES_WRITTEN": moved, "MAX_BYTE_WRITTEN": moved - 1,
        "SEQ_WRITES": file.requests - nprocs, "FILE_ALIGNMENT": 1 << 20,
        "SIZE_WRITE_10K_100K" if small else "SIZE_WRITE_100M_1G": file.requests,
        "SLOWEST_RANK_BYTES": moved // nprocs, "FASTEST_RANK_BYTES": moved // nprocs,
    }  # fmt: skip
    floats = {"WRITE_TIME": nprocs * file.seconds, "SLOWEST_RANK_TIME": file.seconds,
              "FASTEST_RANK_TIME": file.seconds, "WRITE_START_TIMESTAMP": 1.0,
              "WRITE_END_TIMESTAMP": 1.0 + file.seconds}  # fmt: skip
    record = np.zeros(1, _POSIX.dtype)
    record["id"], record["rank"] = record_id, -1
    for name, value in (ints | file.counters).items():
        record["ints"][0, _POSIX.ints.index(f"POSIX_{name}")] = value
    for name, value in floats.items():
        record["floats"][0, _POSIX.floats.index(f"POSIX_F_{name}")] = value
    return record.tobytes()


def _lustre(record_id: int, file: File) -> bytes:
    """darshan-lustre-log-format.h of 3.1: OSTs, MDTs, first OST, stripe size, stripe count, then the OSTs."""
    osts = list(range(file.stripe_count))
    values = [record_id, -1, 248, 1, 0, file.stripe_size, file.stripe_count, *osts]
    return np.array(values, "<i8").tobytes()
