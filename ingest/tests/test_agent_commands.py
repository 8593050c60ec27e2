"""`weir agent devices` and `weir agent scheduler` as processes: they start, publish, end on SIGTERM."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import mock_kafka
import pytest
import yaml
from weir import wire

MAIN = "from weir.cli import main; main()"
DAY_FILE_LINE = (
    "11/21/2026 09:12:11;E;7.srv;user=ann group=g jobname=x queue=work ctime={0} qtime={0} etime={0} "
    "start={0} exec_host=c1/0 end={0} Exit_status=0\n"
)


@pytest.fixture
def kafka():
    with mock_kafka.running() as cluster:
        yield cluster


@pytest.fixture
def agent(tmp_path, kafka, recorded):
    """Starts an agent; at the end it is told to stop and must end well."""
    started = []

    def agent(name, of_site="slurm", **sections):
        site = yaml.safe_load((recorded / "site.yaml").read_text()) | {"scheduler": of_site}
        (tmp_path / "site.yaml").write_text(yaml.safe_dump(site))
        folders = {each: str(tmp_path / each) for each in ("spool", "state")}
        (tmp_path / "agent.yaml").write_text(
            json.dumps({"site": str(tmp_path / "site.yaml"), "kafka": kafka.options, **folders, **sections})
        )
        environment = os.environ | {"WEIR_AGENT_CONFIG": str(tmp_path / "agent.yaml")}
        command = [sys.executable, "-c", MAIN, "agent", name]
        process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
        started.append(process)
        return process

    yield agent
    for process in started:
        process.kill()
        process.communicate()


def eventually(is_so):
    pause = threading.Event()
    for _ in range(3_000):
        if is_so():
            return
        pause.wait(0.01)
    pytest.fail("did not happen within 30 s")


def ended(process):
    process.send_signal(signal.SIGTERM)
    _, log = process.communicate(timeout=60)
    assert process.returncode == 0, log
    return [json.loads(line)["event"] for line in log.splitlines()]


def test_devices(agent, kafka):
    process = agent("devices", devices={"server": "vm", "metrics_port": 0, "exclude": ["sr*"]})
    eventually(lambda: len(kafka.messages("weir.device.sample")) >= 2)
    events = ended(process)
    assert (events[0], events[-1]) == ("started", "stopped")
    first, second, *_ = (wire.decode(value)[1] for _, value in kafka.messages("weir.device.sample"))
    assert {key for key, _ in kafka.messages("weir.device.sample")} == {"labcluster/vm"}
    assert (first["boot_id"], first["cumulative"]) == (second["boot_id"], True)
    assert first["device_ids"] == second["device_ids"] != []


def test_a_server_that_the_site_does_not_know(agent):
    process = agent("devices", devices={"server": "elsewhere", "metrics_port": 0})
    _, log = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "servers has vm, but not elsewhere. Add it there" in log


def test_scheduler_of_pbs(agent, kafka, tmp_path):
    now = time.time()
    folder = tmp_path / "accounting"
    folder.mkdir()
    day = time.strftime("%Y%m%d", time.gmtime(now))
    (folder / day).write_text(DAY_FILE_LINE.format(int(now)))
    section = {"metrics_port": 0, "accounting": str(folder), "interval_seconds": 0.1}
    process = agent("scheduler", of_site="pbs", scheduler=section)
    eventually(lambda: kafka.messages("weir.scheduler.job"))
    ended(process)
    ((key, value),) = kafka.messages("weir.scheduler.job")
    job = wire.decode(value)[1]
    assert (key, job["state"], job["origin"]) == ("labcluster/7", "COMPLETED", "live")
