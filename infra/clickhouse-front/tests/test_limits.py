"""What nobody can take from the others: memory, connections, threads, sessions, and the front's life."""

import random
import re
import socket
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import brotli
import httpx
import lz4.frame
import pytest
from backports import zstd
from front_process import DEADLINE_SECONDS, FrontProcess, password, wait_until
from weir_clickhouse_front import connections, incoming, slots
from weir_clickhouse_front.exchange import Patience
from weir_clickhouse_front.statement import TOKEN

ENDLESS = "SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 1"
MIB = 1 << 20
READER = ("reader", password("reader"))


@pytest.fixture
def small_front(tmp_path: Path) -> Iterator[FrontProcess]:
    """A front of its own, whose memory is looked at."""
    process = FrontProcess(tmp_path).start()
    process.ask("migrator", "CREATE DATABASE weir")
    yield process
    process.kill()


def resident_bytes(front: FrontProcess) -> int:
    """The most memory the front's process has had since the last `forget_peak`."""
    status = Path(f"/proc/{front.pid}/status").read_text()
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert found
    return int(found[1]) * 1024


@contextmanager
def grows_at_most(front: FrontProcess, size: int) -> Iterator[None]:
    Path(f"/proc/{front.pid}/clear_refs").write_text("5")  # the peak starts from now
    before = resident_bytes(front)
    yield
    assert (resident_bytes(front) - before) // MIB <= size // MIB


# Liveness -----------------------------------------------------------------------------------------------


def test_health_check_does_not_wait_behind_readers_and_inserts_go_on(small_front: FrontProcess) -> None:
    small_front.ask("migrator", "CREATE TABLE weir.t (k UInt64) ENGINE = MergeTree ORDER BY k")
    running = "SELECT count() FROM system.processes WHERE query LIKE '%1000000000000%' AND is_initial_query"
    with ThreadPoolExecutor(6) as pool:
        busy = [pool.submit(small_front.post, "reader", ENDLESS, max_execution_time="15") for _ in range(6)]
        wait_until(lambda: int(small_front.ask("migrator", running)) > 4, "every reader's thread is taken")
        assert httpx.get(small_front.url + "health", timeout=10).text == "Ok.\n"
        small_front.ask("writer", "INSERT INTO weir.t VALUES (1)")
        assert not any(each.done() for each in busy), "the readers were busy all the time"
        wait_until(lambda: all_killed(small_front, busy), "the readers are done")
    assert small_front.ask("reader", "SELECT count() FROM weir.t") == "1"


def test_many_health_checks_cost_one_thread(front: FrontProcess) -> None:
    with ThreadPoolExecutor(30) as pool:
        answers = list(pool.map(lambda _: httpx.get(front.url + "health", timeout=20).text, range(100)))
    assert set(answers) == {"Ok.\n"}


def all_killed(front: FrontProcess, asked: "list[Future[httpx.Response]]") -> bool:
    front.ask("migrator", "KILL QUERY WHERE query LIKE 'SELECT count() FROM numbers%' ASYNC")
    return all(each.done() for each in asked)


# Without a login ----------------------------------------------------------------------------------------


def connect(front: FrontProcess, sent: bytes = b"") -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", front.port), timeout=DEADLINE_SECONDS + 20)
    connection.sendall(sent)
    return connection


def send_often(sender: socket.socket, data: bytes) -> None:
    for _ in range(200):
        sender.sendall(data)


def test_a_head_has_at_most_so_many_bytes(small_front: FrontProcess) -> None:
    """One header of 200 MB and a million short ones, sent until the front hangs up."""
    for header in (b"X: " + b"x" * MIB, b"X: x\r\n" * 10_000):
        with (
            grows_at_most(small_front, 20 * MIB),
            connect(small_front, b"GET /ping HTTP/1.1\r\n") as sender,
            pytest.raises(OSError, match=r"reset|Broken"),
        ):
            send_often(sender, header)
    assert httpx.get(small_front.url + "ping").text == "Ok.\n"


def test_half_sent_requests_keep_nobody_out(small_front: FrontProcess) -> None:
    """More of them than places, and than descriptors: those that have waited longest give way."""
    many = connections.MAX_CONNECTIONS + 700
    with ExitStack() as stack:
        for number in range(many):
            stack.enter_context(connect(small_front, b"GET /ping HTTP/1.1\r\nHost: x"))
            if number % 100 == 0:
                assert httpx.get(small_front.url + "ping").text == "Ok.\n"
        assert small_front.ask("reader", "SELECT 1") == "1"
        assert len(list(Path(f"/proc/{small_front.pid}/fd").iterdir())) < connections.MAX_CONNECTIONS + 200


