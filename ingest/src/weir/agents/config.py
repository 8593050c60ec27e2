"""What the agents are told: one YAML file, each key overridable by WEIR_AGENT_<KEY>, nested ones by __."""

import os
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    YamlConfigSettingsSource,
)

from weir.errors import UserError

DEFAULT_FILE = Path("/etc/weir/agent.yaml")
Port = Annotated[int, Field(ge=0, le=65535, description="of the metrics, on loopback; 0 is none")]


class Section(BaseModel):
    """A part of the file; a key that it does not know is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Ship(Section):
    """The shipping daemon."""

    metrics_port: Port = 9401


class Scheduler(Section):
    """The source of scheduler records."""

    metrics_port: Port = 9402


class Devices(Section):
    """The sampler of a server's block devices."""

    metrics_port: Port = 9403


class AgentConfig(BaseSettings):
    """The file; every agent reads its own section and what they share."""

    model_config = SettingsConfigDict(
        env_prefix="WEIR_AGENT_", env_nested_delimiter="__", extra="forbid", frozen=True
    )

    site: Path = Field(Path("/etc/weir/site.yaml"), description="the center's site file")
    kafka: dict[str, str] = Field(
        min_length=1,
        description="librdkafka's own settings: bootstrap.servers, and security.protocol and so on",
    )
    spool: Path = Field(
        Path("/var/spool/weir"), description="where the hook writes and agents keep what waits"
    )
    state: Path = Field(Path("/var/lib/weir"), description="where agents keep what they must remember")
    ship: Ship = Ship()
    scheduler: Scheduler = Scheduler()
    devices: Devices = Devices()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Environment before file."""
        return init_settings, env_settings, YamlConfigSettingsSource(settings_cls, yaml_file=config_file())


def config_file() -> Path:
    """$WEIR_AGENT_CONFIG, else /etc/weir/agent.yaml."""
    return Path(os.environ.get("WEIR_AGENT_CONFIG") or DEFAULT_FILE)


def load() -> AgentConfig:
    """The configuration in force; UserError that tells all that is missing or wrong at once."""
    file = config_file()
    if not file.exists():
        raise UserError(
            f"{file}: not there. Write it (ingest/README.md), or name another: WEIR_AGENT_CONFIG."
        )
    try:
        return AgentConfig()  # type: ignore[call-arg]
    except ValidationError as error:
        wrong = "\n".join(f"{file}: {'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
        raise UserError(wrong) from None
