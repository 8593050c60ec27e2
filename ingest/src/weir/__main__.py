"""`python -m weir`: the command, where no script is installed."""

from weir.cli import main

main()
