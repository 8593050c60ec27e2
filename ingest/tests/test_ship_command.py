"""`weir agent ship`, `weir spool` and `weir backfill` as processes, with a broker that goes away."""

import json
import os
import signal
import subprocess
import threading
import time

import mock_kafka
import pytest
from confluent_kafka import KafkaError
from shipping_host import WEIR, Host
from shipping_site import USER, wait_for
from weir.agents import config, service
from weir.kafka import Publisher, Stopped
from weir.shipping import daemon


@pytest.fixture
def kafka():
    with mock_kafka.running() as kafka:
        yield kafka


@pytest.fixture
def host(tmp_path, kafka):
    host = Host(tmp_path, kafka)
    yield host
    host.stop()


def stop(process, number=signal.SIGTERM):
    process.send_signal(number)
    told = process.communicate(timeout=60)[1]
    return process.returncode, told


def test_jobs_that_end_reach_kafka_and_nothing_is_left(host):
    process = host.ship()
    for job_id in range(1, 6):
        host.put(job_id)
        host.end_job(job_id)
    wait_for(lambda: (host.root / "state/ship.sqlite").exists() and not host.waiting())
    assert stop(process)[0] == 0
    manifests = host.manifests()
    assert sorted(manifests) == [f"lab/{job_id}" for job_id in range(1, 6)]
    assert {log_id for told in manifests.values() for log_id in told["log_ids"]} == host.log_ids()
    assert len(host.log_ids()) == 5


def test_a_log_without_a_hook_is_seen_by_the_kernels_word(host):
    """The first sweep is over when the log comes, and the next is far away."""
    host.put(1)
    process = host.ship()
    wait_for(lambda: len(host.log_ids()) == 1)
    host.put(2)
    wait_for(lambda: len(host.log_ids()) == 2)
    assert stop(process)[0] == 0


def test_kafka_away_loses_nothing_and_the_daemon_stops_when_told(host):
    host.kafka.down()
    process = host.ship()
    for job_id in range(1, 4):
        host.put(job_id)
        host.end_job(job_id)
    wait_for(lambda: (host.root / "state/decoded").exists())
    assert stop(process)[0] == 0
    assert len(host.waiting()) == 3
    process = host.ship()
    host.put(4)
    host.end_job(4)
    host.kafka.up()
    wait_for(lambda: not host.waiting())
    assert stop(process)[0] == 0
    assert sorted(host.manifests()) == [f"lab/{job_id}" for job_id in range(1, 5)]
    assert len(host.log_ids()) == 4


def test_kill_minus_nine_again_and_again_loses_nothing(host):
    """F2, at moments that nobody chose."""
    jobs = 40
    for job_id in range(1, jobs + 1):
        host.put(job_id, records=50)
        host.end_job(job_id)
    for _ in range(6):
        process = host.ship()
        before = len(host.waiting())
        wait_for(
            lambda before=before: len(host.waiting()) < before or (host.root / "state/decoded/3").exists()
        )
        stop(process, signal.SIGKILL)
        if not host.waiting():
            break
    process = host.ship()
    wait_for(lambda: not host.waiting())
    assert stop(process)[0] == 0
    manifests = host.manifests()
    assert len(manifests) == jobs
    assert all(told["final"] and len(told["log_ids"]) == 1 for told in manifests.values())
    assert {told["log_ids"][0] for told in manifests.values()} == host.log_ids()


def test_what_was_refused_is_listed_retried_and_purged(host):
    file = host.put(7, age=300)
    file.write_bytes(b"no log")
    os.utime(file, (time.time() - 300,) * 2)
    process = host.ship()
    wait_for(lambda: "quarantined" in host.weir("spool", "ls", "--json").stdout)
    line = json.loads(host.weir("spool", "ls", "--json").stdout)
    assert (line["state"], line["what"]) == ("quarantined", str(file))
    assert "no Darshan log" in line["reason"]
    assert host.weir("spool", "retry", "*none*").stdout == "nothing that was refused matches\n"
    assert host.weir("spool", "retry", "*id7*").stdout == f"{file}\n"
    wait_for(lambda: len(host.kafka.decoded("weir.dead-letter")["darshan"]) == 2)
    wait_for(lambda: "quarantined" in host.weir("spool", "ls", "--json").stdout)
    assert host.weir("spool", "purge", "*").stdout == f"{file}\n"
    assert host.weir("spool", "ls", "--json").stdout == ""
    assert file.read_bytes() == b"no log"
    assert stop(process)[0] == 0


