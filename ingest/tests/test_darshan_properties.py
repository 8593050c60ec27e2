"""Whatever a log holds, the decoder gives it back without loss: logs of any shape, written and read."""

import struct
from collections.abc import Iterator
from typing import Any

import darshan_writer as writer
import libdarshan
import numpy as np
import pytest
from darshan_writer import LogWriter
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from weir.darshan import layouts, open_log

few = settings(
    derandomize=True,
    deadline=None,
    max_examples=20,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

int64 = st.integers(-(2**63), 2**63 - 1) | st.sampled_from([-(2**63), 2**63 - 1, -1, 0, 1])
record_id = st.integers(0, 2**64 - 1)
float64 = st.floats()  # NaN, infinities, -0.0 and subnormal numbers with it


def text(without: bytes, **sizes: int) -> st.SearchStrategy[bytes]:
    return st.lists(st.sampled_from([b for b in range(256) if b not in without]), **sizes).map(bytes)


def shapes() -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "version": st.sampled_from(layouts.LOG_VERSIONS),
            "byteorder": st.sampled_from("<>"),
            "compression": st.sampled_from(sorted(writer.COMPRESSIONS)),
            "stream_bytes": st.none() | st.integers(1, 3000),
        }
    )


def bits(value: float) -> bytes:
    """To compare floats with: NaN is unlike itself."""
    return struct.pack("<d", value)


def as_read(log: LogWriter, module: str) -> tuple[list[Any], Any]:
    opened = open_log(log.to_bytes())
    return list(opened.records(module)), opened.state(module)


def of_any_shape(module: str, shape: dict[str, Any]) -> dict[str, Any]:
    """The shape, in a log version that has the module."""
    has = module in layouts.modules_of(shape["version"])
    return shape if has else shape | {"version": "3.41"}


# --- modules with counters ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("module", "version"), sorted(layouts.COUNTERS))
def test_counters(module, version):
    layout = layouts.COUNTERS[module, version]
    kinds = {"u8": record_id, "V16": st.binary(min_size=16, max_size=16)}
    fields = {name: kinds[kind] for name, kind in (*layout.head, *layout.tail)}
    record = st.builds(
        lambda base, ints, floats: base | ints | floats,
        st.fixed_dictionaries({"id": record_id, "rank": int64} | fields),
        st.dictionaries(st.sampled_from(layout.ints), int64),
        st.dictionaries(st.sampled_from(layout.floats), float64),
    )

    @few
    @given(shapes(), st.lists(record, min_size=1, max_size=5), st.booleans())
    def check(shape, records, partial):
        log = LogWriter(**of_any_shape(module, shape))
        log.add(module, version, records, partial=partial)
        batches, state = as_read(log, module)
        # of a record with counters of fopen among those of POSIX nothing can be said in the newest names
        plain = [record for record in records if record.get("POSIX_FOPENS", 0) <= 0]
        omitted = len(records) - len(plain)
        assert state.state == ("partial" if partial or omitted else "complete")
        assert (state.records_read, state.records_expected) == (len(plain), len(records))
        rows = [row for batch in batches for row in rows_of(batch)]
        assert len(rows) == len(plain)
        for row, record in zip(rows, plain, strict=True):
            assert row == newest(record, layout)

    check()


def rows_of(batch: Any) -> Iterator[dict[str, Any]]:
    for i in range(len(batch.ids)):
        row = {"id": int(batch.ids[i]), "rank": int(batch.ranks[i])}
        row |= {name: batch.int_column(name)[i].item() for name in batch.int_names}
        row |= {name: bits(batch.float_column(name)[i]) for name in batch.float_names}
        yield row | {name: values[i].item() for name, values in batch.fields.items()}


def newest(record: dict[str, Any], layout: layouts.Counters) -> dict[str, Any]:
    """What stands in the record under the newest names; a counter that it does not have is not there."""
    fields = {name: record[name] for name, _ in (("id", ""), ("rank", ""), *layout.head, *layout.tail)}
    ints = {name: record.get(name, 0) for name in layout.ints if name not in layout.retired}
    for name, parts in layout.sums:
        # adding wraps around, as in libdarshan
        ints[name] = (sum(record.get(part, 0) for part in parts) + 2**63) % 2**64 - 2**63
    return fields | ints | {name: bits(record.get(name, 0.0)) for name in layout.floats}


