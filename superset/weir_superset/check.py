"""Runs every chart's query, so that a wrong column is seen without a browser."""

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from weir_superset import charts
from weir_superset.assets import Assets, Dashboard
from weir_superset.client import Superset, SupersetError
from weir_superset.identity import asset_uuid

RUNS = "jobs_run_table"
SUBJECTS = {"run": "log_id", "job": "job_uid"}
"""What a page can show one of, and the column of the dataset of runs that names it."""


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
    subjects = _newest(assets, superset, datasets)
    for name, dashboard in assets.dashboards.items():
        for chart in dashboard.charts():
            context = _context(assets, chart, dashboard, datasets, subjects)
            started = time.monotonic()
            rows, error = _ask(superset, context)
            yield Answer(name, chart, rows, time.monotonic() - started, error)


def _newest(assets: Assets, superset: Superset, datasets: dict[str, int]) -> dict[str, str]:
    """Gives the newest run and its job, for the pages that show one; nothing where there is none."""
    context = charts.query_context(assets.charts[RUNS], assets.datasets["runs"])
    query = context["queries"][0]
    query |= {"columns": list(SUBJECTS.values()), "orderby": [["time", False]], "row_limit": 1}
    context["datasource"]["id"] = datasets[str(asset_uuid("datasets", "runs"))]
    rows = superset.chart_data(context)["data"]
    return {subject: row[column] for row in rows for subject, column in SUBJECTS.items() if row[column]}


def _context(
    assets: Assets, name: str, dashboard: Dashboard, datasets: dict[str, int], subjects: dict[str, str]
) -> dict[str, Any]:
    chart = assets.charts[name]
    time_range = next((item.default_range for item in dashboard.filters if item.default_range), None)
    shown = {dashboard.subject: subjects[dashboard.subject]} if dashboard.subject in subjects else {}
    context = charts.query_context(chart, assets.datasets[chart.dataset], time_range, shown)
    context["datasource"]["id"] = datasets[str(asset_uuid("datasets", chart.dataset))]
    return context | {"force": True}


def _ask(superset: Superset, context: dict[str, Any]) -> tuple[int, str | None]:
    try:
        return len(superset.chart_data(context)["data"]), None
    except SupersetError as error:
        return 0, str(error)
