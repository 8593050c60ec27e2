import shutil
import sys
from pathlib import Path

import pytest

SUPERSET = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SUPERSET))

from dataset_engine import Engine, migrated  # noqa: E402


@pytest.fixture
def folder(tmp_path):
    """A copy of the assets that a test may damage."""
    for name in ("assets", "sql"):
        shutil.copytree(SUPERSET / name, tmp_path / name)
    return tmp_path


@pytest.fixture(scope="session")
def session(tmp_path_factory):
    """ClickHouse's engine in this process, with Weir's tables."""
    session = migrated(str(tmp_path_factory.mktemp("engine")))
    yield session
    session.close()


@pytest.fixture
def engine_of(session):
    """Makes an engine that holds these rows, {table: rows}, until the test ends."""
    made = []

    def engine_of(rows):
        while made:
            made.pop().empty()
        made.append(Engine(session, rows))
        return made[0]

    yield engine_of
    for engine in made:
        engine.empty()
