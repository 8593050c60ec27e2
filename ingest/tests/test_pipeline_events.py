"""When trouble of the pipeline is told, by hand: what looks saw, and which events come of it."""

from datetime import UTC, datetime, timedelta

import pytest
from confluent_kafka import KafkaException
from weir import wire
from weir.admin import pipeline_events
from weir.admin.pipeline import Reading, Restart
from weir.admin.pipeline_events import SCHEMA, TOPIC, Events, Trouble, troubles

START = datetime(2026, 5, 4, tzinfo=UTC)
EVERY = timedelta(seconds=15)


def counted(metric, value, job="job-analysis"):
    return Reading(START, metric, job, "Source: logs", value)


def answers(part, value):
    return Reading(START, "answers", "", part, value)


class Topic:
    """A topic of Kafka: what was sent, or Kafka is away."""

    def __init__(self):
        self.messages, self.seen, self.away = [], 0, False

    def __call__(self, options, origin):
        return self

    def __enter__(self):
        if self.away:
            raise KafkaException("away")
        return self

    def __exit__(self, *_):
        pass

    def send(self, topic, key, name, record):
        self.messages.append((topic, key, wire.encode(name, record)))

    def newest(self, kafka, topic, check):
        if self.away:
            raise KafkaException("away")
        return {key: message for of, key, message in self.messages if of == topic}

    def told(self):
        """Gives (key, since, until) of what was sent since it was asked last; times in looks."""
        found = [(key, wire.decode(message)[1]) for _, key, message in self.messages[self.seen :]]
        self.seen = len(self.messages)
        return [
            (key, (event["since"] - START) / EVERY, event["until"] and (event["until"] - START) / EVERY)
            for key, event in found
        ]


@pytest.fixture
def topic(monkeypatch):
    topic = Topic()
    monkeypatch.setattr(pipeline_events, "Publisher", topic)
    monkeypatch.setattr(pipeline_events, "read_to_end", topic.newest)
    return topic


@pytest.fixture
def look(topic):
    """Tells one look after the other, a period apart; gives what was sent."""
    state = {"events": Events({}), "looks": 0}

    def look(*readings, restarts=(), anew=False):
        if anew:
            state["events"] = Events({})
        now = START + state["looks"] * EVERY
        state["looks"] += 1
        state["events"].tell(readings, restarts, now)
        return topic.told()

    return look


def test_trouble_is_told_once_when_two_looks_saw_it_and_once_when_it_is_over(look):
    paused = counted("partitions_paused", 1)
    assert look(paused) == []
    assert look(paused) == [("paused/job-analysis", 1, None)]
    assert look(paused) == []
    assert look(counted("partitions_paused", 0)) == [("paused/job-analysis", 1, 3)]
    assert look(paused) == []
    assert look() == []


def test_places_are_told_apart_and_their_numbers_added(topic):
    events = Events({})
    both = [
        counted("sources_in_quarantine", 2),
        counted("sources_in_quarantine", 3),
        counted("partitions_paused", 1, job="storage-analysis"),
    ]
    events.tell(both, [], START)
    events.tell(both, [], START)
    sent = {key: wire.decode(message) for _, key, message in topic.messages}
    assert {key: (name, event["count"], event["cause"][:9]) for key, (name, event) in sent.items()} == {
        "quarantine/job-analysis": (SCHEMA, 5, "5 sources"),
        "paused/storage-analysis": (SCHEMA, 1, "1 partiti"),
    }
    assert {name for name, *_ in topic.messages} == {TOPIC}


def test_what_a_silent_part_would_count_is_not_over(look):
    paused = counted("partitions_paused", 1)
    assert look(paused) + look(paused) == [("paused/job-analysis", 1, None)]
    silent = answers("http://tm/metrics", 0)
    assert look(silent) == []
    assert look(silent) == [("no_answer/http://tm/metrics", 3, None)]
    assert look(answers("http://tm/metrics", 1)) == [
        ("paused/job-analysis", 1, 4),
        ("no_answer/http://tm/metrics", 3, 4),
    ]


