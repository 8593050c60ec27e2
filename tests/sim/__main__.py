"""A simulated center: jobs in every situation, their logs, and what the storage servers measured meanwhile.

The same options and --base give the same messages. `weir` must be set up for the stack (WEIR_CONFIG).
"""

import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
import yaml
from rich.console import Console
from rich.table import Table
from weir import documents, settings
from weir.errors import UserError
from weir.kafka import Publisher
from weir.progress import Progress

from sim.center import Center
from sim.publish import Sent, publish
from sim.schedule import ORDERS, Schedule

Cluster = Annotated[str, typer.Option(help="Name of the cluster; its rows are apart from all others.")]
Seed = Annotated[int, typer.Option(help="Of what is drawn, and of the order.")]
Jobs = Annotated[int, typer.Option(help="Situations that are drawn; most are one job.", min=0)]
Base = Annotated[
    int | None, typer.Option(help="Unix second of the first run; if not given, the last is now.")
]
Hours = Annotated[float, typer.Option(help="Of samples, at least; never less than the runs take.")]
FileSystems = Annotated[int, typer.Option(help="Scratch file systems.", min=1)]
Servers = Annotated[int, typer.Option(help="Of each file system.", min=1)]
Devices = Annotated[int, typer.Option(help="Of each server.", min=1)]
Origin = Annotated[str, typer.Option(help="live, backfill or replay.")]

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help=__doc__,
)


def _center(base: int | None, **options: Any) -> Center:
    if base is None:
        small = Center(**options | {"servers": 1, "devices": 1})
        base = int(time.time()) - (small.storage.time(small.storage.ticks) - small.plan.base)
    return Center(base=base, **options)


@app.command()
def site(
    cluster: Cluster = "sim", filesystems: FileSystems = 8, servers: Servers = 2, devices: Devices = 4
) -> None:
    """Print its site file."""
    center = Center(cluster, jobs=0, filesystems=filesystems, servers=servers, devices=devices)
    typer.echo(yaml.safe_dump(center.site, sort_keys=False), nl=False)


@app.command()
def rate(
    seed: Seed = 1,
    jobs: Jobs = 500,
    hours: Hours = 0,
    filesystems: FileSystems = 8,
    servers: Servers = 2,
    devices: Devices = 4,
) -> None:
    """Make the messages, send none, and tell how fast that was."""
    began = time.monotonic()
    sizes = {"filesystems": filesystems, "servers": servers, "devices": devices}
    center = Center(seed=seed, jobs=jobs, hours=hours, **sizes)
    typer.echo(f"drawn in {time.monotonic() - began:.1f} s")
    sent, began = Sent(), time.monotonic()
    for message in center.messages():
        sent.count(message)
    sent.seconds = time.monotonic() - began
    _print(sent)


@app.command()
def run(
    cluster: Cluster = "sim",
    seed: Seed = 1,
    jobs: Jobs = 500,
    base: Base = None,
    hours: Hours = 0,
    filesystems: FileSystems = 8,
    servers: Servers = 2,
    devices: Devices = 4,
    origin: Origin = "live",
    order: Annotated[str, typer.Option(help=f"Of the messages: {', '.join(ORDERS)}.")] = "time",
    duplicates: Annotated[float, typer.Option(help="Share that is sent twice.", min=0, max=1)] = 0,
    late: Annotated[float, typer.Option(help="Share that comes late.", min=0, max=1)] = 0,
    late_seconds: Annotated[float, typer.Option(help="How late, in the center's time.")] = 600,
    lose: Annotated[float, typer.Option(help="Share of batches that never come.", min=0, max=1)] = 0,
    per_second: Annotated[float, typer.Option(help="Messages a second.", min=0)] = 0,
    speed: Annotated[float, typer.Option(help="Seconds of the center a second.", min=0)] = 0,
    truth: Annotated[
        Path | None, typer.Option(help="Write here what must come of it, a JSON object a line.")
    ] = None,
) -> None:
    """Publish the site and all messages: as fast as can be, or --per-second, or at --speed.

    Ctrl-C stops it; what was sent until then is there.
    """
    if order not in ORDERS:
        raise UserError(f"--order {order}: expected {', '.join(ORDERS)}")
    config = settings.load()
    sizes = {"filesystems": filesystems, "servers": servers, "devices": devices}
    center = _center(base, cluster=cluster, seed=seed, jobs=jobs, origin=origin, hours=hours, **sizes)
    documents.publish(config.kafka, "weir.site", cluster, center.site)
    if truth:
        _write_truth(center, truth)
    schedule = Schedule(
        seed,
        order,
        duplicates=duplicates,
        late=late,
        late_seconds=late_seconds,
        lost={"batch": lose} if lose else {},
        rate=per_second,
        speed=speed,
    )
    sendings, whole = schedule.sendings(center.messages()), center.events * (1 + duplicates)
    with Progress("sending") as show, Publisher(config.kafka, origin) as publisher:
        sent = publish(sendings, publisher, lambda sent: show(sent.events, whole))
    _print(sent)


def _write_truth(center: Center, file: Path) -> None:
    found = center.truth()
    with file.open("w") as out:
        for kind, things in (("run", found.runs.values()), ("job", found.jobs.values())):
            for thing in things:
                out.write(json.dumps({"is": kind} | asdict(thing), default=sorted) + "\n")


def _print(sent: Sent) -> None:
    table = Table("", "number", "a second")
    records = sum(rows for name, rows in sent.rows.items() if name != "device_samples")
    counts = {
        **{f"messages: {kind}": count for kind, count in sent.messages.items()},
        "all messages": sent.messages.total(),
        **{f"rows of {name}": count for name, count in sent.rows.items()},
        "rows of logs": records,
        "bytes": sent.size,
        "acknowledged": sent.acknowledged.total(),
    }
    for name, count in counts.items():
        table.add_row(name, f"{count:,}", f"{count / max(sent.seconds, 1e-9):,.0f}")
    Console().print(table)
    Console().print(f"{sent.seconds:.1f} s{'; stopped before the end' if sent.stopped else ''}")


if __name__ == "__main__":
    try:
        app(prog_name="python -m sim")
    except UserError as error:
        raise SystemExit(f"sim: {error}") from None
