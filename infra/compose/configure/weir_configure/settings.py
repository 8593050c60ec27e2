"""What may differ between deployments; each value is an environment variable, `WEIR_HOSTNAME` and so on."""

from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """One deployment of the containers."""

    model_config = SettingsConfigDict(env_prefix="WEIR_", extra="ignore")

    config_folder: Path = Path("/config")
    brokers: Annotated[Literal[1, 3], BeforeValidator(int)] = 1
    hostname: str = Field("localhost", description="by which clients outside reach this machine")
    kafka1_port: int = Field(29092, description="of each broker, outside")
    kafka2_port: int = 29093
    kafka3_port: int = 29094
    clickhouse_port: int = Field(28123, description="of ClickHouse's HTTPS, outside")
    superset_port: int = Field(28443, description="of Superset, outside")
    notify_port: int = Field(28191, description="of the page on which users mute messages, outside")
    parallelism: int = Field(2, ge=1, description="of each Flink job, which takes as many slots")
    task_slots: int = Field(6, ge=1, description="of each TaskManager: one alone can run all jobs")
    jobmanager_memory_mb: int = 800
    taskmanager_memory_mb: int = 1536
    checkpoint_seconds: int = 5
    refused_schemas: str = ""

    @cached_property
    def kafka_bootstrap(self) -> str:
        """Inside of the containers' network."""
        return ",".join(f"kafka{number}:9092" for number in self.broker_numbers)

    @property
    def kafka_ports(self) -> tuple[int, ...]:
        """The ports of the brokers that there are, outside of the containers."""
        return (self.kafka1_port, self.kafka2_port, self.kafka3_port)[: self.brokers]

    @property
    def broker_numbers(self) -> range:
        """The numbers of the brokers, from 1."""
        return range(1, self.brokers + 1)


def load() -> Settings:
    """Ends the program with every wrong variable named in one line."""
    try:
        return Settings()
    except ValidationError as error:
        wrong = "; ".join(f"WEIR_{'_'.join(map(str, e['loc'])).upper()}: {e['msg']}" for e in error.errors())
        raise SystemExit(f"configure: {wrong}. Correct it in the environment or in .env.") from None
