"""What charts count of a range that begins and ends within their intervals."""

import os
from datetime import timedelta

import pytest
from bench.viewers import questions
from clients import clickhouse
from weir_superset import assets


@pytest.mark.skipif("WEIR_TEST_SUPERSET_URL" in os.environ, reason="its engine cannot be asked")
def test_the_first_interval_of_a_range_counts(superset, stack):
    """Its beginning lies before the range, which Superset would leave out of an interval by itself."""
    engine = clickhouse(stack, "migrator")
    ((first, last),) = engine.query(
        "SELECT min(bucket_start), max(bucket_start) FROM server_load"
    ).result_rows
    # Twelve minutes are shown by intervals of ten seconds.
    since = (first + timedelta(minutes=2)).replace(second=7, microsecond=0)
    until = since + timedelta(minutes=12)
    assert until < last
    within = f"bucket_start >= '{since:%F %T}' AND bucket_start < '{until:%F %T}'"
    counted = engine.query(f"SELECT sum(bytes_read + bytes_written) FROM server_load WHERE {within}")
    ((moved,),) = counted.result_rows
    shipped = assets.read()
    place = [*shipped.dashboards["storage"].charts()].index("storage_figures")
    asked = questions(superset, shipped, "storage", f"{since:%FT%T} : {until:%FT%T}")[place]
    (figures,) = superset.chart_data(asked)["data"]
    assert figures["bytes_moved"] == pytest.approx(moved, rel=1e-9)
