"""Settings of the embedded stack: where it lives, its ports and how much memory its parts may take.

Every value can be set through the environment: `WEIR_HOME`, `WEIR_PORT_OFFSET`, `WEIR_KAFKA_HEAP_MB`, ...
"""

from functools import cached_property
from pathlib import Path

import yaml
from pydantic import Field, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

LOOPBACK = "127.0.0.1"
LOGINS = ("migrator", "writer", "alert", "reader")
KAFKA_LOGINS = ("admin", "agent", "flink", "reference", "metrics", "notify")


class Stack(BaseSettings):
    """The typed settings of one stack; two stacks differ in `home` and `port_offset`."""

    model_config = SettingsConfigDict(env_prefix="WEIR_", extra="ignore")

    root: Path = Field(Path(__file__).parents[4], description="the checkout")
    home: Path = Field(Path(), description="data, logs, configuration and secrets; default <root>/.weir")
    packages: Path = Field(Path(), description="downloaded programs, shared by stacks; default <root>/.weir")
    site: Path = Field(Path(), description="the active site file; default: that of the recorded center")
    port_offset: int = Field(0, ge=0, le=10_000, description="added to every port; kept once started")

    kafka_heap_mb: int = 400
    jobmanager_memory_mb: int = 800
    taskmanager_memory_mb: int = 1536
    task_slots: int = Field(12, description="of the TaskManager; kept once started")
    parallelism: int = Field(2, ge=1, description="of each Flink job, which takes as many slots")
    refused_schemas: str = Field(
        "", description="fingerprints of schemas that don't exist: their messages pause no partition"
    )
    checkpoint_seconds: int = 5
    engine_memory_mb: int = 1024
    superset_workers: int = 2
    superset_threads: int = 8
    superset_sign_in_file: Path = Field(
        Path(),
        description="how people sign in to Superset, and who leads which project; default: its own accounts",
    )

    @field_validator("root", "home", "packages", "site", "superset_sign_in_file")
    @classmethod
    def _absolute(cls, path: Path) -> Path:
        return path if path == Path() else path.expanduser().absolute()

    @model_validator(mode="after")
    def _defaults(self) -> "Stack":
        for folder in ("home", "packages"):
            if getattr(self, folder) == Path():
                setattr(self, folder, self.root / ".weir")
        if self.site == Path():
            self.site = self.recorded_center / "site.yaml"
        if "port_offset" not in self.model_fields_set:
            self.port_offset = self.kept_port_offset or 0
        if "task_slots" not in self.model_fields_set:
            self.task_slots = self.kept_task_slots or self.task_slots
        return self

    # What was started ---------------------------------------------------------------------------------------

    @property
    def kept_port_offset(self) -> int | None:
        """The offset this stack was last started with, so that `make status` needs no environment."""
        file = self.home / "port_offset"
        return int(file.read_text()) if file.exists() else None

    def keep_port_offset(self) -> None:
        """Remember the offset for the commands to come."""
        (self.home / "port_offset").write_text(f"{self.port_offset}\n")

    @property
    def kept_task_slots(self) -> int | None:
        """The slots of the TaskManager as it was last started: they are in its configuration."""
        if not self.flink_config.exists():
            return None
        slots: int | None = yaml.safe_load(self.flink_config.read_text()).get("taskmanager.numberOfTaskSlots")
        return slots

    # Ports ------------------------------------------------------------------------------------------------

    @cached_property
    def ports(self) -> dict[str, int]:
        """Every port the stack listens on, by what listens there."""
        base = {
            "kafka": 19092,
            "kafka_controller": 19093,
            "kafka_internal": 19094,
            "clickhouse": 18123,
            "flink_rest": 18081,
            "flink_rpc": 18082,
            "flink_blob": 18083,
            "flink_task_rpc": 18084,
            "flink_task_data": 18085,
            "flink_query_jm": 18086,
            "flink_query_tm": 18087,
            "superset": 18088,
            "smtp": 18089,
            "mailbox": 18090,
            "notify": 18091,
            "prometheus_jm": 19249,
            "prometheus_tm": 19250,
        }
        return {name: port + self.port_offset for name, port in base.items()}

    @property
    def kafka_bootstrap(self) -> str:
        """Address of the broker, `host:port`."""
        return f"{LOOPBACK}:{self.ports['kafka']}"

    def kafka_of(self, login: str) -> dict[str, str]:
        """Options of Kafka's clients under one of its logins."""
        return {
            "bootstrap.servers": self.kafka_bootstrap,
            "security.protocol": "SASL_PLAINTEXT",
            "sasl.mechanism": "SCRAM-SHA-512",
            "sasl.username": login,
            "sasl.password": self.secret(f"kafka_{login}").read_text().strip(),
        }

    @property
    def kafka(self) -> dict[str, str]:
        """Those of the administrator, who may do all."""
        return self.kafka_of("admin")

    @property
    def kafka_key(self) -> Path:
        """The key of the broker and of `weir-stack`, which sets the logins' passwords."""
        return self.secret("kafka.pem")

    @property
    def clickhouse_url(self) -> str:
        """Address of the ClickHouse HTTP interface."""
        return f"http://{LOOPBACK}:{self.ports['clickhouse']}"

    @property
    def flink_url(self) -> str:
        """Address of Flink's REST interface."""
        return f"https://{LOOPBACK}:{self.ports['flink_rest']}"

    @property
    def flink_key(self) -> Path:
        """The key by which Flink's processes and who submits jobs know each other."""
        return self.secret("flink.pem")

    @property
    def superset_url(self) -> str:
        """Address of Superset."""
        return f"http://{LOOPBACK}:{self.ports['superset']}"

    @property
    def mailbox_url(self) -> str:
        """Address of the page with the mails that were sent."""
        return f"http://{LOOPBACK}:{self.ports['mailbox']}"

    # Folders ----------------------------------------------------------------------------------------------

    @property
    def conf(self) -> Path:
        """Generated configuration; rewritten at every start."""
        return self.home / "conf"

    @property
    def flink_config(self) -> Path:
        """Configuration of JobManager and TaskManager."""
        return self.conf / "flink" / "config.yaml"

    @property
    def programs(self) -> Path:
        """The Flink jobs' active jars."""
        return self.conf / "jobs"

    @property
    def data(self) -> Path:
        """What must survive a restart."""
        return self.home / "data"

    @property
    def logs(self) -> Path:
        """One rotated log per part, one log per set-up step."""
        return self.home / "logs"

    @property
    def run(self) -> Path:
        """Process ids and what the watching programs last saw."""
        return self.home / "run"

    @property
    def secrets(self) -> Path:
        """Generated passwords, one file of mode 0600 each."""
        return self.home / "secrets"

    @property
    def weir_config(self) -> Path:
        """Configuration file of the `weir` command, as the administrator runs it."""
        return self.home / "weir.yaml"

    @property
    def weir_config_by_key(self) -> Path:
        """The same, where no login exists yet: it shows the broker's own key."""
        return self.conf / "weir-by-key.yaml"

    def weir_config_of(self, login: str) -> Path:
        """The same, for what runs under a login of its own."""
        return self.conf / f"weir-{login}.yaml"

    @property
    def notify_config(self) -> Path:
        """Configuration file of `weir notify`."""
        return self.conf / "notify.yaml"

    def secret(self, name: str) -> Path:
        """The file that holds one secret."""
        return self.secrets / name

    def clickhouse_secret(self, login: str) -> Path:
        """The file that holds the password of one ClickHouse login."""
        return self.secret(f"clickhouse_{login}")

    @property
    def recorded_center(self) -> Path:
        """What the demo replays."""
        return self.root / "tests" / "data" / "center"

    # Programs ---------------------------------------------------------------------------------------------

    @property
    def venv(self) -> Path:
        """Virtual environment of `weir` and `weir-stack`."""
        return self.packages / "venv"

    @property
    def kafka_jars(self) -> Path:
        """The broker's jars."""
        return self.packages / "kafka"

    @property
    def flink_home(self) -> Path:
        """The Flink distribution."""
        return self.packages / "flink" / "pyflink"

    @property
    def superset_venv(self) -> Path:
        """Virtual environment of Superset."""
        return self.packages / "superset-venv"

    @property
    def superset_template(self) -> Path:
        """A migrated and initialized Superset database that new stacks start from."""
        return self.packages / "superset-template.db"
