"""BLAKE2b-128 identities of what is published (schemas/README.md); Java: org.weir.wire.Identity."""

from collections.abc import Iterable
from hashlib import blake2b


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


def _joined(*parts: str | int) -> str:
    return _digest(b"\0".join(str(part).encode() for part in parts))


def log_id(content: bytes) -> str:
    """Identity of a Darshan log: BLAKE2b-128 hex of the file's bytes."""
    return _digest(content)


def mapped_set_id(members: Iterable[tuple[int, str]]) -> str:
    """Identity of a run that is merged of the logs of its processes: (rank, log_id) of each, by rank."""
    return _joined("mmap-log", *(part for member in members for part in member))


def job_uid(cluster: str, job_id: int, array_index: int | None, submit_second: int) -> str:
    """Identity of one submit; `array_index` is None outside an array, `submit_second` a Unix second."""
    return _joined(cluster, job_id, "" if array_index is None else array_index, submit_second)


def dead_letter_id(cluster: str, source: str, place: str) -> str:
    """Identity of a failure: the same input refused twice is one dead letter."""
    return _joined(cluster, source, place)


def alert_id(kind: str, unit: str, recipient: str) -> str:
    """Identity of an alert: each recipient is notified once of each thing."""
    return _joined(kind, unit, recipient)


def text_hash(raw: bytes) -> str:
    """BLAKE2b-128 hex of raw bytes, for paths and command lines."""
    return _digest(raw)
