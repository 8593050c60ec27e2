"""The pages of docs/reference are what the code says."""

import subprocess
import sys
from pathlib import Path

BUILD = Path(__file__).parents[2] / "docs/reference/build.py"


def test_the_reference_is_what_the_code_says():
    done = subprocess.run([sys.executable, BUILD, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
