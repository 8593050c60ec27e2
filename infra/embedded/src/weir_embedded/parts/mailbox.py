"""A local mail server that delivers nothing: it keeps every mail and shows it on a page (maildump)."""

import sys
from importlib.metadata import version
from pathlib import Path

from weir_embedded.parts.part import Part, get
from weir_embedded.settings import LOOPBACK, Stack


def part(stack: Stack) -> Part:
    """The server and its page; mails survive a restart."""
    return Part(
        name="mailbox",
        title="Mailbox",
        argv=(
            str(Path(sys.executable).with_name("maildump")),
            *("--smtp-ip", LOOPBACK, "--smtp-port", str(stack.ports["smtp"])),
            *("--http-ip", LOOPBACK, "--http-port", str(stack.ports["mailbox"])),
            *("--db", str(stack.data / "mails.sqlite")),
            *("--foreground", "--no-quit"),
        ),
        check=lambda: _check(stack),
        version=lambda: version("maildump"),
        wave=2,
    )


def _check(stack: Stack) -> None:
    get(f"{stack.mailbox_url}/messages/")
