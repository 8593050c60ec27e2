"""Sessions: what SET and USE leave behind between the requests of one session_id."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock

from weir_embedded.front.errors import FrontError
from weir_embedded.front.request import Request

MAX_SESSIONS = 10_000


@dataclass
class Session:
    """The state of one session; only the request that holds it touches it."""

    settings: dict[str, str] = field(default_factory=dict)
    database: str | None = None
    busy: bool = False
    expires_at: float = 0.0


class Sessions:
    """All sessions, by login and id. A request without session_id gets one that is forgotten at once."""

    def __init__(self) -> None:
        self._sessions: dict[tuple[str, str], Session] = {}
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
            self._forget_expired()
            session = self._sessions.get((login, session_id))
            if session is None:
                if must_exist:
                    raise FrontError(372, "SESSION_NOT_FOUND", f"Session {session_id} not found")
                if len(self._sessions) >= MAX_SESSIONS:
                    raise FrontError(
                        202, "TOO_MANY_SIMULTANEOUS_QUERIES", f"More than {MAX_SESSIONS} sessions"
                    )
                session = self._sessions[login, session_id] = Session()
            if session.busy:
                raise FrontError(
                    373, "SESSION_IS_LOCKED", f"Session {session_id} is locked by a concurrent client"
                )
            session.busy = True
            return session

    def _forget_expired(self) -> None:
        now = time.monotonic()
        for key in [k for k, s in self._sessions.items() if not s.busy and s.expires_at < now]:
            del self._sessions[key]
