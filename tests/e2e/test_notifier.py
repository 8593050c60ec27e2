"""The notifier on a real broker: killed in the middle of a mail, pushed aside by another, without Kafka."""

import os
import signal
import subprocess
import threading
import time
from collections import Counter
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest
import yaml
from aiosmtpd.controller import Controller
from containers.services import free_ports
from weir import identity, wire
from weir.kafka import Publisher, read_to_end
from weir_embedded import supervisor

CLUSTER = "labcluster"
STEPS = ("MAIL", "RCPT", "DATA")
CASE = {
    "case": "c" * 32,
    "program": "ior",
    "rule_id": "small_io",
    "title": "Many small requests",
    "held_back": "",
    "runs": 1,
    "node_hours_lost": 1.0,
    "times_sent": 0,
    "retracted": [],
}
RUN = {"log_id": "l" * 32, "program": "ior", "verdict": "application", "rules": ["small_io"]}
JOB = {"job_uid": "j" * 32, "job_display_id": "7", "job_name": "bench", "runs": [RUN]}


class Server:
    """Takes mails, and holds the client at one step until it is let go."""

    def __init__(self):
        self.hold, self.reached, self.go_on = None, threading.Event(), threading.Event()
        self.mails = []
        self.kills = None
        """Process that is killed once it was told that its mail is kept."""

    def at(self, step):
        if step == self.hold:
            self.reached.set()
            self.go_on.wait(120)

    async def handle_MAIL(self, server, session, envelope, address, options):
        self.at("MAIL")
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        self.at("RCPT")
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if envelope.rcpt_tos[0].endswith("users.weir.invalid"):  # and not to operators of other tests
            self.mails.append(envelope.rcpt_tos[0])
        self.at("DATA")
        if self.kills:
            os.kill(self.kills, signal.SIGSTOP)  # or it could write the outcome before it is killed
            await server.push("250 kept")
            os.kill(self.kills, signal.SIGKILL)
        return "250 kept"


@pytest.fixture
def server():
    server = Server()
    (server.port,) = free_ports(1)
    controller = Controller(server, "127.0.0.1", server.port)
    controller.start()
    yield server
    server.go_on.set()
    controller.stop()


