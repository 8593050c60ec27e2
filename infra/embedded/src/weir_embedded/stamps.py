"""Stamps: a step of the set-up is skipped while its inputs have not changed since it last succeeded."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

# Results of builds and checks, and settings of one machine, which lie beside their sources.
IGNORED = {
    "target", "dependency-reduced-pom.xml", "node_modules", "__pycache__", ".env",
    ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".jqwik-database",
}  # fmt: skip


def fingerprint(inputs: Iterable[Path], *words: str) -> str:
    """A hash over names and contents of files (folders: all below, but for build results) and words."""
    digest = hashlib.sha256()
    for word in words:
        digest.update(word.encode() + b"\0")
    for path in inputs:
        for file in sorted(_files(path)):
            digest.update(str(file.relative_to(path.parent)).encode() + b"\0")
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _files(path: Path) -> Iterable[Path]:
    if path.is_file():
        return [path]
    return (
        file
        for file in path.rglob("*")
        if file.is_file() and not IGNORED.intersection(file.relative_to(path).parts)
    )


class Stamp:
    """Remembers in a file with which inputs a step succeeded last."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def is_fresh(self, inputs: str) -> bool:
        """Whether the step last succeeded with exactly these inputs."""
        return self.file.exists() and self.file.read_text().strip() == inputs

    def renew(self, inputs: str) -> None:
        """Call when the step has succeeded."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(inputs + "\n")
