"""schemas/darshan/modules.yaml beside what it is about: libdarshan, the landing tables, what is published."""

import csv
import os
from collections import defaultdict
from types import ModuleType
from typing import Any

import pytest
from darshan_writer import LogWriter
from test_darshan_writer import records_of
from weir.darshan import layouts
from weir.darshan_modules import DarshanModule, modules
from weir.logs.darshan_log import DarshanLog, Source, decode
from weir.schemas_dir import SCHEMAS

MODULES = sorted(modules().items())
COUNTING = [(name, module) for name, module in MODULES if module.ints]
PUBLISHED = [(name, module) for name, module in MODULES if module.table]

# what every table of records has beside what Darshan counted
ENVELOPE = {"cluster", "log_id", "job_id", "start_time", "record_id", "rank", "name", "module_version"}
ENVELOPE |= {"version", "is_deleted", "origin", "landed_at"}


@pytest.fixture(scope="session")
def util() -> ModuleType:
    """PyPI's darshan: libdarshan, compiled with Darshan's headers, and the structures that these declare."""
    try:
        from darshan.backend import cffi_backend
    except (ImportError, OSError) as error:
        if os.environ.get("WEIR_REQUIRE_ALL") == "1":
            raise
        pytest.skip(f"no libdarshan to compare with (pip install darshan): {error}")
    return cffi_backend


@pytest.fixture(scope="session")
def tables() -> dict[str, dict[str, str]]:
    """Type by column by table, as the engine reports them of the migrated tables."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    with (SCHEMAS / "clickhouse/columns.tsv").open(newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            found[row["table"]][row["column"]] = row["type"]
    return found


def newest(module: DarshanModule) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the counters that are published."""
    ints, floats = (module.of_version(names, module.newest) for names in (module.ints, module.floats))
    return ints, floats


@pytest.mark.parametrize(("name", "module"), COUNTING, ids=dict(COUNTING))
def test_counters_their_order_and_their_number_are_those_of_libdarshan(util, name, module):
    """A list of libdarshan ends with its number of counters, as *_NUM_INDICES."""
    told = "LUSTRE_COMP" if name == "LUSTRE" else name
    ints, floats = newest(module)
    assert list(ints) == util.counter_names(told)
    assert list(floats) == (util.fcounter_names(told) or [])


@pytest.mark.parametrize(("name", "module"), MODULES, ids=dict(MODULES))
def test_fields_stand_where_libdarshan_has_them(util, name, module):
    """Those of the head, where records vary in size: there libdarshan's structure ends with pointers."""
    ours = {
        "LUSTRE": layouts.LUSTRE_HEAD,
        "HEATMAP": layouts.HEATMAP_HEAD,
        "DXT_POSIX": layouts.DXT_HEAD,
        "DXT_MPIIO": layouts.DXT_HEAD,
    }.get(name) or layouts.COUNTERS[name, module.newest].dtype
    renamed = {"id": "base_rec", "ints": "counters", "floats": "fcounters", "addresses": "write_bins"}
    places = {
        renamed.get(each, each): place for each, (_, place, *_) in ours.fields.items() if each != "rank"
    }
    structure = util.ffi.typeof(util._structdefs[name]).item.item
    theirs = {each: about.offset for each, about in structure.fields}
    assert places == {each: place for each, place in theirs.items() if each in places}
    assert set(theirs) - set(places) == {"LUSTRE": {"comps", "ost_ids"}, "HEATMAP": {"read_bins"}}.get(
        name, set()
    )
    pointers = 16 if name == "LUSTRE" else 0
    assert ours.itemsize == util.ffi.sizeof(structure) - pointers


@pytest.mark.parametrize(
    ("layout", "structure"),
    [
        (layouts.LUSTRE_COMPONENT, "struct darshan_lustre_component"),
        (layouts.DXT_SEGMENTS["DXT_POSIX", 1], "segment_info"),
        (layouts.DXT_SEGMENTS["DXT_MPIIO", 2], "segment_info"),
    ],
    ids=["LUSTRE", "DXT_POSIX", "DXT_MPIIO"],
)
def test_parts_are_as_libdarshan_has_them(util, layout, structure):
    places = [place for _, place, *_ in layout.fields.values()]
    assert places == [about.offset for _, about in util.ffi.typeof(structure).fields]
    assert layout.itemsize == util.ffi.sizeof(structure)


