import os
import socket
from types import SimpleNamespace

import pytest
from weir_embedded import preflight
from weir_embedded.settings import Stack


def one_line(problems):
    (line,) = problems
    assert "\n" not in line
    return line


def test_a_taken_port_is_named_with_its_owner_and_the_way_out():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        line = one_line(preflight.port_problems({"superset": port}))
    assert f"port {port} (superset)" in line
    assert f"process {os.getpid()}" in line
    assert "WEIR_PORT_OFFSET" in line
    assert not list(preflight.port_problems({"superset": port}))


def test_a_port_taken_on_all_interfaces_counts_too():
    with socket.create_server(("0.0.0.0", 0)) as server:
        assert list(preflight.port_problems({"kafka": server.getsockname()[1]}))


def fake_jdk(folder, version):
    compiler = folder / "bin" / "javac"
    compiler.parent.mkdir(parents=True)
    compiler.write_text(f"#!/bin/sh\necho javac {version}\n")
    compiler.chmod(0o755)
    return folder


@pytest.mark.parametrize("version", ["17.0.15", "21.0.2"])
def test_supported_jdks_pass(tmp_path, version):
    assert not list(preflight.java_problems(fake_jdk(tmp_path, version)))


@pytest.mark.parametrize("version", ["1.8.0_412", "11.0.2", "25"])
def test_another_jdk_is_refused_with_its_version(tmp_path, version):
    line = one_line(preflight.java_problems(fake_jdk(tmp_path, version)))
    assert str(tmp_path) in line
    assert "17 to 21" in line


def test_a_runtime_without_compiler_and_no_java_at_all_are_told_apart(tmp_path):
    assert "not a JDK" in one_line(preflight.java_problems(tmp_path))
    assert "No JDK found" in one_line(preflight.java_problems(None))


def test_missing_maven(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "maven" in one_line(preflight.maven_problems())


def test_too_little_memory_or_disk_tells_both_numbers(tmp_path):
    assert "3,000 MB" in one_line(preflight.memory_problems(3000))
    line = one_line(preflight.disk_problems(tmp_path, 4000, 100))
    assert "100 MB" in line
    assert "4,000 MB" in line
    assert not list(preflight.memory_problems(preflight.MEMORY_MB))
    assert not list(preflight.disk_problems(tmp_path, 4000, 4000))


def test_page_cache_of_a_control_group_is_available_memory(tmp_path, monkeypatch):
    monkeypatch.setattr("psutil.virtual_memory", lambda: SimpleNamespace(available=8 * 2**30))
    (tmp_path / "memory.max").write_text(f"{2**30}\n")
    (tmp_path / "memory.current").write_text(f"{1000 * 2**20}\n")
    (tmp_path / "memory.stat").write_text(f"anon 7\ninactive_file {900 * 2**20}\nactive_file 5\n")
    assert preflight.available_memory_mb(tmp_path) == 1024 - 1000 + 900
    (tmp_path / "memory.max").write_text("max\n")
    assert preflight.available_memory_mb(tmp_path) == 8 * 1024


def test_the_readme_asks_for_what_is_checked():
    readme = (Stack().root / "README.md").read_text()
    assert f"{preflight.MEMORY_MB / 1000} GB of free memory, 4 GB of disk" in readme
    assert preflight.SETUP_DISK_MB < 4000  # by then the Python packages have taken their share


def test_free_space_of_a_folder_that_does_not_exist_yet(tmp_path):
    assert preflight.free_disk_mb(tmp_path / "a" / "b") > 0


def test_a_path_that_shell_scripts_break_on_is_refused(tmp_path):
    assert "blank" in one_line(preflight.path_problems(Stack(home=tmp_path / "my weir", packages=tmp_path)))


def test_a_running_stack_cannot_change_its_ports_or_slots(tmp_path, monkeypatch):
    for name in ("WEIR_PORT_OFFSET", "WEIR_TASK_SLOTS", "WEIR_PARALLELISM"):
        monkeypatch.delenv(name, raising=False)
    started = Stack(home=tmp_path, port_offset=1000, task_slots=6)
    started.keep_port_offset()
    started.flink_config.parent.mkdir(parents=True)
    started.flink_config.write_text("taskmanager.numberOfTaskSlots: 6\n")
    assert not preflight.start_problems(started, is_running=True)
    assert not preflight.start_problems(Stack(home=tmp_path), is_running=True)
    line = one_line(preflight.start_problems(Stack(home=tmp_path, port_offset=0), is_running=True))
    assert "WEIR_PORT_OFFSET=1000" in line
    assert "make down" in line
    assert "WEIR_TASK_SLOTS=6" in one_line(
        preflight.start_problems(Stack(home=tmp_path, task_slots=8), is_running=True)
    )


def test_several_taken_ports_are_one_line():
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("127.0.0.1", 0)) as two:
        ports = {"kafka": one.getsockname()[1], "superset": two.getsockname()[1]}
        line = one_line(preflight.port_problems(ports, offset=1000))
    assert all(str(port) in line for port in ports.values())
    assert "WEIR_PORT_OFFSET=2000" in line


def test_more_parallel_parts_than_slots_are_refused_with_the_way_out():
    assert not list(preflight.slot_problems(parallelism=4, slots=12))
    assert "WEIR_TASK_SLOTS=15" in one_line(preflight.slot_problems(parallelism=5, slots=12))
