"""The supervisor: supervisord's configuration, its start, and the calls to it over its socket."""

import hashlib
import os
import shlex
import subprocess
import sys
import tempfile
import xmlrpc.client
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
from supervisor.xmlrpc import SupervisorTransport

from weir_embedded import guard, templates
from weir_embedded.commands import tail
from weir_embedded.errors import StackError
from weir_embedded.parts.part import Part
from weir_embedded.settings import Stack

MARKER = "WEIR_STACK_HOME"
"""In the environment of every process of a stack, so that `down` can prove that none is left."""

# The kernel allows 108 bytes; supervisord first binds a name with its process id appended.
LONGEST_SOCKET_PATH = 95


def socket_path(stack: Stack) -> Path:
    """The supervisor's socket; in the temporary folder if the stack's own path is too long for the kernel."""
    path = stack.run / "supervisor.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    short = hashlib.sha256(os.fsencode(stack.home)).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"weir-{os.getuid()}-{short}" / "supervisor.sock"


def pid_file(stack: Stack) -> Path:
    """Returns the file into which supervisord writes its process id."""
    return stack.run / "supervisord.pid"


def configuration(stack: Stack, parts: Iterable[Part]) -> str:
    """The text of supervisord.conf."""

    def command(part: Part) -> str:
        bound = [sys.executable, "-I", "-S", guard.__file__, str(pid_file(stack))]
        return ini(shlex.join([*([] if part.outlives_supervisor else bound), *part.argv]))

    def environment(env: Mapping[str, str]) -> str:
        values = {**env, **stack_environment(stack)}
        return ",".join(f'{name}="{ini(value)}"' for name, value in sorted(values.items()))

    templates.FILTERS.update(ini=ini, command=command, environment=environment)
    return templates.render(
        "supervisord.conf.j2",
        stack=stack,
        parts=list(parts),
        pid_file=pid_file(stack),
        socket=socket_path(stack),
    )


def stack_environment(stack: Stack) -> dict[str, str]:
    """What makes a program of the stack find its settings again."""
    return {
        MARKER: str(stack.home),
        "WEIR_ROOT": str(stack.root),
        "WEIR_HOME": str(stack.home),
        "WEIR_PACKAGES": str(stack.packages),
        "WEIR_PORT_OFFSET": str(stack.port_offset),
    }


def ini(value: object) -> str:
    """A value as supervisord reads it back: per cent signs start its expansions."""
    return str(value).replace("%", "%%")


def start(stack: Stack, parts: Iterable[Part]) -> None:
    """Start supervisord in the background unless it runs; it starts no part by itself."""
    if is_running(stack):
        return
    kill_left_over(stack)
    socket_path(stack).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    stack.logs.mkdir(parents=True, exist_ok=True)
    _configuration_file(stack).write_text(configuration(stack, parts))
    _launch(stack)


def revive(stack: Stack) -> None:
    """Start supervisord, unless it runs, as it was configured last, and all of its parts at once."""
    if not is_running(stack):
        kill_left_over(stack)
        _launch(stack)
    api(stack).startAllProcesses(False)


def _configuration_file(stack: Stack) -> Path:
    return stack.conf / "supervisord.conf"


def _launch(stack: Stack) -> None:
    started = subprocess.run(
        [sys.executable, "-m", "supervisor.supervisord", "-c", str(_configuration_file(stack))],
        capture_output=True,
        text=True,
        env={**os.environ, **stack_environment(stack)},
        check=False,
    )
    if started.returncode != 0:
        seen = started.stderr or tail(stack.logs / "supervisord.log", 15)
        raise StackError("The supervisor did not start:", seen)


def api(stack: Stack) -> Any:
    """supervisord's XML-RPC interface over its socket."""
    transport = SupervisorTransport(serverurl=f"unix://{socket_path(stack)}")
    return xmlrpc.client.ServerProxy("http://localhost", transport=transport).supervisor


def is_running(stack: Stack) -> bool:
    """Whether supervisord answers."""
    try:
        api(stack).getState()
    except (OSError, xmlrpc.client.Error, xmlrpc.client.ProtocolError):
        return False
    return True


def processes(stack: Stack) -> dict[str, dict[str, Any]]:
    """What supervisord says about each part; empty when it does not run."""
    if not is_running(stack):
        return {}
    return {info["name"]: info for info in api(stack).getAllProcessInfo()}


def stack_processes(stack: Stack) -> list[psutil.Process]:
    """Every process of this stack, found by the marker in its environment and never by its name."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get(MARKER) == str(stack.home) and process.pid != os.getpid():
                found.append(process)
        except (psutil.AccessDenied, psutil.NoSuchProcess, psutil.ZombieProcess):
            continue
    return found


def kill_left_over(stack: Stack) -> list[psutil.Process]:
    """Kill what is left of a stack whose supervisor is gone; returns what even that did not end."""
    alive: list[psutil.Process] = []
    # Looked for again: what is killed may just have started another.
    while left := [process for process in stack_processes(stack) if process not in alive]:
        for process in left:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        alive += psutil.wait_procs(left, timeout=10)[1]
    return alive
