"""`refs`, `callers`, `callees`: the uses of a definition, who calls it, and what it calls."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from graph.model import CALL_KINDS, DefinitionKind, word
from graph.query.layers import REFERENCE_COLUMNS, REFERENCE_TABLES, judge, reference_info
from graph.query.records import DefinitionInfo, Evidence, ExternalInfo, ReferenceInfo
from graph.query.snapshot import Snapshot
from graph.query.unknown import Unknown, unknown_uses
from graph.store.numbers import reference_range
from graph.store.vocabulary import VERDICT_OF_STATUS, Verdict

_CALLS = f"({', '.join(str(int(kind)) for kind in sorted(CALL_KINDS))})"

_REFUTED = (
    f"SELECT {REFERENCE_COLUMNS} FROM {REFERENCE_TABLES} WHERE r.target = ?"  # own names
    " AND EXISTS (SELECT 1 FROM verdict v WHERE v.reference = r.id AND v.verdict = ?)"
)


@dataclass(frozen=True)
class Use:
    """One reference to a definition."""

    reference: ReferenceInfo
    enclosing: DefinitionInfo
    verdict: str


@dataclass(frozen=True)
class RefsAnswer:
    """The answer of `refs`."""

    symbol: DefinitionInfo
    uses: tuple[Use, ...]
    """By path and place."""
    total: int
    """How many there are, where `uses` was cut to a limit."""
    unknown: Unknown
    evidence: Evidence


@dataclass(frozen=True)
class Call:
    """Calls between two definitions."""

    definition: DefinitionInfo
    """The one at the other end."""
    sites: tuple[ReferenceInfo, ...]
    """The references that call, by place."""


@dataclass(frozen=True)
class UnknownCall:
    """A call inside a definition that leads to no definition of the repository."""

    reference: ReferenceInfo
    verdict: str
    reason: str
    external: ExternalInfo | None


@dataclass(frozen=True)
class CallsAnswer:
    """The answer of `callers` or `callees`."""

    symbol: DefinitionInfo
    calls: tuple[Call, ...]
    unknown: Unknown
    others: tuple[UnknownCall, ...]
    """Of `callees`: the calls that are external, ambiguous or unresolved. Empty for `callers`."""
    evidence: Evidence


@dataclass(frozen=True)
class Wanted:
    """Which references to a definition are wanted. Empty means all."""

    verdicts: frozenset[str] = frozenset()
    """Words; with `refuted` also those whose syntactic target is known not to hold."""
    layers: frozenset[str] = frozenset()
    """At least one of these stands behind the target."""
    contexts: frozenset[str] = frozenset()
    """At least one of these does, as contexts are printed."""
    min_confidence: float | None = None
    """So much has been measured for one of those that stand behind it; what nobody has measured is less."""

    def __bool__(self) -> bool:
        return self != Wanted()


def refs(
    snapshot: Snapshot, symbol: DefinitionInfo, limit: int | None = None, wanted: Wanted | None = None
) -> RefsAnswer:
    """The references that lead to a definition, by what counts of both layers."""
    rows = _rows(snapshot, f"{_effective_of()} ORDER BY r.id", (symbol.number,) * 3)
    if wanted:
        if word(Verdict.REFUTED) in wanted.verdicts:
            rows += _rows(snapshot, _REFUTED, (symbol.number, int(Verdict.REFUTED)))
        rows = [row for row in rows if _is_wanted(snapshot, symbol, row, wanted)]
    rows = sorted(rows, key=lambda row: (snapshot.file(row[0] >> 40).path, row[0]))
    kept = rows if limit is None else rows[:limit]
    uses = tuple(
        Use(reference_info(snapshot, row), _definition(snapshot, row[5]), _verdict(snapshot, row)) for row in kept
    )
    unknown = unknown_uses(snapshot, symbol)
    return RefsAnswer(symbol, uses, len(rows), unknown, _evidence(snapshot, symbol, (row[0] >> 40 for row in rows)))


def _is_wanted(snapshot: Snapshot, symbol: DefinitionInfo, row: tuple[Any, ...], wanted: Wanted) -> bool:
    judged = judge(snapshot, row)
    if wanted.verdicts and word(judged.verdict) not in wanted.verdicts:
        return False
    if not (wanted.layers or wanted.contexts) and wanted.min_confidence is None:
        return True
    claims = [
        claim for target in judged.targets if target.definition.number == symbol.number for claim in target.layers
    ]
    return any(
        (not wanted.layers or claim.layer in wanted.layers)
        and (not wanted.contexts or not wanted.contexts.isdisjoint(claim.contexts))
        and (
            wanted.min_confidence is None
            or (claim.confidence is not None and claim.confidence >= wanted.min_confidence)
        )
        for claim in claims
    )


def callers(snapshot: Snapshot, symbol: DefinitionInfo) -> CallsAnswer:
    """The definitions that call a definition, with the places where they do."""
    rows = _rows(snapshot, f"{_effective_of(_CALLS)} ORDER BY r.id", (symbol.number,) * 3)
    sites: dict[int, list[tuple[Any, ...]]] = {}
    for row in rows:
        sites.setdefault(row[5], []).append(row)
    return CallsAnswer(
        symbol, _calls(snapshot, sites), unknown_uses(snapshot, symbol), (),
        _evidence(snapshot, symbol, (row[0] >> 40 for row in rows)),
    )  # fmt: skip


def callees(snapshot: Snapshot, symbol: DefinitionInfo) -> CallsAnswer:
    """The definitions that a definition calls, itself and in what is nested in it, and the calls that lead
    elsewhere.
    """
    span = reference_range(symbol.file, symbol.start, symbol.end)
    rows = snapshot.connection.execute(
        f"SELECT {REFERENCE_COLUMNS} FROM {REFERENCE_TABLES} WHERE r.id BETWEEN ? AND ? AND r.kind IN {_CALLS}"
        f" ORDER BY r.id",
        span,
    ).fetchall()
    targets = _effective_in(snapshot, span)
    sites: dict[int, list[tuple[Any, ...]]] = {}
    others: list[UnknownCall] = []
    for row in rows:
        if not _is_inside(snapshot, row[5], symbol):
            continue  # a decorator or a base class of a nested definition's neighbour
        found = targets.get(row[0], ())
        for target in found:
            sites.setdefault(target, []).append(row)
        if not found:
            others.append(_unknown_call(snapshot, row))
    calls = _calls(snapshot, sites)
    files = {call.definition.file for call in calls}
    return CallsAnswer(symbol, calls, unknown_uses(snapshot, symbol), tuple(others), _evidence(snapshot, symbol, files))


def _effective_of(kinds: str = "") -> str:
    """References that lead to one definition (given three times), by what counts; `kinds` is a list of SQL."""
    condition = f"AND r.kind IN {kinds}" if kinds else ""
    none = "NOT EXISTS (SELECT 1 FROM verdict v WHERE v.reference = r.id)"
    columns = f"SELECT {REFERENCE_COLUMNS} FROM"  # own names
    return (
        f"SELECT * FROM ({columns} {REFERENCE_TABLES} WHERE r.target = ? AND {none} {condition}"  # own names
        f" UNION ALL {columns} syntactic_target s JOIN {REFERENCE_TABLES} JOIN outcome o ON o.id = r.outcome"
        f" WHERE r.id = s.reference AND s.definition = ? AND o.status = 0 AND {none} {condition}"
        f" UNION ALL {columns} verdict_target w JOIN {REFERENCE_TABLES}"
        f" WHERE r.id = w.reference AND w.definition = ? {condition}) r"
    )


def _effective_in(snapshot: Snapshot, span: tuple[int, int]) -> dict[int, list[int]]:
    """Reference -> the targets that count, for a range of references."""
    found: dict[int, list[int]] = {}
    none = "NOT EXISTS (SELECT 1 FROM verdict v WHERE v.reference = r.id)"
    for reference, definition in snapshot.connection.execute(
        f"SELECT r.id, r.target FROM reference r WHERE r.id BETWEEN ? AND ? AND r.target IS NOT NULL AND {none}"
        " UNION ALL SELECT s.reference, s.definition FROM syntactic_target s JOIN reference r ON r.id = s.reference"
        f" JOIN outcome o ON o.id = r.outcome WHERE s.reference BETWEEN ? AND ? AND o.status = 0 AND {none}"
        " UNION ALL SELECT reference, definition FROM verdict_target WHERE reference BETWEEN ? AND ?",
        span * 3,
    ):
        found.setdefault(reference, []).append(definition)
    return found


def _rows(snapshot: Snapshot, statement: str, parameters: tuple[int, ...]) -> list[tuple[Any, ...]]:
    return snapshot.connection.execute(statement, parameters).fetchall()


def _calls(snapshot: Snapshot, sites: dict[int, list[tuple[Any, ...]]]) -> tuple[Call, ...]:
    found: list[Call] = []
    for number, rows in sites.items():
        definition = snapshot.definition(number)
        if definition is not None:
            found.append(Call(definition, tuple(reference_info(snapshot, row) for row in rows)))
    found.sort(key=lambda call: (call.definition.path, call.definition.name_start, call.definition.id))
    return tuple(found)


def _unknown_call(snapshot: Snapshot, row: tuple[Any, ...]) -> UnknownCall:
    verdict, reason, number = _judgement(snapshot, row)
    external = None
    if number is not None:
        found = snapshot.connection.execute(
            "SELECT package, symbol, version FROM external WHERE id = ?", (number,)
        ).fetchone()
        external = ExternalInfo(*found)
    return UnknownCall(reference_info(snapshot, row), word(verdict), reason, external)


def _judgement(snapshot: Snapshot, row: tuple[Any, ...]) -> tuple[Verdict, str, int | None]:
    found = snapshot.connection.execute(
        "SELECT verdict, reason, external FROM verdict WHERE reference = ?", (row[0],)
    ).fetchone()
    if found is not None:
        return Verdict(found[0]), found[1], found[2]
    status, _, reason = snapshot.outcome(row[6])
    return VERDICT_OF_STATUS[status], reason, row[8]


def _verdict(snapshot: Snapshot, row: tuple[Any, ...]) -> str:
    return word(_judgement(snapshot, row)[0])


def _definition(snapshot: Snapshot, number: int) -> DefinitionInfo:
    found = snapshot.definition(number)
    assert found is not None, "a reference stands in a definition of its own file, which is stored with it"
    return found


def _is_inside(snapshot: Snapshot, number: int | None, outer: DefinitionInfo) -> bool:
    if outer.kind_number == DefinitionKind.MODULE:
        return True
    while number is not None:
        if number == outer.number:
            return True
        found = snapshot.definition(number)
        number = None if found is None else found.parent
    return False


def _evidence(snapshot: Snapshot, symbol: DefinitionInfo, files: Iterable[int]) -> Evidence:
    return snapshot.evidence({symbol.file, *files})
