"""The datasets of *Weir Projects* and of *Weir Findings and cost* over rows written by hand."""

import pytest

GIB = 1 << 30


def run(log, start, **more):
    row = {"cluster": "c", "log_id": log, "user": "ada", "account": "climate", "program": "sim", "version": 1}
    row |= {"start_time": f"2026-{start}", "nprocs": 8, "run_nodes": 2, "run_time_seconds": 1800, "job_id": 7}
    return row | {"modules": ["POSIX"], "verdict": "not_slow"} | more


def job(uid, submit, start, coverage, node_hours, **more):
    row = {"cluster": "c", "job_uid": uid, "user": "ada", "account": "climate", "version": 1}
    row |= {"submit_time": f"2026-{submit}", "start_time": start and f"2026-{start}", "coverage": coverage}
    return row | {"node_hours": node_hours} | more


def finding(log, rule, lost, **more):
    row = {"cluster": "c", "log_id": log, "rule_id": rule, "title": rule, "user": "ada", "account": "climate"}
    return (
        row
        | {"program": "sim", "start_time": "2026-05-10 00:00:00", "node_hours_lost": lost, "version": 1}
        | more
    )


ROWS = {
    "runs": [
        run("r1", "05-01 00:00:00", bytes_read=3 * GIB, bytes_written=GIB, io_time_seconds=900)
        | {"modules": ["POSIX", "MPI-IO", "H5F", "H5D", "HEATMAP", "LUSTRE"], "reread_bytes": GIB}
        | {"application_bytes": 9 * GIB, "nodes": 3}
        | {"data_files": 3, "mean_data_file_bytes": 100, "unique_files": 2, "shared_files": 1}
        | {"unique_file_bytes": GIB, "shared_file_bytes": 3 * GIB, "posix_size_read_100k_1m": 5}
        | {"node_hours_lost": 0.25, "slow": 1, "verdict": "storage", "time_lost_seconds": 450},
        run("r2", "05-20 00:00:00", bytes_written=GIB, user="bob", account="fusion", program="post")
        | {"modules": ["STDIO", "POSIX", "DXT_POSIX"], "data_files": 1, "mean_data_file_bytes": 5 * GIB}
        | {"nprocs": 1, "unique_files": 1, "unique_file_bytes": GIB, "posix_size_write_1g_plus": 1},
        run("it never ended", "05-20 00:00:00", user=None, account=None, run_time_seconds=None)
        | {"modules": ["PNETCDF_FILE", "PNETCDF_VAR", "DFS", "DAOS"]},
        run("r4", "05-21 00:00:00", node_hours_lost=0.5, slow=1, verdict="application"),
    ],
    "job_results": [
        job("j1", "05-01 00:00:00", "05-01 01:00:00", "instrumented", 6),
        job("j2", "05-01 00:00:00", "05-02 00:00:00", "not_instrumented", 2, node_hours_lost=0.5),
        job("j3", "05-03 00:00:00", None, "not_started", None),
        job("it ran before", "04-01 00:00:00", "04-02 00:00:00", "instrumented", 9),
    ],
    # One run has both findings: 4 node-hours are lost in all, 8 + 1 by the sums over rules.
    "findings": [
        finding("r1", "small_io", 4),
        finding("r1", "many_opens", 4),
        finding("r2", "small_io", 1, user="bob", program="post"),
        finding("", "many_opens", None, job_uid="j1"),
    ],
}  # fmt: skip


@pytest.fixture(params=["from rows", "from totals"])
def usage(request, engine_of):
    engine = engine_of(ROWS)
    if request.param == "from totals":
        engine.build_totals()
    return engine


def test_usage_by_project(usage):
    told = usage.metrics("run_usage", "account")
    climate = told["climate",]
    assert (climate["runs_count"], climate["users"], climate["bytes_moved"]) == (2, 1, 4 * GIB)
    assert (climate["node_hours_sum"], climate["io_share"]) == pytest.approx((2, 0.5))
    assert (climate["files_sum"], climate["mean_file_bytes"]) == (3, 100)
    assert (climate["unique_file_share"], climate["shared_bytes_share"]) == pytest.approx((2 / 3, 3 / 4))
    assert climate["reread_share"] == pytest.approx(1 / 3)
    assert climate["mib_per_second_per_node"] == pytest.approx(9 * 1024 / (900 * 3))
    assert told["fusion",]["mib_per_second_per_node"] is None
    assert (told["fusion",]["mean_file_bytes"], told["fusion",]["shared_bytes_share"]) == (5 * GIB, 0)
    assert (told["(unknown)",]["node_hours_sum"], told["(unknown)",]["mean_file_bytes"]) == (0, None)


