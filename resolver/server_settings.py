"""The settings of language servers: as delivered, what the repository says, and what its user says over both.

The repository's are the tables `[servers.NAME]` of its `tieline.toml`, or `[tool.tieline.servers.NAME]` of its
`pyproject.toml`; the user's are the tables `[NAME]` of `tieline/servers.toml` in the XDG configuration folder. Both
have the shape of `configs/servers.toml`. A command, a version, an environment or a server's own settings can make a
server run what the repository likes: they are taken from it with trust only.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, cast

from graph.inventory import load_settings as repository_settings
from lsp_clients import ConfigurationError, ServerSettings, load_settings, read_overlay

HARMLESS = frozenset({"in_flight", "group_mib", "request_seconds", "ready_seconds", "memory_mib", "restarts"})
"""Keys that a repository may set without trust: they cost time and memory, and run nothing."""


class Chosen(NamedTuple):
    """Settings by server, and what of the repository's was left out."""

    servers: dict[str, ServerSettings]
    ignored: tuple[str, ...]
    """`NAME.KEY` of what counts with `--trust` only."""


def server_settings(root: Path | None, *, trust: bool) -> Chosen:
    """The settings that hold for a repository, or for none. Raises ConfigurationError and ConfigError."""
    overlays: list[Mapping[str, Any]] = []
    ignored: list[str] = []
    if root is not None:
        overlays.append(_of_repository(root, trust, ignored))
    user = user_file()
    if user.is_file():
        overlays.append(read_overlay(user))
    return Chosen(load_settings(*overlays), tuple(ignored))


def user_file() -> Path:
    """`tieline/servers.toml` in the XDG configuration folder (XDG Base Directory, XDG_CONFIG_HOME)."""
    # The specification: a relative XDG_CONFIG_HOME is invalid and ignored.
    folder = Path(os.environ.get("XDG_CONFIG_HOME", ""))
    return (folder if folder.is_absolute() else Path.home() / ".config") / "tieline/servers.toml"


def _of_repository(root: Path, trust: bool, ignored: list[str]) -> Mapping[str, Any]:
    tables = repository_settings(root).others.get("servers", {})
    if not isinstance(tables, dict):
        raise ConfigurationError("servers: must be a table with one table for each server")
    kept: dict[str, Any] = {}
    for name, table in sorted(cast("dict[str, Any]", tables).items()):
        if not isinstance(table, dict):
            raise ConfigurationError(f"servers.{name}: must be a table")
        own = cast("dict[str, Any]", table)
        kept[name] = {key: value for key, value in own.items() if trust or key in HARMLESS}
        ignored.extend(f"{name}.{key}" for key in sorted(own) if key not in kept[name])
    return kept
