"""Runs every chart's query, so that a wrong column is seen without a browser."""

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from weir_superset import charts
from weir_superset.assets import Assets, Dashboard
from weir_superset.client import Superset, SupersetError
from weir_superset.identity import asset_uuid


class Answer(NamedTuple):
    """What one chart got: rows, the time it took, and the error if there was one."""

    dashboard: str
    chart: str
    rows: int
    seconds: float
    error: str | None


def answers(assets: Assets, superset: Superset) -> Iterator[Answer]:
    """Ask for every chart of every dashboard as the dashboard does, past the cache."""
    datasets = superset.ids("dataset")
    for name, dashboard in assets.dashboards.items():
        for chart in dashboard.charts():
            context = _context(assets, chart, dashboard, datasets)
            started = time.monotonic()
            rows, error = _ask(superset, context)
            yield Answer(name, chart, rows, time.monotonic() - started, error)


def _context(assets: Assets, name: str, dashboard: Dashboard, datasets: dict[str, int]) -> dict[str, Any]:
    chart = assets.charts[name]
    time_range = next((item.default_range for item in dashboard.filters if item.default_range), None)
    context = charts.query_context(chart, assets.datasets[chart.dataset], time_range)
    context["datasource"]["id"] = datasets[str(asset_uuid("datasets", chart.dataset))]
    return context | {"force": True}


def _ask(superset: Superset, context: dict[str, Any]) -> tuple[int, str | None]:
    try:
        return len(superset.chart_data(context)["data"]), None
    except SupersetError as error:
        return 0, str(error)
