"""What operators are told and when: by hand, and over random histories against a small model."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from weir import identity, wire
from weir.notify.operators import UNLISTED, OperatorsDesk

START = datetime(2026, 5, 4, tzinfo=UTC)
SITE = {
    "cluster": "demo",
    "file_systems": [
        {"id": "scratch", "devices": {f"oss{i}": [f"wwn{i}"] for i in range(200)}},
        {"id": "home", "devices": {"oss0": ["wwn-home"], "nfs": ["sda"]}},
    ],
}


def at(seconds):
    return START + timedelta(seconds=seconds)


def micros(time):
    return (time - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)


def storage(subject, known, since=None, ended=None, kind="silent", subject_kind="server", **others):
    """A message about a server that was known at a second; as the wire gives it."""
    since = known - 60 if since is None else since
    record = {
        "cluster": "demo",
        "event_id": f"{kind} {subject} {since}",
        "kind": kind,
        "subject_kind": subject_kind,
        "subject": subject,
        "server": "",
        "filesystem": "",
        "since": at(since),
        "ended": None if ended is None else at(ended),
        "state": "open" if ended is None else "recovered",
        "in_maintenance": False,
        "names": ["silent_seconds", "allowed_seconds"],
        "numbers": [75.0, 60.0],
        "version": micros(at(known)),
        "origin": "live",
    }
    return wire.decode(wire.encode("StorageEvent", record | others))[1]


def pipeline(subject, since, until=None, kind="no_answer"):
    record = {"kind": kind, "subject": subject, "cause": "does not answer", "count": 1}
    times = {"since": at(since), "until": None if until is None else at(until)}
    return wire.decode(wire.encode("PipelineEvent", record | times))[1]


def delivery(alert):
    """The ledger's entry of an alert."""
    same = ("alert", "cluster", "kind", "unit", "recipient", "mode", "settled_at", "decided_at")
    own = {
        "state": "sent",
        "cases": [],
        "subject": "",
        "attempts": 1,
        "channels": [],
        "time": alert["decided_at"],
    }
    return wire.decode(wire.encode("Delivery", {name: alert[name] for name in same} | own))[1]


def written(alert):
    """An alert as it comes back from its topic."""
    return wire.decode(wire.encode("Alert", alert))[1]


def short(alert):
    """(kind, group, of kind, subjects) of an alert."""
    trouble = alert["trouble"]
    subjects = [each["subject"] for each in trouble["subjects"]]
    return alert["kind"], trouble["group"], trouble["kind"], subjects


@pytest.fixture
def desk():
    desk = OperatorsDesk()
    desk.site(SITE)
    return desk


@pytest.fixture
def told(desk):
    """Lets a desk take records and decide at a second; gives the short alerts."""

    def told(second, *records):
        for record in records:
            desk.take(record)
        return [short(written(alert)) for alert in desk.decide(at(second))]

    return told


def test_a_hundred_servers_that_vanish_at_once_are_one_message_and_one_when_all_are_back(desk):
    for i in range(1, 101):
        desk.take(storage(f"oss{i}", 60 + i % 15, since=0))
    assert desk.decide(at(119)) == []
    (alert,) = desk.decide(at(120))
    trouble = alert["trouble"]
    assert (trouble["group"], trouble["kind"], trouble["since"], trouble["until"]) == (
        "scratch",
        "silent",
        at(0),
        None,
    )
    assert (trouble["subjects_in_all"], len(trouble["subjects"])) == (100, 50)
    assert trouble["subjects"][0]["numbers"] == {"silent_seconds": 75.0, "allowed_seconds": 60.0}
    assert alert["unit"] == f"demo/scratch/silent/{micros(at(60))}"
    assert alert["alert"] == identity.alert_id("trouble", alert["unit"], "operators")
    assert desk.decide(at(3900)) == []  # those that were not named were told, too
    for i in range(1, 101):
        desk.take(storage(f"oss{i}", 4000, since=0, ended=3880))
    assert desk.decide(at(4299)) == []
    (over,) = desk.decide(at(4300))
    assert (over["kind"], over["unit"], over["trouble"]["since"], over["trouble"]["until"]) == (
        "over",
        alert["unit"],
        at(0),
        at(3880),
    )
    assert desk.decide(at(9000)) == []


