"""States where the keeper finds the JobManager, what is active, and the jobs' state."""

from pathlib import Path
from typing import Protocol

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class Place(Protocol):
    """What differs between deployments."""

    @property
    def flink_url(self) -> str:
        """Address of Flink's REST interface."""

    @property
    def flink_key(self) -> Path:
        """The key that it asks for, `key.py`."""

    @property
    def programs(self) -> Path:
        """Holds the active jars, `NAME.jar`."""

    @property
    def conf(self) -> Path:
        """Holds `jobs.properties` and `flink/config.yaml`."""

    @property
    def data(self) -> Path:
        """Holds `flink/checkpoints` and `flink/savepoints`, which Flink writes, and the keeper's memory."""


class Settings(BaseSettings):
    """A place that environment variables describe, each name with `WEIR_KEEPER_` before it."""

    model_config = SettingsConfigDict(env_prefix="WEIR_KEEPER_")

    flink_url: str = Field(description="such as https://127.0.0.1:18081")
    flink_key: Path = Field(description="private key and certificate, PEM, that Flink asks for")
    programs: Path
    conf: Path
    data: Path
    well_file: Path | None = Field(None, description="touched whenever all jobs run: for a health check")


def restarts(place: Place) -> Path:
    """Returns the file in which the keeper notes what restarted and why."""
    return place.data / "restarts.jsonl"


def checkpoints(place: Place) -> Path:
    """Returns the folder of the jobs' checkpoints, one per job id; the JobManager has it at the same path."""
    return place.data / "flink" / "checkpoints"


def savepoints(place: Place) -> Path:
    """Returns the folder of the savepoints with which jobs are stopped when their program has changed."""
    return place.data / "flink" / "savepoints"
