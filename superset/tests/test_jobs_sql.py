"""The query of the jobs that wait and run, over five jobs of one morning."""

import json
from types import SimpleNamespace

import jinja2
import pytest
from weir_superset import assets

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


def minutes(session):
    """Jobs that wait and run, by minute."""
    span = SimpleNamespace(from_expr=SINCE, to_expr=UNTIL)
    sql = jinja2.Environment(autoescape=False).from_string(assets.read().datasets["jobs_active"].sql)
    rows = json.loads(str(session.query(sql.render(get_time_filter=lambda *_, **__: span), "JSON")))["data"]
    found = {}
    for row in rows:
        found.setdefault(row["time"][11:16], {})[row["state"]] = row["jobs"]
    return {time: (states["waiting"], states["running"]) for time, states in found.items()}


def insert(session, jobs):
    rows = [
        {
            "cluster": "c",
            "job_uid": uid,
            "submit_time": submit,
            "start_time": start,
            "end_time": end,
            "version": 1,
        }
        for uid, (submit, start, end) in jobs.items()
    ]
    lines = "\n".join(map(json.dumps, rows))
    session.query("TRUNCATE TABLE scheduler_jobs_versions")
    session.query(f"INSERT INTO scheduler_jobs_versions FORMAT JSONEachRow {lines}")


def test_it_counts_who_waits_and_who_runs(session):
    insert(session, JOBS)
    found = minutes(session)
    assert {time: found[time] for time in EXPECTED} == {
        time: pytest.approx(values, abs=1e-6) for time, values in EXPECTED.items()
    }
    assert len(found) == 120


def test_it_ends_with_the_last_change_where_nobody_waits_or_runs(session):
    insert(session, {uid: job for uid, job in JOBS.items() if uid in ("ran", "ran into the range")})
    assert max(minutes(session)) == "01:00"


def test_it_is_empty_without_jobs(session):
    insert(session, {"was over before": JOBS["was over before"]})
    assert all(values == (0, 0) for values in minutes(session).values())
