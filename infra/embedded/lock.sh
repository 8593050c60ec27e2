#!/bin/sh
# Pins every Python package with its hashes: lock.sh UV. Locks name no package index.
set -eu
uv=$1
cd "$(dirname "$0")"
export UV_SYSTEM_CERTS=1

compile() {
    "$uv" pip compile --quiet --upgrade --python-version 3.11 --python-platform x86_64-manylinux_2_28 \
        --generate-hashes --no-annotate --no-header --no-emit-index-url "$@"
}
projects="pyproject.toml ../clickhouse-front/pyproject.toml ../keeper/pyproject.toml ../../ingest/pyproject.toml"
# shellcheck disable=SC2086 # a list of files
compile $projects -o requirements.lock
# shellcheck disable=SC2086
compile $projects --extra test -c requirements.lock -o requirements-test.lock
compile superset.in -o superset.lock
compile superset-ldap.in -c superset.lock -o superset-ldap.lock
# The images' own, of the same versions.
compile ../../ingest/pyproject.toml ../images/weir/requirements.in -c requirements.lock -o ../images/weir/requirements.lock
compile ../keeper/pyproject.toml -c requirements.lock -o ../images/keeper/requirements.lock
compile superset.in ../images/superset/requirements.in -c superset.lock -o ../images/superset/requirements.lock
compile ../clickhouse-front/pyproject.toml -c requirements.lock -o ../images/clickhouse/requirements.lock
