"""The watch as a part: the program that restarts what hangs."""

import sys

from weir_embedded.parts.part import Part
from weir_embedded.settings import Stack


def part(stack: Stack) -> Part:
    """The watch as a supervised program; that it runs is all its health."""
    return Part(
        name="watch",
        title="Health watch",
        argv=(sys.executable, "-m", "weir_embedded.watch"),
        check=lambda: None,
        version=lambda: "",
        wave=3,
    )
