"""Real services of a small center, each a process in a folder of its own: ClickHouse's front and Superset."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import httpx
import yaml
from weir.admin.migrations import all_migrations
from weir_embedded.parts import superset as superset_part
from weir_embedded.settings import LOGINS, Stack
from weir_superset import assets, bundle, roles
from weir_superset.client import Superset

ROOT = Path(__file__).parents[2]
PASSWORD = "a password of tests"
READY_SECONDS = 240


def free_port():
    """A port that nobody listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


@contextmanager
def running(command, ready, log, env=None):
    """A process, from when it is ready until the end of the block."""
    with log.open("ab") as output:
        process = subprocess.Popen(command, env=os.environ | (env or {}), stdout=output, stderr=output)
    try:
        deadline = time.monotonic() + READY_SECONDS
        while not ready():
            assert process.poll() is None, log.read_text()[-3000:]
            assert time.monotonic() < deadline, f"{command[0]} is not ready: {log.read_text()[-3000:]}"
            time.sleep(0.1)
        yield process
    finally:
        process.terminate()
        process.wait(60)


def answers(url):
    """Whether there is a page."""

    def ask():
        try:
            return httpx.get(url, trust_env=False, timeout=10).status_code == 200
        except httpx.TransportError:
            return False

    return ask


def listens(port):
    """Whether there is a server."""

    def ask():
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", port)) == 0

    return ask


class Front:
    """ClickHouse's engine behind its interface, with Weir's tables."""

    def __init__(self, folder):
        self.folder, self.port = folder, free_port()
        self.url = f"http://127.0.0.1:{self.port}/"

    @contextmanager
    def started(self):
        """Answers, and has the tables."""
        users = self.folder / "users.json"
        users.touch(mode=0o600)
        users.write_text(json.dumps({login: {"profile": login, "password": PASSWORD} for login in LOGINS}))
        env = {
            "WEIR_FRONT_DATA_PATH": str(self.folder / "data"),
            "WEIR_FRONT_USERS_FILE": str(users),
            "WEIR_FRONT_PORT": str(self.port),
        }
        program = [str(Path(sys.executable).with_name("weir-clickhouse-front"))]
        with running(program, answers(f"{self.url}ping"), self.folder / "front.log", env):
            self.run("CREATE DATABASE weir ENGINE = Atomic", database="default")
            for migration in all_migrations():
                for statement in migration.statements("up"):
                    self.run(statement)
            yield self

    def run(self, sql, database="weir"):
        """One statement, as who may make tables."""
        auth = ("migrator", PASSWORD)
        answer = httpx.post(self.url, params={"database": database}, content=sql, auth=auth, timeout=60)
        assert answer.status_code == 200, f"{sql[:200]}: {answer.text}"

    def insert(self, table, rows):
        """Rows, as objects, into the table behind a view."""
        self.run(f"INSERT INTO {table}_versions FORMAT JSONEachRow\n" + "\n".join(map(json.dumps, rows)))


class Site:
    """A Superset of its own with the dashboards, where people sign in as `sign_in` says."""

    def __init__(self, folder, front, sign_in, packages=""):
        self.folder, self.front, self.port = folder, front, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._sign_in, self._packages = sign_in, packages
        self.stack = Stack()

    @property
    def env(self):
        """What superset_config.py reads."""
        return {
            **superset_part.env(self.stack),
            "PYTHONPATH": self._packages,
            "WEIR_SUPERSET_HOME": str(self.folder),
            "WEIR_SUPERSET_METADATA_URI": f"sqlite:///{self.folder}/superset.db",
            "WEIR_SUPERSET_SECRET_KEY_FILE": str(self.folder / "key"),
            "WEIR_SUPERSET_ADMIN_PASSWORD_FILE": str(self.folder / "password"),
            "WEIR_SUPERSET_SIGN_IN_FILE": str(self.folder / "sign_in.yaml"),
        }

    @contextmanager
    def started(self, loaded=True):
        """Answers, has the administrator, and where it is loaded all that `load` brings."""
        shutil.copyfile(self.stack.superset_template, self.folder / "superset.db")
        for name in ("key", "password"):
            (self.folder / name).write_text(PASSWORD)
        (self.folder / "sign_in.yaml").write_text(yaml.safe_dump(self._sign_in))
        made = [*superset_part.preparation(self.stack), "admin"]
        done = subprocess.run(made, env=os.environ | self.env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        program = [self.stack.superset_venv / "bin/gunicorn", "--bind", f"127.0.0.1:{self.port}"]
        program += ["--worker-class", "gthread", "--threads", "8", "--timeout", "120"]
        program += ["superset.app:create_app()"]
        with running(program, answers(f"{self.url}/health"), self.folder / "superset.log", self.env):
            if loaded:
                with self.admin() as admin:
                    self._load(admin)
                    self.numbers = admin.ids("dataset")
            yield self

    def admin(self):
        """The account of Weir's tools."""
        return Superset(self.url, "admin", PASSWORD)

    def _load(self, admin):
        found = assets.read()
        uri = f"clickhousedb://reader@127.0.0.1:{self.front.port}/weir"
        passwords = dict.fromkeys(map(bundle.database_path, found.databases), PASSWORD)
        admin.import_assets(bundle.zipped(found, uri), passwords)
        roles.load(found, admin)
