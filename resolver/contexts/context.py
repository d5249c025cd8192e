"""What a context is to the pass that asks servers."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson
import xxhash

from graph.link.world import Manifest
from graph.store.semantic import FileHash


@dataclass(frozen=True)
class ContextOptions:
    """What the user says about contexts."""

    python: Path | None = None
    """The interpreter of every Python context (`--python`), as given; None to look for one."""
    trust: bool = False
    """Whether content of the repository may be run: interpreters in it, build scripts, plugins."""


@dataclass(frozen=True)
class Context:
    """One compilation context."""

    ecosystem: str
    root: str
    """Folder relative to the repository, '.' for the repository itself."""
    variant: str
    inputs: Mapping[str, Any]
    """The normalised inputs: equal inputs are one context, on whatever machine."""
    server: str
    """Name of the language server that answers for it."""
    files: tuple[int, ...]
    """Numbers of the member files, by path."""
    excluded: Mapping[int, str]
    """Files of the language that are not members -> why."""
    files_expected: int | None = None
    """How many source files the server should find; None when that cannot be said."""
    interpreter: Path | None = None
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Laid over the server's settings."""
    workspace_names: frozenset[str] = frozenset()
    """Import names of the packages of this repository: an answer that they lie elsewhere refutes nothing."""

    @property
    def name(self) -> str:
        """As it is printed: `ecosystem:root@variant`, without the last part where there is one variant only."""
        return f"{self.ecosystem}:{self.root}{f'@{self.variant}' if self.variant else ''}"

    @property
    def id(self) -> str:
        """Hash of the normalised inputs, 16 hexadecimal digits."""
        parts = [self.ecosystem, self.root, self.variant, dict(self.inputs)]
        return xxhash.xxh3_64_hexdigest(orjson.dumps(parts, option=orjson.OPT_SORT_KEYS))


@dataclass(frozen=True)
class Indexed:
    """The repository, as the contexts of one ecosystem are found from it."""

    root: Path
    """Absolute."""
    files: Sequence[FileHash]
    """The files of the ecosystem's languages, by path."""
    manifests: Sequence[Manifest]
    """Those of every ecosystem, by path, as they were indexed."""
    connection: sqlite3.Connection
    """The index, to be read only."""


External = Callable[[str, str], tuple[str, str, str]]
"""(package, version, symbol) of a target outside of the repository, from the absolute path or the URI of its file and
the name asked about."""


@dataclass(frozen=True)
class Ecosystem:
    """How the contexts of some languages are found, and what their servers' answers mean."""

    name: str
    languages: tuple[str, ...]
    """As the graph names them."""
    find: Callable[[Indexed, ContextOptions], list[Context]]
    """The contexts; raises ContextError."""
    external: External
    unsure_servers: frozenset[str] = frozenset()
    """Servers that answer nothing also where they do not know."""
