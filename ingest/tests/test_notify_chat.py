"""Chats and webhooks through Apprise, with a real HTTP server behind them."""

import json

import pytest
from notify_servers import free_port, webhook
from weir.errors import UserError
from weir.notify.chat import ChatSender, outcome
from weir.notify.config import Chat


def chat(tmp_path, port):
    file = tmp_path / "url"
    file.write_text(f"json://127.0.0.1:{port}/hook?secret=hush\n")
    return ChatSender(Chat(name="team", audience="operators", url_file=file))


def test_a_webhook_gets_title_and_text(tmp_path):
    with webhook() as (port, got):
        assert chat(tmp_path, port).send("", "Über title\nfirst line\n<b>second</b>\n".encode()) == (
            "sent",
            "",
        )
    (body,) = map(json.loads, got)
    assert body["title"] == "Über title"
    assert body["message"].splitlines() == ["first line", "<b>second</b>"]


@pytest.mark.parametrize(
    ("status", "state"),
    [(400, "failed"), (404, "failed"), (429, "waiting"), (500, "ambiguous"), (None, "ambiguous")],
)
def test_what_a_webhook_answers_counts(tmp_path, status, state):
    with webhook(status) as (port, got):
        result = chat(tmp_path, port).send("", b"title\ntext")
    assert result.state == state
    assert "hush" not in result.reason
    assert len(got) == 1, "and it is not tried again by itself"


def test_where_nothing_listens_nothing_left(tmp_path):
    assert chat(tmp_path, free_port()).send("", b"title\ntext").state == "waiting"


def test_whatever_a_plugin_logs_that_is_not_known_is_doubt():
    assert outcome([]).state == "ambiguous"
    assert outcome(["something new"]).state == "ambiguous"


def test_a_url_that_apprise_does_not_know_is_told_without_it(tmp_path):
    file = tmp_path / "url"
    file.write_text("nonsense-with-a-secret")
    with pytest.raises(UserError) as told:
        ChatSender(Chat(name="team", audience="users", url_file=file))
    assert str(file) in str(told.value) and "secret" not in str(told.value)
