import pytest

from . import services


@pytest.fixture(scope="session")
def containers(stack):
    """The running services; tests of this folder are for nothing else."""
    if not isinstance(stack, services.Containers):
        pytest.skip("these tests are for containers: WEIR_TEST_STACK=containers")
    return stack
