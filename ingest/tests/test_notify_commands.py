"""weir alerts: what it writes to Kafka, and what it shows of ClickHouse."""

import getpass
import json
from datetime import UTC, datetime, timedelta

import mock_kafka
import pytest
from confluent_kafka import Producer
from notify_fakes import alert, entry_of
from typer.testing import CliRunner
from weir import clickhouse, wire
from weir.cli import app
from weir.errors import UserError
from weir.notify.delivery import Channel, State
from weir.notify.ledger import TOPIC

pytestmark = pytest.mark.slow

NOW = datetime.now(UTC)
CONTROL = "weir.control"


@pytest.fixture(scope="module")
def kafka():
    with mock_kafka.running() as kafka:
        kafka.make(TOPIC)
        kafka.make(CONTROL)
        site = {"id": "demo", "revision": 1, "content": json.dumps({"cluster": "demo"})}
        put(kafka, "weir.site", "demo", "Published", site)
        yield kafka


def put(kafka, topic, key, name, record):
    producer = Producer(kafka.options)
    producer.produce(topic, wire.encode(name, record), key.encode())
    producer.flush()


@pytest.fixture
def weir(kafka, tmp_path, monkeypatch):
    settings = {
        "kafka": kafka.options,
        "clickhouse_url": "http://127.0.0.1:1",
        "clickhouse_password_file": "/dev/null",
        "migrator_password_file": "/dev/null",
        "state_dir": str(tmp_path),
    }
    (tmp_path / "weir.yaml").write_text(json.dumps(settings))
    monkeypatch.setenv("WEIR_CONFIG", str(tmp_path / "weir.yaml"))

    def run(*words):
        answer = CliRunner().invoke(app, ["alerts", *words], env={"COLUMNS": "300"})
        if answer.exception and not isinstance(answer.exception, SystemExit):
            raise answer.exception
        return answer.stdout

    return run


def newest(kafka, user, kind, subject):
    return kafka.decoded(CONTROL)[f"demo/{user}/{kind}/{subject}"][-1]


def test_mute_and_unmute(weir, kafka):
    assert weir("mute", "ada", "small_io", "--until", "2027-01-31") == "mute: noted for ada on demo\n"
    muted = newest(kafka, "ada", "mute", "small_io")
    assert (muted["until"], muted["said_by"]) == (datetime(2027, 1, 31, tzinfo=UTC), getpass.getuser())
    weir("unmute", "ada", "small_io")
    assert newest(kafka, "ada", "mute", "small_io")["until"] <= datetime.now(UTC)
    weir("mute", "ada", "all")
    assert newest(kafka, "ada", "mute", "all")["until"] is None


def test_opt_in_and_out(weir, kafka):
    weir("opt-in", "bob")
    assert newest(kafka, "bob", "opt", "all")["wanted"] is True
    weir("opt-out", "bob")
    assert newest(kafka, "bob", "opt", "all")["wanted"] is False


def test_another_cluster_is_named(weir, kafka):
    assert weir("mute", "ada", "all", "--cluster", "other") == "mute: noted for ada on other\n"
    assert "other/ada/mute/all" in kafka.decoded(CONTROL)


# --- resend ----------------------------------------------------------------------------------------------


def ledger_has(kafka, number, *states, age=timedelta(hours=1)):
    which = alert(number, decided_at=NOW - age)
    channels = tuple(Channel("mail", f"{n}@example.org", State(state)) for n, state in enumerate(states))
    entry = entry_of(which, channels=channels, attempts=2, time=NOW)
    put(kafka, TOPIC, entry.alert, "Delivery", entry.record())
    return which["alert"]


def test_resend_opens_what_was_not_sent_and_only_that(weir, kafka):
    id_ = ledger_has(kafka, 1, "sent", "failed", "ambiguous")
    assert weir("resend", id_[:8]).strip() == (
        f"{id_}: weir notify sends it again to 1@example.org, 2@example.org"
    )
    entry = kafka.decoded(TOPIC)[id_][-1]
    assert [each["state"] for each in entry["channels"]] == ["sent", "waiting", "waiting"]
    assert (entry["state"], entry["attempts"]) == ("waiting", 2)
    assert entry["time"] > NOW
    assert getpass.getuser() in entry["channels"][1]["reason"]