def test_messages_are_by_file_system_and_kind(told):
    records = [
        storage("oss1", 60),
        storage("oss0", 60),  # of both file systems
        storage("nfs", 60),
        storage("router", 60),  # the site file does not know it
        storage("wwn7", 60, kind="hot", subject_kind="device", server="oss7", filesystem="scratch"),
        storage("home", 60, kind="saturated", subject_kind="filesystem", filesystem="home"),
        pipeline("kafka", 60),
    ]
    assert told(120, *records) == [
        ("trouble", "pipeline", "no_answer", ["kafka"]),
        ("trouble", "home+scratch", "silent", ["oss0"]),
        ("trouble", "home", "saturated", ["home"]),
        ("trouble", "home", "silent", ["nfs"]),
        ("trouble", UNLISTED, "silent", ["router"]),
        ("trouble", "scratch", "hot", ["wwn7"]),
        ("trouble", "scratch", "silent", ["oss1"]),
    ]


def test_of_what_ends_within_the_gather_time_nobody_is_told(told):
    assert told(30, pipeline("kafka", 0)) == []
    assert told(59, pipeline("kafka", 0, until=50)) == []
    assert told(600) == []


def test_what_begins_again_within_the_hold_time_goes_on(told):
    assert told(60, pipeline("kafka", 0)) == [("trouble", "pipeline", "no_answer", ["kafka"])]
    assert told(300, pipeline("kafka", 0, until=100)) == []
    assert told(350, pipeline("kafka", 350)) == []
    assert told(5000) == []
    assert told(5299, pipeline("kafka", 350, until=5000)) == []
    assert told(5300) == [("over", "pipeline", "no_answer", ["kafka"])]
    assert told(5301, pipeline("kafka", 5301)) == []
    assert told(5361) == [("trouble", "pipeline", "no_answer", ["kafka"])]


def test_further_subjects_are_told_once_an_hour_with_those_that_last(told):
    assert told(60, pipeline("a", 0), pipeline("b", 0)) == [("trouble", "pipeline", "no_answer", ["a", "b"])]
    assert told(200, pipeline("c", 100), pipeline("a", 0, until=150)) == []
    assert told(3659) == []
    assert told(3660) == [("trouble", "pipeline", "no_answer", ["b", "c"])]
    assert told(3661, pipeline("d", 3661)) == []
    assert told(7260) == [("trouble", "pipeline", "no_answer", ["b", "c", "d"])]
    assert (
        told(
            7261, *(pipeline(each, since, until=7261) for each, since in (("b", 0), ("c", 100), ("d", 3661)))
        )
        == []
    )
    assert told(7561) == [("over", "pipeline", "no_answer", ["a", "b", "c", "d"])]


def test_older_versions_other_origins_and_withdrawn_events_tell_nothing(told):
    opened, recovered = storage("oss1", 60), storage("oss1", 200, since=0, ended=90)
    withdrawn = storage("oss3", 80, since=0, ended=0, state="withdrawn")
    replayed = storage("oss2", 60, origin="replay")
    assert told(200, recovered, opened, replayed, withdrawn, storage("oss3", 70, since=0)) == []


def test_a_trouble_that_is_withdrawn_is_over_and_has_lasted_no_time(desk):
    desk.take(storage("oss1", 60))
    assert len(desk.decide(at(120))) == 1
    desk.take(storage("oss1", 130, since=0, ended=0, state="withdrawn"))
    (over,) = desk.decide(at(430))
    assert (over["kind"], over["trouble"]["since"], over["trouble"]["until"]) == ("over", at(0), at(0))


def test_what_a_withdrawn_event_was_in_truth_goes_on(told):
    """Later samples show that the trouble began before: another event, and the one told never was."""
    assert told(660, storage("oss1", 600, since=300)) == [("trouble", "scratch", "silent", ["oss1"])]
    assert (
        told(
            661,
            storage("oss1", 500, since=200),
            storage("oss1", 601, since=300, ended=300, state="withdrawn"),
        )
        == []
    )
    assert told(4000) == []
    assert told(4400, storage("oss1", 4100, since=200, ended=4050)) == [
        ("over", "scratch", "silent", ["oss1"])
    ]


def test_nothing_begins_in_maintenance_and_what_was_told_ends_in_it(told):
    opened, silenced = storage("oss1", 60, since=0), storage("oss1", 70, since=0, in_maintenance=True)
    assert told(3000, opened, silenced) == []
    day = 86400
    assert told(day, storage("oss1", day, since=0)) == []
    assert told(day + 60) == [("trouble", "scratch", "silent", ["oss1"])]
    assert told(day + 7200, storage("oss1", day + 100, since=0, in_maintenance=True)) == []
    ended = storage("oss1", day + 7200, since=0, ended=day + 7100, in_maintenance=True)
    assert told(day + 7500, ended) == [("over", "scratch", "silent", ["oss1"])]


