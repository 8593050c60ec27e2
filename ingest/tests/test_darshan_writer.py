"""The writer of logs: libdarshan reads what it wrote, counter by counter."""

import bz2
import itertools
import zlib
from collections import defaultdict
from typing import Any

import darshan_writer as writer
import libdarshan
import numpy as np
import pytest
from darshan_writer import LogWriter
from test_darshan_differential import LOST, UNSWAPPED
from weir.darshan import layouts

# PyPI's libdarshan is built without bzip2
SHAPES = list(itertools.product(layouts.LOG_VERSIONS, "<>", ["zlib", "none"]))

# libdarshan 3.5.0 of PyPI is of before these two
UNREADABLE = {("DXT_POSIX", 2), ("DXT_MPIIO", 3)}

# what else libdarshan 3.5.0 gets wrong: it swaps the bytes of this or not by the version of another module
SWAPPED_BY_CHANCE = {("H5D", 1): ["file_rec_id"], ("H5D", 2): ["file_rec_id"]}


def counters_of(module: str, version: int, seed: int) -> dict[str, Any]:
    """Each counter another number; sums of two stay below 256, as libdarshan adds before it swaps bytes."""
    layout = layouts.COUNTERS[module, version]
    ints = {name: 1 + seed + i % 100 for i, name in enumerate(layout.ints)}
    floats = {name: seed + 0.125 + i for i, name in enumerate(layout.floats)}
    fields = {name: seed + 77 for name, kind in (*layout.head, *layout.tail) if kind == "u8"}
    uuids = {name: bytes(range(seed, seed + 16)) for name, kind in layout.tail if kind == "V16"}
    # records with counters of fopen have no form that libdarshan can give them
    return (
        ints | floats | fields | uuids | ({"POSIX_FOPENS": 0} if version == 1 and module == "POSIX" else {})
    )


def other_of(module: str, version: int, seed: int) -> dict[str, Any]:
    if module == "HEATMAP":
        bins = {"write_bins": [seed, 5, 2**40], "read_bins": [0, 7, seed]}
        return {"bin_width_seconds": 0.1 * (1 + seed), **bins}
    if module == "LUSTRE" and version == 1:
        return {"osts": 40, "mdts": 2, "stripe_offset": -1, "stripe_size": 1 << 20, "targets": [3, seed, 9]}
    if module == "LUSTRE":
        parts = [
            {name: 10 * part + i for i, name in enumerate(layouts.LUSTRE_INTS)}
            | {"LUSTRE_COMP_STRIPE_COUNT": 1 + part, "pool": b"fl\xc3\xa4sh%d" % part}
            for part in range(1 + seed)
        ]
        return {"components": parts, "targets": list(range(100, 100 + sum(range(2 + seed))))}
    thread = (1234,) if len(layouts.DXT_SEGMENTS[module, version].names or ()) == 5 else ()
    writes = [(100 * i, 10 + seed, 0.5 + i, 0.75 + i, *thread) for i in range(3)]
    reads = [(7 + seed, 2**40, 1.5, 2.5, *thread)]
    return {"hostname": b"node%d" % seed, "shared_record": 1, "writes": writes, "reads": reads}


def records_of(module: str, version: int) -> list[dict[str, Any]]:
    make = counters_of if (module, version) in layouts.COUNTERS else other_of
    return [
        {"name": b"/scratch/%d/file \xff" % number, "rank": rank} | make(module, version, number)
        for number, rank in enumerate((-1, 0, 3))
    ]


def rounds(log_version: str) -> list[dict[str, int]]:
    """Module versions such that each that libdarshan reads occurs in one of the logs."""
    versions = defaultdict(list)
    for module, version in sorted(layouts.DECODED - UNREADABLE):
        if module in layouts.modules_of(log_version):
            versions[module].append(version)
    longest = max(map(len, versions.values()))
    return [{module: of[turn % len(of)] for module, of in versions.items()} for turn in range(longest)]


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> list[tuple[LogWriter, dict[str, int], dict[str, Any]]]:
    """Logs of every shape: the writer, the module versions in it, and what libdarshan reads."""
    folder, logs = tmp_path_factory.mktemp("written"), []
    for version, byteorder, compression in SHAPES:
        for turn, modules in enumerate(rounds(version)):
            log = LogWriter(
                nprocs=4 + turn,
                version=version,
                byteorder=byteorder,
                compression=compression,
                stream_bytes=500 * turn or None,
                uid=1234,
                jobid=2**40 + turn,
                start=(1_600_000_000, 250_000_000 if version == "3.41" else 0),
                end=(1_600_000_009, 500_000_000 if version == "3.41" else 0),
                exe=b"/opt/app/sim --in a.nc",
                mounts=[(b"lustre", b"/scratch"), (b"ext4", b"/")],
                metadata={b"lib_ver": b"3.4.1", b"h": b"romio_no_indep_rw=true"},
            )
            for module, of in modules.items():
                log.add(module, of, records_of(module, of), partial=module in ("POSIX", "STDIO"))
            (folder / f"{len(logs)}.darshan").write_bytes(log.to_bytes())
            logs.append((log, modules))
    told = libdarshan.read(*(folder / f"{number}.darshan" for number in range(len(logs))))
    return [(log, modules, as_read) for (log, modules), as_read in zip(logs, told, strict=True)]


