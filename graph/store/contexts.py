"""Reading what is stored of compilation contexts."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

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


def settled_files(connection: sqlite3.Connection, context: str, plans: Iterable[str]) -> set[int]:
    """Files about which a context has answered all that one of some plans asks."""
    wanted = set(plans)
    rows = connection.execute("SELECT file, plan FROM settled WHERE context = ?", (context,))
    return {file for file, plan in rows if plan in wanted}


def unresolved_files(connection: sqlite3.Connection) -> set[int]:
    """Files that are new or have changed since the pass was last over them."""
    rows = connection.execute(
        "SELECT f.id FROM file f WHERE NOT EXISTS (SELECT 1 FROM resolved r WHERE r.file = f.id AND r.hash = f.hash)"
    )
    return {row[0] for row in rows}


def stored_packages(connection: sqlite3.Connection) -> list[tuple[str, str, str, str, str, str]]:
    """The workspace packages, in the columns of `SemanticWriter.packages`."""
    return connection.execute(
        "SELECT ecosystem, name, root, manifest, import_names, dependencies FROM package ORDER BY id"
    ).fetchall()
