import shutil
import sys
from pathlib import Path

import pytest

SUPERSET = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SUPERSET))


@pytest.fixture
def folder(tmp_path):
    """A copy of the assets that a test may damage."""
    for name in ("assets", "sql"):
        shutil.copytree(SUPERSET / name, tmp_path / name)
    return tmp_path