def test_a_log_that_kafka_refuses_for_good_is_listed_and_goes_when_retried(host):
    """The broker refuses the log's batch, and its header alone."""
    for topic in ("weir.darshan.log", "weir.dead-letter"):
        host.kafka.make(topic)
    file = host.put(1)
    host.kafka.answer(*[KafkaError.MSG_SIZE_TOO_LARGE] * 2)
    process = host.ship()
    wait_for(lambda: host.kafka.decoded("weir.dead-letter"))
    host.put(2)
    wait_for(lambda: any(len(told) > 2 for told in host.kafka.decoded("weir.darshan.log").values()))
    line = json.loads(host.weir("spool", "ls", "--json").stdout)
    assert (line["state"], line["what"]) == ("refused", str(file))
    assert line["reason"] == "weir.darshan.log: Broker: Message size too large"
    assert "refused by Kafka" in host.weir("doctor", "ship").stdout
    assert host.weir("spool", "retry", "*id1*").stdout == f"{file}\n"
    wait_for(lambda: sum(len(told) >= 3 for told in host.kafka.decoded("weir.darshan.log").values()) == 2)
    wait_for(lambda: host.weir("spool", "ls", "--json").stdout == "")
    assert stop(process)[0] == 0


@pytest.fixture
def serving(host, monkeypatch):
    """The daemon in this process, which does not wait long after a round that failed."""
    service.well()  # what another test's agent said in this process
    monkeypatch.setattr(daemon, "FAILURE_SECONDS", 0.05)
    monkeypatch.setattr(daemon, "FAILURE_SECONDS_MOST", 0.1)
    monkeypatch.setenv("WEIR_AGENT_CONFIG", host.environment["WEIR_AGENT_CONFIG"])
    stopping = threading.Event()
    thread = threading.Thread(target=daemon.serve, args=(config.load(), stopping))
    yield thread.start
    stopping.set()
    thread.join()


def failing():
    return [sample.labels["reason"] for family in service.FAILING.collect() for sample in family.samples]


@pytest.mark.parametrize("topic", ["weir.darshan.log", "weir.job.manifest"])
def test_a_topic_that_may_not_be_written_is_told_and_waited_for(host, serving, topic):
    host.kafka.make(topic)
    host.kafka.say_of(topic, KafkaError.TOPIC_AUTHORIZATION_FAILED)
    host.put(1)
    host.end_job(1)
    serving()
    wait_for(failing)
    (reason,) = failing()
    assert reason.startswith(f"{topic}: ") and reason.endswith("Topic authorization failed")
    assert len(host.waiting()) == 1
    host.kafka.say_of(topic, 0)
    wait_for(lambda: not host.waiting() and not failing())
    assert len(host.log_ids()) == 1
    assert host.weir("spool", "ls", "--json").stdout == ""


def test_backfill_twice_sends_the_same(host):
    """F15: of each log the same messages, whether sent once, twice, or by the live stream, too."""
    for job_id in range(1, 30):
        host.put(job_id)
    host.put(30, uid=USER + 1)
    host.put(31).write_bytes(b"no log")
    first = host.weir("backfill", str(host.logs))
    assert first.stdout.splitlines()[-3].endswith("29 sent, 2 refused"), first
    assert first.returncode == 1
    once = host.kafka.decoded("weir.darshan.log")
    assert len(once) == 29
    assert "0 sent, 29 sent before, 2 refused" in host.weir("backfill", str(host.logs)).stdout
    assert host.kafka.decoded("weir.darshan.log") == once
    host.weir("backfill", "--again", str(host.logs))
    twice = host.kafka.decoded("weir.darshan.log")
    assert twice == {log_id: told + told for log_id, told in once.items()}
    process = host.ship()
    wait_for(lambda: all(len(told) > 6 for told in host.kafka.decoded("weir.darshan.log").values()))
    assert stop(process)[0] == 0
    for log_id, told in host.kafka.decoded("weir.darshan.log").items():
        assert [m | {"origin": "backfill"} for m in told[6:]] == once[log_id]


def test_backfill_of_some_days_and_of_an_archive(host):
    host.put(1, age=3 * 86400)
    host.put(2, age=10 * 86400, uid=USER + 1)
    host.put(3)
    day = time.strftime("%Y-%m-%d", time.gmtime(time.time() - 2 * 86400))
    told = host.weir("backfill", "--until", day, "--trusted", str(host.logs)).stdout
    assert "2 sent, 1 of other days, 0 refused" in told


def test_backfill_that_is_stopped_goes_on(host):
    for job_id in range(1, 20):
        host.put(job_id)
    host.kafka.down()
    command = [WEIR, "backfill", str(host.logs)]
    first = subprocess.Popen(command, env=host.environment, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: (host.root / "state/backfill.sqlite").exists())
    code, told = stop(first, signal.SIGINT)
    assert code == 1
    assert told.endswith("weir: stopped; the same command goes on from here\n")
    host.kafka.up()
    assert "19 sent" in host.weir("backfill", str(host.logs)).stdout


def test_an_agents_publisher_waits_for_kafka_bounded_and_until_it_is_told_to_stop(kafka):
    stopping = threading.Event()
    options = {"bootstrap.servers": kafka.bootstrap, "queue.buffering.max.kbytes": "100"}
    kafka.down()
    with pytest.raises(Stopped), Publisher.for_agent(options, "live", stopping) as publisher:
        publisher.put("weir.darshan.log", "a", bytes(50_000))
        threading.Timer(1, stopping.set).start()
        while True:  # the queue is full
            publisher.put("weir.darshan.log", "a", bytes(50_000))
    assert publisher.sent.total() < 5
