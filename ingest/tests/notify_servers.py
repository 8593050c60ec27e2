"""Real servers in the process, each on a port of its own: SMTP that misbehaves on request, and webhooks."""

import os
import socket
import ssl
import subprocess
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

PASSWORD = "correct horse"


def give_up(reason):
    """Skip, or fail where nothing may be skipped."""
    if os.environ.get("WEIR_REQUIRE_ALL") == "1":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


class Mailbox:
    """Takes mails; `refuse` gives the answer to a recipient, `end` the answer to a whole mail."""

    def __init__(self):
        self.mails, self.refuse, self.end = [], {}, "250 kept"
        self.connections = set()
        self.came = threading.Event()

    async def handle_MAIL(self, server, session, envelope, address, options):
        if isinstance(self.end, dict) and "MAIL" in self.end:
            return self.end["MAIL"]
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address in self.refuse:
            return self.refuse[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        self.connections.add(session.peer)
        self.mails.append((tuple(envelope.rcpt_tos), envelope.original_content))
        self.came.set()
        if self.end == "drop":  # it has the mail, and nobody hears of it
            server.transport.abort()
            return "250 never seen"
        return self.end

    @property
    def to(self):
        return [address for addresses, _ in self.mails for address in addresses]


def _authenticate(server, session, envelope, mechanism, data):
    is_right = data.login == b"weir" and data.password == PASSWORD.encode()
    return AuthResult(success=is_right, handled=False)  # the server answers


def _greeted(port):
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", port)) as plain, context.wrap_socket(plain) as secured:
        secured.recv(100)


@contextmanager
def smtp(mailbox, certificate=None, security="none", auth=False):
    """Gives the port. `certificate` is (certificate, key)."""
    context = None
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*certificate)
    more = (
        {"authenticator": _authenticate, "auth_required": True, "auth_require_tls": security == "starttls"}
        if auth
        else {}
    )
    controller = Controller(
        mailbox,
        "127.0.0.1",
        free_port(),
        ssl_context=context if security == "tls" else None,
        tls_context=context if security == "starttls" else None,
        require_starttls=security == "starttls",
        data_size_limit=10_000_000,
        **more,
    )
    if security == "tls":  # aiosmtpd's own check of its start speaks no TLS
        controller._trigger_server = lambda: _greeted(controller.port)
    controller.start()
    try:
        yield controller.port
    finally:
        controller.stop()


def self_signed(folder, name="localhost"):
    """(certificate, key) files; a certificate signs itself."""
    certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        f"/CN={name}",
    ]
    more = ["-addext", f"subjectAltName=DNS:{name}", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run([*command, *more], check=True, capture_output=True)
    return certificate, key


@contextmanager
def script(lines):
    """An SMTP server with a script: bytes are sent, "<" reads a line, "<." a whole mail, "!" hangs up.

    "..." says nothing any more, until the client goes. Gives (port, lines that it read).
    """
    listener = socket.create_server(("127.0.0.1", 0))
    read = []

    def serve():
        connection, _ = listener.accept()
        with connection, connection.makefile("rb") as file:
            for line in lines:
                if line == "<":
                    read.append(file.readline())
                elif line == "<.":
                    while read[-1:] != [b".\r\n"]:
                        read.append(file.readline())
                        if not read[-1]:
                            return
                elif line == "!":
                    return
                elif line == "...":
                    file.readline()
                    return
                else:
                    connection.sendall(line)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1], read
    finally:
        thread.join(10)
        listener.close()


@contextmanager
def webhook(status=200):
    """Gives (port, requests); of status None the connection is dropped after the request."""
    got = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            got.append(self.rfile.read(int(self.headers["Content-Length"])))
            if status is None:
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port, got
    finally:
        server.shutdown()
        server.server_close()


def free_port():
    """One on which nothing listens now."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]
