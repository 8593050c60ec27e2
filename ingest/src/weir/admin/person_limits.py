"""Where something of a person stays that the erasure of their rows does not reach, and for how long."""

from collections.abc import Iterator

from weir.admin import person_topics
from weir.admin.person_topics import CONTROL, DELIVERY, Entries

STREAM_DAYS = {"job": 9, "baseline": 180, "alerts.job": 10, "alerts.case": 180}
"""How long the Flink jobs remember things, by the key of their settings: the defaults of the jobs."""


def again_after_days() -> tuple[int, int]:
    """Days after which Kafka has let go of everything, and after which the Flink jobs have."""
    return max(person_topics.retention_days().values()) + 1, max(STREAM_DAYS.values()) + 1


def remaining(entries: Entries) -> Iterator[str]:
    """What stays, a whole sentence or two each."""
    by_days: dict[int, list[str]] = {}
    for topic, days in person_topics.retention_days().items():
        by_days.setdefault(days, []).append(topic)
    for days, topics in sorted(by_days.items()):
        yield f"Kafka keeps messages of {', '.join(topics)} for up to {days} days."
    yield "What Kafka has lands again if a Flink job reads it once more, as do logs that are replayed."
    if entries.needed:
        yield (
            f"{entries.needed:,} entries of {DELIVERY} stay until their alerts have left Kafka: "
            "without them a message could be sent twice."
        )
    yield (
        f"Kafka removes the deleted entries of {CONTROL} and {DELIVERY} when it next compacts these topics. "
        "The alerting job has the person's wishes in its state; once that is lost, messages may come again."
    )
    job, baseline, result, case = STREAM_DAYS.values()
    yield (
        f"Flink's state keeps a job for {job} days after its last change, runs to compare with for "
        f"{baseline} days, results to alert of for {result} days and cases for {case} days. "
        "A late correction lands rows of them again."
    )
    yield (
        "Rows of other people that mention the person stay: paths of files, addresses that got a copy of a "
        "message, and the login that noted a wish. So do counts of landed rows, and the reference rates."
    )
    yield (
        "Totals of runs of which a user id was all that was known are worked out without them a day later; "
        "what was in them stays on disk for as long as totals are kept, where no view reads it. Of hours "
        "whose file records have gone, file_reader_totals still says that an unknown user read a file."
    )
    yield "Darshan's logs, the scheduler's accounting, and spool and state of the agents are the center's."
    yield "Mails and chat messages have left; whoever got them has them."
    yield (
        "Superset has accounts, saved queries and logs of its own, and answers in its cache for seconds. "
        "ClickHouse's query log has what was asked about the person, and so has the history of weir sql."
    )
    yield "Backups and exports have what they had."