def test_a_counter_that_a_version_does_not_have_is_absent(tmp_path):
    """libdarshan says -1 for it."""
    versions = sorted(layouts.COUNTERS)
    logs = [tmp_path / f"{number}.darshan" for number in range(len(versions))]
    for path, (module, version) in zip(logs, versions, strict=True):
        log = LogWriter()
        log.add(module, version, [{"name": b"/f"}])
        path.write_bytes(log.to_bytes())
    absent = {}
    for path, told, (module, version) in zip(logs, libdarshan.read(*logs), versions, strict=True):
        (record,) = libdarshan.records(told, module)
        known = record["counters"] | record["fcounters"]
        (batch,) = open_log(path).records(module)
        absent[module, version] = known.keys() - {*batch.int_names, *batch.float_names}
        assert {*batch.int_names, *batch.float_names} <= known.keys()
        # RENAMED_FROM is an id, and ids have no -1
        assert {name for name, value in known.items() if value == -1} == absent[module, version] - {
            "POSIX_RENAMED_FROM"
        }
    assert len(absent["POSIX", 1]) == 7
    assert not any(absent[module, max(v for m, v in versions if m == module)] for module, _ in versions)


# --- modules with records of variable size -----------------------------------------------------------------


@few
@given(shapes(), st.integers(0, 40), st.data())
def test_heatmaps(shape, nbins, data):
    bins = st.lists(int64, min_size=nbins, max_size=nbins)
    names = {"write_bins": bins, "read_bins": bins, "bin_width_seconds": float64}
    record = st.fixed_dictionaries({"id": record_id, "rank": int64} | names)
    records = data.draw(st.lists(record, min_size=1, max_size=5))
    log = LogWriter(**of_any_shape("HEATMAP", shape))
    log.add("HEATMAP", 1, records)
    batches, state = as_read(log, "HEATMAP")
    assert (state.state, state.records_read) == ("complete", len(records))
    rows = [(batch, i) for batch in batches for i in range(len(batch.ids))]
    for (batch, i), record in zip(rows, records, strict=True):
        mine = slice(batch.offsets[i], batch.offsets[i + 1])
        assert (batch.ids[i], batch.ranks[i]) == (record["id"], record["rank"])
        assert bits(batch.bin_width_seconds[i]) == bits(record["bin_width_seconds"])
        assert batch.read[mine].tolist() == record["read_bins"]
        assert batch.written[mine].tolist() == record["write_bins"]


def test_heatmaps_with_a_bin_too_many_or_too_few_are_what_libdarshan_makes_of_them(tmp_path):
    cases = [[5, 6, 4, 5, 8, 1], [3, 2], [1, 2, 0, 1]]
    logs = [tmp_path / f"{number}.darshan" for number in range(len(cases))]
    for path, nbins in zip(logs, cases, strict=True):
        log = LogWriter()
        for rank, number in enumerate(nbins):
            bins = {"write_bins": range(1, number + 1), "read_bins": range(101, number + 101)}
            log.add("HEATMAP", 1, [{"name": b"h", "rank": rank, "bin_width_seconds": 0.1, **bins}])
        path.write_bytes(log.to_bytes())
    for path, told, nbins in zip(logs, libdarshan.read(*logs), cases, strict=True):
        (batch,) = open_log(path).records("HEATMAP")
        for i, record in enumerate(told["heatmap"]):
            mine = slice(batch.offsets[i], batch.offsets[i + 1])
            assert batch.written[mine].tolist() == record["write_bins"].tolist()
            # where libdarshan adds a bin it moves the bytes read by one, and leaves the first twice
            expected = record["read_bins"].tolist()
            if len(expected) > nbins[i]:
                expected = [*range(101, 101 + nbins[i]), 0]
            assert batch.read[mine].tolist() == expected


@few
@given(shapes(), st.data())
def test_lustre_layouts_of_one_component(shape, data):
    numbers = dict.fromkeys(("id", "rank", "osts", "mdts", "stripe_offset", "stripe_size"), int64)
    targets = st.lists(int64, max_size=40)
    record = st.fixed_dictionaries(numbers | {"id": record_id, "targets": targets})
    records = data.draw(st.lists(record, min_size=1, max_size=5))
    log = LogWriter(**shape)
    log.add("LUSTRE", 1, records)
    (batch,), state = as_read(log, "LUSTRE")
    assert (state.state, state.records_read) == ("complete", len(records))
    assert batch.ids.tolist() == [record["id"] for record in records]
    for name in ("osts", "mdts", "stripe_offset"):
        assert batch.fields[name].tolist() == [record[name] for record in records]
    layout = dict(zip(batch.int_names, batch.ints.T.tolist(), strict=True))
    assert layout == {
        "LUSTRE_COMP_STRIPE_SIZE": [record["stripe_size"] for record in records],
        "LUSTRE_COMP_STRIPE_COUNT": [len(record["targets"]) for record in records],
    }
    assert lustre_targets(batch) == [[record["targets"]] for record in records]


