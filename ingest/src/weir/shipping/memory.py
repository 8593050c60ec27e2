"""What was done with each log and each job, in SQLite: so that nothing is shipped again without need.

Losing it loses nothing: identities make a repetition harmless.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass, replace
from enum import StrEnum
from pathlib import Path

from weir.formats.job_record import JOIN_PADDING_SECONDS
from weir.logs.darshan_log import Place
from weir.shipping.decoding import Earlier
from weir.shipping.directories import Span

_BUSY_SECONDS = 30
_TABLES = """
CREATE TABLE IF NOT EXISTS logs (
  directory BLOB, name BLOB, state TEXT NOT NULL, size INTEGER, mtime_ns INTEGER,
  log_id TEXT, job_id INTEGER, owner_uid INTEGER, strict INTEGER, start REAL, reason TEXT,
  attempts INTEGER NOT NULL, due REAL, at REAL NOT NULL, members INTEGER,
  PRIMARY KEY (directory, name)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS logs_of_job ON logs (job_id);
CREATE INDEX IF NOT EXISTS logs_by_id ON logs (log_id);
CREATE INDEX IF NOT EXISTS logs_by_state ON logs (state, due);
CREATE TABLE IF NOT EXISTS jobs (
  number INTEGER PRIMARY KEY, job_id INTEGER NOT NULL, uid INTEGER, start REAL, end REAL NOT NULL,
  noted REAL NOT NULL, open INTEGER NOT NULL, final INTEGER NOT NULL, log_ids TEXT,
  scan_second INTEGER NOT NULL, reason TEXT
);
CREATE INDEX IF NOT EXISTS jobs_by_id ON jobs (job_id, end);
CREATE INDEX IF NOT EXISTS open_jobs ON jobs (open, noted);
"""


class State(StrEnum):
    """The state of a log."""

    shipped = "shipped"
    damaged = "damaged"
    """Shipped as far as it could be read; looked at again when the file changes."""
    superseded = "superseded"
    """Shipped, and then its whole log."""
    waiting = "waiting"
    """To be tried again."""
    incomplete = "incomplete"
    """Logs of some of the killed processes of a run are not there so far."""
    quarantined = "quarantined"
    """Refused; `weir spool retry` tries it again."""
    refused = "refused"
    """Sound, but Kafka refuses its messages; `weir spool retry` tries it again."""
    left_out = "left out"
    """Not asked for: too old for the sweep, or purged, or outside of what is back-filled; or left by
    processes of a run that has its own log."""
    gone = "gone"
    """It is not there any more; never stored."""


@dataclass(frozen=True)
class Known:
    """A row of a log; what is not known yet is None."""

    directory: bytes
    name: bytes
    state: State
    size: int | None = None
    mtime_ns: int | None = None
    log_id: str | None = None
    job_id: int | None = None
    owner_uid: int | None = None
    strict: bool | None = None
    """Whether its owner is to be the job's user."""
    start: float | None = None
    reason: str | None = None
    attempts: int = 0
    due: float | None = None
    at: float = 0
    members: int | None = None
    """How many logs of killed processes of a run were there."""


@dataclass(frozen=True)
class EndedJob:
    """A job that has ended; `log_ids` and `final` are those of its newest manifest, None before the first."""

    number: int
    job_id: int
    uid: int | None
    start: float | None
    end: float
    noted: float
    open: bool
    final: bool
    log_ids: list[str] | None
    scan_second: int
    reason: str | None = None
    """Why Kafka refuses its manifest."""

    def span(self, longest_seconds: float) -> Span:
        """In which its runs began."""
        begun = self.end - longest_seconds
        return Span(max(begun, self.start) if self.start and self.start <= self.end else begun, self.end)


class ShippingMemory:
    """The file, as a context manager. Each call is a transaction; `transaction` makes one of several."""

    def __init__(self, file: Path):
        file.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
        self._db = sqlite3.connect(file, timeout=_BUSY_SECONDS, isolation_level=None)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.executescript(_TABLES)
        for table, column, kind in (("jobs", "reason", "TEXT"), ("logs", "members", "INTEGER")):
            has = f"SELECT 1 FROM pragma_table_info('{table}') WHERE name = '{column}'"  # noqa: S608
            if not self._db.execute(has).fetchone():
                self._db.execute(f"ALTER TABLE {table} ADD COLUMN {column} {kind}")  # of a file of before

    def __enter__(self) -> "ShippingMemory":
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    # --- logs ----------------------------------------------------------------------------------------------

    def names(self, directory: bytes) -> dict[bytes, State]:
        """State by name of the logs that are known in a directory."""
        rows = self._db.execute("SELECT name, state FROM logs WHERE directory = ?", (directory,))
        return {name: State(state) for name, state in rows}

    def sets(self, directory: bytes) -> dict[bytes, Known]:
        """What is known of the sets of memory-mapped logs in a directory, by their names."""
        where = "directory = ? AND members IS NOT NULL"
        return {each.name: each for each in self._logs(where, directory)}

    def get(self, place: Place) -> Known | None:
        """What is known of the log there."""
        found = self._logs("directory = ? AND name = ?", place.directory, place.name)
        return found[0] if found else None

    def put(self, known: Known) -> None:
        """In place of what was known of it."""
        marks = ", ".join("?" * 15)
        self._db.execute(f"INSERT OR REPLACE INTO logs VALUES ({marks})", astuple(known))  # noqa: S608

    def drop(self, place: Place) -> None:
        """Know nothing of it."""
        self._db.execute("DELETE FROM logs WHERE directory = ? AND name = ?", (place.directory, place.name))

    def is_published(self, log_id: str) -> bool:
        """Whether a log of these bytes was shipped, wherever it lay."""
        return bool(self._logs("log_id = ? AND state IN ('shipped', 'damaged', 'superseded')", log_id))

    def earlier(self, place: Place, partial_name: bytes) -> Earlier | None:
        """What was shipped of the file itself, or of it while it was partial."""
        found = self._logs(
            "directory = ? AND name IN (?, ?) AND state IN ('shipped', 'damaged') ORDER BY at DESC",
            *(place.directory, place.name, partial_name),
        )
        for one in found:
            if one.log_id and one.job_id is not None and one.owner_uid is not None:
                return Earlier(one.log_id, one.job_id, one.owner_uid)
        return None

    def has_own_log(self, job_id: int, start: float) -> bool:
        """Whether a run of the job that began at that microsecond left the log that Darshan writes itself."""
        where = "job_id = ? AND start = ? AND members IS NULL AND state IN ('shipped', 'damaged')"
        # Darshan up to 3.4 writes whole seconds only, which prove nothing
        return start % 1 != 0 and bool(self._logs(where, job_id, start))

    def supersede(self, log_id: str, by: Place) -> None:
        """The run of `log_id` has been retracted by the log at another place."""
        self._db.execute(
            "UPDATE logs SET state = 'superseded' WHERE log_id = ? AND NOT (directory = ? AND name = ?)",
            (log_id, by.directory, by.name),
        )

    def due(self, now: float, most: int) -> list[Known]:
        """Logs of their own whose next try is due, the longest waiting first."""
        where = "state = 'waiting' AND members IS NULL AND due <= ? ORDER BY due LIMIT ?"
        return self._logs(where, now, most)

    def in_state(self, state: State) -> list[Known]:
        """All of them, in the order in which they came."""
        return self._logs("state = ? ORDER BY at, name", state)

    def counts(self) -> dict[str, int]:
        """Logs by state."""
        return dict(self._db.execute("SELECT state, count(*) FROM logs GROUP BY state"))

    def retry(self, logs: Iterable[Known], jobs: Iterable[EndedJob] = ()) -> None:
        """Let the daemon try them again, at once."""
        with self.transaction():
            for known in logs:
                self.put(replace(known, state=State.waiting, attempts=0, due=0.0))
            for job in jobs:
                self.put_job(replace(job, open=True))

    def leave_out(self, logs: Iterable[Known], jobs: Iterable[EndedJob] = ()) -> None:
        """Do not try them again."""
        with self.transaction():
            for known in logs:
                self.put(replace(known, state=State.left_out))
            for job in jobs:
                self.put_job(replace(job, reason=None))

    def _logs(self, where: str, *values: object) -> list[Known]:
        rows = self._db.execute(f"SELECT * FROM logs WHERE {where}", values)  # noqa: S608
        return [Known(row[0], row[1], State(row[2]), *row[3:]) for row in rows]

    # --- jobs ----------------------------------------------------------------------------------------------

    def note(self, job_id: int, uid: int | None, start: float | None, end: float, noted: float) -> int:
        """Returns the number of a job that has ended; its nodes report that one by one, but it is one job."""
        near = "job_id = ? AND abs(end - ?) <= ?"
        found = self._jobs(f"{near} ORDER BY end DESC LIMIT 1", job_id, end, JOIN_PADDING_SECONDS)
        if found:
            self._db.execute(
                "UPDATE jobs SET open = 1, end = max(end, ?), uid = coalesce(uid, ?), "
                "start = coalesce(start, ?) WHERE number = ?",
                (end, uid, start, found[0].number),
            )
            return found[0].number
        made = self._db.execute(
            "INSERT INTO jobs (job_id, uid, start, end, noted, open, final, scan_second) "
            "VALUES (?, ?, ?, ?, ?, 1, 0, 0)",
            (job_id, uid, start, end, noted),
        )
        return int(made.lastrowid or 0)

    def reopen(self, job_id: int, start: float) -> None:
        """A log came later: look again at the job in whose time it began."""
        self._db.execute(
            "UPDATE jobs SET open = 1 WHERE job_id = ? AND log_ids IS NOT NULL AND end >= ?",
            (job_id, start - JOIN_PADDING_SECONDS),
        )

    def open_jobs(self, most: int) -> list[EndedJob]:
        """Those whose manifest is not final or may have changed, the oldest first."""
        return self._jobs("open = 1 ORDER BY noted LIMIT ?", most)

    def open_numbers(self) -> set[int]:
        """Numbers of all of them."""
        return {number for (number,) in self._db.execute("SELECT number FROM jobs WHERE open = 1")}

    def jobs_of(self, job_id: int) -> list[EndedJob]:
        """Those that had this id."""
        return self._jobs("job_id = ?", job_id)

    def published_ids(self, job: EndedJob, span: Span) -> list[str]:
        """Logs of the job's user that began in its time, without superseded ones."""
        rows = self._db.execute(
            "SELECT DISTINCT log_id FROM logs WHERE job_id = ? AND start BETWEEN ? AND ? "
            "AND state IN ('shipped', 'damaged') AND (NOT strict OR owner_uid = coalesce(?, owner_uid)) "
            "ORDER BY start, log_id",
            (job.job_id, *span.padded(), job.uid),
        )
        return [log_id for (log_id,) in rows]

    def put_job(self, job: EndedJob) -> None:
        """In place of what was known of it."""
        self._db.execute(
            "UPDATE jobs SET open = ?, final = ?, log_ids = ?, scan_second = ?, reason = ? WHERE number = ?",
            (job.open, job.final, json.dumps(job.log_ids), job.scan_second, job.reason, job.number),
        )

    def refused_jobs(self) -> list[EndedJob]:
        """Those whose manifest Kafka refuses, the oldest first."""
        return self._jobs("reason IS NOT NULL AND open = 0 ORDER BY noted")

    def _jobs(self, where: str, *values: object) -> list[EndedJob]:
        rows = self._db.execute(f"SELECT * FROM jobs WHERE {where}", values)  # noqa: S608
        return [
            EndedJob(*known, bool(is_open), bool(final), json.loads(log_ids or "null"), scan_second, reason)  # type: ignore[call-arg]
            for *known, is_open, final, log_ids, scan_second, reason in rows
        ]

    # -------------------------------------------------------------------------------------------------------

    def forget(self, before: float) -> None:
        """Drop what was shipped or left out, and closed jobs, before a Unix second."""
        with self.transaction():
            self._db.execute(
                "DELETE FROM logs WHERE at < ? AND state NOT IN ('waiting', 'quarantined', 'refused')",
                (before,),
            )
            self._db.execute("DELETE FROM jobs WHERE noted < ? AND open = 0 AND reason IS NULL", (before,))
