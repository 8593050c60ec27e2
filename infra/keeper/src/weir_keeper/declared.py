"""Which Flink jobs exist, and what is active for them."""

import hashlib
import re
import zipfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import yaml

from weir_keeper.place import Place

STATE_FORMAT = re.compile(rb"^Weir-State-Format: (\d+)\r?$", re.MULTILINE)
"""What a program says in its manifest of the state that it writes and can be restored from."""

NAMES = ("storage-analysis", "job-analysis", "alerting")


@dataclass(frozen=True)
class Job:
    """A Flink job: its program, the file it is configured by, and how many times each operator runs."""

    name: str
    jar: Path
    config: Path
    parallelism: int

    @property
    def jar_hash(self) -> str:
        """SHA-256 of the jar, hex; read again only when the file has changed."""
        return content(self.jar)

    @property
    def state_format(self) -> int:
        """The format of the program's state, raised where no state of before can be restored; at first 1."""
        return _state_format(self.jar_hash, self.jar)

    @property
    def config_hash(self) -> str:
        """The same of the configuration."""
        return content(self.config)


def declared_jobs(place: Place) -> list[Job]:
    """All jobs that have been activated."""
    installed = [name for name in NAMES if program(place, name).exists()]
    if not installed:
        return []
    flink = yaml.safe_load((place.conf / "flink" / "config.yaml").read_text())
    config = place.conf / "jobs.properties"
    return [Job(name, program(place, name), config, flink["parallelism.default"]) for name in installed]


def program(place: Place, name: str) -> Path:
    """Returns the active jar of a job."""
    return place.programs / f"{name}.jar"


def content(file: Path) -> str:
    """SHA-256 of a file, hex."""
    return _hash(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=16)
def _hash(file: Path, _changed: int) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


@lru_cache(maxsize=16)
def _state_format(_content: str, jar: Path) -> int:
    if not zipfile.is_zipfile(jar):
        return 1
    with zipfile.ZipFile(jar) as program:
        found = STATE_FORMAT.search(program.read("META-INF/MANIFEST.MF"))
    return int(found[1]) if found else 1
