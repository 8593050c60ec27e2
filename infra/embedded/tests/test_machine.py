"""machine.sh on machines that lack something: programs of its own on the PATH say so."""

import subprocess
from pathlib import Path

import pytest
from weir_embedded import preflight

SCRIPT = Path(__file__).parents[1] / "machine.sh"
DISK_MB = 4000  # as README.md asks
ENOUGH = {
    "javac": "echo Picked up JAVA_TOOL_OPTIONS: -Xmx1g >&2; echo javac 17.0.15",
    "mvn": "",
    "openssl": "",
    "awk": f"echo {preflight.MEMORY_MB}",
    "df": f"echo Avail; echo '  {DISK_MB}'",
}


@pytest.fixture
def told(tmp_path):
    """What it says on a machine with these programs in the place of those; empty if nothing is lacking."""

    def told(packages=tmp_path / "none" / "yet", java_home=None, **programs):
        found = tmp_path / "bin"
        found.mkdir()
        for name in ("sed", "dirname", "tail", "tr"):
            (found / name).symlink_to(f"/usr/bin/{name}")
        for name, script in (ENOUGH | programs).items():
            if script is not None:
                (found / name).write_text(f"#!/bin/sh\n{script}\n")
                (found / name).chmod(0o755)
        environment = {"PATH": str(found)} | ({"JAVA_HOME": str(java_home)} if java_home else {})
        done = subprocess.run(
            ["/bin/sh", SCRIPT, packages], env=environment, capture_output=True, text=True, check=False
        )
        assert (done.returncode == 0) == (done.stderr == "")
        return done.stderr.splitlines()

    return told


def test_a_machine_that_has_all_is_told_nothing(told):
    assert told() == []


@pytest.mark.parametrize(
    ("programs", "words"),
    [
        ({"javac": None}, "No JDK found"),
        ({"javac": "echo javac 1.8.0_412 >&2"}, "version 8; Weir needs 17 to 21"),
        ({"javac": "echo javac 25"}, "version 25; Weir needs 17 to 21"),
        ({"mvn": None}, "No mvn on the PATH"),
        ({"openssl": None}, "No openssl on the PATH"),
        ({"awk": f"echo {preflight.MEMORY_MB - 1}"}, "4499 MB of memory"),
        ({"df": f"echo Avail; echo {DISK_MB - 1}"}, "3999 MB are free"),
    ],
)
def test_each_thing_that_is_lacking_is_one_line(told, programs, words):
    (line,) = told(**programs)
    assert words in line


def test_all_that_is_lacking_is_told_at_once(told, tmp_path):
    lines = told(java_home=tmp_path / "jre", mvn=None)
    assert [str(tmp_path / "jre") in lines[0], "mvn" in lines[1], len(lines)] == [True, True, 2]


def test_once_the_packages_are_there_weir_stack_looks_itself(told, tmp_path):
    program = tmp_path / "venv" / "bin" / "weir-stack"
    program.parent.mkdir(parents=True)
    program.write_text("")
    program.chmod(0o755)
    assert told(packages=tmp_path, mvn=None) == []
