"""The one error that is shown to the user as a message and not as a traceback."""


class StackError(Exception):
    """Something the user can act on: one clear line, and below it what was seen, if there is more."""

    def __init__(self, message: str, detail: str = "") -> None:
        super().__init__(message)
        self.detail = detail
