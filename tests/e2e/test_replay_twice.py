"""Publishing everything again changes no row."""

from clients import CENTER
from sim.views import compared_views

# how a row came here, not what it says; `time` of a dead letter is when it was refused
PASSAGE = {"landed_at", "origin"}
MEASUREMENTS = {
    "landings",
    "producer_ledger",
    "landings_by_hour",
    "landings_hourly",
    "pipeline_metrics",
    "pipeline_metrics_by_hour",
    "pipeline_metrics_hourly",
    "pipeline_restarts",
    "migrations",
    "dead_letters",
}
# whether a server is silent is judged by the clock (test_storage_events.py)
# When a message to a user is decided, is that of the result's arrival (test_alerts.py).
BY_THE_CLOCK = {"storage_events", "cases", "alerts", "deliveries", "alert_controls"}


def checksums(sql):
    """View -> (rows, checksum over all columns that a replay must not change)."""
    out = {}
    for view in sorted(compared_views(sql, MEASUREMENTS | BY_THE_CLOCK)):
        columns = [row["name"] for row in sql.rows(f"DESCRIBE TABLE {view}") if row["name"] not in PASSAGE]
        listed = ", ".join(f"`{column}`" for column in columns)
        checksum = f"groupBitXor(cityHash64(formatRow('JSONEachRow', {listed})))"
        row = sql.rows(f"SELECT count() AS n, {checksum} AS x FROM {view}")[0]
        out[view] = (row["n"], row["x"])
    return out


def test_a_second_replay_changes_no_checksum(center, weir, sql, drained):
    drained()
    before = checksums(sql)
    assert before["runs"][0] >= 52
    assert before["findings"][0] > 0
    assert before["filesystem_load"][0] > 0
    weir("replay", CENTER, "--speed", "1000000")
    drained()
    assert checksums(sql) == before
