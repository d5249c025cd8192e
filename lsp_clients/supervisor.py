"""A server that may crash or hang.

It is restarted with what is left, a bounded number of times, and the file that did it is set aside.
"""

from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, field, replace
from time import monotonic
from types import TracebackType
from typing import NamedTuple, Self

from lsp_clients.adapter import Adapter, Ready, Workspace
from lsp_clients.answers import Canary, Failed, FailReason, FileSites, SiteAnswer
from lsp_clients.canaries import confirm
from lsp_clients.errors import NotReadyError, ServerDiedError, ServerError, ServerGarbageError, ServerMissingError
from lsp_clients.session import ServerHangsError, Session, SessionInfo, open_session
from lsp_clients.settings import ServerSettings

SOFT_MEMORY = 0.75
"""Share of `memory_mib` above which a server is started anew before it is asked about more files."""


class Crash(NamedTuple):
    """One time that the server was lost."""

    reason: FailReason
    detail: str
    path: str | None
    """The file that is taken for the cause and set aside; None when none is."""


@dataclass
class Report:
    """What happened while asking; it is filled as things happen."""

    sessions: list[SessionInfo] = field(default_factory=list[SessionInfo])
    """One for each successful start."""
    recycled: int = 0
    """How often it was started anew for its memory, between two groups of files."""
    crashes: list[Crash] = field(default_factory=list[Crash])
    gave_up: Failed | None = None
    """Why no further server is started; None while there is one, or could be."""


class Server:
    """A language server for one workspace, over as many processes as it takes.

    Used as `async with`: when the block is left, by an error or a cancellation too, no process is left.
    """

    def __init__(
        self,
        adapter: Adapter,
        settings: ServerSettings,
        workspace: Workspace,
        *,
        canaries: Sequence[Canary] = (),
        files_expected: int | None = None,
    ) -> None:
        """`canaries`: a majority of them must be answered rightly before the server counts as ready.
        `files_expected`: how many source files the server should see; fewer are reported in the session's notes.
        """
        self.report = Report()
        self._adapter = adapter
        self._settings = settings
        self._workspace = workspace
        self._canaries = tuple(canaries)
        self._files_expected = files_expected
        self._stack = AsyncExitStack()
        self._session: Ready | None = None
        self._info: SessionInfo | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._session = None
        # What was raised decides whether the server is asked to end or is ended.
        await self._stack.__aexit__(kind, error, trace)

    async def start(self) -> SessionInfo | None:
        """Starts unless it runs; `ask` does so itself, this is for showing the start apart. None when it gave up.

        Raises ServerMissingError.
        """
        while self._session is None and self.report.gave_up is None:
            try:
                session, info = await self._start()
            except ServerMissingError:
                raise
            except ServerError as error:
                await self._lost(error, None)
            else:
                self._session, self._info = session, info
                self.report.sessions.append(info)
        return self._info if self._session is not None else None

    async def _start(self) -> tuple[Ready, SessionInfo]:
        began = monotonic()
        session = await self._stack.enter_async_context(
            open_session(self._adapter, self._settings, self._workspace, files_expected=self._files_expected)
        )
        info = session.info
        if self._canaries:
            deadline = began + self._settings.ready_seconds
            try:
                checked = await confirm(session, self._canaries, deadline, may_change=isinstance(session, Session))
            except (ServerDiedError, ServerGarbageError, ServerHangsError):
                # One of their files may be what kills it. Asked among the others, that file alone is set aside.
                self._canaries = ()
                raise
            notes = (*info.notes, checked.note) if checked.note else info.notes
            info = replace(info, checks=checked.asked, notes=notes, seconds=monotonic() - began)
        return session, info

    async def ask(self, files: Iterable[FileSites]) -> AsyncGenerator[SiteAnswer]:
        """One answer for every site, streamed in the order of the files and of their offsets.

        The files are taken in groups (`group_mib`), so `files` may be a generator. One call at a time. A caller that
        leaves the loop early closes the iterator (`contextlib.aclosing`) before it asks again.
        Raises ServerMissingError.
        """
        for group in _groups(files, self._settings.group_mib):
            await self._recycle()
            waiting = group
            size = len(group)
            while waiting:
                await self.start()
                if self._session is None:
                    for answer in _all_failed(waiting, self.report.gave_up or Failed(FailReason.CRASHED, "")):
                        yield answer
                    break
                part, rest = waiting[:size], waiting[size:]
                progress = _Progress(part)
                try:
                    async with aclosing(self._session.answers(part)) as answers:
                        async for answer in answers:
                            progress.count()
                            yield answer
                    waiting = rest
                except (ServerDiedError, ServerGarbageError, ServerHangsError) as error:
                    left = progress.left()
                    if len(part) > 1 and not progress.answered:
                        # Opening some file of this part may be the cause. Fewer at a time shows which.
                        size = (len(part) + 1) // 2
                        await self._lost(error, None)
                    else:
                        culprit = error.path if isinstance(error, ServerHangsError) else left[0].path if left else None
                        failed = await self._lost(error, culprit)
                        if left and left[0].path == culprit:
                            for answer in _all_failed(left[:1], failed):
                                yield answer
                            left = left[1:]
                    waiting = [*left, *rest]

    async def _recycle(self) -> None:
        """End a server that has grown large, so that it starts anew rather than being killed in the middle."""
        mark = self._settings.memory_mib * SOFT_MEMORY * (1 << 20)
        if isinstance(self._session, Session) and self._session.memory > mark:
            self._session = None
            await self._stack.aclose()
            self.report.recycled += 1

    async def _lost(self, error: ServerError, culprit: str | None) -> Failed:
        self._session = None
        await self._stack.aclose()
        failed = Failed(_reason(error), str(error))
        self.report.crashes.append(Crash(failed.reason, failed.detail, culprit))
        # A server that had all its time to become ready would take it again, and again.
        if isinstance(error, NotReadyError) or len(self.report.crashes) > self._settings.restarts:
            self.report.gave_up = failed
        return failed


class _Progress:
    """Which sites of a part are still to be answered, when answers come in order."""

    def __init__(self, part: list[FileSites]) -> None:
        self.answered = 0
        self._part = part

    def count(self) -> None:
        self.answered += 1

    def left(self) -> list[FileSites]:
        left: list[FileSites] = []
        done = self.answered
        for path, content, offsets in self._part:
            if done < len(offsets):
                left.append(FileSites(path, content, offsets[done:]))
            done = max(0, done - len(offsets))
        return left


def _groups(files: Iterable[FileSites], mib: float) -> Iterator[list[FileSites]]:
    group: list[FileSites] = []
    size = 0
    for file in files:
        if group and size + len(file.content) > mib * (1 << 20):
            yield group
            group, size = [], 0
        group.append(file)
        size += len(file.content)
    if group:
        yield group


def _all_failed(files: list[FileSites], failed: Failed) -> Iterator[SiteAnswer]:
    for path, _, offsets in files:
        for offset in offsets:
            yield SiteAnswer(path, offset, failed)


def _reason(error: ServerError) -> FailReason:
    match error:
        case ServerHangsError():
            return FailReason.TIMEOUT
        case NotReadyError():
            return FailReason.NOT_READY
        case ServerGarbageError():
            return FailReason.GARBAGE
        case _:
            return FailReason.CRASHED
