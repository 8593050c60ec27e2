"""Loading the assets again changes nothing."""

import pytest
from weir_superset import assets
from weir_superset.client import Superset

KINDS = ("database", "dataset", "chart", "dashboard")


def test_loading_twice_makes_no_duplicates(superset_site):
    if superset_site.database_uri is None:
        pytest.skip("WEIR_TEST_SUPERSET_DATABASE_URI is not set: this Superset is not ours to load into")
    superset_site.load()
    with Superset(superset_site.url, superset_site.user, superset_site.password) as superset:
        before = {kind: superset.ids(kind) for kind in KINDS}
        superset_site.load()
        assert {kind: superset.ids(kind) for kind in KINDS} == before
    shipped = assets.read()
    assert len(before["chart"]) >= len(shipped.charts)
    assert len(before["dataset"]) >= len(shipped.datasets)
