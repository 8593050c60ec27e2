"""notify.yaml: the example is complete and right, and all that is wrong in a file is told at once."""

from pathlib import Path

import pytest
import yaml
from weir.errors import UserError
from weir.notify import config
from weir.notify.config import Domain, Ldap, Map, NotifyConfig, Page, Passwd, Section, Smtp

EXAMPLE = Path(__file__).parents[2] / "infra/agents/notify.example.yaml"


@pytest.fixture
def loaded(monkeypatch, tmp_path):
    def load(text):
        file = tmp_path / "notify.yaml"
        file.write_text(text)
        monkeypatch.setenv("WEIR_NOTIFY_CONFIG", str(file))
        return config.load()

    return load


def test_the_example_is_right_and_its_defaults_are_the_defaults(loaded):
    said = loaded(EXAMPLE.read_text())
    given = yaml.safe_load(EXAMPLE.read_text())
    assert set(given) == set(NotifyConfig.model_fields)
    assert set(given["smtp"]) == set(Smtp.model_fields)
    assert set(given["page"]) == set(Page.model_fields)
    bare = loaded("kafka: {a: b}\ndirectory: {kind: passwd, domain: d.e}\nsmtp: {host: mail, sender: a@b.c}")
    assert (said.smtp.port, said.smtp.security, said.smtp.timeout_seconds) == (587, "starttls", 30)
    for name in ("port", "security", "ca_file", "user", "password_file", "sender_name", "timeout_seconds"):
        assert getattr(said.smtp, name) == getattr(bare.smtp, name), name
    for name in (
        "metrics_port",
        "chats",
        "alertmanager",
        "templates",
        "alive_file",
        "principal_investigators",
    ):
        assert getattr(said, name) == getattr(bare, name), name


@pytest.mark.parametrize(
    ("kind", "model"), [("passwd", Passwd), ("domain", Domain), ("ldap", Ldap), ("map", Map)]
)
def test_the_example_has_every_key_of_each_directory(loaded, kind, model: type[Section]):
    text = EXAMPLE.read_text().replace("\n# ", "\n").replace("\n#   ", "\n  ")
    (section,) = (part for part in text.split("directory:")[1:] if f"kind: {kind}" in part)
    body = section.split("\n\n")[0].removeprefix(section.split("\n")[0])
    keys = yaml.safe_load(body)
    assert set(keys) == set(model.model_fields)
    model.model_validate(keys)


def test_all_that_is_wrong_is_told_at_once(loaded):
    text = """
kafka: {}
smtp: {host: mail, sender: "no address", port: 0, user: weir, colour: red}
directory: {kind: ldap, uri: http://x, base: b, filter: (uid=*)}
page: {url: nonsense, secret_file: /x}
chats: [{name: mail, audience: users, url_file: /x}]
unknown: 1
"""
    with pytest.raises(UserError) as told:
        loaded(text)
    said = str(told.value)
    for field in (
        "kafka:",
        "smtp.sender:",
        "smtp.port:",
        "smtp.colour:",
        "directory.ldap.uri:",
        "directory.ldap.filter:",
        "page.url:",
        "chats.0.name:",
        "unknown:",
    ):
        assert f"notify.yaml: {field}" in said, field


BASE = "kafka: {a: b}\ndirectory: {kind: passwd, domain: d.e}\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BASE, "neither smtp nor chats"),
        (BASE + "smtp: {host: mail, sender: a@b.c, user: weir}", "belong together"),
        (BASE + "chats: [" + "{name: a, audience: users, url_file: /x}, " * 2 + "]", "more than once"),
        ("kafka: [", "not YAML"),
    ],
)
def test_what_does_not_fit_together(loaded, text, said):
    with pytest.raises(UserError, match=said):
        loaded(text)


def test_without_a_file_it_says_where_there_is_one_to_copy(monkeypatch, tmp_path):
    monkeypatch.setenv("WEIR_NOTIFY_CONFIG", str(tmp_path / "gone"))
    with pytest.raises(UserError, match=r"notify\.example\.yaml"):
        config.load()


def test_the_environment_comes_before_the_file(loaded, monkeypatch):
    monkeypatch.setenv("WEIR_NOTIFY_SMTP__PORT", "465")
    assert loaded(BASE + "smtp: {host: mail, sender: a@b.c}").smtp.port == 465


@pytest.mark.parametrize(("secret", "said"), [("short", "shorter than 32"), (None, "holds a secret")])
def test_a_secret_that_can_be_guessed_or_is_not_there(loaded, tmp_path, secret, said):
    file = tmp_path / "secret"
    if secret:
        file.write_text(secret)
    text = BASE + f"smtp: {{host: mail, sender: a@b.c}}\npage: {{url: 'https://x', secret_file: {file}}}"
    with pytest.raises(UserError, match=said):
        _ = loaded(text).signing_secret


def test_a_health_check_that_cannot_be_written_is_an_error_of_the_file(loaded, tmp_path):
    text = BASE + f"smtp: {{host: mail, sender: a@b.c}}\nalive_file: {tmp_path / 'gone' / 'alive'}"
    with pytest.raises(UserError, match="Give alive_file a path that can be written"):
        loaded(text).alive_for(60)
