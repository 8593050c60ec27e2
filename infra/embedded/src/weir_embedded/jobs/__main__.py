"""`python -m weir_embedded.jobs`: the supervised keeper."""

from weir_embedded.jobs.keeper import main

main()
