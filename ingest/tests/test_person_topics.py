"""What Kafka's compacted topics hold of a person, and what stays elsewhere."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import mock_kafka
import pytest
import yaml
from confluent_kafka import Producer
from notify_fakes import alert, entry_of
from weir import wire
from weir.admin import person_limits, person_topics
from weir.admin.person_topics import CONTROL, DELIVERY, Entries
from weir.notify import control
from weir.schemas_dir import SCHEMAS

NOW = datetime(2026, 11, 26, tzinfo=UTC)
OLD, YOUNG = NOW - timedelta(days=38), NOW - timedelta(days=36)
JAVA = Path(__file__).parents[2] / "flink-jobs"
# Topics without anything of a person: of storage, the center, rules, the pipeline.
NOBODYS = {
    *("weir.device.sample", "weir.target.live", "weir.storage.load", "weir.storage.event", "weir.reference"),
    *("weir.rules", "weir.site", "weir.pipeline.event", "weir.fs.snapshot", "weir.probe.result"),
}


@pytest.fixture(scope="module")
def kafka():
    with mock_kafka.running() as kafka:
        for topic in (CONTROL, DELIVERY):
            kafka.make(topic)
        yield kafka


def wish(kafka, cluster, user, subject):
    control.publish(kafka.options, control.mute(cluster, user, subject, None, "staff", NOW))
    return f"{cluster}/{user}/mute/{subject}"


def delivery(kafka, key, **fields):
    record = entry_of(alert(1), time=NOW).record() | {"alert": key, "cluster": "demo", **fields}
    producer = Producer(kafka.options)
    producer.produce(DELIVERY, wire.encode("Delivery", record), key.encode())
    producer.flush()
    return key


@pytest.mark.slow
def test_the_persons_entries_are_deleted_and_those_still_needed_stay(kafka):
    wishes = [wish(kafka, "demo", "ada", subject) for subject in ("all", "small_io")]
    kept = [wish(kafka, "demo", "adam", "all"), wish(kafka, "other", "ada", "all")]
    old = [
        delivery(kafka, "old", recipient="ada", decided_at=OLD),
        delivery(kafka, "about", recipient="operators", unit="no_address demo/ada", decided_at=OLD),
    ]
    delivery(kafka, "young", recipient="ada", decided_at=YOUNG)
    delivery(kafka, "adams", recipient="adam", decided_at=OLD)
    delivery(kafka, "about adam", recipient="operators", unit="no_address demo/adam", decided_at=OLD)
    delivery(kafka, "elsewhere", recipient="ada", cluster="other", decided_at=OLD)
    kafka_message = wire.encode("Published", {"id": "ada", "revision": 1, "content": "{}"})
    producer = Producer(kafka.options)
    producer.produce(CONTROL, kafka_message, b"of another schema")
    producer.flush()

    found = person_topics.find(kafka.options, "ada", "demo", NOW)
    assert (sorted(found.wishes), sorted(found.deliveries), found.needed) == (sorted(wishes), sorted(old), 1)
    everywhere = person_topics.find(kafka.options, "ada", "", NOW)
    assert (len(everywhere.wishes), len(everywhere.deliveries)) == (3, 3)

    person_topics.delete(kafka.options, found)
    assert {key for key, value in kafka.messages(CONTROL) if value is None} == set(wishes)
    assert {key for key, value in kafka.messages(DELIVERY) if value is None} == set(old)
    again = person_topics.find(kafka.options, "ada", "demo", NOW)
    assert (again.wishes, again.deliveries, again.needed) == ([], [], 1)
    assert set(kept) <= {key for key, _ in kafka.messages(CONTROL)}


def test_each_topic_is_known_to_hold_people_or_nobody():
    topics = yaml.safe_load((SCHEMAS / "topics.yaml").read_text())["topics"]
    assert {*person_topics.PASSING, *person_topics.COMPACTED} | NOBODYS == topics.keys()
    assert {name for name in topics if topics[name].get("compact")} & {*person_topics.PASSING} == set()


def test_topics_keep_messages_for_their_retention_and_a_segment():
    days = person_topics.retention_days()
    assert (days["weir.darshan.log"], days["weir.job.live"], days["weir.alert"]) == (7 + 7, 3 + 7, 30 + 7)


def test_what_stays_is_said_with_how_long():
    said = "\n".join(person_limits.remaining(Entries([], [], 3)))
    for part in (
        "weir.job.live for up to 10 days",
        "weir.darshan.log, weir.job.manifest, weir.scheduler.job for up to 14 days",
        "weir.job.result, weir.dead-letter, weir.alert for up to 37 days",
        "3 entries of weir.delivery stay",
        "a job for 9 days after its last change",
        "A late correction lands rows of them again.",
        "logs that are replayed",
        "Mails and chat messages",
        "Superset",
        "Backups",
        "spool",
        "paths of files",
    ):
        assert part in said
    assert "entries of weir.delivery stay" not in "\n".join(person_limits.remaining(Entries([], [], 0)))
    assert person_limits.again_after_days() == (38, 181)


def test_how_long_the_stream_remembers_is_what_the_jobs_have():
    job = (JAVA / "job-analysis/src/main/java/org/weir/job/control/JobSettings.java").read_text()
    alerting = (JAVA / "alerting/src/main/java/org/weir/alerting/AlertingSettings.java").read_text()
    names = re.findall(r"^    Duration (\w+)[,)]", job, re.MULTILINE)
    values = re.findall(
        r"Duration\.of(Days|Hours|Minutes|Seconds|Millis)\((\d+)\)", job.split("defaults()")[1]
    )
    defaults = dict(zip(names, values, strict=False))
    assert defaults["jobRetention"] == ("Days", str(person_limits.STREAM_DAYS["job"]))
    assert defaults["baselineRetention"] == ("Days", str(person_limits.STREAM_DAYS["baseline"]))
    days = [int(count) for count in re.findall(r"Duration\.ofDays\((\d+)\)", alerting)]
    assert days == [person_limits.STREAM_DAYS["alerts.job"], person_limits.STREAM_DAYS["alerts.case"]]
