"""The words of reports: none is missing or left over, each can be filled, and numbers read well."""

import re

import jinja2
import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from jinja2 import meta, nodes
from weir.admin import rules
from weir.report import words as report_words
from weir.report.words import (
    BOUND_WORDS,
    Number,
    count,
    decimal,
    duration,
    fill,
    holds,
    node_hours,
    number_of,
    percent,
    ranks,
    rate,
    size,
    sizes,
    words,
)
from weir.schemas_dir import SCHEMAS
from weir.text import common_start, shortened

RULES = [yaml.safe_load(file.read_text()) for file in sorted((SCHEMAS / "rules").glob("*.yaml"))]
ADVICE = {each if isinstance(each, str) else each["id"] for rule in RULES for each in rule["advice"]}


def test_every_shipped_rule_and_advice_has_words_and_no_other():
    assert sorted(words()["findings"]) == sorted(rule["id"] for rule in RULES)
    assert sorted(words()["advice"]) == sorted(ADVICE)
    for said in words()["findings"].values():
        assert {"meaning", "evidence"} <= said.keys() <= {"meaning", "evidence", "gain", "needs", "repeats"}
    for said in words()["advice"].values():
        assert {"text"} <= said.keys() <= {"text", "code", "when"}


def templates():
    """Every text of words.yaml, with where it stands."""

    def walk(value, place):
        if isinstance(value, dict):
            for key, below in value.items():
                yield from walk(below, f"{place}.{key}")
        else:
            yield place, value

    yield from walk(words(), "words")


def parsed(place, template):
    source = "{{ " + template + " }}" if place.endswith("when") else template
    return report_words._environment().parse(source)


def read_of(name, place, template):
    """Attributes that a template reads of one of its variables."""
    tree = parsed(place, template)
    return {
        node.attr
        for node in tree.find_all(nodes.Getattr)
        if isinstance(node.node, nodes.Name) and node.node.name == name
    }


def test_words_read_only_features_that_there_are(analysis_jar):
    known = set(rules.features())
    for place, template in templates():
        assert read_of("f", place, template) <= known, place


def test_words_read_only_the_parameters_of_their_advice():
    parameters = {}
    for rule in RULES:
        for each in rule["advice"]:
            if isinstance(each, dict):
                parameters.setdefault(each["id"], set()).update(each.get("parameters", {}))
    for advice, said in words()["advice"].items():
        for place, template in said.items():
            assert read_of("p", place, template) <= parameters.get(advice, set()), advice


class Everything(dict):
    """Features or parameters that all have one value."""

    def __init__(self, value):
        super().__init__()
        self.value = value

    def __missing__(self, name):
        return self.value


@pytest.mark.parametrize("value", [None, 0.0, 1.0, 7.0])
def test_every_text_of_findings_and_advice_can_be_filled(value):
    files = [{"name": "/lus/a", "path": "/lus/a", "directory": "/lus", "extent_bytes": 5.0}] * 2
    seen = {"f": Everything(value) | {"nprocs": 4.0}, "p": Everything(value), "mpi": True, "way": "write"}
    seen |= {"held": lambda _: True, "typical_bytes": value, "mpiio_is_collective": value == 7.0}
    seen |= {"facts": {"filesystems": ["scratch", "home"]}, "filesystem": "scratch"}
    seen["f"] = Everything(value)
    seen["f"]["nprocs"] = 4.0
    for chosen in ([], files):
        seen |= {"files": chosen, "directory": "/lus"}
        for said in words()["findings"].values():
            for template in (said["meaning"], said["evidence"], said.get("gain", "")):
                assert "{" not in fill(template, **seen)
        for said in words()["advice"].values():
            if holds(said.get("when", "true"), **seen):
                assert fill(said["text"], **seen)
                report_words.fill_lines(said.get("code", ""), **seen)


def test_a_number_that_is_not_known_is_said_so():
    assert fill("{{ none | bytes }} and {{ none | ranks(4) }}") == "an unknown number and an unknown number"
    with pytest.raises(jinja2.UndefinedError):
        fill("{{ misspelt }}")


def test_what_stands_for_a_number_in_an_outline_is_its_name():
    text, code = report_words.advice_outline("lfs_setstripe")
    assert "a stripe count of <stripe_count>" in text
    assert code == ["lfs setstripe -c <stripe_count> -S <stripe_size_bytes> DIRECTORY"]
    assert report_words.advice_outline("of_a_site") == ("", [])
    for advice in ADVICE:
        assert not re.search(r"[{}]", report_words.advice_outline(advice)[0])


