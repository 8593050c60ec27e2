"""Saved questions about hours of load and weeks of messages, which no simulated center lasts for."""

from datetime import UTC, datetime, timedelta

import pytest
import yaml
from clients import CENTER
from sim import views
from weir import wire
from weir.kafka import Publisher

from . import job_results

SERVERS = "busy"
MINUTE = 60
# Busy seconds of each minute in three hours, of the devices of a server; 48 are the least that count as busy.
BUSY_SECONDS = {"wwn1": (54.0, 48.0, 30.0), "wwn2": (47.0, 60.0, 0.0), "wwn3": (47.0, 47.0, 47.0)}
REQUESTS, WAIT_SECONDS = 10.0, 0.25  # of each minute and device

USERS = "came-back"
USER, PROGRAM = "came-back-ada", "solver"
KINDS = "SELECT kind, decided_at FROM alerts WHERE cluster = {c:String} AND held = '' ORDER BY decided_at"


@pytest.fixture
def hours(weir, stack, drained, tmp_path):
    """Have a server send samples for three hours and a little; gives the begin and end of these hours."""
    site = yaml.safe_load((CENTER / "site.yaml").read_text()) | {
        "cluster": SERVERS,
        "load_bucket_seconds": MINUTE,
        "file_systems": [
            {"id": "fs", "kind": "lustre", "mount_prefixes": ["/fs"], "devices": {"oss1": [*BUSY_SECONDS]}}
        ],
        "servers": [{"name": "oss1", "sample_interval_seconds": MINUTE}],
    }
    file = tmp_path / "site.yaml"
    file.write_text(yaml.safe_dump(site))
    weir("site", "publish", file)
    views.await_read(stack, ["weir-storage-analysis-control"])
    now = datetime.now(UTC)
    begin = now.replace(minute=0, second=0, microsecond=0) - timedelta(hours=4)
    columns = ["busy_seconds", "reads", "writes", "read_wait_seconds", "write_wait_seconds"]
    with Publisher(stack.kafka, "live") as publisher:
        for minute in range(3 * 60 + 5):
            hour = min(minute // 60, 2)
            busy = [of_hours[hour] for of_hours in BUSY_SECONDS.values()]
            each = [[number] * len(busy) for number in (REQUESTS / 2, REQUESTS / 2, WAIT_SECONDS / 2)]
            sample = {
                "cluster": SERVERS,
                "server": "oss1",
                "time": int((begin + timedelta(minutes=minute + 1)).timestamp() * 1e6),
                "interval_seconds": float(MINUTE),
                "cumulative": False,
                "boot_id": None,
                "device_ids": [*BUSY_SECONDS],
                "device_names": [f"sd{number}" for number in range(len(busy))],
                "columns": columns,
                "values": wire.packed([busy, *each, each[-1]]),
                "origin": "live",
            }
            publisher.send("weir.device.sample", f"{SERVERS}/oss1", "DeviceSample", sample)
    drained()
    return begin, begin + timedelta(hours=3)


def test_devices_that_were_busy_for_hours(hours, weir, eventually):
    since, until = (f"{time:%Y-%m-%d %H:%M:%S}" for time in hours)

    def answered():
        rows = weir.answer("busy_devices", SERVERS, "--set", f"since={since}", "--set", f"until={until}")
        return rows if [row["hours_sampled"] for row in rows] == [3, 3] else None

    wait_ms = 1000 * WAIT_SECONDS / REQUESTS
    assert [tuple(row.values()) for row in eventually(answered)] == [
        (SERVERS, "oss1", "wwn1", 3, 2, 0.667, round((54 + 48 + 30) / 180, 3), wait_ms),
        (SERVERS, "oss1", "wwn2", 3, 1, 0.333, round((47 + 60) / 180, 3), wait_ms),
    ]


def test_a_cause_that_came_back(weir, stack, sql, report, eventually):
    job_results.publish_site(stack, USERS, clean_runs=2)

    def end(number, messages, **differently):
        """Has a job end, and waits for so many messages in all."""
        job = job_results.slow_job(report, USERS, USER, number, PROGRAM) | differently
        job_results.publish(stack, [job])
        return eventually(lambda: len(rows := sql.rows(KINDS, c=USERS)) == messages and rows)

    asked = ("came_back", USERS, "--since", "1d")
    end(1, 1)
    end(2, 1, findings=[])
    *_, fixed = end(3, 2, findings=[])
    assert fixed["kind"] == "fixed"
    assert weir.answer(*asked) == []

    *_, again = end(4, 3)
    assert again["kind"] != "fixed"
    (row,) = eventually(lambda: weir.answer(*asked))
    assert (row["user"], row["program"], row["rule_id"]) == (USER, PROGRAM, job_results.RULE)
    times = [f"{each['decided_at']:%Y-%m-%d %H:%M:%S.%f}" for each in (fixed, again)]
    assert [row["was_fixed_at"], row["again_at"]] == times
    assert row["now"] == "open"
    assert row["node_hours_lost_in_all"] == 2 * job_results.NODE_HOURS
