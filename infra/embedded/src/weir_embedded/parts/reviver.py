"""The reviver as a part: it outlives the supervisor and starts it again."""

import sys

from weir_embedded.parts.part import Part
from weir_embedded.settings import Stack

# supervisord holds the other end of the standard input: its end means that supervisord is gone, and that
# nobody reads the standard output any more.
WAIT = 'read -r _; exec "$0" -m weir_embedded.reviver >>"$1" 2>&1'


def part(stack: Stack) -> Part:
    """The reviver as a supervised program; that it runs is all its health."""
    return Part(
        name="reviver",
        title="Supervisor's reviver",
        argv=("/bin/sh", "-c", WAIT, sys.executable, str(stack.logs / "reviver.log")),
        check=lambda: None,
        version=lambda: "",
        wave=3,
        outlives_supervisor=True,
    )