DRIPPING = {
    "head": b"GET /ping HTTP/1.1\r\nX: ",
    "second head": b"GET /ping HTTP/1.1\r\nHost: x\r\n\r\nGET /ping",
    "body of a ping": b"POST /ping HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n",
    "body without login": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nSELECT",
}


def test_a_head_and_an_unwanted_body_have_their_time_however_they_drip(small_front: FrontProcess) -> None:
    with ThreadPoolExecutor(len(DRIPPING)) as pool:
        ended = pool.map(lambda head: ends(small_front, head), DRIPPING.values())
    assert dict(zip(DRIPPING, ended, strict=True)) == dict.fromkeys(DRIPPING, True)


def ends(front: FrontProcess, head: bytes) -> bool:
    """Whether the front ends a connection on which bytes go on arriving."""
    deadline = time.monotonic() + DEADLINE_SECONDS
    with connect(front, head) as connection:
        connection.settimeout(0.2)
        while time.monotonic() < deadline:
            try:
                connection.sendall(b"x")
                if not connection.recv(65536):
                    return True
            except TimeoutError:
                continue
            except OSError:
                return True
    return False


# With the login of a reader -----------------------------------------------------------------------------

LONG_NAME = "n" * 50_000
# Each makes gigabytes of text out of kilobytes of columns, which is all that the engine's limits count.
SWOLLEN = {
    "table name in every row": (
        "SELECT number FROM numbers(20000) FORMAT SQLInsert",
        {"output_format_sql_insert_max_batch_size": "1", "output_format_sql_insert_table_name": LONG_NAME},
    ),
    "column name in every row": (f"SELECT number AS {LONG_NAME} FROM numbers(20000) FORMAT JSONEachRow", {}),
    "column name, with a footer": (f"SELECT number AS {LONG_NAME} FROM numbers(20000) FORMAT JSON", {}),
    "writers side by side": (
        f"SELECT number AS {LONG_NAME} FROM numbers(20000) FORMAT XML",
        {"output_format_parallel_formatting": "1"},
    ),
    "name of a value": (f"SELECT CAST('{LONG_NAME}' AS Enum8('{LONG_NAME}' = 1)) FROM numbers(5000)", {}),
    "word for true": ("SELECT true FROM numbers(20000)", {"bool_true_representation": LONG_NAME}),
}


@pytest.mark.parametrize("what", SWOLLEN)
def test_text_of_an_answer_is_never_held_as_a_whole(small_front: FrontProcess, what: str) -> None:
    sql, settings = SWOLLEN[what]
    small_front.ask("reader", "SELECT 1")
    received = 0
    with grows_at_most(small_front, 150 * MIB):
        with httpx.stream(
            "POST",
            small_front.url,
            params=settings,
            content=sql,
            auth=READER,
            timeout=60,
        ) as response:
            for chunk in response.iter_raw():
                received += len(chunk)
        assert response.status_code == 200, received
    assert received > 150 * MIB


BOMBS = {
    "zstd": lambda data: zstd.compress(data),
    "lz4": lz4.frame.compress,
    "br": lambda data: brotli.compress(data, quality=1),
}


@pytest.mark.parametrize("encoding", BOMBS)
def test_a_packed_statement_is_bounded_while_unpacked(small_front: FrontProcess, encoding: str) -> None:
    body = BOMBS[encoding](b" " * (1000 * MIB))
    with grows_at_most(small_front, 40 * MIB):
        response = httpx.post(
            small_front.url, headers={"Content-Encoding": encoding}, content=body, auth=READER, timeout=20
        )
    assert response.headers["X-ClickHouse-Exception-Code"] == "62"


