"""Kafka is away while jobs end and devices are sampled (F3): nothing is lost, the spool keeps its quota."""

import os
import signal
import time

import mock_kafka
import pytest
from shipping_host import SERVER, Host
from shipping_site import wait_for

# ten minutes in the long run
SECONDS = float(os.environ.get("WEIR_AWAY_SECONDS", "5"))
IS_LONG = SECONDS >= 600
JOB_EVERY_SECONDS = 0.5
QUOTA_BYTES = 1 << 20
MOST_HOOK_SECONDS = 0.05  # of 99 of 100, as F3 names it


@pytest.fixture
def host(tmp_path):
    with mock_kafka.running() as kafka:
        host = Host(tmp_path, kafka, devices={"spool_bytes": QUOTA_BYTES})
        yield host
        host.stop()


def size(path):
    """Of a file; 0 if it was sent, or renamed as a whole one, since it was listed."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def waiting_bytes(host):
    """Of all that waits for Kafka and is not the hook's."""
    files = [path for path in (host.root / "spool").rglob("*") if path.is_file()]
    return sum(size(path) for path in files if host.spool not in path.parents)


def ticks(host):
    """When samples were taken, Unix seconds."""
    samples = host.kafka.decoded("weir.device.sample").get(f"lab/{SERVER}", [])
    return {sample["time"].timestamp() for sample in samples}


def test_what_happens_while_kafka_is_away_is_there_afterwards(host):
    agents = [host.agent(name) for name in ("devices", "ship")]
    wait_for(lambda: ticks(host))
    host.kafka.down()
    took, waited, job_id = [], 0, 0
    began, since = time.monotonic(), time.time()
    while time.monotonic() - began < SECONDS:
        job_id += 1
        host.put(job_id)
        asked = time.monotonic()
        host.end_job(job_id)
        took.append(time.monotonic() - asked)
        waited = max(waited, waiting_bytes(host))
        time.sleep(max(0.0, JOB_EVERY_SECONDS - (time.monotonic() - asked)))
    away = time.time()
    assert len(host.waiting()) == job_id
    host.kafka.up()
    wait_for(lambda: not host.waiting(), seconds=60 + SECONDS)
    wait_for(lambda: max(ticks(host)) > away, seconds=60 + SECONDS)
    # new samples are sent between the old ones
    wait_for(lambda: sum(since < each < away for each in ticks(host)) > 0.8 * SECONDS, seconds=60 + SECONDS)
    for each in agents:
        each.send_signal(signal.SIGTERM)
        assert each.wait(60) == 0
    manifests = host.manifests()
    assert sorted(manifests) == sorted(f"lab/{number}" for number in range(1, job_id + 1))
    assert {log_id for each in manifests.values() for log_id in each["log_ids"]} == host.log_ids()
    assert len(host.log_ids()) == job_id
    assert waited <= QUOTA_BYTES
    print(f"{job_id} of {job_id} jobs, most that waited {waited} bytes, longest hook {max(took):.3f} s")
    assert not IS_LONG or waited > 0
    assert not IS_LONG or sorted(took)[int(len(took) * 0.99)] <= MOST_HOOK_SECONDS
