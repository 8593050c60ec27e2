"""`weir check-config` and `weir doctor`: an installation that is well, and with one thing wrong at a time."""

import time
from pathlib import Path

import mock_kafka
import pytest
import yaml
from prometheus_client import start_http_server
from typer.testing import CliRunner
from weir import doctor
from weir.agents import clock, config, service
from weir.cli import app

SITE = {
    "cluster": "lab",
    "time_zone": "UTC",
    "scheduler": "slurm",
    "cores_per_node": {"default": 8},
    "file_systems": [{"id": "scratch", "kind": "local_disk", "mount_prefixes": ["/scratch"]}],
    "servers": [{"name": "oss1", "sample_interval_seconds": 10}],
}


@pytest.fixture(scope="module")
def kafka():
    with mock_kafka.running() as cluster:
        yield cluster.bootstrap


@pytest.fixture
def installed(tmp_path, kafka, monkeypatch):
    """Write the agents' file with some keys changed; all that it names is there."""
    for folder in ("spool/jobs", "state", "logs"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "spool/jobs").chmod(0o2770)
    (tmp_path / "sacct").write_text("#!/bin/sh\n")
    (tmp_path / "sacct").chmod(0o755)
    logs = {"path": str(tmp_path / "logs"), "layout": "year/month/day", "owner_check": "strict"}
    (tmp_path / "site.yaml").write_text(yaml.safe_dump(SITE | {"log_directories": [logs]}))
    monkeypatch.setenv("WEIR_AGENT_CONFIG", str(tmp_path / "agent.yaml"))

    def write(**changed):
        content = {
            "site": str(tmp_path / "site.yaml"),
            "kafka": {"bootstrap.servers": kafka},
            "spool": str(tmp_path / "spool"),
            "state": str(tmp_path / "state"),
            "ship": {"metrics_port": 0},
            "scheduler": {"metrics_port": 0, "sacct": str(tmp_path / "sacct")},
            "devices": {"metrics_port": 0, "server": "oss1"},
        }
        (tmp_path / "agent.yaml").write_text(yaml.safe_dump(content | changed))
        return tmp_path

    return write


def bad():
    """What the doctor finds; who runs the test may be root, its clock free, and a mock has no topics."""
    found = config.load()
    checks = doctor.examine(found, found.agents)
    apart = ("user", "clock", "topic ")
    return {each.subject: each for each in checks if not each.good and not each.subject.startswith(apart)}


def test_what_is_well_is_told_to_be_well(installed):
    installed()
    assert bad() == {}


def test_every_problem_of_the_file_is_told_at_once_with_its_key(installed):
    installed(spoool="/x", ship={"processes": 0}, kafka={})
    done = CliRunner().invoke(app, ["check-config"])
    assert done.exit_code
    told = str(done.exception)
    assert all(
        key in told for key in ("agent.yaml: spoool", "agent.yaml: ship.processes", "agent.yaml: kafka")
    )


def test_a_file_that_is_no_yaml_is_told(installed):
    (installed() / "agent.yaml").write_text("kafka: [")
    assert "not YAML" in str(CliRunner().invoke(app, ["check-config"]).exception)


def test_a_good_file_names_its_agents_and_cluster(installed):
    installed()
    told = CliRunner().invoke(app, ["check-config"]).stdout
    assert "ship, scheduler, devices" in told
    assert "cluster lab" in told


def test_a_site_with_a_problem_ends_the_examination_there(installed):
    (installed() / "site.yaml").write_text(yaml.safe_dump(SITE))
    (told,) = bad().values()
    assert "log_directories" in told.seen


def test_a_kafka_that_does_not_answer(installed, monkeypatch):
    monkeypatch.setattr(doctor, "KAFKA_SECONDS", 1)
    installed(kafka={"bootstrap.servers": "127.0.0.1:1"})
    assert list(bad()) == ["Kafka 127.0.0.1:1"]


def test_topics_that_are_not_there_are_named_with_the_command_that_makes_them(installed):
    installed()
    found = config.load()
    topics = [each for each in doctor.examine(found, ["devices"]) if each.subject.startswith("topic ")]
    assert [(each.subject, each.way_out) for each in topics] == [
        ("topic weir.device.sample", "weir topics apply")
    ]


def test_a_server_that_tells_of_lustre_needs_the_topics(installed):
    installed(devices={"metrics_port": 0, "server": "oss1", "lustre_seconds": 10})
    checks = {each.subject: each for each in doctor.examine(config.load(), ["devices"])}
    assert {"topic weir.job.live", "topic weir.target.live"} <= checks.keys()


def test_a_server_without_counters_of_lustre_is_told(installed, monkeypatch, tmp_path):
    installed(devices={"metrics_port": 0, "server": "oss1", "lustre_seconds": 10})
    monkeypatch.setattr(doctor, "ROOT", tmp_path)
    assert "debugfs" in bad()["Lustre's counters"].way_out
    for file, told in (("obdfilter/a/stats", True), ("osd-zfs/a/brw_stats", False)):
        (tmp_path / "proc/fs/lustre" / file).parent.mkdir(parents=True)
        (tmp_path / "proc/fs/lustre" / file).touch()
        assert ("Lustre's counters" in bad()) == told