STATEMENT_BYTES = 1_000_000
HOSTILE = {
    "open comments": b"INSERT INTO t " + b"/* " * (STATEMENT_BYTES // 3),
    "open text": b"INSERT INTO t '" + b"\\'" * (STATEMENT_BYTES // 2),
    "open name": b"INSERT INTO t `" + b"\\`" * (STATEMENT_BYTES // 2),
    "open comments behind WITH": b"WITH x AS INSERT " + b"/* " * (STATEMENT_BYTES // 3),
    "brackets": b"INSERT INTO t " + b"(" * STATEMENT_BYTES,
    "spaces behind FORMAT": b"SHOW CREATE TABLE weir.t FORMAT TSV"
    + b" " * 200_000
    + b"SETTINGS max_threads = 1",
    "dollars": b"SELECT 1 FORMAT TSV " + b"$a$ " * (STATEMENT_BYTES // 4),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_long_statement_is_judged_in_linear_time(front: FrontProcess, what: str) -> None:
    """Where a tenth of it took a minute once; post() gives up after DEADLINE_SECONDS."""
    assert front.error_code("reader", HOSTILE[what]) != 0


def test_a_statement_in_many_pieces_is_looked_at_twice_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[int] = []

    def note(text: bytes) -> None:
        looked_at.append(len(text))

    monkeypatch.setattr(incoming, "find_insert_data", note)
    text = b"SELECT " + b"a, " * 100_000
    pieces = (text[n : n + 7] for n in range(0, len(text), 7))
    request = SimpleNamespace(content_encoding="", body_in_native_blocks=False, query="")
    incoming.read_incoming(cast("Any", request), pieces)
    assert sum(looked_at) <= 3 * len(text)


def test_tokens_cover_any_text_once() -> None:
    """Each token begins where the one before ends, so that nothing is looked at again."""
    chance = random.Random(19)
    parts = [b"'", b"''", b"\\", b"`", b'"', b"/*", b"*/", b"--", b"\n", b"# ", b"#", b"a1$", b" ", b"("]
    for _ in range(3000):
        text = b"".join(chance.choices(parts, k=chance.randrange(40)))
        assert b"".join(token[0] for token in TOKEN.finditer(text)) == text


def test_patience_ends_for_who_reads_slowly() -> None:
    """64 KiB a second: who is slower than that is out a minute later, who is faster after 10 minutes."""
    patience = Patience(60, bytes_a_second=64 << 10, most_seconds=600)
    assert patience.left == 60
    patience.moved, patience.waited = 64 << 20, 1000.0
    assert patience.left < 0
    patience.waited = 590.0
    assert patience.left == 10


def test_a_reader_that_does_not_read_loses_its_thread(tmp_path: Path) -> None:
    process = FrontProcess(tmp_path, WEIR_FRONT_READER_THREADS="1", WEIR_FRONT_PATIENCE_SECONDS="1").start()
    try:
        query = "query=SELECT%20*%20FROM%20numbers(10000000000)&user=reader&password=" + password("reader")
        with connect(process, f"GET /?{query} HTTP/1.1\r\nHost: x\r\n\r\n".encode()):
            wait_until(
                lambda: process.error_code("reader", "SELECT 1") == 0, "the thread of the slow reader is free"
            )
        assert "read too slowly" in process.log.read_text()
    finally:
        process.kill()


def test_sessions_of_one_login_lock_nobody_out(front: FrontProcess) -> None:
    with httpx.Client(auth=READER, timeout=60) as client:
        for n in range(1100):
            response = client.post(front.url, params={"session_id": f"s{n}"}, content="SET max_threads = 1")
            assert response.status_code == 200, response.text
    assert front.ask("alert", "SELECT 1", session_id="mine") == "1"
    assert front.error_code("reader", "SELECT 1", session_id="s0", session_check="1") == 372
    assert front.error_code("reader", "SELECT 1", session_id="s1099", session_check="1") == 0
    long = "x" * 20_000
    assert front.error_code("reader", f"SET bool_true_representation = '{long}'", session_id="long") == 36
    assert front.error_code("reader", "SELECT 1", session_id="x" * 300) == 36


def test_a_login_waits_in_a_queue_of_its_own(small_front: FrontProcess) -> None:
    many = slots.MAX_WAITING + 14
    with ThreadPoolExecutor(many) as pool:
        asked = [pool.submit(small_front.post, "reader", ENDLESS) for _ in range(many)]
        wait_until(lambda: any(each.done() for each in asked), "the queue is full")
        first = next(each for each in asked if each.done()).result()
        assert first.headers["X-ClickHouse-Exception-Code"] == "202"
        assert small_front.ask("alert", "SELECT 1") == "1"
        wait_until(lambda: all_killed(small_front, asked), "the readers are done")
        codes: set[Any] = {each.result().headers.get("X-ClickHouse-Exception-Code") for each in asked}
    assert codes <= {"202", "394", "159"}
