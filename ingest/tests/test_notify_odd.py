"""Whatever stands on its topics, the notifier goes on: each message ends in the ledger, or is passed over."""

import json
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from alert_samples import REPORT, finding, silent_server, trouble
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from notify_fakes import BEGIN, Clock, FakeInbox, FakeLedger, FakeSender, Topics
from weir import documents, wire
from weir.notify import alertmanager, service, watch
from weir.notify.config import Chat, NotifyConfig, Smtp
from weir.notify.delivery import FINAL, Delivery
from weir.notify.directory import usable
from weir.notify.notifier import MOST_OPEN, Notifier
from weir.notify.operators import OperatorsDesk
from weir.notify.recipients import ALERTMANAGER, Recipients
from weir.notify.render import Renderer

RENDERER = Renderer()
RUN = json.loads(REPORT.read_text())
SITE = {
    "cluster": "demo",
    "time_zone": "Europe/Berlin",
    "cores_per_node": {"default": 64},
    "file_systems": [
        {"id": "scratch", "kind": "lustre", "mount_prefixes": ["/scratch"], "devices": {"oss1": ["sda"]}}
    ],
    "maintenance_windows": [{"from": "2026-11-01T08:00:00Z", "to": "2026-11-01T09:00:00Z"}],
    "alerts": {"mode": "live", "operators": ["ops@example.org"], "staff": ["staff@example.org"]},
}
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    st.sampled_from(
        ["", "demo", "ada", "operators", "a/b", "\0", "\r\n.\r\n", "x" * 3000, "{{ 7 }}", "\u202e"]
    ),
    st.sampled_from(["a/b/silent/" + "9" * 5000, "a/b/silent/-1+2", "a/b/c/\u0663", "../../etc/passwd"]),
)
TIMES = st.one_of(
    st.sampled_from([BEGIN, BEGIN + timedelta(days=400)]),
    st.datetimes(timezones=st.just(UTC)),
    st.sampled_from([datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)]),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
ODD = settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)


def near(schema, like):
    """Mostly the value `like`, with odd ones in its place or in one of its parts."""
    if isinstance(schema, list):
        schema = next(each for each in schema if each != "null")
        return st.one_of(st.none(), near(schema, like)) if like is None else near(schema, like)
    if isinstance(schema, str):
        schema = {"type": schema}
    if isinstance(schema["type"], dict | list):
        return near(schema["type"], like)
    match schema.get("logicalType", schema["type"]):
        case "timestamp-micros":
            value = TIMES
        case "string":
            value = TEXTS
        case "boolean":
            value = st.booleans()
        case "double":
            value = st.floats()
        case "int":
            value = st.integers(-(2**31), 2**31 - 1)
        case "long":
            value = st.integers(-(2**63), 2**63 - 1)
        case "map":
            value = st.dictionaries(TEXTS, near(schema["values"], None), max_size=3)
        case "array":
            one = near(schema["items"], like[0] if like else None)
            few = st.lists(one, max_size=3)
            return st.one_of(*[few] * 9, one.map(lambda each: [each] * 30))
        case "record":
            return st.fixed_dictionaries(
                {each["name"]: near(each, like and like[each["name"]]) for each in schema["fields"]}
            )
    return value if like is None else st.one_of(*[st.just(like)] * 5, value)


def near_json(like):
    """Mostly the JSON value `like`, with odd ones in its place or in one of its parts."""
    same = st.just(like)
    if isinstance(like, dict):
        same = st.fixed_dictionaries({name: near_json(value) for name, value in like.items()})
    elif isinstance(like, list) and like:
        same = st.lists(near_json(like[0]), max_size=3)
    return st.one_of(*[same] * 19, JSON)


class Tail:
    """What stands on the topics of events."""

    records = ()

    def __init__(self, *_):
        self._left = list(self.records)

    def to_end(self):
        left, self._left = self._left, []
        return iter(left)

    more = to_end


