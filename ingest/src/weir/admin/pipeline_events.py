"""Reports trouble of the pipeline itself on weir.pipeline.event: once when it begins, once when it is over.

Whoever reports it to people (alerts, a center's own tools) reads the topic: the newest message of a key is
the state of that trouble.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from confluent_kafka import KafkaException

from weir import wire
from weir.admin.pipeline import Reading, Restart
from weir.errors import complain
from weir.kafka import Options, Publisher, read_to_end

TOPIC = "weir.pipeline.event"
SCHEMA = "PipelineEvent"
DELIVERY_MS = "10000"

Place = tuple[str, str]
"""Kind and subject of a trouble: the key of its messages."""


@dataclass(frozen=True)
class Trouble:
    """What is wrong at a place, in words, and how many restarts, sources or partitions it is about."""

    cause: str
    count: int = 1


COUNTED = {
    "sources_in_quarantine": (
        "quarantine",
        "sources whose messages are refused, other sources go on: see dead_letters",
    ),
    "partitions_paused": (
        "paused",
        "partitions wait for a program that knows the schema of their next message: see dead_letters",
    ),
}
"""Metrics that should be 0 for each job, with the kind of trouble and what the number counts."""
KNOWN_KINDS = {"no_answer", "loop"}
"""What is known of them does not depend on an answer."""
LAG_MESSAGES = 10_000
"""A hundred times the normal rate of a leadership system (60,000 logs a day) leaves a fifth of it between two
commits; so much that does not fall is a job that does not keep up."""
LAG_OF_GROUP = {"weir-notify": 500}
"""It reads messages to people, of which a center has some dozens a day."""
DELAY_SECONDS = 300
"""The longest delay from job end to row: thirty times the goal, and what a poll every five minutes needs."""
NEW_DEAD_LETTERS = 10
"""Within ten minutes, of one source: a few damaged logs are every day's, so many at once have one cause."""
LEAST_OF_COVERAGE = 0.5
"""The least coverage as a share of the week before: centers differ in how many of their jobs leave logs."""


def troubles(readings: Sequence[Reading], restarts: Iterable[Restart], now: datetime) -> dict[Place, Trouble]:
    """What is wrong now, by one look at the pipeline and the restarts that were noted."""
    found: dict[Place, Trouble] = {}
    for reading in readings:
        if reading.metric == "answers" and not reading.value:
            found["no_answer", reading.part] = Trouble("does not answer")
        elif reading.metric in COUNTED and reading.value:
            kind, what = COUNTED[reading.metric]
            before = found.get((kind, reading.job), Trouble("", 0))
            count = before.count + int(reading.value)
            found[kind, reading.job] = Trouble(f"{count} {what}", count)
    found |= _lags(readings) | _measured(readings)
    newest = {each.part: each for each in sorted(restarts, key=lambda each: each.time)}
    for part, each in newest.items():
        if each.loops_until and each.loops_until >= now:
            found["loop", part] = Trouble(f"restarts again and again: {each.cause}", each.times)
    return found


def _lags(readings: Iterable[Reading]) -> dict[Place, Trouble]:
    """Groups that are far behind, over all topics of each."""
    behind: dict[str, dict[str, int]] = {}
    for reading in readings:
        if reading.metric == "lag_messages" and reading.value:
            behind.setdefault(reading.job, {})[reading.part] = int(reading.value)
    return {
        ("lag", group): Trouble(
            f"{sum(topics.values()):,} messages are not read yet: {', '.join(sorted(topics))}",
            sum(topics.values()),
        )
        for group, topics in behind.items()
        if sum(topics.values()) > LAG_OF_GROUP.get(group, LAG_MESSAGES)
    }


