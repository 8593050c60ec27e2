"""What another user of this machine can do, who reaches the stack's ports and has none of its keys."""

import io
import socket
import ssl
import zipfile

import httpx
import pytest
from confluent_kafka import (
    OFFSET_BEGINNING,
    Consumer,
    KafkaError,
    KafkaException,
    Producer,
    TopicCollection,
    TopicPartition,
)
from confluent_kafka.admin import AclOperation, AdminClient
from weir.admin import topics
from weir_keeper import FlinkRest, key

AGENTS_WRITE = {
    "weir.darshan.log", "weir.job.manifest", "weir.scheduler.job", "weir.device.sample", "weir.job.live",
    "weir.target.live", "weir.dead-letter",
}  # fmt: skip
JOBS_WRITE = {"weir.storage.load", "weir.storage.event", "weir.job.result", "weir.alert", "weir.dead-letter"}
# What each login may write and read.
MAY = {
    "agent": (AGENTS_WRITE, set()),
    "flink": (JOBS_WRITE, {topic.name for topic in topics.declared()} - {"weir.alert"}),
    "reference": ({"weir.reference"}, {"weir.site"}),
    "metrics": ({"weir.pipeline.event"}, {"weir.pipeline.event"}),
    "notify": (
        {"weir.alert", "weir.delivery", "weir.control"},
        {"weir.alert", "weir.delivery", "weir.site", "weir.storage.event", "weir.pipeline.event"},
    ),
}
DENIED = KafkaError.TOPIC_AUTHORIZATION_FAILED
FLINK_PORTS = ("flink_rest", "flink_rpc", "flink_blob", "flink_task_rpc", "flink_task_data")


def program():
    """Any jar."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as content:
        content.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nMain-Class: Stolen\n")
    return file.getvalue()


def strangers(tmp_path):
    """Ways to speak TLS: without a certificate, and with one that somebody else made."""
    key.make(tmp_path, "stranger")
    trusting = [ssl.create_default_context() for _ in range(2)]
    for each in trusting:
        each.check_hostname = False
        each.verify_mode = ssl.CERT_NONE
    trusting[1].load_cert_chain(tmp_path / "stranger.pem")
    return trusting


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/overview", {}),
        ("GET", "/jars", {}),
        ("POST", "/jars/upload", {"files": {"jarfile": ("x.jar", program())}}),
        ("POST", "/jobs", {"files": {"request": ("request", b"{}")}}),
        ("PATCH", "/jobs/00000000000000000000000000000000", {}),
    ],
)
def test_flink_takes_no_program_and_tells_nothing_without_its_key(stack, tmp_path, method, path, body):
    for context in strangers(tmp_path):
        with pytest.raises(httpx.TransportError):
            httpx.request(method, stack.flink_url + path, verify=context, **body)
    plain = httpx.request(method, stack.flink_url.replace("https:", "http:") + path, **body)
    assert (plain.is_redirect, plain.content) == (True, b""), "it only says that it speaks TLS"


def test_flink_answers_its_key_and_lets_no_other_page_read_that(stack):
    answer = FlinkRest(stack).client.get("/overview")
    assert answer.status_code == 200
    assert answer.headers["Access-Control-Allow-Origin"] == stack.flink_url


@pytest.mark.parametrize("port", FLINK_PORTS)
def test_each_port_of_flink_ends_who_has_not_its_key(stack, tmp_path, port):
    """Programs travel as Java objects on the others, which do as much as the REST interface."""
    for context in strangers(tmp_path):
        with socket.create_connection(("127.0.0.1", stack.ports[port])) as plain:
            plain.settimeout(30)
            with pytest.raises((ssl.SSLError, ConnectionError)), context.wrap_socket(plain) as connection:
                connection.sendall(b"GET / HTTP/1.1\r\n\r\n")
                # a server of TLS 1.3 tells its refusal after the handshake
                assert connection.recv(1), "ended"
                pytest.fail("it has answered")


def allowed(admin, topic):
    """What Kafka says that this login may do with a topic; nothing where it may not even know of it."""
    asked = admin.describe_topics(TopicCollection([topic]), include_authorized_operations=True)
    try:
        return set(asked[topic].result().authorized_operations)
    except KafkaException as refused:
        assert refused.args[0].code() == DENIED
        return set()


@pytest.mark.parametrize("login", MAY)
def test_each_login_may_write_and_read_its_own_topics_and_change_none(stack, login):
    admin = AdminClient(stack.kafka_of(login))
    may = {topic.name: allowed(admin, topic.name) for topic in topics.declared()}
    assert {name for name, found in may.items() if AclOperation.WRITE in found} == MAY[login][0]
    assert {name for name, found in may.items() if AclOperation.READ in found} == MAY[login][1]
    assert not set().union(*may.values()) - {AclOperation.WRITE, AclOperation.READ, AclOperation.DESCRIBE}


def test_an_agent_is_refused_the_site_and_deletes_nothing(stack):
    options = stack.kafka_of("agent") | {"log_level": 0}
    told = []
    producer = Producer(options | {"message.timeout.ms": 20_000})
    producer.produce("weir.site", b"x", on_delivery=lambda error, _: told.append(error.code()))
    producer.flush(30)
    consumer = Consumer(options | {"group.id": "weir-read-to-end"})
    consumer.assign([TopicPartition("weir.site", 0, OFFSET_BEGINNING)])
    (seen,) = consumer.consume(1, timeout=60)
    consumer.close()
    admin = AdminClient(options)
    with pytest.raises(KafkaException) as refused:
        admin.delete_topics(["weir.dead-letter"])["weir.dead-letter"].result()
    assert [*told, seen.error().code(), refused.value.args[0].code()] == [
        DENIED,
        KafkaError.GROUP_AUTHORIZATION_FAILED,
        DENIED,
    ]


@pytest.mark.parametrize("port", ["kafka", "kafka_internal", "kafka_controller"])
@pytest.mark.parametrize("way", ["nobody", "wrong password", "unknown login", "stranger's key"])
def test_kafka_tells_nothing_without_a_login(stack, tmp_path, port, way):
    key.make(tmp_path, "stranger")
    pem = str(tmp_path / "stranger.pem")
    right = stack.kafka_of("agent")
    options = {
        "nobody": {},
        "wrong password": right | {"sasl.password": "guess"},
        "unknown login": right | {"sasl.username": "nobody"},
        "stranger's key": {
            "security.protocol": "SSL",
            "enable.ssl.certificate.verification": "false",
            "ssl.certificate.location": pem,
            "ssl.key.location": pem,
        },
    }[way]
    address = {"bootstrap.servers": f"127.0.0.1:{stack.ports[port]}", "log_level": "0"}
    with pytest.raises(KafkaException):
        AdminClient(options | address).list_topics(timeout=5)


def test_keys_and_passwords_are_for_their_owner_alone(stack):
    files = [file for folder in (stack.secrets, stack.conf) for file in folder.rglob("*") if file.is_file()]
    assert stack.flink_key in files
    assert {oct(file.stat().st_mode & 0o777) for file in files if stack.secrets in file.parents} == {"0o600"}
    for folder in (stack.secrets, stack.conf, stack.data, stack.logs):
        assert oct(folder.stat().st_mode & 0o777) == "0o700"
