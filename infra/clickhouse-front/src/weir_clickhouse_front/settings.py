"""Configuration of the front from the environment (prefix WEIR_FRONT_), checked as a whole at start."""

from pathlib import Path

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from weir_clickhouse_front.errors import StartError


class FrontSettings(BaseSettings):
    """All settings of the front; times in seconds, sizes in bytes."""

    model_config = SettingsConfigDict(env_prefix="WEIR_FRONT_")

    data_path: Path = Field(description="folder of the engine's data; one process at a time")
    users_file: Path = Field(description="YAML or JSON file of the logins, mode 0600")
    host: str = "127.0.0.1"
    port: int = Field(default=8123, ge=1, le=65535)
    memory_bytes: int = Field(default=1 << 30, ge=256 << 20, description="bound of the engine's memory")
    reader_threads: int = Field(default=4, ge=1, le=64, description="reader queries at once")
    writer_threads: int = Field(default=4, ge=1, le=64, description="writer requests at once")
    queue_seconds: float = Field(default=30, gt=0, description="longest wait for a free thread")
    patience_seconds: float = Field(default=60, gt=0, description="longest that a client may stand still")
    log_days: int = Field(default=7, ge=1, description="days kept in query_log and part_log")


def load_settings() -> FrontSettings:
    """Raises StartError with every wrong variable named in one line."""
    try:
        return FrontSettings()
    except ValidationError as error:
        wrong = "; ".join(
            f"WEIR_FRONT_{'_'.join(map(str, e['loc'])).upper()}: {e['msg']}" for e in error.errors()
        )
        raise StartError(f"configuration: {wrong}. Set these environment variables and start again") from None
