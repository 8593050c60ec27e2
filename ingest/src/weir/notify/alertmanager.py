"""Posts what is wrong to a Prometheus Alertmanager (API v2), which groups and sends it instead of Weir.

Every trouble of a subject is one alert, posted again each minute. One that is posted no more ends by itself.
So nothing is lost by a restart of Weir, or while the Alertmanager is away.
"""

import http.client
import json
import ssl
import urllib.error
import urllib.request
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from weir.errors import UserError
from weir.notify.delivery import State
from weir.notify.operators import PIPELINE, Subject, micros
from weir.notify.sending import SENT, Outcome

EVERY = timedelta(minutes=1)
LASTS = 4 * EVERY
"""The time from a post to the end of its alerts, as Prometheus does it: they outlast posts that are lost."""
TOLD_ONCE = timedelta(days=1)
"""So long lasts what is posted once."""
SECONDS = 10
_LONGEST_ANSWER = 300
CRITICAL = frozenset(("silent", "no_answer", "loop", "paused"))
"""Kinds of trouble in which something is not served or not known; of all others the severity is `warning`."""


class Alertmanager:
    """One Alertmanager. Of several that form a cluster each is given everything, as Prometheus does it.

    The standard library's client is enough for one request a minute that nobody has to repeat.
    """

    def __init__(self, url: str, authorization_file: Path | None = None, ca_file: Path | None = None):
        """The file holds the Authorization header, such as `Bearer ...`; it is read again for each post."""
        self._url = url.rstrip("/") + "/api/v2/alerts"
        self._authorization_file = authorization_file
        self._tls = ssl.create_default_context(cafile=ca_file) if url.startswith("https:") else None

    def post(self, subjects: Iterable[Subject], now: datetime) -> None:
        """Post what is wrong and what has just ended; UserError where it is not taken."""
        self.post_body(body(alerts(subjects, now)))

    def post_body(self, content: bytes) -> None:
        """Post alerts; UserError where they are not taken."""
        request = urllib.request.Request(  # noqa: S310 - from the settings
            self._url, content, {"Content-Type": "application/json"}
        )
        try:
            if self._authorization_file:
                request.add_header("Authorization", self._authorization_file.read_text().strip())
            try:
                with urllib.request.urlopen(request, timeout=SECONDS, context=self._tls):  # noqa: S310
                    pass
            except urllib.error.HTTPError as error:
                # within the outer try, since this may fail as the post may
                answer = error.read(_LONGEST_ANSWER).decode(errors="replace").strip()
                raise UserError(f"Alertmanager at {self._url} answers {error.code}: {answer}") from None
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise UserError(f"Alertmanager at {self._url}: {error}. It is tried again each minute.") from None


class AlertmanagerSender:
    """The channel of what the notifier itself reports to operators: posted once, as no end of it is seen."""

    def __init__(self, manager: Alertmanager):
        self._manager = manager

    def ready(self) -> None:
        """Whether it answers is seen when it is sent to."""

    def send(self, address: str, message: bytes) -> Outcome:
        """A post that was taken without an answer does no harm when it is repeated."""
        try:
            self._manager.post_body(message)
        except UserError as error:
            return Outcome(State.waiting, str(error))
        return SENT


def body(found: Sequence[Mapping[str, Any]]) -> bytes:
    """Returns the body of a post."""
    return json.dumps(found).encode()


def of_trouble(alert: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What is posted of an alert about deliveries; it resolves itself after a day."""
    trouble = alert["trouble"]
    return [
        _written(
            {
                "alertname": f"weir_{trouble['kind']}",
                "cluster": alert["cluster"],
                "kind": trouble["kind"],
                "subject_kind": each["subject_kind"],
                "subject": each["subject"],
            },
            {"description": each["cause"]},
            each["since"],
            each["since"] + TOLD_ONCE,
        )
        for each in trouble["subjects"]
    ]


def alerts(subjects: Iterable[Subject], now: datetime) -> list[dict[str, Any]]:
    """The body of a post: what is open outside maintenance, and what was until a moment ago, with its end."""
    found = []
    for subject in subjects:
        if subject.event.is_open and not subject.is_silenced:
            found.append(_alert(subject, now + LASTS))
        elif subject.event.ended and subject.known >= micros(now - LASTS):
            found.append(_alert(subject, subject.event.ended))
    return found


def _alert(subject: Subject, ends: datetime) -> dict[str, Any]:
    """Labels are what an alert is known by, so they hold nothing that changes while it lasts."""
    event = subject.event
    labels = {
        "alertname": f"weir_{event.kind}",
        "cluster": event.cluster,
        "filesystem": "" if subject.group == PIPELINE else subject.group,
        "kind": event.kind,
        "subject_kind": event.subject_kind,
        "subject": event.subject,
    }
    numbers = ", ".join(f"{name} {number:.6g}" for name, number in event.numbers.items())
    annotations = {"description": event.cause or numbers, "server": event.server}
    return _written(labels, annotations, event.since, ends)


def _written(
    labels: Mapping[str, str], annotations: Mapping[str, str], since: datetime, ends: datetime
) -> dict[str, Any]:
    kind = labels["kind"]
    severity = {"severity": "critical" if kind in CRITICAL else "warning"}
    summary = {"summary": f"{labels['subject_kind']} {labels['subject']}: {kind.replace('_', ' ')}"}
    return {
        "labels": {name: value for name, value in {**labels, **severity}.items() if value},
        "annotations": {name: value for name, value in {**summary, **annotations}.items() if value},
        "startsAt": since.isoformat(),
        "endsAt": max(ends, since).isoformat(),
    }
