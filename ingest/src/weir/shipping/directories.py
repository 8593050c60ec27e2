"""Finds logs where Darshan puts them: the directories of a site, day by day, and what a log's name says."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from weir.formats.job_record import JOIN_PADDING_SECONDS
from weir.logs import mapped_logs
from weir.logs.darshan_log import Place, Source
from weir.privacy import Privacy

DAY = 86400
# USER_EXE_idJOB-PID_MONTH-DAY-SECOND-RANDOM_SECONDS.darshan, of old versions without PID; a partial log has
# no SECONDS. Darshan cuts a name that gets too long to idJOB
_OF_JOB = re.compile(rb"(?:^|_)id(\d{1,19})(?:-\d+)?(?:_\d+-\d+-\d+-\d+)?(?:_\d+)?\.darshan(?:_partial)?$")
_WHOLE = re.compile(rb"(?:_\d+)?\.darshan$")
PARTIAL = b".darshan_partial"


class Name(NamedTuple):
    """What the name of a log says."""

    job_id: int | None
    partial: bool
    partial_name: bytes
    """The name of the same log before it was whole."""
    of_set: bool = False
    """What a killed process left: one of the logs of its run."""


def name_of(name: bytes) -> Name | None:
    """None for a file that is no log by its name."""
    if mapped := mapped_logs.name_of(name):
        return Name(mapped.job_id, False, mapped.of_set, True)
    job = _OF_JOB.search(name)
    job_id = int(job[1]) if job else None
    if name.endswith(PARTIAL):
        return Name(job_id, True, name)
    stem, whole = _WHOLE.subn(b"", name)
    return Name(job_id, False, stem + PARTIAL) if whole else None


class Span(NamedTuple):
    """Unix seconds."""

    start: float
    end: float

    def padded(self) -> "Span":
        """For clocks that are off."""
        return Span(self.start - JOIN_PADDING_SECONDS, self.end + JOIN_PADDING_SECONDS)


@dataclass(frozen=True)
class LogDirectory:
    """One entry of the site's `log_directories`."""

    root: bytes
    layout: str
    """year/month/day in the center's time, without zeros before the numbers; flat; job: a folder a job id."""
    source: Source
    zone: ZoneInfo

    def folders(self, span: Span) -> Iterator[tuple[bytes, ...]]:
        """Those below `root` in which a log lies that was begun in the span, the oldest first.

        Of the layout `job` they are all there are, for a folder's age says nothing.
        """
        if self.layout == "year/month/day":
            day = datetime.fromtimestamp(span.start, self.zone).date()
            last = datetime.fromtimestamp(span.end, self.zone).date()
            while day <= last:
                yield tuple(b"%d" % part for part in (day.year, day.month, day.day))
                day += timedelta(days=1)
        elif self.layout == "job":
            yield from sorted((name,) for name in self._listed((), folders=True))
        yield ()

    def folders_of(self, job_id: int, span: Span) -> Iterator[tuple[bytes, ...]]:
        """Those in which logs of a job may lie."""
        return iter([(b"%d" % job_id,)]) if self.layout == "job" else self.folders(span)

    def logs(self, folder: tuple[bytes, ...]) -> dict[bytes, Name]:
        """Files in a folder that are logs by their names; none where there is no such folder.

        OSError for one that can't be listed.
        """
        named = {name: self.name_of(folder, name) for name in self._listed(folder, folders=False)}
        return {name: said for name, said in named.items() if said}

    def name_of(self, folder: tuple[bytes, ...], name: bytes) -> Name | None:
        """What a log's name and, of the layout `job`, its folder say."""
        said = name_of(name)
        if said and self.layout == "job" and folder and re.fullmatch(rb"[0-9]{1,18}", folder[0]):
            return said._replace(job_id=int(folder[0]))
        return said

    def place(self, folder: tuple[bytes, ...], name: bytes) -> Place:
        """Returns the place of a log."""
        return Place(self.root, folder, name)

    def _listed(self, folder: tuple[bytes, ...], folders: bool) -> list[bytes]:
        try:
            with os.scandir(b"/".join([self.root, *folder])) as found:
                return [entry.name for entry in found if not folders or entry.is_dir(follow_symlinks=False)]
        except (FileNotFoundError, NotADirectoryError):
            return []


def of_site(site: dict[str, Any], zone: ZoneInfo, beside: Path = Path()) -> list[LogDirectory]:
    """Those of a checked site file; a path that is not absolute begins at the folder `beside`, the file's."""
    privacy = Privacy.of(site)
    return [
        LogDirectory(
            os.fsencode(beside / each["path"]),
            each["layout"],
            Source(site["cluster"], each["owner_check"], privacy),
            zone,
        )
        for each in site["log_directories"]
    ]
