"""Progress of one long step: a bar on a terminal, else a line every ten seconds."""

import time
from types import TracebackType
from typing import Self

from rich import progress as rich_progress
from rich.console import Console

LINE_SECONDS = 10


class Progress:
    """Shows what is done, how far and how long; a context manager that is called with (done, whole).

    With a `unit` it also shows how many of it a second, and how long it will still take.
    """

    def __init__(self, what: str, unit: str | None = None):
        self._what, self._unit = what, unit
        self._began = self._reported_at = time.monotonic()
        self._console = Console()
        self._bar: rich_progress.Progress | None = None

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._bar = rich_progress.Progress(
                rich_progress.TextColumn("{task.description}"),
                rich_progress.BarColumn(),
                rich_progress.TaskProgressColumn(),
                rich_progress.TimeElapsedColumn(),
                rich_progress.TextColumn("{task.fields[pace]}"),
                console=self._console,
            )
            self._bar.start()
            self._task = self._bar.add_task(self._what, pace="")
        return self

    def __call__(self, done: float, whole: float) -> None:
        """Show that `done` of `whole` is over."""
        if self._bar:
            self._bar.update(self._task, completed=done, total=whole, pace=self._pace(done, whole))
        elif time.monotonic() - self._reported_at >= LINE_SECONDS or done >= whole:
            self._reported_at = time.monotonic()
            share = 100 if whole <= 0 else 100 * done / whole
            spent = f"{self._reported_at - self._began:.0f} s"
            print(f"{self._what}: {int(share)} %, {spent}{self._pace(done, whole)}", flush=True)

    def _pace(self, done: float, whole: float) -> str:
        seconds = time.monotonic() - self._began
        if not self._unit or not done or not seconds:
            return ""
        rate = done / seconds
        return f", {rate:,.0f} {self._unit} a second, about {(whole - done) / rate:,.0f} s left"

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        if self._bar:
            self._bar.stop()
