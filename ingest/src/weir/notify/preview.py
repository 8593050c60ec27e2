"""Shows which messages users would have got of past results, by a policy that may not be in use yet.

The decisions are those of the Flink job: the same code makes them (Java), of the results as Kafka keeps them.
"""

import base64
import json
import struct
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from heapq import merge
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, KafkaException, TopicPartition
from rich.console import Console
from rich.table import Table

from weir import wire
from weir.analyze import jvm
from weir.errors import complain
from weir.kafka import READ_TO_END, Options
from weir.notify import facts
from weir.notify.config import NotifyConfig
from weir.notify.links import Links
from weir.notify.render import Renderer
from weir.notify.sending import Away, Rendered
from weir.notify.service import recipients
from weir.report.view import shown

KINDS = ("finding", "reminder", "fixed", "digest")
_RESULTS, _WISHES = "weir.job.result", "weir.control"
_WAIT_SECONDS = 30


@dataclass
class Preview:
    """What would have been sent: records of Alert in the order of their decision, and what was held back."""

    alerts: list[dict[str, Any]] = field(default_factory=list)
    held: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often messages were held back, by user and reason."""

    def of(self, user: str) -> "Preview":
        """What concerns one user."""
        held = {each: times for each, times in self.held.items() if each[0] == user}
        return Preview([alert for alert in self.alerts if alert["recipient"] == user], Counter(held))

    def by_reason(self) -> Counter[str]:
        """How often messages were held back."""
        found = Counter[str]()
        for (_, reason), times in self.held.items():
            found[reason] += times
        return found

    def by_day(self, zone: ZoneInfo) -> dict[date, Counter[str]]:
        """Messages by kind, by the day of the site."""
        days: dict[date, Counter[str]] = {}
        for alert in self.alerts:
            day = alert["decided_at"].astimezone(zone).date()
            days.setdefault(day, Counter())[alert["kind"]] += 1
        return days

    def by_user(self) -> list[tuple[str, int, float]]:
        """User, messages and the node-hours that these are about, most messages first."""
        messages, lost = Counter[str](), Counter[str]()
        for alert in self.alerts:
            messages[alert["recipient"]] += 1
            lost[alert["recipient"]] += alert["node_hours_lost"]
        return [(user, number, lost[user]) for user, number in messages.most_common()]


def preview(kafka: Options, site: Mapping[str, Any], since: datetime, until: datetime) -> Preview:
    """Decide again over the results that Kafka keeps of a time; KafkaException where it does not answer."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "site.json"
        file.write_text(json.dumps(site))
        _, output = jvm.run(["preview-alerts", "--site", str(file)], _frames(kafka, since, until))
    found = Preview()
    for line in output.splitlines():
        decided = json.loads(line)
        if "refused" in decided:
            complain(f"{_RESULTS}: a message is passed over: {decided['refused']}")
        elif decided["cluster"] != site["cluster"]:
            continue
        elif "held" in decided:
            found.held[decided["user"], decided["held"]] += 1
        else:
            found.alerts.append(wire.decode(base64.b64decode(decided["alert"]))[1])
    return found


class Post:
    """How the notifier would write and address messages; without its configuration, as far as that is known.

    Its links lead to jobs, and act for nobody.
    """

    def __init__(self, config: NotifyConfig | None, site: Mapping[str, Any]):
        """UserError for a template or a map that cannot be used."""
        self._site = site
        self._renderer = Renderer(config.templates if config else None)
        # of the page none: its secret is for the notifier alone
        self._links = Links(config.superset_url) if config else Links()
        self._people = recipients(config) if config else None

    def rendered(self, alert: Mapping[str, Any]) -> Rendered:
        """In words, for the user."""
        return self._renderer.rendered(facts.message(alert, self._site, self._links, facts.Reader()))

    def addresses(self, alert: Mapping[str, Any]) -> str:
        """Returns where it would go if mode were live, copies included; empty without a configuration."""
        if self._people is None:
            return ""
        try:
            channels = self._people.of({**alert, "mode": "live"}, self._site)
        except Away as away:
            return str(away)
        return ", ".join(shown(each.address or each.reason or each.channel) for each in channels)


