"""The engine: the one owner of the data path, and connections that live for one request."""

import fcntl
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from chdb.state.sqlitelike import Connection

from weir_clickhouse_front.engine_config import write_engine_config
from weir_clickhouse_front.errors import EngineError, StartError, bad_request
from weir_clickhouse_front.settings import FrontSettings

NAME = re.compile(r"\w+", re.ASCII)
PARAMETER = re.compile(r"[\w$]+", re.ASCII)


class Engine:
    """A chDB engine on a data path. chDB keeps it open as long as one connection is."""

    def __init__(self, settings: FrontSettings):
        """Opens the data path; StartError if another process has it or the engine refuses it."""
        self.path = settings.data_path.resolve()
        self._lock = _lock(self.path)
        self._store = str(self.path / "store")
        config = write_engine_config(self.path / "engine.xml", settings)
        try:
            self._anchor = Connection(f"{self._store}?config-file={config}")
            facts = self._anchor.query("SELECT version(), timezone(), hostName()", "TSVRaw").data()
        except RuntimeError as error:
            first_line = str(error).splitlines()[0]
            raise StartError(
                f"data path {self.path} does not open: {first_line}. Restore or move it away"
            ) from None
        self.version, self.timezone, self.host_name = facts.rstrip("\n").split("\t")

    @contextmanager
    def connect(
        self,
        settings: dict[str, str] | None = None,
        database: str = "default",
        params: dict[str, str] | None = None,
        read_only: bool = False,
    ) -> Iterator[Connection]:
        """A connection with settings and parameters of its own, all of them text. Raises EngineError."""
        connection = Connection(self._store)
        try:
            if database != "default":
                run(connection, f"USE {quote_name(database)}")
            # The engine's default takes any words as a SELECT list; a server does not.
            assignments = ["implicit_select = 0"]
            assignments += [f"{checked(name)} = {quote(value)}" for name, value in (settings or {}).items()]
            assignments += [
                f"param_{checked(name, PARAMETER)} = {quote(value)}" for name, value in (params or {}).items()
            ]
            if read_only:
                assignments.append("readonly = 1")
            run(connection, "SET " + ", ".join(assignments))
            yield connection
        finally:
            connection.close()

    def kill(self, query_id: str) -> None:
        """Cancels the query whose connection has this id as log_comment; does nothing if it is over."""
        with self.connect() as connection:
            run(connection, f"KILL QUERY WHERE Settings['log_comment'] = {quote(query_id)} ASYNC")

    def memory_bytes(self) -> int:
        """What the engine's own tracker counts now, in bytes."""
        with self.connect() as connection:
            text = run(connection, "SELECT value FROM system.metrics WHERE metric = 'MemoryTracking'")
        return int(text or 0)

    def close(self) -> None:
        """Writes the logs out and closes; all other connections must be closed before."""
        with suppress(EngineError):
            run(self._anchor, "SYSTEM FLUSH LOGS")
        self._anchor.close()
        self._lock.close()


def run(connection: Connection, sql: str) -> str:
    """Runs one statement of the front itself; its result as raw TSV. Raises EngineError."""
    try:
        return str(connection.query(sql, "TSVRaw").data()).rstrip("\n")
    except RuntimeError as error:
        raise EngineError(error) from None


def quote(text: str) -> str:
    """A ClickHouse string literal."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def quote_name(name: str) -> str:
    """A ClickHouse identifier in backticks."""
    return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"


def checked(name: str, pattern: re.Pattern[str] = NAME) -> str:
    """The name of a setting or parameter, if it is one: it goes into SET as it is."""
    if not pattern.fullmatch(name):
        raise bad_request(f"{name!r} is not the name of a setting or parameter")
    return name


def _lock(path: Path) -> TextIO:
    """Holds the data path for this process until it ends, however it ends."""
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = (path / "front.lock").open("w")
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise StartError(
            f"data path {path} is in use by another front: stop that one or choose another"
        ) from None
    except OSError as error:
        raise StartError(
            f"data path {path} cannot be written ({error.strerror}): correct its owner or mode"
        ) from None
    return lock
