"""What of a log's names and command lines leaves the place where it is decoded: the site's `privacy`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from weir import identity
from weir.darshan_modules import modules


@dataclass(frozen=True)
class Privacy:
    """States what may leave: by default whole paths, and of a command line the base name and a hash."""

    paths: str = "full"
    """full, or directory_and_hash: /scratch/me/<BLAKE2b-128 of the whole name>."""
    command_lines: str = "base_name_and_hash"
    """base_name_and_hash, or full: the header's metadata hold it as command_line."""

    @classmethod
    def of(cls, site: Mapping[str, Any]) -> "Privacy":
        """That of a checked site file."""
        return cls(**site.get("privacy", {}))

    @property
    def is_off(self) -> bool:
        """Whether all that a log says may be shown."""
        return self == Privacy("full", "full")

    def kept_command(self, command: bytes) -> dict[bytes, bytes]:
        """What is added to a header's metadata."""
        return {b"command_line": command} if self.command_lines == "full" else {}

    def names(self, module: str, names: Sequence[bytes | None]) -> Sequence[bytes | None]:
        """The raw names of a module's records, as they may be shown."""
        kind = modules()[module].names
        if self.paths == "full" or kind == "interface":
            return names
        return [name and _reduced(name, kind == "object") for name in names]


DEFAULT = Privacy()


def _reduced(name: bytes, is_object: bool) -> bytes:
    if name in (b"<STDIN>", b"<STDOUT>", b"<STDERR>"):
        return name
    # a path with a colon loses more than it must, never less
    path = name.split(b":", 1)[0] if is_object else name
    return path[: path.rfind(b"/") + 1] + identity.text_hash(name).encode()
