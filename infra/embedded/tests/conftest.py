import pytest
from weir_embedded.settings import Stack


@pytest.fixture
def unstarted(tmp_path):
    """Settings of a stack in an empty folder."""
    return Stack(home=tmp_path / "home", packages=tmp_path / "packages", port_offset=3000)