def _measured(readings: Iterable[Reading]) -> dict[Place, Trouble]:
    """What is wrong by `pipeline_measures`."""
    found: dict[Place, Trouble] = {}
    values = {(reading.metric, reading.part): reading.value for reading in readings}
    for (metric, part), value in values.items():
        if metric == "delay_p95_seconds" and value > DELAY_SECONDS:
            cause = f"one of 20 runs can be seen {value:,.0f} s after the end of its job, or later"
            found["delay", part] = Trouble(cause)
        elif metric == "dead_letters_new" and value > NEW_DEAD_LETTERS:
            cause = f"{value:,.0f} new ones within 10 minutes: see dead_letters"
            found["dead_letters", part] = Trouble(cause, int(value))
        elif metric == "refreshes_failing":
            cause = (
                "its rows are older than 20 minutes and the last refresh failed: see system.view_refreshes"
            )
            found["refresh", part] = Trouble(cause)
        elif metric == "coverage_share":
            before = values["coverage_share_before", part]
            if value < LEAST_OF_COVERAGE * before:
                cause = f"{value:.0%} of the last day's jobs have a log, {before:.0%} of the week's before"
                found["coverage", part] = Trouble(cause)
    return found


class Events:
    """The troubles that last, as the topic has them, and what was seen at the last look.

    A trouble begins when two looks in a row have seen it, so that a start is none.
    """

    def __init__(self, kafka: Options):
        self._kafka = kafka
        self._lasting: dict[Place, dict[str, Any]] | None = None  # None: not read yet
        self._seen: Mapping[Place, Trouble] = {}

    def tell(self, readings: Sequence[Reading], restarts: Sequence[Restart], now: datetime) -> None:
        """Publish what has begun or is over since the last look; without Kafka the next look does it."""
        seen = troubles(readings, restarts, now)
        try:
            if self._lasting is None:
                self._lasting = lasting(self._kafka)
            events = changes(self._lasting, self._seen, seen, now)
            _publish(self._kafka, events)
        except KafkaException as error:
            complain(f"{TOPIC}: {error}: reported when Kafka answers")
        else:
            all_known = self._lasting | {_place(event): event for event in events}
            self._lasting = {place: event for place, event in all_known.items() if event["until"] is None}
        self._seen = seen


def changes(
    lasting: Mapping[Place, Mapping[str, Any]],
    before: Mapping[Place, Trouble],
    seen: Mapping[Place, Trouble],
    now: datetime,
) -> list[dict[str, Any]]:
    """Records of `PipelineEvent`: what two looks have seen and is not reported yet, and what is over.

    While a part does not answer, what only that part would count is unknown: it is not over. A lag that
    falls begins no trouble.
    """
    silent = any(kind == "no_answer" for kind, _ in seen)
    begun = [
        {"kind": kind, "subject": subject, "since": now, "until": None, **asdict(trouble)}
        for (kind, subject), trouble in seen.items()
        if (kind, subject) in before
        and (kind, subject) not in lasting
        and not (kind == "lag" and trouble.count < before[kind, subject].count)
    ]
    over = [
        {**event, "until": now}
        for (kind, subject), event in lasting.items()
        if (kind, subject) not in seen and not (silent and kind not in KNOWN_KINDS)
    ]
    return begun + over


def lasting(kafka: Options) -> dict[Place, dict[str, Any]]:
    """The events on the topic that are not over."""
    events = (wire.decode(message)[1] for message in read_to_end(kafka, TOPIC, _check).values())
    return {_place(event): event for event in events if event["until"] is None}


def _publish(kafka: Options, events: Sequence[Mapping[str, Any]]) -> None:
    if events:
        with Publisher({"message.timeout.ms": DELIVERY_MS, **kafka}, "live") as publisher:
            for event in events:
                publisher.send(TOPIC, "/".join(_place(event)), SCHEMA, dict(event))


def _place(event: Mapping[str, Any]) -> Place:
    return event["kind"], event["subject"]


def _check(key: str, message: bytes) -> None:
    name, record = wire.decode(message)
    if name != SCHEMA or key != "/".join(_place(record)):
        raise ValueError(f"a {name} with the key {key!r}")
