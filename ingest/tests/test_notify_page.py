"""The page behind the links: GET changes nothing, POST is kept, and whatever else comes does no harm."""

from datetime import timedelta

import httpx
import pytest
from confluent_kafka import KafkaError, KafkaException
from itsdangerous import URLSafeTimedSerializer
from notify_fakes import BEGIN
from notify_servers import free_port
from starlette.testclient import TestClient
from weir import wire
from weir.notify import links, page
from weir.notify.config import Map, NotifyConfig, Page, Smtp
from weir.notify.links import MUTE, WRONG, Links, Wish

SECRET = "s" * 40
CASE = "7083cd5c9a515727793b24eaa55783a7"
LINKS = Links(page_url="https://weir.example.org/n/", secret=SECRET)
HOSTILE = [
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=y>",
    "{{ 7 * 7 }}",
    "a\r\nSet-Cookie: x=1",
    "\u202e",
]


@pytest.fixture
def said():
    return []


@pytest.fixture
def client(said):
    return TestClient(page.app(SECRET, said.append, lambda: BEGIN), follow_redirects=False)


def path(url):
    return url.removeprefix("https://weir.example.org/n")


def mute(subject=CASE, user="ada", cluster="demo"):
    return path(LINKS.mute(cluster, user, subject))


def wrong(subject=f"{CASE} small_io"):
    return path(LINKS.wrong("demo", "ada", subject))


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("link", [mute(), wrong()])
def test_following_a_link_changes_nothing(client, said, method, link):
    answer = client.request(method, link)
    assert (answer.status_code, said) == (200, [])
    assert ("<form" in answer.text) == (method == "GET")


@pytest.mark.parametrize(
    ("span", "until"),
    [
        ("week", BEGIN + timedelta(days=7)),
        ("month", BEGIN + timedelta(days=30)),
        ("ever", None),
        ("unmute", BEGIN),
    ],
)
def test_a_case_is_muted_for_as_long_as_the_user_wants(client, said, span, until):
    assert client.post(mute(), data={"for": span}).status_code == 200
    (record,) = said
    assert (record["kind"], record["user"], record["subject"], record["until"]) == (
        "mute",
        "ada",
        CASE,
        until,
    )
    assert (record["cluster"], record["said_by"], record["time"]) == ("demo", "link", BEGIN)
    wire.encode("Control", record)


def test_a_user_says_that_a_finding_is_wrong(client, said):
    assert client.post(wrong(), data={"text": "it is a copy\nof a file"}).status_code == 200
    (record,) = said
    assert (record["kind"], record["subject"]) == ("wrong", f"{CASE} small_io")
    assert record["text"] == "it is a copy\nof a file"
    wire.encode("Control", record)


def test_a_long_text_is_cut_and_a_longer_one_refused(client, said):
    assert client.post(wrong(), data={"text": "x" * 10_000}).status_code == 200
    assert len(said[0]["text"]) == 4_000
    assert client.post(wrong(), data={"text": "x" * 20_000}).status_code == 413
    assert len(said) == 1


@pytest.mark.parametrize(
    "body",
    [
        {"data": {"List-Unsubscribe": "One-Click"}},
        {"files": {"List-Unsubscribe": (None, "One-Click")}},
    ],
    ids=["form", "multipart"],
)
def test_a_mail_program_unsubscribes_with_one_click(client, said, body):
    """RFC 8058: one POST, nothing else, in either form."""
    assert client.post(mute("all"), **body).status_code == 200
    (record,) = said
    assert (record["kind"], record["subject"], record["until"]) == ("mute", "all", None)


BAD_FORMS = [
    b"",
    b"for=always",
    b"for=week&for=ever",
    b"\xff\xfe",
    b"for",
    b"&".join([b"a=1"] * 50),
    b"text=x",
]


@pytest.mark.parametrize("body", BAD_FORMS)
def test_a_form_that_is_none_of_ours_changes_nothing(client, said, body):
    answer = client.post(mute(), content=body)
    assert (answer.status_code, said) == (400, [])
    assert "Nothing was changed" in answer.text


