"""Commands `weir pipeline ...`."""

import json
import sys
import time
from dataclasses import asdict, astuple
from datetime import UTC, datetime
from typing import Annotated

import typer

from weir.cli import group
from weir.errors import UserError, complain

app = group("pipeline")


@app.command("show")
def pipeline_show(
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object a value, on a line of its own.")
    ] = False,
) -> None:
    """Show lag, restarts, state, retries and load of the Flink jobs as they are now.

    Where Kafka or an endpoint does not answer, its `answers` is 0 and its values are not there.
    """
    from weir import settings
    from weir.admin import pipeline

    config = settings.load()
    found = sorted(pipeline.read(config.metrics_endpoints, config.kafka), key=astuple)
    if as_json:
        for each in found:
            typer.echo(json.dumps(asdict(each) | {"time": each.time.isoformat()}, allow_nan=False))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table("metric", "job", "part", "value")
    for each in found:
        table.add_row(each.metric, each.job, each.part, f"{each.value:,.6g}")
    Console().print(table)


@app.command("record")
def pipeline_record(
    every: Annotated[float, typer.Option(min=1, help="Seconds from one reading to the next.")] = 15,
    once: Annotated[bool, typer.Option("--once", help="Write one reading and end.")] = False,
) -> None:
    """Write what `weir pipeline show` shows into ClickHouse (pipeline_metrics), again and again.

    With `restarts_file` in the settings also what was started again and why (pipeline_restarts); every five
    minutes also delay, new dead letters and coverage. Trouble that begins or is over is reported on the topic
    weir.pipeline.event, also while ClickHouse is away.
    """
    from clickhouse_connect.driver.exceptions import OperationalError

    from weir import clickhouse, settings
    from weir.admin import pipeline
    from weir.admin.pipeline_events import Events
    from weir.admin.pipeline_measures import Measures

    config = settings.load()
    events, measures = Events(config.kafka), Measures()
    while True:
        readings = pipeline.read(config.metrics_endpoints, config.kafka)
        restarts = pipeline.restarts(config.restarts_file) if config.restarts_file else []
        away: Exception | None = None
        try:
            client = clickhouse.connect(config)
            pipeline.write(client, [*readings, *measures.take(client, datetime.now(UTC))])
            pipeline.write_restarts(client, restarts)
        except (UserError, OperationalError) as error:
            away = error
            complain(f"one look is not recorded: {error}")
        now = datetime.now(UTC)
        answer = pipeline.Reading(now, "answers", "", "clickhouse", float(away is None))
        events.tell([*readings, *measures.latest, answer], restarts, now)
        if once:
            sys.exit(1 if away else 0)
        if not away:
            config.alive_for(2 * every + 60)
        time.sleep(every)
