"""Makes and reads the links in messages: to a job's dashboard, and signed ones that act for a user."""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple
from urllib.parse import quote

from itsdangerous import BadData, URLSafeTimedSerializer

from weir.notify.config import NotifyConfig

MUTE, WRONG, JOB = "m", "w", "j"
VALID = timedelta(days=60)


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

    def job(self, job_id: str, start: datetime | None) -> str | None:
        """To the dashboard of a job, by way of the page if there is one: its link is short enough to read."""
        if not self.superset_url or start is None or not is_job_id(job_id):
            return None
        day = start.astimezone(UTC).date()
        if self.page_url:
            return f"{self.page_url.rstrip('/')}/{JOB}/{job_id}/{day}"
        return dashboard(self.superset_url, job_id, day)

    def alerts(self) -> str | None:
        """To the dashboard *Weir Alerts*, where users see what concerns them."""
        return f"{self.superset_url.rstrip('/')}/superset/dashboard/alerts/" if self.superset_url else None

    def _signed(self, kind: str, wish: Wish) -> str | None:
        if not self.page_url or not self.secret:
            return None
        return f"{self.page_url.rstrip('/')}/{kind}/{_signer(self.secret, kind).dumps(list(wish))}"


def is_job_id(text: str) -> bool:
    """Whether it is the number of a job, as the scheduler counts them."""
    return text.isascii() and text.isdecimal() and len(text) <= 20


def dashboard(superset_url: str, job_id: str, start: date) -> str:
    """The dashboard *Weir Jobs*, filtered to a job that started on a day (UTC) and ran for up to a month."""
    span = f"{start - timedelta(days=1)}T00:00:00 : {start + timedelta(days=32)}T00:00:00"
    masks = (
        f"(NATIVE_FILTER-job:(id:NATIVE_FILTER-job,extraFormData:(filters:!((col:job,op:IN,val:!('{job_id}')))),"
        f"filterState:(label:'{job_id}',value:!('{job_id}')),ownState:()),"
        f"NATIVE_FILTER-time-range:(id:NATIVE_FILTER-time-range,extraFormData:(time_range:'{span}'),"
        f"filterState:(value:'{span}'),ownState:()))"
    )
    return f"{superset_url.rstrip('/')}/superset/dashboard/jobs/?native_filters={quote(masks, safe='')}"


def read(secret: str, kind: str, token: str) -> Wish | None:
    """What a link stands for; None if it is not ours or too old."""
    try:
        return Wish(*_signer(secret, kind).loads(token, max_age=int(VALID.total_seconds())))
    except (BadData, TypeError):
        return None


def _signer(secret: str, kind: str) -> URLSafeTimedSerializer:
    """Makes a signer for each kind of link, so that no link can be used as one of the other."""
    return URLSafeTimedSerializer(secret, salt=f"weir-notify-{kind}")
