"""The parts put together: alerts on Kafka (librdkafka's mock) become mails at a real SMTP server."""

import json
import os
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import httpx
import mock_kafka
import pytest
from alert_samples import silent_server
from confluent_kafka import KafkaError, KafkaException, Producer
from notify_fakes import BEGIN, alert
from notify_servers import Mailbox, free_port, smtp, webhook
from weir import wire
from weir.errors import UserError
from weir.notify import ledger, sample, service
from weir.notify.config import Chat, Manager, Map, NotifyConfig, Page, Smtp
from weir.notify.inbox import KafkaInbox
from weir.notify.ledger import ALERTS, TOPIC
from weir.notify.watch import Watch

pytestmark = pytest.mark.slow

EVENTS = ("weir.storage.event", "weir.pipeline.event")
SITE = {
    "cluster": "demo",
    "time_zone": "UTC",
    "cores_per_node": {"default": 64},
    "file_systems": [
        {"id": "scratch", "kind": "lustre", "mount_prefixes": ["/scratch"], "devices": {"oss1": ["sda"]}}
    ],
    "alerts": {"operators": ["ops@example.org"], "staff": ["staff@example.org"]},
}


class Clock:
    now = BEGIN

    def __call__(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(ledger, "now", clock)
    return clock


@pytest.fixture
def kafka():
    with mock_kafka.running() as kafka:
        for topic in (TOPIC, ALERTS, *EVENTS):
            kafka.make(topic)
        put(
            kafka,
            "weir.site",
            "demo",
            "Published",
            {"id": "demo", "revision": 1, "content": json.dumps(SITE)},
        )
        yield kafka


def put(kafka, topic, key, name, record):
    producer = Producer(kafka.options)
    producer.produce(topic, wire.encode(name, record), key.encode())
    producer.flush()


def publish(kafka, *alerts):
    for each in alerts:
        put(kafka, ALERTS, each["alert"], "Alert", each)


@pytest.fixture
def config(kafka, tmp_path):
    (tmp_path / "map.yaml").write_text("ada: ada@example.org\nboss: boss@example.org\n")
    (tmp_path / "leaders.yaml").write_text("phys: boss\n")
    (tmp_path / "secret").write_text("s" * 40)

    def with_port(port, **more):
        return NotifyConfig.model_construct(
            kafka=dict(kafka.options),
            smtp=Smtp(host="127.0.0.1", port=port, security="none", sender="weir@example.org"),
            directory=Map(kind="map", file=tmp_path / "map.yaml"),
            principal_investigators=tmp_path / "leaders.yaml",
            page=Page(url="https://weir.example.org", secret_file=tmp_path / "secret"),
            **more,
        )

    return with_port


class Running:
    """What `weir notify` does, a round at a time."""

    def __init__(self, config):
        self.sites = service.Sites(config.kafka, ledger.now)
        self.sites.refresh()
        people = service.recipients(config)
        writer = service.Writer(config, people, self.sites.of, ledger.now)
        channels = service.senders(config)
        self.notifier, self.watch = service._started(config, writer, channels, threading.Event())

    def until(self, done):
        for _ in range(50):
            self.watch.look(self.sites.all())
            self.notifier.round(0.2)
            if done():
                return
        raise AssertionError("it did not come to it")


def finding(number=1, **more):
    case = {
        "case": "c" * 32,
        "program": "ior",
        "rule_id": "small_io",
        "title": "Small requests",
        "held_back": "",
        "runs": 1,
        "node_hours_lost": 1.0,
        "times_sent": 0,
        "retracted": [],
    }
    times = dict.fromkeys(("partition", "nodes", "start_time", "end_time"))
    names = {"job_uid": "u", "job_display_id": "7", "job_name": "j", "account": "phys"}
    return alert(number, cases=[case], jobs=[names | times | {"runs": []}], **more)


def mails(mailbox):
    return {to[0]: message_from_bytes(content, policy=default) for to, content in mailbox.mails}


def test_alerts_become_mails_and_the_ledger_says_so(kafka, config, clock):
    mailbox = Mailbox()
    with smtp(mailbox) as port:
        running = Running(config(port))
        publish(kafka, finding(1), finding(2, mode="rehearsal"), finding(3, recipient="eve"))
        running.until(lambda: len(mailbox.mails) == 4)
    got = mails(mailbox)
    assert set(got) == {"ada@example.org", "boss@example.org", "staff@example.org", "ops@example.org"}
    assert got["ada@example.org"]["Subject"].startswith("ior: Small requests")
    assert got["ada@example.org"]["List-Unsubscribe"].startswith("<https://weir.example.org/m/")
    assert got["boss@example.org"]["List-Unsubscribe"] is None
    assert "This is a copy" in got["boss@example.org"].get_body(("plain",)).get_content()
    assert got["staff@example.org"]["Subject"].strip().startswith("[rehearsal for ada] ior")
    assert got["ops@example.org"]["Subject"] == "demo, pipeline: no address of user eve"
    states = {key: [each["state"] for each in entries] for key, entries in kafka.decoded(TOPIC).items()}
    assert states[finding(1)["alert"]] == ["attempt", "waiting", "attempt", "sent"]
    assert states[finding(3, recipient="eve")["alert"]] == ["failed"]


def test_a_restart_sends_nothing_again(kafka, config, clock):
    mailbox = Mailbox()
    with smtp(mailbox) as port:
        publish(kafka, finding(1))
        Running(config(port)).until(lambda: len(mailbox.mails) == 2)
        publish(kafka, finding(1), finding(2))
        Running(config(port)).until(lambda: len(mailbox.mails) == 4)
    assert mailbox.to.count("ada@example.org") == 2


class Lost:
    """A client that finds no coordinator, and gets no messages any more."""

    def consume(self, most, timeout):
        return []

    def commit(self, **_):
        raise KafkaException(KafkaError(KafkaError._WAIT_COORD))


def test_a_client_that_cannot_commit_is_replaced_and_nothing_is_read_twice(kafka):
    inbox = KafkaInbox(dict(kafka.options))

    def fetched(number):
        found = []
        for _ in range(50):
            found += inbox.fetch(10, 0.2)
            if len(found) >= number:
                break
        return found

    publish(kafka, finding(1), finding(2))
    first, second = fetched(2)
    inbox.done(first[0])
    inbox._consumer = Lost()
    with pytest.raises(KafkaException):
        inbox.commit()
    publish(kafka, finding(3))
    (third,) = fetched(1)
    assert third[1] == wire.encode("Alert", finding(3))
    inbox.done(second[0])
    inbox.done(third[0])
    inbox.commit()
    assert KafkaInbox(dict(kafka.options)).fetch(10, 1) == []


def test_a_silent_server_becomes_one_mail_to_operators(kafka, config, clock):
    mailbox = Mailbox()
    event = silent_server(
        since=BEGIN - timedelta(minutes=5), version=int((BEGIN - timedelta(minutes=4)).timestamp() * 1e6)
    )
    put(kafka, EVENTS[0], "k", "StorageEvent", event)
    with smtp(mailbox) as port:
        Running(config(port)).until(lambda: mailbox.mails)
        again = Running(config(port))
        for _ in range(3):
            clock.now += timedelta(seconds=10)
            again.watch.look(again.sites.all())
            again.notifier.round(0.2)
    assert mailbox.to == ["ops@example.org"]
    assert mails(mailbox)["ops@example.org"]["Subject"] == "demo, scratch: oss1 is silent"


class Desk:
    """Decides once, as the real one does."""

    def __init__(self):
        self.due = [alert(1, recipient="operators", kind="trouble")]

    def decide(self, now):
        due, self.due = self.due, []
        return due


def test_what_the_desk_decided_while_kafka_was_away_is_told_later(kafka, clock):
    told = []

    def publish(alerts):
        if not told:
            told.append("away")
            raise KafkaException(KafkaError(KafkaError._TRANSPORT))
        told.extend(alerts)

    watch = Watch(kafka.options, Desk(), publish, None, clock)
    with pytest.raises(KafkaException):
        watch.look([])
    watch.look([])
    assert told == ["away", alert(1, recipient="operators", kind="trouble")]
    clock.now += timedelta(minutes=1)
    watch.look([])
    assert len(told) == 2


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"cluster": "demo", "alerts": None},
        SITE | {"alerts": []},
        SITE | {"alerts": {"operators": {"a": 1}}},
        SITE | {"file_systems": [{"id": 1}]},
        SITE | {"maintenance_windows": [{"from": "x", "to": "y"}]},
    ],
)
def test_a_site_that_is_none_leaves_the_one_before_in_force(kafka, config, clock, content):
    mailbox = Mailbox()
    with smtp(mailbox) as port:
        running = Running(config(port))
        wrong = {"id": "demo", "revision": 2, "content": json.dumps(content)}
        put(kafka, "weir.site", "demo", "Published", wrong)
        clock.now += timedelta(minutes=2)
        running.sites.refresh()
        publish(kafka, finding(1, recipient="eve", decided_at=clock.now))
        running.until(lambda: mailbox.mails)
    assert mailbox.to == ["ops@example.org"]


