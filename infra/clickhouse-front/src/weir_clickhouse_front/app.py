"""The ASGI application: routes, authentication, threads, errors, log lines."""

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from weir_clickhouse_front import telemetry
from weir_clickhouse_front.errors import ClientGone, FrontError
from weir_clickhouse_front.exchange import Exchange, head_message
from weir_clickhouse_front.health import Health
from weir_clickhouse_front.profiles import Profile, ProfileName
from weir_clickhouse_front.request import Request, read_request
from weir_clickhouse_front.serve import Answer, Server
from weir_clickhouse_front.slots import Slots
from weir_clickhouse_front.users import Users

TEXT = {"Content-Type": "text/plain; charset=UTF-8"}


@dataclass
class Outcome:
    """What the access log and the metrics say about one request."""

    login: str = ""
    profile: str = ""
    kind: str = ""
    query_id: str = ""
    user_agent: str = ""
    status: int = 0
    code: int = 0
    rows: int = 0
    error: str = ""


class Front:
    """The application. It owns nothing: engine, threads and logins are given."""

    def __init__(
        self,
        server: Server,
        users: Users,
        profiles: dict[ProfileName, Profile],
        slots: Slots,
        health: Health,
        patience_seconds: float,
    ):
        self._patience_seconds = patience_seconds
        self._server = server
        self._health = health
        self._users = users
        self._profiles = profiles
        self._slots = slots

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        exchange = Exchange(scope, receive, send, self._patience_seconds)
        with suppress(ClientGone):
            if (answer := await self._without_login(scope)) is not None:
                await _send_answer(exchange, answer)
            else:
                await self._answer(scope, exchange)

    async def _without_login(self, scope: Scope) -> Answer | None:
        """The answer that anybody gets; None for a query."""
        method, path = scope["method"], scope["path"]
        if path == "/ping" or (
            path == "/" and method in ("GET", "HEAD") and b"query=" not in scope["query_string"]
        ):
            return Answer(headers=TEXT, body=b"Ok.\n")
        if path == "/health":
            problem = await self._health.problem()
            return Answer(503 if problem else 200, TEXT, f"{problem or 'Ok.'}\n".encode())
        if path == "/metrics":
            with suppress(FrontError):
                telemetry.ENGINE_MEMORY.set(await self._health.memory_bytes())
            return Answer(headers={"Content-Type": CONTENT_TYPE_LATEST}, body=generate_latest())
        if path != "/":
            places = "/ for queries, /ping and /health to check, /metrics to watch"
            return Answer(404, TEXT, f"There is no handler {path}. Use {places}.\n".encode())
        return None

    async def _answer(self, scope: Scope, exchange: Exchange) -> None:
        """Every query ends here with one answer, one log line and one count, whatever happens."""
        outcome = Outcome()
        try:
            answer = await self._serve(scope, exchange, outcome)
        except ClientGone as error:
            outcome.status, outcome.error = 499, str(error) or "the client went away"
        except FrontError as error:
            answer = _error_answer(error, outcome)
        except Exception as error:
            telemetry.log.exception("front_failed", query_id=outcome.query_id)
            answer = _error_answer(
                FrontError(1001, "STD_EXCEPTION", f"{type(error).__name__} in the front"), outcome
            )
        else:
            outcome.status, outcome.kind, outcome.rows = answer.status, answer.kind, answer.rows
        exchange.stop_watching()
        try:
            if exchange.started:
                await exchange.close()
            elif outcome.status != 499:
                await _send_answer(exchange, answer)
        except ClientGone as error:
            outcome.status, outcome.error = 499, str(error)
        _record(outcome, time.monotonic() - exchange.opened_at)

    async def _serve(self, scope: Scope, exchange: Exchange, outcome: Outcome) -> Answer:
        request = self._read(scope, outcome)
        profile = self._profiles[self._users.authenticate(request.login, request.password)]
        outcome.login, outcome.profile = request.login, profile.name
        async with self._slots.take(request.login, profile) as pool:
            with telemetry.RUNNING.labels(profile.name).track_inprogress():
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(pool, self._server.serve, request, profile, exchange)

    @staticmethod
    def _read(scope: Scope, outcome: Outcome) -> Request:
        if scope["method"] not in ("GET", "POST"):
            raise FrontError(48, "NOT_IMPLEMENTED", f"Method {scope['method']}: use GET or POST")
        request = read_request(scope["method"], scope["query_string"], Headers(scope=scope))
        outcome.query_id, outcome.user_agent = request.query_id, request.user_agent
        return request


async def _send_answer(exchange: Exchange, answer: Answer) -> None:
    headers = answer.headers | {"Content-Length": str(len(answer.body))}
    await exchange.send(head_message(answer.status, headers))
    await exchange.send({"type": "http.response.body", "body": answer.body})


def _error_answer(error: FrontError, outcome: Outcome) -> Answer:
    outcome.status, outcome.code, outcome.error = error.status, error.code, str(error).split("\n", 1)[0][:500]
    headers = TEXT | {"X-ClickHouse-Exception-Code": str(error.code)}
    if outcome.query_id:
        headers["X-ClickHouse-Query-Id"] = outcome.query_id
    if error.code in (194, 516):
        headers["WWW-Authenticate"] = 'Basic realm="ClickHouse server HTTP API"'
    return Answer(error.status, headers, f"{error}\n".encode())


def _record(outcome: Outcome, seconds: float) -> None:
    """Neither passwords nor statements: those are in system.query_log, where log_comment is the query id."""
    profile = outcome.profile or "none"
    telemetry.REQUESTS.labels(profile, outcome.kind or "none", outcome.status).inc()
    telemetry.SECONDS.labels(profile).observe(seconds)
    if outcome.code:
        telemetry.ERRORS.labels(profile, outcome.code).inc()
    facts = {name: value for name, value in vars(outcome).items() if value}
    telemetry.log.info("request", seconds=round(seconds, 4), **facts)
