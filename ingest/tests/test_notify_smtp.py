"""What becomes of a mail, as a real SMTP server answers: delivered, refused, or nobody knows."""

import pytest
from notify_servers import PASSWORD, Mailbox, free_port, script, self_signed, smtp
from pydantic import ValidationError
from weir.errors import UserError
from weir.notify.config import Smtp
from weir.notify.delivery import State
from weir.notify.sending import Away
from weir.notify.smtp import SmtpSender

MAIL = b"Subject: test\r\n\r\nfirst\r\n.hidden dot\r\n..\r\nlast\r\n"
HELLO = [b"220 here\r\n", "<", b"250 here\r\n"]


@pytest.fixture
def mailbox():
    return Mailbox()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    return self_signed(tmp_path_factory.mktemp("tls"))


def sender(port, host="127.0.0.1", **more):
    settings = {"security": "none", "sender": "weir@example.org", "timeout_seconds": 5} | more
    return SmtpSender(Smtp(host=host, port=port, **settings))


def sent(each, address="ada@example.org"):
    each.ready()
    return each.send(address, MAIL)


def test_a_mail_comes_as_it_was_handed_over(mailbox):
    with smtp(mailbox) as port:
        assert sent(sender(port)) == ("sent", "")
    assert mailbox.mails == [(("ada@example.org",), MAIL)]


def test_many_mails_go_over_one_connection(mailbox):
    with smtp(mailbox) as port:
        each = sender(port)
        for _ in range(5):
            assert sent(each).state == State.sent
    assert (len(mailbox.mails), len(mailbox.connections)) == (5, 1)


def test_a_connection_that_the_server_ended_is_made_again(mailbox):
    with script([*HELLO, "<", b"421 bye\r\n", "!"]) as (port, _):
        each = sender(port)
        each.ready()
        assert each._answers() is False
    with pytest.raises(Away, match="refused"):
        each.ready()


def test_of_two_recipients_one_is_refused_for_good_and_one_greylisted(mailbox):
    mailbox.refuse = {"bob@example.org": "550 no such user", "eve@example.org": "451 greylisted"}
    with smtp(mailbox) as port:
        each = sender(port)
        assert sent(each, "bob@example.org") == ("failed", "550 no such user")
        assert sent(each, "eve@example.org") == ("waiting", "451 greylisted")
        assert sent(each, "ada@example.org").state == State.sent
    assert mailbox.to == ["ada@example.org"]
    assert len(mailbox.connections) == 1


@pytest.mark.parametrize(
    ("end", "state"),
    [("452 no room", "waiting"), ("554 looks like spam", "failed"), ("250 ok", "sent")],
)
def test_the_answer_to_a_whole_mail_counts(mailbox, end, state):
    mailbox.end = end
    with smtp(mailbox) as port:
        assert sent(sender(port)).state == state


def test_a_sender_that_is_refused_says_nothing_of_the_recipient(mailbox):
    mailbox.end = {"MAIL": "553 not you"}
    with smtp(mailbox) as port:
        assert sent(sender(port)) == ("waiting", "553 not you")


def test_a_server_that_has_the_mail_and_drops_the_connection_leaves_doubt(mailbox):
    mailbox.end = "drop"
    with smtp(mailbox) as port:
        outcome = sent(sender(port))
    assert outcome.state == State.ambiguous
    assert "after the whole mail was sent" in outcome.reason
    assert mailbox.to == ["ada@example.org"]


MIDDLE = {
    "after MAIL": ["<", "!"],
    "after RCPT": ["<", b"250 ok\r\n", "<", "!"],
    "after DATA": ["<", b"250 ok\r\n", "<", b"250 ok\r\n", "<", "!"],
    "in an answer": ["<", b"25", "!"],
    "with garbage": ["<", b"\xff\xff garbage\r\n", "<", "!"],
}


@pytest.mark.parametrize("at", MIDDLE)
def test_a_connection_that_ends_before_the_whole_mail_was_sent_leaves_none(at):
    with script([*HELLO, *MIDDLE[at]]) as (port, _):
        assert sent(sender(port)).state == State.waiting