def test_variables_that_no_view_gives_are_not_read():
    given = {
        "f", "held", "short", "tiny", "typical_bytes", "mpiio_is_collective", "placed", "streamed",
        "bytes_read", "bytes_written",
        "io_time_seconds", "judged", "way", "facts", "cost", "complete", "mpi", "p", "files",
        "directory", "program",
        "filesystem", "interfaces", "sharing", "several", "slow_seconds", "slow_share", "runs", "programs",
        "some", "all", "file", "undecided", "count", "id", "module", "read", "expected", "reason", "size",
        "rules", "heatmap", "mounts", "bytes", "text", "streams", "killed", "processes", "mapped",
    }  # fmt: skip
    for place, template in templates():
        assert meta.find_undeclared_variables(parsed(place, template)) <= given, place


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (size(0), "0 B"),
        (size(151), "151 B"),
        (size(1023), "1,023 B"),
        (size(1 << 20), "1 MiB"),
        (size(3.5 * 2**30), "3.5 GiB"),
        (size(512 << 30), "512 GiB"),
        (size(2**70), "1,024 EiB"),
        (sizes(2**20, 2**20), "1 MiB"),
        (sizes(2**20, 4096), "4 KiB to 1 MiB"),
        (sizes(2**20, None), "up to 1 MiB"),
        (count(65536), "65,536"),
        (decimal(0.47), "0.47"),
        (decimal(99.96), "100"),
        (percent(0), "0 %"),
        (percent(0.00005), "less than 0.01 %"),
        (percent(0.0042), "0.42 %"),
        (percent(0.42), "42 %"),
        (percent(0.9999), "over 99 %"),
        (percent(1), "100 %"),
        (duration(0), "0 s"),
        (duration(0.0002), "200 µs"),
        (duration(49_320_000), "13,700 h"),
        (duration(0.0123), "12 ms"),
        (duration(1.6), "1.6 s"),
        (duration(780), "13 min"),
        (duration(37517), "10.4 h"),
        (rate(0.468), "0.468 MiB/s"),
        (rate(20480), "20 GiB/s"),
        (size((1 << 20) - 1), "1 MiB"),
        (ranks(1), "one process"),
        (ranks(40.9), "about 41 processes"),
        (ranks(383.999, 384), "all 384 processes"),
        (number_of(1, "process"), "1 process"),
        (number_of(2048, "process"), "2,048 processes"),
        (number_of(1, "file"), "1 file"),
        (node_hours(0.0002), "less than 0.01 node-hours"),
        (node_hours(12.5), "12.5 node-hours"),
        (shortened("/a/long/path", 12), "/a/long/path"),
        (shortened("/a/very/long/path", 12), "/a/…ong/path"),
        (common_start(["/a/bc", "/a/bd", "/a/b"]), "/a/b"),
        (common_start(["same", "same"]), "same"),
        (common_start([]), ""),
    ],
)
def test_numbers_and_names_read_well(said, expected):
    assert said == expected


def features(**known: float) -> Everything:
    """Features of which only these are known."""
    seen = Everything(None)
    seen.update({"nprocs": 4.0, **known})
    return seen


def test_several_slow_processes_are_not_called_one():
    known = features(
        nprocs=2048.0, posix_ranks_above_3x_mean=85.0, posix_mean_rank_seconds=34.0,
        posix_slowest_rank_seconds_lower=778.0, slowest_target=14.0, slowest_target_ratio=0.02,
    )  # fmt: skip
    said = fill(words()["findings"]["straggler"]["evidence"], f=known)
    assert said.startswith("85 of 2,048 processes took more than three times the mean of 34 s")
    assert said.endswith("Storage target 14 served its files at 2 % of the median rate.")


def test_blocks_that_were_not_there_are_said_to_have_given_nothing():
    template = words()["findings"]["read_modify_write"]["evidence"]
    known = features(
        rmw_small_reads=306_538.0, rmw_small_writes=270_274.0, rmw_read_bytes=0.0, mpiio_bytes=1.0
    )
    assert "Below MPI-IO" in fill(template, f=known)
    assert "The reads returned nothing" in fill(template, f=known)
    known["rmw_read_bytes"] = 5.0
    assert "returned nothing" not in fill(template, f=known)


