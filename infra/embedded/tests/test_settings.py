from pathlib import Path

import pytest
from pydantic import ValidationError
from weir_embedded.parts import flink
from weir_embedded.settings import Stack


def test_everything_is_in_one_folder_of_the_checkout(monkeypatch):
    for name in ("WEIR_HOME", "WEIR_PACKAGES", "WEIR_PORT_OFFSET"):
        monkeypatch.delenv(name, raising=False)
    stack = Stack(root=Path("/somewhere"))
    assert stack.home == stack.packages == Path("/somewhere/.weir")
    assert stack.secret("x").is_relative_to(stack.home)


def test_the_environment_moves_folders_and_ports(monkeypatch, tmp_path):
    monkeypatch.setenv("WEIR_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("WEIR_PORT_OFFSET", "1000")
    stack = Stack()
    assert stack.home == tmp_path / "home"
    assert stack.kafka_bootstrap == "127.0.0.1:20092"
    assert stack.clickhouse_url == "http://127.0.0.1:19123"


def test_no_two_parts_share_a_port_also_with_the_tests_stack_beside():
    ports = [*Stack(port_offset=0).ports.values(), *Stack(port_offset=1000).ports.values()]
    assert len(ports) == len(set(ports))


def test_a_started_stack_keeps_its_ports(monkeypatch, tmp_path):
    monkeypatch.delenv("WEIR_PORT_OFFSET", raising=False)
    Stack(home=tmp_path, port_offset=2000).keep_port_offset()
    assert Stack(home=tmp_path).port_offset == 2000
    assert Stack(home=tmp_path, port_offset=0).port_offset == 0


def test_a_started_stack_keeps_its_slots(monkeypatch, tmp_path):
    monkeypatch.delenv("WEIR_TASK_SLOTS", raising=False)
    assert Stack(home=tmp_path).task_slots == 12
    stack = Stack(home=tmp_path, packages=tmp_path / "packages", task_slots=4)
    shipped = stack.flink_home / "conf" / "config.yaml"
    shipped.parent.mkdir(parents=True)
    shipped.write_text("env: {java: {opts: {all: --add-opens}}}\n")
    flink.prepare(stack)
    assert Stack(home=tmp_path).task_slots == 4
    assert Stack(home=tmp_path, task_slots=10).task_slots == 10


def test_an_offset_that_leaves_the_port_range_is_refused():
    with pytest.raises(ValidationError):
        Stack(port_offset=60_000)
