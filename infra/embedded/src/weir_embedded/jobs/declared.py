"""Which Flink jobs exist, and what is in force for them."""

import hashlib
import shutil
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import yaml

from weir_embedded import templates
from weir_embedded.settings import Stack

NAMES = ("storage-analysis", "job-analysis")


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
        return _content(self.jar)

    @property
    def config_hash(self) -> str:
        """The same of the configuration."""
        return _content(self.config)


def built_jars(stack: Stack) -> list[Path]:
    """Where Maven leaves the programs."""
    return [stack.root / "flink-jobs" / name / "target" / f"{name}.jar" for name in NAMES]


def install(stack: Stack) -> None:
    """Put the settings and what has been built in force, each program in one step."""
    templates.write(stack.conf / "jobs.properties", "jobs.properties.j2", stack=stack)
    for built in built_jars(stack):
        jar = _installed(stack, built.stem)
        if built.exists() and not (jar.exists() and _content(jar) == _content(built)):
            jar.parent.mkdir(parents=True, exist_ok=True)
            partial = jar.with_suffix(".partial")
            shutil.copyfile(built, partial)
            partial.rename(jar)


def declared_jobs(stack: Stack) -> list[Job]:
    """All jobs that have been put in force."""
    installed = [name for name in NAMES if _installed(stack, name).exists()]
    if not installed:
        return []
    parallelism = yaml.safe_load((stack.conf / "flink" / "config.yaml").read_text())["parallelism.default"]
    config = stack.conf / "jobs.properties"
    return [Job(name, _installed(stack, name), config, parallelism) for name in installed]


def _installed(stack: Stack, name: str) -> Path:
    return stack.conf / "jobs" / f"{name}.jar"


def _content(file: Path) -> str:
    return _hash(file, file.stat().st_mtime_ns)


@lru_cache(maxsize=16)
def _hash(file: Path, _changed: int) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
