"""Whom a rule would alert; what it says of runs is for the evaluator's own tests."""

from weir import backtest
from weir.backtest import Comparison, Held


def held(*runs):
    """Of a rule that holds for runs of (user, origin, verdict, severity)."""
    out = Held()
    for number, (user, origin, verdict, severity) in enumerate(runs):
        run = {"log_id": str(number), "user": user, "origin": origin, "verdict": verdict}
        run["node_hours_lost"] = None
        said = {"unknowable": [], "holds": [{"id": "small_io", "severity": severity}]}
        out.take("small_io", run, said)
    return out


def test_alerted_are_users_of_live_slow_runs_that_are_not_the_storages_fault():
    proposed = held(
        ("ann", "live", "application", "warning"),
        ("ann", "backfill", "application", "critical"),
        ("bob", "backfill", "application", "critical"),
        ("cem", "replay", "mixed", "critical"),
        ("dan", "live", "storage", "critical"),
        ("eve", "live", "unknown", "info"),
        ("fay", "live", "unknown", "notice"),
        (None, "live", "mixed", "critical"),
    )
    told = backtest.as_object(Comparison("small_io", 3, False, 8, Held(), proposed))
    assert told["proposed"]["holds"] == 8
    assert told["proposed"]["users_alerted"] == ["ann", "fay"]
    assert told["in_force"]["users_alerted"] == []
