"""`python -m weir_keeper run`, or `resume JOB`: the keeper where no `weir-stack` is."""

from typing import Annotated

import typer

from weir_keeper import keeper
from weir_keeper.declared import NAMES
from weir_keeper.place import Settings

app = typer.Typer(add_completion=False, no_args_is_help=True, help=__doc__, pretty_exceptions_enable=False)


@app.command()
def run() -> None:
    """Have the jobs running, until killed."""
    settings = Settings()
    keeper.main(settings, settings.well_file)


@app.command()
def check() -> None:
    """Report what keeps a job from running; exit code 1 if anything does."""
    try:
        keeper.check(Settings())
    except keeper.NotRunning as problem:
        typer.echo(str(problem), err=True)
        raise typer.Exit(1) from None


@app.command()
def resume(job: Annotated[str, typer.Argument(help=" or ".join(NAMES))]) -> None:
    """Let a job run again that ended by itself, from its newest complete checkpoint."""
    if job not in NAMES:
        raise typer.BadParameter(f"there is no job {job}: {' and '.join(NAMES)}")
    keeper.resume(Settings(), job)


if __name__ == "__main__":
    app()