@few
@given(shapes(), st.data())
def test_lustre_layouts_of_many_components(shape, data):
    size = int64.filter(lambda size: size != -1)  # marks room that is not used
    counters = dict.fromkeys(layouts.LUSTRE_INTS, int64) | {"LUSTRE_COMP_STRIPE_SIZE": size}
    component = st.fixed_dictionaries(
        counters | {"pool": text(b"\0", max_size=16), "targets": st.lists(int64, max_size=9)}
    )
    room = {"unused": st.integers(0, 3), "unused_targets": st.lists(int64, max_size=4)}
    record = st.fixed_dictionaries(
        {"id": record_id, "rank": int64, "components": st.lists(component, max_size=4), **room}
    )
    records = data.draw(st.lists(record, min_size=1, max_size=5))
    log = LogWriter(**shape)
    for record in records:
        parts = [
            part | {"LUSTRE_COMP_STRIPE_COUNT": len(part["targets"])} for part in record["components"]
        ] + [{"LUSTRE_COMP_STRIPE_SIZE": -1, "LUSTRE_COMP_STRIPE_COUNT": 7}] * record["unused"]
        targets = [ost for part in record["components"] for ost in part["targets"]]
        base = {"id": record["id"], "rank": record["rank"], "components": parts}
        log.add("LUSTRE", 2, [base | {"targets": targets + record["unused_targets"]}])
    (batch,), state = as_read(log, "LUSTRE")
    assert (state.state, state.records_read) == ("complete", len(records))
    assert batch.ranks.tolist() == [record["rank"] for record in records]
    parts = [
        (row, [len(part["targets"]) if "COUNT" in name else part[name] for name in layouts.LUSTRE_INTS])
        for row, record in enumerate(records)
        for part in record["components"]
    ]
    assert list(zip(batch.component_records.tolist(), batch.ints.tolist(), strict=True)) == parts
    pools = [part["pool"].rstrip(b"\0") for record in records for part in record["components"]]
    assert batch.pools.tolist() == pools
    assert lustre_targets(batch) == [[part["targets"] for part in record["components"]] for record in records]


def lustre_targets(batch: Any) -> list[list[list[int]]]:
    """Targets by record and component."""
    owners = batch.component_records.tolist()
    records: list[list[list[int]]] = [[] for _ in batch.ids]
    of_component = [[] for _ in owners]
    for component, target in zip(batch.target_components.tolist(), batch.targets.tolist(), strict=True):
        of_component[component].append(target)
    for owner, targets in zip(owners, of_component, strict=True):
        records[owner].append(targets)
    return records


@pytest.mark.parametrize(("module", "version"), sorted(layouts.DXT_SEGMENTS))
def test_segments(module, version):
    names = layouts.DXT_SEGMENTS[module, version].names or ()
    kinds = {
        "offset": int64,
        "length": int64,
        "start_time": float64,
        "end_time": float64,
        "thread": record_id,
    }
    segments = st.lists(st.tuples(*(kinds[name] for name in names)), max_size=8)
    fields = {"id": record_id, "rank": int64, "shared_record": int64, "hostname": text(b"\0", max_size=63)}
    record = st.fixed_dictionaries(fields | {"writes": segments, "reads": segments})

    @few
    @given(shapes(), st.lists(record, min_size=1, max_size=5))
    def check(shape, records):
        log = LogWriter(**shape)
        log.add(module, version, records)
        batches, state = as_read(log, module)
        assert (state.state, state.records_read) == ("complete", len(records))
        rows = [(batch, i) for batch in batches for i in range(len(batch.ids))]
        for (batch, i), record in zip(rows, records, strict=True):
            assert (batch.ids[i], batch.ranks[i]) == (record["id"], record["rank"])
            assert batch.hostnames[i] == record["hostname"]
            assert (batch.writes[i], batch.reads[i]) == (len(record["writes"]), len(record["reads"]))
            mine = batch.segments[batch.offsets[i] : batch.offsets[i + 1]]
            wrote = np.array(record["writes"] + record["reads"], layouts.DXT_SEGMENTS[module, version])
            present = [name for name in names if (module, version, name) != ("DXT_MPIIO", 1, "offset")]
            assert list(mine.dtype.names) == present
            for name in present:
                assert mine[name].tobytes() == wrote[name].tobytes()

    check()