def test_the_pipeline_is_silent_while_the_whole_center_is_in_maintenance(desk, told):
    def window(**of):
        return {"from": at(0).isoformat(), "to": at(1000).isoformat()} | of

    desk.site(SITE | {"maintenance_windows": [window(servers=["oss1"])]})
    assert told(60, pipeline("kafka", 0)) == [("trouble", "pipeline", "no_answer", ["kafka"])]
    desk.site(SITE | {"maintenance_windows": [window()]})
    assert told(500, pipeline("kafka", 0, until=100), pipeline("flink", 100, kind="loop")) == [
        ("over", "pipeline", "no_answer", ["kafka"])
    ]
    assert told(999) == []
    assert told(1059) == []
    assert told(1060) == [("trouble", "pipeline", "loop", ["flink"])]


def test_what_was_opened_hours_ago_is_not_told_nor_does_it_hold_others(told):
    hours = 7 * 3600
    assert told(hours, storage("oss1", 60), storage("oss2", hours - 60)) == [
        ("trouble", "scratch", "silent", ["oss2"])
    ]
    assert told(hours + 600, storage("oss2", hours, since=hours - 120, ended=hours)) == [
        ("over", "scratch", "silent", ["oss2"])
    ]


def test_what_lasts_in_the_pipeline_is_never_too_old(told):
    assert told(2 * 86400, pipeline("kafka", 0)) == [("trouble", "pipeline", "no_answer", ["kafka"])]


def test_what_is_said_again_with_other_numbers_is_as_old_as_before(told):
    assert told(120, storage("oss1", 60, since=0), storage("oss1", 110, since=0, numbers=[125.0, 60.0])) == [
        ("trouble", "scratch", "silent", ["oss1"])
    ]


def test_what_ended_before_a_trouble_began_is_no_part_of_it(told):
    assert told(200, storage("oss2", 60), storage("oss2", 190, since=0, ended=70)) == []
    assert told(260, storage("oss1", 200)) == [("trouble", "scratch", "silent", ["oss1"])]
    assert told(800, storage("oss1", 500, since=140, ended=380)) == [("over", "scratch", "silent", ["oss1"])]


def test_a_clock_that_is_ahead_delays_nothing(told):
    assert told(0, storage("oss1", 86400)) == [("trouble", "scratch", "silent", ["oss1"])]


def test_a_server_that_moves_to_another_file_system_stays_in_its_trouble(desk, told):
    assert told(120, storage("oss1", 60)) == [("trouble", "scratch", "silent", ["oss1"])]
    desk.site(SITE | {"file_systems": [{"id": "work", "devices": {"oss1": ["wwn1"]}}]})
    assert told(4000) == []
    assert told(4400, storage("oss1", 4100, since=0, ended=4000)) == [("over", "scratch", "silent", ["oss1"])]


def test_a_trouble_of_which_nothing_is_known_any_more_is_not_called_over(desk):
    """Such as a server that was silent for longer than the topic keeps messages."""
    desk.take(storage("oss1", 60))
    (alert,) = desk.decide(at(120))
    later = OperatorsDesk()
    later.site(SITE)
    later.remember(delivery(alert))
    month = 40 * 86400
    assert later.decide(at(month)) == []
    later.take(storage("oss1", month, since=0, ended=month - 120))
    (over,) = later.decide(at(month + 300))
    assert (over["kind"], over["unit"], over["trouble"]["since"]) == ("over", alert["unit"], at(0))


def test_a_name_that_no_message_can_have_is_refused(desk):
    with pytest.raises(ValueError, match="with a slash"):
        desk.take(storage("oss1", 60, kind="si/lent"))


# Random histories. Times are seconds, a trouble of a part has a begin and an end.

PARTS = 3
LOOK = 50


@dataclass(frozen=True)
class Spell:
    """A trouble of one part, and how late its two messages arrive."""

    part: int
    begin: int
    end: int
    late: tuple[int, int] = (0, 0)


