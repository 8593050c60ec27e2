"""Finds the Darshan logs that a user names: files as they are, directories searched. Imports nothing slow."""

from collections.abc import Iterator
from pathlib import Path

_ENDINGS = (".darshan", ".darshan_partial")
# Darshan's magic number behind the 8 bytes of the version, in either byte order
_MAGICS = tuple((6567223).to_bytes(8, order) for order in ("little", "big"))


def expanded(named: list[Path]) -> list[Path]:
    """Replaces each directory by the logs in it, at any depth, sorted; an empty one stays and is refused."""
    return [file for each in named for file in ([*_inside(each)] or [each])]


def _inside(folder: Path) -> Iterator[Path]:
    if folder.is_dir():
        yield from sorted(file for file in folder.rglob("*.darshan*") if file.name.endswith(_ENDINGS))


def begins_as_log(file: Path) -> bool:
    """Whether the first bytes are those of a Darshan log; False too for what cannot be read."""
    try:
        # a pipe or device would block or be used up
        if not file.is_file():
            return False
        with file.open("rb") as stream:
            return stream.read(16)[8:] in _MAGICS
    except OSError:
        return False
