"""Which Flink jobs exist."""

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from weir_embedded.settings import Stack

NAMES = ("storage-analysis", "job-analysis")


@dataclass(frozen=True)
class Job:
    """A Flink job: its name and the jar with its program."""

    name: str
    jar: Path

    @property
    def jar_hash(self) -> str:
        """SHA-256 of the jar, hex; read again only when the file has changed."""
        return _hash(self.jar, self.jar.stat().st_mtime_ns)


def all_jobs(stack: Stack) -> list[Job]:
    """All jobs, built or not."""
    return [Job(name, stack.root / "flink-jobs" / name / "target" / f"{name}.jar") for name in NAMES]


def declared_jobs(stack: Stack) -> list[Job]:
    """All jobs that `weir-stack setup` has built."""
    return [job for job in all_jobs(stack) if job.jar.exists()]


@lru_cache(maxsize=16)
def _hash(jar: Path, _changed: int) -> str:
    return hashlib.sha256(jar.read_bytes()).hexdigest()
