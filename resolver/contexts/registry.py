"""The ecosystems whose contexts are known. A new one is a module beside this and one line here."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from graph.link.world import Manifest
from graph.store.semantic import files_of
from resolver.contexts import cargo, go, java, python, tsconfig
from resolver.contexts.context import Context, ContextOptions, Ecosystem, Indexed

ECOSYSTEMS: dict[str, Ecosystem] = {
    one.name: one for one in (python.ECOSYSTEM, java.ECOSYSTEM, tsconfig.ECOSYSTEM, go.ECOSYSTEM, cargo.ECOSYSTEM)
}
"""By name, which is the first part of the name of each of its contexts."""

LANGUAGES = tuple(language for one in ECOSYSTEMS.values() for language in one.languages)
"""Every language that some ecosystem has contexts for."""

UNSURE_SERVERS = frozenset(server for one in ECOSYSTEMS.values() for server in one.unsure_servers)
"""Servers whose "nothing" denies nothing, since they give it also where they do not know."""


def contexts_of(connection: sqlite3.Connection, root: Path, options: ContextOptions) -> list[Context]:
    """The contexts of an indexed repository, by name. Raises ContextError."""
    manifests = [
        Manifest(path, bytes(data))
        for path, data in connection.execute("SELECT path, data FROM manifest ORDER BY path")
    ]
    # A file of ASCII alone reads the same in whatever superset of it that it declares.
    ascii_only = {row[0] for row in connection.execute("SELECT id FROM file WHERE source IS NULL")}
    found: list[Context] = []
    for ecosystem in ECOSYSTEMS.values():
        files = [
            file._replace(encoding="ascii") if file.number in ascii_only else file
            for file in files_of(connection, ecosystem.languages)
        ]
        if files:
            found.extend(ecosystem.find(Indexed(root, files, manifests, connection), options))
    return sorted(found, key=lambda context: context.name)
