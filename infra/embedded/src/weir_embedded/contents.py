"""What a started stack is filled with: topics, tables, the site and its rules, Superset's assets.

Every step may be repeated: it brings its subject to the state that the checkout declares.
"""

import os
import sys
from pathlib import Path

from weir_embedded.commands import run
from weir_embedded.parts import superset
from weir_embedded.progress import Board
from weir_embedded.settings import KAFKA_LOGINS, LOOPBACK, Stack

AFTER_WAVE = 1
"""After the servers are healthy and before the jobs are submitted."""


def publish(stack: Stack, board: Board) -> None:
    """All of it, in order: the tables before the dashboards that read them."""
    logins = [str(stack.weir_config_of(login)) for login in KAFKA_LOGINS]
    weir(stack, board, "Set Kafka's logins", "topics", "logins", *logins, config=stack.weir_config_by_key)
    weir(stack, board, "Set Kafka's rights", "topics", "grant")
    weir(stack, board, "Create the topics", "topics", "apply")
    weir(stack, board, "Migrate the tables", "migrate", "up")
    weir(stack, board, "Publish the site", "site", "publish", str(stack.site))
    weir(stack, board, "Publish the rules", "rules", "publish")
    load_superset(stack, board)


def weir(stack: Stack, board: Board, title: str, *words: str, config: Path | None = None) -> None:
    """Run one `weir` command as a step, as the administrator unless another configuration is given."""
    with board.step(title) as step:
        run(
            [Path(sys.executable).with_name("weir"), *words],
            log=stack.logs / f"weir-{'-'.join(words[:2])}.log",
            step=step,
            env={"WEIR_CONFIG": str(config or stack.weir_config)},
        )


def load_superset(stack: Stack, board: Board) -> None:
    """Datasets, charts and dashboards, as the asset files declare them."""
    clickhouse = f"clickhousedb://reader@{LOOPBACK}:{stack.ports['clickhouse']}/weir"
    with board.step("Load the dashboards") as step:
        run(
            [sys.executable, "-m", "weir_superset", "load"],
            log=stack.logs / "superset-load.log",
            step=step,
            env={
                "PYTHONPATH": os.pathsep.join(
                    [str(stack.root / "superset"), os.environ.get("PYTHONPATH", "")]
                ),
                "WEIR_SUPERSET_URL": stack.superset_url,
                "WEIR_SUPERSET_USER": superset.ADMIN,
                "WEIR_SUPERSET_PASSWORD_FILE": str(stack.secret("superset_admin")),
                "WEIR_SUPERSET_DATABASE_URI": clickhouse,
                "WEIR_SUPERSET_DATABASE_PASSWORD_FILE": str(stack.clickhouse_secret("reader")),
            },
        )