class Center:
    """The notifier and its watch, with Kafka and the channels replaced."""

    def __init__(self, manager=None, sites=(SITE,), events=(), deliveries=()):
        """`sites` are published one after the other."""
        self.clock, self.topics, self.sender = Clock(), Topics(), FakeSender()
        self.topics.deliveries = [*deliveries]
        config = NotifyConfig.model_construct(
            smtp=Smtp(host="localhost", security="none", sender="weir@example.org")
        )
        desk = OperatorsDesk()
        for each in deliveries:
            desk.remember(vars(each))
        self.sites = service.Sites({}, self.clock)
        people = Recipients(self, [Chat(name="chat", audience="users", url_file="x")], alertmanager=True)
        with pytest.MonkeyPatch.context() as patch:
            for site in sites:
                published = {"id": "demo", "revision": 1, "content": json.dumps(site)}
                patch.setattr(documents, "read_to_end", partial(read, wire.encode("Published", published)))
                self.sites.refresh()
                self.clock.pass_(minutes=2)
            patch.setattr(watch, "Tail", type("", (Tail,), {"records": events}))
            self.watch = watch.Watch(
                {}, desk, lambda alerts: self.topics.publish(*alerts), manager, self.clock
            )
            patch.setattr(service, "Renderer", lambda _folder: RENDERER)  # compiled once
            writer = service.Writer(config, people, self.sites.of, self.clock)
        senders = dict.fromkeys(("mail", "chat", ALERTMANAGER), self.sender)
        ledger = FakeLedger(self.topics, self.clock)
        self.notifier = Notifier(ledger, FakeInbox(self.topics), writer, senders, self.clock)
        self.notifier.start()

    def address(self, user):
        return usable(f"{user}@example.org")

    def rounds(self):
        """Until nothing is left to do."""
        for _ in range(4):
            self.watch.look(self.sites.all())
            self.notifier.round(0)
            self.clock.pass_(minutes=2)
        assert self.notifier.room == MOST_OPEN
        assert self.topics.committed == len(self.topics.alerts)
        assert {self.topics.newest(vars(each)).state for each in self.topics.deliveries} <= FINAL
        return self


def read(message, _kafka, _topic, check):
    """As kafka.read_to_end: what the check refuses is passed over."""
    with suppress(ValueError):
        check("demo", message)
        return {"demo": message}
    return {}


ALERTS = st.one_of(
    near(wire.schema("Alert"), like)
    for like in (finding(RUN), finding(RUN, kind="digest"), finding(RUN, kind="fixed"), trouble())
)


def with_report(report):
    told = finding(RUN)
    told["reports"][0]["report"] = json.dumps(report)
    return told


@ODD
@given(st.lists(ALERTS | near_json(RUN).map(with_report), min_size=1, max_size=2))
@example([trouble() | {"unit": "a/b/silent/" + "9" * 5000}])
def test_any_alert_is_delivered_or_passed_over(odd):
    center = Center()
    good = finding(RUN, number=99)
    center.topics.publish(*odd, good)
    center.rounds()
    assert good["alert"] in {each.alert for each in center.topics.deliveries if each.state == "sent"}
    Center(deliveries=center.topics.deliveries).rounds()  # and another start


EVENTS = [
    silent_server(),
    {"kind": "lag", "subject": "job", "cause": "behind", "count": 1, "since": BEGIN, "until": None},
]


class Manager:
    def post(self, subjects, now):
        alertmanager.body(alertmanager.alerts(subjects, now))


@ODD
@given(
    st.lists(
        st.one_of(
            near(wire.schema("StorageEvent"), EVENTS[0]), near(wire.schema("PipelineEvent"), EVENTS[1])
        ),
        max_size=5,
    ),
    st.sampled_from([None, Manager()]),
)
def test_any_event_is_told_or_passed_over(events, manager):
    names = ("StorageEvent" if "event_id" in each else "PipelineEvent" for each in events)
    decoded = [wire.decode(wire.encode(*each))[1] for each in zip(names, events, strict=True)]
    center = Center(manager, events=decoded).rounds()
    Center(manager, events=decoded, deliveries=center.topics.deliveries).rounds()


@ODD
@given(near_json(SITE), st.sampled_from([None, Manager()]))
def test_any_site_is_used_or_passed_over(site, manager):
    center = Center(manager, [SITE, site], EVENTS)
    center.topics.publish(finding(RUN), trouble(), finding(RUN, number=7, mode="rehearsal"))
    center.rounds()


@pytest.mark.parametrize(
    ("more", "operator"),
    [
        ({"of_a_newer_weir": 1}, "new"),
        ({"cluster": []}, "ops"),
        ({"time_zone": "Mars"}, "ops"),
    ],
)
def test_a_site_of_a_newer_weir_is_used_and_one_of_another_shape_is_not(more, operator):
    new = SITE | {"alerts": {"operators": ["new@example.org"]}}
    center = Center(sites=[SITE, new | more])
    center.topics.publish(trouble())
    center.rounds()
    assert center.sender.left[0][0] == f"{operator}@example.org"


def test_a_site_that_is_nested_too_deeply_is_no_site():
    nested = []
    for _ in range(2000):
        nested = [nested]
    assert documents.problem_of_site(SITE | {"cluster": nested}) == "it is nested too deeply"


@ODD
@given(st.lists(near(wire.schema("Delivery"), Delivery.of_alert(trouble()).record()), max_size=4))
def test_any_entry_of_the_ledger_is_gone_on_with_or_passed_over(entries):
    found = []
    for each in entries:
        with suppress(ValueError):
            found.append(Delivery.of_record(wire.decode(wire.encode("Delivery", each))[1]))
    center = Center(deliveries=found)
    center.topics.publish(finding(RUN), trouble())
    center.rounds()
