#!/bin/sh
# Makes the virtual environment that everything else runs in: bootstrap.sh VENV [LOCK...]
# Repeated calls do nothing while the locks are unchanged; an interrupted one starts over.
set -eu

venv=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
uv_version=0.13.8
python=${PYTHON:-python3.11}

fail() {
    echo "✗ $1" >&2
    exit 1
}

[ "$(uname -s) $(uname -m)" = "Linux x86_64" ] || fail "This machine is $(uname -s) $(uname -m); Weir's embedded stack needs Linux x86-64."
command -v "$python" >/dev/null || fail "No $python on the PATH: install Python 3.11 (Debian: apt-get install python3.11 python3.11-venv) or name one: make PYTHON=/path/to/python3.11."
"$python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || fail "$python is $("$python" -V 2>&1), Weir needs 3.11: name one with make PYTHON=/path/to/python3.11."
"$python" -c 'import venv, ensurepip' 2>/dev/null || fail "$python cannot make virtual environments: install its venv module (Debian: apt-get install python3.11-venv)."

locks=""
for lock in "$@"; do locks="$locks -r $here/$lock"; done
projects=""
packages=""
for package in ingest infra/keeper infra/clickhouse-front infra/embedded; do
    projects="$projects $root/$package/pyproject.toml"
    packages="$packages -e $root/$package"
done
# shellcheck disable=SC2046,SC2086 # a list of files
inputs=$(cat "$0" $projects $(for lock in "$@"; do echo "$here/$lock"; done) | sha256sum)
stamp=$venv/.weir-$(echo "$*" | tr ' /' '--')
[ -f "$stamp" ] && [ "$(cat "$stamp")" = "$inputs" ] && exit 0

started=$(date +%s)
elapsed() { echo "$(($(date +%s) - started)) s"; }
log=$(dirname "$venv")/logs/setup-python.log
mkdir -p "$(dirname "$log")"
echo "... Install Weir's Python packages"
( while sleep 8; do echo "    Install Weir's Python packages: $(elapsed), $(du -sm "$venv" 2>/dev/null | cut -f1) MB"; done ) &
heartbeat=$!
trap 'kill $heartbeat 2>/dev/null || true' EXIT

install() {
    [ -x "$venv/bin/pip" ] || "$python" -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check "uv==$uv_version"
    # uv reads its own configuration; what a site has told pip about its index is handed on.
    index=$("$venv/bin/pip" config get global.index-url 2>/dev/null || true)
    index=${PIP_INDEX_URL:-$index}
    [ -z "$index" ] || export UV_DEFAULT_INDEX="${UV_DEFAULT_INDEX:-$index}"
    export UV_SYSTEM_CERTS=1
    # shellcheck disable=SC2086 # lists of options
    "$venv/bin/uv" pip install --python "$venv/bin/python" --require-hashes $locks
    # shellcheck disable=SC2086
    "$venv/bin/uv" pip install --python "$venv/bin/python" --no-deps $packages
}
install >"$log" 2>&1 || { tail -n 15 "$log" >&2; fail "The Python packages could not be installed; the whole output is in $log."; }
echo "$inputs" >"$stamp"
echo "✓ Install Weir's Python packages $(elapsed)"
