"""Rules over stored runs: what the stream said, and what it would have said."""

import json
from datetime import UTC, datetime

import yaml
from clients import CLUSTER
from weir.admin import backtest, rules

EVER = datetime(2020, 1, 1, tzinfo=UTC)


def test_stored_features_give_the_findings_that_the_stream_wrote(center, sql):
    """Every rule over every run, each as the stream saw it, its load and its earlier runs with it."""
    in_force = [yaml.safe_load(file.read_text()) for file in sorted(rules.SHIPPED.glob("*.yaml"))]
    runs = list(backtest.stored_runs(sql.client, list(rules.features().values()), EVER, CLUSTER))
    said = list(backtest.evaluate(in_force, {"cluster": CLUSTER}, runs))
    assert len(said) == 52
    got = {(run["log_id"], each["id"], each["evidence_class"]) for run in said for each in run["holds"]}
    rows = sql.rows("SELECT log_id, rule_id, evidence_class FROM findings WHERE cluster = 'labcluster'")
    assert got == {(row["log_id"], row["rule_id"], row["evidence_class"]) for row in rows}


def test_another_threshold_shows_what_would_change(center, sql, weir, tmp_path):
    rule = yaml.safe_load((rules.SHIPPED / "file_per_process_at_scale.yaml").read_text())
    rule["thresholds"]["fewest_processes"] = 8
    file = tmp_path / "file_per_process_at_scale.yaml"
    file.write_text(yaml.safe_dump(rule))
    answer = json.loads(weir("rules", "backtest", file, "--cluster", CLUSTER, "--json"))
    expected = sql.rows(
        "SELECT log_id FROM runs WHERE cluster = 'labcluster' AND nprocs >= 8 AND unique_files >= nprocs"
    )
    assert expected
    assert set(answer["added"]) == {row["log_id"] for row in expected}
    assert (answer["runs"], answer["removed"]) == (52, [])
    assert answer["in_force"]["holds"] == 0
    assert answer["proposed"]["holds"] == len(expected)
    text = weir("rules", "backtest", file, "--cluster", CLUSTER)
    assert "Only the proposed rule holds for" in text
    in_force = sql.rows(
        "SELECT rule_id FROM findings WHERE cluster = 'labcluster' AND rule_id = 'file_per_process_at_scale'"
    )
    assert in_force == [], "nothing was published"


def test_what_cannot_be_tested_is_told(center, weir, tmp_path):
    assert "there is no such rule file" in weir("rules", "backtest", "nothing", "--cluster", CLUSTER, code=1)
    assert "no such cluster" in weir("rules", "backtest", "small_io", "--cluster", "nowhere", code=1)
    assert "36h or 30d" in weir(
        "rules", "backtest", "small_io", "--cluster", CLUSTER, "--since", "1y", code=2
    )
    file = tmp_path / "wrong.yaml"
    file.write_text((rules.SHIPPED / "small_io.yaml").read_text().replace("small_", "tiny_"))
    assert "tiny_" in weir("rules", "backtest", file, "--cluster", CLUSTER, code=1)
