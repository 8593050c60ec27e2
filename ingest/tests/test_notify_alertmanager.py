"""What an Alertmanager is given, by hand and by a real one (Debian: prometheus-alertmanager)."""

import json
import re
import shutil
import socket
import subprocess
import threading
import urllib.request
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from notify_servers import give_up
from weir.errors import UserError
from weir.notify import trouble
from weir.notify.alertmanager import LASTS, Alertmanager, AlertmanagerSender, alerts, body, of_trouble
from weir.notify.delivery import State
from weir.notify.operators import Event, Subject, micros
from weir.notify.sending import SENT

NOW = datetime.now(UTC)
SINCE = NOW - timedelta(minutes=10)
SILENT = Subject(
    Event(
        cluster="demo",
        kind="silent",
        subject_kind="server",
        subject="oss1",
        server="",
        filesystem="",
        since=SINCE,
        ended=None,
        state="open",
        in_maintenance=False,
        cause="",
        numbers={"silent_seconds": 75.0, "allowed_seconds": 60.0, "latency_seconds": float("nan")},
        version=micros(SINCE),
    ),
    group="home+scratch",
    known=micros(SINCE),
    is_silenced=False,
)
LAGGING = Subject(
    replace(
        SILENT.event,
        cluster="",
        kind="lag",
        subject_kind="part",
        subject="weir-job-analysis",
        cause="12,000 behind",
    ),
    group="pipeline",
    known=micros(SINCE),
    is_silenced=False,
)


def ended(subject, known):
    event = replace(subject.event, state="recovered", ended=known - timedelta(minutes=2))
    return replace(subject, event=event, known=micros(known))


def test_labels_name_the_trouble_and_annotations_prove_it():
    silent, lagging = alerts([SILENT, LAGGING], NOW)
    assert silent == {
        "labels": {
            "alertname": "weir_silent",
            "cluster": "demo",
            "filesystem": "home+scratch",
            "kind": "silent",
            "subject_kind": "server",
            "subject": "oss1",
            "severity": "critical",
        },
        "annotations": {
            "summary": "server oss1: silent",
            "description": "silent_seconds 75, allowed_seconds 60, latency_seconds nan",
        },
        "startsAt": SINCE.isoformat(),
        "endsAt": (NOW + LASTS).isoformat(),
    }
    assert lagging["labels"] == {
        "alertname": "weir_lag",
        "kind": "lag",
        "subject_kind": "part",
        "subject": "weir-job-analysis",
        "severity": "warning",
    }
    assert lagging["annotations"]["description"] == "12,000 behind"


def test_what_ended_is_posted_until_it_would_have_ended_by_itself():
    (over,) = alerts([ended(SILENT, NOW - LASTS)], NOW)
    assert over["endsAt"] == (NOW - LASTS - timedelta(minutes=2)).isoformat()
    assert alerts([ended(SILENT, NOW - LASTS - timedelta(seconds=1))], NOW) == []


def test_what_is_in_maintenance_is_not_posted():
    assert alerts([replace(SILENT, is_silenced=True)], NOW) == []


@pytest.fixture
def refusing():
    """A server that answers 400; gives its address and the headers it got."""
    seen = []

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self):
            seen.append(self.headers)
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(400)
            self.end_headers()
            self.wfile.write(b'"label name is wrong"')

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/", seen
        server.shutdown()


def test_a_refusal_is_reported_with_its_reason(refusing, tmp_path):
    url, seen = refusing
    header = tmp_path / "authorization"
    header.write_text("Bearer s3cret\n")
    with pytest.raises(UserError, match=r"/api/v2/alerts answers 400: \"label name is wrong\""):
        Alertmanager(url, header).post([SILENT], NOW)
    assert seen[0]["Authorization"] == "Bearer s3cret"


