"""Darshan logs as messages. The reading is done in a child process, so that no log can stop the reader."""

import errno
import multiprocessing
import os
import signal
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weir import darshan_child, identity, wire
from weir.errors import Refused
from weir.text import escape

MAX_FILE_BYTES = 1 << 30
TIMEOUT_SECONDS = 60

# the children are forked from a server that has the library loaded and has seen no log
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["weir.darshan_child"])


@dataclass(frozen=True)
class DarshanLog:
    """One decoded log: its parts are DarshanLogMessage bodies, `batches` in order."""

    log_id: str
    header: dict[str, Any]
    batches: list[dict[str, Any]]
    end: dict[str, Any]


def decode(path: Path, cluster: str, owner_check: str) -> DarshanLog:
    """The log at `path`; Refused with the reason where it can't be read at all.

    A damaged module is no error: the end part says for each module how far it could be read.
    """
    content = _content(path)
    head: dict[str, Any] = {
        "log_id": identity.log_id(content),
        "origin": "live",
        "cluster": cluster,
        "owner_check": owner_check,
        "owner_uid": path.stat().st_uid,
        "file_name": escape(os.fsencode(path.name)),
    }
    parts = [wire.decode(message)[1]["body"] for message in _read_in_child(path, head, content)]
    return DarshanLog(head["log_id"], parts[0], parts[1:-1], parts[-1])


def _content(path: Path) -> bytes:
    """The file's bytes; Refused if it is no plain file, too large, or still being written."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError as error:
        link = error.errno == errno.ELOOP
        raise Refused("a symbolic link is not followed" if link else str(error.strerror)) from None
    with os.fdopen(descriptor, "rb") as file:
        before = os.fstat(descriptor)
        if not stat.S_ISREG(before.st_mode):
            raise Refused("not a regular file")
        if before.st_size > MAX_FILE_BYTES:
            raise Refused(f"{before.st_size} bytes; the limit is {MAX_FILE_BYTES}")
        content = file.read()
        after = os.fstat(descriptor)
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns) or not content:
        raise Refused("empty file" if not content else "changed while it was read; it is still being written")
    return content


def _read_in_child(path: Path, head: dict[str, Any], content: bytes) -> list[bytes]:
    receiver, sender = _CONTEXT.Pipe(duplex=False)
    child = _CONTEXT.Process(target=darshan_child.run, args=(str(path), head, sender), daemon=True)
    child.start()
    sender.close()
    messages = []
    try:
        while receiver.poll(TIMEOUT_SECONDS):
            message = receiver.recv_bytes()
            if message.startswith(b"!"):
                raise Refused(message[1:].decode(errors="replace"), "byte 0", content)
            messages.append(message)
        raise Refused(f"decoding took more than {TIMEOUT_SECONDS} s", "byte 0", content)
    except EOFError:
        # the end part is the proof of success: the fork server loses an exit code now and then
        if messages and "batches" in wire.decode(messages[-1])[1]["body"]:
            return messages
        child.join()
        raise Refused(f"the decoder died of {_cause(child.exitcode)}", "byte 0", content) from None
    finally:
        child.kill()
        child.join()
        receiver.close()


def _cause(exit_code: int | None) -> str:
    if exit_code is not None and exit_code < 0:
        return signal.Signals(-exit_code).name
    return f"exit code {exit_code}"