@pytest.mark.parametrize(
    ("number", "states", "age", "said"),
    [
        (2, ["sent"], timedelta(0), "was sent to all"),
        (3, ["waiting"], timedelta(0), "see to it by itself"),
        (4, ["attempt"], timedelta(0), "see to it by itself"),
        (5, ["failed"], timedelta(days=4), "too old to be sent"),
    ],
)
def test_resend_refuses(weir, kafka, number, states, age, said):
    id_ = ledger_has(kafka, number, *states, age=age)
    before = len(kafka.decoded(TOPIC)[id_])
    with pytest.raises(UserError, match=said):
        weir("resend", id_)
    assert len(kafka.decoded(TOPIC)[id_]) == before


def test_resend_of_what_is_not_there_or_not_clear(weir, kafka):
    for n in range(20, 40):  # so that two begin alike
        ledger_has(kafka, n, "failed")
    with pytest.raises(UserError, match="no delivery begins"):
        weir("resend", "zzz")
    with pytest.raises(UserError, match="more than one delivery begins"):
        weir("resend", "")


# --- what ClickHouse has ---------------------------------------------------------------------------------


class Client:
    """Stands in for ClickHouse; tests/e2e asks the real one."""

    def __init__(self, *answers):
        self.answers, self.asked = list(answers), []

    def query(self, sql, parameters):
        self.asked.append((sql, parameters))
        return type("Result", (), {"result_rows": self.answers.pop(0)})


ROW = (
    *("a" * 32, "demo", "finding", "demo/1", "ada", "live", "failed", "ior: slow\x1b[31m", 2),
    [("mail", "ada@example.org", "failed", "550 no such user\r\n")],
    *(None, NOW, NOW),
)


def asked(monkeypatch, *answers):
    client = Client(*answers)
    monkeypatch.setattr(clickhouse, "connect", lambda settings: client)
    return client


def test_list_shows_what_became_of_messages(weir, monkeypatch):
    client = asked(monkeypatch, [ROW])
    shown = weir("list", "--failed", "--ambiguous", "--user", "ada", "--since", "2d")
    for part in ("aaaaaaaaaaaa", "failed", "finding", "ada", "ior: slow\\x1b[31m", "550 no such user\\r\\n"):
        assert part in shown
    ((_, parameters),) = client.asked
    assert parameters["states"] == ["ambiguous", "failed"]
    assert parameters["user"] == "ada"
    assert timedelta(days=2) <= datetime.now(UTC) - parameters["since"] < timedelta(days=3)


def test_show_has_every_channel_and_case(weir, monkeypatch):
    asked(monkeypatch, [ROW], [("ior", "small_io", "open", 1234, 56.789)])
    shown = weir("show", "aaa")
    assert "mail       ada@example.org failed 550 no such user\\r\\n" in shown
    assert "ior: small_io, open, 1,234 runs, 56.79 node-hours" in shown


@pytest.mark.parametrize(("rows", "said"), [([], "no delivery begins"), ([ROW, ROW], "more than one")])
def test_show_of_what_is_not_there_or_not_clear(weir, monkeypatch, rows, said):
    asked(monkeypatch, rows)
    with pytest.raises(UserError, match=said):
        weir("show", "a")


def test_wrong_is_noted_for_the_user_of_the_message(weir, kafka, monkeypatch):
    asked(monkeypatch, [ROW])
    weir("wrong", "aaa", "small_io", "--text", "it is a copy")
    noted = newest(kafka, "ada", "wrong", f"{'a' * 32} small_io")
    assert noted["text"] == "it is a copy"


def test_report_counts_by_user(weir, monkeypatch):
    asked(monkeypatch, [("ada", 12, 1, 0, NOW), ("bob", 0, 3, 0, datetime(1970, 1, 1))])
    shown = weir("report")
    assert f"{NOW:%Y-%m-%d}" in shown and "1970" not in shown
    assert "12" in shown
