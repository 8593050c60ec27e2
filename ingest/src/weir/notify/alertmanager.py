"""Posts what is wrong to a Prometheus Alertmanager (API v2), which groups and sends it instead of Weir.

Every trouble of a subject is one alert, posted again each minute. One that is posted no more ends by itself.
So nothing is lost by a restart of Weir, or while the Alertmanager is away.
"""

import json
import ssl
import urllib.error
import urllib.request
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from weir.errors import UserError
from weir.notify.operators import PIPELINE, Subject, micros

EVERY = timedelta(minutes=1)
LASTS = 4 * EVERY
"""From a post to the end of its alerts, as Prometheus does it: they outlast posts that are lost."""
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
        request = urllib.request.Request(  # noqa: S310 - from the settings
            self._url,
            json.dumps(alerts(subjects, now)).encode(),
            {"Content-Type": "application/json"},
        )
        try:
            if self._authorization_file:
                request.add_header("Authorization", self._authorization_file.read_text().strip())
            with urllib.request.urlopen(request, timeout=SECONDS, context=self._tls):  # noqa: S310
                pass
        except urllib.error.HTTPError as error:
            answer = error.read().decode(errors="replace")[:_LONGEST_ANSWER].strip()
            raise UserError(f"Alertmanager at {self._url} answers {error.code}: {answer}") from None
        except OSError as error:
            raise UserError(f"Alertmanager at {self._url}: {error}. It is tried again each minute.") from None


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
        "severity": "critical" if event.kind in CRITICAL else "warning",
    }
    numbers = ", ".join(f"{name} {number:.6g}" for name, number in event.numbers.items())
    annotations = {
        "summary": f"{event.subject_kind} {event.subject}: {event.kind.replace('_', ' ')}",
        "description": event.cause or numbers,
        "server": event.server,
    }
    return {
        "labels": {name: value for name, value in labels.items() if value},
        "annotations": {name: value for name, value in annotations.items() if value},
        "startsAt": event.since.isoformat(),
        "endsAt": max(ends, event.since).isoformat(),
    }
