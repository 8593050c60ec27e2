"""Addresses and logins: one YAML file, each key overridable by an environment variable WEIR_<KEY>."""

import os
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import Field, ValidationError
from pydantic_settings import SettingsConfigDict

from weir.config_file import LastingSettings
from weir.errors import UserError


class ClickHouseSettings(LastingSettings):
    """Where ClickHouse is."""

    model_config = SettingsConfigDict(env_prefix="WEIR_", extra="ignore")

    clickhouse_url: str = Field(description="such as http://127.0.0.1:18123")
    clickhouse_ca_file: Path | None = Field(None, description="who signs the certificate of an https URL")
    clickhouse_database: str = "weir"

    @classmethod
    def file(cls) -> Path:
        """Returns the file that $WEIR_CONFIG names, else weir.yaml in $WEIR_HOME or ./.weir."""
        return Path(os.environ.get("WEIR_CONFIG") or Path(os.environ.get("WEIR_HOME", ".weir")) / "weir.yaml")


class ReaderSettings(ClickHouseSettings):
    """What `weir sql` needs to know: it asks as a login that may change nothing."""

    reader_user: str = "reader"
    reader_password_file: Path = Field(description="of the login that weir sql asks as")


# ClickHouse adds them to times that end in 2106 and begin anew behind it: what is kept too long goes at once.
Days = Annotated[int, Field(strict=True, ge=1, le=30 * 365)]


class Settings(ClickHouseSettings):
    """What a Weir command needs to know of the deployment it works with."""

    kafka: dict[str, str] = Field(description="librdkafka's options; bootstrap.servers at least")
    clickhouse_user: str = "writer"
    clickhouse_password_file: Path
    migrator_user: str = "migrator"
    migrator_password_file: Path
    metrics_endpoints: list[str] = Field([], description="of Flink's processes, in Prometheus' text format")
    restarts_file: Path | None = Field(None, description="where the keeper notes what restarted and why")
    retention_days: dict[str, Days | None] = Field(
        {},
        description="days that rows are kept, by table, 10950 at most, null for ever; a table that is not "
        "named keeps what the migrations declare (weir migrate retention)",
    )
    state_dir: Path = Field(description="where agents and the replay keep what they must remember")


def load() -> Settings:
    """Reads the active settings; all that is missing or wrong is reported at once."""
    return _loaded(Settings)


def load_reader() -> ReaderSettings:
    """Reads the settings of `weir sql`; all that is missing or wrong is reported at once."""
    return _loaded(ReaderSettings)


Kind = TypeVar("Kind", bound=ClickHouseSettings)


def _loaded(kind: type[Kind]) -> Kind:
    try:
        return kind()  # type: ignore[call-arg]
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        raise UserError(
            f"{Settings.file()}: {wrong}. Start the stack (make up), or set WEIR_CONFIG or WEIR_<KEY>."
        ) from None
