"""What was run on purpose."""

import json

import pytest
from clients import CENTER


@pytest.fixture(scope="session")
def truths():
    files = sorted(CENTER.glob("darshan/*/*/truth.json"))
    return [(file.parent, json.loads(file.read_text())) for file in files]
