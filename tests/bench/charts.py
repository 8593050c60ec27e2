"""B7: how long the query of each chart takes over a history (history.py), and how many rows it reads.

    .weir/venv/bin/python -m bench.charts FOLDER [--ranges DAYS,...] [--dashboards NAME,...] [--user NAME]
        [--landing]

The engine alone: what Superset sends is put together from the dataset's SQL and the chart's columns, metrics
and limits. Prints a Markdown table, of each range the median of the turns in milliseconds, the rows read in
thousands and the rows of the answer, and in the last line of a dashboard the query time of one refresh. Range
0 is that which a page opens with, a day where it has none. With `--landing` what the center sends goes on
beside: every ten seconds each table gets the rows of ten seconds.
"""

import argparse
import json
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from types import SimpleNamespace

import jinja2
from bench.history import DAYS, OF_RUNS, migrated, physical
from chdb.session import Session
from weir_superset import assets, charts
from weir_superset.assets import Chart, Dashboard, Dataset

OPENING = {"3 hours ago : now": 0.125, "Last day": 1, "Last week": 7, "Last month": 30}
"""Days of the ranges that pages open with."""


def main() -> None:
    """Asks each chart of each dashboard and prints the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--ranges", default="0,30,365", help="days before the end; 0 are those of the page")
    options.add_argument("--until", type=datetime.fromisoformat, default=datetime(2026, 11, 1))
    options.add_argument("--turns", type=int, default=5)
    options.add_argument("--dashboards", default="")
    options.add_argument("--user", default="user1", help="who is signed in: user1 has one run in 400")
    options.add_argument("--landing", action="store_true")
    given = options.parse_args()
    engine, until = migrated(given.folder), given.until.replace(tzinfo=UTC)
    landing = Landing(given.folder, until) if given.landing else None
    if landing:
        landing.start()
    ranges = [float(days) for days in given.ranges.split(",")]
    shown = newest(engine)
    shipped = assets.read()
    head = "".join(f" {days:g} d, ms | read, k | rows |" for days in ranges)
    print(f"| chart |{head}\n|---|{'---|---|---|' * len(ranges)}")
    for name, dashboard in shipped.dashboards.items():
        if given.dashboards and name not in given.dashboards.split(","):
            continue
        refresh = [0.0] * len(ranges)
        for each in dashboard.charts():
            chart = shipped.charts[each]
            line = ""
            for place, days in enumerate(ranges):
                since = until - timedelta(days=days or opening(dashboard))
                query = asked(chart, shipped.datasets[chart.dataset], since, until, shown, given.user)
                took, read, rows = measured(engine, query, given.turns)
                refresh[place] += took
                line += f" {took:,.0f} | {read / 1000:,.0f} | {rows:,} |"
            print(f"| {each} |{line}", flush=True)
        print(
            f"| **{name}, one refresh** |" + "".join(f" **{took:,.0f}** | | |" for took in refresh),
            flush=True,
        )
    if landing:
        landing.stop()


class Landing(threading.Thread):
    """Writes the rows of the last ten seconds again and again, each time ten seconds later."""

    SECONDS = 10

    def __init__(self, folder: Path, until: datetime):
        super().__init__()
        self._engine, self._until = Session(str(folder)), until
        self._ended = threading.Event()
        self._steps, self._writing = 0, 0.0

    def run(self) -> None:
        """Writes until it is stopped; what takes longer than its turn delays the next."""
        while not self._ended.wait(max(0, self.SECONDS - self._writing)):
            began = time.monotonic()
            self._steps += 1
            times = OF_RUNS | {table: column for table, (column, _) in DAYS.items()}
            for table, column in times.items():
                self._engine.query(
                    f"INSERT INTO weir.{physical(table)} "
                    f"SELECT * REPLACE ({column} + INTERVAL {self.SECONDS * self._steps} SECOND AS {column}) "
                    f"FROM weir.{physical(table)} WHERE {column} < '{self._until:%F %T}' "
                    f"AND {column} >= '{self._until - timedelta(seconds=self.SECONDS):%F %T}'"
                )
            self._writing = time.monotonic() - began

    def stop(self) -> None:
        """Ends it and says how far it came."""
        self._ended.set()
        self.join()
        print(f"landed {self._steps} times {self.SECONDS} s, the last one in {self._writing:.1f} s")


def opening(dashboard: Dashboard) -> float:
    """Returns the days of the range that a page opens with; one if it has no range."""
    return next((OPENING[each.default_range] for each in dashboard.filters if each.default_range), 1)


def measured(engine: Session, query: str, turns: int) -> tuple[float, int, int]:
    """Returns the median milliseconds of a query, the rows that it reads and those of its answer."""
    took = []
    for _ in range(turns):
        began = time.monotonic()
        answer = json.loads(str(engine.query(query, "JSONCompact")))
        took.append(1000 * (time.monotonic() - began))
    return median(took), answer["statistics"]["rows_read"], answer["rows"]


def newest(engine: Session) -> dict[str, str]:
    """Returns the largest run of the newest hour and its job, for the pages that show one."""
    found = engine.query(
        "SELECT log_id, job_uid FROM runs "
        "ORDER BY toStartOfHour(start_time) DESC, nprocs DESC, start_time DESC LIMIT 1",
        "JSONCompact",
    )
    return dict(zip(("run", "job"), json.loads(str(found))["data"][0], strict=True))


def asked(
    chart: Chart,
    dataset: Dataset,
    since: datetime,
    until: datetime,
    shown: dict[str, str] | None = None,
    user: str = "user1",
    chosen: dict[str, str | float] | None = None,
) -> str:
    """Returns the SQL that Superset makes for a chart over a range or of a run and job, of what is chosen."""
    bounds = SimpleNamespace(from_expr=f"{since:%F %T}", to_expr=f"{until:%F %T}")
    left = dict(chosen or {})  # what the dataset does not take upon itself

    def filter_values(column: str, *, remove_filter: bool = False) -> list[str | float]:
        if remove_filter:
            left.pop(column, None)
        return [chosen[column]] if chosen and column in chosen else []

    environment = jinja2.Environment(autoescape=False)
    environment.filters["where_in"] = lambda values: f"({', '.join(map(literal, values))})"
    inner = environment.from_string(dataset.sql).render(
        get_time_filter=lambda *_, **__: bounds,
        filter_values=filter_values,
        centers_in=lambda _: ["history"],
        reports_can_be_made=lambda: True,
        url_param=(shown or {}).get,
        current_username=lambda: user,
    )
    params = charts.full_params(chart, dataset)
    conditions = [f"{column} = {literal(value)}" for column, value in left.items()]
    return "\n".join(lines(chart, dataset, params, f"(\n{inner}\n) AS asked", conditions))


def literal(value: str | float) -> str:
    """Returns a value as SQL writes it."""
    return f"'{value}'" if isinstance(value, str) else str(value)


def lines(chart: Chart, dataset: Dataset, params: dict, inner: str, conditions: list[str]) -> Iterator[str]:
    """Gives the lines of the query around a dataset's own."""
    groups, metrics = charts.columns(chart), charts.metrics(chart)
    expressions = {metric.name: metric.expression for metric in dataset.metrics}
    order = [f"{expressions[name]} DESC" for name in metrics[:1]]
    if charts.is_raw_table(chart):
        given = [json.loads(each) for each in params.get("order_by_cols", [])]
        order = [f"{name} {'ASC' if ascending else 'DESC'}" for name, ascending in given]
    shown = list(groups)
    if "series_limit" in params:
        [series] = params["groupby"]
        by = expressions[params["series_limit_metric"]]
        largest = "\n".join(where(inner, conditions))
        largest = f"SELECT {series} {largest} GROUP BY 1 ORDER BY {by} DESC LIMIT {params['series_limit']}"
        conditions = [*conditions, f"{series} IN ({largest})"]
    yield f"SELECT {', '.join([*shown, *(expressions[name] for name in metrics)])}"
    yield from where(inner, conditions)
    if groups and metrics:
        yield f"GROUP BY {', '.join(shown)}"
    if order and groups:
        yield f"ORDER BY {', '.join(order)}"
    yield f"LIMIT {params['row_limit']}"


def where(inner: str, conditions: list[str]) -> Iterator[str]:
    """Gives the lines that say of which rows."""
    yield f"FROM {inner}"
    if conditions:
        yield f"WHERE {' AND '.join(conditions)}"


if __name__ == "__main__":
    main()