# --- what stands around the modules ------------------------------------------------------------------------

jobs = st.fixed_dictionaries({"uid": int64, "jobid": int64, "nprocs": int64})
moments = st.tuples(int64, int64)


@few
@given(shapes(), jobs, moments, moments)
def test_the_job_record(shape, job, start, end):
    log = LogWriter(**shape, **job, start=start, end=end)
    read = open_log(log.to_bytes()).job
    assert (read.uid, read.job_id, read.nprocs) == (job["uid"], job["jobid"], job["nprocs"])
    exact = shape["version"] == "3.41"
    assert (read.start_seconds, read.end_seconds) == (start[0], end[0])
    assert (read.start_nanoseconds, read.end_nanoseconds) == ((start[1], end[1]) if exact else (0, 0))


def test_an_end_before_the_start_is_told_as_it_is(tmp_path):
    logs = [tmp_path / "old.darshan", tmp_path / "new.darshan"]
    for path, version in zip(logs, ("3.21", "3.41"), strict=True):
        log = LogWriter(version=version, start=(1_700_000_060, 500_000_000), end=(1_700_000_000, 0))
        path.write_bytes(log.to_bytes())
    for path, told, seconds in zip(logs, libdarshan.read(*logs), (-59, -60.5), strict=True):
        assert open_log(path).job.run_time_seconds == seconds == told["job"]["run_time"]


@few
@given(
    shapes(),
    text(b"\0\n", max_size=300),
    st.dictionaries(text(b"\0\n=", min_size=1, max_size=20), text(b"\0\n", max_size=50), max_size=8),
    st.lists(
        st.tuples(text(b"\0\n\t", min_size=1, max_size=9), text(b"\0\n", min_size=1, max_size=60)), max_size=9
    ),
)
def test_the_command_line_the_metadata_and_the_mounts(shape, exe, metadata, mounts):
    log = open_log(LogWriter(**shape, exe=exe, metadata=metadata, mounts=mounts).to_bytes())
    assert log.exe == exe
    assert log.metadata == metadata
    assert sorted(log.mounts) == sorted((path, kind) for kind, path in mounts)


@few
@given(shapes(), st.data())
def test_names_of_any_bytes(shape, data):
    # before the zero byte ended a name, its length stood before it
    name = st.binary(max_size=40) if shape["version"] == "3.00" else text(b"\0", max_size=40)
    names = data.draw(st.dictionaries(record_id, name, max_size=30))
    log = LogWriter(**shape)
    log.names = names
    read = open_log(log.to_bytes()).names
    assert (dict(read.items()), len(read)) == (names, len(names))
    assert read.damage is None
    ids = [*names, 77]
    assert read.lookup(np.array(ids, np.uint64)) == [names.get(record_id) for record_id in ids]


@few
@given(shapes(), st.data())
def test_modules_side_by_side(shape, data):
    """Any of them, unknown ones too, in one log: each with its version, its flag and its own records."""
    known = {module for module, _ in layouts.DECODED} & set(layouts.modules_of(shape["version"]))
    slots = range(
        len(layouts.modules_of(shape["version"])), layouts.header_of(shape["version"])["modules"].shape[0]
    )
    modules = data.draw(st.sets(st.sampled_from(sorted(known)) | st.sampled_from(slots), min_size=1))
    log = LogWriter(**shape)
    wrote = {}
    for module in modules:
        partial = data.draw(st.booleans())
        if isinstance(module, int):
            version = data.draw(st.integers(0, 2**32 - 1))
            log.add(module, version, data.draw(st.binary(min_size=1, max_size=99)), partial=partial)
        else:
            version = data.draw(st.sampled_from([of for name, of in layouts.DECODED if name == module]))
            ids = data.draw(st.lists(record_id, min_size=1, max_size=3))
            empty = {"write_bins": [], "read_bins": []} if module == "HEATMAP" else {}
            log.add(module, version, [{"id": number} | empty for number in ids], partial=partial)
        wrote[module] = (version, partial, [] if isinstance(module, int) else ids)
    read = open_log(log.to_bytes())
    found = {}
    for module in read.modules:
        ids = [number for batch in read.records(module.name) for number in batch.ids.tolist()]
        listed = module.name not in known
        found[module.slot if listed else module.name] = (module.version, module.partial, ids)
        state = "listed" if listed else "partial" if module.partial else "complete"
        assert read.state(module.name).state == state
    assert found == wrote
