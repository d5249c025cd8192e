"""What a run tells while it goes on, and at its end."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from graph.store.meta import Stage


class Progress(Protocol):
    """Told how far a stage is. Called from the main process, between pieces of work; no thread may be alive
    meanwhile.
    """

    def __call__(self, stage: str, done: int, total: int) -> None:
        """`done` of `total` things of a stage are done; its first call has `done` 0."""


def silent(stage: str, done: int, total: int) -> None:
    """A progress that nobody watches."""


class Stopwatch:
    """Measures the stages of a run."""

    def __init__(self) -> None:
        self.stages: list[Stage] = []

    @contextmanager
    def stage(self, name: str, count: int = 0) -> Generator[list[int]]:
        """Measure a stage. The count may be set in the list that is given."""
        counts = [count]
        start = time.perf_counter()
        try:
            yield counts
        finally:
            self.stages.append(Stage(name, time.perf_counter() - start, counts[0]))


@dataclass(frozen=True)
class IndexReport:
    """What a run did."""

    generation: int
    """The generation that is published now."""
    full: bool
    """Whether everything was indexed from scratch."""
    reason: str
    """Why it was, or ''."""
    files: int
    """Source files in the index."""
    extracted: int
    """Source files read in this run."""
    linked: int
    """Source files whose references were linked in this run."""
    removed: int
    """Files that were in the index and are no longer."""
    excluded: int
    """Paths left out, directories counted as one."""
    failed: tuple[tuple[str, str], ...] = ()
    """(path, reason) of files that could not be read, from which nothing could be extracted, or whose references could
    not be linked.
    """
    seconds: float = 0.0
    stages: tuple[Stage, ...] = field(default=())
    kept: int = 0
    """References whose semantic answers a full run carried over from the index before it."""
