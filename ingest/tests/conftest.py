"""The recorded center, and what independent tools say of it."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from weir.analyze import jvm
from weir.errors import UserError

CENTER = Path(__file__).parents[2] / "tests/data/center"
EXTRA = Path(__file__).parents[3] / "shared/data"


# Those start agents as processes and wait for what becomes of them, start a JVM for each command, rewrite
# tables, or try hundreds of logs; of other files some tests say so by their mark.
SLOW = {
    "test_agent_commands.py",
    "test_agent_slurm.py",
    "test_analyze_command.py",
    "test_analyze_inputs.py",
    "test_analyze_start.py",
    "test_backtest.py",
    "test_damaged_findings.py",
    "test_darshan_damage.py",
    "test_darshan_differential.py",
    "test_darshan_mutations.py",
    "test_darshan_properties.py",
    "test_history.py",
    "test_kafka_away.py",
    "test_landed.py",
    "test_log_command.py",
    "test_mapped_logs.py",
    "test_operations.py",
    "test_outbox.py",
    "test_parse_mutations.py",
    "test_person.py",
    "test_report_claims.py",
    "test_report_facts.py",
    "test_ship_command.py",
    "test_shipper.py",
    "test_shipper_killed.py",
    "test_shipping_killed_runs.py",
    "test_unfinished.py",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of the slow ones `make unit` runs none."""
    for item in items:
        if item.path.name in SLOW:
            item.add_marker("slow")


@pytest.fixture(scope="session")
def recorded() -> Path:
    return CENTER


@pytest.fixture(scope="session")
def truths() -> list[tuple[Path, dict[str, Any]]]:
    """(folder, truth.json) of every recorded case."""
    files = sorted(CENTER.glob("darshan/*/*/truth.json"))
    return [(file.parent, json.loads(file.read_text())) for file in files]


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """ClickHouse's engine on Weir's tables, spoken to as the commands of `weir` do."""
    from engine_client import EngineClient  # most suites do without the engine

    client = EngineClient(tmp_path_factory.mktemp("engine"))
    yield client
    client.close()


@pytest.fixture
def extra() -> Path:
    """Real data that may not be part of this repository."""
    if not EXTRA.exists():
        pytest.skip("no extra data beside the repository (../shared/data)")
    return EXTRA


@pytest.fixture(scope="session")
def analysis_jar() -> Path:
    """The analysis (Java), which `make test` builds before it runs any suite."""
    try:
        return jvm.find_jar()
    except UserError as error:
        if os.environ.get("WEIR_REQUIRE_ALL") == "1":
            pytest.fail(str(error), pytrace=False)
        pytest.skip(str(error))
