"""Runs one request in a thread: statement in, answer out."""

import json
import secrets
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from tempfile import SpooledTemporaryFile
from threading import Lock
from typing import IO

from chdb.state.sqlitelike import Connection, StreamingInserter

from weir_clickhouse_front import telemetry
from weir_clickhouse_front.allowed import CHANGES
from weir_clickhouse_front.codec import Compressor, NativeBlocks, compressor
from weir_clickhouse_front.engine import Engine
from weir_clickhouse_front.errors import EngineError, FrontError
from weir_clickhouse_front.exchange import Exchange
from weir_clickhouse_front.formats import checked_format, content_type
from weir_clickhouse_front.forms import with_form
from weir_clickhouse_front.gate import Gate
from weir_clickhouse_front.incoming import Incoming, read_incoming
from weir_clickhouse_front.output import PIECE_BYTES, Output
from weir_clickhouse_front.parse import Statement
from weir_clickhouse_front.profiles import MIB, Profile
from weir_clickhouse_front.request import Request
from weir_clickhouse_front.sessions import Session, Sessions

# An answer up to this long has its summary and, where it fails, the status of its error.
HELD_BYTES = MIB
SENT_AS_A_WHOLE_BYTES = 64 << 10
# On disk, for who waits for the end.
MAX_AWAITED_BYTES = 256 * MIB
MAX_ANSWER_BYTES = 4096 * MIB


