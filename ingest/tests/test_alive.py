"""What commands that stay leave for a health check."""

import time

import pytest
from typer.testing import CliRunner
from weir import clickhouse
from weir.admin import pipeline, pipeline_events, pipeline_measures, reference
from weir.cli import app


class Slept(Exception):
    """The command has come to its pause."""


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Runs a command until its first pause or error; returns that, and until when it says to be alive."""
    options = {"KAFKA": "{}", "CLICKHOUSE_URL": "http://none", "STATE_DIR": str(tmp_path)}
    files = {name: str(tmp_path / name.lower()) for name in ("CONFIG", "ALIVE_FILE")}
    passwords = {"CLICKHOUSE_PASSWORD_FILE": "x", "MIGRATOR_PASSWORD_FILE": "x"}
    for name, value in (options | files | passwords).items():
        monkeypatch.setenv(f"WEIR_{name}", value)
    monkeypatch.setattr(clickhouse, "connect", lambda config: None)

    def sleep(seconds):
        raise Slept

    monkeypatch.setattr("time.sleep", sleep)

    def run(*words):
        ended = type(CliRunner().invoke(app, words).exception)
        alive = tmp_path / "alive_file"
        return ended, alive.stat().st_mtime - time.time() if alive.exists() else None

    return run


def test_each_success_says_until_when_the_next_is_awaited(run, monkeypatch):
    monkeypatch.setattr(pipeline, "read", lambda endpoints, kafka: [])
    monkeypatch.setattr(pipeline, "write", lambda client, found: None)
    monkeypatch.setattr(pipeline_measures, "measure", lambda client, now: [])
    monkeypatch.setattr(pipeline_events, "lasting", lambda kafka: {})
    monkeypatch.setattr(reference, "zones", lambda kafka: {})
    ended, seconds = run("pipeline", "record", "--every", "1000")
    assert ended is Slept
    assert 1000 < seconds <= 2060
    ended, seconds = run("reference", "publish", "--follow")
    assert ended is Slept
    assert 600 < seconds <= 1200


def test_a_failure_says_nothing(run, monkeypatch):
    def unreachable(*_):
        raise OSError

    monkeypatch.setattr(pipeline, "read", unreachable)
    monkeypatch.setattr(reference, "zones", unreachable)
    assert run("pipeline", "record") == (OSError, None)
    assert run("reference", "publish", "--follow") == (OSError, None)
