"""B9: what one refresh of a dashboard costs the engine with one viewer, and with twenty who look at once.

    cd tests; ../.weir/venv/bin/python -m bench.viewers [--dashboards NAME,...] [--viewers N] [--turns N]
        [--open SECONDS]

Superset and its password come from WEIR_TEST_SUPERSET_URL and WEIR_TEST_SUPERSET_PASSWORD_FILE, the engine's
address and the password of its login migrator from WEIR_CLICKHOUSE_URL and WEIR_CLICKHOUSE_PASSWORD_FILE. All
viewers ask for all charts, six at a time as browsers do. Prints, of each dashboard, the questions of charts
that reached the engine and their processor time, by its own log, and how long a viewer waited for all
charts: medians of the turns, which begin when answers of the turn before are not kept any more. With
`--open` pages stay open and refresh as the dashboard does: they are opened one after another within one
interval.
"""

import argparse
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

import httpx
from browser.site_under_test import Site
from weir_superset import assets, bundle, charts
from weir_superset.client import Superset
from weir_superset.identity import asset_uuid

AT_ONCE = 6
LOG = """
SELECT count(), sum(ProfileEvents['OSCPUVirtualTimeMicroseconds']) / 1000
FROM system.query_log
WHERE type = 'QueryFinish' AND is_initial_query
    AND query LIKE '%virtual\\_table%' AND query NOT LIKE '%parseQueryToJSON(%'
"""


def main() -> None:
    """Lets them look and prints the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("--dashboards", default="center,jobs,storage")
    options.add_argument("--viewers", type=int, default=20)
    options.add_argument("--turns", type=int, default=5)
    options.add_argument("--open", type=float, default=0, help="how long pages stay open, seconds")
    given = options.parse_args()
    site, shipped = Site.from_environment(), assets.read()
    print("| dashboard | viewers | questions | processor, ms | a viewer waits, s |\n|---|---|---|---|---|")
    with Superset(site.url, site.user, site.password) as superset:
        for name in given.dashboards.split(","):
            asked = questions(superset, shipped, name)
            every = shipped.dashboards[name].refresh_seconds
            for viewers in sorted({1, given.viewers}):
                seen = [turn(superset, asked, viewers, every, given.open) for _ in range(given.turns)]
                statements, taken, waited = (median(each) for each in zip(*seen, strict=True))
                print(f"| {name} | {viewers} | {statements:,.0f} | {taken:,.0f} | {waited:.2f} |", flush=True)


def questions(superset: Superset, shipped: assets.Assets, name: str, span: str | None = None) -> list[dict]:
    """Returns what a browser asks for each chart of a dashboard, over its own range or a given one."""
    found = []
    datasets, slices = superset.ids("dataset"), superset.ids("chart")
    [opening] = [item.default_range for item in shipped.dashboards[name].filters if item.column is None]
    for each in shipped.dashboards[name].charts():
        chart = shipped.charts[each]
        asked = charts.query_context(chart, shipped.datasets[chart.dataset], span or opening)
        asked["datasource"]["id"] = datasets[str(asset_uuid("datasets", chart.dataset))]
        asked["form_data"] = {"slice_id": slices[str(asset_uuid("charts", each))]}
        found.append(asked)
    return found


def turn(
    superset: Superset, asked: list[dict], viewers: int, every: int, opened: float
) -> tuple[float, float, float]:
    """Returns questions, their processor time in ms, and the most seconds that a viewer waited for all."""
    time.sleep(bundle.MOST_KEPT_SECONDS)
    before = logged()
    began = time.monotonic()

    def watch(viewer: int) -> float:
        start = began + (viewer * every / viewers if opened else 0)
        waits = []
        while not waits or start < began + opened:
            time.sleep(max(0, start - time.monotonic()))
            waits.append(look(superset, asked))
            start = max(start + every, time.monotonic())
        return max(waits)

    with ThreadPoolExecutor(viewers) as people:
        waits = list(people.map(watch, range(viewers)))
    after = logged()
    return after[0] - before[0], after[1] - before[1], max(waits)


def look(superset: Superset, asked: list[dict]) -> float:
    """Asks for all charts as a browser does and returns the seconds that it took."""
    began = time.monotonic()
    with ThreadPoolExecutor(AT_ONCE) as connections:
        list(connections.map(superset.chart_data, asked))
    return time.monotonic() - began


def logged() -> tuple[float, float]:
    """Returns how many questions of charts the engine has answered, and their processor time in ms."""
    url = os.environ["WEIR_CLICKHOUSE_URL"]
    password = Path(os.environ["WEIR_CLICKHOUSE_PASSWORD_FILE"]).read_text(encoding="utf-8").strip()
    headers = {"X-ClickHouse-User": "migrator", "X-ClickHouse-Key": password}
    for statement in ("SYSTEM FLUSH LOGS", LOG):
        answer = httpx.post(url, content=statement, headers=headers, timeout=60, trust_env=False)
        answer.raise_for_status()
    count, taken = map(float, answer.text.split())
    return count, taken


if __name__ == "__main__":
    main()