def test_a_spool_of_a_user_that_this_machine_does_not_know(installed, monkeypatch):
    installed()
    monkeypatch.setattr(doctor.pwd, "getpwuid", {}.__getitem__)
    checks = {each.subject: each.seen for each in doctor.examine(config.load(), ["ship"])}
    assert "no such user here" in checks["user"]
    assert any("no such user here" in seen for subject, seen in checks.items() if "spool" in subject)


def test_a_spool_that_everybody_may_write_to(installed):
    (installed() / "spool/jobs").chmod(0o777)
    (told,) = bad().values()
    assert "everybody may write" in told.seen


def test_ends_of_jobs_that_the_hook_dropped(installed):
    (installed() / "spool/jobs/dropped").write_bytes(b"...")
    (told,) = bad().values()
    assert told.seen == "3 ends of jobs were dropped"


def test_an_entry_that_waits_too_long(installed):
    (installed() / "spool/jobs" / f"{10**18:020d}-7-1.json").write_text("{}")
    (told,) = bad().values()
    assert "an entry waits for" in told.seen


def test_a_log_directory_that_is_not_there(installed):
    (installed() / "logs").rmdir()
    (told,) = bad().values()
    assert told.subject.startswith("logs ")


def test_sacct_that_is_not_there(installed):
    (installed() / "sacct").unlink()
    (told,) = bad().values()
    assert told.way_out == "install slurm-client"


def test_a_server_that_the_site_does_not_know(installed):
    installed(devices={"metrics_port": 0, "server": "oss7"})
    (told,) = bad().values()
    assert told.subject == "server oss7"
    assert "oss1" in told.way_out


def test_the_kernels_answer_is_read_where_it_stands():
    """The time that it gives stands behind the fields that are used."""
    assert abs(clock.asked().seconds - time.time()) < 60


@pytest.mark.parametrize(("status", "seen"), [(0x2001, "off by at most 0.250 s"), (0x40, "not synchronized")])
def test_a_clock_that_nobody_sets_is_told(monkeypatch, status, seen):
    monkeypatch.setattr(clock, "asked", lambda: clock.Timex(maxerror=250_000, status=status))
    assert seen in doctor._clock().seen
    assert doctor._clock().good == (status == 0x2001)


def test_a_site_without_what_an_agent_needs(installed):
    folder = installed()
    site = yaml.safe_load((folder / "site.yaml").read_text())
    del site["scheduler"]
    (folder / "site.yaml").write_text(yaml.safe_dump(site))
    said = "scheduler: is missing, which weir agent scheduler needs"
    assert said in bad()[f"site {folder}/site.yaml"].seen
    assert said in f"{CliRunner().invoke(app, ['check-config']).exception}"
    agents = yaml.safe_load((folder / "agent.yaml").read_text())
    del agents["scheduler"]
    (folder / "agent.yaml").write_text(yaml.safe_dump(agents))
    assert bad() == {}
    assert CliRunner().invoke(app, ["check-config"]).exit_code == 0


def test_an_agent_that_can_not_go_on_is_told_with_its_reason(installed):
    server, thread = start_http_server(0, "127.0.0.1")
    service.failing("weir.darshan.log: Broker: Topic authorization failed")
    try:
        installed(ship={"metrics_port": server.server_port})
        (told,) = bad().values()
        assert told.seen.endswith("can't go on: weir.darshan.log: Broker: Topic authorization failed")
        assert "ACL" in told.way_out
        service.well()
        assert bad() == {}
    finally:
        service.well()
        server.shutdown()
        server.server_close()
        thread.join()


def test_an_agent_that_does_not_answer(installed):
    installed(ship={"metrics_port": 1})
    (told,) = bad().values()
    assert told.way_out == "systemctl start weir-agent@ship"


def test_the_command_tells_what_is_wrong_and_how_to_mend_it(installed):
    (installed() / "sacct").unlink()
    done = CliRunner().invoke(app, ["doctor", "scheduler"])
    assert done.exit_code == 1
    assert "install slurm-client" in done.stdout


def test_the_sample_holds_every_key_with_its_default(monkeypatch, tmp_path):
    sample = Path(__file__).parents[2] / "infra/agents/agent.yaml"
    monkeypatch.setenv("WEIR_AGENT_CONFIG", str(sample))
    loaded, told = config.load(), yaml.safe_load(sample.read_text())
    monkeypatch.setenv("WEIR_AGENT_CONFIG", str(tmp_path / "none"))
    defaults = config.AgentConfig(kafka=loaded.kafka)
    assert loaded == defaults
    everything = defaults.model_dump()
    assert told.keys() == everything.keys()
    for section in ("ship", "scheduler", "devices"):
        assert told[section].keys() == everything[section].keys()