@pytest.mark.parametrize(("name", "module"), PUBLISHED, ids=dict(PUBLISHED))
def test_the_landing_table_has_the_counters_and_the_columns_of_a_row_and_no_field(tables, name, module):
    ints, floats = newest(module)
    declared = dict.fromkeys(ints, "Nullable(Int64)") | dict.fromkeys(floats, "Nullable(Float64)")
    declared |= dict.fromkeys(module.row.ints, "Int64") | dict.fromkeys(module.row.floats, "Float64")
    landed = {column: type_ for column, type_ in tables[module.table].items() if column not in ENVELOPE}
    # (column, type) that only one of them has
    assert sorted(landed.items() ^ declared.items()) == []
    assert tables[module.table].keys() >= ENVELOPE


def test_every_table_of_records_is_that_of_one_module(tables):
    of_records = sorted(table for table, columns in tables.items() if "record_id" in columns)
    assert of_records == sorted(module.table for _, module in PUBLISHED)


@pytest.mark.parametrize(("name", "module"), MODULES, ids=dict(MODULES))
def test_versions_add_and_drop_what_is_declared(name, module):
    known = {*module.ints, *module.floats, *module.head, *module.tail, *module.part}
    assert len(known) == sum(map(len, (module.ints, module.floats, module.head, module.tail, module.part))), (
        "a name stands twice"
    )
    for each in module.versions.values():
        assert {*each.adds, *each.drops} <= known
    assert {name for parts in module.sums.values() for name in parts} | {*module.sums} <= known
    assert module.mixed in {"", *known}
    assert list(module.versions) == list(range(1, module.newest + 1))


@pytest.mark.parametrize(("name", "module"), COUNTING, ids=dict(COUNTING))
def test_counters_begin_with_their_prefix(name, module):
    ints, floats = newest(module)
    assert [each for each in (*ints, *floats) if not each.startswith(f"{module.prefix}_")] == []
    assert all(each.startswith(f"{module.prefix}_F_") for each in floats)


@pytest.fixture(scope="module", params=layouts.LOG_VERSIONS)
def published(request, tmp_path_factory) -> tuple[dict[str, int], DarshanLog]:
    """What is published of a log with all modules that its format can have, and the versions of these."""
    log, versions = LogWriter(nprocs=4, version=request.param), {}
    for name, module in MODULES:
        if name in layouts.modules_of(request.param):
            # from the oldest format on to the newest
            place = layouts.LOG_VERSIONS.index(request.param)
            versions[name] = min(module.newest, 1 + place)
            log.add(name, versions[name], records_of(name, versions[name]))
    file = tmp_path_factory.mktemp("published") / "all.darshan"
    file.write_bytes(log.to_bytes())
    return versions, decode(file, Source("c", "trusted_archive"))


def test_what_is_published_has_the_columns_of_its_table(published, tables):
    versions, log = published
    seen: dict[str, Any] = {batch["module"]: batch for batch in log.batches}
    assert set(seen) == versions.keys() & dict(PUBLISHED).keys()
    for name, batch in seen.items():
        module, version = modules()[name], versions[name]
        ints, floats = newest(module)
        had = {*module.of_version([*ints, *floats], version)}
        had |= {
            each for each, parts in module.sums.items() if {*parts} <= {*module.of_version(parts, version)}
        }
        assert {*batch["int_names"], *batch["float_names"]} == had | {*module.row.ints, *module.row.floats}
        assert {*batch["int_names"], *batch["float_names"]} <= tables[module.table].keys()


def test_of_what_is_not_published_only_the_size_is_listed(published):
    versions, log = published
    states = {module["name"]: module["state"] for module in log.end["modules"]}
    listed = {name for name, state in states.items() if state == "listed"}
    assert listed == versions.keys() - dict(PUBLISHED).keys() == {"DXT_POSIX", "DXT_MPIIO"}