def moved(engine, groups="account", **more):
    told = engine.metrics("run_bytes", groups, **more)
    return {group: metrics["gib_moved"] for (group, *_), metrics in told.items()}


def test_bytes_over_time_are_the_same_by_hours_and_by_days(usage):
    """Of three weeks, intervals are hours; of three months, whole days, which totals have."""
    assert moved(usage) == {"climate": 4, "fusion": 1, "(unknown)": 0}
    assert moved(usage, "bucket")["2026-05-20 00:00:00"] == 1
    usage.insert("runs", run("long before", "03-01 05:00:00", bytes_read=GIB, exe="/bin/old"))
    quarter = {"since": "2026-02-01 00:00:00", "until": "2026-06-01 00:00:00"}
    assert moved(usage, **quarter) == {"climate": 5, "fusion": 1, "(unknown)": 0}
    weeks = moved(usage, "bucket", **quarter)
    assert (sum(weeks.values()), weeks["2026-02-26 00:00:00"]) == (6, 1)
    chosen = usage.rows("run_bytes", filters={"exe": ["/bin/old"]}, **quarter)
    assert {row["exe"]: row["bytes"] for row in chosen}["/bin/old"] == GIB


def test_who_is_not_known_is_no_user_and_no_project(usage):
    """Two users ran in two projects, and one run is of nobody who is known."""
    (told,) = usage.metrics("run_usage", "cluster").values()
    assert (int(told["users"]), int(told["projects"])) == (2, 2)
    of_nobody = usage.metrics("run_interfaces", "interface")["PnetCDF",]
    assert {int(value) for name, value in of_nobody.items() if name in ("users", "projects")} == {0}


def test_each_run_is_lost_once(usage):
    (told,) = usage.metrics("run_cost", "cluster").values()
    assert (told["lost_sum"], told["lost_to_storage"], told["slow_runs"]) == (0.75, 0.25, 2)
    assert told["lost_share"] == pytest.approx(0.75 / 2)


def test_a_share_of_io_time_is_of_the_runs_whose_io_time_is_known(engine_of):
    """Of one run 10 of 40 seconds were I/O; of another nobody knows, and of a third not how long it ran."""
    row = {"cluster": "c", "user": "ann", "account": "p", "start_time": "2026-05-10 00:00:00", "version": 1}
    runs = [
        row | {"log_id": "known", "io_time_seconds": 10, "run_time_seconds": 40},
        row | {"log_id": "its I/O is not", "run_time_seconds": 60},
        row | {"log_id": "its length is not", "io_time_seconds": 5},
    ]
    engine = engine_of({"runs": runs})
    for _ in range(2):
        assert engine.metrics("run_usage", "account")["p",]["io_share"] == 0.25
        engine.build_totals()
    assert engine.metrics("runs", "account")["p",]["io_share_mean"] == 0.25


def test_interfaces_of_runs(usage):
    (told,) = usage.metrics("run_usage", "cluster").values()
    names = ("posix", "mpiio", "stdio", "hdf5", "pnetcdf", "daos")
    assert [told[f"{name}_share"] for name in names] == [0.75, 0.25, 0.25, 0.25, 0.25, 0.25]
    rows = usage.metrics("run_interfaces", "interface")
    assert {name: row["runs_count"] for (name,), row in rows.items()} == {
        "POSIX": 3, "MPI-IO": 1, "STDIO": 1, "HDF5": 1, "PnetCDF": 1, "DAOS": 1
    }  # fmt: skip
    assert rows["HDF5",]["bytes_moved"] == 4 * GIB


def test_files_of_several_processes_by_sharing(usage):
    told = usage.metrics("file_sharing", "opened_by")
    assert told["one process",] == {"file_share": pytest.approx(2 / 3), "byte_share": 0.25}
    assert told["some processes",] == {"file_share": 0, "byte_share": 0}
    assert told["all processes",] == {"file_share": pytest.approx(1 / 3), "byte_share": 0.75}


def test_sizes_of_files_and_requests(usage):
    files = usage.metrics("file_sizes", "file_bytes_from")
    assert (files[1,]["files_sum"], files[4 * GIB,]["files_sum"]) == (3, 1)
    rows = usage.metrics("request_sizes", "bytes_from")
    assert len(rows) == 10
    asked = {start: row for (start,), row in rows.items() if row["reads_sum"] or row["writes_sum"]}
    assert asked == {102400: {"reads_sum": 5, "writes_sum": 0}, GIB: {"reads_sum": 0, "writes_sum": 1}}