def test_what_opening_cost_is_of_the_layer_that_opened():
    said = words()["findings"]["metadata_heavy"]
    known = features(
        metadata_share=1.0, metadata_seconds_per_process=0.002, stats=1.0, opens=0.0, run_time_seconds=1111.0,
        stdio_metadata_share=0.8, stdio_opens=3035.0, stdio_metadata_seconds=16.2,
    )  # fmt: skip
    streams = {"f": known, "held": lambda name: name == "stdio_metadata_share"}
    assert fill(said["evidence"], **streams).startswith(
        "80 % of the time in stdio calls went into 3,035 fopens"
    )
    assert "At most 16.2 s" in fill(said["gain"], **streams)
    waited = features(
        metadata_share=1.0, metadata_seconds_per_process=11_218.0, opens=264.0, run_time_seconds=1469.0
    )
    files = {"f": waited, "held": lambda name: name == "metadata_share"}
    assert "its threads waited at the same time" in fill(said["evidence"], **files)
    assert fill(said["gain"], f=waited) == ""


def test_the_gain_of_spreading_is_no_more_than_what_was_read_and_written():
    known = features(
        stdio_site_bytes=580.0, posix_site_bytes=0.0, stdio_slowest_rank_seconds_lower=19.0,
        stdio_mean_rank_seconds=0.6, stdio_data_seconds=4.5,
    )  # fmt: skip
    assert fill(words()["findings"]["rank0_io"]["gain"], f=known).startswith("At most 4.5 s")


@pytest.mark.parametrize("share", [0.78, 11.5])
def test_times_beyond_the_run_time_bound_nothing(share):
    known = features(io_time_seconds=5.0, io_share=share)
    for template in (words()["gain_unknown"], words()["findings"]["small_io"]["gain"]):
        assert ("5 s" in fill(template, f=known)) == (share < 1)


@pytest.mark.parametrize(
    ("advice", "known", "makes_sense"),
    [
        ("collective_buffering", {"nprocs": 1.0, "mpiio_bytes": 1.0}, False),
        ("collective_buffering", {"mpiio_bytes": 1.0}, True),
        ("mpiio_collectives", {"nprocs": 1.0}, False),
        ("hdf5_collective_transfer", {"nprocs": 1.0, "h5f_mpiio_files": 1.0}, False),
        ("read_once_and_broadcast", {}, False),
        ("node_local_copy", {"random_writes": 500.0, "bytes_read": 1.0}, False),
        ("prefetch", {"random_writes": 500.0, "reads": 10.0}, False),
        ("shared_file", {"read_only_files": 900.0, "write_only_files": 1.0}, False),
    ],
)
def test_advice_is_given_only_where_it_makes_sense(advice, known, makes_sense):
    seen = {"f": features(**known), "p": Everything(None), "files": [], "mpi": True}
    assert holds(words()["advice"][advice]["when"], **seen) == makes_sense


UNITS = {
    "bytes": {name: 1024.0**n for n, name in enumerate(["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"])},
    "rate": {name: 1024.0**n for n, name in enumerate(["MiB/s", "GiB/s", "TiB/s", "PiB/s"])},
    "seconds": {"µs": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0},
    "node_hours": {"node-hours": 1.0},
    "decimal": {"": 1.0},
    "count": {"": 1.0},
    "percent": {"%": 0.01},
}  # fmt: skip
UNITS_STEP = {"count": 0.5, "percent": 0.005}
WORDS = "|".join(
    ["more than", "less than", "over", "up to", *filter(None, map(str.strip, BOUND_WORDS.values()))]
)
ANY_SIZE = st.floats(-9, 12).map(lambda exponent: 10**exponent) | st.integers(0, 10**12).map(float)


