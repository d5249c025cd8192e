"""From the places that a server names to definitions of the index, or to what lies outside of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path

from graph.model import CALLABLE_KINDS, DefinitionKind, Flag, ReferenceKind, Status
from graph.store.numbers import definition_file, definition_range
from graph.store.semantic import (
    Answer,
    FileHash,
    Question,
    definition_named_at,
    file_by_path,
    references_at,
    syntactic_targets,
)
from lsp_clients import Empty, Failed, Located, Location, Outcome, Outside
from resolver.contexts.context import External
from resolver.judging import LOCAL, NO_ANSWER, NO_DEFINITION, NOT_FOLLOWED, NOT_INDEXED

_INSTALLED = frozenset({"site-packages", "dist-packages", "node_modules"})
"""Folders below which nothing is source of the repository, wherever they are."""


class Locator:
    """Maps locations, remembering files and definitions that came up before."""

    def __init__(self, connection: sqlite3.Connection, root: Path, external: External) -> None:
        self._connection = connection
        self._prefix = f"{str(root).rstrip('/')}/"
        self._external = external
        self._files: dict[str, FileHash | None] = {}
        self._definitions: dict[tuple[int, int, int], tuple[int, ...]] = {}
        self._meant: dict[int, tuple[int, ...]] = {}
        self._first_overload: dict[int, int] = {}
        """Of overloads without an implementation: the first one of their function."""
        self._syntactic: dict[int, dict[int, tuple[int, str, str, tuple[int, ...], int | None]]] = {}

    def answer(self, question: Question, outcome: Outcome) -> Answer:
        """What an outcome says about a reference, in terms of the index."""
        if isinstance(outcome, Failed):
            return Answer(question.reference, Status.FAILED, str(outcome.reason))
        if isinstance(outcome, Outside):
            return Answer(
                question.reference, Status.EXTERNAL, external=(outcome.package, outcome.version, outcome.symbol)
            )
        if isinstance(outcome, Empty):
            return Answer(question.reference, Status.UNRESOLVED, NO_ANSWER)
        return self._located(question, outcome)

    def _located(self, question: Question, outcome: Located) -> Answer:
        reference = question.reference
        targets: dict[int, None] = {}
        outside: list[Location] = []
        nothing: list[str] = []
        for location in outcome.locations:
            file = self._file(location.path)
            if file is None:
                outside.append(location)
                continue
            if file.hash.hex() != location.digest:
                return Answer(reference, Status.FAILED, "changed-meanwhile")
            found = self._at(file.number, location.start, location.end)
            if location.end == 0 and _is_given(question):
                found = ()
            targets.update(dict.fromkeys(found))
            if not found:
                nothing.append(self._nothing_at(file.number, location.start, location.end))
        if question.kind == ReferenceKind.IMPORT and not self._is_of_itself(question):
            beside = [target for target in targets if definition_file(target) == question.file]
            for target in beside:
                del targets[target]
            if beside and not targets and not outside:
                return Answer(reference, Status.UNRESOLVED, NOT_FOLLOWED)
        if targets:
            return Answer(reference, Status.RESOLVED, "", self._entities(targets))
        if nothing:
            return Answer(reference, Status.UNRESOLVED, nothing[0])
        if any(self._is_left_out(location.path) for location in outside):
            return Answer(reference, Status.UNRESOLVED, NOT_INDEXED)
        if outside:
            return Answer(reference, Status.EXTERNAL, external=self._external(outside[0].path, question.name))
        if outcome.elsewhere:
            return Answer(reference, Status.EXTERNAL, external=self._external(outcome.elsewhere[0], question.name))
        return Answer(reference, Status.UNRESOLVED, NO_ANSWER)

    # -- files --------------------------------------------------------------------------------------------------------

    def _file(self, path: str) -> FileHash | None:
        if path not in self._files:
            inside = path.startswith(self._prefix)
            self._files[path] = file_by_path(self._connection, path[len(self._prefix) :]) if inside else None
        return self._files[path]

    def _is_left_out(self, path: str) -> bool:
        """Whether a path is source of the repository that is not in the index, rather than an installed package."""
        return path.startswith(self._prefix) and _INSTALLED.isdisjoint(path[len(self._prefix) :].split("/"))

    # -- definitions --------------------------------------------------------------------------------------------------

    def _at(self, file: int, start: int, end: int) -> tuple[int, ...]:
        """The definitions at a name: its own, or those that an assignment at that very place is to.

        Servers point at every place that declares, and every assignment to a field or variable does.
        """
        key = (file, start, end)
        known = self._definitions.get(key)
        if known is None:
            found = tuple(definition_named_at(self._connection, file, start, end))
            if not found and end > start:
                found = self._assigned(file, start, end)
            known = self._definitions[key] = found
        return known

    def _assigned(self, file: int, start: int, end: int) -> tuple[int, ...]:
        """What an assignment at a place is to, as the syntactic layer has it. Other references declare nothing."""
        if file not in self._syntactic:
            self._syntactic[file] = syntactic_targets(self._connection, file)
        found: dict[int, None] = {}
        for reference in references_at(self._connection, file, start, end):
            (kind,) = self._connection.execute("SELECT kind FROM reference WHERE id = ?", (reference,)).fetchone()
            status, _, _, targets, _ = self._syntactic[file][reference]
            if kind == ReferenceKind.WRITE and status == Status.RESOLVED:
                found.update(dict.fromkeys(targets))
        return tuple(found)

    def _nothing_at(self, file: int, start: int, end: int) -> str:
        """Why there is no definition at a place: inside a function it is a local name.

        Inside a macro it is whatever its expansions declare.
        """
        kinds = ", ".join(str(int(kind)) for kind in sorted(CALLABLE_KINDS - {DefinitionKind.MACRO}))
        row = self._connection.execute(
            "SELECT 1 FROM definition WHERE id BETWEEN ? AND ? AND start <= ? AND end >= ?"
            f" AND kind IN ({kinds}) LIMIT 1",  # numbers
            (*definition_range(file), start, end),
        ).fetchone()
        return LOCAL if row is not None else NO_DEFINITION

    def _is_of_itself(self, question: Question) -> bool:
        """Whether an import leads to its own file.

        Only then can it mean a definition there. `try: from fast import f` / `except ImportError: def f` declares its
        name twice: servers give the second one too, or alone where they do not find the first.
        """
        (own,) = self._connection.execute("SELECT target FROM reference WHERE id = ?", (question.reference,)).fetchone()
        return own is not None and definition_file(own) == question.file

    def _entities(self, targets: Iterable[int]) -> tuple[int, ...]:
        """The definitions that are meant, ascending, without further parts of the same thing.

        A property is its getter (its setter and deleter are further definitions of one name); a function with
        overloads is its implementation. Without one, the overload that a server chose counts; the first when it chose
        none.
        """
        found: dict[int, set[int]] = {}
        for target in targets:
            if target not in self._meant:
                self._meant[target] = self._entity(target)
            for meant in self._meant[target]:
                found.setdefault(self._first_overload.get(meant, meant), set()).add(meant)
        return tuple(sorted(first if len(meant) > 1 else next(iter(meant)) for first, meant in found.items()))

    def _entity(self, target: int) -> tuple[int, ...]:
        rows = self._connection.execute(
            "SELECT other.id, other.flags FROM definition one JOIN definition other"
            " ON other.parent IS one.parent AND other.name = one.name WHERE one.id = ? AND one.kind = other.kind"
            " AND other.id BETWEEN ? AND ? ORDER BY other.start",
            (target, *definition_range(definition_file(target))),
        ).fetchall()
        getters = [definition for definition, flags in rows if flags & Flag.PROPERTY]
        if getters and target not in getters:
            return (getters[0],)
        overloads = {definition for definition, flags in rows if flags & Flag.OVERLOAD}
        if target in overloads:
            bodies = [definition for definition, _ in rows if definition not in overloads]
            if not bodies:
                self._first_overload[target] = rows[0][0]
            return tuple(bodies[-1:]) or (target,)
        return (target,)


def _is_given(question: Question) -> bool:
    """Whether a name is one that every module has by itself, like `__name__`: servers point at the file's start."""
    name = question.name
    return name.startswith("__") and name.endswith("__") and question.kind != ReferenceKind.IMPORT
