"""Whom a rule would alert, and what changes on the recorded center, from runs as their table keeps them."""

import json
from datetime import UTC, datetime

import pytest
import yaml
from weir.admin import backtest, rules
from weir.admin.backtest import Comparison, Held
from weir.analyze import offline

EVER = datetime(2020, 1, 1, tzinfo=UTC)


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


def shipped():
    return [yaml.safe_load(file.read_text()) for file in sorted(rules.SHIPPED.glob("*.yaml"))]


def row(run):
    """The columns of `runs` that are read, of what the analysis says of a run."""
    told, load, baseline = run.facts, run.facts["load"], run.facts["baseline"]
    parts = told["filesystems"]
    features = {"": told["features"]} | {part["filesystem"] + "/": part["features"] for part in parts}
    return {
        **{name: feature["value"] for name, feature in told["features"].items()},
        **{
            f"filesystem_{name}": [part["features"][name]["value"] for part in parts]
            for name in (parts[0]["features"] if parts else ())
        },
        "filesystems": [part["filesystem"] for part in parts],
        "evidence_classes": {
            place + name: feature["evidence_class"]
            for place, of_place in features.items()
            for name, feature in of_place.items()
        },
        "features_lacking_records": [],
        **told["cost"],
        **{f"load_{name}": load[name] for name in ("state", "util_mean", "util_max", "device_bytes")},
        "load_own_bytes": load["own_bytes"],
        "others_bytes": load["others_bytes"],
        **{f"load_busiest_{name}": value for name, value in (load["busiest"] or {}).items()},
        "baseline_runs": baseline["runs"],
        "baseline_p10_mib_per_second": baseline["p10"],
        "baseline_median_mib_per_second": baseline["median"],
        **{name: told[name] for name in ("log_id", "exe", "job_id", "run_time_seconds")},
        "verdict": told["verdict"]["value"],
        "user": "ann",
        "origin": "live",
    }


@pytest.fixture(scope="module")
def stored(recorded, analysis_jar):
    """Runs of the recorded center, and their rows."""
    logs = sorted((recorded / "darshan").rglob("*.darshan"))
    found = offline.analyze(logs, offline.Inputs(recorded / "site.yaml", recorded / "sacct.psv"))
    assert len(found.runs) == 52
    return found.runs, [row(run) for run in found.runs]


def test_rows_give_the_findings_that_the_logs_gave(stored):
    runs, rows = stored
    said = list(backtest.evaluate(shipped(), {"cluster": "labcluster"}, rows))
    held = {(each["log_id"], f["id"], f["evidence_class"]) for each in said for f in each["holds"]}
    found = {(run.log_id, f["id"], f["evidence_class"]) for run in runs for f in run.facts["findings"]}
    assert held == found
    assert {rule for _, rule, _ in found} >= {"unaligned_io", "small_unaligned_writes", "small_io"}


def test_answers_to_more_runs_than_a_pipe_holds(stored):
    _, rows = stored
    once = list(backtest.evaluate(shipped(), {}, rows))
    assert list(backtest.evaluate(shipped(), {}, 40 * rows)) == 40 * once


def test_another_threshold_shows_what_would_change(stored, monkeypatch, tmp_path):
    runs, rows = stored
    published = {
        "weir.rules": {rules.RULE_SET: {"revision": 3, "content": json.dumps({"rules": shipped()})}},
        "weir.site": {"labcluster": {"content": "{}"}},
    }
    monkeypatch.setattr(backtest.documents, "in_force", lambda kafka, topic: published[topic])
    monkeypatch.setattr(backtest, "stored_runs", lambda *_: iter(rows))
    file = tmp_path / "unaligned_io.yaml"
    rule = yaml.safe_load((rules.SHIPPED / "unaligned_io.yaml").read_text())
    rule["thresholds"]["fewest_requests"] = 4_000
    file.write_text(yaml.safe_dump(rule))
    found = backtest.compare(None, {}, backtest.proposed(str(file), None), EVER, "labcluster")
    told = backtest.as_object(found)
    unaligned = {
        run.log_id: part["features"]["surely_unaligned_requests"]["value"]
        for run in runs
        for part in run.facts["filesystems"]
        if "unaligned_io" in [finding["id"] for finding in run.facts["findings"]]
    }
    fewer = {log_id for log_id, requests in unaligned.items() if requests <= 4_000}
    assert 0 < len(fewer) < len(unaligned)
    assert set(told["removed"]) == fewer
    assert (told["revision_in_force"], told["runs"], told["added"]) == (3, 52, [])
    assert told["in_force"]["holds"] == len(unaligned)
    assert told["proposed"]["holds"] == len(unaligned) - len(fewer)
