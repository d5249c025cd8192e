"""What differs from server to server, as data and plain functions. The core knows no server by name.

A new server is one module in `lsp_clients/servers/` with one `Adapter`, one line in the registry, and its section in
`configs/servers.toml`.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from lsp_clients.answers import FileSites, SiteAnswer
from lsp_clients.settings import ServerSettings

if TYPE_CHECKING:
    from lsp_clients.session import Session, SessionInfo


@dataclass(frozen=True)
class Workspace:
    """What one server process looks at: one compilation context of one repository."""

    root: Path
    """Absolute, with symbolic links resolved (servers answer with resolved paths)."""
    interpreter: Path | None = None
    """Python: the interpreter whose packages count."""
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Laid over the server's settings for this context alone (GOOS, features, ...)."""
    scratch: Path | None = None
    """An empty folder of this one process, for what it must write; the session makes it, and removes it at the end."""


@dataclass(frozen=True)
class Found:
    """A usable server on this machine."""

    command: tuple[str, ...]
    version: str
    """As the installation says it; "" when it does not say."""
    origin: str
    """`configured`, `managed` or `path`."""
    folder: Path | None
    """Where the package lies, for adapters that need more than its command."""


@dataclass(frozen=True)
class Launch:
    """How to start the process."""

    command: tuple[str, ...]
    environment: Mapping[str, str]


class Readiness(Protocol):
    """Watches one starting server. `observe` is called for every message that the server sends by itself."""

    @property
    def ready(self) -> bool:
        """Its answers count from now on."""
        ...

    @property
    def files(self) -> int | None:
        """How many source files the server says it sees; None when it says nothing about it."""
        ...

    def observe(self, method: str, params: Any) -> None: ...


class Ready(Protocol):
    """What answers: a running server that is ready, or what one run of it has written."""

    @property
    def info(self) -> SessionInfo:
        """What came of the start."""
        ...

    def answers(self, files: Sequence[FileSites]) -> AsyncGenerator[SiteAnswer]:
        """One answer for every site, in the order of the files and of their offsets.

        Raises ServerDiedError, ServerGarbageError or ServerHangsError; what came before it counts.
        """
        ...


@dataclass(frozen=True)
class Adapter:
    """One language server."""

    name: str
    languages: tuple[str, ...]
    """As the graph names them."""
    method: str
    """The request that is asked about a site; its result is a Location, a list of Location or of LocationLink."""
    opens_files: bool
    """Files are opened in groups before they are asked about."""
    counts_bom: bool
    """A byte order mark is a character of the first line."""
    capabilities: Mapping[str, Any]
    """Client capabilities beyond those of the core."""
    find: Callable[[ServerSettings], Found]
    """The server to use; raises ServerMissingError, whose message says why there is none and what to do."""
    install: Callable[[ServerSettings, Path], None]
    """Fills an empty folder with the pinned version; raises InstallError."""
    launch: Callable[[Found, ServerSettings, Workspace], Launch]
    initialization_options: Callable[[ServerSettings, Workspace], Any]
    configuration: Callable[[str, ServerSettings, Workspace], Any]
    """The answer to one item of `workspace/configuration`: a section name to its value, None when there is none."""
    readiness: Callable[[], Readiness]
    language_id: Callable[[str], str]
    """The LSP language id of a path."""
    version_of: Callable[[str], str] = lambda given: given
    """The version, from what the server calls its own in `serverInfo`; "" when that does not say."""
    notes: Callable[[str], tuple[str, ...]] = lambda stderr: ()
    """What a user should know, from the server's standard error after the start."""
    bulk: Callable[[Session, Sequence[FileSites]], AsyncGenerator[SiteAnswer]] | None = None
    """Answers whole files through requests of its own, in place of one `method` request for each site.

    The files are open already if `opens_files`. As `Ready.answers`: one answer for every site, in order.
    """
    open: Callable[[Adapter, ServerSettings, Workspace], AbstractAsyncContextManager[Ready]] | None = None
    """In place of speaking LSP with a process: for a server whose bulk way is a run of its own that ends.

    `settings` have those of the workspace laid over them. Raises what `open_session` does; when the block is left, no
    process is left.
    """