def test_libdarshan_reads_the_job_names_and_mounts(written):
    for log, _, told in written:
        job = told["job"]
        for name in ("uid", "jobid", "nprocs", "start_time_sec", "end_time_sec"):
            assert job[name] == log.job[name]
        if log.version == "3.41":
            assert (job["start_time_nsec"], job["end_time_nsec"]) == (250_000_000, 500_000_000)
            assert job["run_time"] == 9.25
        assert (job["log_ver"], job["metadata"]["lib_ver"]) == (log.version, "3.4.1")
        assert job["metadata"]["h"] == "romio_no_indep_rw=true"
        assert told["exe"] == b"/opt/app/sim --in a.nc"
        assert told["mounts"] == [(b"/scratch", b"lustre"), (b"/", b"ext4")]
        assert set(told["names"].values()) == {b"/scratch/%d/file \xff" % number for number in range(3)}


def test_libdarshan_reads_the_modules_and_their_partial_flags(written):
    for log, modules, told in written:
        assert {name: version for name, (_, version, *_) in told["modules"].items()} == modules
        flags = {name for name, (_, _, partial, _) in told["modules"].items() if partial}
        # libdarshan does not swap the bytes of the flags
        assert flags == {"POSIX", "STDIO"} or log.byteorder == ">"


def test_libdarshan_reads_every_counter_under_its_newest_name(written):
    compared = defaultdict(int)
    for log, modules, told in written:
        for module, version in modules.items():
            layout = layouts.COUNTERS.get((module, version))
            if not layout:
                continue
            wrong = [LOST] if log.byteorder == "<" else [LOST, UNSWAPPED, SWAPPED_BY_CHANCE]
            lost = {name for table in wrong for name in table.get((module, version), ())}
            sums = dict(layout.sums)
            for wrote, read in zip(
                records_of(module, version), libdarshan.records(told, module), strict=True
            ):
                assert (read["id"], read["rank"]) == (writer.name_id(wrote["name"]), wrote["rank"])
                if "file_rec_id" in wrote and "file_rec_id" not in lost:
                    assert read["file_rec_id"] == wrote["file_rec_id"]
                newest = read["counters"] | read["fcounters"]
                assert set(layout.ints) - set(layout.retired) | set(layout.floats) | set(sums) <= set(newest)
                for name, value in newest.items():
                    if name in sums:
                        assert value == sum(wrote[old] for old in sums[name])
                    elif name not in wrote:
                        assert value in (-1, 0), (module, version, name)
                    elif name not in lost:
                        assert value == wrote[name], (module, version, name, log.byteorder)
                        compared[module, version] += 1
    assert set(compared) == set(layouts.COUNTERS)


def test_libdarshan_reads_heatmaps(written):
    for _, modules, told in written:
        wrote = records_of("HEATMAP", 1) if "HEATMAP" in modules else []
        for record, read in zip(wrote, told["heatmap"], strict=True):
            assert read["bin_width_seconds"] == record["bin_width_seconds"]
            for bins in ("write_bins", "read_bins"):
                assert read[bins].tolist() == record[bins]


def test_libdarshan_reads_lustre_layouts(written):
    for _, modules, told in written:
        for wrote, read in zip(records_of("LUSTRE", modules["LUSTRE"]), told["lustre"], strict=True):
            assert [ost for part in read["components"] for ost in part["ost_ids"]] == wrote["targets"]
            parts = wrote.get("components") or [
                {"LUSTRE_COMP_STRIPE_SIZE": wrote["stripe_size"], "LUSTRE_COMP_STRIPE_COUNT": 3, "pool": b""}
            ]
            for part, as_read in zip(parts, read["components"], strict=True):
                assert as_read["pool_name"].encode() == part["pool"]
                assert {name: as_read["counters"][name] for name in part if name != "pool"} == {
                    name: value for name, value in part.items() if name != "pool"
                }


