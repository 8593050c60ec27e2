"""How answers are written, and the prompt."""

import io
import os
from datetime import datetime
from types import SimpleNamespace

import pytest
import typer
from clickhouse_connect.driver import binding
from prompt_toolkit.application import create_app_session
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from typer.testing import CliRunner
from urllib3.exceptions import ProtocolError
from weir import clickhouse, settings
from weir.cli import sql
from weir.cli.options import duration
from weir.clickhouse import reason
from weir.errors import UserError
from weir.sql import asking, prompt, questions
from weir.sql.dictionary import Column, Table
from weir.views import sql_view

BLOCK = (
    asking.BROKEN_OFF
    + b"0123456789abcdef\r\nCode: 395. DB::Exception: it threw. (SOMETHING)\n39 0123456789abcdef\r\n"
)


def pieces(data, size, failure=None):
    for start in range(0, len(data), size):
        yield data[start : start + size]
    if failure:
        raise failure


@pytest.mark.parametrize("size", [1, 7, 1000, 10**6])
def test_an_answer_comes_whole(size):
    data = bytes(range(256)) * 700
    assert b"".join(asking._complete(pieces(data, size))) == data


@pytest.mark.parametrize("size", [1, 7, 1000, 10**6])
@pytest.mark.parametrize("failure", [None, ProtocolError("Connection broken")])
def test_an_error_on_the_way_is_no_part_of_the_answer(size, failure):
    data, got = b"1\n2\n" * 40_000, []
    with pytest.raises(UserError, match=r"broken off: Code: 395. DB::Exception: it threw. \(SOMETHING\)."):
        got.extend(asking._complete(pieces(data + BLOCK, size, failure)))
    with pytest.raises(UserError):
        for piece in asking._complete(pieces(data + BLOCK, size, failure)):
            got.append(piece)
    assert b"".join(got).startswith(data)
    assert b"exception" not in b"".join(got)


@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_a_terminal_obeys_nothing_of_an_answer(size):
    told = "a\x1b[31m\x07\x9b\u202eé\x7f\nb\r".encode()
    assert b"".join(asking._printable(pieces(told, size))).decode() == (
        "a\\x1b[31m\\x07\\x9b\\u202eé\\x7f\nb\\r"
    )


def test_a_file_is_written_whole_or_stays_as_it_was(tmp_path):
    file = tmp_path / "answer.csv"

    def breaks(out):
        out.write(b"half")
        raise UserError("broken off")

    sql._write(file, lambda out: out.write(b"whole"))
    with pytest.raises(UserError, match="broken off"):
        sql._write(file, breaks)
    assert file.read_bytes() == b"whole"
    assert [*tmp_path.iterdir()] == [file]
    with pytest.raises(UserError, match=r"nowhere/x: No such file or directory. Name another file."):
        sql._write(tmp_path / "nowhere/x", breaks)


def test_what_is_no_file_is_not_replaced_and_a_link_stays_one(tmp_path):
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    for other in (pipe, tmp_path):
        with pytest.raises(UserError, match="is no file that could be replaced"):
            sql._write(other, lambda out: out.write(b"whole"))
    assert pipe.is_fifo()
    link.symlink_to(tmp_path / "file")
    sql._write(link, lambda out: out.write(b"whole"))
    assert link.is_symlink()
    assert (tmp_path / "file").read_bytes() == b"whole"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("io_by_users", "io_by_users: no saved question has this name. Did you mean io_by_user"),
        ("io_by_users limit=2", "Did you mean io_by_user"),
        ("runs", "runs: no saved question has this name. They are in: weir sql list"),
        (" ; ", "There is no statement"),
    ],
)
def test_a_question_of_another_name_is_not_sent_as_sql(monkeypatch, words, said):
    monkeypatch.setattr(settings, "load_reader", lambda: None)
    monkeypatch.setattr(clickhouse, "connect_reader", lambda _: None)
    monkeypatch.setattr(asking, "ask", lambda *_given, **_: pytest.fail("was asked"))
    refused = CliRunner().invoke(sql.app, [words])
    assert said in str(refused.exception)


