"""One run of one server: started, ready, asked. It ends with the process; starting another is the supervisor's work."""

import asyncio
import logging
import os
import tempfile
from collections import deque
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, cast

from lsp_clients.adapter import Adapter, Readiness, Ready, Workspace
from lsp_clients.answers import Failed, FailReason, FileSites, Outcome, SiteAnswer
from lsp_clients.connection import Connection, Pending
from lsp_clients.errors import NotReadyError, PositionError, RequestFailedError, RequestTimeoutError, ServerGarbageError
from lsp_clients.positions import ENCODINGS, encoding_of
from lsp_clients.settings import ServerSettings, with_settings
from lsp_clients.targets import Targets, uri_of

_log = logging.getLogger(__name__)

_MESSAGES = ("window/logMessage", "window/showMessage", "$/progress", "language/status", "experimental/serverStatus")
"""The notifications that readiness rules are made of."""


class ServerHangsError(RequestTimeoutError):
    """Two requests in a row without an answer.

    `path` is the file of the first of them.
    """

    def __init__(self, path: str) -> None:
        super().__init__("two requests in a row got no answer")
        self.path = path


@dataclass(frozen=True)
class SessionInfo:
    """What came of a start."""

    server: str
    version: str
    """As the server says it, else as its installation does."""
    encoding: str
    """The negotiated position encoding."""
    files_found: int | None
    """Source files that the server says it sees; None when it does not say."""
    files_expected: int | None
    """As the caller gave it."""
    seconds: float
    """From the start of the process until it was ready."""
    notes: tuple[str, ...]
    """What a user should know."""
    checks: int = 0
    """Questions whose answers are known, asked to see whether it is ready."""


class _Asked(NamedTuple):
    path: str
    offset: int
    pending: Pending | None
    failure: Failed | None


class Session:
    """A server that is ready. Made by `open_session`."""

    def __init__(
        self,
        connection: Connection,
        adapter: Adapter,
        settings: ServerSettings,
        targets: Targets,
        info: SessionInfo,
    ) -> None:
        self.info = info
        self._connection = connection
        self._adapter = adapter
        self._settings = settings
        self._targets = targets
        self._open: list[str] = []

    @property
    def connection(self) -> Connection:
        """The process, for diagnostics."""
        return self._connection

    @property
    def memory(self) -> int:
        """Resident bytes of the server and its children."""
        return self._connection.memory

    @property
    def settings(self) -> ServerSettings:
        """Those of the server, with the workspace's laid over them."""
        return self._settings

    @property
    def targets(self) -> Targets:
        """Turns what the server answers into outcomes; knows the line tables of the files that are open."""
        return self._targets

    async def request(self, method: str, params: Any) -> Any:
        """The result of one request, for adapters that ask in a way of their own.

        Raises RequestFailedError, RequestTimeoutError, ServerDiedError or ServerGarbageError.
        """
        return await self._connection.request(method, params, self._settings.request_seconds)

    async def answers(self, files: Sequence[FileSites]) -> AsyncGenerator[SiteAnswer]:
        """The answers to all sites of these files, in the order asked; the files are opened together before.

        Raises ServerDiedError, ServerGarbageError or ServerHangsError; what came before it counts. The
        order of the requests, and so of the answers, does not depend on how many are in flight.
        """
        self._open_group(files)
        found = self.one_by_one(files) if self._adapter.bulk is None else self._adapter.bulk(self, files)
        async with aclosing(found) as answers:
            async for answer in answers:
                yield answer

    async def one_by_one(self, files: Sequence[FileSites]) -> AsyncGenerator[SiteAnswer]:
        """As `answers`, by one `method` request for each site; the files are open."""
        window: deque[_Asked] = deque()
        unanswered: str | None = None
        questions = self._questions(files)
        try:
            while True:
                while len(window) < self._settings.in_flight and (question := next(questions, None)) is not None:
                    path, offset, params = question
                    if isinstance(params, Failed):
                        window.append(_Asked(path, offset, None, params))
                    else:
                        pending = await self._connection.begin(self._adapter.method, params)
                        window.append(_Asked(path, offset, pending, None))
                if not window:
                    return
                asked = window.popleft()
                outcome = asked.failure or await self._outcome(cast(Pending, asked.pending))
                if asked.pending is not None:
                    if not (isinstance(outcome, Failed) and outcome.reason is FailReason.TIMEOUT):
                        unanswered = None
                    elif unanswered is None:
                        unanswered = asked.path
                    else:
                        raise ServerHangsError(unanswered)
                yield SiteAnswer(asked.path, asked.offset, outcome)
        finally:
            for asked in window:
                if asked.pending is not None:
                    self._connection.abandon(asked.pending)

    async def _outcome(self, pending: Pending) -> Outcome:
        try:
            return self._targets.outcome(await self._connection.finish(pending, self._settings.request_seconds))
        except RequestTimeoutError as error:
            return Failed(FailReason.TIMEOUT, str(error))
        except RequestFailedError as error:
            return Failed(FailReason.ERROR, str(error))

    def _questions(self, files: Sequence[FileSites]) -> Iterator[tuple[str, int, dict[str, Any] | Failed]]:
        for path, _, offsets in files:
            table = self._targets.table(path)
            document = {"uri": uri_of(path)}
            for offset in offsets:
                try:
                    line, character = table.position(offset)
                except PositionError as error:
                    yield path, offset, Failed(FailReason.OUT_OF_RANGE, str(error))
                else:
                    position = {"line": line, "character": character}
                    yield path, offset, {"textDocument": document, "position": position}

    def _open_group(self, group: Sequence[FileSites]) -> None:
        for path in self._open:
            self._connection.send_notification("textDocument/didClose", {"textDocument": {"uri": uri_of(path)}})
        self._open.clear()
        self._targets.close()
        for path, content, _ in group:
            self._targets.open(path, content)
            if self._adapter.opens_files:
                self._open_file(path, content)

    def _open_file(self, path: str, content: bytes) -> None:
        try:
            # With "utf-8" a byte order mark stays a character of the text, with "utf-8-sig" it goes.
            text = content.decode("utf-8" if self._adapter.counts_bom else "utf-8-sig")
        except UnicodeDecodeError as error:
            # A didOpen carries text; the server reads this file from the disk in its own way.
            _log.info("%s is not UTF-8 and is not opened: %s", path, error)
            return
        document = {"uri": uri_of(path), "languageId": self._adapter.language_id(path), "version": 1, "text": text}
        self._connection.send_notification("textDocument/didOpen", {"textDocument": document})
        self._open.append(path)


