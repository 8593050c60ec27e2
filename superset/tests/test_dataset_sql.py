"""The query of every dataset over empty tables: with and without range and filters, and its columns."""

import pytest
from dataset_engine import ASSETS

CHOSEN = {name: ["it's one", "another"] for name in ("server", "account", "exe", "filesystem", "job", "user")}


@pytest.mark.parametrize("name", ASSETS.datasets)
def test_a_query_returns_the_columns_that_are_declared(engine_of, name):
    declared = {column.name for column in ASSETS.datasets[name].columns}
    assert declared <= engine_of({}).columns(name)
    assert declared <= engine_of({}).columns(name, since=None, until=None, filters=CHOSEN)


@pytest.mark.parametrize("name", [name for name in ASSETS.datasets if ASSETS.datasets[name].metrics])
def test_every_metric_is_an_aggregate_of_the_columns(engine_of, name):
    engine_of({}).metrics(name, "time")
