"""Crashes, stops, lost clients, full queues and wrong starts."""

import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from front_process import DEADLINE_SECONDS, FrontProcess, free_port, password, wait_until

ENDLESS = "SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 1"
RUNNING = "SELECT count() FROM system.processes WHERE Settings['log_comment'] = '{}'"


def is_running(front: FrontProcess, query_id: str) -> bool:
    return front.ask("migrator", RUNNING.format(query_id)) != "0"


def ask_endlessly(front: FrontProcess, query_id: str, timeout: float = DEADLINE_SECONDS) -> httpx.Response:
    auth = ("reader", password("reader"))
    return httpx.post(front.url, params={"query_id": query_id}, content=ENDLESS, auth=auth, timeout=timeout)


def test_a_query_whose_client_goes_away_is_cancelled(own_front: FrontProcess) -> None:
    with pytest.raises(httpx.ReadTimeout):
        ask_endlessly(own_front, "lonely", timeout=1)
    # it may begin only after its client has gone: its end is in the log
    wait_until(lambda: '"query_id": "lonely"' in own_front.log.read_text(), "the query ends")
    wait_until(lambda: not is_running(own_front, "lonely"), "the query is cancelled")
    assert own_front.ask("reader", "SELECT 1") == "1"


def test_readers_queue_but_the_writer_goes_on(own_front: FrontProcess) -> None:
    own_front.ask("migrator", "CREATE TABLE weir.t (k UInt64) ENGINE = MergeTree ORDER BY k")
    with ThreadPoolExecutor(1) as pool:
        busy = pool.submit(ask_endlessly, own_front, "greedy")
        wait_until(lambda: is_running(own_front, "greedy"), "the only reader thread is taken")
        refused = own_front.post("reader", "SELECT 1")
        assert (refused.status_code, refused.headers["X-ClickHouse-Exception-Code"]) == (503, "202")
        assert own_front.error_code("alert", "SELECT 1", query_id="greedy") == 216
        own_front.ask("writer", "INSERT INTO weir.t VALUES (1)")
        own_front.ask("migrator", "KILL QUERY WHERE Settings['log_comment'] = 'greedy' ASYNC")
        assert busy.result().headers["X-ClickHouse-Exception-Code"] == "394"
    assert own_front.ask("reader", "SELECT count() FROM weir.t") == "1"


def test_kill_9_loses_no_acknowledged_batch(own_front: FrontProcess) -> None:
    own_front.ask(
        "migrator", "CREATE TABLE weir.t (writer UInt8, batch UInt64) ENGINE = MergeTree ORDER BY batch"
    )
    acknowledged: set[tuple[int, int]] = set()

    def insert_until_it_breaks(writer: int) -> None:
        try:
            for batch in range(100_000):
                rows = f"{writer}\t{batch}\n" * 1000
                own_front.ask("writer", f"INSERT INTO weir.t FORMAT TSV\n{rows}")
                acknowledged.add((writer, batch))
        except httpx.TransportError:
            pass

    for round_of_kill in range(2):
        acknowledged_before = len(acknowledged)
        writers = [
            threading.Thread(target=insert_until_it_breaks, args=(2 * round_of_kill + n,)) for n in range(2)
        ]
        for writer in writers:
            writer.start()
        wait_until(lambda: len(acknowledged) > acknowledged_before + 20, "20 batches are acknowledged")  # noqa: B023
        own_front.kill()
        for writer in writers:
            writer.join(DEADLINE_SECONDS)
            assert not writer.is_alive()
        own_front.start()
    sql = "SELECT writer, batch, count() FROM weir.t GROUP BY writer, batch"
    found = [tuple(map(int, line.split("\t"))) for line in own_front.ask("reader", sql).splitlines()]
    assert {count for _, _, count in found} == {1000}
    assert acknowledged <= {(writer, batch) for writer, batch, _ in found}


def test_sigterm_lets_a_running_insert_finish(own_front: FrontProcess) -> None:
    own_front.ask("migrator", "CREATE TABLE weir.t (k UInt64) ENGINE = MergeTree ORDER BY k")
    stopping = threading.Event()

    def body():  # type: ignore[no-untyped-def]
        yield b"1\n"
        assert stopping.wait(DEADLINE_SECONDS)
        yield b"2\n"

    with ThreadPoolExecutor(2) as pool:
        auth = ("writer", password("writer"))
        query = {"query": "INSERT INTO weir.t FORMAT TSV"}
        insert = pool.submit(httpx.post, own_front.url, params=query, content=body(), auth=auth, timeout=30)
        wait_until(lambda: is_running_insert(own_front), "the insert has begun")
        stop = pool.submit(own_front.stop)
        wait_until(lambda: refuses_connections(own_front), "the front stops listening")
        stopping.set()
        assert insert.result().status_code == 200
        assert stop.result() == 0
    assert own_front.start().ask("reader", "SELECT sum(k) FROM weir.t") == "3"


def is_running_insert(front: FrontProcess) -> bool:
    return front.ask("migrator", "SELECT count() FROM system.processes WHERE query_kind = 'Insert'") != "0"


def refuses_connections(front: FrontProcess) -> bool:
    try:
        httpx.get(front.url + "ping")
    except httpx.TransportError:
        return True
    return False


def test_memory_of_a_reader_is_bounded(front: FrontProcess) -> None:
    sql = "SELECT groupArray(number), groupArray(toString(number)) FROM numbers(100000000)"
    assert front.error_code("reader", sql) == 241
    assert front.ask("reader", "SELECT 1") == "1"


def refusal(front: FrontProcess, **environment: str) -> str:
    """The one line a front says that does not start."""
    done = subprocess.run(
        front.launch_command, env=front.environment | environment, capture_output=True, text=True, timeout=20
    )
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    return line


def test_a_wrong_start_says_what_where_and_the_way_out(own_front: FrontProcess, tmp_path: Path) -> None:
    other = {"WEIR_FRONT_PORT": "1", "WEIR_FRONT_DATA_PATH": str(tmp_path / "other")}
    assert "stop what uses it or set WEIR_FRONT_PORT" in refusal(own_front)
    assert "is in use by another front" in refusal(own_front, WEIR_FRONT_PORT=str(free_port()))
    assert "WEIR_FRONT_PORT" in refusal(own_front, WEIR_FRONT_PORT="http")
    assert "WEIR_FRONT_MEMORY_BYTES" in refusal(own_front, WEIR_FRONT_MEMORY_BYTES="1")
    users = tmp_path / "other-users.yaml"
    other["WEIR_FRONT_USERS_FILE"] = str(users)
    assert "create it with mode 0600" in refusal(own_front, **other)
    users.write_text("reader: {profile: reader, password: secret}")
    users.chmod(0o644)
    assert f"chmod 600 {users}" in refusal(own_front, **other)
    users.chmod(0o600)
    users.write_text("reader: {profile: king, password: secret}")
    line = refusal(own_front, **other)
    assert "reader.profile" in line
    assert "secret" not in line
    users.write_text("reader: {profile: reader, password: 'secret}")
    line = refusal(own_front, **other)
    assert "not YAML or JSON at line 1" in line
    assert "secret" not in line
