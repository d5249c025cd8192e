"""From the places that a server names to definitions of the index, or to what lies outside of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

from graph.model import Status
from graph.store.semantic import (
    Answer,
    FileHash,
    definition_named_at,
    file_by_path,
    references_at,
    syntactic_targets,
)
from lsp_clients import Empty, Failed, Located, Location, Outcome

External = Callable[[str, str], tuple[str, str, str]]
"""(package, version, symbol) of a target outside, from the absolute path of its file and the name asked about."""


class Locator:
    """Maps locations, remembering files and definitions that came up before."""

    def __init__(self, connection: sqlite3.Connection, root: Path, external: External) -> None:
        self._connection = connection
        self._root = str(root)
        self._external = external
        self._files: dict[str, FileHash | None] = {}
        self._definitions: dict[tuple[int, int, int], tuple[int, ...]] = {}
        self._syntactic: dict[int, dict[int, tuple[int, str, str, tuple[int, ...], int | None]]] = {}

    def answer(self, reference: int, name: str, outcome: Outcome) -> Answer:
        """What an outcome says about a reference, in terms of the index."""
        if isinstance(outcome, Failed):
            return Answer(reference, Status.FAILED, str(outcome.reason))
        if isinstance(outcome, Empty):
            return Answer(reference, Status.UNRESOLVED, "no-answer")
        return self._located(reference, name, outcome)

    def _located(self, reference: int, name: str, outcome: Located) -> Answer:
        targets: dict[int, None] = {}
        outside: list[Location] = []
        reason = ""
        for location in outcome.locations:
            file = self._file(location.path)
            if file is None:
                outside.append(location)
                continue
            if file.hash.hex() != location.digest:
                return Answer(reference, Status.FAILED, "changed-meanwhile")
            found = self._at(file.number, location.start, location.end)
            if not found:
                reason = "no-definition-there"
            targets.update(dict.fromkeys(found))
        if targets:
            return Answer(reference, Status.RESOLVED, "", tuple(sorted(targets)))
        if reason:
            return Answer(reference, Status.UNRESOLVED, reason)
        inside = [location for location in outside if self._is_left_out(location.path)]
        if inside:
            return Answer(reference, Status.UNRESOLVED, "target-not-indexed")
        if outside:
            return Answer(reference, Status.EXTERNAL, external=self._external(outside[0].path, name))
        return Answer(reference, Status.UNRESOLVED, "no-answer")

    def _file(self, path: str) -> FileHash | None:
        if path not in self._files:
            relative = path[len(self._root) + 1 :] if path.startswith(self._root + "/") else None
            self._files[path] = None if relative is None else file_by_path(self._connection, relative)
        return self._files[path]

    def _is_left_out(self, path: str) -> bool:
        """Whether a path is source of the repository that is not in the index, rather than an installed package."""
        return path.startswith(self._root + "/") and not any(
            part in ("site-packages", "dist-packages", "node_modules") for part in path.split("/")
        )

    def _at(self, file: int, start: int, end: int) -> tuple[int, ...]:
        """The definitions at a name: its own, or those that a reference at that very place leads to.

        Servers point at every place that declares: at a further assignment of a field, or at an import.
        """
        key = (file, start, end)
        known = self._definitions.get(key)
        if known is None:
            found = tuple(definition_named_at(self._connection, file, start, end))
            if not found and end > start:
                found = self._through_reference(file, start, end)
            known = self._definitions[key] = found
        return known

    def _through_reference(self, file: int, start: int, end: int) -> tuple[int, ...]:
        if file not in self._syntactic:
            self._syntactic[file] = syntactic_targets(self._connection, file)
        found: dict[int, None] = {}
        for reference in references_at(self._connection, file, start, end):
            row = self._syntactic[file].get(reference)
            if row is not None and row[0] == Status.RESOLVED:
                found.update(dict.fromkeys(row[3]))
        return tuple(found)