def test_libdarshan_reads_segments(written):
    for _, modules, told in written:
        for module in ("DXT_POSIX", "DXT_MPIIO"):
            for wrote, read in zip(records_of(module, modules[module]), told["dxt"][module], strict=True):
                assert read["hostname"].encode() == wrote["hostname"]
                for kind in ("write", "read"):
                    segments = [tuple(segment.values()) for segment in read[f"{kind}_segments"]]
                    if (module, modules[module]) == ("DXT_MPIIO", 1):  # has no offsets
                        assert [segment[1:] for segment in segments] == [s[1:] for s in wrote[f"{kind}s"]]
                    else:
                        assert segments == wrote[f"{kind}s"]


def test_bzip2_logs_hold_what_zlib_logs_hold():
    inside = []
    for compression, inflate in (("zlib", zlib.decompress), ("bzip2", bz2.decompress)):
        log = LogWriter(compression=compression)
        log.add("POSIX", 4, records_of("POSIX", 4))
        content = log.to_bytes()
        header = np.frombuffer(content, layouts.header_of("3.41"), 1)[0]
        assert header["compression"] == {"zlib": 0, "bzip2": 1}[compression]
        regions = [header["names"], header["modules"][1]]
        starts = [header.itemsize, *(int(offset) for offset, _ in regions)]
        ends = [starts[1], *(int(offset + length) for offset, length in regions)]
        assert ends[-1] == len(content)
        inside.append([inflate(content[a:b]) for a, b in zip(starts, ends, strict=True)])
    assert inside[0] == inside[1]


def test_a_module_that_nobody_knows_is_listed(tmp_path):
    log = LogWriter()
    log.add(40, 7, b"what ever")
    (tmp_path / "x.darshan").write_bytes(log.to_bytes())
    header = np.frombuffer((tmp_path / "x.darshan").read_bytes(), layouts.header_of("3.41"), 1)[0]
    assert np.flatnonzero(header["modules"]["length"]).tolist() == [40]
    assert header["module_versions"][40] == 7


PATTERNS = [
    (writer.shared_file(b"/s/one", [[1 << 20] * 8, [1 << 20] * 4 + [47008], [], [100]]), 12_630_020, 14),
    (writer.file_per_process(b"/s/own", [[3000] * 5, [3000] * 7]), 36_000, 12),
    ([writer.file_of_rank(b"/s/f", 2, writes=[10, 20], reads=[30], seconds=2.0)], 60, 3),
]


def test_patterns_have_the_totals_that_were_asked_for(tmp_path):
    for number, (records, _, _) in enumerate(PATTERNS):
        log = LogWriter(nprocs=4)
        log.add("POSIX", 4, records)
        (tmp_path / f"{number}.darshan").write_bytes(log.to_bytes())
    told = libdarshan.read(*(tmp_path / f"{number}.darshan" for number in range(len(PATTERNS))))
    for read, (_, moved, calls) in zip(told, PATTERNS, strict=True):
        counters = [record["counters"] for record in libdarshan.records(read, "POSIX")]
        total = sum(c["POSIX_BYTES_WRITTEN"] + c["POSIX_BYTES_READ"] for c in counters)
        assert total == moved
        assert sum(c["POSIX_WRITES"] + c["POSIX_READS"] for c in counters) == calls
        assert sum(v for c in counters for name, v in c.items() if name.startswith("POSIX_SIZE_")) == calls
    shared = libdarshan.records(told[0], "POSIX")[0]
    assert shared["rank"] == -1
    assert shared["counters"]["POSIX_OPENS"] == 4
    assert shared["counters"]["POSIX_SEQ_WRITES"] == 13  # all but the first write of rank 0
    assert shared["counters"]["POSIX_MAX_BYTE_WRITTEN"] == 12_630_020 - 1
    assert shared["counters"]["POSIX_ACCESS1_ACCESS"] == 1 << 20
    assert shared["counters"]["POSIX_ACCESS1_COUNT"] == 12
    assert (shared["counters"]["POSIX_SLOWEST_RANK"], shared["counters"]["POSIX_FASTEST_RANK"]) == (0, 2)


def test_a_stream_of_many_files_is_whole(tmp_path):
    log = LogWriter(nprocs=64)
    writer.many_files(log, 1500, batch=400)
    (tmp_path / "x.darshan").write_bytes(log.to_bytes())
    (told,) = libdarshan.read(tmp_path / "x.darshan")
    records = libdarshan.records(told, "POSIX")
    assert len(told["names"]) == len({record["id"] for record in records}) == 1500
    assert {record["rank"] for record in records} == set(range(64))
    assert sum(record["counters"]["POSIX_BYTES_WRITTEN"] for record in records) == 1500 * 4096
