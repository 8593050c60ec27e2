"""What DXT traced, in cells of bounded size: against libdarshan's segments, and by hand."""

import re

import libdarshan
import numpy as np
import pytest
from darshan_writer import LogWriter
from weir.darshan import open_log
from weir.logs import dxt
from weir.report import plots

NAN, INFINITE = float("nan"), float("inf")


def trace_of(log: LogWriter) -> dxt.Trace:
    return dxt.read(open_log(log.to_bytes()))["DXT_POSIX"]


def written(nprocs=2, seconds=8, version=1, partial=False, **by_rank):
    """A log of a run of 8 s; rank0=(writes, reads), each a list of (offset, length, start, end)."""
    log = LogWriter(nprocs=nprocs, end=(1_700_000_000 + seconds, 0))
    records = [
        {"name": b"/f", "rank": int(rank[4:]), "writes": writes, "reads": reads}
        for rank, (writes, reads) in by_rank.items()
    ]
    log.add("DXT_POSIX", version, records, partial=partial)
    return log


def area(path):
    """Units that a path of rectangles covers."""
    return sum(int(width) * int(height) for width, height in re.findall(r"h(\d+)v(\d+)h", path))


@pytest.mark.slow
def test_requests_and_their_seconds_are_those_of_libdarshan(recorded, extra):
    logs = sorted(recorded.glob("darshan/generated_dxt347/*/*.darshan"))
    logs += sorted(extra.glob("darshan/public/hpc-io/*.darshan"))
    checked = 0
    for log, truth in zip(logs, libdarshan.read(*logs), strict=True):
        nprocs = truth["job"]["nprocs"]
        for name, trace in dxt.read(open_log(log)).items():
            records, checked = truth["dxt"][name], checked + 1
            cells, longest = trace.cells(), 0.0
            for way, key in enumerate(("read_segments", "write_segments")):
                of_way = [(record["rank"], each) for record in records for each in record[key]]
                took = [each["end_time"] - each["start_time"] for _, each in of_way]
                assert trace.requests[way] == len(of_way)
                assert trace.moved[way] == sum(each["length"] for _, each in of_way)
                rows = [rank // trace.processes_a_row for rank, _ in of_way]
                by_row = np.bincount(rows, took, cells.seconds.shape[1]) if rows else 0
                assert cells.seconds[way].sum(axis=1) == pytest.approx(by_row, abs=1e-6)
                longest = max([longest, *took])
            assert trace.longest and trace.longest.seconds == pytest.approx(longest)
            assert trace.ranks == {record["rank"] for record in records if record["rank"] < nprocs}
            assert trace.left_out == 0
    assert checked >= 10


def test_a_request_is_drawn_where_and_as_long_as_it_was():
    # 120 columns of 1 s: process 0 wrote all of the second and half of the third, process 1 read for 0.25 s
    trace = trace_of(written(seconds=120, rank0=([(0, 10, 1, 2.5)], []), rank1=([], [(0, 7, 4.5, 4.75)])))
    cells = trace.cells()
    assert (cells.width, cells.seconds.shape) == (1.0, (2, 2, 120))
    assert cells.seconds[dxt.WRITE, 0, :4].tolist() == pytest.approx([0, 1, 0.5, 0])
    assert cells.seconds[dxt.READ, 1, :6].tolist() == pytest.approx([0, 0, 0, 0, 0.25, 0])
    assert cells.seconds.sum() == pytest.approx(1.75)
    lanes = plots.lanes("DXT_POSIX", trace)
    # a lane has 8 units: reads hang from its top, writes stand on its bottom
    assert dict(lanes.series) == {"write": "M1 0h1v8h-1zM2 4h1v4h-1z", "read": "M4 8h1v2h-1z"}
    assert "busiest from 1 s on, with 1 of 2 processes in requests on average" in lanes.description


def test_threads_of_a_process_do_not_leave_its_lane():
    both = [(0, 1, 0, 60, 7), (0, 1, 0, 60, 8), (0, 1, 0, 60, 9)]
    lanes = plots.lanes("DXT_POSIX", trace_of(written(1, 120, 2, rank0=(both, both))))
    assert [area(path) for _, path in lanes.series] == [60 * 4, 60 * 4]


def test_what_cannot_be_is_left_out_and_counted():
    good, bad = (
        [(0, 5, 1, 2)],
        [(0, 5, NAN, 2), (0, 5, 1, INFINITE), (0, 5, -1, 2), (0, 5, 3, 2), (0, -5, 1, 2)],
    )
    late = [(0, 5, 1, 1e9)]
    trace = trace_of(written(2, 8, rank0=(good + bad, late), rank9=(good, []), rank1=([], good)))
    assert (trace.requests, trace.moved, trace.left_out) == ([1, 1], [5, 5], 7)
    assert trace.cells().seconds.sum() == pytest.approx(2)


def test_a_run_without_an_end_is_traced_to_its_last_request():
    """Darshan wrote no end: the columns grow wider until all is in them, and nothing is lost."""
    log = LogWriter(nprocs=1, end=(0, 0))
    segments = [(0, 1, second, second + 0.5) for second in range(0, 100_000, 10)]
    log.add("DXT_POSIX", 1, [{"name": b"/f", "rank": 0, "writes": segments}])
    cells = trace_of(log).cells()
    assert cells.seconds.shape[2] <= 120
    assert cells.seconds.sum() == pytest.approx(5_000)
    assert cells.seconds.shape[2] * cells.width >= 99_990


def test_a_request_that_ends_with_the_run_or_just_after_it_is_drawn():
    trace = trace_of(written(1, 8, rank0=([(0, 1, 7, 8), (0, 1, 8, 8.125)], [])))
    assert trace.cells().seconds.sum() == pytest.approx(1.125)


def test_many_requests_of_many_processes_make_a_drawing_of_bounded_size():
    random = np.random.default_rng(1)
    log = LogWriter(nprocs=5_000, end=(1_700_000_500, 0))
    begins = np.sort(random.uniform(0, 499, (5_000, 60)), axis=1)
    ends = begins + random.exponential(0.5, begins.shape)
    log.add("DXT_POSIX", 1, [
        {"id": 1, "rank": rank, "writes": list(zip(range(30), range(30), begin[:30], end[:30], strict=True)),
         "reads": list(zip(range(30), range(30), begin[30:], end[30:], strict=True))}
        for rank, (begin, end) in enumerate(zip(begins, ends, strict=True))
    ])  # fmt: skip
    trace = trace_of(log)
    assert sum(trace.requests) == 300_000
    assert trace.cells().seconds.sum() == pytest.approx((ends - begins).sum())
    lanes = plots.lanes("DXT_POSIX", trace)
    assert (lanes.rows, trace.processes_a_row) == (64, 79)
    assert 90 < lanes.columns <= 120
    assert sum(len(path) for _, path in lanes.series) < 2 * 64 * 120 * 24


def test_text_and_plot_name_the_same_peak(recorded):
    """The column with most of its lanes filled is the one that the words name, with as many processes."""
    (log,) = recorded.glob("darshan/generated/small_unaligned_shared_dxt/*.darshan")
    trace = dxt.read(open_log(log))["DXT_POSIX"]
    lanes, (begin, processes) = plots.lanes("DXT_POSIX", trace), trace.cells().busiest
    filled = np.zeros(lanes.columns)
    for _, path in lanes.series:
        for start, width, height in re.findall(r"M(\d+) \d+h(\d+)v(\d+)h", path):
            filled[int(start) : int(start) + int(width)] += int(height) / plots.LEVELS
    drawn = filled[round(begin / trace.cells().width)]
    assert drawn == filled.max()
    # heights are rounded up by less than a level a lane
    assert processes <= drawn < processes + lanes.rows / plots.LEVELS
