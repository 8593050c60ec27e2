"""Every log at hand, decoded, against libdarshan reading the same file in a child process."""

import itertools
import math
import zlib
from pathlib import Path

import libdarshan
import numpy as np
import pytest
from darshan_writer import LogWriter
from weir.darshan import ACCUMULATED, Accumulator, layouts, open_log

HERE = Path(__file__).parent
EXTRA = HERE.parents[2] / "shared/data/darshan"
CENTER = sorted((HERE.parents[1] / "tests/data/center/darshan").rglob("*.darshan*"))
FILES = CENTER + sorted(file for file in EXTRA.glob("[pg]*/**/*.darshan*") if file.parent != EXTRA)

# Where libdarshan 3.5.0 is wrong. Up-converting POSIX 2 and 3 it moves as many bytes as the old record
# has, though the record has grown already: what stands last is lost.
_VARIANCES = ["POSIX_F_VARIANCE_RANK_TIME", "POSIX_F_VARIANCE_RANK_BYTES"]
_RANK_TIMES = ["POSIX_F_FASTEST_RANK_TIME", "POSIX_F_SLOWEST_RANK_TIME"]
LOST = {("POSIX", 2): _RANK_TIMES + _VARIANCES, ("POSIX", 3): _VARIANCES}
# It means to leave the integers that it has set itself unswapped, and leaves the floats of the same numbers.
_FLOATS = ["POSIX_F_META_TIME", "POSIX_F_MAX_READ_TIME", "POSIX_F_MAX_WRITE_TIME"]
UNSWAPPED = {("POSIX", version): _FLOATS for version in (1, 2, 3)}
# No log at hand has records of these: they are compared with random values.
NO_LOG_HAS = {
    ("POSIX", 2),
    ("H5F", 1),
    ("H5F", 2),
    ("PNETCDF_FILE", 1),
    ("PNETCDF_FILE", 2),
    ("PNETCDF_FILE", 3),
}
NO_LOG_HAS |= {("PNETCDF_VAR", 1), ("DFS", 1), ("DAOS", 1)}
# What libdarshan sets where a version has no such counter
NOT_THERE = {"POSIX_RENAMED_FROM": 0}


def lost(module):
    return LOST.get((module.name, module.version), [])


def unswapped(module, log):
    return UNSWAPPED.get((module.name, module.version), []) if log.byte_order == ">" else []


@pytest.fixture(scope="module")
def oracle():
    return dict(zip(map(str, FILES), libdarshan.read(*FILES), strict=True))


@pytest.fixture(scope="module")
def logs():
    return {str(file): open_log(file) for file in FILES}


def test_there_is_something_to_compare(extra):
    assert len(CENTER) == 52
    assert len(FILES) >= 52 + 66 + 50


def test_headers_equal(oracle, logs):
    for path, log in logs.items():
        told = oracle[path]["job"]
        job = log.job
        assert log.version == told["log_ver"]
        assert (job.uid, job.job_id, job.nprocs) == (told["uid"], told["jobid"], told["nprocs"])
        assert (job.start_seconds, job.start_nanoseconds) == (told["start_time_sec"], told["start_time_nsec"])
        assert (job.end_seconds, job.end_nanoseconds) == (told["end_time_sec"], told["end_time_nsec"])
        assert job.run_time_seconds == told["run_time"]
        assert {key.decode(): value.decode() for key, value in log.metadata.items()} == told["metadata"]
        modules = {each.name: (each.slot, each.version, each.partial) for each in log.modules}
        slots = {name: told[:3] for name, told in oracle[path]["modules"].items()}
        assert modules.keys() == slots.keys()
        if log.byte_order == "<":  # libdarshan does not swap the partial flags
            names = layouts.modules_of(log.version)
            # and it has the numbers of its newest format
            newest = layouts.modules_of("3.41")
            assert modules == {
                name: (names.index(name), *rest)
                for name, (slot, *rest) in slots.items()
                if newest[slot] == name
            }
        assert [each.compressed_bytes for each in log.modules] == [
            told[3] for told in oracle[path]["modules"].values()
        ]


def test_texts_equal(oracle, logs):
    for path, log in logs.items():
        told = oracle[path]
        assert log.mounts == told["mounts"]
        assert dict(log.names.items()) == told["names"]
        assert log.names.damage is None
        # libdarshan wants a mount table behind the command line
        assert log.exe == told["exe"] if log.mounts else told["exe"] == b""


def test_every_counter_of_every_record_equals(oracle, logs):
    compared = dict.fromkeys(layouts.COUNTERS, 0)
    for path, log in logs.items():
        for module in log.modules:
            if module.name not in oracle[path]["records"]:
                continue
            compared[module.name, module.version] += compare(oracle[path], log, module)
    if EXTRA.exists():
        assert {key for key, values in compared.items() if not values} == NO_LOG_HAS


