"""Progress of long work on standard error: a bar for each stage with counts and the time left."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any

from resolver.cli import output

if TYPE_CHECKING:
    from graph.index import Progress as ReportStage

_SECONDS_BETWEEN = 0.1


@contextmanager
def stage_progress(*, quiet: bool) -> Generator[ReportStage]:
    """Show stages as they are reported; nothing at all where standard error is no terminal.

    Draws only when it is called: a thread that draws would keep the workers from being forked.
    """
    if quiet or not sys.stderr.isatty() or not output.decorated(sys.stderr):
        yield _silent
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
    from rich.progress import TimeRemainingColumn as TimeLeftColumn

    columns = (
        TextColumn("{task.description:<10}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
        TextColumn("left"), TimeLeftColumn(),
    )  # fmt: skip
    with Progress(*columns, console=output.message_console(), auto_refresh=False, transient=True) as bars:
        tasks: dict[str, TaskID] = {}
        drawn = 0.0

        def report(stage: str, done: int, total: int) -> None:
            nonlocal drawn
            task = tasks.get(stage)
            if task is None:
                task = tasks[stage] = bars.add_task(stage, total=total)
            bars.update(task, completed=done, total=total)
            now = time.monotonic()
            if done >= total or now - drawn >= _SECONDS_BETWEEN:
                drawn = now
                bars.refresh()

        yield report


def _silent(stage: str, done: int, total: int) -> None:
    """Nobody watches."""


@contextmanager
def interruptible(report: ReportStage) -> Generator[ReportStage]:
    """A progress that ends the work after a Ctrl-C that got lost.

    Python drops a KeyboardInterrupt that comes up while it runs the hooks around a fork, and workers are forked. What
    it would say about that is not shown.
    """
    seen = False

    def remember(number: int, frame: FrameType | None) -> None:
        nonlocal seen
        seen = True
        raise KeyboardInterrupt

    def checked(stage: str, done: int, total: int) -> None:
        if seen:
            raise KeyboardInterrupt
        report(stage, done, total)

    def unraisable(found: Any) -> None:
        if not isinstance(found.exc_value, KeyboardInterrupt):  # that one is remembered, and not lost
            told(found)

    told = sys.unraisablehook
    before = signal.signal(signal.SIGINT, remember)
    sys.unraisablehook = unraisable
    try:
        yield checked
    finally:
        sys.unraisablehook = told
        signal.signal(signal.SIGINT, before)