@asynccontextmanager
async def open_session(
    adapter: Adapter,
    settings: ServerSettings,
    workspace: Workspace,
    *,
    files_expected: int | None = None,
) -> AsyncGenerator[Ready]:
    """Starts a server and waits until it is ready; when the block is left, no process is left.

    Raises ServerMissingError, NotReadyError, ServerDiedError or ServerGarbageError.
    """
    settings = with_settings(settings, workspace.settings)
    with tempfile.TemporaryDirectory(prefix=f"tieline-{adapter.name}-", ignore_cleanup_errors=True) as scratch:
        workspace = replace(workspace, scratch=Path(scratch).resolve())
        if adapter.open is not None:
            async with adapter.open(adapter, settings, workspace) as ready:
                yield ready
        else:
            async with open_connected(adapter, settings, workspace, files_expected) as session:
                yield session


@asynccontextmanager
async def open_connected(
    adapter: Adapter,
    settings: ServerSettings,
    workspace: Workspace,
    files_expected: int | None,
) -> AsyncGenerator[Session]:
    """A session over a connection. `settings` have those of the workspace laid over them."""
    found = adapter.find(settings)
    launch = adapter.launch(found, settings, workspace)
    began = monotonic()
    connection = Connection(
        launch.command,
        environment=launch.environment,
        folder=workspace.root,
        in_flight=settings.in_flight,
        memory_limit=settings.memory_mib << 20,
    )
    async with connection:
        changed = asyncio.Event()
        readiness = adapter.readiness()
        _listen(connection, adapter, settings, workspace, readiness, changed)
        try:
            async with asyncio.timeout(settings.ready_seconds):
                answer = await connection.request("initialize", _initialize(adapter, settings, workspace), None)
                connection.send_notification("initialized")
                await _until_ready(connection, readiness, changed)
        except TimeoutError as error:
            raise NotReadyError(
                f"{adapter.name} was not ready after {settings.ready_seconds} s: {connection.stderr_tail()[-400:]}"
            ) from error
        except RequestFailedError as error:
            raise NotReadyError(f"{adapter.name} refused to start: {error}") from error
        encoding, version = _negotiated(answer)
        version = adapter.version_of(version)
        targets = Targets(encoding, counts_bom=adapter.counts_bom)
        info = SessionInfo(
            adapter.name,
            version or found.version,
            encoding,
            readiness.files,
            files_expected,
            monotonic() - began,
            _notes(adapter, connection, readiness.files, files_expected),
        )
        yield Session(connection, adapter, settings, targets, info)


