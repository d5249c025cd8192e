"""Reconciliation: what the resolutions of both layers amount to, reference by reference.

Neither layer simply wins. A target that both give is confirmed; a target that only the semantic layer gives is upgraded;
where they differ the semantic one counts and the other stays visible. An answer of "external" or "nothing" refutes a
syntactic target only when the server was in a position to know. What a server failed to answer changes nothing.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import orjson

from graph.model import DefinitionKind, ReferenceKind, Status
from graph.store.numbers import reference_range
from graph.store.semantic import Judgement, SemanticRow, semantic_rows, store_verdicts, syntactic_targets
from graph.store.vocabulary import Verdict

CONSTRUCTORS = ("__init__", "__new__", "__call__", "constructor")
"""Names of members that stand for the construction of their class."""


class Claim(NamedTuple):
    """What one layer says about one reference, in one context."""

    status: int
    targets: frozenset[int] = frozenset()
    external: int | None = None
    package: str = ""
    """Package of `external`."""
    reason: str = ""
    contexts: tuple[str, ...] = ()


class Situation(NamedTuple):
    """What is known about the file of a reference when it is judged."""

    imports_whole: bool
    """Whether a ready server found every import of the file: only then does "nothing" mean nothing."""
    workspace_names: frozenset[str]
    """Import names of the packages of this repository."""


def judge(reference: int, syntactic: Claim, semantic: Iterable[Claim], situation: Situation) -> Judgement | None:
    """The verdict on one reference; None where the syntactic resolution counts as it is."""
    answers = [claim for claim in semantic if claim.status not in (Status.FAILED, Status.EXCLUDED)]
    if not answers:
        return None
    resolved = [claim for claim in answers if claim.targets]
    if resolved:
        return _judge_targets(reference, syntactic, resolved)
    if syntactic.status == Status.EXTERNAL:
        return None
    outside = [claim for claim in answers if claim.status == Status.EXTERNAL]
    if syntactic.status != Status.RESOLVED:
        if outside:
            return Judgement(reference, Verdict.EXTERNAL, external=outside[0].external)
        return None
    if outside:
        if all(claim.package in situation.workspace_names for claim in outside):
            return None
        return Judgement(reference, Verdict.REFUTED, external=outside[0].external, reason="external")
    if situation.imports_whole and all(claim.reason == "no-answer" for claim in answers):
        return Judgement(reference, Verdict.REFUTED, reason="nothing-there")
    return None


def _judge_targets(reference: int, syntactic: Claim, resolved: list[Claim]) -> Judgement:
    distinct = list(dict.fromkeys(claim.targets for claim in resolved))
    everything = tuple(sorted(frozenset[int]().union(*distinct)))
    if len(distinct) > 1:
        return Judgement(reference, Verdict.CONTEXTUAL, everything)
    if syntactic.status == Status.RESOLVED:
        verdict = Verdict.CONFIRMED if distinct[0] == syntactic.targets else Verdict.CORRECTED
        return Judgement(reference, verdict, everything)
    verdict = Verdict.CORRECTED if syntactic.status == Status.EXTERNAL else Verdict.UPGRADED
    return Judgement(reference, verdict, everything)


class Reconciler:
    """Judges whole files, with what it needs to know about constructors and packages at hand."""

    def __init__(self, connection: sqlite3.Connection, workspace_names: frozenset[str]) -> None:
        self._connection = connection
        self._workspace_names = workspace_names
        self._classes: dict[int, int] = {}
        self._packages: dict[int, str] = {}

    def judgements(self, file: int) -> list[Judgement]:
        """The verdicts on the references of a file that have semantic resolutions, where they change anything."""
        semantic = self._semantic(file)
        if not semantic:
            return []
        syntactic = syntactic_targets(self._connection, file)
        situation = Situation(self._imports_whole(file, semantic), self._workspace_names)
        found: list[Judgement] = []
        for reference, claims in semantic.items():
            row = syntactic.get(reference)
            if row is None:
                continue
            status, _, reason, targets, external = row
            claim = Claim(status, self._canonical(targets, claims), external, self._package(external), reason)
            judgement = judge(reference, claim, claims, situation)
            if judgement is not None:
                found.append(judgement)
        return found

    def _semantic(self, file: int) -> dict[int, list[Claim]]:
        """Reference -> one claim for each context set and engine."""
        rows: dict[int, dict[tuple[int, tuple[str, ...]], list[SemanticRow]]] = {}
        for row in semantic_rows(self._connection, file):
            rows.setdefault(row.reference, {}).setdefault((row.engine, row.contexts), []).append(row)
        return {
            reference: [
                Claim(
                    min(row.status for row in group),
                    frozenset(row.target for row in group if row.target is not None),
                    group[0].external,
                    self._package(group[0].external),
                    group[0].reason,
                    contexts,
                )
                for (_, contexts), group in groups.items()
            ]
            for reference, groups in rows.items()
        }

    def _imports_whole(self, file: int, semantic: Mapping[int, list[Claim]]) -> bool:
        imports = [
            row[0]
            for row in self._connection.execute(
                "SELECT id FROM reference WHERE id BETWEEN ? AND ? AND kind = ?",
                (*reference_range(file), int(ReferenceKind.IMPORT)),
            )
        ]
        return all(
            any(claim.targets or claim.status == Status.EXTERNAL for claim in semantic.get(reference, ()))
            for reference in imports
        )

    def _canonical(self, targets: tuple[int, ...], claims: list[Claim]) -> frozenset[int]:
        """Syntactic targets, with a class in place of its constructor (or the reverse) where the server names that.

        A construction may be answered with the class or with its constructor; both say the same.
        """
        given = frozenset(targets)
        for claim in claims:
            if claim.targets and claim.targets != given and len(given) == len(claim.targets):
                if frozenset(map(self._class, given)) == frozenset(map(self._class, claim.targets)):
                    return claim.targets
        return given

    def _class(self, definition: int) -> int:
        known = self._classes.get(definition)
        if known is None:
            row = self._connection.execute(
                "SELECT kind, name, parent FROM definition WHERE id = ?", (definition,)
            ).fetchone()
            known = definition
            if row is not None and row[2] is not None:
                if row[0] == DefinitionKind.CONSTRUCTOR or row[1] in CONSTRUCTORS:
                    known = row[2]
            self._classes[definition] = known
        return known

    def _package(self, external: int | None) -> str:
        if external is None:
            return ""
        if external not in self._packages:
            row = self._connection.execute("SELECT package FROM external WHERE id = ?", (external,)).fetchone()
            self._packages[external] = row[0] if row is not None else ""
        return self._packages[external]


def reconcile_files(connection: sqlite3.Connection, files: Iterable[int]) -> None:
    """Work out the verdicts of files anew, inside a transaction of the caller: what an incremental index run needs."""
    reconciler = Reconciler(connection, workspace_names(connection))
    for file in sorted(files):
        store_verdicts(connection, file, reconciler.judgements(file))


def workspace_names(connection: sqlite3.Connection) -> frozenset[str]:
    """Import names of the packages of this repository, as the last semantic pass found them."""
    import orjson

    names: set[str] = set()
    for (text,) in connection.execute("SELECT import_names FROM package"):
        names.update(orjson.loads(text))
    return frozenset(names)


