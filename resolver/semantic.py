"""The semantic pass: language servers answer for references, one compilation context at a time.

Answers are stored file by file as they come, each with its verdict, so a run that is interrupted or killed keeps what
was answered and the next one goes on from there.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import anyio
import orjson
import xxhash

from graph.link.world import Manifest
from graph.model import Status
from graph.store import Membership, Store
from graph.store.meta import generation
from graph.store.semantic import Answer, ContextRow, FileHash, SemanticWriter, files_of
from lsp_clients import FileSites, Outcome, Server, ServerError, SiteAnswer, Workspace, adapter_for, load_settings
from resolver.contexts import Context, ContextOptions, contexts_of
from resolver.contexts.registry import EXTERNALS, FINDERS
from resolver.locating import Locator
from resolver.plan import FileQuestions, PlanRules, load_rules, plan
from resolver.reconcile import Reconciler

PUBLISH_SECONDS = 10.0
"""How often what is stored so far becomes a generation of its own."""


class Progress(Protocol):
    """Told how far a stage is."""

    def __call__(self, stage: str, done: int, total: int) -> None: ...


@dataclass(frozen=True)
class ResolveOptions:
    """What is asked, of whom."""

    everything: bool = False
    """Ask about every reference, not only about those that are open, weak or in the sample."""
    again: bool = False
    """Ask anew about references that have an answer."""
    under: str = ""
    """Folder or file, relative to the root, whose references are asked about; '' for all."""
    contexts: tuple[str, ...] = ()
    """Names (`ecosystem:root@variant`) of the contexts to ask; empty for all."""
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
    """Files that were asked about."""
    asked: int = 0
    answers: dict[str, int] = field(default_factory=dict[str, int])
    """Status -> number of references."""
    start_seconds: float = 0.0
    """From the start of the server until it was ready."""
    ask_seconds: float = 0.0
    """From the first question to the last answer stored."""
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
    interrupted: bool = False

    @property
    def failed(self) -> bool:
        """Whether some part did not work."""
        return any(report.problem or report.answers.get("failed") for report in self.contexts)


def find_contexts(connection: sqlite3.Connection, root: Path, options: ContextOptions) -> list[Context]:
    """The contexts of an indexed repository. Raises ContextError."""
    manifests = [
        Manifest(path, bytes(data)) for path, data in connection.execute("SELECT path, data FROM manifest ORDER BY path")
    ]
    return contexts_of(root, files_of(connection, tuple(FINDERS)), manifests, options)


def resolve(
    root: Path,
    *,
    folder: Path | None = None,
    options: ResolveOptions | None = None,
    progress: Progress | None = None,
) -> ResolveReport:
    """Ask the servers of every context about the references that are due, and publish a generation.

    Raises StoreError, ContextError, and lsp_clients.ConfigurationError. A server that is missing, crashes or hangs is a
    row of the report. KeyboardInterrupt ends the servers, publishes what was answered, and is raised again.
    """
    options = options or ResolveOptions()
    store = Store(root, folder)
    begun = time.perf_counter()
    with store.writer(options.wait), closing(store.open_for_change()) as connection:
        run = _Run(store, connection, options, progress or _silent)
        try:
            anyio.run(run.all)
        finally:
            report = run.finish()
    report.seconds = time.perf_counter() - begun
    return report


def _silent(stage: str, done: int, total: int) -> None:
    """Nobody watches."""


class _Run:
    """One run: the contexts one after another."""

    def __init__(
        self, store: Store, connection: sqlite3.Connection, options: ResolveOptions, progress: Progress
    ) -> None:
        self._store = store
        self._connection = connection
        self._options = options
        self._progress = progress
        self._writer = SemanticWriter(connection, store)
        self._report = ResolveReport()
        self._rules = load_rules()
        self._settings = load_settings()
        self._contexts = find_contexts(
            connection, store.root, ContextOptions(python=options.python, trust=options.trust)
        )
        self._published = time.monotonic()
        self._unpublished = False
        self._files = {file.number: file for file in files_of(connection, tuple(FINDERS))}

    async def all(self) -> None:
        """Every context that is wanted."""
        wanted = [
            context
            for context in self._contexts
            if not self._options.contexts or context.name in self._options.contexts
        ]
        self._store_packages()
        for context in wanted:
            await self._context(context)

    def finish(self) -> ResolveReport:
        """Publish what is stored and not yet published; the report."""
        if self._unpublished:
            self._report.generation = self._writer.publish()
            self._unpublished = False
        else:
            self._report.generation = generation(self._connection)
        return self._report

    def _store_packages(self) -> None:
        names = sorted({name for context in self._contexts for name in context.workspace_names})
        ecosystems = sorted({context.ecosystem for context in self._contexts if context.workspace_names})
        text = orjson.dumps(names).decode()
        self._writer.packages([(ecosystem, "", "", "", text, "[]") for ecosystem in ecosystems])

    async def _context(self, context: Context) -> None:
        report = ContextReport(context.name, context.server)
        self._report.contexts.append(report)
        due = self._due(context, self._rules)
        report.files = len(due)
        report.asked = sum(len(file.questions) for file in due)
        adapter = adapter_for(context.server)
        settings = self._settings[context.server]
        self._store_context(context, "", "not-asked")
        if not due:
            return
        workspace = Workspace(
            self._store.root / context.root if context.root != "." else self._store.root,
            context.interpreter,
            context.settings,
        )
        self._progress(f"start {context.server}", 0, 1)
        try:
            async with Server(adapter, settings, workspace) as server:
                info = await server.start()
                if info is not None:
                    report.version, report.start_seconds, report.notes = info.version, info.seconds, info.notes
                    self._progress(f"start {context.server}", 1, 1)
                    self._store_context(context, info.version, "ready")
                    await self._ask(context, report, server, due)
                report.crashes = tuple(
                    f"{crash.reason}: {crash.detail}{f' ({crash.path})' if crash.path else ''}"
                    for crash in server.report.crashes
                )
                if server.report.gave_up is not None:
                    report.problem = server.report.gave_up.detail or str(server.report.gave_up.reason)
        except ServerError as error:
            report.problem = str(error)
        if report.problem:
            self._store_context(context, report.version, report.problem)

    def _due(self, context: Context, rules: PlanRules) -> list[FileQuestions]:
        under = self._options.under
        files = [
            number
            for number in context.files
            if not under or self._files[number].path == under or self._files[number].path.startswith(under + "/")
        ]
        return list(
            plan(
                self._connection,
                tuple(FINDERS),
                files,
                everything=self._options.everything,
                again=self._options.again,
                rules=rules,
            )
        )

    def _store_context(self, context: Context, version: str, health: str) -> None:
        inputs = orjson.dumps(dict(context.inputs), option=orjson.OPT_SORT_KEYS).decode()
        row = ContextRow(
            context.id, context.ecosystem, context.root, context.variant, inputs, context.server, version, health
        )
        self._writer.contexts([row])
        members = [(number, Membership.MEMBER, "") for number in context.files]
        members += [(number, Membership.EXCLUDED, why) for number, why in context.excluded.items()]
        self._writer.memberships(context.id, members)
        self._unpublished = True

    async def _ask(self, context: Context, report: ContextReport, server: Server, due: Sequence[FileQuestions]) -> None:
        begun = time.perf_counter()
        external = EXTERNALS[context.ecosystem]
        locator = Locator(self._connection, self._store.root, external)
        reconciler = Reconciler(self._connection, context.workspace_names)
        engine = (context.server, report.version)
        total = report.asked
        done = 0
        read = _Reader(self._store.root, self._files, due)
        async with aclosing(server.ask(read.sites())) as answers:
            async for file, outcomes in _by_file(answers, read):
                found = [
                    locator.answer(question.reference, question.name, outcome)
                    for question, outcome in zip(file.questions, outcomes, strict=True)
                ]
                self._keep(context, engine, file, found, reconciler)
                for answer in found:
                    word = Status(answer.status).name.lower()
                    report.answers[word] = report.answers.get(word, 0) + 1
                done += len(found)
                self._progress("ask", done, total)
        for file, reason in read.unreadable:
            found = [Answer(question.reference, Status.FAILED, reason) for question in file.questions]
            self._keep(context, engine, file, found, reconciler)
            report.answers["failed"] = report.answers.get("failed", 0) + len(found)
        report.ask_seconds = time.perf_counter() - begun

    def _keep(
        self,
        context: Context,
        engine: tuple[str, str],
        file: FileQuestions,
        found: Sequence[Answer],
        reconciler: Reconciler,
    ) -> None:
        self._writer.answers(file.file, context.id, engine, self._files[file.file].hash, found)
        self._writer.verdicts(file.file, reconciler.judgements(file.file))
        self._unpublished = True
        if time.monotonic() - self._published >= PUBLISH_SECONDS:
            self._writer.publish()
            self._published = time.monotonic()
            self._unpublished = False


class _Reader:
    """Reads the files that are asked about, and sets aside those that are no longer what was indexed."""

    def __init__(self, root: Path, files: dict[int, FileHash], due: Sequence[FileQuestions]) -> None:
        self._root = root
        self._files = files
        self._due = due
        self.unreadable: list[tuple[FileQuestions, str]] = []
        self.by_path: dict[str, FileQuestions] = {}

    def sites(self) -> Iterator[FileSites]:
        """The sites of one file after the other."""
        for file in self._due:
            path = self._root / file.path
            try:
                content = path.read_bytes()
            except OSError:
                self.unreadable.append((file, "unreadable"))
                continue
            if xxhash.xxh3_64_digest(content) != self._files[file.file].hash:
                self.unreadable.append((file, "changed-since-index"))
                continue
            self.by_path[str(path)] = file
            yield FileSites(str(path), content, tuple(dict.fromkeys(question.start for question in file.questions)))


async def _by_file(
    answers: AsyncGenerator[SiteAnswer], read: _Reader
) -> AsyncGenerator[tuple[FileQuestions, list[Outcome]]]:
    """Each file with the outcomes for its questions, in their order, as soon as the last one is there."""
    waiting: dict[str, dict[int, Outcome]] = {}
    async for path, offset, outcome in answers:
        file = read.by_path[path]
        outcomes = waiting.setdefault(path, {})
        outcomes[offset] = outcome
        if len(outcomes) == len({question.start for question in file.questions}):
            del waiting[path]
            yield file, [outcomes[question.start] for question in file.questions]
