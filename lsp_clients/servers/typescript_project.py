"""One project in a running tsserver: loaded through our plugin, and asked about whole files."""

import hashlib
from collections import deque
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from time import monotonic
from typing import Any, NamedTuple, cast

from lsp_clients.adapter import Adapter, Workspace
from lsp_clients.answers import Empty, Failed, FailReason, FileSites, Outcome, Outside, SiteAnswer
from lsp_clients.connection import Pending
from lsp_clients.errors import NotReadyError, PositionError, RequestFailedError, RequestTimeoutError
from lsp_clients.positions import BOM, LineTable
from lsp_clients.servers.typescript_packages import package_of
from lsp_clients.session import ServerHangsError, Session, SessionInfo, open_connected
from lsp_clients.settings import ServerSettings
from lsp_clients.targets import uri_of

PLUGIN = "tieline-tsserver-plugin"
_CONFIGURATIONS = ("tsconfig.json", "jsconfig.json")
_NO_PLUGIN = "the plugin could not be loaded: each reference is asked about in the project that tsserver picks"
_WINDOW = 4
"""Files asked about and not yet answered: tsserver works on one at a time, the rest covers what lies between."""


@asynccontextmanager
async def open_project(
    adapter: Adapter, settings: ServerSettings, workspace: Workspace
) -> AsyncGenerator["Project | Session"]:
    """A server that has loaded the workspace's project; without the plugin a session that asks for definitions.

    Raises what `open_session` does.
    """
    began = monotonic()
    if workspace.root.is_file():
        # A context is called by its configuration.
        workspace = replace(workspace, root=workspace.root.parent)
    async with open_connected(replace(adapter, open=None), settings, workspace, None) as session:
        deadline = began + settings.ready_seconds
        try:
            typescript = await _hello(session, workspace, deadline)
            loaded = None
            if typescript is not None:
                loaded = await _request(session, "tieline/project", _project(settings, workspace), deadline)
        except RequestTimeoutError as error:
            raise NotReadyError(f"the project was not loaded within {settings.ready_seconds} s") from error
        except RequestFailedError as error:
            # What follows is where in tsserver it happened.
            words = " ".join(str(error).splitlines()[:2])
            raise NotReadyError(f"the project could not be loaded: {words}") from error
        session.info = _info(session.info, settings, typescript, loaded, monotonic() - began)
        yield session if loaded is None else Project(session)


async def _hello(session: Session, workspace: Workspace, deadline: float) -> str | None:
    """The version of TypeScript, as our plugin says it; None when the plugin is not there."""
    # tsserver loads plugins into the first project that there is. This one has no file and no configuration, so that
    # our plugin is there before anything of the repository is read.
    first: dict[str, Any] = {"projectFileName": f"{workspace.scratch}/first", "rootFiles": [], "options": {}}
    await _request(session, "openExternalProject", first, deadline)
    try:
        return str((await _request(session, "tieline/hello", {}, deadline)).get("typescript"))
    except RequestFailedError:
        # A command that tsserver does not know.
        return None


def _project(settings: ServerSettings, workspace: Workspace) -> dict[str, Any]:
    """The project to load: what is set for it, else the configuration in the folder, else no file at all."""
    project = cast(Mapping[str, Any], settings.settings.get("project", {}))
    config, paths = project.get("config") or None, list(project.get("files", ()))
    if config is None and not paths:
        found = [workspace.root / name for name in _CONFIGURATIONS if (workspace.root / name).is_file()]
        config = str(found[0]) if found else None
    folder = project.get("folder") or str(workspace.root)
    given = {key: dict(project.get(key, {})) for key in ("options", "modules")}
    return {"config": config, "files": paths, "folder": folder, **given}


def _info(
    info: SessionInfo,
    settings: ServerSettings,
    typescript: str | None,
    loaded: Mapping[str, Any] | None,
    seconds: float,
) -> SessionInfo:
    notes = [*info.notes, *settings.settings.get("project", {}).get("notes", ())]
    if loaded is None:
        return replace(info, notes=(*notes, _NO_PLUGIN), seconds=seconds)
    if loaded["blocked"]:
        notes.append(f"plugins that the repository names are not run: {', '.join(loaded['blocked'])}")
    if not loaded["enabled"]:
        notes.append("tsserver has switched its language service off for this project")
    version = f"{info.version} (TypeScript {typescript})"
    return replace(info, version=version, notes=tuple(notes), seconds=seconds, files_found=loaded["files"])


class _Asked(NamedTuple):
    file: FileSites
    offsets: tuple[int, ...]
    """Those that are places in the text."""
    pending: Pending | None
    """None when there was nothing to ask."""


