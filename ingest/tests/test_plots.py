"""Plots of a report: no byte is lost or invented between a log and its drawing."""

import re

import numpy as np
import pytest
from weir.analyze import Heatmap
from weir.report import plots


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