def test_layouts_that_no_log_has(tmp_path):
    files = []
    for (name, version), order in itertools.product(sorted(NO_LOG_HAS), "<>"):
        log = LogWriter(byteorder=order)
        log.add(name, version, [random_record(name, version, seed) for seed in range(5)])
        files.append(tmp_path / f"{len(files)}.darshan")
        files[-1].write_bytes(log.to_bytes())
    for file, told in zip(files, libdarshan.read(*files), strict=True):
        log = open_log(file)
        assert compare(told, log, log.modules[0])


def random_record(name, version, seed):
    random, layout = np.random.default_rng(seed), layouts.COUNTERS[name, version]
    # libdarshan adds PnetCDF's two kinds of opens before it swaps their bytes: right for numbers of one byte
    most = 100 if name == "PNETCDF_FILE" and version < 3 else 2**62
    ints = zip(layout.ints, random.integers(0, most, len(layout.ints)), strict=True)
    floats = zip(layout.floats, random.random(len(layout.floats)), strict=True)
    return {"id": random.integers(0, 2**64, dtype=np.uint64), "rank": 0, **dict(ints), **dict(floats)}


def compare(told, log, module):
    """The module's records with what libdarshan told of the log; how many values were compared."""
    batches = list(log.records(module.name))
    ids, ranks, ints, floats, _ = told["records"][module.name]
    state = log.state(module.name)
    assert state.records_read == state.records_expected == len(ids)
    assert state.state == ("partial" if module.partial else "complete")
    assert np.array_equal(joined(batches, "ids"), ids)
    assert np.array_equal(joined(batches, "ranks"), ranks)
    int_names, float_names = told["counters"][module.name]
    theirs = dict(zip(int_names, ints.T, strict=True)) | dict(zip(float_names, floats.T, strict=True))
    mine = {name: joined_column(batches, name) for name in (*batches[0].int_names, *batches[0].float_names)}
    assert mine.keys() <= theirs.keys()
    for name, values in theirs.items():
        if name not in mine:
            assert (values == NOT_THERE.get(name, -1)).all(), name
        elif name in unswapped(module, log):
            assert mine[name].tobytes() == values.byteswap().tobytes(), name
        elif name not in lost(module):
            assert mine[name].tobytes() == values.tobytes(), name
    return ints.size + floats.size


def joined(batches, name):
    return np.concatenate([getattr(batch, name) for batch in batches])


def joined_column(batches, name):
    column = "int_column" if name in batches[0].int_names else "float_column"
    return np.concatenate([getattr(batch, column)(name) for batch in batches])


