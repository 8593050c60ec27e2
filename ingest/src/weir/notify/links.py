"""Makes and reads the links in messages: to pages of Superset, and signed ones that act for a user."""

import re
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import NamedTuple

from itsdangerous import BadData, URLSafeTimedSerializer

from weir.notify.config import NotifyConfig

MUTE, WRONG = "m", "w"
VALID = timedelta(days=60)
_LOG_ID = re.compile(r"[0-9a-f]{32}")


class Wish(NamedTuple):
    """What a link stands for: a user, and what it is about (`subject` of Control)."""

    cluster: str
    user: str
    subject: str


@dataclass(frozen=True)
class Links:
    """Makes links; those that the site has no address for are None."""

    superset_url: str | None = None
    page_url: str | None = None
    secret: str | None = None

    @classmethod
    def of_config(cls, config: NotifyConfig) -> "Links":
        """UserError if the secret cannot be read."""
        page = config.page
        return cls(config.superset_url, page.url if page else None, config.signing_secret if page else None)

    def unsigned(self) -> "Links":
        """Returns the links without those that act in a user's name."""
        return replace(self, page_url=None, secret=None)

    def mute(self, cluster: str, user: str, subject: str) -> str | None:
        """To the form that mutes a case, or all."""
        return self._signed(MUTE, Wish(cluster, user, subject))

    def wrong(self, cluster: str, user: str, subject: str) -> str | None:
        """To the form that calls a finding wrong."""
        return self._signed(WRONG, Wish(cluster, user, subject))

    def run(self, log_id: str) -> str | None:
        """To the page of a run; None for what is no id of a log."""
        if not self.superset_url or not _LOG_ID.fullmatch(log_id):
            return None
        return f"{self.superset_url.rstrip('/')}/superset/dashboard/run/?run={log_id}"

    def alerts(self) -> str | None:
        """To the dashboard *Weir Alerts*, where users see what concerns them."""
        return f"{self.superset_url.rstrip('/')}/superset/dashboard/alerts/" if self.superset_url else None

    def _signed(self, kind: str, wish: Wish) -> str | None:
        if not self.page_url or not self.secret:
            return None
        return f"{self.page_url.rstrip('/')}/{kind}/{_signer(self.secret, kind).dumps(list(wish))}"


def read(secret: str, kind: str, token: str) -> Wish | None:
    """What a link stands for; None if it is not ours or too old."""
    try:
        return Wish(*_signer(secret, kind).loads(token, max_age=int(VALID.total_seconds())))
    except (BadData, TypeError):
        return None


def _signer(secret: str, kind: str) -> URLSafeTimedSerializer:
    """Makes a signer for each kind of link, so that no link can be used as one of the other."""
    return URLSafeTimedSerializer(secret, salt=f"weir-notify-{kind}")
