"""What a run of the semantic pass is told, and what it reports."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol


class Progress(Protocol):
    """Told how far a stage is."""

    def __call__(self, stage: str, done: int, total: int) -> None: ...


@dataclass(frozen=True)
class ResolveOptions:
    """What is asked, of whom."""

    everything: bool = False
    """Ask about every reference, not only about those that are open, weak, outdated or in the sample."""
    again: bool = False
    """Ask anew about references that have an answer."""
    under: str = ""
    """Folder or file, relative to the root, whose references are asked about; '' for all."""
    changed: frozenset[str] | None = None
    """Paths of the files whose references are asked about, of those in `under`; None for all."""
    since_last: bool = False
    """Only about files that are new or have changed since the pass was last over them."""
    contexts: tuple[str, ...] = ()
    """Names (`ecosystem:root@variant`) of the contexts to ask; empty for all."""
    languages: tuple[str, ...] = ()
    """Languages to ask about; empty for all."""
    budget: float | None = None
    """Seconds after which no further answer is waited for; None for no limit. What matters most is asked first."""
    jobs: int | None = None
    """Contexts at a time; None for one per core that may be used."""
    memory_mib: int | None = None
    """What the servers may take together, each counted with its limit; None for two thirds of the machine's memory."""
    python: Path | None = None
    trust: bool = False
    wait: float = 0.0
    """Seconds to wait for another process that is writing the index; negative: for ever."""


@dataclass
class ContextReport:
    """What came of one context."""

    name: str
    server: str
    version: str = ""
    files: int = 0
    """Files that were to be asked about."""
    asked: int = 0
    """References that were to be asked about."""
    answers: dict[str, int] = field(default_factory=dict[str, int])
    """Status -> number of references."""
    left: int = 0
    """References that were not asked about any more when the time was up."""
    left_files: int = 0
    """Files about some of whose references the server was not asked any more."""
    start_seconds: float = 0.0
    """From the start of the server until it was ready."""
    ask_seconds: float = 0.0
    """From the first question to the last answer stored."""
    checks: int = 0
    """Questions whose answers are known, asked to see whether the server was ready."""
    recycled: int = 0
    """How often the server was started anew because it had grown."""
    notes: tuple[str, ...] = ()
    crashes: tuple[str, ...] = ()
    problem: str = ""
    """Why the context was not asked, or gave up; '' when it went through."""


@dataclass
class ResolveReport:
    """What a run did."""

    contexts: list[ContextReport] = field(default_factory=list[ContextReport])
    """By name."""
    generation: int = 0
    seconds: float = 0.0
    server_processor_seconds: float = 0.0
    """Processor time of the servers, over all their processes."""
    out_of_time: bool = False
    """The budget was used up before everything was answered."""

    @property
    def failed(self) -> bool:
        """Whether some part did not work."""
        return any(report.problem or report.answers.get("failed") for report in self.contexts)
