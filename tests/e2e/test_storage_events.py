"""A server that sends nothing any more, from its samples to the event that SQL and Kafka tell of (F25)."""

import time

import pytest
import yaml
from clients import CENTER
from sim import views
from weir import kafka, wire
from weir.kafka import Publisher

CLUSTER = "watched"
SECONDS = 0.5  # between two samples, as the site says
SILENT_SECONDS = 5
SITE = {
    "cluster": CLUSTER,
    "load_bucket_seconds": 1,
    "file_systems": [
        {
            "id": "fs",
            "kind": "lustre",
            "mount_prefixes": ["/fs"],
            "devices": {"oss1": ["wwn1"], "oss2": ["wwn2"]},
        }
    ],
    "servers": [{"name": name, "sample_interval_seconds": SECONDS} for name in ("oss1", "oss2")],
    "storage_events": {"silent_seconds": SILENT_SECONDS, "recover_seconds": 1},
}
LANDED = "SELECT uniqExact(server) FROM device_samples WHERE cluster = 'watched'"
EVENTS = (
    "SELECT kind, subject_kind, subject, state, toUnixTimestamp64Micro(since) AS since,"
    " toUnixTimestamp64Micro(ended) AS ended, names, numbers FROM storage_events WHERE cluster = 'watched'"
)


@pytest.fixture
def servers(weir, stack, tmp_path):
    """Send a sample of each of these servers, as of now; the time of it in microseconds."""
    file = tmp_path / "site.yaml"
    file.write_text(yaml.safe_dump(yaml.safe_load((CENTER / "site.yaml").read_text()) | SITE))
    weir("site", "publish", file)
    views.await_read(stack, ["weir-storage-analysis-control"])
    with Publisher(stack.kafka, "live") as publisher:

        def send(*names):
            now = time.time_ns() // 1000
            for name in names:
                sample = {
                    "cluster": CLUSTER,
                    "server": name,
                    "time": now,
                    "interval_seconds": SECONDS,
                    "cumulative": False,
                    "boot_id": None,
                    "device_ids": [f"wwn{name[-1]}"],
                    "device_names": ["sda"],
                    "columns": ["bytes_written"],
                    "values": wire.packed([[4096.0]]),
                    "origin": "live",
                }
                publisher.send("weir.device.sample", f"{CLUSTER}/{name}", "DeviceSample", sample)
            publisher.flush()
            return now

        yield send


def test_a_silent_server_is_told_of_until_it_is_back_and_no_other_one(servers, weir, sql, stack, eventually):
    times = []  # at which samples were sent

    def while_sending(*names, until):
        def sent_and_seen():
            times.append(servers(*names))
            return until()

        return eventually(sent_and_seen)

    def events(state):
        """All of them, once one has this state."""
        found = sql.rows(EVENTS)
        return found if any(event["state"] == state for event in found) else None

    while_sending("oss1", "oss2", until=lambda: sql.one(LANDED) == 2)
    last = times[-1]

    (event,) = while_sending("oss1", until=lambda: events("open"))
    assert (event["kind"], event["subject_kind"], event["subject"]) == ("silent", "server", "oss2")
    assert (event["since"], event["ended"]) == (last, None)
    silent = dict(zip(event["names"], event["numbers"], strict=True))["silent_seconds"]
    assert silent >= SILENT_SECONDS

    before = len(times)
    (event,) = while_sending("oss1", "oss2", until=lambda: events("recovered"))
    assert (event["subject"], event["since"]) == ("oss2", last)
    assert event["ended"] in times[before:]

    def message():
        newest = kafka.read_to_end(stack.kafka, "weir.storage.event").get("watched/server/oss2")
        return newest and wire.decode(newest)[1]["state"]

    eventually(lambda: message() == "recovered")
    (trouble,) = weir.answer("storage_troubles", CLUSTER, "--since", "1d")
    assert [trouble[key] for key in ("kind", "subject_kind", "subject", "events", "open")] == [
        *("silent", "server", "oss2", 1, 0)
    ]
    assert trouble["hours"] == pytest.approx((event["ended"] - last) / 3.6e9, abs=0.0051)
