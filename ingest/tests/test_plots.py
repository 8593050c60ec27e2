"""Plots of a report: no byte is lost or invented between a log and its drawing."""

import re

import libdarshan
import numpy as np
import pytest
from weir.analyze.offline import Heatmap, Inputs, analyze
from weir.darshan.layouts import COUNTERS
from weir.report import operations, plots
from weir.report.words import size

POSIX_BINS = [name for name in COUNTERS["POSIX", 4].ints if name.startswith("POSIX_SIZE_READ_")]


def area(path):
    """Cells that a path of rectangles covers."""
    return sum(int(width) for width in re.findall(r"h(\d+)v1", path))


def test_a_grid_has_a_shade_for_each_cell_that_moved_bytes():
    cells = np.array([[8.0, 0.0, 1.5], [4.0, 4.0, 0.0]])
    grid = plots.grid(Heatmap(2, 0.5), "POSIX", cells, 2.0)
    assert (grid.rows, grid.columns) == (2, 4)  # the run went on for half a second
    # 8 levels of the largest cell: 8 is the darkest, 4 the fourth, 1.5 between the palest two
    assert [area(level) for level in grid.levels] == [0, 1, 0, 2, 0, 0, 0, 1]
    assert grid.levels[7] == "M0 0h1v1h-1z"
    assert grid.levels[3] == "M0 1h2v1h-2z"
    assert grid.column_labels == ("0 s", "2 s")
    assert "up to 8 B" in grid.description


def test_empty_cells_make_no_grid():
    assert plots.grid(Heatmap(2, 0.5), "POSIX", np.zeros((2, 3)), 1.0) is None


def test_many_bins_share_columns():
    grid = plots.grid(Heatmap(1, 1.0), "POSIX", np.ones((1, 1000)), 1.0)
    assert grid.columns == 112  # nine bins a column
    assert "A column is 9 s" in grid.description


def test_many_processes_share_rows():
    heatmap = Heatmap(1000)
    assert heatmap.processes_a_row == 16
    ints = np.array([[0, 1, 0], [5, 0, 7], [0, 3, 0]], "<i8")
    ranks = np.array([0, 15, 999], "<i8")
    heatmap.add({
        "ints": ints.tobytes(), "floats": np.full(3, 0.25, "<f8").tobytes(), "ranks": ranks.tobytes(),
        "names": ["heatmap:POSIX"] * 3,
    })  # fmt: skip
    cells = heatmap.cells["POSIX"]
    assert cells.shape == (63, 2)
    assert (cells[0].tolist(), cells[62].tolist()) == ([5.0, 3.0], [7.0, 0.0])
    assert heatmap.bin_seconds == 0.25


@pytest.mark.parametrize("edges", [[0, 1, 2, 3, 4], [0, 0.4, 2.2, 4]])
def test_bytes_over_time_are_divided_not_lost(edges):
    slots = [
        {"from_seconds": 0.5, "to_seconds": 2.5, "bytes_read": 100.0},
        {"from_seconds": 3.0, "to_seconds": 3.0, "bytes_read": 7.0},
    ]
    columns = plots._spread(slots, "bytes_read", np.array(edges, float))
    assert columns.sum() == pytest.approx(107)
    if len(edges) == 5:
        assert columns.tolist() == pytest.approx([25, 50, 25, 7])


# --- what a plot shows is what the text says, and what libdarshan read -----------------------------------


@pytest.fixture(scope="module")
def judged(recorded, analysis_jar):
    """Runs by case, and libdarshan's records of the same logs."""
    names = ("small_unaligned_shared", "hdf5_independent", "hdf5_collective", "two_steps", "rank0_writer")
    logs = [log for name in names for log in sorted(recorded.glob(f"darshan/generated/{name}/*.darshan"))]
    runs = {run.file: run for run in analyze(logs, Inputs()).runs}
    return [(runs[log], truth) for log, truth in zip(logs, libdarshan.read(*logs), strict=True)]


def counter(truth, name):
    return sum(record["counters"][name] for record in libdarshan.records(truth, "POSIX"))


@pytest.mark.slow
def test_the_tallest_column_is_the_rate_in_words_and_all_columns_are_the_bytes(judged):
    for run, truth in judged:
        line = plots.timeline(run)
        heights = {
            name: [float(each) for each in re.findall(r"v-([\d.e-]+)h", path)] for name, path in line.series
        }
        assert max(map(max, heights.values())) == 1
        assert line.description.startswith(f"The tallest column is {line.top};")
        number, unit = line.top.replace(",", "").split()
        end = max(run.facts["run_time_seconds"], run.facts["busy"]["slots"][-1]["to_seconds"])
        column = end / line.columns
        tallest = float(number) * {"MiB/s": 2**20, "GiB/s": 2**30}[unit] * column
        for name, counted in (("read", "POSIX_BYTES_READ"), ("written", "POSIX_BYTES_WRITTEN")):
            # words have three figures
            assert sum(heights.get(name, [])) * tallest == pytest.approx(counter(truth, counted), rel=0.02)


@pytest.mark.slow
def test_the_longest_bar_is_the_most_common_size(judged):
    """Bars are as long as libdarshan's counters are large; their numbers are those of the text's table."""
    names = [name.removeprefix("POSIX_SIZE_READ_") for name in POSIX_BINS]
    for run, truth in judged:
        for module, form in (("POSIX", "POSIX_SIZE_{}_{}"), ("MPI-IO", "MPIIO_SIZE_{}_AGG_{}")):
            if module not in truth["records"]:
                continue
            counters = [record["counters"] for record in libdarshan.records(truth, module)]
            truths = {
                (way, label): sum(each[form.format(way.upper(), name)] for each in counters)
                for name, label in zip(names, plots.SIZE_BINS, strict=True)
                for way in ("read", "write")
            }
            most = max(truths.values())
            chart = plots.request_sizes(module, run.operations.modules[module])
            parts = [(bar.label, *part) for bar in chart.bars for part in bar.parts]
            longest = {(way, label) for label, way, length, _ in parts if length == 1}
            assert longest == {key for key, number in truths.items() if number == most}
            (section,) = (each for each in operations.sections(run) if each.title == "Requests by size")
            table = {row[0]: dict(zip(section.rows[0], row, strict=True)) for row in section.rows[1:]}
            for label, way, length, words in parts:
                assert length == pytest.approx(truths[way, label] / most)
                assert words.split()[0] == f"{truths[way, label]:,}"
                if truths[way, label]:
                    assert table[label][f"{module} {way}s"] == words.split()[0]


@pytest.mark.slow
def test_the_darkest_cell_is_the_number_in_words(judged):
    for run, truth in judged:
        for module, cells in run.heatmap.cells.items():
            heat = plots.grid(run.heatmap, module, cells, run.facts["run_time_seconds"])
            darkest = re.search(r"the darkest cell is up to ([\d.,]+ \w+)\.", heat.description)[1]
            wide = -(-max(len(each["write_bins"]) for each in truth["heatmap"]) // 120)
            assert wide == 1  # so a cell is a bin of one process
            own = [
                each
                for each in truth["heatmap"]
                if truth["names"][each["id"]] == b"heatmap:" + module.encode()
            ]
            most = max((each["write_bins"] + each["read_bins"]).max() for each in own)
            assert darkest == size(float(most))
            assert area(heat.levels[-1]) >= 1