def _notes(adapter: Adapter, connection: Connection, found: int | None, expected: int | None) -> tuple[str, ...]:
    notes = adapter.notes(connection.stderr_tail())
    if found is not None and expected is not None and found < expected:
        hidden = "the repository's own configuration (include, exclude) hides some from it"
        notes += (f"{adapter.name} sees {found} source files where {expected} are expected: {hidden}",)
    return notes


async def _until_ready(connection: Connection, readiness: Readiness, changed: asyncio.Event) -> None:
    dead = connection.closed
    while not readiness.ready:
        if connection.death is not None:
            raise connection.death
        waiting = [asyncio.ensure_future(event.wait()) for event in (changed, dead)]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()
        changed.clear()


def _listen(
    connection: Connection,
    adapter: Adapter,
    settings: ServerSettings,
    workspace: Workspace,
    readiness: Readiness,
    changed: asyncio.Event,
) -> None:
    def watched(method: str, answer: Any = None) -> Any:
        def handle(params: Any) -> Any:
            readiness.observe(method, params)
            changed.set()
            return answer(params) if answer is not None else None

        return handle

    def configuration(params: Any) -> Any:
        return [adapter.configuration(item.get("section") or "", settings, workspace) for item in params["items"]]

    def folders(params: Any) -> Any:
        return [_folder(workspace)]

    def refuse_edit(params: Any) -> Any:
        return {"applied": False, "failureReason": "this client only asks"}

    for method in _MESSAGES:
        connection.on_notification(method, watched(method))
    connection.on_request("workspace/configuration", watched("workspace/configuration", configuration))
    connection.on_request("workspace/workspaceFolders", folders)
    connection.on_request("workspace/applyEdit", refuse_edit)
    for method in (
        "client/registerCapability",
        "client/unregisterCapability",
        "window/workDoneProgress/create",
        # No action is chosen: nobody is there to choose.
        "window/showMessageRequest",
        "workspace/diagnostic/refresh",
        "workspace/semanticTokens/refresh",
        "workspace/inlayHint/refresh",
        "workspace/codeLens/refresh",
    ):
        connection.on_request(method, lambda params: None)
    connection.on_request("window/showDocument", lambda params: {"success": False})


def _initialize(adapter: Adapter, settings: ServerSettings, workspace: Workspace) -> dict[str, Any]:
    capabilities: dict[str, Any] = {
        "general": {"positionEncodings": list(ENCODINGS)},
        "workspace": {"configuration": True, "workspaceFolders": True},
        "textDocument": {"definition": {"linkSupport": False}, "synchronization": {}},
        "window": {"workDoneProgress": True},
    }
    for area, extra in adapter.capabilities.items():
        capabilities[area] = {**capabilities.get(area, {}), **extra}
    return {
        # A server that watches its parent ends with us, however we end.
        "processId": os.getpid(),
        "clientInfo": {"name": "tieline"},
        "rootUri": _folder(workspace)["uri"],
        "rootPath": str(workspace.root),
        "workspaceFolders": [_folder(workspace)],
        "capabilities": capabilities,
        "initializationOptions": adapter.initialization_options(settings, workspace),
    }


def _folder(workspace: Workspace) -> dict[str, str]:
    return {"uri": workspace.root.as_uri(), "name": workspace.root.name or "root"}


def _negotiated(answer: Any) -> tuple[Any, str]:
    try:
        server: Any = answer.get("serverInfo") or {}
        version = server.get("version") or ""
        return encoding_of(answer["capabilities"].get("positionEncoding")), str(version)
    except (LookupError, AttributeError, TypeError, PositionError) as error:
        raise ServerGarbageError(f"an `initialize` answer of the wrong shape: {error!r}") from error