@pytest.mark.parametrize(
    "words", ["SELECT 1;", "SELECT 1 ; \n", "SELECT(1)", "EXPLAIN SELECT 1", "SHOW TABLES"]
)
def test_a_statement_is_sent_without_its_semicolon(monkeypatch, words):
    asked = []
    monkeypatch.setattr(settings, "load_reader", lambda: None)
    monkeypatch.setattr(clickhouse, "connect_reader", lambda _: None)
    monkeypatch.setattr(asking, "ask", lambda *given, **_: asked.append(given[1]) or 1)
    CliRunner().invoke(sql.app, [words])
    assert asked == [words.rstrip("; \n")]


@pytest.mark.parametrize(("statement", "is_text"), [("SELECT 'é'", True), ("", False), ("S\udcff", False)])
def test_a_statement_is_text(statement, is_text):
    assert sql._is_text(statement) == is_text


@pytest.mark.parametrize("since", ["99999999999999999999d", "999999d", "d", "-1d", "²d"])
def test_how_far_back_has_an_end(since):
    with pytest.raises(typer.BadParameter):
        duration(since)


@pytest.mark.parametrize(
    ("words", "cluster", "limit"),
    [
        ([], "", "20"),
        (["--cluster", "x"], "x", "20"),
        (["--set", "cluster=x", "--set", "limit=3"], "x", "3"),
        (["--cluster", "y", "--set", "cluster=x"], "x", "20"),
        # as at the prompt
        (["--cluster", "y", "--", "limit=4", "--set", "cluster=x y's"], "x y's", "4"),
    ],
)
def test_a_question_is_asked_of_a_range_and_a_cluster(monkeypatch, words, cluster, limit):
    asked = []
    monkeypatch.setattr(settings, "load_reader", lambda: None)
    monkeypatch.setattr(clickhouse, "connect_reader", lambda _: None)
    monkeypatch.setattr(asking, "ask", lambda *given, **_: asked.append(given[2]) or 1)
    answered = CliRunner().invoke(sql.app, ["io_by_user", *words])
    assert answered.exit_code == 0, answered.output
    (values,) = asked
    assert (values["cluster"], values["limit"]) == (cluster, limit)
    assert values["since"] < values["until"]


def test_words_behind_a_question_are_its_parameters(monkeypatch):
    monkeypatch.setattr(settings, "load_reader", lambda: None)
    monkeypatch.setattr(clickhouse, "connect_reader", lambda _: None)
    for said, problem in (("limit 3", "expected NAME=VALUE"), ("limit='3'", "expected a whole number below")):
        refused = CliRunner().invoke(sql.app, ["io_by_user", said])
        assert problem in refused.output + str(refused.exception)


@pytest.mark.parametrize(
    ("words", "days"),
    [
        (["io_by_user"], 30),
        (["target_overlap"], 1),
        (["target_overlap", "--since", "48h"], 2),
        (["target_overlap", "--since", "0d"], 0),
        (["SELECT {since:DateTime('UTC')}"], 30),
    ],
)
def test_how_far_a_question_looks_back(monkeypatch, words, days):
    asked = []
    monkeypatch.setattr(settings, "load_reader", lambda: None)
    monkeypatch.setattr(clickhouse, "connect_reader", lambda _: None)
    monkeypatch.setattr(asking, "ask", lambda *given, **_: asked.append(given[2]) or 1)
    answered = CliRunner().invoke(sql.app, words)
    assert answered.exit_code == 0, answered.output
    since, until = (datetime.fromisoformat(asked[0][name]) for name in ("since", "until"))
    assert (until - since).days == days
    statement = questions.saved()["target_overlap"].statement()
    assert "now64(6, 'UTC') - INTERVAL 1 DAY" in statement


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT count() FROM runs WHERE program LIKE '%ior%'",
        "SELECT nprocs % 2 FROM runs",
        "SELECT '100%' FROM runs WHERE cluster = {cluster:String}",
    ],
)
def test_a_percent_sign_is_sent_as_it_is(statement):
    sent = []

    class Client:
        """What clickhouse-connect makes of a statement and its parameters before it sends them."""

        def raw_stream(self, sql, parameters, fmt):
            sent.append(binding.bind_query(sql, parameters)[0])
            return io.BytesIO(fmt.encode())

    asking.ask(Client(), statement, {"since": "2026-05-01", "cluster": "c"}, "csv", io.BytesIO())
    assert sent == [statement]


