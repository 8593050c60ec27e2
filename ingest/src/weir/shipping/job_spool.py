"""The spool of ended jobs, which the hook fills: a small file a job's end, named by its time."""

import json
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from weir.errors import Refused, UserError

_SUFFIX = ".json"
_BAD = ".bad"
_MOST_BYTES = 4096
_TORN_SECONDS = 3600  # the hook needs one
_SECONDS = 1 << 33  # in the year 2242
# by field: whether it must be there, and what it stays below
_FIELDS = {
    "job_id": (True, 1 << 63),
    "noted": (True, _SECONDS * 1_000_000),
    "array_index": (False, 1 << 63),
    "uid": (False, 1 << 63),
    "start": (False, _SECONDS),
    "end": (False, _SECONDS),
}


@dataclass(frozen=True)
class Entry:
    """A job that has ended; times in Unix seconds."""

    name: str
    """The name of its file: entries sort by it in the order in which they were noted."""
    job_id: int
    array_index: int | None
    uid: int | None
    start: float | None
    end: float
    """The end as the scheduler states it, else the time when it was noted."""
    noted: float


class JobSpool:
    """The directory; whoever reads it must be of its group."""

    def __init__(self, folder: Path):
        self.folder = folder

    def check(self) -> None:
        """UserError if the directory is not there, or is not to be trusted."""
        try:
            found = self.folder.lstat()
        except OSError as error:
            raise UserError(f"spool {self.folder}: {error.strerror}. Make it: {self._make()}") from None
        if not stat.S_ISDIR(found.st_mode):
            raise UserError(
                f"spool {self.folder}: not a directory, or a link to one. Make it: {self._make()}"
            )
        if found.st_mode & stat.S_IWOTH:
            raise UserError(f"spool {self.folder}: everybody may write there. Its mode must be 2770.")

    def _make(self) -> str:
        return f"install -d -m 2770 -o HOOK_USER -g weir {self.folder}"

    def names(self, suffix: str = _SUFFIX) -> list[str]:
        """Lists the names of the entries, the oldest first; with ".bad" of those that could not be read."""
        try:
            listed = os.listdir(self.folder)  # noqa: PTH208 names are all that is needed
        except FileNotFoundError:
            return []
        return sorted(name for name in listed if name.endswith(suffix) and not name.startswith("."))

    def read(self, name: str) -> Entry:
        """One entry; Refused if it is none, FileNotFoundError if it is gone."""
        try:
            descriptor = os.open(self.folder / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise Refused(str(error.strerror)) from None
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise Refused("not a regular file")
            text = file.read(_MOST_BYTES)
        return _parsed(name, text)

    def remove(self, name: str) -> None:
        """The entry is done."""
        (self.folder / name).unlink(missing_ok=True)

    def set_aside(self, name: str) -> None:
        """Keep an entry that can't be read where `weir spool ls` shows it."""
        (self.folder / name).rename(self.folder / (name + _BAD))

    def bad(self) -> list[str]:
        """Entries that were set aside."""
        return self.names(_BAD)

    def remove_torn(self, now: float) -> None:
        """What hooks that were killed left behind."""
        for name in os.listdir(self.folder):  # noqa: PTH208
            path = self.folder / name
            if name.startswith(".") and path.lstat().st_mtime < now - _TORN_SECONDS:
                path.unlink(missing_ok=True)

    def sizes(self) -> Iterator[int]:
        """Bytes of each file in it."""
        for name in os.listdir(self.folder):  # noqa: PTH208
            try:
                yield (self.folder / name).lstat().st_size
            except FileNotFoundError:
                continue

    def dropped(self) -> int:
        """Ends of jobs that hooks could not note, as far as they could count them."""
        try:
            return (self.folder / "dropped").lstat().st_size
        except FileNotFoundError:
            return 0

    def oldest(self) -> float | None:
        """When the oldest entry was noted, as its name says; None for an empty spool."""
        stamps = [name.split("-")[0] for name in self.names()]
        return min((int(stamp) / 1e9 for stamp in stamps if stamp.isdecimal()), default=None)


def _parsed(name: str, text: bytes) -> Entry:
    try:
        found = json.loads(text)
    except ValueError:
        raise Refused("not JSON", data=text) from None
    if not isinstance(found, dict):
        raise Refused("not a JSON object", data=text)
    for field, (needed, limit) in _FIELDS.items():
        value = found.get(field)
        missing = value is None and not needed
        if not missing and not (isinstance(value, int) and 0 <= value < limit):
            raise Refused(
                f"{field} is {value!r}, not an integer from 0 to {limit - 1}", data=text, field=field
            )
    noted = found["noted"] / 1e6
    return Entry(
        name,
        found["job_id"],
        found.get("array_index"),
        found.get("uid"),
        found.get("start"),
        found.get("end") or noted,
        noted,
    )
