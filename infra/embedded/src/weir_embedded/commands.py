"""Running other programs: output to a log file, its last line as progress, the log's end in the error."""

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from weir_embedded.errors import StackError
from weir_embedded.progress import Step

SHOWN_LINES = 15


def run(
    argv: Sequence[str | Path],
    log: Path,
    step: Step,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
) -> None:
    """Run a program to its end, its last line as progress; raise `StackError` with the end of its output."""
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as output:
        process = subprocess.Popen(
            [str(part) for part in argv],
            stdout=output,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            cwd=cwd,
            env={**os.environ, **(env or {})},
        )
        try:
            _watch(process, step, log)
        except BaseException:
            process.kill()
            process.wait()
            raise
    if process.returncode != 0:
        raise StackError(
            f"{Path(argv[0]).name} ended with code {process.returncode}; the end of {log}:",
            tail(log, SHOWN_LINES),
        )


def _watch(process: subprocess.Popen[bytes], step: Step, log: Path) -> None:
    last_look = time.monotonic()
    while True:
        try:
            process.wait(timeout=0.2)
            return
        except subprocess.TimeoutExpired:
            if time.monotonic() - last_look > 1:
                step.note(last_line(log))
                last_look = time.monotonic()


def tail(log: Path, lines: int) -> str:
    """The last lines of a log file; empty if there is none."""
    if not log.exists():
        return ""
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - 20_000))
        text = file.read().decode(errors="replace")
    return "\n".join(text.splitlines()[-lines:])


def last_line(log: Path) -> str:
    """The last line of a log file that says something."""
    lines = [line.strip() for line in tail(log, 20).splitlines() if line.strip()]
    return lines[-1] if lines else ""
