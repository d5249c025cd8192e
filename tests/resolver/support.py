"""What the tests of the semantic pass share."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from graph.index import IndexOptions, IndexReport, build_index
from graph.query import Snapshot, at
from graph.query.layers import Judged
from graph.store import Store
from graph.store.semantic import files_of
from graph.store.semantic_writer import SemanticWriter
from lsp_clients import ServerSettings
from resolver.contexts.registry import LANGUAGES
from resolver.reconcile import Reconciler, reconcile_files, workspace_names
from resolver.semantic import ResolveOptions, ResolveReport, resolve
from tests.harness.indexing import Repository


@contextmanager
def written(repository: Repository) -> Generator[tuple[sqlite3.Connection, SemanticWriter]]:
    """The index, open for writing."""
    with repository.store.writer(5), closing(repository.store.open_for_change()) as connection:
        yield connection, SemanticWriter(connection, repository.store)


def update(repository: Repository, *, full: bool = False) -> IndexReport:
    """Bring the index up to date as the command line does."""
    options = IndexOptions(full=full, jobs=1, reconcile=reconcile_files)
    return build_index(repository.root, folder=repository.folder, options=options)


def resolved(
    repository: Repository, settings: dict[str, ServerSettings] | None = None, **options: Any
) -> ResolveReport:
    """Bring the index up to date and run the pass, about everything unless `everything` says otherwise."""
    update(repository)
    wanted = replace(ResolveOptions(everything=True), **options)
    return resolve(repository.root, folder=repository.folder, options=wanted, settings=settings)


def judged(state: Snapshot, path: str, line: int, name: str, occurrence: int = 1) -> Judged:
    """What is said of the n-th reference called `name` on a line (1-based)."""
    found = [
        item.reference
        for item in at(state, path, line).items
        if item.reference is not None and item.reference.reference.name == name
    ]
    assert len(found) >= occurrence, f"no reference {name}#{occurrence} at {path}:{line}"
    return found[occurrence - 1]


def said(repository: Repository, path: str, line: int, name: str, occurrence: int = 1) -> str:
    """The same in short: `verdict -> ids of targets`, sorted, or `verdict (package:symbol)`, or `verdict [reason]`."""
    with repository.read() as state:
        found = judged(state, path, line, name, occurrence)
        word = found.verdict.name.lower()
        if found.targets:
            return f"{word} -> {', '.join(sorted(target.definition.id for target in found.targets))}"
        if found.external is not None:
            return f"{word} ({found.external.package}:{found.external.symbol})"
        return f"{word} [{found.reason}]"


def statuses(repository: Repository) -> dict[str, int]:
    """How many semantic resolutions of each status there are."""
    with repository.read() as state:
        rows = state.connection.execute("SELECT status, COUNT(DISTINCT reference) FROM semantic GROUP BY 1").fetchall()
    words = ("resolved", "external", "ambiguous", "unresolved", "excluded", "failed")
    return {words[status]: count for status, count in rows}


def wrong_verdicts(repository: Repository) -> list[str]:
    """Files whose stored verdicts are not what their stored resolutions amount to."""
    wrong: list[str] = []
    with repository.read() as state:
        connection = state.connection
        reconciler = Reconciler(connection, workspace_names(connection))
        for file in files_of(connection):
            span = (file.number << 40, (file.number + 1 << 40) - 1)
            stored = {
                row[0]: (row[1], row[2], row[3])
                for row in connection.execute(
                    "SELECT reference, verdict, external, reason FROM verdict WHERE reference BETWEEN ? AND ?", span
                )
            }
            due = {
                one.reference: (int(one.verdict), one.external, one.reason)
                for one in reconciler.judgements(file.number)
            }
            if stored != due:
                wrong.append(file.path)
    return wrong


def health(repository: Repository) -> dict[str, str]:
    """Health of each context by `root`."""
    with repository.read() as state:
        return dict(state.connection.execute("SELECT root, health FROM context").fetchall())


def write(root: Path, path: str, text: str) -> None:
    """Replace a file."""
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")


def merged_languages(root: Path) -> bool:
    """Whether a server is known for every language of an indexed repository."""
    with closing(Store(root).reader()) as connection:
        rows = connection.execute("SELECT DISTINCT language FROM file").fetchall()
    return {row[0] for row in rows} <= set(LANGUAGES)
