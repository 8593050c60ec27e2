"""The ClickHouse front: the engine in one Python process behind the ClickHouse HTTP interface."""

import importlib.metadata
import sys
from pathlib import Path

from weir_embedded import templates
from weir_embedded.parts.part import Part, get
from weir_embedded.settings import LOGINS, LOOPBACK, Stack


def part(stack: Stack) -> Part:
    """The front as a supervised program."""
    return Part(
        name="clickhouse",
        title="ClickHouse front",
        argv=(str(Path(sys.executable).with_name("weir-clickhouse-front")),),
        env={
            "WEIR_FRONT_HOST": LOOPBACK,
            "WEIR_FRONT_PORT": str(stack.ports["clickhouse"]),
            "WEIR_FRONT_DATA_PATH": str(stack.data / "clickhouse"),
            "WEIR_FRONT_USERS_FILE": str(_users_file(stack)),
            "WEIR_FRONT_MEMORY_BYTES": str(stack.engine_memory_mb * 2**20),
        },
        check=lambda: check(stack),
        version=lambda: f"chDB {importlib.metadata.version('chdb')}",
        stop_seconds=30,
    )


def prepare(stack: Stack) -> None:
    """Write the logins; each login's profile has its name."""
    (stack.data / "clickhouse").mkdir(parents=True, exist_ok=True)
    users = {login: stack.clickhouse_secret(login) for login in LOGINS}
    templates.write(_users_file(stack), "clickhouse-users.yaml.j2", users=users)


def check(stack: Stack) -> None:
    """Healthy when its engine answers, which is asked where no user's query is waited for."""
    get(f"{stack.clickhouse_url}/health")


def _users_file(stack: Stack) -> Path:
    return stack.conf / "clickhouse-users.yaml"
