"""Reconciliation: the verdicts on the references of whole files, from what the index holds of both layers."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import orjson

from graph.model import DefinitionKind, Flag, ReferenceKind, Status
from graph.store.numbers import definition_file, reference_file, reference_range
from graph.store.semantic import Judgement, SemanticRow, semantic_rows, syntactic_targets
from graph.store.semantic_writer import mark_outdated, store_verdicts
from resolver.contexts.registry import UNSURE_SERVERS
from resolver.judging import LOCAL, NO_ANSWER, NOT_FOLLOWED, Claim, Situation, judge

CONSTRUCTORS = frozenset({"__init__", "__new__", "constructor"})
"""Names of members that stand for the construction of their class."""

IMPORT_RULES = frozenset({"import", "import-partial"})
"""Rules that tie a name to what an import brings."""


class _Definition(NamedTuple):
    kind: int
    name: str
    parent: int | None
    flags: int


class Reconciler:
    """Judges whole files, with what it needs to know about definitions and packages at hand."""

    def __init__(self, connection: sqlite3.Connection, workspace_names: frozenset[str]) -> None:
        self._connection = connection
        self._workspace_names = workspace_names
        self._definitions: dict[int, _Definition | None] = {}
        self._unsure: dict[int, bool] = {}
        self._packages: dict[int, str] = {}
        self._parts: dict[int, tuple[str, str]] = {}

    def judgements(self, file: int) -> list[Judgement]:
        """The verdicts on the references of a file that have semantic resolutions, where they change anything."""
        semantic = self._semantic(file)
        if not semantic:
            return []
        syntactic = syntactic_targets(self._connection, file)
        situation = Situation(self._whole(file, semantic), self._workspace_names)
        found: list[Judgement] = []
        for reference, claims in semantic.items():
            row = syntactic.get(reference)
            if row is None:
                continue
            status, rule, reason, targets, external = row
            given = Claim(status, frozenset(targets), external, self._package(external), reason)
            if status == Status.EXTERNAL and rule in IMPORT_RULES:
                claims = [self._without_fallback(reference, claim) for claim in claims]
            judgement = judge(reference, given, self._alike(given, claims), situation)
            if judgement is not None:
                found.append(judgement)
        return found

    def _semantic(self, file: int) -> dict[int, list[Claim]]:
        """Reference -> what its contexts say: one claim for those that say the same, in an order of their own.

        A context's answer is all of its rows: two contexts may share one target and differ in another.
        """
        answers: dict[int, dict[tuple[str, int], list[SemanticRow]]] = {}
        for row in semantic_rows(self._connection, file):
            of_reference = answers.setdefault(row.reference, {})
            for context in row.contexts:
                of_reference.setdefault((context, row.engine), []).append(row)
        found = self._connection.execute("SELECT hash FROM file WHERE id = ?", (file,)).fetchone()
        hash_ = None if found is None else found[0]
        return {reference: self._claims(of_reference, hash_) for reference, of_reference in answers.items()}

    def _claims(self, answers: Mapping[tuple[str, int], Sequence[SemanticRow]], hash_: bytes | None) -> list[Claim]:
        contexts: dict[Claim, list[str]] = {}
        for (context, engine), rows in sorted(answers.items()):
            first = rows[0]
            claim = Claim(
                min(row.status for row in rows),
                frozenset(row.target for row in rows if row.target is not None),
                first.external,
                self._package(first.external),
                "" if first.reason == NO_ANSWER and self._is_unsure(engine) else first.reason,
                current=all(row.source_hash == hash_ for row in rows),
            )
            contexts.setdefault(claim, []).append(context)
        return [claim._replace(contexts=tuple(names)) for claim, names in contexts.items()]

    def _whole(self, file: int, semantic: Mapping[int, list[Claim]]) -> frozenset[str]:
        """The contexts that know where every import of the file leads."""
        contexts = {name for claims in semantic.values() for claim in claims for name in claim.contexts}
        for (reference,) in self._connection.execute(
            "SELECT id FROM reference WHERE id BETWEEN ? AND ? AND kind = ?",
            (*reference_range(file), int(ReferenceKind.IMPORT)),
        ):
            found = [claim for claim in semantic.get(reference, ()) if claim.targets or claim.status == Status.EXTERNAL]
            contexts &= {name for claim in found if claim.current for name in claim.contexts}
        return frozenset(contexts)

    def _alike(self, given: Claim, claims: list[Claim]) -> list[Claim]:
        """The claims, with the syntactic targets in place of others that say the same."""
        if given.status != Status.RESOLVED:
            return claims
        # A name that the syntactic layer ties to a local: that it is one is no news.
        local = all((found := self._definition(target)) and found.flags & Flag.LOCAL for target in given.targets)
        alike: list[Claim] = []
        for claim in claims:
            if claim.targets and self._same(given.targets, claim.targets):
                claim = claim._replace(targets=given.targets)
            elif local and claim.reason == LOCAL:
                claim = claim._replace(reason="")
            alike.append(claim)
        return alike

    def _without_fallback(self, reference: int, claim: Claim) -> Claim:
        """A claim on a bare name that is imported from outside, without another declaration of the name in its file.

        After `try: import yaml` / `except ImportError: yaml = None` a server gives both, or the second alone where it
        does not find the first.
        """
        file = reference_file(reference)
        if not claim.targets or any(definition_file(target) != file for target in claim.targets):
            return claim
        name, qualifier = self._connection.execute(
            "SELECT t.value, q.value FROM reference r JOIN text t ON t.id = r.name JOIN text q ON q.id = r.qualifier"
            " WHERE r.id = ?", (reference,)
        ).fetchone()  # fmt: skip
        names = {found.name for target in claim.targets if (found := self._definition(target))}
        if qualifier or names != {name}:
            return claim
        return claim._replace(status=Status.UNRESOLVED, targets=frozenset(), reason=NOT_FOLLOWED)

    def _is_unsure(self, engine: int) -> bool:
        if engine not in self._unsure:
            (name,) = self._connection.execute("SELECT name FROM engine WHERE id = ?", (engine,)).fetchone()
            self._unsure[engine] = name in UNSURE_SERVERS
        return self._unsure[engine]

    def _same(self, given: frozenset[int], claimed: frozenset[int]) -> bool:
        """Whether a server's targets say the same as the syntactic ones.

        A construction may be answered with the class or with its constructor, an import of a package that consists of
        several files with any of them. A server that lists every declaration of one symbol (one name in one scope of
        one file) does not contradict who says which of them is meant.
        """
        if frozenset(map(self._meant, given)) == frozenset(map(self._meant, claimed)):
            return True
        return given < claimed and len({self._symbol(definition) for definition in claimed}) == 1

    def _meant(self, definition: int) -> object:
        """What stands for a definition and for others that mean the same: the class that it constructs, its package."""
        found = self._definition(definition)
        if found is not None and found.kind == DefinitionKind.MODULE:
            folder, package = self._part(definition_file(definition))
            # A file that is only one part of its package is called as the package is.
            return (folder, package) if package and package == found.name else definition
        if found is None or found.parent is None:
            return definition
        is_constructor = found.kind == DefinitionKind.CONSTRUCTOR or found.name in CONSTRUCTORS
        return found.parent if is_constructor else definition

    def _part(self, file: int) -> tuple[str, str]:
        """Folder and package of a file; the package is '' where it declares none."""
        if file not in self._parts:
            row = self._connection.execute("SELECT path, package FROM file WHERE id = ?", (file,)).fetchone()
            self._parts[file] = ("", "") if row is None else (row[0].rpartition("/")[0], row[1])
        return self._parts[file]

    def _symbol(self, definition: int) -> tuple[object, ...]:
        found = self._definition(definition)
        return (definition,) if found is None else (definition_file(definition), found.parent, found.name)

    def _definition(self, definition: int) -> _Definition | None:
        if definition not in self._definitions:
            row = self._connection.execute(
                "SELECT kind, name, parent, flags FROM definition WHERE id = ?", (definition,)
            ).fetchone()
            self._definitions[definition] = None if row is None else _Definition(*row)
        return self._definitions[definition]

    def _package(self, external: int | None) -> str:
        if external is None:
            return ""
        if external not in self._packages:
            row = self._connection.execute("SELECT package FROM external WHERE id = ?", (external,)).fetchone()
            self._packages[external] = row[0] if row is not None else ""
        return self._packages[external]


def reconcile_files(
    connection: sqlite3.Connection, files: frozenset[int], affected: frozenset[int] = frozenset()
) -> None:
    """Work out the verdicts of files anew, inside a transaction of the caller: what an incremental index run needs.

    `affected` are files that depend on something that others can see and that has changed: what servers answered about
    them is outdated.
    """
    for file in sorted(affected):
        mark_outdated(connection, file)
    reconciler = Reconciler(connection, workspace_names(connection))
    for file in sorted(files | affected):
        store_verdicts(connection, file, reconciler.judgements(file))


def workspace_names(connection: sqlite3.Connection) -> frozenset[str]:
    """Import names of the packages of this repository, as the last semantic pass found them."""
    names: set[str] = set()
    for (text,) in connection.execute("SELECT import_names FROM package"):
        names.update(orjson.loads(text))
    return frozenset(names)
