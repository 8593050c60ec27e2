"""B7: how long the query of each chart takes over a history (history.py), and how many rows it reads.

    .weir/venv/bin/python tests/bench/charts.py FOLDER [--days N] [--until DATE] [--turns N]

The engine alone: what Superset would send is put together from the dataset's SQL and the chart's columns and metrics.
Prints a Markdown table: median and worst of the turns, rows read, rows in the answer.
"""

import argparse
import json
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from types import SimpleNamespace

import jinja2
from bench.history import migrated
from weir_superset import assets, charts
from weir_superset.assets import Chart, Dataset


def main() -> None:
    """Ask each chart of each dashboard and print the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--days", type=float, default=1)
    options.add_argument("--until", type=datetime.fromisoformat, default=datetime(2026, 11, 1))
    options.add_argument("--turns", type=int, default=3)
    given = options.parse_args()
    engine = migrated(given.folder)
    until = given.until.replace(tzinfo=UTC)
    since = until - timedelta(days=given.days)
    shipped = assets.read()
    print("| dashboard | chart | median, ms | worst | rows read | rows |\n|---|---|---|---|---|---|")
    for name, dashboard in shipped.dashboards.items():
        for each in dashboard.charts():
            chart = shipped.charts[each]
            query = asked(chart, shipped.datasets[chart.dataset], since, until)
            took = []
            for _ in range(given.turns):
                began = time.monotonic()
                answer = json.loads(str(engine.query(query, "JSONCompact")))
                took.append(1000 * (time.monotonic() - began))
            read = answer["statistics"]["rows_read"]
            print(
                f"| {name} | {each} | {median(took):,.0f} | {max(took):,.0f} | {read:,} | {answer['rows']:,} |",
                flush=True,
            )


def asked(chart: Chart, dataset: Dataset, since: datetime, until: datetime) -> str:
    """Returns the SQL that Superset would make for a chart over a range, without filters."""
    bounds = SimpleNamespace(from_expr=f"{since:%F %T}", to_expr=f"{until:%F %T}")
    environment = jinja2.Environment(autoescape=False)  # noqa: S701 - SQL of the repository
    environment.filters["where_in"] = lambda values: "(" + ", ".join(f"'{value}'" for value in values) + ")"
    template = environment.from_string(dataset.sql)
    inner = template.render(get_time_filter=lambda *_, **__: bounds, filter_values=lambda *_, **__: [])
    groups = charts.columns(chart)
    expressions = {metric.name: metric.expression for metric in dataset.metrics}
    shown = [*groups, *(f"{expressions[name]} AS m_{name}" for name in charts.metrics(chart))]
    grouped = f"GROUP BY {', '.join(groups)}" if groups and charts.metrics(chart) else ""
    ordered = f"ORDER BY m_{charts.metrics(chart)[0]} DESC" if grouped else ""
    return f"SELECT {', '.join(shown)} FROM (\n{inner}\n) AS asked {grouped} {ordered} LIMIT 10000"


if __name__ == "__main__":
    main()
