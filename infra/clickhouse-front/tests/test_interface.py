"""The HTTP interface as ClickHouse documents it, asked with plain HTTP and curl."""

import gzip
import json
import random
import socket
import subprocess

import brotli
import httpx
import lz4.frame
import pyarrow.ipc
import pytest
from backports import zstd
from front_process import FrontProcess, password, wait_until
from weir_clickhouse_front.codec import NativeBlocks, native_blocks_decoded

UNPACK = {
    "gzip": gzip.decompress,
    "lz4": lz4.frame.decompress,
    "zstd": zstd.decompress,
    "br": brotli.decompress,
}
PACK = {
    "gzip": gzip.compress,
    "lz4": lz4.frame.compress,
    "zstd": zstd.compress,
    "br": brotli.compress,
}
# 0 + 1 + ... + 299999, written by Python.
NUMBERS = "".join(f"{n}\n" for n in range(300_000))


def curl(front: FrontProcess, *arguments: str) -> str:
    done = subprocess.run(["curl", "-sS", *arguments], capture_output=True, text=True, timeout=20, check=True)
    return done.stdout


def test_ping_and_empty_request_say_ok_without_login(front: FrontProcess) -> None:
    assert curl(front, front.url + "ping") == "Ok.\n"
    assert curl(front, front.url) == "Ok.\n"


def test_curl_asks_with_every_kind_of_credentials(front: FrontProcess) -> None:
    key = password("reader")
    query = "query=SELECT%201%2B1"
    assert curl(front, "-u", f"reader:{key}", f"{front.url}?{query}") == "2\n"
    headers = ("-H", "X-ClickHouse-User: reader", "-H", f"X-ClickHouse-Key: {key}")
    assert curl(front, *headers, f"{front.url}?{query}") == "2\n"
    assert curl(front, f"{front.url}?{query}&user=reader&password={key}") == "2\n"


@pytest.mark.parametrize(("login", "key"), [("reader", "wrong"), ("nobody", "x"), ("reader", ""), ("", "")])
def test_wrong_login_is_403_with_code_516(front: FrontProcess, login: str, key: str) -> None:
    response = httpx.post(front.url, content="SELECT 1", auth=(login, key))
    assert (response.status_code, response.headers["X-ClickHouse-Exception-Code"]) == (403, "516")
    assert response.text.startswith("Code: 516. DB::Exception: ")


def test_query_parameter_and_body_are_one_statement(front: FrontProcess) -> None:
    assert front.ask("reader", "number FROM numbers(3) ORDER BY number DESC", query="SELECT") == "2\n1\n0"


def test_answer_carries_the_headers_clients_read(front: FrontProcess) -> None:
    response = front.post("reader", "SELECT number FROM numbers(10) FORMAT JSON", query_id="my-query")
    summary = json.loads(response.headers["X-ClickHouse-Summary"])
    assert response.headers["X-ClickHouse-Query-Id"] == "my-query"
    assert response.headers["X-ClickHouse-Format"] == "JSON"
    assert response.headers["X-ClickHouse-Timezone"] == front.ask("reader", "SELECT timezone()")
    assert response.headers["X-ClickHouse-Server-Display-Name"]
    assert (summary["read_rows"], summary["result_rows"]) == ("10", "10")
    assert [row["number"] for row in response.json()["data"]] == list(range(10))


def test_default_format_and_parameters(front: FrontProcess) -> None:
    text = front.ask("reader", "SELECT {a:UInt8} + 1 AS x", param_a="4", default_format="JSONEachRow")
    assert json.loads(text) == {"x": 5}


def test_database_is_taken_from_the_request(front: FrontProcess, table: str) -> None:
    front.ask("writer", "INSERT INTO t VALUES (1, 'one')", database="weir")
    assert front.ask("reader", "SELECT v FROM t", database="weir") == "one"
    assert front.error_code("reader", "SELECT 1", database="nowhere") == 81


@pytest.mark.parametrize(
    ("sql", "status", "code"),
    [("SELEC 1", 400, 62), ("SELECT nothing", 400, 47), ("SELECT * FROM weir.nothing", 404, 60)],
)
def test_errors_have_status_code_and_text(front: FrontProcess, sql: str, status: int, code: int) -> None:
    response = front.post("reader", sql)
    assert (response.status_code, response.headers["X-ClickHouse-Exception-Code"]) == (status, str(code))
    assert response.text.startswith(f"Code: {code}. DB::Exception: ")


