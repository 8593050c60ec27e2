"""`python -m weir_superset`."""

from weir_superset.cli import app

app()
