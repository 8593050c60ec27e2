"""Runs a program so that it cannot outlive the supervisor: `python guard.py PIDFILE PROGRAM ARG...`.

The kernel is asked to kill the program when its parent dies, which survives exec; so kill -9 of the
supervisor leaves no orphans that hold ports and data. It does not survive fork: gunicorn, which forks its
workers, reads this file as its configuration, for `post_fork` and `post_request`. A file of its own, started
without the site packages, to cost 20 ms only.
"""

import ctypes
import os
import signal
import sys
from pathlib import Path
from typing import Any

PR_SET_PDEATHSIG = 1
ANSWERED = "WEIR_ANSWERED_FILE"
"""Names the file whose time is that of the newest answer of gunicorn."""


def main(pid_file: str, *program: str) -> None:
    """Become `program`, bound to the life of the process named in `pid_file`."""
    die_with(int(Path(pid_file).read_text()))
    os.execvp(program[0], program)  # noqa: S606 - becoming the program is the purpose


def die_with(parent: int) -> None:
    """Bind this process to the life of its parent; ends it at once if that is gone already."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG) failed")
    if os.getppid() != parent:
        sys.exit("The parent died while this program was starting.")


def post_fork(arbiter: Any, _worker: object) -> None:
    """Gunicorn's hook in each new worker: it would outlive its master while it waits for requests."""
    die_with(arbiter.pid)


def post_request(_worker: object, _request: object, _environ: object, _answer: object) -> None:
    """Gunicorn's hook after each answer: notes that some are answered, however many wait for their turn."""
    Path(os.environ[ANSWERED]).touch()


if __name__ == "__main__":
    main(*sys.argv[1:])
