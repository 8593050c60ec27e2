"""Finding the checkpoint or savepoint to restart a job from."""

from collections.abc import Iterable
from pathlib import Path


def newest_complete(folders: Iterable[Path]) -> Path | None:
    """The checkpoint or savepoint that was completed last below any of the folders.

    Complete is what holds `_metadata`: Flink moves that file into place as its last act.
    """
    complete = [metadata for folder in folders for metadata in folder.glob("*/_metadata")]
    newest = max(complete, key=lambda metadata: metadata.stat().st_mtime_ns, default=None)
    return newest.parent if newest else None


def age_seconds(checkpoint: Path, now: float) -> float:
    """How long ago a checkpoint was completed."""
    return now - (checkpoint / "_metadata").stat().st_mtime