def test_one_that_is_away_or_a_lost_file_is_reported(tmp_path):
    with pytest.raises(UserError, match=r"refused.*tried again"):
        Alertmanager("http://127.0.0.1:1").post([SILENT], NOW)
    with pytest.raises(UserError, match=r"No such file"):
        Alertmanager("http://127.0.0.1:1", tmp_path / "lost").post([SILENT], NOW)


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """The address of an Alertmanager that sends nothing to anybody."""
    program = shutil.which("prometheus-alertmanager") or shutil.which("alertmanager")
    if not program:
        give_up("no Alertmanager here (Debian: prometheus-alertmanager)")
    folder = tmp_path_factory.mktemp("alertmanager")
    (folder / "config.yml").write_text("route: {receiver: nobody}\nreceivers: [{name: nobody}]\n")
    process = subprocess.Popen(
        [
            program,
            f"--config.file={folder / 'config.yml'}",
            f"--storage.path={folder / 'data'}",
            "--web.listen-address=127.0.0.1:0",
            "--cluster.listen-address=",
        ],
        stderr=subprocess.PIPE,
        text=True,
    )
    found = (re.search(r'Listening on" address=(\S+)', line) for line in process.stderr)
    address = next((match[1] for match in found if match), None)
    assert address, "it has ended: see its standard error"
    yield f"http://{address}"
    process.kill()
    process.wait()


@pytest.mark.parametrize(
    "answer",
    [
        b"\0\xff" * 1000,
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n",
        b"HTTP",
        b"HTTP/1.1 503 Away\r\nContent-Length: 9\r\n\r\nshort",
        b"HTTP/1.1 503 Away\r\nTransfer-Encoding: chunked\r\n\r\nno chunk",
    ],
)
def test_any_answer_is_one_that_is_tried_again(answer):
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve():
            with server.accept()[0] as client:
                client.recv(100_000)
                client.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        manager = Alertmanager(f"http://127.0.0.1:{server.getsockname()[1]}")
        sender = AlertmanagerSender(manager)
        outcome = sender.send("", body([]))
        thread.join()
    assert outcome.state in (State.waiting, State.sent)
    assert (outcome.state == State.sent) == answer.startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("content", [b"Bearer a\r\nX-Y: b", b"\xff\xfe", b"Bearer \xc3\xa9\xe2\x82\xac"])
def test_an_authorization_that_is_none_is_an_error_of_its_own(tmp_path, content):
    (tmp_path / "authorization").write_bytes(content)
    manager = Alertmanager("http://127.0.0.1:1", tmp_path / "authorization")
    with pytest.raises(UserError):
        manager.post([SILENT], NOW)


def held(url):
    """Subjects of the alerts that it holds for active."""
    with urllib.request.urlopen(f"{url}/api/v2/alerts?active=true") as answer:
        return {each["labels"]["subject"]: each for each in json.load(answer)}


def test_a_real_one_holds_what_is_wrong_and_resolves_what_is_over(real):
    alertmanager = Alertmanager(real)
    hostile = replace(LAGGING, event=replace(LAGGING.event, subject='\n"}<b>\u202e', cause="x" * 100_000))
    alertmanager.post([SILENT, LAGGING, hostile], NOW)
    found = held(real)
    assert found.keys() == {"oss1", "weir-job-analysis", '\n"}<b>\u202e'}
    assert datetime.fromisoformat(found["oss1"]["startsAt"]) == SINCE.replace(
        microsecond=SINCE.microsecond // 1000 * 1000
    )
    alertmanager.post([ended(SILENT, NOW), LAGGING], NOW)
    assert held(real).keys() == {"weir-job-analysis", '\n"}<b>\u202e'}


def test_a_real_one_holds_what_the_notifier_tells_of_its_deliveries(real):
    told = trouble.alert("demo", trouble.NO_ADDRESS, "no_address demo/eve", "eve", "no address of eve", NOW)
    assert AlertmanagerSender(Alertmanager(real)).send("", body(of_trouble(told))) == SENT
    eve = held(real)["eve"]
    assert eve["labels"]["alertname"] == "weir_no_address"
    assert eve["annotations"]["description"] == "no address of eve"
    assert datetime.fromisoformat(eve["endsAt"]) - datetime.fromisoformat(eve["startsAt"]) == timedelta(
        days=1
    )
