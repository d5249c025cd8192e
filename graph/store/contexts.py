"""Reading what is stored of compilation contexts."""

from __future__ import annotations

import sqlite3

from graph.store.semantic import ContextRow
from graph.store.vocabulary import Membership


def stored_contexts(connection: sqlite3.Connection) -> dict[str, ContextRow]:
    """All contexts by id."""
    rows = connection.execute("SELECT id, ecosystem, root, variant, inputs, server, version, health FROM context")
    return {row[0]: ContextRow(*row) for row in rows}


def stored_memberships(connection: sqlite3.Connection, context: str) -> dict[int, tuple[Membership, str]]:
    """What a context makes of each file: number -> (membership, detail)."""
    rows = connection.execute("SELECT file, membership, detail FROM context_file WHERE context = ?", (context,))
    return {file: (Membership(membership), detail) for file, membership, detail in rows}


def stored_packages(connection: sqlite3.Connection) -> list[tuple[str, str, str, str, str, str]]:
    """The workspace packages, in the columns of `SemanticWriter.packages`."""
    return connection.execute(
        "SELECT ecosystem, name, root, manifest, import_names, dependencies FROM package ORDER BY id"
    ).fetchall()
