"""Connections to ClickHouse, by login; a server that is away for a moment is waited for."""

from pathlib import Path
from typing import TYPE_CHECKING

import clickhouse_connect
from clickhouse_connect.driver.exceptions import ClickHouseError, OperationalError
from tenacity import retry, retry_if_exception_type, wait_exponential

from weir.errors import UserError
from weir.settings import ClickHouseSettings, ReaderSettings, Settings

if TYPE_CHECKING:
    from clickhouse_connect.driver.client import Client

PATIENCE_SECONDS = 60
# A migration may copy a table of a year; what is asked otherwise is answered within minutes.
MIGRATION_SECONDS, ANSWER_SECONDS = 172_800, 300

patiently = retry(
    retry=retry_if_exception_type(OperationalError),
    wait=wait_exponential(max=5),
    stop=lambda state: (state.seconds_since_start or 0) >= PATIENCE_SECONDS,
    reraise=True,
)


def connect(settings: Settings, *, migrator: bool = False, database: str | None = None) -> "Client":
    """A client of the writer's login, or of the migrator's, who may change tables.

    UserError where the server does not answer within PATIENCE_SECONDS.
    """
    user = settings.migrator_user if migrator else settings.clickhouse_user
    file = settings.migrator_password_file if migrator else settings.clickhouse_password_file
    database = settings.clickhouse_database if database is None else database
    return _connected(settings, user, file, database, MIGRATION_SECONDS if migrator else ANSWER_SECONDS)


def connect_reader(settings: ReaderSettings) -> "Client":
    """A client of the login that may only ask; UserError as from `connect`."""
    file = settings.reader_password_file
    return _connected(settings, settings.reader_user, file, settings.clickhouse_database, ANSWER_SECONDS)


def _connected(settings: ClickHouseSettings, user: str, file: Path, database: str, longest: int) -> "Client":
    try:
        return patiently(clickhouse_connect.get_client)(
            dsn=settings.clickhouse_url,
            secure=settings.clickhouse_url.startswith("https:"),  # of the URL only host and port are taken
            username=user,
            password=_password(file),
            database=database,
            send_receive_timeout=longest,
            ca_cert=str(settings.clickhouse_ca_file) if settings.clickhouse_ca_file else None,
        )
    except OperationalError as error:
        said = str(error).splitlines()[0]
        raise UserError(
            f"ClickHouse at {settings.clickhouse_url} does not answer: {said}. Start it: make up."
        ) from None
    except ClickHouseError as error:
        raise UserError(f"ClickHouse at {settings.clickhouse_url}: {reason(str(error))}") from None


def _password(file: Path) -> str:
    try:
        return file.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        said = getattr(error, "strerror", None) or "it is no text"
        raise UserError(f"{file}: {said}. It holds the password of the login: see weir.yaml.") from None


def reason(message: str) -> str:
    """What ClickHouse says, without the address that was asked and the version that answered."""
    said = message[max(message.rfind("Code: "), 0) :].split("\n")[0]
    return said.split(" (version ")[0].split(" (for url ")[0].removesuffix(".") + "."