def test_unknown_setting_is_115(front: FrontProcess) -> None:
    assert front.error_code("migrator", "SELECT 1", no_such_setting="1") == 115


@pytest.mark.parametrize("encoding", UNPACK)
def test_small_and_streamed_answers_are_compressed_when_asked(front: FrontProcess, encoding: str) -> None:
    for count, expected in ((1, "0\n"), (300_000, NUMBERS)):
        with httpx.stream(
            "POST",
            front.url,
            params={"enable_http_compression": "1"},
            headers={"Accept-Encoding": encoding},
            auth=("reader", password("reader")),
            content=f"SELECT number FROM numbers({count})",
        ) as response:
            packed = b"".join(response.iter_raw())
        assert response.headers["Content-Encoding"] == encoding
        assert UNPACK[encoding](packed).decode() == expected


@pytest.mark.parametrize("encoding", PACK)
def test_insert_body_may_be_compressed(front: FrontProcess, table: str, encoding: str) -> None:
    body = PACK[encoding]("".join(f"{n}\tv{n}\n" for n in range(50_000)).encode())
    response = httpx.post(
        front.url,
        params={"query": f"INSERT INTO {table} FORMAT TSV"},
        headers={"Content-Encoding": encoding},
        auth=("writer", password("writer")),
        content=body,
    )
    assert response.status_code == 200, response.text
    assert (
        front.ask("reader", f"SELECT count(), sum(k), uniqExact(v) FROM {table}")
        == "50000\t1249975000\t50000"
    )


