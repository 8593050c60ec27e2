"""`infra/compose/weir` with an engine that only keeps lists of volumes and images."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

COMPOSE = Path(__file__).parents[2]

PROGRAMS = {
    "docker": """\
case "$1 ${2:-}" in
"info "*) ;;
"volume inspect") [ -e "volumes/$3" ] ;;
"image inspect") case $3 in weir/*) ;; *) [ -e "images/${3%%/*}" ] ;; esac ;;
"pull "*) [ -e registry ] && touch images/clickhouse ;;
*) exit 1 ;;
esac
""",
    # As version 1.29: `up` makes every volume that its files declare, `down --volumes` removes them all.
    "docker-compose": """\
engine=embedded
while [ $# -gt 0 ]; do
    case $1 in
    -p) project=$2 ;;
    -f) files="${files:-} compose/$2"; [ "$2" != compose.server.yaml ] || engine=server ;;
    up) change=touch ;;
    --volumes) change="rm -f" ;;
    esac
    shift
done
for file in $files; do
    for volume in $(sed -n '/^volumes:/,$ s/^  \\([a-z0-9-]*\\):$/\\1/p' "$file"); do
        [ -z "${change:-}" ] || $change "volumes/${project}_$volume"
    done
done
echo $engine >>engines
""",
}


@pytest.fixture
def weir(tmp_path):
    """Runs the command; returns the ClickHouse that docker-compose was told to run."""
    for folder in ("volumes", "images", "bin", "compose"):
        (tmp_path / folder).mkdir()
    for file in ("weir", "compose.yaml", "compose.server.yaml"):  # without the .env of this checkout
        shutil.copy(COMPOSE / file, tmp_path / "compose")
    for name, text in PROGRAMS.items():
        program = tmp_path / "bin" / name
        program.write_text(f"#!/bin/sh\nset -eu\ncd '{tmp_path}'\n{text}")
        program.chmod(0o755)

    def weir(*words, **environment):
        path = {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
        subprocess.run([tmp_path / "compose" / "weir", *words], env=path | environment, check=True)
        return (tmp_path / "engines").read_text().split()[-1]

    return weir


def volumes(folder):
    return {path.name for path in (folder / "volumes").iterdir()}


def test_what_began_with_the_official_server_stays_with_it_and_is_cleaned(weir, tmp_path):
    (tmp_path / "registry").touch()
    assert weir("up") == "server"
    assert {"weir_clickhouse", "weir_clickhouse-server"} <= volumes(tmp_path)
    (tmp_path / "registry").unlink()
    (tmp_path / "images" / "clickhouse").unlink()
    for words in (["status"], ["down"], ["up"]):
        assert weir(*words) == "server"
    assert weir("up", WEIR_CLICKHOUSE="embedded") == "server"
    assert weir("clean") == "server"
    assert volumes(tmp_path) == set()


def test_what_began_with_the_embedded_engine_stays_with_it(weir, tmp_path):
    assert weir("up") == "embedded"
    (tmp_path / "registry").touch()
    assert weir("up") == "embedded"
    weir("clean")
    assert volumes(tmp_path) == set()
    assert weir("up") == "server"


def test_the_official_server_is_not_asked_for_where_that_is_said(weir, tmp_path):
    (tmp_path / "registry").touch()
    assert weir("up", WEIR_CLICKHOUSE="embedded") == "embedded"


def test_what_the_caller_says_goes_before_what_env_says(weir, tmp_path):
    (tmp_path / "compose/.env").write_text("COMPOSE_PROJECT_NAME=production\nWEIR_CLICKHOUSE=embedded\n")
    weir("up")
    weir("up", COMPOSE_PROJECT_NAME="trial")
    weir("clean", COMPOSE_PROJECT_NAME="trial")
    assert {name.split("_")[0] for name in volumes(tmp_path)} == {"production"}


def test_what_env_names_is_a_deployment_of_its_own(weir, tmp_path):
    weir("up", WEIR_CLICKHOUSE="embedded")
    (tmp_path / "compose/.env").write_text("COMPOSE_PROJECT_NAME=second\nWEIR_CLICKHOUSE=embedded\n")
    weir("up")
    assert {"weir_clickhouse", "second_clickhouse"} <= volumes(tmp_path)
    weir("clean")
    assert {name.split("_")[0] for name in volumes(tmp_path)} == {"weir"}