def test_what_libdarshan_loses_is_what_stands_in_the_file(logs, extra):
    """Variances of POSIX 3, taken by hand from where include/darshan-posix-log-format.h of 3.1.0 has them."""
    checked = 0
    for path, log in logs.items():
        for slot, version, _, region in log._header.modules:
            if slot != 1 or version != 3:
                continue
            content = Path(path).read_bytes()[region.offset : region.offset + region.length]
            data = b""
            while content:  # a stream from each process
                stream = zlib.decompressobj()
                data += stream.decompress(content)
                content = stream.unused_data
            rows = np.frombuffer(data, log.byte_order + "f8").reshape(-1, 664 // 8)
            batches = list(log.records("POSIX"))
            for name, place in zip(LOST["POSIX", 3], (81, 82), strict=True):
                assert np.array_equal(joined_column(batches, name), rows[:, place])
            checked += 1
    assert checked


def test_heatmaps_equal(oracle, logs):
    compared = 0
    for path, log in logs.items():
        told = iter(oracle[path]["heatmap"])
        for batch in log.records("HEATMAP"):
            for row, (start, stop) in enumerate(zip(batch.offsets[:-1], batch.offsets[1:], strict=True)):
                record = next(told)
                assert (batch.ids[row], batch.ranks[row]) == (record["id"], record["rank"])
                assert batch.bin_width_seconds[row] == record["bin_width_seconds"]
                assert np.array_equal(batch.read[start:stop], record["read_bins"])
                assert np.array_equal(batch.written[start:stop], record["write_bins"])
                compared += 1
        assert next(told, None) is None
    assert compared > 500


def test_lustre_layouts_equal(oracle, logs, extra):
    components = 0
    for path, log in logs.items():
        told = oracle[path]["lustre"]
        read = 0
        for batch in log.records("LUSTRE"):
            for row in range(len(batch.ids)):
                record = told[read + row]
                assert (batch.ids[row], batch.ranks[row]) == (record["id"], record["rank"])
                components_of = np.flatnonzero(batch.component_records == row)
                for component, theirs in zip(components_of, record["components"], strict=True):
                    mine = dict(zip(batch.int_names, batch.ints[component].tolist(), strict=True))
                    # what an old version does not have libdarshan sets
                    assert dict.fromkeys(theirs["counters"], -1) | mine == {
                        name: -1 if name not in mine and value == 0 else value
                        for name, value in theirs["counters"].items()
                    }
                    assert batch.pools[component].decode() == theirs["pool_name"]
                    targets = batch.targets[batch.target_components == component]
                    assert np.array_equal(targets, theirs["ost_ids"])
                    components += 1
            read += len(batch.ids)
        assert read == len(told)
    assert components > 2000


def test_dxt_segments_equal(oracle, logs, extra):
    compared = 0
    for path, log in logs.items():
        for name, told in oracle[path]["dxt"].items():
            records = iter(told)
            for batch in log.records(name):
                for row in range(len(batch.ids)):
                    record = next(records)
                    assert (batch.ids[row], batch.ranks[row]) == (record["id"], record["rank"])
                    assert batch.hostnames[row].decode() == record["hostname"]
                    assert (batch.writes[row], batch.reads[row]) == (
                        record["write_count"],
                        record["read_count"],
                    )
                    theirs = record["write_segments"] + record["read_segments"]
                    mine = batch.segments[batch.offsets[row] : batch.offsets[row + 1]]
                    assert len(mine) == len(theirs)
                    for field in mine.dtype.names:
                        assert mine[field].tolist() == [segment[field] for segment in theirs]
                    compared += len(mine)
            assert next(records, None) is None
    assert compared > 10_000


@pytest.mark.parametrize(
    ("dxt", "module", "prefix"), [("DXT_POSIX", "POSIX", "POSIX"), ("DXT_MPIIO", "MPI-IO", "MPIIO")]
)
def test_dxt_that_libdarshan_can_not_read_adds_up_to_the_counters(logs, extra, dxt, module, prefix):
    """DXT_POSIX 2 and DXT_MPIIO 3: number, bytes, first start and last end by file and direction."""
    compared = 0
    for log in logs.values():
        newest = [
            each
            for each in log.modules
            if each.name == dxt and "thread" in layouts.DXT_SEGMENTS[dxt, each.version].names
        ]
        if not newest or newest[0].partial:
            continue
        traced = traces(log, dxt)
        assert log.state(dxt).state == "complete"
        for batch in log.records(module):
            for row, record_id in enumerate(batch.ids.tolist()):
                for way, moved in (("READ", "BYTES_READ"), ("WRITE", "BYTES_WRITTEN")):
                    told = batch.int_column(f"{prefix}_{moved}")[row]
                    segments = traced.get((record_id, int(batch.ranks[row]), way), [])
                    if not len(segments):
                        assert told == 0
                        continue
                    assert len(segments) == operations(batch, prefix, way, row)
                    assert segments["length"].sum() == told
                    first = batch.float_column(f"{prefix}_F_{way}_START_TIMESTAMP")[row]
                    last = batch.float_column(f"{prefix}_F_{way}_END_TIMESTAMP")[row]
                    assert math.isclose(segments["start_time"].min(), first, abs_tol=1e-6)
                    assert math.isclose(segments["end_time"].max(), last, abs_tol=1e-6)
                    assert len(set(segments["thread"].tolist())) >= 1
                    compared += 1
    assert compared > 5


def traces(log, dxt):
    """(record id, rank or -1 for all, READ or WRITE) -> segments."""
    found = {}
    for batch in log.records(dxt):
        for row, record_id in enumerate(batch.ids.tolist()):
            start, middle = batch.offsets[row], batch.offsets[row] + batch.writes[row]
            for way, part in (
                ("WRITE", batch.segments[start:middle]),
                ("READ", batch.segments[middle : batch.offsets[row + 1]]),
            ):
                for rank in (int(batch.ranks[row]), -1):
                    found.setdefault((record_id, rank, way), []).append(part)
    return {key: np.concatenate(parts) for key, parts in found.items()}


def operations(batch, prefix, way, row):
    kinds = ("",) if prefix == "POSIX" else ("INDEP_", "COLL_", "SPLIT_", "NB_")
    return sum(batch.int_column(f"{prefix}_{kind}{way}S")[row] for kind in kinds)


def test_totals_equal_the_accumulators(oracle, logs):
    compared = set()
    for path, log in logs.items():
        for module in log.modules:
            if module.name not in ACCUMULATED or unswapped(module, log):
                continue
            accumulator = Accumulator(module.name)
            for batch in log.records(module.name):
                accumulator.add(batch)
            mine, theirs = accumulator.totals(), oracle[path]["totals"][module.name]
            assert mine.bytes_read + mine.bytes_written == theirs["total_bytes"]
            assert mine.unique_slowest_rank == theirs["unique_slowest_rank"]
            for name in ("shared_time", "unique_time", "agg_time", "agg_perf"):
                assert getattr(mine, f"{name}_by_slowest") == theirs[f"{name}_by_slowest"], (
                    path,
                    module.name,
                )
            files = {
                kind: (each.count, each.bytes_read, each.bytes_written) for kind, each in mine.files.items()
            }
            assert files == theirs["files"]
            compared.add(module.name)
    assert compared >= {"POSIX", "MPI-IO", "STDIO"}
