"""The semantic pass: language servers answer for references, one compilation context at a time.

Answers are stored as they come, each with its verdict, so a run that is interrupted or killed keeps what was answered
and the next one goes on from there.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from contextlib import aclosing, closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

import anyio

from graph.model import Status
from graph.store import Store
from graph.store.contexts import stored_contexts
from graph.store.semantic import files_of
from lsp_clients import Server, ServerError, ServerSettings, Workspace, adapter_for, load_settings
from resolver.asking import Asking, FileAnswers
from resolver.contexts import Context, ContextOptions, contexts_of
from resolver.contexts.registry import ECOSYSTEMS, LANGUAGES
from resolver.errors import ContextError
from resolver.keeping import Keeper
from resolver.locating import Locator
from resolver.plan import FileQuestions, load_rules, plan


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
    contexts: tuple[str, ...] = ()
    """Names (`ecosystem:root@variant`) of the contexts to ask; empty for all."""
    languages: tuple[str, ...] = ()
    """Languages to ask about; empty for all."""
    budget: float | None = None
    """Seconds after which no further answer is waited for; None for no limit."""
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
    start_seconds: float = 0.0
    """From the start of the server until it was ready."""
    ask_seconds: float = 0.0
    """From the first question to the last answer stored."""
    server_processor_seconds: float = 0.0
    """Processor time of the server, over all its processes."""
    notes: tuple[str, ...] = ()
    crashes: tuple[str, ...] = ()
    problem: str = ""
    """Why the context was not asked, or gave up; '' when it went through."""


@dataclass
class ResolveReport:
    """What a run did."""

    contexts: list[ContextReport] = field(default_factory=list[ContextReport])
    generation: int = 0
    seconds: float = 0.0
    out_of_time: bool = False
    """The budget was used up before everything was answered."""

    @property
    def failed(self) -> bool:
        """Whether some part did not work."""
        return any(report.problem or report.answers.get("failed") for report in self.contexts)


def resolve(
    root: Path,
    *,
    folder: Path | None = None,
    options: ResolveOptions | None = None,
    settings: dict[str, ServerSettings] | None = None,
    progress: Progress | None = None,
) -> ResolveReport:
    """Ask the servers of every context about the references that are due; each piece that is stored is a generation.

    `settings` are those of the servers, by name; None for the delivered ones.

    Raises StoreError, ContextError, and lsp_clients.ConfigurationError. A server that is missing, crashes or hangs is a
    row of the report. KeyboardInterrupt ends the servers, and is raised again when all that was answered is stored.
    """
    begun = time.perf_counter()
    options = options or ResolveOptions()
    options = replace(options, under="" if options.under == "." else options.under.strip("/"))
    settings = settings if settings is not None else load_settings()
    store = Store(root, folder)
    with store.writer(options.wait), closing(store.open_for_change()) as connection:
        run = _Run(store, connection, options, settings, progress or _silent)
        if run.is_due:
            anyio.run(run.all)
        report = run.finish()
    report.seconds = time.perf_counter() - begun
    return report


def _silent(stage: str, done: int, total: int) -> None:
    """Nobody watches."""


@dataclass
class _Job:
    """One context at work."""

    context: Context
    due: list[FileQuestions]
    report: ContextReport
    failed: dict[int, str] = field(default_factory=dict[int, str])
    """Files that it has no answers for -> the reason."""


class _Run:
    """One run: the contexts one after another."""

    def __init__(
        self,
        store: Store,
        connection: sqlite3.Connection,
        options: ResolveOptions,
        settings: dict[str, ServerSettings],
        progress: Progress,
    ) -> None:
        self._store = store
        self._connection = connection
        self._options = options
        self._settings = settings
        self._progress = progress
        self._contexts = contexts_of(connection, store.root, ContextOptions(options.python, options.trust))
        self._files = {file.number: file for file in files_of(connection, LANGUAGES)}
        names = frozenset[str]().union(*(context.workspace_names for context in self._contexts))
        self._keeper = Keeper(connection, store, names)
        self._report = ResolveReport()
        self._keeper.packages(self._contexts)
        self._jobs = [self._job(context) for context in self._wanted()]

    @property
    def is_due(self) -> bool:
        """Whether there is anything to ask."""
        return any(job.due for job in self._jobs)

    async def all(self) -> None:
        """Every context that is wanted."""
        limit = asyncio.timeout(self._options.budget)
        try:
            async with limit:
                for job in self._jobs:
                    if job.due:
                        await self._ask_server(job)
        except TimeoutError:
            if not limit.expired():
                raise
            self._report.out_of_time = True

    def finish(self) -> ResolveReport:
        """The report, after the contexts that are no more have been taken back."""
        roots = {(context.ecosystem, context.root) for context in self._contexts}
        for row in stored_contexts(self._connection).values():
            if (row.ecosystem, row.root) not in roots:
                self._keeper.retire(row.id)
        self._report.contexts = [job.report for job in self._jobs]
        self._report.generation = self._keeper.generation
        if self._report.out_of_time:
            for job in self._jobs:
                job.report.left = job.report.asked - sum(job.report.answers.values())
        return self._report

    # -- what to ask --------------------------------------------------------------------------------------------------

    def _wanted(self) -> list[Context]:
        names, languages = self._options.contexts, self._options.languages
        unknown = set(names) - {context.name for context in self._contexts}
        if unknown:
            there = ", ".join(context.name for context in self._contexts) or "none"
            raise ContextError(f"no context is called {', '.join(sorted(unknown))}; there are: {there}")
        return [
            context
            for context in self._contexts
            if (not names or context.name in names)
            and (not languages or not set(languages).isdisjoint(adapter_for(context.server).languages))
        ]

    def _job(self, context: Context) -> _Job:
        under = self._options.under
        files = [
            number
            for number in context.files
            if not under or self._files[number].path == under or self._files[number].path.startswith(under + "/")
        ]
        due = list(
            plan(
                self._connection,
                context.id,
                files,
                everything=self._options.everything,
                again=self._options.again,
                rules=load_rules(),
            )
        )
        report = ContextReport(context.name, context.server)
        report.files = len(due)
        report.asked = sum(len(file.questions) for file in due)
        asked = {file.file for file in due}
        before = self._keeper.failed_files(context.id)
        failed = {number: why for number, why in before.items() if number in context.files and number not in asked}
        if not due:
            self._keeper.members(context, failed)
            self._retire_before(context)
        return _Job(context, due, report, failed)

    def _retire_before(self, context: Context) -> None:
        """Take back what a context takes the place of: the same root seen with other inputs."""
        for row in stored_contexts(self._connection).values():
            same_root = (row.ecosystem, row.root) == (context.ecosystem, context.root)
            if same_root and row.id not in {one.id for one in self._contexts}:
                self._keeper.retire(row.id)

    # -- asking -------------------------------------------------------------------------------------------------------

    async def _ask_server(self, job: _Job) -> None:
        context, report = job.context, job.report
        root = self._store.root if context.root == "." else self._store.root / context.root
        workspace = Workspace(root, context.interpreter, context.settings)
        processor = _processor_of_children()
        self._progress(f"start {context.server}", 0, 1)
        server = Server(
            adapter_for(context.server),
            self._settings[context.server],
            workspace,
            files_expected=context.files_expected,
        )
        try:
            async with server:
                info = await server.start()
                if info is not None:
                    report.version, report.start_seconds, report.notes = info.version, info.seconds, info.notes
                    self._progress(f"start {context.server}", 1, 1)
                    self._keeper.health(context, info.version, "ready")
                    self._retire_before(context)
                    await self._ask(job, server)
        except ServerError as error:
            report.problem = str(error)
        finally:
            self._conclude(job, server)
            report.server_processor_seconds = _processor_of_children() - processor

    def _conclude(self, job: _Job, server: Server) -> None:
        """Note what came of a context's server."""
        context, report = job.context, job.report
        report.crashes = tuple(
            f"{crash.reason}: {crash.detail}{f' ({crash.path})' if crash.path else ''}"
            for crash in server.report.crashes
        )
        if server.report.gave_up is not None:
            report.problem = server.report.gave_up.detail or str(server.report.gave_up.reason)
        by_path = {str(self._store.root / self._files[file.file].path_on_disk): file.file for file in job.due}
        for crash in server.report.crashes:
            if crash.path in by_path:
                job.failed[by_path[crash.path]] = f"{crash.reason}: {crash.detail}"
        self._keeper.members(context, job.failed)
        if report.problem:
            self._keeper.health(context, report.version, report.problem)

    async def _ask(self, job: _Job, server: Server) -> None:
        begun = time.perf_counter()
        locator = Locator(self._connection, self._store.root, ECOSYSTEMS[job.context.ecosystem].external)
        asking = Asking(self._store.root, self._files, job.due, locator)
        try:
            async with aclosing(server.ask(asking.sites())) as answers:
                async for answer in answers:
                    found = asking.take(answer)
                    if found is not None:
                        self._keep(job, found)
        finally:
            for found in asking.rest():
                self._keep(job, found)
            job.failed |= {file.file: reason for file, reason in asking.unreadable}
            self._keeper.flush()
            job.report.ask_seconds = time.perf_counter() - begun

    def _keep(self, job: _Job, found: FileAnswers) -> None:
        report = job.report
        engine = (job.context.server, report.version)
        self._keeper.keep(job.context.id, engine, self._files[found.file.file], found.answers)
        for answer in found.answers:
            word = Status(answer.status).name.lower()
            report.answers[word] = report.answers.get(word, 0) + 1
        self._progress("ask", sum(report.answers.values()), report.asked)


def _processor_of_children() -> float:
    """Seconds of processor time of the children that have ended."""
    times = os.times()
    return times.children_user + times.children_system
