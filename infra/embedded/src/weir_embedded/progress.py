"""Progress of long steps: a live line per running step on a terminal, elsewhere lines with a heartbeat."""

import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

HEARTBEAT_SECONDS = 8.0
NOTE_WIDTH = 70
LOG_WIDTH = 140


class Step:
    """One running step; `note` says how far it is."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.text = ""
        self.started = time.monotonic()

    def note(self, text: str) -> None:
        """Say how far the step is (the last word counts; safe from any thread)."""
        self.text = text if len(text) <= NOTE_WIDTH else text[: NOTE_WIDTH - 1] + "…"

    @property
    def seconds(self) -> float:
        """How long the step has run."""
        return time.monotonic() - self.started


class Board:
    """Shows the steps of one command, several at once if they run in parallel."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(highlight=False, width=None if sys.stdout.isatty() else LOG_WIDTH)
        self._running: dict[Step, float] = {}
        self._lock = threading.Lock()

    @contextmanager
    def step(self, title: str) -> Iterator[Step]:
        """Show a step while the block runs, and how long it took when it is over."""
        step = Step(title)
        with self._lock:
            self._running[step] = time.monotonic()
        if not self.console.is_terminal:
            self.console.print(f"... {title}", markup=False)
        try:
            yield step
        except BaseException:
            self._close(step, "[red]✗[/red]")
            raise
        self._close(step, "[green]✓[/green]")

    def skipped(self, title: str, why: str) -> None:
        """Say that a step had nothing to do."""
        self.console.print(f"[green]✓[/green] {title} [dim]({why})[/dim]")

    @contextmanager
    def shown(self) -> Iterator["Board"]:
        """Keep the display alive; every step must run inside."""
        stop = threading.Event()
        show = self._show_live if self.console.is_terminal else self._show_plain
        thread = threading.Thread(target=show, args=(stop,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            stop.set()
            thread.join()

    def _close(self, step: Step, mark: str) -> None:
        with self._lock:
            self._running.pop(step)
        detail = f" [dim]{escape(step.text)}[/dim]" if mark.startswith("[red]") and step.text else ""
        self.console.print(f"{mark} {step.title} [dim]{step.seconds:.0f} s[/dim]{detail}")

    def _show_plain(self, stop: threading.Event) -> None:
        while not stop.wait(0.5):
            now = time.monotonic()
            with self._lock:
                late = [step for step, said in self._running.items() if now - said >= HEARTBEAT_SECONDS]
                self._running.update(dict.fromkeys(late, now))
            for step in late:
                self.console.print(f"    {step.title}: {step.seconds:.0f} s {step.text}", markup=False)

    def _show_live(self, stop: threading.Event) -> None:
        columns = (
            SpinnerColumn(),
            TextColumn("{task.description}"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[note]}"),
        )
        with Progress(*columns, console=self.console, transient=True) as progress:
            shown = {}
            while not stop.wait(0.1):
                with self._lock:
                    running = list(self._running)
                for step in running:
                    if step not in shown:
                        shown[step] = progress.add_task(step.title, total=None, note="")
                    progress.update(shown[step], note=step.text)
                for step in [step for step in shown if step not in running]:
                    progress.remove_task(shown.pop(step))


def in_parallel(lanes: Sequence[Sequence[Callable[[], None]]]) -> None:
    """Run lanes side by side, the calls of one lane in order; the first failure is raised when all ended."""

    def run_lane(lane: Sequence[Callable[[], None]]) -> None:
        for call in lane:
            if failed.is_set():
                return
            try:
                call()
            except BaseException:
                failed.set()
                raise

    failed = threading.Event()
    with ThreadPoolExecutor(max_workers=len(lanes)) as pool:
        futures = [pool.submit(run_lane, lane) for lane in lanes]
        wait(futures, return_when=FIRST_EXCEPTION)
    for future in futures:
        future.result()
