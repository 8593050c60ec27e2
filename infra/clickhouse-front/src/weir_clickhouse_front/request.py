"""One HTTP request of the ClickHouse interface as a typed object."""

import base64
import binascii
import re
import uuid
from dataclasses import dataclass
from urllib.parse import parse_qsl

from multipart import parse_options_header
from starlette.datastructures import Headers

from weir_clickhouse_front.allowed import words
from weir_clickhouse_front.codec import choose_encoding
from weir_clickhouse_front.errors import FrontError, bad_request

OWN_PARAMETERS = words(
    """
    query database default_format user password session_id session_timeout session_check query_id
    compress decompress role
    """
)
QUERY_ID = re.compile(r"[\w.:@/+=-]{1,128}", re.ASCII)
MAX_SESSION_ID_CHARS = 256
MAX_SESSION_SECONDS = 3600
DEFAULT_SESSION_SECONDS = 60
FULLY_MADE_FORMAT = "TabSeparated"


@dataclass(frozen=True)
class Request:
    """What the client asks; `settings` and `params` are as sent, not judged yet."""

    method: str
    login: str
    password: str
    query: str
    query_id: str
    database: str | None
    default_format: str
    settings: dict[str, str]
    params: dict[str, str]
    form_boundary: str
    session_id: str | None
    session_seconds: int
    session_check: bool
    content_encoding: str
    body_in_native_blocks: bool
    response_encoding: str | None
    user_agent: str

    @property
    def waits_for_the_end(self) -> bool:
        """Whether nothing may be sent before the query is over, so that its errors have their status."""
        return self.settings.get("wait_end_of_query") in ("1", "true")

    @property
    def wants_progress(self) -> bool:
        """Whether the answer's head is to carry X-ClickHouse-Progress."""
        return self.settings.get("send_progress_in_http_headers") in ("1", "true")

    @property
    def response_in_native_blocks(self) -> bool:
        return self.response_encoding == "native"


def read_request(method: str, query_string: bytes, headers: Headers) -> Request:
    """Reads URL and headers; FrontError if they make no request."""
    try:
        parameters = dict(parse_qsl(query_string.decode("ascii"), keep_blank_values=True, errors="strict"))
    except (UnicodeDecodeError, ValueError):
        raise bad_request("The URL's parameters are not percent-encoded UTF-8") from None
    if "role" in parameters:
        raise FrontError(48, "NOT_IMPLEMENTED", "There are no roles here: a login has a profile")
    login, password = _credentials(parameters, headers)
    return Request(
        method=method,
        login=login,
        password=password,
        query=parameters.get("query", ""),
        query_id=_query_id(parameters.get("query_id") or headers.get("x-clickhouse-query-id")),
        database=parameters.get("database") or headers.get("x-clickhouse-database"),
        default_format=parameters.get("default_format")
        or headers.get("x-clickhouse-format")
        or FULLY_MADE_FORMAT,
        settings=settings_of(parameters),
        params=parameters_of(parameters),
        form_boundary=_form_boundary(headers),
        session_id=_session_id(parameters.get("session_id")),
        session_seconds=_session_seconds(parameters),
        session_check=parameters.get("session_check") == "1",
        content_encoding=headers.get("content-encoding", "").lower(),
        body_in_native_blocks=parameters.get("decompress") in ("1", "true"),
        response_encoding=_response_encoding(parameters, headers),
        user_agent=headers.get("user-agent", ""),
    )


def settings_of(parameters: dict[str, str]) -> dict[str, str]:
    """All that have no meaning of their own."""
    return {n: v for n, v in parameters.items() if n not in OWN_PARAMETERS and not n.startswith("param_")}


def parameters_of(parameters: dict[str, str]) -> dict[str, str]:
    """Values of the query's parameters, by name."""
    return {n.removeprefix("param_"): v for n, v in parameters.items() if n.startswith("param_")}


def _form_boundary(headers: Headers) -> str:
    """What parts the fields of a form; empty where the body is none."""
    kind, options = parse_options_header(headers.get("content-type", ""))
    return options.get("boundary", "") if kind == "multipart/form-data" else ""


def _credentials(parameters: dict[str, str], headers: Headers) -> tuple[str, str]:
    """X-ClickHouse headers, then Basic auth, then URL parameters, as ClickHouse looks for them."""
    if "x-clickhouse-user" in headers or "x-clickhouse-key" in headers:
        return headers.get("x-clickhouse-user", "default"), headers.get("x-clickhouse-key", "")
    scheme, _, encoded = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "basic":
        try:
            login, _, password = base64.b64decode(encoded, validate=True).decode().partition(":")
        except (binascii.Error, UnicodeDecodeError):
            raise FrontError(
                516, "AUTHENTICATION_FAILED", "The Authorization header is not Basic auth"
            ) from None
        return login, password
    return parameters.get("user", "default"), parameters.get("password", "")


def _query_id(asked: str | None) -> str:
    if not asked:
        return str(uuid.uuid4())
    if not QUERY_ID.fullmatch(asked):
        raise bad_request("query_id must be 1 to 128 letters, digits or . _ : @ / + = -")
    return asked


def _session_id(asked: str | None) -> str | None:
    if asked is not None and len(asked) > MAX_SESSION_ID_CHARS:
        raise bad_request(f"session_id has {len(asked)} characters, at most {MAX_SESSION_ID_CHARS}")
    return asked


def _session_seconds(parameters: dict[str, str]) -> int:
    text = parameters.get("session_timeout", str(DEFAULT_SESSION_SECONDS))
    if not text.isdecimal() or int(text) > MAX_SESSION_SECONDS:
        raise FrontError(
            374,
            "INVALID_SESSION_TIMEOUT",
            f"session_timeout {text!r} is not between 0 and {MAX_SESSION_SECONDS} s",
        )
    return int(text)


def _response_encoding(parameters: dict[str, str], headers: Headers) -> str | None:
    """How to pack the answer: native blocks, a content encoding, or None for neither."""
    if parameters.get("compress") in ("1", "true"):
        return "native"
    if parameters.get("enable_http_compression") in ("1", "true"):
        return choose_encoding(headers.get("accept-encoding", ""))
    return None
