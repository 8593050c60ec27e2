"""Sessions: what SET and USE leave behind between the requests of one session_id."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock

from weir_clickhouse_front.errors import FrontError, bad_request
from weir_clickhouse_front.request import Request

MAX_SESSIONS_OF_A_LOGIN = 500
MAX_SESSION_CHARS = 16 << 10


@dataclass
class Session:
    """The state of one session; only the request that holds it touches it."""

    settings: dict[str, str] = field(default_factory=dict)
    database: str | None = None
    busy: bool = False
    expires_at: float = 0.0

    def keep(self, settings: dict[str, str], database: str | None) -> None:
        """Remembers the settings and the database; FrontError 36 if they are too long to be kept."""
        chars = sum(len(name) + len(value) for name, value in settings.items()) + len(database or "")
        if chars > MAX_SESSION_CHARS:
            raise bad_request(
                f"The settings of the session are {chars} characters, kept are up to {MAX_SESSION_CHARS}: "
                "send long ones with each request"
            )
        self.settings, self.database = settings, database


class Sessions:
    """All sessions, by login and id. A request without session_id gets one that is forgotten at once."""

    def __init__(self) -> None:
        self._logins: dict[str, dict[str, Session]] = {}
        self._lock = Lock()

    @contextmanager
    def hold(self, request: Request) -> Iterator[Session]:
        """The request's session, for it alone. FrontError 373 if another holds it, 372 if it must exist."""
        if request.session_id is None:
            yield Session()
            return
        session = self._take(request.login, request.session_id, request.session_check)
        try:
            yield session
        finally:
            with self._lock:
                session.busy = False
                session.expires_at = time.monotonic() + request.session_seconds

    def _take(self, login: str, session_id: str, must_exist: bool) -> Session:
        with self._lock:
            sessions = self._logins.setdefault(login, {})
            _forget_expired(sessions)
            session = sessions.get(session_id)
            if session is None:
                if must_exist:
                    raise FrontError(372, "SESSION_NOT_FOUND", f"Session {session_id} not found")
                if len(sessions) >= MAX_SESSIONS_OF_A_LOGIN:
                    _forget_one(sessions)
                session = sessions[session_id] = Session()
            if session.busy:
                raise FrontError(
                    373, "SESSION_IS_LOCKED", f"Session {session_id} is locked by a concurrent client"
                )
            session.busy = True
            return session


def _forget_expired(sessions: dict[str, Session]) -> None:
    now = time.monotonic()
    for key in [key for key, each in sessions.items() if not each.busy and each.expires_at < now]:
        del sessions[key]


def _forget_one(sessions: dict[str, Session]) -> None:
    """The idle one that would be forgotten next; no more are busy than the login has threads."""
    idle = (key for key, each in sessions.items() if not each.busy)
    del sessions[min(idle, key=lambda key: sessions[key].expires_at)]
