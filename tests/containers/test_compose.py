"""`infra/compose/weir`: up, down and up again twice with data kept, and once with data removed."""

import os
import ssl
import subprocess
from types import SimpleNamespace

import docker
import httpx
import pytest
import yaml
from clients import CENTER, Sql, Weir, unread
from sim.views import GROUPS
from weir_embedded.settings import Stack

from .services import COMPOSE, free_ports, why_not

PROJECT = "weir-test-compose"
NAMES = ("KAFKA1", "SUPERSET", "CLICKHOUSE", "NOTIFY", "MAILBOX")


@pytest.fixture(scope="module")
def compose():
    """Calls the command; nothing of its project is left at the end."""
    if reason := why_not():
        pytest.fail(reason) if os.environ.get("WEIR_REQUIRE_CONTAINERS") else pytest.skip(reason)
    ports = dict(zip(NAMES, free_ports(len(NAMES)), strict=True))
    environment = {f"WEIR_{name}_PORT": str(port) for name, port in ports.items()}
    environment |= {"COMPOSE_PROJECT_NAME": PROJECT, "WEIR_CLICKHOUSE": "embedded"}
    environment |= {"WEIR_JVM_OPTIONS": os.environ["JAVA_TOOL_OPTIONS"]}

    def compose(*words):
        done = subprocess.run(
            [COMPOSE.with_name("weir"), *words],
            env=os.environ | environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout

    compose.ports = ports
    yield compose
    compose("clean")


def test_data_survive_down_and_up_and_go_with_clean(compose, tmp_path, eventually):
    def all_is_read():
        stack = SimpleNamespace(kafka=yaml.safe_load((tmp_path / "weir.yaml").read_text())["kafka"])
        return all(unread(stack.kafka, group) == 0 for group in GROUPS)

    def counts():
        client = yaml.safe_load((tmp_path / "weir.yaml").read_text())
        sql = Sql(
            SimpleNamespace(
                clickhouse_url=client["clickhouse_url"],
                clickhouse_ca=str(tmp_path / "ca.pem"),
                clickhouse_secret=lambda login: tmp_path / f"clickhouse_{login}",
            )
        )
        query = "SELECT count() AS runs, sum(length(findings)) AS findings FROM runs"
        return sql.rows(query)

    def mails():
        url = f"https://localhost:{compose.ports['MAILBOX']}/messages/"
        tls = ssl.create_default_context(cafile=tmp_path / "ca.pem")
        return len(httpx.get(url, verify=tls, trust_env=False, timeout=60).json()["messages"])

    engine = docker.from_env()
    volumes = {volume.name for volume in engine.volumes.list()}
    told = compose("up")
    assert "Superset" in told
    compose("client", tmp_path)
    weir = Weir(SimpleNamespace(weir_config=tmp_path / "weir.yaml", venv=Stack().venv))
    replay = ("replay", CENTER, "--live", "--speed", "1000000", "--wait", "600")
    weir(*replay)
    eventually(lambda: mails() > 0)
    before, passwords = counts(), (tmp_path / "superset_admin").read_text()
    assert before[0]["runs"] == 52
    for _ in range(2):
        compose("down")
        left = {volume.name for volume in engine.volumes.list()} - volumes
        assert {name.partition("_")[0] for name in left} == {PROJECT}
        compose("up")
        compose("client", tmp_path)
        assert counts() == before
    assert (tmp_path / "superset_admin").read_text() == passwords
    weir(*replay)
    eventually(all_is_read)
    assert counts() == before

    compose("clean")
    assert {volume.name for volume in engine.volumes.list()} == volumes
    project = f"com.docker.compose.project={PROJECT}"
    assert not engine.containers.list(all=True, filters={"label": project})