def test_truncated_compressed_body_is_an_error(front: FrontProcess, table: str) -> None:
    for encoding, pack in PACK.items():
        body = pack("".join(f"{n}\tv{n}\n" for n in range(1000)).encode())
        response = httpx.post(
            front.url,
            params={"query": f"INSERT INTO {table} FORMAT TSV"},
            headers={"Content-Encoding": encoding},
            auth=("writer", password("writer")),
            content=body[: len(body) // 2],
        )
        assert response.headers.get("X-ClickHouse-Exception-Code") == "354", encoding
    assert front.ask("reader", f"SELECT count() FROM {table}") == "0"


def test_native_compressed_blocks_both_ways(front: FrontProcess, table: str) -> None:
    rows = "".join(f"{n}\tv{n}\n" for n in range(200_000)).encode()
    body = NativeBlocks().compress(rows)
    front.ask("writer", body, query=f"INSERT INTO {table} FORMAT TSV", decompress="1")  # type: ignore[arg-type]
    answer = front.post("reader", f"SELECT * FROM {table} ORDER BY k", compress="1").content
    assert b"".join(native_blocks_decoded([answer])) == rows
    damaged = bytearray(body)
    damaged[len(damaged) // 2] ^= 1
    assert (
        front.error_code("writer", bytes(damaged), query=f"INSERT INTO {table} FORMAT TSV", decompress="1")
        == 40
    )


@pytest.mark.parametrize(
    "statement",
    [
        b"INSERT INTO weir.t FORMAT TSV\n1\tone\n",
        b"INSERT INTO weir.t (k, v) FORMAT TSV 1\tone\n",
        b"INSERT INTO weir.t FORMAT TSV ; \r\n1\tone\n",
        b"-- FORMAT CSV\ninsert /* VALUES */ into `weir`.`t` (v, k) values ('one', 1)",
        b'INSERT INTO weir.t SETTINGS max_insert_threads = 1 FORMAT JSONEachRow {"k": 1, "v": "one"}',
        b"INSERT INTO weir.t SELECT 1, 'one'",
        b"WITH 1 AS n, (SELECT 'one') AS s INSERT INTO weir.t SELECT n, s",
        b"WITH 1 AS n, (SELECT 'one') AS s INSERT INTO weir.t (k, v) VALUES (1, 'one')",
        b"WITH 1 AS n INSERT INTO weir.t FORMAT TSV\n1\tone\n",
    ],
)
def test_inline_data_starts_where_clickhouse_says(front: FrontProcess, table: str, statement: bytes) -> None:
    response = front.post("writer", statement)
    assert response.status_code == 200, response.text
    assert json.loads(response.headers["X-ClickHouse-Summary"])["written_rows"] == "1", response.text
    assert front.ask("reader", f"SELECT * FROM {table}") == "1\tone"


def test_binary_data_that_looks_like_white_space_arrives_unchanged(front: FrontProcess, table: str) -> None:
    row = (0x0A0D203B0A).to_bytes(8, "little") + b"\x03\n\r\n"
    front.ask("writer", row, query=f"INSERT INTO {table} FORMAT RowBinary")  # type: ignore[arg-type]
    assert front.ask("reader", f"SELECT k, hex(v) FROM {table}") == f"{0x0A0D203B0A}\t0A0D0A"


def test_stream_that_breaks_tells_the_error_and_breaks_the_connection(front: FrontProcess) -> None:
    sql = "SELECT throwIf(number = 2500000) FROM numbers(3000000)"
    received = b""
    with (
        pytest.raises(httpx.RemoteProtocolError),
        httpx.stream("POST", front.url, content=sql, auth=("reader", password("reader"))) as response,
    ):
        for chunk in response.iter_bytes():
            received += chunk
    tag = response.headers["X-ClickHouse-Exception-Tag"]
    assert f"__exception__\r\n{tag}\r\nCode: 395. ".encode() in received


@pytest.mark.parametrize(
    ("fmt", "head"),
    [("TSVWithNames", "n\n"), ("JSONCompactEachRowWithNamesAndTypes", '["n"]\n["UInt64"]\n')],
)
def test_header_of_a_streamed_format_comes_once_even_without_rows(
    front: FrontProcess, fmt: str, head: str
) -> None:
    full = front.post("reader", f"SELECT number AS n FROM numbers(200000) FORMAT {fmt}").text
    assert full.startswith(head)
    assert [int(line.strip("[]")) for line in full.removeprefix(head).splitlines()] == list(range(200_000))
    assert front.post("reader", f"SELECT number AS n FROM numbers(0) FORMAT {fmt}").text == head


@pytest.mark.parametrize(
    ("fmt", "kind"),
    [
        ("TSV", "text/tab-separated-values; charset=UTF-8"),
        ("JSONCompact", "application/json; charset=UTF-8"),
        ("JSONEachRow", "application/x-ndjson; charset=UTF-8"),
        ("CSV", "text/csv; charset=UTF-8; header=absent"),
        ("CSVWithNames", "text/csv; charset=UTF-8; header=present"),
        ("Pretty", "text/plain; charset=UTF-8"),
        ("Parquet", "application/octet-stream"),
    ],
)
def test_content_type_is_that_of_the_format(front: FrontProcess, fmt: str, kind: str) -> None:
    assert front.post("reader", f"SELECT 1 FORMAT {fmt}").headers["Content-Type"] == kind
    assert front.post("reader", "SELECT 1", default_format=fmt).headers["Content-Type"] == kind


@pytest.mark.parametrize("ending", ["{}", "{} ; -- FORMAT CSV", " /* FORMAT CSV */ # ; \n{};;"])
def test_a_short_answer_is_whole_in_any_format(front: FrontProcess, ending: str) -> None:
    sql = f"SELECT number % 3 AS a, count() AS n FROM numbers(10) GROUP BY a WITH TOTALS ORDER BY a{ending}"
    answer = front.post("reader", sql.format(" FORMAT JSON")).json()
    assert [(row["a"], row["n"]) for row in answer["data"]] == [(0, 4), (1, 3), (2, 3)]
    assert answer["totals"] == {"a": 0, "n": 10}
    assert front.ask("reader", sql.format("")) == "0\t4\n1\t3\n2\t3\n\n0\t10"
    assert front.ask("reader", sql.format(" Format /**/ TSVWithNames")).startswith("a\tn\n0\t4")


def test_a_long_answer_with_a_footer_streams(front: FrontProcess) -> None:
    answer = front.post("reader", "SELECT number AS n, 'x' FROM numbers(300000) FORMAT JSONCompact").json()
    assert (answer["rows"], [row[0] for row in answer["data"]]) == (300_000, list(range(300_000)))
    stream = front.post("reader", "SELECT number FROM numbers(300000) FORMAT ArrowStream").content
    assert pyarrow.ipc.open_stream(stream).read_all().column(0).to_pylist() == list(range(300_000))


def test_who_waits_for_the_end_gets_the_errors_status(front: FrontProcess) -> None:
    sql = "SELECT throwIf(number = 2500000) FROM numbers(3000000)"
    response = front.post("reader", sql, wait_end_of_query="1")
    assert (response.status_code, response.headers["X-ClickHouse-Exception-Code"]) == (500, "395")
    answer = front.post("reader", "SELECT number FROM numbers(300000)", wait_end_of_query="1")
    assert answer.text == NUMBERS
    assert json.loads(answer.headers["X-ClickHouse-Summary"])["result_rows"] == "300000"


def test_progress_is_told_in_the_head_when_asked_for(front: FrontProcess) -> None:
    asked = front.post("reader", "SELECT number FROM numbers(10)", send_progress_in_http_headers="1")
    assert json.loads(asked.headers["X-ClickHouse-Progress"])["read_rows"] == "10"
    assert "X-ClickHouse-Progress" not in front.post("reader", "SELECT 1").headers


def test_a_reader_may_send_what_drivers_send(front: FrontProcess) -> None:
    sent = {
        "async_insert": "1",
        "wait_for_async_insert": "1",
        "max_block_size": "100000",
        "result_overflow_mode": "break",
        "join_algorithm": "grace_hash,hash",
        "client_protocol_version": "54405",
        "max_query_size": "10000000",
        "wait_end_of_query": "1",
    }
    asked = "SELECT getSetting('max_block_size'), getSetting('join_algorithm'), {a$b:UInt8}"
    assert front.ask("reader", asked, **{"param_a$b": "7"}, **sent) == "65409\tgrace_hash,hash\t7"


def test_a_statement_is_as_long_as_max_query_size_allows(front: FrontProcess) -> None:
    long = f"SELECT {'1' + ' ' * 400_000} + 1"
    assert front.ask("reader", long) == "2"
    assert front.error_code("reader", long, max_query_size="300000") == 62
    assert front.ask("migrator", long, max_query_size="1000000") == "2"
    assert front.error_code("migrator", long) == 62


def test_session_keeps_settings_and_database_and_is_locked_while_used(
    front: FrontProcess, table: str
) -> None:
    front.ask("migrator", "SET max_threads = 3", session_id="s1")
    front.ask("migrator", "USE weir", session_id="s1")
    asked = "SELECT getSetting('max_threads'), currentDatabase()"
    assert front.ask("migrator", asked, session_id="s1") == "3\tweir"
    assert front.ask("migrator", asked, session_id="s2").endswith("default")
    assert front.error_code("migrator", "SELECT 1", session_id="s3", session_check="1") == 372
    assert front.error_code("migrator", "SELECT 1", session_id="s3", session_timeout="100000") == 374

    with upload(front, "INSERT INTO weir.t FORMAT TSV", "&session_id=s1") as connection:
        wait_until(lambda: front.error_code("writer", "SELECT 1", session_id="s1") == 373, "s1 is locked")
        connection.sendall(b"0\r\n\r\n")
        assert b" 200 OK" in connection.recv(4096)
    assert front.error_code("writer", "SELECT 1", session_id="s1") == 0


def test_session_expires(front: FrontProcess) -> None:
    front.ask("migrator", "SET max_threads = 3", session_id="short", session_timeout="0")
    assert front.error_code("migrator", "SELECT 1", session_id="short", session_check="1") == 372


def test_aborted_chunked_insert_leaves_nothing(front: FrontProcess, table: str) -> None:
    with upload(front, f"INSERT INTO {table} FORMAT TSV") as connection:
        connection.sendall(b"8\r\n1\tone\n2\t\r\n")
    rows = f"SELECT count() FROM {table}"
    wait_until(lambda: '"status": 499' in front.log.read_text(), "the front noticed")
    assert front.ask("reader", rows) == "0"
    front.ask("writer", f"INSERT INTO {table} FORMAT TSV\n1\tone\n")
    assert front.ask("reader", rows) == "1"


def test_damaged_data_is_an_error_and_leaves_nothing(front: FrontProcess, table: str) -> None:
    assert front.error_code("writer", f"INSERT INTO {table} FORMAT TSV\n1\tone\nx\ttwo\n") == 27
    assert front.error_code("writer", b"\x02\x01", query=f"INSERT INTO {table} FORMAT Native") != 0
    assert front.ask("reader", f"SELECT count() FROM {table}") == "0"


def test_get_only_reads(front: FrontProcess, table: str) -> None:
    auth = ("migrator", password("migrator"))
    response = httpx.get(front.url, params={"query": f"DROP TABLE {table}"}, auth=auth)
    assert response.headers["X-ClickHouse-Exception-Code"] == "164"
    assert front.ask("reader", f"EXISTS TABLE {table}") == "1"


def test_metrics_count_what_was_acknowledged(front: FrontProcess, table: str) -> None:
    before = metric(front, "weir_front_inserted_rows_total")
    front.ask("writer", f"INSERT INTO {table} VALUES (1, 'a'), (2, 'b')")
    assert metric(front, "weir_front_inserted_rows_total") == before + 2
    assert metric(front, "weir_front_engine_memory_bytes") > 1_000_000


def test_log_holds_no_password(front: FrontProcess) -> None:
    front.post("reader", "SELECT 1", user="reader", password="url-password")
    log = front.log.read_text()
    assert '"event": "request"' in log
    assert "-password" not in log


def metric(front: FrontProcess, name: str) -> float:
    lines = httpx.get(front.url + "metrics").text.splitlines()
    return float(next(line.split()[1] for line in lines if line.startswith(f"{name} ")))


def upload(front: FrontProcess, sql: str, more: str = "") -> socket.socket:
    """An open connection on which an insert's head was sent and chunks may follow."""
    connection = socket.create_connection(("127.0.0.1", front.port), timeout=20)
    query = sql.replace(" ", "%20")
    head = (
        f"POST /?query={query}{more} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
        f"X-ClickHouse-User: writer\r\nX-ClickHouse-Key: {password('writer')}\r\n\r\n"
    )
    connection.sendall(head.encode())
    return connection


# Forms ------------------------------------------------------------------------------------------------------


def post_form(front: FrontProcess, content: bytes, **parameters: str) -> httpx.Response:
    kind = {"Content-Type": "multipart/form-data; boundary=edge"}
    auth = ("reader", password("reader"))
    return httpx.post(front.url, params=parameters, headers=kind, content=content, auth=auth, timeout=20)


def form(**fields: str) -> bytes:
    parts = (
        f'--edge\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    )
    return ("".join(parts) + "--edge--\r\n").encode()


def test_statement_parameters_and_settings_come_in_a_form(front: FrontProcess) -> None:
    long = "x" * 200_000
    sent = form(
        query="SELECT length({a:String}), {b:String}, getSetting('max_threads') FORMAT TSV",
        param_a=long,
        max_threads="1",
    )
    assert post_form(front, sent, param_b="tab\\tß").text == "200000\ttab\\tß\t1\n"


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        (form(query="SELECT 1", user="migrator"), "Send user in the URL"),
        (form(query="SELECT 1")[:-6], "The body is no form"),
        (b"no form", "The body is no form"),
        (form(query="SELECT 1").replace(b"SELECT", b"\xff"), "A field of the form is not UTF-8"),
        (form(query="SELECT 1").replace(b'"query"', b'"t"; filename="t"'), "External tables"),
        (form(query="SELECT 1").replace(b'name="query"', b""), "Missing name option"),
        (form(query="SELECT '" + "x" * 1_100_000 + "'"), "The form is longer than 1048576 bytes"),
        (form(**{f"param_{number}": "" for number in range(1100)}), "The body is no form"),
        (form(param_a="1"), "Empty query"),
        (form(query="DROP TABLE weir.t"), "not enough rights"),
        (form(query="SELECT 1", format_template_row="/etc/passwd"), "format_template_row"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_a_form_that_is_none_or_asks_too_much_is_refused(
    front: FrontProcess, sent: bytes, message: str
) -> None:
    answer = post_form(front, sent)
    assert answer.status_code >= 400
    assert message in answer.text


def test_any_bytes_in_place_of_a_form_are_an_error_or_an_answer(front: FrontProcess) -> None:
    chance = random.Random(19)
    sound = form(query="SELECT 1", param_a="2")
    for _ in range(300):
        sent = bytearray(sound)
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(len(sent))
            sent[at : at + chance.randrange(3)] = chance.choice(
                [b"", b"\r\n", b"--edge", chance.randbytes(3)]
            )
        assert post_form(front, bytes(sent)).status_code in (200, 400, 403, 404, 500, 501)
    assert "front_failed" not in front.log.read_text()
