"""The running stack that the tests of this folder share: own data and ports, the checkout's downloads."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest
from clients import CENTER, CLUSTER, Sql, Weir, unread
from containers import services
from sim import views
from sim.center import Center
from sim.schedule import Schedule
from tenacity import Retrying, retry_if_not_result, stop_after_delay, wait_fixed
from weir_embedded import status
from weir_embedded.settings import Stack
from weir_keeper import FlinkRest
from weir_keeper.declared import NAMES

ROOT = Path(__file__).parents[1]
PORT_OFFSET = os.environ.get("WEIR_TEST_PORT_OFFSET", "1000")
# Of the jobs, short enough that a test sees what comes after them.
WAITS = {
    "WEIR_CHECKPOINT_SECONDS": "3",
    "WEIR_STORAGE_HOUR_DELAY_SECONDS": "5",
    "WEIR_JOB_LOG_WAIT_SECONDS": "5",
    "WEIR_JOB_LOAD_WAIT_SECONDS": "5",
    "WEIR_JOB_JOIN_WAIT_SECONDS": "8",
}
PROJECT_LEADS = "project_leads.yaml"
# Of the JVMs: what the second compiler makes faster does not come back in the minutes of a test.
JVM = {"JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1"}


def pytest_configure(config):
    """Must come before any test module reads its environment."""
    home = Path(os.environ.get("WEIR_TEST_HOME", ROOT / ".weir" / "test"))
    os.environ["WEIR_HOME"] = str(home)
    os.environ["WEIR_CONFIG"] = str(home / "weir.yaml")
    os.environ["WEIR_PORT_OFFSET"] = PORT_OFFSET
    os.environ.update(WAITS | JVM)


@pytest.fixture(scope="session")
def weir_stack(pytestconfig):
    """Runs a `weir-stack` command with its progress in view: a start takes most of a minute."""
    capture = pytestconfig.pluginmanager.getplugin("capturemanager")

    def run(*words, **settings):
        env = {f"WEIR_{name.upper()}": str(value) for name, value in settings.items()}
        shown = [*(f"{name}={value}" for name, value in env.items()), "weir-stack", *words]
        with capture.global_and_fixture_disabled():
            print(f"\n$ {' '.join(shown)}", flush=True)
            program = Path(sys.executable).with_name("weir-stack")
            subprocess.run([program, *words], env=os.environ | env, check=True)

    return run


@pytest.fixture(scope="session")
def tell(pytestconfig):
    """Print what was measured, beside the names of the tests."""
    capture = pytestconfig.pluginmanager.getplugin("capturemanager")

    def tell(text):
        with capture.global_and_fixture_disabled():
            print(f"\n{text}", flush=True)

    return tell


@pytest.fixture(scope="session")
def stack(request):
    """A fresh stack, healthy, with topics, tables, site, rules and dashboards; stopped at the end.

    The embedded one, or containers where WEIR_TEST_STACK says so.
    """
    kind = os.environ.get("WEIR_TEST_STACK", "embedded")
    return request.getfixturevalue(f"{kind}_stack")


@pytest.fixture(scope="session")
def containers_stack(tmp_path_factory):
    """Three brokers and two TaskManagers."""
    if reason := services.why_not():
        pytest.fail(reason) if os.environ.get("WEIR_REQUIRE_CONTAINERS") else pytest.skip(reason)
    names = (*(f"KAFKA{number}" for number in (1, 2, 3)), "SUPERSET", "CLICKHOUSE")
    ports = zip(names, services.free_ports(len(names)), strict=True)
    environment = {f"WEIR_{name}_PORT": str(port) for name, port in ports}
    environment |= {"WEIR_BROKERS": "3", "WEIR_CHECKPOINT_SECONDS": "3"}
    stack = services.Containers(tmp_path_factory.mktemp("containers"), environment)
    with stack.started(WAITS | JVM):
        yield stack


@pytest.fixture(scope="session")
def embedded_stack(weir_stack):
    """See `stack`."""
    weir_stack("down")
    weir_stack("clean")
    # Accounts are Superset's own. Who leads a project stands in a file that a test may write.
    stack = Stack()
    stack.home.mkdir(parents=True, exist_ok=True)
    sign_in = stack.home / "sign_in.yaml"
    sign_in.write_text(f"project_leads: {stack.home / PROJECT_LEADS}\n")
    weir_stack("up", superset_sign_in_file=sign_in)
    yield stack
    weir_stack("down")


@pytest.fixture(scope="session")
def project_leads(stack):
    """The file that says who leads which project to the Superset of the embedded stack."""
    return stack.home / PROJECT_LEADS


@pytest.fixture(scope="session")
def weir(stack):
    return Weir(stack)


@pytest.fixture(scope="session")
def sql(stack):
    return Sql(stack)


@pytest.fixture(scope="session")
def center(weir):
    """The recording has been replayed and everything has landed."""
    weir("topics", "apply")
    weir("migrate", "up")
    weir("site", "publish", CENTER / "site.yaml")
    weir("rules", "publish")
    weir("replay", CENTER, "--speed", "1000000", "--wait", "600")
    return CENTER


@pytest.fixture(scope="session")
def shift(center, stack):
    """Seconds by which recorded times were moved."""
    return json.loads((stack.data / f"weir/replay-{CLUSTER}.json").read_text())["shift_seconds"]


def standing():
    """List the parts of the embedded stack that are not healthy, and the state of its Flink jobs."""
    stack = Stack()
    if not stack.weir_config.exists():
        return []
    rows = status.rows(stack)
    return [f"{row.part}: {row.state}, {row.lag}" for row in rows if row.state != "healthy"]


@pytest.fixture(scope="session")
def eventually():
    """Call a condition until it gives something true, and give that; fail after so many seconds."""

    def wait(condition, seconds=300):
        def fail(last):
            seen = f"not within {seconds} s; the last that was seen: {last.outcome.result()!r}"
            pytest.fail("\n".join([seen, *standing()]))

        return Retrying(
            retry=retry_if_not_result(bool),
            wait=wait_fixed(0.5),
            stop=stop_after_delay(seconds),
            retry_error_callback=fail,
        )(condition)

    return wait


@pytest.fixture(scope="session")
def drained(stack, eventually):
    """Wait until the jobs have read all there is in Kafka and have written what they made of it."""

    def checkpoints():
        flink = FlinkRest(stack).client
        known = flink.get("/jobs").json()["jobs"]
        running = sorted(job["id"] for job in known if job["status"] == "RUNNING")
        assert len(running) == len(NAMES), known
        found = [flink.get(f"/jobs/{each}/checkpoints").json() for each in running]
        return [each["counts"]["completed"] for each in found]

    def wait():
        eventually(lambda: all(unread(stack.kafka, f"weir-{name}") == 0 for name in NAMES))
        # a checkpoint that began after the offsets were committed: the sink waits less than that
        before = checkpoints()
        eventually(lambda: all(now >= then + 2 for now, then in zip(checkpoints(), before, strict=True)))

    return wait


class Simulated(NamedTuple):
    """A simulated center whose messages have all come, and the checksums of what does not depend on order."""

    center: Center
    checksums: dict[str, tuple[int, dict[str, int]]]


@pytest.fixture(scope="session")
def simulation():
    """A simulated center of a name: every situation, on samples that pass over the last midnight."""
    base = int(time.time()) // 86_400 * 86_400 - 1_200

    def of(cluster, origin="live", jobs=100):
        return Center(cluster, jobs=jobs, base=base, origin=origin)

    return of


@pytest.fixture(scope="session")
def simulate(simulation, stack, sql, drained):
    """Publish such a center by a schedule, and wait until nothing more is awaited."""

    def simulate(cluster, schedule):
        center = simulation(cluster)
        views.send(center, schedule, stack)
        views.await_rest(center, stack, sql, drained)
        return center

    return simulate


@pytest.fixture(scope="session")
def simulated(simulate, sql):
    """Sent at random, twice and late, to jobs that nothing happens to."""
    schedule = Schedule(order="random", duplicates=0.1, late=0.05, late_seconds=7200, rate=400)
    center = simulate("sim-random", schedule)
    return Simulated(center, views.checksums(sql, center))
