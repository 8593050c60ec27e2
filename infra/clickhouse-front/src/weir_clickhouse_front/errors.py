"""Errors as ClickHouse clients expect them: a number, a name, a text and an HTTP status."""

import re

ENGINE_ERROR = re.compile(r"Code: (\d+)\. ")
WRAPPED = re.compile(
    r"^(?:Failed to create connection|Streaming (?:query|insert (?:append|finish)) failed): "
)

# As ClickHouse's own HTTP handler maps them; 202 is 503 here because clients retry it.
STATUS_BY_CODE = {
    **dict.fromkeys((192, 193, 497, 516), 403),
    **dict.fromkeys((6, 26, 27, 36, 38, 41, 42, 43, 47, 53, 62, 69, 70, 72, 115, 130, 457), 400),
    **dict.fromkeys((46, 60, 73, 80, 81), 404),
    48: 501,
    194: 401,
    202: 503,
    209: 408,
    307: 413,
}


class StartError(Exception):
    """The front cannot start; the text says what, where and the way out, in one line."""


class ClientGone(Exception):
    """The client closed its connection before the exchange was over, or did not read."""


class FrontError(Exception):
    """An error that is reported to the client. `code` and `name` are ClickHouse's own (system.errors)."""

    def __init__(self, code: int, name: str, text: str):
        super().__init__(f"Code: {code}. DB::Exception: {text} ({name})")
        self.code = code

    @property
    def status(self) -> int:
        return STATUS_BY_CODE.get(self.code, 500)


class EngineError(FrontError):
    """An error the engine raised; its text already carries code and name."""

    def __init__(self, error: Exception):
        text = WRAPPED.sub("", str(error))
        found = ENGINE_ERROR.search(text)
        Exception.__init__(self, text if found else f"Code: 1002. DB::Exception: {text} (UNKNOWN_EXCEPTION)")
        self.code = int(found[1]) if found else 1002


def refused(text: str) -> FrontError:
    """What a login may not do (497, HTTP 403)."""
    return FrontError(497, "ACCESS_DENIED", text)


def bad_request(text: str) -> FrontError:
    return FrontError(36, "BAD_ARGUMENTS", text)
