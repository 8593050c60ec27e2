"""What waits and what was refused, for people: `weir spool`."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from fnmatch import fnmatchcase

from weir.agents.config import AgentConfig
from weir.errors import Refused, UserError
from weir.shipping.daemon import MEMORY
from weir.shipping.memory import Known, Memory, State
from weir.shipping.spool import Spool
from weir.text import escape


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
    spool = Spool(config.jobs_spool)
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
        for state in (State.waiting, State.quarantined):
            for known in memory.in_state(state):
                yield Line(state.value, _time(known.at), _path(known), known.job_id, known.reason or "")


def retry(config: AgentConfig, patterns: list[str]) -> list[str]:
    """Let the daemon read refused logs again; their paths."""
    with _memory(config) as memory:
        found = _matching(memory, patterns)
        memory.retry(found)
    return [_path(known) for known in found]


def purge(config: AgentConfig, patterns: list[str]) -> list[str]:
    """Take refused logs off the list, and entries that could not be read out of the spool; what was taken."""
    spool = Spool(config.jobs_spool)
    bad = [name for name in spool.bad() if _matches(name, patterns)]
    for name in bad:
        spool.remove(name)
    with _memory(config) as memory:
        found = _matching(memory, patterns)
        memory.leave_out(found)
    return [*bad, *(_path(known) for known in found)]


def _memory(config: AgentConfig) -> Memory:
    file = config.state / MEMORY
    if not file.exists():
        raise UserError(
            f"{file}: not there. `weir agent ship` makes it; is `state` right in its configuration?"
        )
    return Memory(file)


def _matching(memory: Memory, patterns: list[str]) -> list[Known]:
    return [known for known in memory.in_state(State.quarantined) if _matches(_path(known), patterns)]


def _matches(text: str, patterns: list[str]) -> bool:
    return any(fnmatchcase(text, pattern) for pattern in patterns)


def _path(known: Known) -> str:
    return escape(known.directory + b"/" + known.name)


def _time(second: float) -> datetime:
    return datetime.fromtimestamp(second, UTC)
