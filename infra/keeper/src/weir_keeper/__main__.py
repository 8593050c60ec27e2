"""`python -m weir_keeper run`, or `resume JOB`: the keeper where no `weir-stack` is."""

from typing import Annotated

import typer

from weir_keeper import keeper
from weir_keeper.place import Settings

app = typer.Typer(add_completion=False, no_args_is_help=True, help=__doc__, pretty_exceptions_enable=False)


@app.command()
def run() -> None:
    """Have the jobs running, until killed."""
    settings = Settings()
    keeper.main(settings, settings.well_file)


@app.command()
def resume(job: Annotated[str, typer.Argument(help="the job's name")]) -> None:
    """Let a job run again that ended by itself, from its newest complete checkpoint."""
    keeper.resume(Settings(), job)


if __name__ == "__main__":
    app()