@dataclass
class Answer:
    """A whole answer, or what the access log says about one that was streamed."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    kind: str = ""
    rows: int = 0


@dataclass(frozen=True)
class Task:
    """Everything one request runs with."""

    request: Request
    profile: Profile
    exchange: Exchange
    session: Session

    @property
    def database(self) -> str:
        return self.request.database or self.session.database or "default"

    @property
    def settings(self) -> dict[str, str]:
        """Accepted settings; log_comment carries the query id, by which a query is found for cancelling."""
        asked = self.session.settings | self.request.settings
        return self.profile.accept(asked) | {"log_comment": self.request.query_id}


class Server:
    """Serves requests on one engine; called from many threads."""

    def __init__(self, engine: Engine):
        self.engine = engine
        self._gate = Gate(engine)
        self._sessions = Sessions()
        self._running: set[str] = set()
        self._lock = Lock()

    @property
    def busy(self) -> bool:
        return bool(self._running)

    def serve(self, request: Request, profile: Profile, exchange: Exchange) -> Answer:
        """The answer, or what was streamed to the exchange already. Raises FrontError or ClientGone."""
        with self._only_one(request.query_id), self._sessions.hold(request) as session:
            chunks = exchange.body()
            if request.form_boundary:
                request, chunks = with_form(request, chunks), iter(())
            task = Task(request, profile, exchange, session)
            incoming = read_incoming(request, chunks)
            if incoming.data is not None:
                return self._insert(task, incoming, incoming.data)
            return self._run(task, incoming.sql)

    @contextmanager
    def _only_one(self, query_id: str) -> Iterator[None]:
        with self._lock:
            if query_id in self._running:
                raise FrontError(
                    216, "QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING", f"Query with id = {query_id} runs"
                )
            self._running.add(query_id)
        try:
            yield
        finally:
            with self._lock:
                self._running.remove(query_id)

    def _insert(self, task: Task, incoming: Incoming, data: Iterator[bytes]) -> Answer:
        """Streams the data in; acknowledges only what arrived to its end and was committed."""
        _require_post(task.request)
        params = task.request.params
        self._gate.admit(task.profile, f"{incoming.sql} FORMAT {incoming.format}", task.database, params)
        received = 0
        with self.engine.connect(task.settings, task.database, params) as connection:
            inserter = _begin_insert(connection, incoming)
            try:
                for piece in data:
                    inserter.append(piece)
                    received += len(piece)
                result = inserter.finish()
            except RuntimeError as error:
                raise EngineError(error) from None
            finally:
                inserter.cancel()
        telemetry.INSERTED_ROWS.inc(result.rows_written)
        telemetry.INSERTED_BYTES.inc(received)
        summary = {"written_rows": result.rows_written, "written_bytes": result.bytes_written}
        headers = self._headers(task.request, summary, result.elapsed)
        return Answer(headers=headers, kind="InsertQuery", rows=result.rows_written)

    def _run(self, task: Task, sql: str) -> Answer:
        statement = self._gate.admit(task.profile, sql, task.database, task.request.params)
        if statement.kind in CHANGES:
            _require_post(task.request)
        if statement.kind in ("SetQuery", "UseQuery"):
            return self._remember(task, statement)
        task.exchange.on_client_gone(partial(self._cancel, task.request.query_id))
        if statement.kind in CHANGES:
            return self._change(task, statement, sql)
        return self._look(task, statement)

    def _cancel(self, query_id: str) -> None:
        telemetry.CANCELLED.inc()
        self.engine.kill(query_id)

    def _remember(self, task: Task, statement: Statement) -> Answer:
        """SET and USE change the session, if there is one; the engine says whether they are right."""
        settings = task.session.settings | statement.assigned
        database = statement.uses or task.session.database
        with self.engine.connect(task.profile.accept(settings), database or "default"):
            task.session.keep(settings, database)
        return Answer(headers=self._headers(task.request, {}, 0), kind=statement.kind)

    def _change(self, task: Task, statement: Statement, sql: str) -> Answer:
        """Runs a statement that changes something; its result is a few rows or none."""
        with self._connect(task, task.settings) as connection:
            try:
                result = connection.query(sql, statement.format or task.request.default_format)
            except RuntimeError as error:
                raise EngineError(error) from None
            body, rows = result.bytes(), result.rows_read()
            summary = {
                "read_rows": result.storage_rows_read(),
                "read_bytes": result.storage_bytes_read(),
                "written_rows": result.rows_written(),
                "result_rows": rows,
                "result_bytes": len(body),
            }
            elapsed = result.elapsed()
        headers = self._headers(task.request, summary, elapsed)
        return _packed(task.request, Answer(headers=headers, body=body, kind=statement.kind, rows=rows))

    def _look(self, task: Task, statement: Statement) -> Answer:
        """Runs a statement that reads. Its result is held until it is over; a long one is streamed."""
        fmt = checked_format(statement.format or task.request.default_format)
        stop = partial(self.engine.kill, task.request.query_id)
        with (
            self._connect(task, task.settings) as connection,
            SpooledTemporaryFile(HELD_BYTES + PIECE_BYTES, dir=str(self.engine.path)) as held,
            Output(connection, statement, fmt, stop) as output,
        ):
            pieces = _bounded(output.pieces(), task.profile)
            over = _hold(held, pieces, task.request.waits_for_the_end)
            headers = self._headers(task.request, {}, 0)
            if over:
                facts = output.facts | {"result_bytes": held.tell()}
                headers = self._headers(task.request, facts, output.seconds)
            headers |= {"X-ClickHouse-Format": fmt, "Content-Type": content_type(fmt)}
            size = held.tell()
            held.seek(0)
            if over and size <= SENT_AS_A_WHOLE_BYTES:
                rows = output.facts["result_rows"]
                answer = Answer(headers=headers, body=held.read(), kind=statement.kind, rows=rows)
                return _packed(task.request, answer)
            self._stream(task, headers, chain(_read(held), pieces))
            return Answer(kind=statement.kind, rows=output.facts["result_rows"])

    @staticmethod
    def _stream(task: Task, headers: dict[str, str], pieces: Iterator[bytes]) -> None:
        """Sends the pieces. An error on the way ends them as ClickHouse does, then the connection breaks."""
        tag = secrets.token_hex(8)
        packer = _packer(task.request, headers)
        exchange = task.exchange
        exchange.start(200, headers | {"X-ClickHouse-Exception-Tag": tag})
        try:
            for piece in pieces:
                if packed := packer.compress(piece):
                    exchange.write(packed)
        except FrontError as failure:
            exchange.finish(
                packer.compress(_exception_block(tag, str(failure))) + packer.flush(), complete=False
            )
            raise
        exchange.finish(packer.flush(), complete=True)

    def _connect(self, task: Task, settings: dict[str, str]) -> AbstractContextManager[Connection]:
        return self.engine.connect(settings, task.database, task.request.params, task.profile.read_only)

    def _headers(self, request: Request, summary: dict[str, int], elapsed: float) -> dict[str, str]:
        """The headers every answer carries; the summary's values are text, as ClickHouse's are."""
        names = ("read_rows", "read_bytes", "written_rows", "written_bytes", "total_rows_to_read")
        numbers = dict.fromkeys((*names, "result_rows", "result_bytes"), 0) | summary
        numbers["elapsed_ns"] = int(elapsed * 1e9)
        facts = {name: str(number) for name, number in numbers.items()}
        progress = {"X-ClickHouse-Progress": json.dumps(facts)} if request.wants_progress else {}
        return progress | {
            "X-ClickHouse-Query-Id": request.query_id,
            "X-ClickHouse-Timezone": self.engine.timezone,
            "X-ClickHouse-Server-Display-Name": self.engine.host_name,
            "X-ClickHouse-Summary": json.dumps(facts),
            "Content-Type": "text/plain; charset=UTF-8",
        }


class _Plain:
    def compress(self, data: bytes) -> bytes:
        return data

    def flush(self) -> bytes:
        return b""


def _packer(request: Request, headers: dict[str, str]) -> Compressor:
    """The compressor the client asked for; names a content encoding in the headers."""
    if request.response_encoding is None:
        return _Plain()
    if request.response_in_native_blocks:
        return NativeBlocks()
    headers["Content-Encoding"] = request.response_encoding
    return compressor(request.response_encoding)


def _packed(request: Request, answer: Answer) -> Answer:
    packer = _packer(request, answer.headers)
    answer.body = packer.compress(answer.body) + packer.flush()
    return answer


def _begin_insert(connection: Connection, incoming: Incoming) -> StreamingInserter:
    try:
        return connection.send_insert(incoming.sql, incoming.format)
    except RuntimeError as error:
        raise EngineError(error) from None


def _hold(held: IO[bytes], pieces: Iterator[bytes], to_the_end: bool) -> bool:
    """Takes pieces into a file: all of them, or as many as HELD_BYTES. Returns whether it took all."""
    for piece in pieces:
        held.write(piece)
        if not to_the_end and held.tell() > HELD_BYTES:
            return False
        if held.tell() > MAX_AWAITED_BYTES:
            raise FrontError(
                396,
                "TOO_MANY_ROWS_OR_BYTES",
                f"With wait_end_of_query an answer has at most {MAX_AWAITED_BYTES} bytes. Ask without it.",
            )
    return True


def _read(held: IO[bytes]) -> Iterator[bytes]:
    while piece := held.read(PIECE_BYTES):
        yield piece


def _bounded(pieces: Iterator[bytes], profile: Profile) -> Iterator[bytes]:
    """The pieces, as long as a login of this profile may have more."""
    size = 0
    for piece in pieces:
        size += len(piece)
        if profile.read_only and size > MAX_ANSWER_BYTES:
            raise FrontError(
                396, "TOO_MANY_ROWS_OR_BYTES", f"The answer is longer than {MAX_ANSWER_BYTES} bytes"
            )
        yield piece


def _exception_block(tag: str, message: str) -> bytes:
    """How ClickHouse ends a result that broke off: clients find it by the tag of the response's header."""
    return f"\r\n__exception__\r\n{tag}\r\n{message}\n{len(message) + 1} {tag}\r\n__exception__\r\n".encode()


def _require_post(request: Request) -> None:
    if request.method != "POST":
        raise FrontError(
            164, "READONLY", f"{request.method} requests only read. Use POST for statements that change."
        )
