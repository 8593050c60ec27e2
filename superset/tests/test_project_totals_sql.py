"""Totals of projects name nobody: a project of one or two people is added up with others."""

import pytest

DAY = "2026-05-10 00:00:00"
NEXT_DAY = "2026-05-11 00:00:00"
FEW = "(projects of fewer than 3 users)"


def job(number, user, account, day=10, **changed):
    time = f"2026-05-{day} 0{number % 9}:00:00"
    return {
        "cluster": "a",
        "job_uid": f"a/{number}",
        "job_id": number,
        "submit_time": time,
        "start_time": time,
        "user": user,
        "account": account,
        "node_hours": 2,
        "node_hours_lost": 0.5,
        "bytes_read": 10,
        "bytes_written": 20,
    } | changed


@pytest.fixture
def totals(engine_of):
    jobs = [job(number, user, "many") for number, user in enumerate(["ann", "bob", "cem", "ann"])]
    jobs += [job(10, "ann", "two"), job(11, "bob", "two"), job(12, "ann", "ann_private")]
    jobs += [job(20, "dan", "dan_private"), job(21, "dan", "dan_private", day=9, cluster="b")]
    # A third user of the project, on another day and on another cluster.
    jobs += [job(13, "cem", "two", day=9), job(14, "cem", "two", cluster="b")]
    jobs += [job(15, None, "many", node_hours=None, node_hours_lost=None)]
    return engine_of({"job_results": jobs})


def test_small_projects_are_added_up(totals):
    sums = "toFloat64(sum(jobs)) AS jobs, sum(node_hours) AS hours, sum(bytes_written) AS written"
    found = totals.rows(
        "project_totals", f"account, {sums}", "GROUP BY account ORDER BY account", since=DAY, until=NEXT_DAY
    )
    assert found == [
        {"account": FEW, "jobs": 4, "hours": 8, "written": 80},  # of a, and not the one of cem, alone on b
        {"account": "many", "jobs": 5, "hours": 8, "written": 100},
    ]


def test_users_are_those_of_the_range(totals):
    found = totals.rows(
        "project_totals",
        "account, toFloat64(sum(jobs)) AS jobs",
        "GROUP BY account ORDER BY account",
        since="2026-05-09 00:00:00",
        until=NEXT_DAY,
    )
    # The small projects have two users on each cluster: ann and dan on a, cem and dan on b.
    assert found == [{"account": "many", "jobs": 5}, {"account": "two", "jobs": 3}]


def test_jobs_of_nobody_known_are_nobodys(engine_of):
    totals = engine_of({"job_results": [job(1, None, "p"), job(2, None, "q")]})
    found = totals.rows("project_totals", "account, toFloat64(sum(jobs)) AS jobs", "GROUP BY account")
    assert found == [{"account": FEW, "jobs": 2}]


def test_no_share_is_lost_of_what_is_not_over(engine_of):
    """A job that runs has lost node-hours with its finished steps, and nobody knows how many it will use."""
    running = {"coverage": "running", "node_hours": None, "node_hours_lost": 3}
    jobs = [job(number, user, "many") for number, user in enumerate(["ann", "bob", "cem"])]
    totals = engine_of({"job_results": [*jobs, job(4, "ann", "many", **running)]})
    of = totals.metrics("project_totals", "account")[("many",)]
    assert (of["project_node_hours"], of["project_node_hours_lost"], of["project_share_lost"]) == (
        6,
        1.5,
        0.25,
    )