def test_an_alertmanager_hears_of_deliveries_where_no_operator_is_listed(kafka, config, clock):
    site = {"id": "demo", "revision": 2, "content": json.dumps(SITE | {"alerts": {}})}
    put(kafka, "weir.site", "demo", "Published", site)
    with webhook() as (port, got), smtp(Mailbox()) as mail:
        manager = Manager(url=f"http://127.0.0.1:{port}")
        publish(kafka, finding(1, recipient="eve"))
        told = lambda: [each for body in got for each in json.loads(body)]  # noqa: E731
        Running(config(mail, alertmanager=manager)).until(told)
    assert [each["labels"]["alertname"] for each in told()] == ["weir_no_address"]


def test_a_chat_of_operators_gets_it_too(kafka, config, clock, tmp_path):
    mailbox = Mailbox()
    with smtp(mailbox) as port, webhook() as (hook, got):
        (tmp_path / "url").write_text(f"json://127.0.0.1:{hook}/")
        chat = Chat(name="ops", audience="operators", url_file=tmp_path / "url")
        publish(kafka, finding(1, recipient="eve"))
        Running(config(port, chats=[chat])).until(lambda: got and mailbox.mails)
    assert json.loads(got[0])["title"] == "demo, pipeline: no address of user eve"


def test_the_pipeline_is_of_no_cluster_and_all_operators_hear_of_it():
    sites = [SITE, {"alerts": {"operators": ["b@example.org", "ops@example.org"]}}, {}]
    assert service.of_all(sites) == {"alerts": {"operators": ["ops@example.org", "b@example.org"]}}