DRAWN_FROM = {
    "interface": "run_interfaces",
    "opened_by": "file_sharing",
    "file_bytes_from": "file_sizes",
    "bytes_from": "request_sizes",
}


@pytest.mark.parametrize(
    ("column", "runs"),
    [
        (
            "interface",
            {
                "POSIX": {"r1", "r2", "r4"},
                **{name: {"r1"} for name in ("MPI-IO", "HDF5")},
                "STDIO": {"r2"},
                **{name: {"it never ended"} for name in ("PnetCDF", "DAOS")},
            },
        ),
        ("opened_by", {"one process": {"r1"}, "all processes": {"r1"}, "some processes": {"r4"}}),
        ("file_bytes_from", {1: {"r1"}, 4 * GIB: {"r2"}, 4096: set()}),
        ("bytes_from", {102400: {"r1"}, GIB: {"r2"}, 1: set()}),
    ],
)
def test_a_bar_chooses_the_runs_that_it_counts(engine_of, column, runs):
    shared = {"unique_files": 0, "partial_files": 2, "unique_file_bytes": 0, "partial_file_bytes": 5}
    engine = engine_of(ROWS | {"runs": [*ROWS["runs"][:-1], ROWS["runs"][-1] | shared]})

    def chosen(*bars):
        return {row["log_id"] for row in engine.rows("moved_runs", filters={column: [*bars]})}

    assert {bar: chosen(bar) for bar in runs} == runs
    counted = {
        bar: any(metrics.values()) for (bar,), metrics in engine.metrics(DRAWN_FROM[column], column).items()
    }
    assert {str(bar) for bar, counts in counted.items() if counts} == {str(bar) for bar in runs if runs[bar]}
    assert chosen(*map(str, runs)) == set().union(*runs.values())  # as a click sends them
    for hostile in ("x", "nan", "-1e999", "it's {{ none }}", "0') OR ('1"):
        assert chosen(hostile) == set()


def test_a_bar_of_jobs_chooses_those_of_its_coverage(usage):
    counted = {
        place: row["jobs_count"] for (place,), row in usage.metrics("project_jobs", "coverage").items()
    }
    assert counted == {"instrumented": 1, "not instrumented": 1, "not started": 1}
    for coverage, jobs in counted.items():
        assert len(usage.rows("jobs", rest=f"WHERE coverage = '{coverage}'")) == jobs


def test_a_job_that_is_not_over_runs_or_waits(engine_of):
    engine = engine_of({"job_results": [job("j", "05-01 00:00:00", None, "running", None)]})
    for dataset in ("coverage", "jobs", "project_jobs"):
        assert [row["coverage"] for row in engine.rows(dataset, "coverage")] == ["not over"], dataset


@pytest.mark.parametrize(
    ("since", "periods"),
    [
        ("2026-05-01 00:00:00", {"2026-05-01", "2026-05-20", "2026-05-21"}),
        ("2026-03-01 00:00:00", {"2026-03-02", "2026-04-27", "2026-05-18"}),
        ("2025-05-01 00:00:00", {"2025-06-01", "2026-03-01", "2026-05-01"}),
    ],
)
def test_periods_are_days_weeks_or_months(engine_of, since, periods):
    old = [
        run("of March", "03-02 00:00:00"),
        run("old", "01-01 00:00:00") | {"start_time": "2025-06-03 00:00:00"},
    ]
    engine = engine_of({"runs": ROWS["runs"] + old})
    assert {row["period"][:10] for row in engine.rows("run_usage", since=since)} == periods


def test_node_hours_of_jobs_with_and_without_log(usage):
    (told,) = usage.metrics("project_jobs", "account").values()
    assert told == {"jobs_count": 3, "node_hours_sum": 8, "known_share": 0.75, "lost_sum": 0.5}


def test_rules_share_the_loss_of_a_run(usage):
    told = usage.metrics("finding_cost", "rule")
    assert (told["small_io",]["shared_lost"], told["many_opens",]["shared_lost"]) == (5, 4)
    assert (told["small_io",]["runs_count"], told["small_io",]["users"], told["small_io",]["programs"]) == (
        2,
        2,
        2,
    )


def test_slow_runs_that_were_the_storages_fault(usage):
    (row,) = usage.rows("storage_fault")
    assert (row["job"], row["verdict"], row["node_hours_lost"]) == ("7", "storage", 0.25)
