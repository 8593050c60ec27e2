"""The one error that the command line shows without a traceback."""


class UserError(Exception):
    """Something the user can mend: the text names the thing, the place and the way out."""


class Refused(Exception):
    """One piece of input that can't be read: becomes a dead letter, its neighbours go on.

    `position` is words such as "line 7" or "byte 4096"; `data` are the bytes in question; `field` is the one
    that is wrong, where it is one.
    """

    def __init__(self, reason: str, position: str | None = None, data: bytes = b"", field: str | None = None):
        super().__init__(reason)
        self.reason, self.position, self.data, self.field = reason, position, data, field
