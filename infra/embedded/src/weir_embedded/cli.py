"""`weir-stack`: the command behind the Makefile."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from rich.markup import escape
from weir_keeper.keeper import resume as resume_job

from weir_embedded import addresses, demo, forget, lifecycle, programs, setup, status
from weir_embedded.errors import StackError
from weir_embedded.parts import all_parts
from weir_embedded.progress import Board
from weir_embedded.settings import Stack

app = typer.Typer(add_completion=False, no_args_is_help=True, help=__doc__, pretty_exceptions_enable=False)


@contextmanager
def _shown() -> Iterator[tuple[Stack, Board]]:
    """Settings and display of one command; turns a `StackError` into its message and exit code 1."""
    board = Board()
    try:
        with board.shown():
            yield Stack(), board
    except StackError as error:
        for line in str(error).splitlines():
            board.console.print(f"[red]✗[/red] {escape(line)}", soft_wrap=True)
        if error.detail:
            board.console.print(error.detail, markup=False, style="dim", soft_wrap=True)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        board.console.print("[red]✗[/red] Interrupted; the same command goes on from here.")
        raise typer.Exit(130) from None


@app.command()
def check() -> None:
    """Check the machine: system, JDK, Maven, memory, disk, ports."""
    with _shown() as (stack, board):
        lifecycle.check(stack)
        board.console.print("[green]✓[/green] The machine has what the stack needs")


@app.command("setup")
def set_up(
    parts: Annotated[list[setup.Part] | None, typer.Argument(help="these alone; without, all")] = None,
) -> None:
    """Fetch and build everything that is missing or out of date; start nothing."""
    with _shown() as (stack, board):
        lifecycle.check_setup(stack)
        setup.set_up(stack, board, parts or tuple(setup.Part))


@app.command()
def up() -> None:
    """Set up what is missing, start every part and wait until all are healthy."""
    with _shown() as (stack, board):
        lifecycle.check(stack)
        setup.set_up(stack, board)
        lifecycle.up(stack, board)
        board.console.print(addresses.table(stack))


@app.command("demo")
def run_demo(
    speed: Annotated[float | None, typer.Option(help="recorded seconds a second")] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="drop the demo cluster's rows and the jobs' state, and begin anew")
    ] = False,
) -> None:
    """Start everything, replay the recorded center as if it happened now, show what came out."""
    with _shown() as (stack, board):
        lifecycle.check(stack)
        setup.set_up(stack, board)
        if fresh:
            forget.begin_anew(stack, board)
        else:
            lifecycle.up(stack, board)
    with _shown() as (stack, board):
        demo.replay(stack, speed, fresh)
        demo.await_mails(stack, board)
        board.console.print(addresses.table(stack))


@app.command()
def down() -> None:
    """Stop every part; data stays."""
    with _shown() as (stack, board):
        lifecycle.down(stack, board)


@app.command()
def clean() -> None:
    """Drop data, logs, configuration and passwords of a stopped stack; downloads stay."""
    with _shown() as (stack, board):
        lifecycle.clean(stack)
        board.console.print(f"[green]✓[/green] {stack.home} holds no data any more")


@app.command("status")
def show_status() -> None:
    """Show every part: up or not, since when, memory, version, lag. Exit code 3 if any is not healthy."""
    with _shown() as (stack, board):
        found = status.rows(stack)
        board.console.print(status.table(found))
    if any(row.state not in ("healthy", "RUNNING") for row in found):
        raise typer.Exit(3)


@app.command()
def logs(
    part: Annotated[str, typer.Argument(help="a part's name; without it, all parts")] = "",
    follow: Annotated[bool, typer.Option("--follow/--no-follow", help="wait for more")] = True,
    lines: Annotated[int, typer.Option(help="how many lines to begin with")] = 20,
) -> None:
    """Show the parts' logs."""
    stack = Stack()
    names = [part] if part else [*all_parts(stack), "supervisord"]
    files = [stack.logs / f"{name}.log" for name in names]
    found = [str(file) for file in files if file.exists()]
    if not found:
        raise typer.BadParameter(f"there is no log yet; parts are {', '.join(all_parts(stack))}")
    command = ["tail", f"--lines={lines}", *(["--follow=name", "--retry"] if follow else []), *found]
    os.execvp("tail", command)  # noqa: S606 - becoming tail is the purpose


@app.command()
def resume(job: Annotated[str, typer.Argument(help="the job's name")]) -> None:
    """Submit a job again that ended by itself, as it was built last, from its newest complete checkpoint."""
    with _shown() as (stack, board):
        programs.install(stack)
        resume_job(stack, job)
        board.console.print(f"The keeper submits {job} within seconds: weir-stack status")
