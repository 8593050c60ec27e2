"""Starts one part of a stack alone, as the stack's supervisor would."""

import os
import subprocess
import time
from contextlib import contextmanager

from weir_embedded.parts.part import NotReady


@contextmanager
def running(stack, part):
    """Give the process of the part once the part is healthy; it is killed at the end."""
    with (
        (stack.home / "log").open("wb") as log,
        subprocess.Popen(part.argv, env=os.environ | part.env, stdout=log, stderr=log) as process,
    ):
        try:
            _wait(stack, part, process)
            yield process
        finally:
            process.kill()


def _wait(stack, part, process):
    deadline = time.monotonic() + part.start_seconds
    while True:
        try:
            return part.check()
        except NotReady:
            assert process.poll() is None, (stack.home / "log").read_text()
            assert time.monotonic() < deadline
            time.sleep(0.2)
