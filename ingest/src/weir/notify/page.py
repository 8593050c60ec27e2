"""The page behind the links of mails: without an account a user mutes a case or says that a finding is wrong.

GET changes nothing, since mail programs and scanners follow links by themselves.
"""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from urllib.parse import parse_qs

import structlog
import uvicorn
from confluent_kafka import KafkaException
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from weir.errors import UserError
from weir.notify import control, links
from weir.notify.config import NotifyConfig
from weir.notify.links import MUTE, WRONG, Wish

_MOST_BYTES = 16_384
_MOST_SECONDS = 10
_LONGEST_TOKEN = 2_000
_LONGEST_TEXT = 4_000
_MOST_AT_ONCE = 50
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
}
_SPANS = {"week": timedelta(days=7), "month": timedelta(days=30), "ever": None, "unmute": timedelta(0)}
_ONE_CLICK = {"List-Unsubscribe": ["One-Click"]}

Say = Callable[[dict[str, Any]], None]
"""Publishes a record of `Control`; KafkaException if it could not."""


class _Problem(Exception):
    """What goes wrong with a request, in words for its sender."""

    def __init__(self, status: int, text: str):
        super().__init__(text)
        self.status, self.text = status, text


_BAD_LINK = (
    "This link is not known here, or it is older than 60 days. Nothing was changed. Use the link of a newer "
    "message, or reply to one."
)


def app(
    secret: str,
    say: Say,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Starlette:
    """Build the application."""
    templates = _templates()

    def shown(name: str, status: int = 200, **values: Any) -> HTMLResponse:
        return HTMLResponse(templates.get_template(name).render(values), status, _HEADERS)

    def wish(request: Request, kind: str) -> Wish:
        token = request.path_params["token"]
        found = links.read(secret, kind, token) if len(token) <= _LONGEST_TOKEN else None
        if found is None:
            raise _Problem(404, _BAD_LINK)
        return found

    async def mute(request: Request) -> Response:
        of = wish(request, MUTE)
        if request.method != "POST":
            return shown("mute.html.j2", wish=of)
        form = await _form(request)
        span = "ever" if form == _ONE_CLICK else _one(form, "for")
        if span not in _SPANS:
            raise _Problem(400, "Nothing was changed: choose for how long.")
        now, length = clock(), _SPANS[span]
        until = now + length if length is not None else None
        await run_in_threadpool(say, control.mute(of.cluster, of.user, of.subject, until, "link", now))
        return shown("done.html.j2", what="unmuted" if span == "unmute" else "muted", wish=of, until=until)

    async def wrong(request: Request) -> Response:
        of = wish(request, WRONG)
        if request.method != "POST":
            return shown("wrong.html.j2", wish=of, longest=_LONGEST_TEXT)
        text = _one(await _form(request), "text")[:_LONGEST_TEXT]
        await run_in_threadpool(say, control.wrong(of.cluster, of.user, of.subject, text, "link", clock()))
        return shown("done.html.j2", what="wrong", wish=of, until=None)

    async def problem(_request: Request, error: Exception) -> Response:
        assert isinstance(error, _Problem)
        return shown("problem.html.j2", error.status, text=error.text)

    async def away(_request: Request, error: Exception) -> Response:
        structlog.get_logger().error("an answer could not be kept", reason=str(error))
        return shown("problem.html.j2", 503, text="Nothing was changed: try again in some minutes.")

    async def unknown(_request: Request, _error: Exception) -> Response:
        return shown("problem.html.j2", 404, text=_BAD_LINK)

    async def not_so(_request: Request, _error: Exception) -> Response:
        return shown(
            "problem.html.j2", 405, text="Nothing was changed: only GET, HEAD and POST are known here."
        )

    application = Starlette(
        routes=[
            Route(f"/{MUTE}/{{token}}", mute, methods=["GET", "POST"]),
            Route(f"/{WRONG}/{{token}}", wrong, methods=["GET", "POST"]),
        ],
        exception_handlers={
            _Problem: problem,
            KafkaException: away,
            404: unknown,
            405: not_so,
        },
    )
    application.router.redirect_slashes = False  # it would lead to whatever host a request names
    return application


async def _form(request: Request) -> dict[str, list[str]]:
    """The fields of a form that is small and comes at once."""
    body = b""
    try:
        async with asyncio.timeout(_MOST_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > _MOST_BYTES:
                    raise _Problem(413, "Nothing was changed: that is too long.")
    except (TimeoutError, ClientDisconnect):
        raise _Problem(408, "Nothing was changed: that took too long.") from None
    if request.headers.get("content-type", "").startswith("multipart/") and _is_one_click(body):
        return _ONE_CLICK
    try:
        return parse_qs(body.decode(), keep_blank_values=True, max_num_fields=10, strict_parsing=bool(body))
    except ValueError:
        raise _Problem(400, "Nothing was changed: that is no form of this page.") from None


def _is_one_click(body: bytes) -> bool:
    """Whether a mail program unsubscribes (RFC 8058), in the one form that is not a query string."""
    return b'name="List-Unsubscribe"' in body and b"One-Click" in body


def _one(form: dict[str, list[str]], field: str) -> str:
    values = form.get(field, [""])
    return values[0] if len(values) == 1 else ""


def _templates() -> Environment:
    return Environment(
        loader=PackageLoader("weir.notify", "templates/page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@contextmanager
def serving(config: NotifyConfig) -> Iterator[None]:
    """Serves the page beside what the caller does, if the site has one; UserError if its port is taken."""
    if config.page is None:
        yield
        return
    server = uvicorn.Server(
        uvicorn.Config(
            app(config.signing_secret, partial(control.publish, config.kafka)),
            host=config.page.host,
            port=config.page.port,
            log_config=None,
            access_log=False,
            server_header=False,
            limit_concurrency=_MOST_AT_ONCE,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=5,
        )
    )
    try:
        socket = server.config.bind_socket()
    except SystemExit:  # uvicorn's way to say that it cannot
        raise UserError(
            f"page.port {config.page.port} on {config.page.host} cannot be used. Choose another."
        ) from None
    thread = threading.Thread(target=server.run, args=([socket],), name="page", daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join(10)
        socket.close()