def tokens():
    good = mute().removeprefix("/m/")
    yield "garbage"
    yield good[:-2] + ("A" if good[-2] != "A" else "B") + good[-1]  # the last one has bits that say nothing
    yield "x" + good
    yield "a" * 5_000
    yield "%00%ff%2e%2e%2f"
    yield URLSafeTimedSerializer("another secret", salt="weir-notify-m").dumps(["demo", "ada", "all"])
    yield URLSafeTimedSerializer(SECRET, salt="weir-notify-m").dumps(["demo", "ada"])
    yield URLSafeTimedSerializer(SECRET, salt="weir-notify-m").dumps(7)
    yield wrong().removeprefix("/w/")


@pytest.mark.parametrize("token", [*tokens()])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_link_that_we_did_not_make_is_refused(client, said, method, token):
    answer = client.request(method, f"/m/{token}", data={"for": "ever"} if method == "POST" else None)
    assert (answer.status_code, said) == (404, [])


def test_an_old_link_is_refused(monkeypatch):
    token = mute().removeprefix("/m/")
    assert links.read(SECRET, MUTE, token) == Wish("demo", "ada", CASE)
    assert timedelta(days=60) == links.VALID
    monkeypatch.setattr(links, "VALID", timedelta(seconds=-1))
    assert links.read(SECRET, MUTE, token) is None


def test_a_link_to_mute_does_not_call_anything_wrong():
    assert links.read(SECRET, WRONG, mute().removeprefix("/m/")) is None


@pytest.mark.parametrize("text", HOSTILE)
def test_names_in_a_link_stay_text(client, said, text):
    for link in (mute(text, text, text), path(LINKS.wrong(text, text, text))):
        answer = client.get(link)
        assert answer.status_code == 200
        for tag in ("<script", "<img", "onerror=y>", "49"):
            assert tag not in answer.text
        done = client.post(link, data={"for": "week", "text": text})
        assert "<script" not in done.text and "<img" not in done.text
        assert "set-cookie" not in done.headers


@pytest.mark.parametrize(
    "way", ["/", "/m/", "/m", "/x/y", "//evil.example", "/m/../..", "/m/a/b", "/static/x"]
)
def test_other_ways_lead_nowhere(client, way):
    answer = client.get(way)
    assert answer.status_code == 404
    assert "location" not in answer.headers


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "X"])
def test_other_methods_change_nothing(client, said, method):
    assert (client.request(method, mute()).status_code, said) == (405, [])


def test_every_answer_keeps_to_itself(client):
    answers = [
        client.get(mute()),
        client.post(mute(), data={"for": "week"}),
        client.get("/m/garbage"),
        client.get("/nowhere"),
        client.put(mute()),
    ]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "form-action 'self'" in policy
        assert "frame-ancestors 'none'" in policy and "script-src" not in policy
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert "width=device-width" in answer.text


def test_while_kafka_is_away_nobody_is_told_that_it_was_saved():
    def away(record):
        raise KafkaException(KafkaError(KafkaError._TRANSPORT))

    answer = TestClient(page.app(SECRET, away)).post(mute(), data={"for": "week"})
    assert answer.status_code == 503
    assert "try again" in answer.text


def test_it_is_served_and_ends(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text(SECRET)
    port = free_port()
    config = NotifyConfig.model_construct(
        kafka={"bootstrap.servers": "127.0.0.1:1"},
        smtp=Smtp(host="mail", sender="a@b.c"),
        directory=Map(kind="map", file=tmp_path),
        page=Page(url="https://weir.example.org", secret_file=secret, port=port),
    )
    with page.serving(config):
        answer = httpx.get(f"http://127.0.0.1:{port}{mute()}")
        assert answer.status_code == 200
        assert "server" not in answer.headers
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://127.0.0.1:{port}/")
