"""What each part is given: its own secrets, certificates that hold for it, and settings that are right."""

import subprocess

import pytest
from weir_configure import certificates, settings
from weir_configure.__main__ import parts
from weir_configure.passwords import Kept


def given(tmp_path, **values):
    """Folder -> all that a part can read, as one text."""
    told = parts(settings.Settings(**values), Kept(tmp_path / "kept"))
    return {
        folder: "\n".join(each if isinstance(each, str) else each.hex() for each in files.values())
        for _, folder, files in told
    }


def test_passwords_are_made_once_and_configuration_every_time(tmp_path):
    first, second = given(tmp_path), given(tmp_path, parallelism=4)
    assert first["postgres"] == second["postgres"]
    assert "parallelism.default: 2" in first["flink"]
    assert "parallelism.default: 4" in second["flink"]
    assert first["kafka1"] == second["kafka1"]


def test_no_part_can_read_a_secret_that_it_does_not_need(tmp_path):
    texts = given(tmp_path, brokers=3)
    needed = {
        "kafka_admin": {"kafka1", "kafka2", "kafka3", "weir", "outside"},
        "kafka_agent": {"kafka1", "kafka2", "kafka3", "outside"},
        "kafka_flink": {"kafka1", "kafka2", "kafka3", "flink"},
        "kafka_reference": {"kafka1", "kafka2", "kafka3", "weir"},
        "kafka_metrics": {"kafka1", "kafka2", "kafka3", "weir"},
        "clickhouse_migrator": {"clickhouse", "weir", "outside"},
        "clickhouse_writer": {"clickhouse", "flink", "weir", "outside"},
        "clickhouse_reader": {"clickhouse", "weir", "outside"},
        "clickhouse_alert": {"clickhouse"},
        "superset_admin": {"superset", "weir", "outside"},
        "superset_secret_key": {"superset"},
        "postgres": {"superset", "postgres"},
        "redis": {"superset", "redis"},
        "ca.key": set(),
        "flink.pem": {"flink"},
    }
    for name, readers in needed.items():
        secret = (tmp_path / "kept" / name).read_text()
        assert {folder for folder, text in texts.items() if secret in text} == readers, name


def verified(folder, certificate, *words):
    file = folder / "seen.pem"
    file.write_text(certificate)
    command = ["openssl", "verify", "-CAfile", folder / "ca.pem", *words, file]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_certificates_hold_for_their_hosts_and_are_made_anew_for_others(tmp_path):
    certificates.authority(tmp_path)
    first = certificates.server(tmp_path, "kafka1", ["weir.example.org", "192.0.2.7"])
    for name in ("kafka1", "weir.example.org"):
        assert verified(tmp_path, first, "-verify_hostname", name)
    assert verified(tmp_path, first, "-verify_ip", "192.0.2.7")
    assert not verified(tmp_path, first, "-verify_hostname", "other.example.org")
    assert certificates.server(tmp_path, "kafka1", ["weir.example.org", "192.0.2.7"]) == first
    moved = certificates.server(tmp_path, "kafka1", ["other.example.org"])
    assert verified(tmp_path, moved, "-verify_hostname", "other.example.org")


def test_a_certificate_that_ends_soon_is_made_anew(tmp_path, monkeypatch):
    certificates.authority(tmp_path)
    monkeypatch.setattr(certificates, "SERVER_DAYS", 29)
    soon = certificates.server(tmp_path, "gateway", [])
    assert certificates.server(tmp_path, "gateway", []) != soon


def test_wrong_settings_are_named(monkeypatch):
    monkeypatch.setenv("WEIR_BROKERS", "2")
    monkeypatch.setenv("WEIR_PARALLELISM", "0")
    with pytest.raises(SystemExit, match=r"WEIR_BROKERS: .*WEIR_PARALLELISM: .*\.env"):
        settings.load()
