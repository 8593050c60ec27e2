"""What another user of this machine can do, who reaches the stack's ports and has none of its keys."""

import io
import socket
import ssl
import zipfile

import httpx
import pytest
from weir_keeper import FlinkRest, key

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


def test_keys_and_passwords_are_for_their_owner_alone(stack):
    files = [file for folder in (stack.secrets, stack.conf) for file in folder.rglob("*") if file.is_file()]
    assert stack.flink_key in files
    assert {oct(file.stat().st_mode & 0o777) for file in files if stack.secrets in file.parents} == {"0o600"}
    for folder in (stack.secrets, stack.conf, stack.data, stack.logs):
        assert oct(folder.stat().st_mode & 0o777) == "0o700"
