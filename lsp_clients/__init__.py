"""Talking to language servers: find, install, start, wait until ready, ask, survive.

    from lsp_clients import FileSites, Server, Workspace, adapter_for, load_settings

    async with Server(adapter_for("pyright"), load_settings()["pyright"], Workspace(root)) as server:
        async for path, offset, outcome in server.ask([FileSites(path, content, (17, 42))]):
            ...

What is imported here is the public API. It knows no graph and imports nothing of ours.
"""

from lsp_clients.adapter import Adapter, Found, Workspace
from lsp_clients.answers import (
    Canary,
    Empty,
    Failed,
    FailReason,
    FileSites,
    Located,
    Location,
    Outcome,
    Outside,
    SiteAnswer,
)
from lsp_clients.errors import (
    ConfigurationError,
    InstallError,
    NotReadyError,
    PositionError,
    RequestFailedError,
    RequestTimeoutError,
    ServerDiedError,
    ServerError,
    ServerGarbageError,
    ServerMissingError,
)
from lsp_clients.registry import ADAPTERS, ServerStatus, adapter_for, install, list_servers
from lsp_clients.session import SessionInfo
from lsp_clients.settings import ServerSettings, load_settings, read_overlay
from lsp_clients.supervisor import Crash, Report, Server

__all__ = [
    "ADAPTERS",
    "Adapter",
    "Canary",
    "ConfigurationError",
    "Crash",
    "Empty",
    "FailReason",
    "Failed",
    "FileSites",
    "Found",
    "InstallError",
    "Located",
    "Location",
    "NotReadyError",
    "Outcome",
    "Outside",
    "PositionError",
    "Report",
    "RequestFailedError",
    "RequestTimeoutError",
    "Server",
    "ServerDiedError",
    "ServerError",
    "ServerGarbageError",
    "ServerMissingError",
    "ServerSettings",
    "ServerStatus",
    "SessionInfo",
    "SiteAnswer",
    "Workspace",
    "adapter_for",
    "install",
    "list_servers",
    "load_settings",
    "read_overlay",
]
