"""The one error that the command line shows without a traceback."""


class UserError(Exception):
    """Something the user can mend: the text names the thing, the place and the way out."""


class Refused(Exception):
    """One piece of input that can't be read: becomes a dead letter, its neighbours go on.

    `position` is words such as "line 7" or "byte 4096"; `data` are the bytes in question.
    """

    def __init__(self, reason: str, position: str | None = None, data: bytes = b""):
        super().__init__(reason)
        self.reason, self.position, self.data = reason, position, data
