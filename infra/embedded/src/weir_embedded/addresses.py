"""Lists the addresses of a running stack, and how to log in."""

from rich.table import Table

from weir_embedded.parts import superset
from weir_embedded.settings import Stack


def table(stack: Stack) -> Table:
    """Addresses, logins and the files that hold their passwords."""
    shown = Table(title="Addresses (this machine only)")
    for column in ("what", "address", "login", "password in"):
        shown.add_column(column, no_wrap=True)
    shown.add_row("Superset", stack.superset_url, superset.ADMIN, _short(stack, "superset_admin"))
    shown.add_row("SQL (ClickHouse HTTP)", stack.clickhouse_url, "reader", _short(stack, "clickhouse_reader"))
    shown.add_row("Flink REST", stack.flink_url, "its key", _short(stack, "flink.pem"))
    shown.add_row("Mailbox (all mails that leave)", stack.mailbox_url, "none", "")
    shown.add_row("Kafka", stack.kafka_bootstrap, "admin", _short(stack, "kafka_admin"))
    return shown


def _short(stack: Stack, secret: str) -> str:
    file = stack.secret(secret)
    return str(file.relative_to(stack.root)) if file.is_relative_to(stack.root) else str(file)
