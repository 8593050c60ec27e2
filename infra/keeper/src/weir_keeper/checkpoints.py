"""Finding the checkpoint or savepoint to restart a job from, and what no checkpoint needs any more."""

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


def superseded(folder: Path, job_id: str, older_job_ids: Iterable[str], claimed: str) -> list[Path]:
    """What older generations of a job left behind in the checkpoint folder and no checkpoint needs any more.

    A generation owns the checkpoint it was restored from (`claimed`): Flink deletes that one itself, when the
    second own one is complete. What else the generation before had kept, nobody owns. The claimed one's files
    in `shared/` stay in use until RocksDB has rewritten them; each complete checkpoint names, in plain text
    in its `_metadata`, the path of every file outside of its own folder. So an older generation's whole
    folder goes when its id is named no more, and before that those of its checkpoints that are not named.
    """
    own = [metadata.read_bytes() for metadata in (folder / job_id).glob("chk-*/_metadata")]
    if len(own) < 2:
        return []

    def is_named(path: str) -> bool:
        return any(path.encode() in metadata for metadata in own)

    found = []
    for older in older_job_ids:
        if not is_named(older):
            found += [path for path in [folder / older] if path.exists()]
        else:
            found += [
                checkpoint
                for checkpoint in sorted((folder / older).glob("chk-*"))
                if str(checkpoint) != claimed and not is_named(f"{older}/{checkpoint.name}/")
            ]
    return found
