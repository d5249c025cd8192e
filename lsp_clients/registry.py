"""The servers there are, which of them are usable here, and installing them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lsp_clients.adapter import Adapter
from lsp_clients.errors import ServerError, ServerMissingError
from lsp_clients.installing import install_managed
from lsp_clients.servers import gopls, jdtls, pyright, rust_analyzer, typescript
from lsp_clients.settings import ServerSettings, load_settings

ADAPTERS: Mapping[str, Adapter] = {
    adapter.name: adapter
    for adapter in (pyright.ADAPTER, jdtls.ADAPTER, typescript.ADAPTER, gopls.ADAPTER, rust_analyzer.ADAPTER)
}
"""Every adapter by its server's name. A new server is one entry here."""


@dataclass(frozen=True)
class ServerStatus:
    """One row of `tieline servers`."""

    name: str
    languages: tuple[str, ...]
    pinned: str
    """The version that an installation brings."""
    usable: bool
    version: str
    """The version that would be used; "" when unknown or unusable."""
    origin: str
    """`configured`, `managed`, `path`, or "" when unusable."""
    command: tuple[str, ...]
    problem: str
    """Why it is unusable and what to do; "" when usable."""


def list_servers(settings: Mapping[str, ServerSettings] | None = None) -> list[ServerStatus]:
    """One row per known server, in the registry's order."""
    known = load_settings() if settings is None else settings
    return [_status(adapter, known[name]) for name, adapter in ADAPTERS.items()]


def install(name: str, settings: Mapping[str, ServerSettings] | None = None) -> Path:
    """Installs a server's pinned version and gives its folder; does nothing when it is there.

    Raises ServerMissingError for a name that is not known, InstallError otherwise.
    """
    adapter = adapter_for(name)
    own = (load_settings() if settings is None else settings)[name]
    return install_managed(name, own.version, lambda folder: adapter.install(own, folder))


def adapter_for(name: str) -> Adapter:
    """The adapter of a server. Raises ServerMissingError when there is none of that name."""
    try:
        return ADAPTERS[name]
    except KeyError:
        raise ServerMissingError(f"no server is called {name}; there are {', '.join(ADAPTERS)}") from None


def _status(adapter: Adapter, settings: ServerSettings) -> ServerStatus:
    try:
        found = adapter.find(settings)
    except ServerError as error:
        return ServerStatus(adapter.name, adapter.languages, settings.version, False, "", "", (), str(error))
    return ServerStatus(
        adapter.name, adapter.languages, settings.version, True, found.version, found.origin, found.command, ""
    )