def test_the_command_sends_until_it_is_told_to_stop(kafka, tmp_path):
    mailbox = Mailbox()
    (tmp_path / "map.yaml").write_text("ada: ada@example.org\n")
    (tmp_path / "secret").write_text("s" * 40)
    with smtp(mailbox) as port:
        page = {"url": "http://localhost", "secret_file": str(tmp_path / "secret"), "port": free_port()}
        settings = {
            "kafka": kafka.options,
            "smtp": {"host": "127.0.0.1", "port": port, "security": "none", "sender": "weir@example.org"},
            "directory": {"kind": "map", "file": str(tmp_path / "map.yaml")},
            "page": page,
            "metrics_port": free_port(),
            "alive_file": str(tmp_path / "alive"),
        }
        (tmp_path / "notify.yaml").write_text(json.dumps(settings))
        publish(kafka, finding(1, decided_at=datetime.now(UTC)))
        command = [sys.executable, "-m", "weir", "notify"]
        environment = os.environ | {"WEIR_NOTIFY_CONFIG": str(tmp_path / "notify.yaml")}
        with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
            try:
                assert mailbox.came.wait(60)
                form = httpx.get(f"http://127.0.0.1:{page['port']}/m/garbage")
                metrics = httpx.get(f"http://127.0.0.1:{settings['metrics_port']}/metrics").text
                process.terminate()
                log = process.communicate(timeout=60)[1]
            finally:
                process.kill()
    assert process.returncode == 0, log
    assert form.status_code == 404
    assert "weir_notify_waiting" in metrics
    assert (tmp_path / "alive").exists()
    assert '"event": "stopped"' in log.splitlines()[-1]
    assert [each["state"] for each in kafka.decoded(TOPIC)[finding(1)["alert"]]] == ["attempt", "sent"]


# --- weir alerts test ------------------------------------------------------------------------------------


def test_a_sample_mail(config):
    mailbox = Mailbox()
    with smtp(mailbox) as port:
        assert (
            sample.send(config(port), "me@example.org") == f"127.0.0.1:{port} took the mail to me@example.org"
        )
    assert mails(mailbox)["me@example.org"]["Subject"] == "test, pipeline: weir alerts test: test"


def test_a_sample_that_is_refused_says_what_the_server_said(config):
    mailbox = Mailbox()
    mailbox.refuse = {"me@example.org": "550 no such user"}
    with smtp(mailbox) as port, pytest.raises(UserError, match="failed: 550 no such user"):
        sample.send(config(port), "me@example.org")


def test_a_sample_to_no_address(config):
    with pytest.raises(UserError, match="is no address"):
        sample.send(config(25), "me")


def test_the_unit_runs_the_command():
    unit = Path(__file__).parents[2] / "infra/agents/systemd/weir-notify.service"
    assert "ExecStart=/opt/weir/bin/weir notify\n" in unit.read_text()
