"""B7: how long the charts of a page take over a history (history.py) once a bar or a cell is clicked.

    .weir/venv/bin/python -m bench.clicks FOLDER [--days N] [--dashboards NAME,...] [--user NAME] [--turns N]
        [--last]

Of each chart with bars, slices or rows that stand for a value, the first one is clicked, which has most of
what the chart counts, or the last one, of which few rows are to be found. The other charts of the page that
have its column are asked, as bench/charts.py asks them. Prints a Markdown table: what is clicked, how many
charts are asked, their time together, the slowest of them, and the rows that it reads in thousands; last, of
all charts asked, what half of them take at most and 19 of 20.
"""

import argparse
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import quantiles

from bench.charts import asked, measured, newest
from bench.history import migrated
from weir_superset import assets, charts


def main() -> None:
    """Clicks the charts of each dashboard and prints the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--days", type=int, default=365, help="the range, before the end")
    options.add_argument("--until", type=datetime.fromisoformat, default=datetime(2026, 11, 1))
    options.add_argument("--turns", type=int, default=3)
    options.add_argument("--dashboards", default="")
    options.add_argument("--user", default="user1", help="who is signed in")
    options.add_argument("--last", action="store_true", help="click the last bar or row, not the first")
    given = options.parse_args()
    engine, until = migrated(given.folder), given.until.replace(tzinfo=UTC)
    since = until - timedelta(days=given.days)
    shown, shipped = newest(engine), assets.read()

    def query(name: str, chosen: dict[str, str | float]) -> str:
        chart = shipped.charts[name]
        return asked(chart, shipped.datasets[chart.dataset], since, until, shown, given.user, chosen)

    times: list[float] = []
    print("| page | clicked | column | charts | ms | slowest | ms | read, k |")
    print("|---|---|---|---|---|---|---|---|")
    for page, dashboard in shipped.dashboards.items():
        if given.dashboards and page not in given.dashboards.split(","):
            continue
        for clicked, column, others in clicks(shipped, dashboard):
            rows = json.loads(str(engine.query(query(clicked, {}), "JSONCompact")))
            if not rows["data"]:
                continue
            place = [field["name"] for field in rows["meta"]].index(column)
            chosen = {column: rows["data"][-1 if given.last else 0][place]}
            took = {each: measured(engine, query(each, chosen), given.turns) for each in others}
            slowest = max(took, key=lambda each: took[each][0])
            together = sum(ms for ms, *_ in took.values())
            times += [ms for ms, *_ in took.values()]
            print(
                f"| {page} | {clicked} | {column} | {len(others)} | {together:,.0f} "
                f"| {slowest} | {took[slowest][0]:,.0f} | {took[slowest][1] / 1000:,.0f} |",
                flush=True,
            )
    cuts = quantiles(times, n=20)
    print(f"of {len(times)} charts half take {cuts[9]:,.0f} ms at most, 19 of 20 {cuts[18]:,.0f}")


def clicks(shipped: assets.Assets, dashboard: assets.Dashboard) -> Iterator[tuple[str, str, list[str]]]:
    """Gives each chart of a page, the columns that a click on it chooses by, and who else has these."""
    has = {each: columns(shipped, each) for each in dashboard.charts()}
    for clicked in dashboard.charts():
        for column in chosen_by(shipped, clicked):
            not_asked = {clicked, *dashboard.except_from_clicks}
            others = [each for each in dashboard.charts() if column in has[each] and each not in not_asked]
            if others:
                yield clicked, column, others


def columns(shipped: assets.Assets, chart: str) -> dict[str, str]:
    """Returns the types of the columns of a chart's dataset."""
    return {each.name: each.type for each in shipped.datasets[shipped.charts[chart].dataset].columns}


def chosen_by(shipped: assets.Assets, name: str) -> list[str]:
    """Returns the columns of which a click on the chart chooses a value; a raw table has cells beside."""
    chart = shipped.charts[name]
    if charts.is_raw_table(chart) or chart.viz_type == charts.HEATMAP:
        return []
    types = columns(shipped, name)
    return [each for each in charts.columns(chart) if types[each] != "DATETIME"]


if __name__ == "__main__":
    main()
