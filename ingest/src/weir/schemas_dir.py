"""Finds the frozen contracts: a link to the repository's schemas/ in a checkout, a copy in the wheel."""

from pathlib import Path

SCHEMAS = Path(__file__).parent / "schemas"
