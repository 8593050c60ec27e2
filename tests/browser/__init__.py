"""The dashboards in a real browser. Makes the asset tool importable, which is used from the checkout."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "superset"))
