"""The semantic pass: language servers answer for references, each in its compilation context, several side by side.

Answers are stored as they come, each with its verdict, so a run that is interrupted or killed keeps what was answered
and the next one goes on from there. What is stored in the end does not depend on how many contexts ran at a time.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import time
from collections.abc import Iterable
from contextlib import aclosing, closing
from dataclasses import dataclass, field, replace
from pathlib import Path

import anyio

from graph.extract.pool import usable_cores
from graph.model import Status
from graph.store import Store
from graph.store.contexts import settled_files, stored_contexts, unresolved_files
from graph.store.semantic import files_of
from lsp_clients import Server, ServerError, ServerSettings, Workspace, adapter_for, load_settings
from resolver.asking import Asking, FileAnswers
from resolver.canaries import choose
from resolver.contexts import Context, ContextOptions, contexts_of
from resolver.contexts.registry import ECOSYSTEMS, LANGUAGES
from resolver.errors import ContextError
from resolver.importance import most_important_first
from resolver.keeping import Keeper
from resolver.locating import Locator
from resolver.options import ContextReport, Progress, ResolveOptions, ResolveReport
from resolver.plan import EVERYTHING, FileQuestions, load_rules, plan
from resolver.room import Room, memory_for_servers

__all__ = ["ContextReport", "Progress", "ResolveOptions", "ResolveReport", "resolve"]


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
    chosen: list[int]
    """Member files that this run is about."""
    due: list[FileQuestions]
    report: ContextReport
    failed: dict[int, str] = field(default_factory=dict[int, str])
    """Files that it has no answers for -> the reason."""
    settled: set[int] = field(default_factory=set[int])
    """Files about which there is nothing more to ask, of those that were not known as such."""


class _Run:
    """One run: the contexts side by side, as many as there is room for; all of them write through one keeper."""

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
        self._rules = load_rules()
        self._plan = EVERYTHING if options.everything else self._rules.name
        self._contexts = contexts_of(connection, store.root, ContextOptions(options.python, options.trust))
        self._files = {file.number: file for file in files_of(connection, LANGUAGES)}
        self._changed = unresolved_files(connection) if options.since_last else None
        names = frozenset[str]().union(*(context.workspace_names for context in self._contexts))
        self._keeper = Keeper(connection, store, names)
        self._room = Room(options.jobs or usable_cores(), options.memory_mib or memory_for_servers())
        self._report = ResolveReport()
        self._keeper.packages(self._contexts)
        self._jobs = [self._job(context) for context in self._wanted()]
        self._answered = 0

    @property
    def is_due(self) -> bool:
        """Whether there is anything to ask."""
        return any(job.due for job in self._jobs)

    async def all(self) -> None:
        """Every context that is wanted."""
        processor = _processor_of_children()
        limit = asyncio.timeout(self._options.budget)
        try:
            # asyncio's groups cancel a task once, so that what it does to end its server is not cancelled as well.
            async with limit, asyncio.TaskGroup() as group:
                for job in self._in_order():
                    mib = min(self._settings[job.context.server].memory_mib, self._room.mib)
                    await self._room.take(mib)
                    group.create_task(self._in_room(job, mib))
        except TimeoutError:
            if not limit.expired():
                raise
            self._report.out_of_time = True
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from errors
        finally:
            self._report.server_processor_seconds = _processor_of_children() - processor

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
                job.report.left_files = len({file.file for file in job.due} - job.settled - job.failed.keys())
        self._keeper.resolved(self._been_over())
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

    def _chosen(self, context: Context) -> list[int]:
        """The members of a context that this run is about."""
        under, paths, changed = self._options.under, self._options.changed, self._changed
        return [
            number
            for number in context.files
            if (not under or f"{self._files[number].path}/".startswith(f"{under}/"))
            and (paths is None or self._files[number].path in paths)
            and (changed is None or number in changed)
        ]

    def _job(self, context: Context) -> _Job:
        chosen = self._chosen(context)
        known = set[int]()
        if not self._options.again:
            known = settled_files(self._connection, context.id, {self._plan, EVERYTHING})
        open_ = [number for number in chosen if number not in known]
        due = list(
            plan(
                self._connection,
                context.id,
                open_,
                everything=self._options.everything,
                again=self._options.again,
                rules=self._rules,
            )
        )
        report = ContextReport(context.name, context.server)
        report.files = len(due)
        report.asked = sum(len(file.questions) for file in due)
        asked = {file.file for file in due}
        before = self._keeper.failed_files(context.id)
        failed = {number: why for number, why in before.items() if number in context.files and number not in asked}
        job = _Job(context, chosen, due, report, failed, set(open_) - asked)
        if not due:
            self._conclude_membership(job)
            self._retire_before(context)
        return job

    def _in_order(self) -> list[_Job]:
        """The jobs with something to ask; where time is short, those first that matter most."""
        jobs = [job for job in self._jobs if job.due]
        if self._options.budget is None:
            return jobs
        for job in jobs:
            job.due = most_important_first(self._connection, job.due)
        return sorted(jobs, key=lambda job: -job.report.asked)

    def _retire_before(self, context: Context) -> None:
        """Take back what a context takes the place of: the same root seen with other inputs."""
        for row in stored_contexts(self._connection).values():
            same_root = (row.ecosystem, row.root) == (context.ecosystem, context.root)
            if same_root and row.id not in {one.id for one in self._contexts}:
                self._keeper.retire(row.id)

    def _been_over(self) -> Iterable[int]:
        """Files with which every context of theirs is done, whether or not it could answer."""
        done = {number for job in self._jobs for number in job.chosen}
        asked = {job.context.id for job in self._jobs}
        for context in self._contexts:
            if context.id not in asked:
                done.difference_update(context.files)
        if self._report.out_of_time:
            for job in self._jobs:
                done -= {file.file for file in job.due} - job.settled
        return done

    # -- asking -------------------------------------------------------------------------------------------------------

    async def _in_room(self, job: _Job, mib: int) -> None:
        """Ask in one context, with room for its server that was taken before."""
        try:
            await self._ask_server(job, mib)
        finally:
            self._room.give_back(mib)

    async def _ask_server(self, job: _Job, mib: int) -> None:
        context, report = job.context, job.report
        root = self._store.root if context.root == "." else self._store.root / context.root
        settings = self._settings[context.server]
        if mib < settings.memory_mib:
            report.notes = (f"it may take {mib} MiB, where {settings.memory_mib} are set for it",)
            settings = replace(settings, memory_mib=mib)
        server = Server(
            adapter_for(context.server),
            settings,
            Workspace(root, context.interpreter, context.settings),
            canaries=choose(self._connection, self._store.root, context.files, self._files, self._rules),
            files_expected=context.files_expected,
        )
        self._tell()
        try:
            async with server:
                info = await server.start()
                if info is not None:
                    report.version, report.start_seconds = info.version, info.seconds
                    report.notes += info.notes
                    self._keeper.health(context, info.version, "ready")
                    self._retire_before(context)
                    await self._ask(job, server)
        except ServerError as error:
            report.problem = str(error)
        finally:
            self._conclude(job, server)

    def _conclude(self, job: _Job, server: Server) -> None:
        """Note what came of a context's server."""
        context, report = job.context, job.report
        report.checks = sum(session.checks for session in server.report.sessions)
        report.recycled = server.report.recycled
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
        self._conclude_membership(job)
        if report.problem:
            self._keeper.health(context, report.version, report.problem)

    def _conclude_membership(self, job: _Job) -> None:
        self._keeper.members(job.context, job.failed)
        self._keeper.settle(job.context, job.settled, self._plan)

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
        whole = len(found.answers) == len(found.file.questions)
        if whole and all(answer.status != Status.FAILED for answer in found.answers):
            job.settled.add(found.file.file)
        self._answered += len(found.answers)
        self._tell()

    def _tell(self) -> None:
        self._progress("ask", self._answered, sum(job.report.asked for job in self._jobs))


def _processor_of_children() -> float:
    """Seconds of processor time of the children that have ended."""
    times = os.times()
    return times.children_user + times.children_system
