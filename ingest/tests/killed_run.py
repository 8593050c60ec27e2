"""Writes what killed runs leave: a memory-mapped log of each process, as Darshan 3.5 names and fills it."""

from pathlib import Path
from typing import Any

from darshan_writer import LogWriter, Record, file_of_rank

NUMBER = 18258127789266267066
START = 1_795_443_618
HEAT = (0.1, [1 << 20, 0, 3 << 20], [0, 0, 5])


def name_of(rank: int, job_id: int = 5023, number: int = NUMBER) -> str:
    return f"sci_forever_id{job_id}_mmap-log-{number}-{rank}.darshan"


def log_of(rank: int, records: list[Record] | None = None, **of_log: Any) -> LogWriter:
    """The log of a process: not compressed, without an end. The process of rank 1 was the first to begin."""
    shape: dict[str, Any] = {"nprocs": 4, "uid": 1003, "jobid": 5023, "end": (0, 0), "compression": "none"}
    shape |= {"start": (START, 100_000_000 + abs(rank - 1) * 1000), "mounts": [(b"lustre", b"/scratch")]}
    log = LogWriter(exe=b"forever /scratch/a 3", **shape | of_log)
    log.add("POSIX", 4, records_of(rank) if records is None else records)
    if rank % 2 == 0:
        log.add(
            "STDIO", 2, [{"name": b"<STDOUT>", "rank": rank, "STDIO_OPENS": 1, "STDIO_BYTES_WRITTEN": 99}]
        )
    width, written, read = HEAT
    heat = {"name": b"heatmap:POSIX", "rank": rank, "bin_width_seconds": width * 2 ** (rank % 2)}
    log.add("HEATMAP", 1, [heat | {"write_bins": written, "read_bins": read}])
    return log


def records_of(rank: int) -> list[Record]:
    """A file of its own, and its part of one that all write."""
    own = file_of_rank(b"/scratch/own.%d" % rank, rank, writes=[47_008] * (10 + rank), reads=[1 << 20])
    return [own, file_of_rank(b"/scratch/all", rank, writes=[4096] * 5, offset=rank * 20480)]


def leave(folder: Path, nprocs: int = 4, **of_log) -> list[Path]:
    """The logs of all processes, in the order of their ranks."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / name_of(rank) for rank in range(nprocs)]
    for rank, file in enumerate(files):
        file.write_bytes(log_of(rank, nprocs=nprocs, **of_log).to_bytes())
    return files