@pytest.fixture
def start(stack, server, tmp_path):
    """Start a notifier that hands its mails to the server; the stack's own is stopped meanwhile."""
    supervisor.api(stack).stopProcess("notify")
    config = yaml.safe_load(stack.notify_config.read_text())
    config["smtp"]["port"], config["page"], config["metrics_port"] = server.port, None, 0
    file = tmp_path / "notify.yaml"
    file.write_text(yaml.safe_dump(config))
    started = []

    def start():
        log = (tmp_path / f"{len(started)}.log").open("w+")
        process = subprocess.Popen(
            [stack.venv / "bin/weir", "notify"],
            env=os.environ | {"WEIR_CONFIG": str(stack.weir_config), "WEIR_NOTIFY_CONFIG": str(file)},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        process.said = lambda: (log.seek(0), log.read())[1]
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()
    supervisor.api(stack).startProcess("notify")


@pytest.fixture
def publish(stack):
    """Put an alert to a user on weir.alert; gives its id."""

    def publish(user):
        unit = f"job {user} {time.time_ns()}"
        alert = {
            "alert": identity.alert_id("finding", unit, user),
            "cluster": CLUSTER,
            "kind": "finding",
            "unit": unit,
            "recipient": user,
            "mode": "live",
            "decided_at": datetime.now(UTC),
            "settled_at": None,
            "node_hours_lost": 1.0,
            "cases": [CASE],
            "jobs_in_all": 1,
            "jobs": [JOB],
            "reports": [],
            "trouble": None,
        }
        with Publisher(stack.kafka, "live") as publisher:
            publisher.send("weir.alert", alert["alert"], "Alert", alert)
        return alert["alert"]

    return publish


@pytest.fixture
def state(stack):
    """The state of an alert's delivery; none before the first."""

    def state(alert):
        newest = read_to_end(stack.kafka, "weir.delivery").get(alert)
        return newest and wire.decode(newest)[1]["state"]

    return state


@pytest.mark.parametrize("step", STEPS)
def test_a_kill_in_the_middle_of_a_mail_never_sends_it_twice(start, server, publish, state, eventually, step):
    server.hold = step
    notifier = start()
    lost = publish("ada")
    assert server.reached.wait(60)
    assert state(lost) == "attempt"
    notifier.kill()
    notifier.wait()
    server.hold = None
    server.go_on.set()
    start()
    later = publish("bob")
    eventually(lambda: state(later) == "sent")
    assert state(lost) == "ambiguous"
    assert server.mails.count("ada@users.weir.invalid") <= 1
    assert server.mails.count("bob@users.weir.invalid") == 1


def test_a_kill_before_the_outcome_is_written_never_sends_it_twice(start, server, publish, state, eventually):
    server.hold = "MAIL"
    notifier = start()
    lost = publish("ada")
    assert server.reached.wait(60)
    server.kills, server.hold = notifier.pid, None
    server.go_on.set()
    assert notifier.wait(60) == -signal.SIGKILL
    assert state(lost) == "attempt"
    server.kills = None
    start()
    later = publish("bob")
    eventually(lambda: state(later) == "sent")
    assert state(lost) == "ambiguous"
    assert Counter(server.mails) == {"ada@users.weir.invalid": 1, "bob@users.weir.invalid": 1}


def test_what_was_not_begun_before_a_kill_is_sent_once(start, server, publish, state, eventually):
    server.hold = "MAIL"
    notifier = start()
    first = publish("ada")
    assert server.reached.wait(60)
    others = [publish(f"user{number}") for number in range(5)]
    notifier.kill()
    notifier.wait()
    server.hold = None
    server.go_on.set()
    start()
    eventually(lambda: all(state(each) == "sent" for each in others))
    assert state(first) == "ambiguous"
    assert sorted(server.mails)[-5:] == [f"user{number}@users.weir.invalid" for number in range(5)]


def test_a_second_notifier_pushes_the_first_aside_and_each_mail_leaves_once(
    start, server, publish, state, eventually
):
    first, before = start(), publish("ada")
    eventually(lambda: state(before) == "sent")
    second = start()
    users = [f"user{number}" for number in range(10)]
    alerts = [publish(user) for user in users]
    eventually(lambda: all(state(each) in ("sent", "ambiguous") for each in alerts))
    assert first.wait(60) != 0
    assert "Another weir notify has taken over" in first.said()
    assert second.poll() is None
    # the one that the first was sending when it was pushed aside
    doubtful = {user for user, alert in zip(users, alerts, strict=True) if state(alert) == "ambiguous"}
    assert len(doubtful) <= 1
    mails = Counter(mail.partition("@")[0] for mail in server.mails if mail.startswith("user"))
    assert set(users) - doubtful <= set(mails)
    assert set(mails.values()) == {1}


@contextmanager
def without(stack, part, eventually):
    api = supervisor.api(stack)
    api.stopProcess(part)
    try:
        yield
    finally:
        api.startProcess(part)
        eventually(lambda: api.getProcessInfo(part)["statename"] == "RUNNING")


def test_kafka_away_in_the_middle_of_a_mail_loses_and_doubles_nothing(
    stack, start, server, publish, state, eventually
):
    server.hold = "DATA"
    start()
    alert = publish("ada")
    assert server.reached.wait(60)
    with without(stack, "kafka", eventually):
        server.hold = None
        server.go_on.set()
    eventually(lambda: state(alert) == "sent")
    later = publish("bob")
    eventually(lambda: state(later) == "sent")
    assert server.mails == ["ada@users.weir.invalid", "bob@users.weir.invalid"]
