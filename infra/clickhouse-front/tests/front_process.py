"""A real front process for tests: own folder, free port, four logins whose password is `<login>-password`."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import httpx

DEADLINE_SECONDS = 20
LOGINS = ("migrator", "writer", "alert", "reader")


def password(login: str) -> str:
    return f"{login}-password"


def wait_until(condition: Callable[[], bool], what: str, seconds: float = DEADLINE_SECONDS) -> None:
    """Polls until the condition holds; fails when the seconds are over."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not within {seconds} s: {what}"
        time.sleep(0.02)


class FrontProcess:
    """Starts, stops and kills one front on one folder."""

    def __init__(self, folder: Path, **environment: str):
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/"
        self.log = folder / "front.log"
        self._environment = environment
        self._process: subprocess.Popen[bytes] | None = None
        users = {login: {"profile": login, "password": password(login)} for login in LOGINS}
        self.users_file = folder / "users.json"
        self.users_file.touch(mode=0o600)
        self.users_file.write_text(json.dumps(users))

    @property
    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "WEIR_FRONT_DATA_PATH": str(self.folder / "data"),
            "WEIR_FRONT_USERS_FILE": str(self.users_file),
            "WEIR_FRONT_PORT": str(self.port),
            **self._environment,
        }

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def launch_command(self) -> list[str]:
        return [str(Path(sys.executable).with_name("weir-clickhouse-front"))]

    def launch(self) -> subprocess.Popen[bytes]:
        with self.log.open("ab") as log:
            return subprocess.Popen(self.launch_command, env=self.environment, stdout=log, stderr=log)

    def start(self) -> "FrontProcess":
        self._process = self.launch()
        wait_until(self._answers, f"the front answers; its log: {self.log.read_text()[-2000:]}", 60)
        return self

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, self.log.read_text()[-2000:]
        try:
            return httpx.get(self.url + "ping").text == "Ok.\n"
        except httpx.TransportError:
            return False

    def kill(self) -> None:
        """kill -9."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(DEADLINE_SECONDS)

    def stop(self) -> int:
        """SIGTERM; the exit code."""
        assert self._process is not None
        self._process.terminate()
        return self._process.wait(DEADLINE_SECONDS + 30)

    def post(self, login: str, sql: str | bytes, **parameters: str) -> httpx.Response:
        return httpx.post(
            self.url, params=parameters, content=sql, auth=(login, password(login)), timeout=DEADLINE_SECONDS
        )

    def ask(self, login: str, sql: str, **parameters: str) -> str:
        """The answer's text; fails on an error."""
        response = self.post(login, sql, **parameters)
        assert response.status_code == 200, response.text
        return response.text.rstrip("\n")

    def error_code(self, login: str, sql: str | bytes, **parameters: str) -> int:
        """ClickHouse's error number, 0 if the statement ran."""
        return int(self.post(login, sql, **parameters).headers.get("X-ClickHouse-Exception-Code", 0))


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])
