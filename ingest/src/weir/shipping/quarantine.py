"""What waits and what was refused, for people: `weir spool`."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from fnmatch import fnmatchcase

from weir.agents.config import AgentConfig
from weir.errors import Refused, UserError
from weir.shipping.daemon import MEMORY
from weir.shipping.job_spool import JobSpool
from weir.shipping.memory import EndedJob, Known, ShippingMemory, State
from weir.text import escape

REFUSED = (State.quarantined, State.refused)


@dataclass(frozen=True)
class Line:
    """A log or an entry: its state, since when, what it is, and why."""

    state: str
    since: datetime
    what: str
    job_id: int | None
    reason: str


def lines(config: AgentConfig) -> Iterator[Line]:
    """Jobs that wait in the spool, entries that could not be read, and logs that wait or were refused."""
    spool = JobSpool(config.jobs_spool)
    for name in spool.names():
        try:
            entry = spool.read(name)
        except (FileNotFoundError, Refused):
            continue
        yield Line("job", _time(entry.noted), name, entry.job_id, "")
    for name in spool.bad():
        noted = (spool.folder / name).lstat().st_mtime
        yield Line("bad entry", _time(noted), name, None, "no entry of the hook")
    with _memory(config) as memory:
        for state in (State.waiting, State.incomplete, *REFUSED):
            for known in memory.in_state(state):
                yield Line(state.value, _time(known.at), _path(known), known.job_id, known.reason or "")
        for job in memory.refused_jobs():
            yield Line(State.refused.value, _time(job.noted), _manifest(job), job.job_id, job.reason or "")


def retry(config: AgentConfig, patterns: list[str]) -> list[str]:
    """Let the daemon try what was refused again; what that is."""
    with _memory(config) as memory:
        logs, jobs = _matching(memory, patterns)
        memory.retry(logs, jobs)
    return [*map(_path, logs), *map(_manifest, jobs)]


def purge(config: AgentConfig, patterns: list[str]) -> list[str]:
    """Take what was refused off the list, and bad entries out of the spool; what was taken."""
    spool = JobSpool(config.jobs_spool)
    bad = [name for name in spool.bad() if _matches(name, patterns)]
    for name in bad:
        spool.remove(name)
    with _memory(config) as memory:
        logs, jobs = _matching(memory, patterns)
        memory.leave_out(logs, jobs)
    return [*bad, *map(_path, logs), *map(_manifest, jobs)]


def by_kafka(config: AgentConfig) -> list[str]:
    """What Kafka refuses for good, with its reasons; nothing where the daemon has never run."""
    if not (config.state / MEMORY).exists():
        return []
    return [f"{line.what}: {line.reason}" for line in lines(config) if line.state == State.refused]


def _memory(config: AgentConfig) -> ShippingMemory:
    file = config.state / MEMORY
    if not file.exists():
        raise UserError(
            f"{file}: not there. `weir agent ship` makes it; is `state` right in its configuration?"
        )
    return ShippingMemory(file)


def _matching(memory: ShippingMemory, patterns: list[str]) -> tuple[list[Known], list[EndedJob]]:
    logs = [known for state in REFUSED for known in memory.in_state(state)]
    return (
        [known for known in logs if _matches(_path(known), patterns)],
        [job for job in memory.refused_jobs() if _matches(_manifest(job), patterns)],
    )


def _matches(text: str, patterns: list[str]) -> bool:
    return any(fnmatchcase(text, pattern) for pattern in patterns)


def _path(known: Known) -> str:
    return escape(known.directory + b"/" + known.name)


def _manifest(job: EndedJob) -> str:
    return f"manifest of job {job.job_id}"


def _time(second: float) -> datetime:
    return datetime.fromtimestamp(second, UTC)
