"""The query of the jobs that wait and run, over five jobs of one morning."""

from collections import Counter

import pytest

SINCE, UNTIL = "2026-05-10 00:00:00", "2026-05-10 02:00:00"
JOBS = {
    "ran": ("2026-05-10 00:00:00", "2026-05-10 00:10:30", "2026-05-10 00:40:00"),
    "still waits": ("2026-05-10 00:20:00", None, None),
    "still runs": ("2026-05-10 00:20:00", "2026-05-10 00:30:00", None),
    "was cancelled while it waited": ("2026-05-10 00:30:00", None, "2026-05-10 00:50:00"),
    "ran into the range": ("2026-05-09 23:00:00", "2026-05-09 23:30:00", "2026-05-10 01:00:00"),
    "was over before": ("2026-05-09 22:00:00", "2026-05-09 22:30:00", "2026-05-09 23:59:59"),
    "came later": ("2026-05-10 02:00:00", "2026-05-10 02:00:00", None),
}
# By minute: jobs that wait, jobs that run.
EXPECTED = {
    "00:05": (1, 1),
    "00:10": (0.5, 1.5),
    "00:15": (0, 2),
    "00:25": (2, 2),
    "00:35": (2, 3),
    "00:45": (2, 2),
    "00:55": (1, 2),
    "01:30": (1, 1),
    "01:59": (1, 1),
}


@pytest.fixture
def minutes(engine_of):
    """Jobs that wait and run, by minute, where there are these jobs."""

    def minutes(names=JOBS):
        rows = [
            {
                "cluster": "c",
                "job_uid": uid,
                "submit_time": submit,
                "start_time": start,
                "end_time": end,
                "version": 1,
            }
            for uid, (submit, start, end) in JOBS.items()
            if uid in names
        ]
        found = {}
        for row in engine_of({"scheduler_jobs": rows}).rows("jobs_active", since=SINCE, until=UNTIL):
            found.setdefault(row["time"][11:16], {})[row["phase"]] = row["jobs"]
        return {time: (phases["waiting"], phases["running"]) for time, phases in found.items()}

    return minutes


def test_it_counts_who_waits_and_who_runs(minutes):
    found = minutes()
    assert {time: found[time] for time in EXPECTED} == {
        time: pytest.approx(values, abs=1e-6) for time, values in EXPECTED.items()
    }
    assert len(found) == 120


def test_it_ends_with_the_last_change_where_nobody_waits_or_runs(minutes):
    assert max(minutes(["ran", "ran into the range"])) == "01:00"


def test_it_is_empty_without_jobs(minutes):
    assert all(values == (0, 0) for values in minutes(["was over before"]).values())


def test_jobs_run_now_that_were_submitted_before_the_range(engine_of):
    """A job whose end nobody reported is over a day after the time that it asked for."""
    row = {"cluster": "c", "state": "running", "state_rank": 2, "version": 1}
    hour, month = 3600, 30 * 86400
    started = {
        "long ago, for a month": ("2026-04-20 00:00:00", month),
        "long ago, without a limit": ("2026-04-20 00:00:00", None),
        "long ago, for longer than clocks count": ("2026-04-20 00:00:00", 2**62),
        "long ago, for an hour": ("2026-04-20 00:00:00", hour),
        "a day and an hour before": ("2026-05-09 00:59:59", hour),
        "less than that before": ("2026-05-09 01:00:01", hour),
        "in the range": ("2026-05-10 01:00:00", hour),
        "later": (UNTIL, hour),
    }
    jobs = [
        row | {"job_uid": uid, "submit_time": start, "start_time": start, "time_limit_seconds": limit}
        for uid, (start, limit) in started.items()
    ]
    waits = row | {"job_uid": "waits", "submit_time": "2026-04-20 00:00:00", "state_rank": 1}
    engine = engine_of({"scheduler_jobs": [*jobs, waits]})
    span = {"since": SINCE, "until": UNTIL}
    times = [row["time"][:19] for row in engine.rows("scheduler_jobs", rest="ORDER BY time", **span)]
    assert times == [*(SINCE,) * 5, "2026-05-10 01:00:00"]
    (counted,) = engine.metrics("scheduler_jobs", "cluster", **span).values()
    assert {name: int(number) for name, number in counted.items()} == {"running": 5, "finished": 0}
    active = {(row["time"][11:16], row["phase"]): row["jobs"] for row in engine.rows("jobs_active", **span)}
    assert [active[time, "running"] for time in ("00:01", "01:59")] == [5, pytest.approx(6 - 1 / 60)]
    assert active["01:59", "waiting"] == 1


@pytest.mark.parametrize("limit", [-(2**62), -1, 0, 2**63 - 1])
@pytest.mark.parametrize("start", ["1900-01-01 00:00:00", "1970-01-01 00:00:00", "2299-12-31 00:00:00"])
def test_jobs_with_any_start_and_limit_are_counted(engine_of, start, limit):
    row = {"cluster": "c", "submit_time": start, "start_time": start, "version": 1}
    hostile = row | {"job_uid": "hostile", "state_rank": 2, "time_limit_seconds": limit}
    good = row | {"job_uid": "good", "submit_time": SINCE, "start_time": SINCE, "state_rank": 2}
    engine = engine_of({"scheduler_jobs": [hostile, good]})
    for since, until in ((SINCE, UNTIL), ("1970-01-01 00:00:00", "2100-01-01 00:00:00")):
        (counted,) = engine.metrics("scheduler_jobs", "cluster", since=since, until=until).values()
        assert int(counted["running"]) == 1 + (start < UNTIL and limit != 0)
        active = engine.rows("jobs_active", since=since, until=until)
        assert max(row["jobs"] for row in active if row["phase"] == "running") > 0


def test_a_bar_of_rates_or_shares_chooses_the_runs_that_it_counts(engine_of):
    """Its label is the lower edge of the bin, and a run has the same, whoever's project it is of."""
    rates, shares = (0.005, 0.01, 2.9, 45.0, 1e9, None), (0.0, 0.37, 0.4, 0.999, 1.7, None)
    numbers = enumerate(zip(rates, shares, strict=True))
    runs = [
        {"cluster": "c", "log_id": f"r{n}", "start_time": SINCE, "version": 1, "account": f"p{n % 2}"}
        | {"mib_per_second": rate, "io_share": share}
        for n, (rate, share) in numbers
    ]
    engine = engine_of({"runs": runs})
    of_runs = {row["log_id"]: row for row in engine.rows("runs")}
    assert [of_runs[f"r{n}"]["io_share"] for n in range(6)] == [0, 0.37, 0.4, 0.999, 1, None]
    assert [of_runs[f"r{n}"]["mib_per_second_from"] for n in range(6)] == [0.01, 0.01, 1, 30, 100000, None]
    assert [of_runs[f"r{n}"]["io_share_from"] for n in range(6)] == [0, 0.3, 0.4, 0.9, 0.9, None]
    for dataset, column in (("run_rate_bins", "mib_per_second_from"), ("run_io_share_bins", "io_share_from")):
        bars = Counter()
        for row in engine.rows(dataset):
            bars[row["account"], row[column]] += row["runs"]
        counted = Counter(
            (row["account"], row[column]) for row in of_runs.values() if row[column] is not None
        )
        assert +bars == counted
