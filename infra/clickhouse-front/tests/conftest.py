from collections.abc import Iterator
from pathlib import Path

import pytest
from front_process import FrontProcess


@pytest.fixture(scope="session")
def front(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FrontProcess]:
    """One front for all tests that only need one; its database weir is empty at first."""
    process = FrontProcess(tmp_path_factory.mktemp("front")).start()
    process.ask("migrator", "CREATE DATABASE weir")
    yield process
    assert process.stop() == 0, process.log.read_text()[-2000:]


@pytest.fixture
def own_front(tmp_path: Path) -> Iterator[FrontProcess]:
    """A front that a test may kill; few threads and a short queue."""
    process = FrontProcess(tmp_path, WEIR_FRONT_READER_THREADS="1", WEIR_FRONT_QUEUE_SECONDS="0.3").start()
    process.ask("migrator", "CREATE DATABASE weir")
    yield process
    process.kill()


@pytest.fixture
def table(front: FrontProcess) -> str:
    """weir.t (k UInt64, v String), empty."""
    front.ask("migrator", "CREATE OR REPLACE TABLE weir.t (k UInt64, v String) ENGINE = MergeTree ORDER BY k")
    return "weir.t"
