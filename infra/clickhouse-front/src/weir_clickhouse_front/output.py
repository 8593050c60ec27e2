"""The result of a statement as the engine writes it, through a pipe: no more waits than the pipe holds.

The engine makes a result as a whole in memory if it is asked for it, in any format, and no limit of a query
counts that text. `INTO OUTFILE` of a pipe makes it write piece by piece and wait for whoever reads.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Thread
from types import TracebackType

from chdb.state.sqlitelike import Connection

from weir_clickhouse_front.errors import EngineError
from weir_clickhouse_front.parse import Statement

PIECE_BYTES = 1 << 18
FACTS = ("read_rows", "read_bytes", "result_rows")


class Output:
    """One statement that runs in a thread of its own while its result is read here."""

    def __init__(self, connection: Connection, statement: Statement, fmt: str, stop: Callable[[], None]):
        """`stop` ends the statement in the engine, for a reader that does not wait for its end."""
        self._connection = connection
        self._stop = stop
        self._error: Exception | None = None
        self.facts = dict.fromkeys(FACTS, 0)
        self.seconds = 0.0
        self._pipe, self._end = os.pipe()
        target = f"\nINTO OUTFILE '/dev/fd/{self._end}' TRUNCATE FORMAT {fmt}"
        self._thread = Thread(target=self._run, args=(f"{statement.body}{target}{statement.tail}",))

    def _run(self, sql: str) -> None:
        try:
            result = self._connection.query(sql, "TSV")
            counts = (result.storage_rows_read(), result.storage_bytes_read(), result.rows_read())
            self.facts = dict(zip(FACTS, counts, strict=True))
            self.seconds = result.elapsed()
        except Exception as error:
            self._error = error  # raised where the result is read
        finally:
            os.close(self._end)

    def __enter__(self) -> "Output":
        self._thread.start()
        return self

    def pieces(self) -> Iterator[bytes]:
        """The result. EngineError when the statement fails, which may be after some of it."""
        while data := os.read(self._pipe, PIECE_BYTES):
            yield data
        self._thread.join()
        if self._error is not None:
            raise EngineError(self._error)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._pipe)
        if self._thread.is_alive():
            with suppress(EngineError):
                self._stop()
            self._thread.join()