def test_no_byte_after_a_refusal_of_data(mailbox):
    talk = ["<", b"250 ok\r\n", "<", b"250 ok\r\n", "<", b"451 later\r\n", "<", b"250 ok\r\n", "!"]
    with script([*HELLO, *talk]) as (port, read):
        assert sent(sender(port)) == ("waiting", "451 later")
    assert read[-1] == b"rset\r\n"


DATA = ["<", b"250 ok\r\n", "<", b"250 ok\r\n", "<", b"354 go on\r\n", "<."]


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        (["!"], "ambiguous"),
        (["..."], "ambiguous"),
        ([b"hello\r\n", "!"], "ambiguous"),
        ([b"250-a\r\n250 b\r\n"], "sent"),
        ([b"421 closing\r\n"], "waiting"),
    ],
    ids=["dropped", "silent", "garbage", "two lines", "closing"],
)
def test_after_the_whole_mail_only_a_refusal_is_one(answer, state):
    with script([*HELLO, *DATA, *answer]) as (port, _):
        outcome = sent(sender(port, timeout_seconds=0.3 if answer == ["..."] else 30))
    assert outcome.state == state


def test_a_slow_server_is_waited_for_no_longer_than_the_timeout():
    with script([*HELLO, "<", "..."]) as (port, _):
        outcome = sent(sender(port, timeout_seconds=0.3))
    assert outcome.state == State.waiting


def test_a_server_that_is_not_there_is_away():
    with pytest.raises(Away, match="refused"):
        sender(free_port()).ready()


def test_a_server_that_greets_with_a_refusal_is_away():
    with script([b"554 no\r\n", "!"]) as (port, _), pytest.raises(Away, match="554"):
        sender(port).ready()


# --- TLS and passwords -----------------------------------------------------------------------------------


@pytest.fixture
def password_file(tmp_path):
    file = tmp_path / "password"
    file.write_text(f"{PASSWORD}\n")
    return file


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_over_tls_with_a_password(mailbox, certificate, password_file, security):
    login = {"user": "weir", "password_file": password_file, "ca_file": certificate[0]}
    with smtp(mailbox, certificate, security, auth=True) as port:
        assert sent(sender(port, "localhost", security=security, **login)).state == State.sent
    assert mailbox.to == ["ada@example.org"]


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_certificate_that_nobody_vouches_for_is_not_taken(mailbox, certificate, security):
    with smtp(mailbox, certificate, security) as port, pytest.raises(Away, match="CERTIFICATE_VERIFY_FAILED"):
        sender(port, "localhost", security=security).ready()
    assert mailbox.mails == []


def test_a_certificate_of_another_host_is_not_taken(mailbox, tmp_path):
    other = self_signed(tmp_path, "elsewhere.example.org")
    with smtp(mailbox, other, "starttls") as port, pytest.raises(Away, match="not valid for 'localhost'"):
        sender(port, "localhost", security="starttls", ca_file=other[0]).ready()


def test_without_starttls_it_never_goes_on_in_the_clear(mailbox):
    with smtp(mailbox) as port, pytest.raises(Away, match="STARTTLS"):
        sender(port, "localhost", security="starttls").ready()


def test_a_wrong_password_is_away_and_no_refusal_of_a_recipient(mailbox, certificate, tmp_path):
    wrong = tmp_path / "wrong"
    wrong.write_text("wrong")
    login = {"user": "weir", "password_file": wrong, "ca_file": certificate[0]}
    with smtp(mailbox, certificate, "starttls", auth=True) as port, pytest.raises(Away, match="535"):
        sender(port, "localhost", security="starttls", **login).ready()


def test_a_password_file_that_is_gone_is_away(mailbox, certificate, tmp_path):
    login = {"user": "weir", "password_file": tmp_path / "gone", "ca_file": certificate[0]}
    with (
        smtp(mailbox, certificate, "starttls", auth=True) as port,
        pytest.raises(Away, match="holds a secret"),
    ):
        sender(port, "localhost", security="starttls", **login).ready()


def test_a_file_of_certificates_that_is_none_is_told_at_start(tmp_path):
    with pytest.raises(UserError, match=r"smtp\.ca_file"):
        sender(25, security="tls", ca_file=tmp_path / "gone")


def test_a_password_is_not_sent_in_the_clear(password_file):
    with pytest.raises(ValidationError, match="without TLS"):
        Smtp(host="mail", security="none", sender="a@b.c", user="weir", password_file=password_file)
