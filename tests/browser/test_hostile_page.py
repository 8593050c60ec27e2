"""A page of somebody else, in the browser of the signed-in administrator, tries every port of the stack."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from clients import Sql
from confluent_kafka.admin import AdminClient
from weir_embedded import supervisor
from weir_keeper import FlinkRest
from weir_superset.client import Superset

from .test_loading import KINDS

ATTACK = (Path(__file__).parent / "hostile.js").read_text()
# Beside the start page of every port.
PATHS = {
    "flink_rest": ("/overview", "/jars/upload", "/jobs"),
    "clickhouse": (
        "/?add_http_cors_header=1&query=SELECT%201",
        "/?add_http_cors_header=1&user=default&query=DROP%20TABLE%20weir.runs_versions",
    ),
    "superset": ("/logout/", "/api/v1/me/", "/api/v1/security/csrf_token/", "/api/v1/dashboard/"),
}


class Careless(BaseHTTPRequestHandler):
    """Serves the page, and is what the stack must not be: it lets every page read its answers."""

    posted: list[str]

    def do_GET(self):
        self.send_response(200)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<html><body>careless</body></html>")

    def do_POST(self):
        self.posted.append(self.headers["Content-Type"].partition(";")[0])
        self.do_GET()

    def log_message(self, *_):
        pass


@pytest.fixture
def careless():
    """Such a server, on a port of its own."""
    Careless.posted = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Careless)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()


def state(stack, site):
    """What a page could change."""
    flink = FlinkRest(stack).client
    with Superset(site.url, site.user, site.password) as superset:
        objects = {kind: superset.ids(kind) for kind in KINDS}
    return {
        "jobs": {job["id"]: job["status"] for job in flink.get("/jobs").json()["jobs"]},
        "jars": [jar["id"] for jar in flink.get("/jars").json()["files"]],
        "topics": sorted(AdminClient(stack.kafka).list_topics(timeout=30).topics),
        "tables": Sql(stack).rows(
            "SELECT name, uuid FROM system.tables WHERE database = 'weir' ORDER BY name"
        ),
        "superset": objects,
        "processes": {name: part["pid"] for name, part in supervisor.processes(stack).items()},
    }


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"], ids=["same site", "cross site"])
def test_it_reads_nothing_and_changes_nothing(stack, superset_site, signed_in, careless, host):
    if superset_site.url != stack.superset_url:
        pytest.skip("this Superset is not that of our own stack, whose ports are tried")
    before = state(stack, superset_site)
    port = careless.server_address[1]
    other = f"http://127.0.0.1:{port}/" if host == "localhost" else f"http://localhost:{port}/"
    urls = [f"{stack.flink_url}{path}" for path in ("/", *PATHS["flink_rest"])]
    for name, each in stack.ports.items():
        urls += [f"http://127.0.0.1:{each}{path}" for path in ("/", *PATHS.get(name, ()))]
    with signed_in.new_page() as page:
        page.goto(f"http://{host}:{port}/")
        of_careless = page.evaluate(ATTACK, [other])  # alone, lest a slow machine give it up among all others
        read = page.evaluate(ATTACK, urls)
    assert {each["url"] for each in of_careless} == {other}, "that which lets every page read it"
    assert set(Careless.posted) == {"text/plain", "multipart/form-data"}
    assert read == []
    assert state(stack, superset_site) == before
    assert signed_in.request.get("/api/v1/me/").status == 200, "the administrator is still signed in"
