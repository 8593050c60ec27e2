"""Command `weir replay`."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weir.cli import alone

if TYPE_CHECKING:
    from clickhouse_connect.driver.client import Client

    from weir.progress import Progress
    from weir.replay.ledger import Balance

app = alone()


@app.command("replay")
def replay_command(
    folder: Annotated[Path, typer.Argument(help="A recorded center: a folder with center.yaml.")],
    speed: Annotated[float, typer.Option(help="Recorded seconds a second; event times do not change.")] = 8.0,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Drop the cluster's rows, choose a new shift.")
    ] = False,
    live: Annotated[bool, typer.Option("--live", help="Publish as live: messages to users follow.")] = False,
    wait: Annotated[float, typer.Option(help="Seconds to wait until everything has landed.")] = 180.0,
) -> None:
    """Publish a recorded center as if it were happening now.

    Its last event falls on the first replay.
    Ends with what was sent and what landed, as ClickHouse has it, and with code 1 if that differs, be it less
    or more. What an earlier replay of the same recording sent counts once, so a second one waits for nothing.
    """
    from weir import clickhouse, settings
    from weir.kafka import Publisher
    from weir.progress import Progress
    from weir.replay import center, ledger, replay

    config = settings.load()
    with Progress("reading the recording") as show:
        recording = center.load(folder, show)
    cluster = recording.site["cluster"]
    memory = config.state_dir / f"replay-{cluster}.json"
    if fresh:
        ledger.drop_rows(clickhouse.connect(config, migrator=True), config.clickhouse_database, cluster)
        memory.unlink(missing_ok=True)
    shift = replay.shift_seconds(memory, recording, time.time())
    origin = "live" if live else "replay"
    with Progress("replaying") as show, Publisher(config.kafka, origin) as publisher:
        sent = replay.replay(recording, publisher, shift, speed, show)
    client = clickhouse.connect(config)
    ledger.write(client, cluster, sent)
    with Progress("landing") as show:
        balance = _await_landed(client, cluster, wait, show)
    _print_balance(balance)
    ledger.refuse_uneven(balance, cluster, wait)


def _await_landed(client: "Client", cluster: str, wait: float, show: "Progress") -> "Balance":
    from weir.replay import ledger

    deadline = time.monotonic() + wait
    balance = ledger.balance(client, cluster)
    most = balance.awaited
    while balance.awaited and time.monotonic() < deadline:
        time.sleep(1)
        balance = ledger.balance(client, cluster)
        most = max(most, balance.awaited)
        show(most - balance.awaited, most)
    return balance


def _print_balance(balance: "Balance") -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("", "sent", "landed")
    for kind, landed in balance.landed.items():
        table.add_row(kind, str(balance.sent.get(kind, 0)), str(landed))
    table.add_row("settled job results", "", str(balance.settled))
    table.add_row("findings", "", str(balance.findings))
    Console().print(table)
