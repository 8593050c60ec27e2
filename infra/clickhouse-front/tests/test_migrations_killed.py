"""kill -9 of `weir migrate` around and within a statement: run again, it gives the same schema (F20)."""

import os
import random
import signal
from collections.abc import Callable, Iterator
from multiprocessing import get_context
from typing import Any

import clickhouse_connect
import pytest
from clickhouse_connect.driver.client import Client
from front_process import FrontProcess, password
from urllib3.connection import HTTPConnection
from weir.admin.migrations import Migrator, all_migrations

DATABASE = "killed"
# of each migration; WEIR_KILLS=1000 tries every statement
KILLS = int(os.environ.get("WEIR_KILLS", "1"))
FORK = get_context("fork")


def connect(front: FrontProcess) -> Client:
    return clickhouse_connect.get_client(
        host="127.0.0.1",
        port=front.port,
        username="migrator",
        password=password("migrator"),
        autogenerate_session_id=False,
    )


@pytest.fixture
def client(front: FrontProcess) -> Iterator[Client]:
    client = connect(front)
    client.command(f"DROP DATABASE IF EXISTS {DATABASE}")
    yield client
    client.command(f"DROP DATABASE IF EXISTS {DATABASE}")


def schema(client: Client) -> list[Any]:
    """Every table and column as the engine has it; what differs from creation to creation is left out."""
    tables = client.query(
        "SELECT name, engine_full, as_select, sorting_key, partition_key, comment FROM system.tables"
        f" WHERE database = '{DATABASE}' AND name != 'migrations' ORDER BY name"
    ).result_rows
    columns = client.query(
        "SELECT table, position, name, type, default_kind, default_expression, comment, compression_codec "
        f"FROM system.columns WHERE database = '{DATABASE}' AND table != 'migrations' ORDER BY ALL"
    ).result_rows
    return [*tables, *columns]


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def killed_at(front: FrontProcess, migrate: Callable[[Migrator], object], request: int, when: str) -> bool:
    """Runs `migrate` in a process that dies at its request of this number; whether it came to that.

    `when`: before the request is sent, before its answer is read, or after.
    """

    def run() -> None:
        migrator = Migrator(connect(front), DATABASE)
        left = request
        send, answer = HTTPConnection.request, HTTPConnection.getresponse

        def sends(*args: Any, **options: Any) -> None:
            nonlocal left
            left -= 1
            if left < 0 and when == "before":
                die()
            send(*args, **options)

        def answers(connection: HTTPConnection) -> Any:
            if left < 0 and when == "within":
                die()
            answered = answer(connection)
            if left < 0:
                die()
            return answered

        HTTPConnection.request, HTTPConnection.getresponse = sends, answers  # type: ignore[method-assign]
        migrate(migrator)

    process = FORK.Process(target=run)
    process.start()
    process.join()
    assert process.exitcode in (0, -signal.SIGKILL)
    return process.exitcode != 0


def upwards(number: int) -> Callable[[Migrator], object]:
    return lambda migrator: list(Migrator(migrator.client, DATABASE, migrator.migrations[:number]).up())


def downwards(number: int) -> Callable[[Migrator], object]:
    return lambda migrator: list(migrator.down(number))


@pytest.mark.parametrize("when", ["before", "within", "after"])
def test_a_migration_that_is_killed_at_any_request_is_run_again(
    front: FrontProcess, client: Client, when: str
) -> None:
    chosen = random.Random(20)
    migrations = all_migrations()
    list(Migrator(client, DATABASE).up())
    whole = schema(client)
    client.command(f"DROP DATABASE {DATABASE}")

    def kill(migration: int, migrate: Callable[[Migrator], object], direction: str) -> int:
        # beside its statements what is asked and marked
        requests = range(len(migrations[migration - 1].statements(direction)) + 6)
        points = sorted(chosen.sample(requests, min(KILLS, len(requests))))
        return sum(killed_at(front, migrate, point, when) for point in points)

    numbers = range(1, len(migrations) + 1)
    kills = sum(kill(number, upwards(number), "up") for number in numbers)
    list(Migrator(client, DATABASE).up())
    assert schema(client) == whole

    kills += sum(kill(number, downwards(number - 1), "down") for number in reversed(numbers))
    list(Migrator(client, DATABASE).down(0))
    assert schema(client) == []
    list(Migrator(client, DATABASE).up())
    assert schema(client) == whole
    assert kills > len(migrations)