def test_a_connection_that_breaks_says_so():
    with pytest.raises(UserError, match="broken off: Connection broken"):
        list(asking._complete(pieces(b"1\n", 10, ProtocolError("Connection broken"))))


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (
            "Received ClickHouse exception, code: 62, server response: Code: 62. DB::Exception: Syntax error "
            "(SYNTAX_ERROR) (version 26.3.1.1 (official build)) (for url http://127.0.0.1:8123)",
            "Code: 62. DB::Exception: Syntax error (SYNTAX_ERROR).",
        ),
        ("Setting x is readonly.", "Setting x is readonly."),
        ("", "."),
    ],
)
def test_what_clickhouse_says_is_told_without_its_address(message, said):
    assert reason(message) == said


TABLES = [Table("findings", "a rule that holds"), Table("runs", "one log")]
COLUMNS = [
    Column("runs", "user", "String", "from the scheduler"),
    Column("runs", "log_id", "String", ""),
    Column("findings", "rule_id", "String", "of the rule"),
]


def typed(keys, answer, tmp_path):
    """What is asked where somebody types these keys, then leaves."""
    asked = []

    def ask(text):
        asked.append(text)
        return answer(text)

    with create_pipe_input() as keyboard, create_app_session(input=keyboard, output=DummyOutput()):
        keyboard.send_text(keys + "\x04")
        prompt.talk(ask, TABLES, COLUMNS, ["io_by_user"], tmp_path / "state/history")
    return asked


def test_a_statement_ends_with_a_semicolon_and_may_have_lines(tmp_path):
    assert typed("SELECT 1\rFROM runs;\r", lambda _: None, tmp_path) == ["SELECT 1\nFROM runs"]


def test_the_name_of_a_question_needs_no_semicolon(tmp_path):
    assert typed("io_by_user\r", lambda _: None, tmp_path) == ["io_by_user"]


def test_a_question_takes_its_parameters_at_the_prompt(tmp_path):
    asked = "io_by_user --set limit=2 since='2026-05-10 03:00'"
    assert typed(f"{asked}\r", lambda _: None, tmp_path) == [asked]


def test_an_error_does_not_end_it_and_an_empty_line_asks_nothing(tmp_path, capsys):
    def refuse(text):
        raise UserError(f"no: {text}")

    assert typed("a;\r\r;\rb;\r", refuse, tmp_path) == ["a", "b"]
    assert capsys.readouterr().err == "weir: no: a\nweir: no: b\n"


def test_earlier_statements_come_back(tmp_path):
    typed("SELECT 1;\r", lambda _: None, tmp_path)
    up = "\x1b[A"
    assert typed(up + "\r", lambda _: None, tmp_path) == ["SELECT 1"]


def test_what_stands_behind_a_name_at_the_prompt_may_be_quoted_and_has_backslashes():
    assert sql._words(r"file=/s/caf\xe9/in --set since='2026-05-10 03:00' a#b") == [
        r"file=/s/caf\xe9/in",
        "since=2026-05-10 03:00",
        "a#b",
    ]
    with pytest.raises(UserError, match="No closing quotation"):
        sql._words("limit='3")


@pytest.mark.parametrize(
    ("name", "value", "meant"),
    [
        ("since", "2026-05-10 03:00", "2026-05-10 03:00:00.000000"),
        ("since", "2026-05-10", "2026-05-10 00:00:00.000000"),
        ("since", "2026-05-10T03:00:00.5Z", "2026-05-10 03:00:00.500000"),
        ("since", "2026-05-10T03:00:00+02:00", "2026-05-10 01:00:00.000000"),
        ("since", "2026-02-31", None),
        ("since", "2026-13-01 00:00:00", None),
        ("since", "1700-01-01", None),
        ("since", "0001-01-01T00:00:00+14:00", None),
        ("until", "", None),
        ("limit", "4294967295", "4294967295"),
        ("limit", "4294967296", None),
        ("limit", "-1", None),
        ("limit", "²", None),
    ],
)
def test_a_value_is_one_of_its_type(name, value, meant):
    question = questions.saved()["io_by_user"]
    given = {"since": "2026-05-01", "until": "2026-06-01"} | {name: value}
    if meant is None:
        with pytest.raises(UserError, match=f"{name}=.*: expected a"):
            question.values(given)
    else:
        assert question.values(given)[name] == meant


