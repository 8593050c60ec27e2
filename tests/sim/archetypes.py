"""What simulated programs do to their files, and which of the shipped rules must therefore hold.

The findings were derived by hand from the counters and the definitions in the rule files; `P` processes do
everything evenly unless a field says otherwise. Sizes in bytes.
"""

from dataclasses import dataclass, field

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30

SCRATCH, HOME, LOCAL = "scratch", "home", "local"

BLAMES_STORAGE = frozenset({"device_contention", "slow_target", "straggler"})


@dataclass(frozen=True)
class Files:
    """Files that are used alike. Counts are of one process and file; for `shared` ones of one process."""

    who: str = "each"
    """`each` process has its own; process `zero` alone has some; one is `shared` by all."""
    count: int = 1
    module: str = "POSIX"
    mount: str = SCRATCH
    writes: int = 0
    write_size: int = 4 * MIB
    reads: int = 0
    read_size: int = 4 * MIB
    opens: int = 1
    stats: int = 0
    fsyncs: int = 0
    switches: int = 0
    jumps: int = 0
    """Requests of each direction that go backwards."""
    unaligned: int = 0
    alignment: int = MIB
    extent: int = 0
    """Of a file; 0: every byte is moved once."""
    heavy: tuple[int, int] = (0, 1)
    """The first so many processes make so many times as many requests."""
    doers: int = 0
    """Processes that move the bytes of a shared file; 0: all."""
    mpiio: str = ""
    """COLL or INDEP: calls of all processes above, of 4 MiB or `mpiio_size` each."""
    mpiio_size: int = 4 * MIB
    meta: float = 0.02
    """Share of the time that goes into metadata."""
    slow_process: bool = False
    """Process 0 takes all of the time, the others a tenth."""
    stripes: int = 0
    """On Lustre targets; 0: no LUSTRE records."""
    common: bool = False
    """Of all runs of the program; else each run has its own."""


@dataclass(frozen=True)
class Archetype:
    """A kind of program; with more than one group of files each takes an equal share of the time."""

    nprocs: int
    files: tuple[Files, ...]
    findings: frozenset[str] = field(default_factory=frozenset)
    heatmap: bool = True


def _kind(nprocs: int, *files: Files, findings: str = "", heatmap: bool = True) -> Archetype:
    return Archetype(nprocs, files, frozenset(findings.split()), heatmap)


_ODD = 47_008  # 2^5 * 1469: of the first 32,767 multiples none is one of 1 MiB

ARCHETYPES = {
    # --- nothing to find
    "healthy": _kind(8, Files(writes=16)),
    "healthy_reader": _kind(16, Files(reads=16)),
    # each run of the program reads the same 1 GiB, all processes together
    "common_input": _kind(16, Files("shared", reads=16, common=True)),
    "healthy_collective": _kind(32, Files("shared", writes=8, mpiio="COLL")),
    # 8 aggregators below 64 callers: two-phase I/O as it should be
    "aggregators": _kind(64, Files("shared", writes=64, doers=8, mpiio="COLL")),
    # exact 1 MiB stands in the bin 100K_1M
    "one_mib": _kind(8, Files(writes=128, write_size=MIB)),
    # below 1 GiB, read only: a small input that one process reads and hands on
    "broadcast_input": _kind(16, Files("zero", reads=64)),
    "local_only": _kind(8, Files("zero", writes=64, mount=LOCAL)),
    "no_io": _kind(4),
    # --- one pattern each, and what it cannot be without
    # all bytes are of one process: that is also an imbalance of 8 times the mean
    "rank0_io": _kind(8, Files("zero", writes=128), findings="rank0_io load_imbalance"),
    "rank0_stdio": _kind(
        8,
        Files("zero", module="STDIO", writes=1280, write_size=256 * KIB),
        findings="rank0_io load_imbalance stdio_heavy",
    ),
    # 64 KiB on blocks of 4 KiB: small, but aligned
    "small_io": _kind(8, Files(writes=2048, write_size=64 * KIB, alignment=4 * KIB), findings="small_io"),
    "small_unaligned": _kind(
        8,
        Files(writes=2048, write_size=_ODD, unaligned=2047),
        findings="small_io unaligned_io small_unaligned_writes",
    ),
    "unaligned_io": _kind(8, Files(writes=64, unaligned=64), findings="unaligned_io"),
    # 8 * (128 - 64 - 1) of 1,024 reads, of 2,048 MiB: 25 %
    "random_io": _kind(8, Files(reads=128, read_size=2 * MIB, jumps=64), findings="random_io"),
    "metadata_heavy": _kind(8, Files(writes=16, opens=200, stats=200, meta=0.6), findings="metadata_heavy"),
    # 800 files of 64 KiB in one request each
    "many_small_files": _kind(
        8,
        Files(count=100, writes=1, write_size=64 * KIB, alignment=4 * KIB),
        findings="many_small_files small_io",
    ),
    # 512, 512 and 14 times 8 MiB: 2.46 effective of 16, the largest 7.2 times the mean
    "load_imbalance": _kind(16, Files(writes=2, heavy=(2, 64)), findings="load_imbalance"),
    # one takes T, seven T/10: 1 / (1.7 / 8) = 4.7 times the mean
    "straggler": _kind(8, Files(writes=32, slow_process=True), findings="straggler"),
    "slow_target": _kind(
        16, Files(writes=16, slow_process=True, stripes=1), findings="straggler slow_target"
    ),
    # 8 processes read the same 128 MiB
    "redundant_read": _kind(8, Files("shared", reads=32, extent=128 * MIB), findings="redundant_read"),
    "stdio_heavy": _kind(
        8, Files(module="STDIO", writes=128, write_size=256 * KIB), findings="stdio_heavy"
    ),
    "fsync_heavy": _kind(8, Files(writes=32, fsyncs=32), findings="fsync_heavy"),
    # 8 * (127 - 1) switches beyond one by each process, of 1,024 requests
    "read_write_switching": _kind(
        8, Files(writes=64, reads=64, switches=127), findings="read_write_switching"
    ),
    "slow_storage_io": _kind(4, Files(writes=8, mount=HOME), findings="slow_storage_io"),
    "no_collective": _kind(
        8,
        Files(
            "shared", writes=1024, write_size=64 * KIB, alignment=4 * KIB, mpiio="INDEP", mpiio_size=64 * KIB
        ),
        findings="no_collective small_io",
    ),
    "collective_funnel": _kind(
        64, Files("shared", writes=512, doers=1, mpiio="COLL"), findings="collective_funnel"
    ),
    # 16 GiB on one target; 16 processes
    "single_stripe": _kind(
        16, Files("shared", writes=256, stripes=1), findings="single_stripe_shared_file"
    ),
    # 1,280 files on 4 of 8 targets each: 640 stripes a target
    "overstriped": _kind(
        8,
        Files(count=160, writes=1, write_size=64 * KIB, alignment=4 * KIB, stripes=4),
        findings="overstriped_small_files target_overload many_small_files small_io",
    ),
    # a full 4 MiB for each of 4,096 processes
    "file_per_process": _kind(
        4096, Files(writes=1), findings="file_per_process_at_scale", heatmap=False
    ),
}  # fmt: skip
