import pytest
from weir_embedded import passwords
from weir_embedded.settings import Stack

# Those start services as processes, or may build the Flink jobs.
SLOW = {
    "test_bombs.py",
    "test_clickhouse.py",
    "test_guard.py",
    "test_reviver.py",
    "test_setup_build.py",
    "test_supervisor.py",
}


def pytest_collection_modifyitems(items):
    """Of the slow ones `make unit` runs none."""
    for item in items:
        if item.path.name in SLOW:
            item.add_marker("slow")


@pytest.fixture
def unstarted(tmp_path):
    """Settings of a stack in an empty folder."""
    return Stack(home=tmp_path / "home", packages=tmp_path / "packages", port_offset=3000)


@pytest.fixture
def set_up(unstarted):
    """The same, once it has its passwords and keys."""
    passwords.generate_missing(unstarted)
    return unstarted