def model(spells, seconds):
    """Gives (second, kind, parts) told of one place, by a plain walk through time; no message is late."""
    found = []
    named, last = None, 0
    for now in range(0, seconds, LOOK):
        active = {s.part: now - s.begin for s in spells if s.begin <= now < s.end}
        if named is None:
            if any(age >= 60 for age in active.values()):
                named, last = set(active), now
                found.append((now, "trouble", sorted(active)))
            continue
        if not active:
            if now - max(s.end for s in spells if s.end <= now) >= 300:
                found.append((now, "over", None))
                named = None
            continue
        new = [part for part, age in active.items() if part not in named and age >= 60]
        if new and now - last >= 3600:
            named, last = named | set(active), now
            found.append((now, "trouble", sorted(active)))
    return found


@st.composite
def histories(draw, latest=0):
    """Spells of parts; those of one part do not overlap."""
    spells = []
    for part in range(PARTS):
        time = draw(st.integers(0, 2000))
        for _ in range(draw(st.integers(0, 3))):
            end = time + draw(st.one_of(st.integers(1, 200), st.integers(200, 5000)))
            late = draw(st.tuples(st.integers(0, latest), st.integers(0, latest)))
            spells.append(Spell(part, time, end, late))
            time = end + draw(st.one_of(st.integers(1, 400), st.integers(300, 2000)))
    return spells


def messages(spells, kind):
    """Gives (arrival, record) of each."""
    for spell in spells:
        name = f"oss{spell.part + 1}"
        if kind == "storage":
            begun = storage(name, spell.begin, since=spell.begin - 60)
            over = storage(name, spell.end, since=spell.begin - 60, ended=spell.end)
        else:
            begun, over = pipeline(name, spell.begin), pipeline(name, spell.begin, until=spell.end)
        yield spell.begin + spell.late[0], begun
        yield max(spell.begin + spell.late[0], spell.end + spell.late[1]), over


class Run:
    """A desk that lives through a history: any order, duplicates, and restarts where asked for."""

    def __init__(self, spells, kind, seed, restarts, recall):
        self.arrivals, self.random = list(messages(spells, kind)), Random(seed)
        self.restarts, self.recall = restarts, recall
        self.alerts, self.told, self.taken = [], [], []

    def desk(self):
        desk = OperatorsDesk()
        desk.site(SITE)
        for records, take in ((self.taken, desk.take), (self.told, desk.remember)):
            for record in self.random.sample(records * 2, 2 * len(records)):
                take(record)
        return desk

    def __call__(self, seconds):
        desk = self.desk()
        for now in range(0, seconds, LOOK):
            came = [record for arrival, record in self.arrivals if now - LOOK < arrival <= now]
            self.taken += came
            again = came + self.random.sample(self.taken, min(2, len(self.taken)))
            for record in self.random.sample(again, len(again)):
                desk.take(record)
            if self.random.random() < self.restarts:
                desk = self.desk()
            alerts = desk.decide(at(now))
            self.alerts += map(written, alerts)
            self.told += map(self.recall, alerts)
        return self.alerts


def length(spells):
    """Long enough that all is over at the end."""
    return max((s.end + sum(s.late) for s in spells), default=0) + 1000


@settings(deadline=None, max_examples=40)
@given(
    histories(),
    st.sampled_from(["storage", "pipeline"]),
    st.sampled_from([0, 0.1, 0.5]),
    st.integers(),
    st.booleans(),
)
def test_any_history_is_told_as_the_model_says_with_restarts_at_any_point(spells, kind, restarts, seed, full):
    seconds = length(spells)
    run = Run(spells, kind, seed, restarts, written if full else delivery)
    found = [
        (
            (alert["decided_at"] - START).seconds + 86400 * (alert["decided_at"] - START).days,
            alert["kind"],
            [int(each["subject"][3:]) - 1 for each in alert["trouble"]["subjects"]]
            if alert["kind"] == "trouble"
            else None,
        )
        for alert in run(seconds)
    ]
    assert found == model(spells, seconds)


@settings(deadline=None, max_examples=40)
@given(histories(latest=900), st.sampled_from(["storage", "pipeline"]), st.integers())
def test_late_messages_change_nothing_of_this(spells, kind, seed):
    """A restarted desk decides as one that goes on, nothing is told twice and each trouble has its end."""
    seconds = length(spells)
    alerts = Run(spells, kind, seed, 0, written)(seconds)
    assert Run(spells, kind, seed + 1, 0.05, written)(seconds) == alerts
    assert len({alert["alert"] for alert in alerts}) == len(alerts)
    lasting = None
    for alert in alerts:
        unit = alert["unit"].partition("+")[0]
        assert unit == (lasting or unit)
        lasting = None if alert["kind"] == "over" else unit
    assert lasting is None