@given(number=ANY_SIZE, filter_=st.sampled_from(sorted(UNITS)), bound=st.sampled_from(sorted(BOUND_WORDS)))
@example(number=0.0, filter_="seconds", bound="lower_bound")
@example(number=1048575.9, filter_="bytes", bound="exact")
def test_any_number_reads_as_one_bound_of_three_figures_and_a_unit(number, filter_, bound):
    """What is read back is the number; as decimals, since the text has no more than three figures."""
    if filter_ == "percent":
        number = min(1.0, number)
    text = fill("is {{ n | " + filter_ + " }}", n=Number(number, bound)).removeprefix("is ")
    read = re.fullmatch(rf"(?:({WORDS}) )?([0-9,]+(?:\.[0-9]+)?) ?(\D*)", text)
    assert read, text
    word, figures, unit = read[1], read[2].replace(",", ""), read[3]
    value = float(figures) * UNITS[filter_][unit]
    if word in (None, "about", "a recorded"):
        assert value == pytest.approx(number, rel=0.055, abs=UNITS_STEP.get(filter_, 0)), text
        # only such words as its bound allows
        assert BOUND_WORDS[bound].strip() == (word or "") or bound == "exact"
    elif word in ("at least", "more than", "over"):
        assert bound == "lower_bound" or (word == "over" and bound == "exact")
        assert value <= number * 1.055 + UNITS_STEP.get(filter_, 0), text
    else:
        assert bound != "lower_bound"
        assert value >= number * 0.945 - UNITS_STEP.get(filter_, 0), text
    if filter_ in ("bytes", "seconds", "rate"):
        larger = [name for name, of in UNITS[filter_].items() if of > UNITS[filter_][unit]]
        assert not larger or float(figures) < 10240


@given(
    number=st.integers(0, 10**12).map(float) | st.floats(0, 1e12), noun=st.sampled_from(["file", "process"])
)
def test_only_one_is_singular(number, noun):
    figures, _, word = number_of(number, noun).partition(" ")
    assert word == (noun if figures == "1" else {"file": "files", "process": "processes"}[noun])


@given(left=ANY_SIZE, right=ANY_SIZE.filter(bool))
def test_what_is_computed_of_bounds_is_a_bound(left, right):
    """The true numbers lie on the side of a bound that it says, so does what is computed of them."""
    low, high = Number(left, "lower_bound"), Number(right, "upper_bound")
    for more in (0.0, left):  # true left is low + more, true right is between 0 and high
        for share in (0.5, 1.0):
            a, b = left + more, right * share
            assert (low - high).bound == "lower_bound" and a - b >= low - high
            assert (high - low).bound == "upper_bound" and b - a <= high - low
            assert (low / high).bound == "lower_bound" and a / b >= (low / high) * (1 - 1e-9)
            assert (1 / high).bound == "lower_bound" and 1 / b >= 1 / high
            assert (low + 1).bound == (2 * low).bound == "lower_bound"
            assert (low + high).bound == (low * high).bound == "bounded"
    assert (Number(left) + Number(right)).bound == "exact"
    assert (Number(left, "recorded") - high).bound == "recorded"
    assert sum([low, low]).bound == "lower_bound"


@pytest.mark.parametrize(
    ("template", "number", "bound", "text"),
    [
        ("{{ n | seconds }} passed", 3.0, "lower_bound", "At least 3 s passed"),
        ("Of {{ n | seconds }}. {{ n | seconds }} passed", 3.0, "bounded", "Of about 3 s. About 3 s passed"),
        ("{{ n | gain }} of it", 3.0, "exact", "At most 3 s of it"),
        ("{{ n | gain }} of it", 3.0, "lower_bound", "A part of at least 3 s of it"),
        ("{{ n | range(m) }}", 12.0, "lower_bound", "12 to 20"),
        ("{{ n | range(m) }}", 12.0, "exact", "12"),
        ("by {{ n | ranks(4) }}", 4.0, "lower_bound", "by all 4 processes"),
        ("by {{ n | ranks(4) }}", 4.0, "upper_bound", "by at most 4 processes"),
        ("by {{ n | ranks(4) }}", 1.0, "upper_bound", "by one process"),
        ("by {{ n | ranks(4) }}", 1.0, "lower_bound", "by at least one process"),
        ("{{ n | percent }}", 0.999, "lower_bound", "over 99 %"),
        ("{{ n | percent }}", 0.999, "upper_bound", "At most 100 %"),
        ("{{ n | percent }}", 0.00001, "lower_bound", "more than 0 %"),
        ("-c {{ n | int }}", 4.0, "bounded", "-c 4"),
    ],
)  # fmt: skip
def test_a_bound_is_said_with_its_number(template, number, bound, text):
    assert fill(template, n=Number(number, bound), m=Number(20, "upper_bound")) == text
