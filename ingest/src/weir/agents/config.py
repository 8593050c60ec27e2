"""Configures the agents: one YAML file, each key overridable by WEIR_AGENT_<KEY>, nested ones by __."""

import os
import re
from pathlib import Path
from typing import Annotated

from pydantic import Field, field_validator
from pydantic_settings import SettingsConfigDict

from weir import config_file
from weir.config_file import FileSettings, Section

_WAY_OUT = "Write it (infra/agents/README.md), or name another: WEIR_AGENT_CONFIG."
DEFAULT_FILE = Path("/etc/weir/agent.yaml")
Port = Annotated[int, Field(ge=0, le=65535, description="of the metrics, on loopback; 0 is none")]


Seconds = Annotated[float, Field(gt=0)]


class Ship(Section):
    """The shipping daemon."""

    metrics_port: Port = 9401
    longest_job_seconds: Seconds = 7 * 86400
    """The longest run time of a job: assumed where its start is unknown. Log folders are watched as long."""
    partial_grace_seconds: Seconds = 600
    """The time after a job's end until its partial logs are shipped as they are."""
    settle_seconds: Seconds = 60
    """A damaged log that changed within this time may still be incomplete: it is read again afterwards."""
    sweep_seconds: Seconds = 600
    """The time from one sweep of the log directories to the next."""
    sweep_days: Annotated[int, Field(ge=1)] = 8
    """The greatest age of a log that a sweep ships; `weir backfill` ships older ones."""
    processes: Annotated[int, Field(ge=1)] = 2
    """The number of processes that decode logs."""
    decode_seconds: Seconds = 10
    """The longest time that decoding one log may take."""
    logs_per_second: Annotated[float, Field(gt=0)] = 200
    """The most logs that are shipped a second, so that a backlog leaves room for others."""


class Scheduler(Section):
    """The source of scheduler records; the site file says which scheduler it is."""

    metrics_port: Port = 9402
    interval_seconds: Seconds = Field(default=30, description="from one look to the next")
    lookback_seconds: Seconds = Field(
        default=7 * 86_400, description="most that a look goes back, the first one too"
    )
    remember_days: Seconds = Field(default=30, description="how long it is known what was published of a job")
    sacct: Path = Field(default=Path("/usr/bin/sacct"), description="Slurm's, by its absolute path")
    sacct_json: bool = Field(default=False, description="ask sacct for --json, which lacks user ids")
    sacct_seconds: Seconds = Field(default=120, description="after which sacct is ended")
    overlap_seconds: float = Field(
        default=600, ge=0, description="by which a look goes back behind the last one"
    )
    slurm_conf: Path | None = Field(
        default=None, description="SLURM_CONF for sacct, where it is not in its place"
    )
    jobcomp_topic: str | None = Field(
        default=None, description="that Slurm's jobcomp/kafka writes; it tells ends at once"
    )
    accounting: Path = Field(
        default=Path("/var/spool/pbs/server_priv/accounting"), description="PBS's or Torque's day files"
    )


class Devices(Section):
    """The sampler of a server's block devices; the site file says at what interval."""

    metrics_port: Port = 9403
    server: str | None = Field(
        default=None, description="its name in the site file; that of the host if not given"
    )
    include: list[str] = Field(
        default=[], description="patterns of names or ids; if none, all devices that do not lie on others"
    )
    exclude: list[str] = Field(
        default=["ram*", "zram*", "sr*", "fd*"], description="patterns, which count more"
    )
    spool_bytes: int = Field(default=512 << 20, ge=1 << 20, description="quota of what waits for Kafka")
    resend_per_second: int = Field(default=50, ge=1, description="samples of the spool, once Kafka is back")
    lustre_seconds: float = Field(
        default=0, ge=0, description="from one look at what Lustre counts to the next; 0 is never"
    )
    job_id_pattern: str = Field(
        default=r"(?:SLURM_JOB_?)?(?P<id>\d+)(?:\[(?P<index>\d+)\])?(?:[.:@_].*)?",
        description="how the whole of a jobid_name of Lustre tells the job",
    )

    @field_validator("job_id_pattern")
    @classmethod
    def _named(cls, pattern: str) -> str:
        try:
            groups = re.compile(pattern).groupindex
        except re.error as error:
            raise ValueError(f"no regular expression: {error}") from None
        if "id" not in groups:
            raise ValueError("has no group (?P<id>...)")
        return pattern


class AgentConfig(FileSettings):
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

    @property
    def agents(self) -> list[str]:
        """Those of which the file has a section, empty or not: they run here."""
        return [name for name in ("ship", "scheduler", "devices") if name in self.model_fields_set]

    @property
    def jobs_spool(self) -> Path:
        """The folder in which the hook writes."""
        return self.spool / "jobs"

    @classmethod
    def file(cls) -> Path:
        """Returns the file that $WEIR_AGENT_CONFIG names, else /etc/weir/agent.yaml."""
        return Path(os.environ.get("WEIR_AGENT_CONFIG") or DEFAULT_FILE)


def load() -> AgentConfig:
    """Read the active configuration; UserError that names all that is missing or wrong at once."""
    return config_file.load(
        AgentConfig, "Write it (infra/agents/README.md), or name another: WEIR_AGENT_CONFIG."
    )