def show(found: Preview, site: Mapping[str, Any], full: bool, config: NotifyConfig | None) -> None:
    """Print it: messages by day and by user, what was held back, and, in full, each message as text."""
    zone = ZoneInfo(site.get("time_zone", "UTC"))
    out = Console(markup=False, highlight=False)
    post = Post(config, site)
    for alert in found.alerts if full else ():
        mail = post.rendered(alert)
        whom = f"to {shown(alert['recipient'])} {post.addresses(alert)}".rstrip()
        out.rule(f"{whom}, {alert['decided_at'].astimezone(zone):%Y-%m-%d %H:%M}")
        out.print(f"Subject: {mail.subject}\n\n{mail.text}", soft_wrap=True)
    days = Table("day", *KINDS, "in all", title="Messages")
    for day, kinds in sorted(found.by_day(zone).items()):
        numbers = [kinds[kind] for kind in KINDS]
        days.add_row(str(day), *map(str, numbers), str(sum(numbers)))
    users = Table("user", "address", "messages", "node-hours", title="To whom")
    last = {alert["recipient"]: alert for alert in found.alerts}
    for user, messages, lost in found.by_user():
        users.add_row(shown(user), post.addresses(last[user]), f"{messages:,}", f"{lost:,.1f}")
    held = Table("reason", "times", title="Held back")
    for reason, times in found.by_reason().most_common():
        held.add_row(reason, f"{times:,}")
    for table in (days, users, held):
        out.print(table if table.row_count else f"{table.title}: none")


def _frames(kafka: Options, since: datetime, until: datetime) -> Iterator[bytes]:
    """What the program reads: each message with its time and length, in the order of time."""
    wishes = _streams(kafka, _WISHES, None)
    results = _streams(kafka, _RESULTS, _milliseconds(since))
    for time, message in merge(*wishes, *results, key=lambda each: each[0]):
        if time <= _milliseconds(until):
            yield _frame(time, message)
    yield _frame(_milliseconds(until), b"")


def _frame(time: int, message: bytes) -> bytes:
    return jvm.framed(struct.pack(">q", time) + message)


def _milliseconds(time: datetime) -> int:
    return int(time.astimezone(UTC).timestamp() * 1000)


def _streams(kafka: Options, topic: str, since: int | None) -> list[Iterator[tuple[int, bytes]]]:
    """Times and messages of each partition, from a time on (milliseconds) or all, up to its end."""
    consumer = _consumer(kafka)
    try:
        listed = consumer.list_topics(topic, _WAIT_SECONDS).topics[topic]
        if listed.error:
            raise KafkaException(listed.error)
        places = [TopicPartition(topic, each, OFFSET_BEGINNING) for each in listed.partitions]
        if since is not None:
            asked = [TopicPartition(topic, each.partition, since) for each in places]
            places = consumer.offsets_for_times(asked, _WAIT_SECONDS)
    finally:
        consumer.close()
    return [_stream(kafka, place) for place in places]


def _stream(kafka: Options, place: TopicPartition) -> Iterator[tuple[int, bytes]]:
    consumer = _consumer(kafka)
    try:
        consumer.assign([place])
        while True:
            message = consumer.poll(_WAIT_SECONDS)  # consume() would wait for many, or for its whole time
            if message is None:
                continue
            error, value = message.error(), message.value()
            if error and error.code() == KafkaError._PARTITION_EOF:
                return
            if error:
                raise KafkaException(error)
            if value is not None:
                yield message.timestamp()[1], value
    finally:
        consumer.close()


def _consumer(kafka: Options) -> Consumer:
    return Consumer(
        {**kafka, "group.id": READ_TO_END, "enable.auto.commit": False, "enable.partition.eof": True}
    )
