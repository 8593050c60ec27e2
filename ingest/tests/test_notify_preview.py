"""What `weir alerts preview` shows, beside a count by hand; on a real Kafka: tests/e2e/test_alerts.py."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from alert_policy_model import Arrival, Finding, Result, Run, case_id
from notify_fakes import BEGIN
from test_alert_decisions import CLUSTER, as_message
from weir.notify import preview
from weir.notify.config import Map, NotifyConfig, Page, Smtp

pytestmark = pytest.mark.slow

DAY = timedelta(days=1)
SITE = {
    "cluster": CLUSTER,
    "time_zone": "UTC",
    "cores_per_node": {"default": 64},
    "file_systems": [{"id": "scratch", "kind": "lustre", "mount_prefixes": ["/scratch"]}],
    "alerts": {"mode": "shadow", "digest": "never", "staff": ["staff@example.org"], "copy_to_staff": True},
}


def milliseconds(time):
    return round(time.timestamp() * 1000)


def slow(user, number, time, verdict="application"):
    run = Run(f"{user}{number}", f"program{number}", milliseconds(time), verdict=verdict)
    found = (Finding("small_io", run.log_id),)
    return user, time, Result(f"{user}{number}", 1, (run,), found, run.end_time, display_id=f"{number}")


@pytest.fixture
def found(analysis_jar, monkeypatch):
    jobs = [
        slow("ann", 1, BEGIN),
        slow("ann", 1, BEGIN + DAY),
        slow("ann", 2, BEGIN + DAY),
        slow("ben", 3, BEGIN + DAY, "storage"),
        *(slow("cat", number, BEGIN + timedelta(minutes=number)) for number in range(5)),
    ]
    arrivals = [(milliseconds(time + timedelta(minutes=1)), user, what) for user, time, what in jobs]
    messages = sorted((at, as_message(user, Arrival(at, what))) for at, user, what in arrivals)
    messages.append((milliseconds(BEGIN + 2 * DAY), b"no message"))
    topics = {"weir.job.result": messages}
    monkeypatch.setattr(preview, "_streams", lambda kafka, topic, since: [iter(topics.get(topic, []))])
    return preview.preview({}, SITE, BEGIN - DAY, BEGIN + 7 * DAY)


def test_it_shows_what_would_have_been_sent_and_what_was_held_back(found):
    days = {str(day): dict(kinds) for day, kinds in found.by_day(ZoneInfo("UTC")).items()}
    assert days == {"2026-11-23": {"finding": 4}, "2026-11-24": {"finding": 1}}
    assert found.by_user() == [("cat", 3, 6.0), ("ann", 2, 4.0)]
    assert found.held == {("ben", "storage"): 1, ("cat", "limit"): 2}
    assert found.by_reason() == {"limit": 2, "storage": 1}
    only = found.of("cat")
    assert (len(only.alerts), only.held) == (3, {("cat", "limit"): 2})
    assert found.alerts[-1]["cases"][0]["case"] == case_id(CLUSTER, "ann", "program2", "small_io")


def test_with_the_notifiers_configuration_it_has_addresses_and_copies(found, tmp_path, capsys):
    (tmp_path / "map.yaml").write_text("ann: ann@example.org\n")
    (tmp_path / "fixed.txt.j2").write_text("")
    config = NotifyConfig.model_construct(
        kafka={},
        smtp=Smtp(host="localhost", sender="weir@example.org"),
        directory=Map(kind="map", file=tmp_path / "map.yaml"),
        superset_url="https://superset.example.org",
        page=Page(url="https://weir.example.org", secret_file=tmp_path / "not_for_staff"),
        templates=tmp_path,
    )
    preview.show(found, SITE, True, config)
    shown = capsys.readouterr().out
    assert "to ann ann@example.org, staff@example.org, 2026-11-23" in shown
    assert "no address of user 'cat' is known" in shown
    assert "weir alerts mute ann" in shown
    assert "lost 2 node-hours" in shown
    preview.show(found.of("cat"), SITE, False, None)
    shown = capsys.readouterr().out
    assert "ann" not in shown
    assert "limit" in shown