def lag(messages, topic="weir.darshan.log"):
    return Reading(START, "lag_messages", "weir-job-analysis", topic, messages)


def test_a_lag_begins_when_it_does_not_fall_and_lasts_while_it_is_large(look):
    assert look(lag(20_000)) == []
    assert look(lag(19_999)) == []
    assert look(lag(19_999)) == [("lag/weir-job-analysis", 2, None)]
    assert look(lag(10_001)) == []
    assert look(lag(10_000)) == [("lag/weir-job-analysis", 2, 4)]


def test_the_lag_of_a_group_is_that_of_all_its_topics():
    found = troubles([lag(6_000), lag(6_000, "weir.scheduler.job"), lag(0, "weir.site")], [], START)
    cause = "12,000 messages are not read yet: weir.darshan.log, weir.scheduler.job"
    assert found == {("lag", "weir-job-analysis"): Trouble(cause, 12_000)}


def test_a_notifier_that_is_five_hundred_messages_behind_is_too_late():
    def found(messages):
        return troubles([Reading(START, "lag_messages", "weir-notify", "weir.alert", messages)], [], START)

    assert found(500) == {}
    assert found(501).keys() == {("lag", "weir-notify")}


def test_what_is_measured_is_told_beyond_its_bound():
    def found(metric, part, value, *others):
        return troubles([Reading(START, metric, "", part, value), *others], [], START)

    before = Reading(START, "coverage_share_before", "", "demo", 0.8)
    assert found("delay_p95_seconds", "demo", 300) == {}
    assert found("delay_p95_seconds", "demo", 1234.5) == {
        ("delay", "demo"): Trouble("one of 20 runs can be seen 1,234 s after the end of its job, or later")
    }
    assert found("dead_letters_new", "darshan", 10) == {}
    assert found("dead_letters_new", "darshan", 11) == {
        ("dead_letters", "darshan"): Trouble("11 new ones within 10 minutes: see dead_letters", 11)
    }
    assert found("refreshes_failing", "run_totals_build", 1) == {
        ("refresh", "run_totals_build"): Trouble(
            "its rows are older than 20 minutes and the last refresh failed: see system.view_refreshes"
        )
    }
    assert found("coverage_share", "demo", 0.4, before) == {}
    assert found("coverage_share", "demo", 0.39, before) == {
        ("coverage", "demo"): Trouble("39% of the last day's jobs have a log, 80% of the week's before")
    }


def test_a_lag_is_not_over_because_nothing_answers(look):
    look(lag(20_000))
    assert look(lag(20_000)) == [("lag/weir-job-analysis", 1, None)]
    assert look(answers("kafka", 0)) == []


def test_a_loop_lasts_as_long_as_the_keeper_said(look):
    failed = [
        Restart(START, "job-analysis", "WireException", 3),
        Restart(START, "job-analysis", "WireException", 4, START + 2 * EVERY),
        Restart(START, "kafka", "OutOfMemoryError", 2),
    ]
    assert look(restarts=failed) == []
    assert look(restarts=failed) == [("loop/job-analysis", 1, None)]
    assert look(restarts=failed) == []
    assert look(restarts=failed) == [("loop/job-analysis", 1, 3)]


def test_a_new_process_goes_on_from_the_topic(look):
    paused = counted("partitions_paused", 1)
    look(paused)
    assert look(paused) == [("paused/job-analysis", 1, None)]
    assert look(anew=True) == [("paused/job-analysis", 1, 2)]


def test_what_kafka_did_not_take_is_told_when_it_answers(topic, look, capsys):
    paused = counted("partitions_paused", 1)
    look(paused)
    topic.away = True
    assert look(paused) == []
    assert "reported when Kafka answers" in capsys.readouterr().err
    topic.away = False
    assert look(paused) == [("paused/job-analysis", 2, None)]
