"""The running stack that the tests of this folder share: own data and ports, the checkout's downloads."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from weir_embedded.settings import Stack

ROOT = Path(__file__).parents[1]
PORT_OFFSET = os.environ.get("WEIR_TEST_PORT_OFFSET", "1000")


def pytest_configure(config):
    """Must come before any test module reads its environment."""
    home = Path(os.environ.get("WEIR_TEST_HOME", ROOT / ".weir" / "test"))
    os.environ["WEIR_HOME"] = str(home)
    os.environ["WEIR_CONFIG"] = str(home / "weir.yaml")
    os.environ["WEIR_PORT_OFFSET"] = PORT_OFFSET


@pytest.fixture(scope="session")
def weir_stack(pytestconfig):
    """Runs a `weir-stack` command with its progress in view: a start takes most of a minute."""
    capture = pytestconfig.pluginmanager.getplugin("capturemanager")

    def run(*words):
        with capture.global_and_fixture_disabled():
            print(f"\n$ weir-stack {' '.join(words)}", flush=True)
            subprocess.run([Path(sys.executable).with_name("weir-stack"), *words], check=True)

    return run


@pytest.fixture(scope="session")
def stack(weir_stack):
    """A fresh stack, healthy, with topics, tables, site, rules and dashboards; stopped at the end."""
    weir_stack("down")
    weir_stack("clean")
    weir_stack("up")
    yield Stack()
    weir_stack("down")
