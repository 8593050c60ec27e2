"""Commands `weir reference ...`."""

import time
from datetime import date, datetime
from typing import Annotated, Any

import typer

from weir.cli import group

app = group("reference")

Day = Annotated[
    datetime | None,
    typer.Option(
        formats=["%Y-%m-%d"], help="As of this day of the site; the newest closed one if not given."
    ),
]


@app.command("show")
def reference_show(day: Day = None) -> None:
    """Show the rates of each site as of a day; publish nothing."""
    from rich.console import Console
    from rich.table import Table

    table = Table("cluster", "file system", "direction", "nodes from", "day", "runs", "MiB/s per node")
    for each in (rate for rates in _references(day).values() for rate in rates):
        nodes, rate = str(10 ** each["nodes_decade"]), f"{each['mib_per_second_per_node_p75']:.1f}"
        where = each["cluster"], each["filesystem"], each["direction"]
        table.add_row(*where, nodes, str(each["day"]), str(each["runs"]), rate)
    Console().print(table)


@app.command("publish")
def reference_publish(
    day: Day = None,
    follow: Annotated[
        bool, typer.Option("--follow", help="Stay, and publish each day when it is closed.")
    ] = False,
) -> None:
    """Publish the rates of each site: the 75th percentile of comparable runs of the 30 days before.

    Runs are comparable on one file system, in one direction and decade of nodes; fewer than 20 make no rate.
    """
    from weir import settings
    from weir.admin import reference
    from weir.kafka import Publisher

    config, look_seconds = settings.load(), 600
    published: set[tuple[str, date]] = set()
    while True:
        for (cluster, of_day), rates in _references(day).items():
            if (cluster, of_day) not in published:
                with Publisher(config.kafka, "live") as publisher:
                    reference.publish(publisher, rates)
                published.add((cluster, of_day))
                typer.echo(f"{cluster}: {len(rates)} rates as of {of_day}")
        if not follow:
            break
        config.alive_for(2 * look_seconds)
        time.sleep(look_seconds)


def _references(day: datetime | None) -> "dict[tuple[str, date], list[dict[str, Any]]]":
    """Rates by cluster and day."""
    from weir import clickhouse, settings
    from weir.admin import reference

    config = settings.load()
    client = clickhouse.connect(config)
    found = {}
    for cluster, zone in reference.zones(config.kafka).items():
        of_day = day.date() if day else reference.closed_day(zone)
        found[cluster, of_day] = reference.rates(client, cluster, of_day, zone)
    return found
