"""The errors that the command line shows without a traceback, and how it shows them."""

import sys

from weir.text import printable


class UserError(Exception):
    """Something the user can mend: the text names the thing, the place and the way out."""


class Refused(Exception):
    """One piece of input that can't be read: becomes a dead letter, its neighbors go on.

    `position` is words such as "line 7" or "byte 4096"; `data` are the bytes in question; `field` is the one
    that is wrong, where it is one.
    """

    def __init__(self, reason: str, position: str | None = None, data: bytes = b"", field: str | None = None):
        super().__init__(reason)
        self.reason, self.position, self.data, self.field = reason, position, data, field


def complain(text: str) -> None:
    """Prints the text to stderr, without what a terminal would obey: a log's bytes may be in it."""
    print("weir: " + "\n".join(printable(line) for line in text.split("\n")), file=sys.stderr)
