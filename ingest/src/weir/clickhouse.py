"""Connections to ClickHouse, by login."""

from typing import TYPE_CHECKING

from weir.settings import Settings

if TYPE_CHECKING:
    from clickhouse_connect.driver.client import Client


def connect(settings: Settings, *, migrator: bool = False, database: str | None = None) -> "Client":
    """A client of the writer's login, or of the migrator's, who may change tables."""
    import clickhouse_connect

    user = settings.migrator_user if migrator else settings.clickhouse_user
    file = settings.migrator_password_file if migrator else settings.clickhouse_password_file
    return clickhouse_connect.get_client(
        dsn=settings.clickhouse_url,
        username=user,
        password=file.read_text().strip(),
        database=settings.clickhouse_database if database is None else database,
    )