class Project:
    """A project that is loaded. Answers do not depend on the order or the grouping of what is asked."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._outcomes: dict[tuple[tuple[object, ...], ...], Outcome] = {}

    @property
    def info(self) -> SessionInfo:
        """What came of the start."""
        return self._session.info

    @property
    def memory(self) -> int:
        """Resident bytes of the server and its children."""
        return self._session.memory

    async def answers(self, files: Sequence[FileSites]) -> AsyncGenerator[SiteAnswer]:
        """As `Ready.answers`."""
        targets = self._session.targets
        targets.close()
        self._outcomes.clear()
        tables = {file.path: targets.open(file.path, file.content) for file in files}
        async with aclosing(self._by_file(files, tables)) as answered:
            async for asked, found in answered:
                for offset in asked.file.offsets:
                    yield SiteAnswer(asked.file.path, offset, found[offset])

    async def _by_file(
        self, files: Sequence[FileSites], tables: Mapping[str, LineTable]
    ) -> AsyncGenerator[tuple[_Asked, Mapping[int, Outcome]]]:
        window: deque[_Asked] = deque()
        waiting = iter(files)
        unanswered: str | None = None
        try:
            while True:
                while len(window) < _WINDOW and (file := next(waiting, None)) is not None:
                    window.append(await self._begin(file, tables[file.path]))
                if not window:
                    return
                asked = window.popleft()
                found, in_time = await self._finish(asked)
                if in_time:
                    unanswered = None
                elif unanswered is not None:
                    raise ServerHangsError(unanswered)
                else:
                    unanswered = asked.file.path
                yield asked, found
        finally:
            for asked in window:
                if asked.pending is not None:
                    self._session.connection.abandon(asked.pending)

    async def _begin(self, file: FileSites, table: LineTable) -> _Asked:
        offsets: list[int] = []
        sites: list[int] = []
        for offset in file.offsets:
            try:
                sites.extend(table.position(offset))
            except PositionError:
                continue
            offsets.append(offset)
        if not offsets:
            return _Asked(file, (), None)
        # What is hashed is the text as the compiler has it: without a byte order mark.
        digest = hashlib.sha1(file.content.removeprefix(BOM), usedforsecurity=False).hexdigest()
        arguments = {"file": file.path, "digest": digest, "sites": sites}
        params = _command("tieline/answers", arguments)
        pending = await self._session.connection.begin("workspace/executeCommand", params)
        return _Asked(file, tuple(offsets), pending)

    async def _finish(self, asked: _Asked) -> tuple[Mapping[int, Outcome], bool]:
        """(outcome of each site, whether there was an answer in time)."""
        out_of_range = Failed(FailReason.OUT_OF_RANGE, "not a place in the text")
        found: dict[int, Outcome] = dict.fromkeys(asked.file.offsets, out_of_range)
        if asked.pending is None:
            return found, True
        connection, seconds = self._session.connection, self._session.settings.request_seconds
        try:
            answer = await connection.finish(asked.pending, seconds)
            outcomes = list(self._read(_body(answer), len(asked.offsets)))
        except RequestTimeoutError as error:
            return found | dict.fromkeys(asked.offsets, Failed(FailReason.TIMEOUT, str(error))), False
        except RequestFailedError as error:
            return found | dict.fromkeys(asked.offsets, Failed(FailReason.ERROR, str(error))), True
        except (LookupError, TypeError, ValueError) as error:
            wrong = Failed(FailReason.GARBAGE, f"an answer of the wrong shape: {error!r}")
            return found | dict.fromkeys(asked.offsets, wrong), True
        return found | dict(zip(asked.offsets, outcomes, strict=True)), True

    def _read(self, body: Mapping[str, Any], count: int) -> Iterator[Outcome]:
        """The outcomes of one file, in the order asked. Raises LookupError, TypeError or ValueError for nonsense."""
        problem = body.get("problem")
        if problem is not None:
            yield from (Failed(FailReason.ERROR, str(problem)) for _ in range(count))
            return
        places: list[tuple[Any, ...]] = [tuple(cast(list[Any], place)) for place in body["targets"]]
        for answer in body["answers"]:
            if answer is None:
                yield Failed(FailReason.ERROR, "the type checker failed")
                continue
            chosen = tuple(places[int(index)] for index in cast(list[Any], answer))
            outcome = self._outcomes.get(chosen)
            if outcome is None:
                outcome = self._outcomes[chosen] = self._outcome(chosen)
            yield outcome

    def _outcome(self, places: tuple[tuple[Any, ...], ...]) -> Outcome:
        inside = [_location(*place) for place in places if len(place) == 5]
        if inside:
            return self._session.targets.outcome(inside)
        for path, symbol in places:
            package = package_of(path)
            return Outside(package.name, package.version, symbol)
        return Empty()


def _location(path: str, line: int, character: int, end_line: int, end_character: int) -> dict[str, Any]:
    start, end = {"line": line, "character": character}, {"line": end_line, "character": end_character}
    return {"uri": uri_of(path), "range": {"start": start, "end": end}}


def _command(command: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {"command": "typescript.tsserverRequest", "arguments": [command, arguments]}


def _body(answer: Any) -> Mapping[str, Any]:
    """The body of tsserver's response, which the language server hands on as it is."""
    body = cast(Mapping[str, Any], answer).get("body") if isinstance(answer, dict) else None
    return cast(Mapping[str, Any], body) if isinstance(body, dict) else {}


async def _request(session: Session, command: str, arguments: Mapping[str, Any], deadline: float) -> Mapping[str, Any]:
    """The body of the answer to one command, until a deadline of time.monotonic."""
    params, seconds = _command(command, arguments), max(1.0, deadline - monotonic())
    return _body(await session.connection.request("workspace/executeCommand", params, seconds))