@pytest.mark.parametrize("text", ["nan", "inf", "", "x"])
def test_a_share_is_a_number(text):
    with pytest.raises(UserError, match="expected a number"):
        questions.saved()["burstiness"].values({"since": "2026-05-01", "until": "2026-06-01", "idle": text})


@pytest.mark.parametrize(
    "words",
    [
        ["SELECT 1", "--set", "typo=3"],
        ["SELECT 1", "--since", "7d"],
        ["SELECT {since:DateTime('UTC')}", "--cluster", "x"],
    ],
)
def test_an_option_that_a_statement_does_not_use_is_refused(monkeypatch, words):
    monkeypatch.setattr(settings, "load_reader", lambda: None)
    monkeypatch.setattr(clickhouse, "connect_reader", lambda _: None)
    monkeypatch.setattr(asking, "ask", lambda *_given, **_: pytest.fail("was asked"))
    refused = CliRunner().invoke(sql.app, words)
    assert "is given, and the statement has no" in str(refused.exception)


def test_the_first_word_of_a_statement_is_not_sent_and_a_word_ends_the_prompt(tmp_path):
    asked = typed("SELECT\r1;\rexit\rSELECT 2;\r", lambda _: None, tmp_path)
    assert asked == ["SELECT\n1"]
    assert (tmp_path / "state/history").stat().st_mode & 0o077 == 0


def test_a_password_that_cannot_be_read_is_reported(tmp_path):
    with pytest.raises(UserError, match=r"password: No such file or directory\. It holds the password"):
        clickhouse._password(tmp_path / "password")


def test_json_is_utf8(monkeypatch):
    monkeypatch.setattr(asking, "_complete", lambda _pieces: iter([b'{"b":"\xff', b"\xc3", b'\xa9"}\n']))
    out = io.BytesIO()
    client = SimpleNamespace(raw_stream=lambda *_given, **_named: None)
    asking.ask(client, "SELECT 1", {}, "json", out)
    assert out.getvalue().decode() == '{"b":"\ufffdé"}\n'


def test_a_prompt_works_where_no_history_can_be_kept(tmp_path, capsys):
    (tmp_path / "state").touch()
    assert typed("SELECT 1;\r", lambda _: None, tmp_path) == ["SELECT 1"]
    assert "Statements are forgotten at the end: set XDG_STATE_HOME." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("begun", "name", "meaning"), [("us", "user", "from the scheduler"), ("ru", "runs", "one log")]
)
def test_names_are_completed_with_what_they_mean(begun, name, meaning):
    completer = prompt.completer(TABLES, COLUMNS, ["io_by_user"])
    completed = completer.get_completions(Document(begun), None)
    assert {each.text: each.display_meta_text for each in completed}[name] == meaning


def test_the_schema_says_what_a_row_of_each_table_is(capsys):
    sql_view.print_schema(TABLES, COLUMNS, None)
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        ["table", "columns", "a", "row", "is"],
        ["findings", "1", "a", "rule", "that", "holds"],
        ["runs", "2", "one", "log"],
    ]


def test_the_schema_of_a_table_says_what_a_row_and_its_columns_are(capsys):
    sql_view.print_schema(TABLES, COLUMNS, "runs")
    said = capsys.readouterr().out
    assert said.startswith("one log\n")
    assert "from the scheduler" in said
    assert "of the rule" not in said


def test_a_table_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(UserError, match=r"nothing: no such table. There are: findings, runs."):
        sql_view.print_schema(TABLES, COLUMNS, "nothing")
