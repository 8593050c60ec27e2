"""What the source of scheduler records remembers: how far it looked, and what it published of each job."""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

from weir.errors import Refused, UserError
from weir.formats.job_record import TERMINAL
from weir.identity import dead_letter_id

_SCHEMA = """
CREATE TABLE IF NOT EXISTS jobs (
    job_uid TEXT PRIMARY KEY, job_id INTEGER NOT NULL, array_index INTEGER, rank INTEGER NOT NULL,
    version INTEGER NOT NULL, hash BLOB NOT NULL, record TEXT, seen INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS jobs_open ON jobs (job_id) WHERE record IS NOT NULL;
CREATE TABLE IF NOT EXISTS refused (id TEXT PRIMARY KEY, seen INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS positions (source TEXT PRIMARY KEY, position TEXT NOT NULL) WITHOUT ROWID;
"""

Job = dict[str, Any]


class SchedulerMemory:
    """A SQLite file. Nothing is kept before `commit`, which is for when Kafka has acknowledged.

    Whatever is forgotten, by `rollback` or because the file is gone, is published again and changes no row.
    """

    def __init__(self, file: Path, cluster: str):
        self._cluster, self._now = cluster, 0
        try:
            file.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
            self._db = sqlite3.connect(file)
            self._db.executescript(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise UserError(
                f"{file}: {error}. The agent's user must be able to write there. A damaged file can be "
                "removed: all is then published again."
            ) from None

    def position(self, source: str) -> Any:
        """How far `source` was read at the last commit; None at first."""
        row = self._db.execute("SELECT position FROM positions WHERE source = ?", (source,)).fetchone()
        return json.loads(row[0]) if row else None

    def set_position(self, source: str, position: Any) -> None:
        """Any JSON."""
        self._db.execute("REPLACE INTO positions VALUES (?, ?)", (source, json.dumps(position)))

    def news(
        self, found: Iterable[Job | Refused], source: str, file: str, now: float
    ) -> Iterator[Job | Refused]:
        """Gives of what was found the jobs that changed since they were published, and new refusals."""
        self._now = int(now)
        for each in found:
            if isinstance(each, Refused):
                if self._is_new_refusal(each, source, file):
                    yield each
            elif job := self._changed(each):
                yield job

    def _changed(self, job: Job) -> Job | None:
        """The job to publish, None where that is done.

        Of two records of one state and second the later gets a higher version, as it may say more.
        """
        digest = blake2b(json.dumps(job | {"version": 0}, sort_keys=True).encode(), digest_size=16).digest()
        known = self.known(job)
        if known:
            rank, version, before = known
            if digest == before:
                self._db.execute("UPDATE jobs SET seen = ? WHERE job_uid = ?", (self._now, job["job_uid"]))
                return None
            if rank == job["state_rank"]:
                job = job | {"version": max(job["version"], version + 1)}
        kept = None if job["state_rank"] == TERMINAL else json.dumps(job)
        row = (
            job["job_uid"],
            job["job_id"],
            job["array_index"],
            job["state_rank"],
            job["version"],
            digest,
            kept,
            self._now,
        )
        self._db.execute("REPLACE INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        return job

    def known(self, job: Job) -> tuple[int, int, bytes] | None:
        """Rank, version and hash of what was published last of this submit."""
        row = self._db.execute("SELECT rank, version, hash FROM jobs WHERE job_uid = ?", (job["job_uid"],))
        found: tuple[int, int, bytes] | None = row.fetchone()
        return found

    def open_jobs(self, before: int) -> list[int]:
        """Ids of jobs whose end is not known and that no look since Unix second `before` has shown."""
        rows = self._db.execute(
            "SELECT DISTINCT job_id FROM jobs WHERE record IS NOT NULL AND seen < ? ORDER BY job_id",
            (before,),
        )
        return [row[0] for row in rows]

    def open_job(self, job_id: int, array_index: int | None) -> Job | None:
        """What was published last of a job whose end is not known."""
        row = self._db.execute(
            "SELECT record FROM jobs WHERE job_id = ? AND array_index IS ? AND record IS NOT NULL "
            "ORDER BY version DESC",
            (job_id, array_index),
        ).fetchone()
        return json.loads(row[0]) if row else None

    def _is_new_refusal(self, refused: Refused, source: str, file: str) -> bool:
        letter_id = dead_letter_id(self._cluster, source, f"{file} {refused.position or ''}")
        new = self._db.execute("SELECT 1 FROM refused WHERE id = ?", (letter_id,)).fetchone() is None
        self._db.execute("REPLACE INTO refused VALUES (?, ?)", (letter_id, self._now))
        return new

    def forget(self, before: int) -> None:
        """What no look since Unix second `before` has shown."""
        for table in ("jobs", "refused"):
            self._db.execute(f"DELETE FROM {table} WHERE seen < ?", (before,))  # noqa: S608

    def commit(self) -> None:
        """Keep it all."""
        self._db.commit()

    def rollback(self) -> None:
        """Back to the last commit."""
        self._db.rollback()

    def close(self) -> None:
        """Closes the database without a commit."""
        self._db.close()
