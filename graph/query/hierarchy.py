"""`hierarchy`: what a type or a method is derived from, and what is derived from it."""

from __future__ import annotations

from dataclasses import dataclass

from graph.model import TYPE_KINDS, DefinitionKind, ReferenceKind, word
from graph.query.records import DefinitionInfo, Evidence, ExternalInfo
from graph.query.snapshot import Snapshot
from graph.query.unknown import Unknown, unknown_uses
from graph.store.numbers import reference_range
from graph.store.vocabulary import RelationKind

DEPTH_LIMIT = 50
_BASES = (int(ReferenceKind.BASE), int(ReferenceKind.IMPLEMENT))
_OWNERS = TYPE_KINDS | {DefinitionKind.NAMESPACE}


@dataclass(frozen=True)
class Kin:
    """A definition above or below another, with what lies further in the same direction."""

    definition: DefinitionInfo
    relation: str
    """`base`, `implement` for types; `override`, `implement` for methods."""
    further: tuple[Kin, ...]
    """Empty also where the definition was met on the way already."""


@dataclass(frozen=True)
class HierarchyAnswer:
    """The answer of `hierarchy`."""

    symbol: DefinitionInfo
    above: tuple[Kin, ...]
    below: tuple[Kin, ...]
    external_bases: tuple[ExternalInfo, ...]
    """Direct bases outside of the repository."""
    unresolved_bases: tuple[str, ...]
    """Names of direct bases that lead nowhere known."""
    unknown: Unknown
    evidence: Evidence


def hierarchy(snapshot: Snapshot, symbol: DefinitionInfo) -> HierarchyAnswer:
    """Above and below a type, by the bases that are named; above and below a method, by what overrides and
    implements what.
    """
    above = _climb(snapshot, symbol, True, {symbol.number}, 0)
    below = _climb(snapshot, symbol, False, {symbol.number}, 0)
    external, unresolved = _unknown_bases(snapshot, symbol)
    files = {symbol.file} | _files(above) | _files(below)
    return HierarchyAnswer(
        symbol, above, below, external, unresolved, unknown_uses(snapshot, symbol), snapshot.evidence(files)
    )


def _climb(snapshot: Snapshot, definition: DefinitionInfo, up: bool, met: set[int], depth: int) -> tuple[Kin, ...]:
    if depth >= DEPTH_LIMIT:
        return ()
    step = _up if up else _down
    found: list[Kin] = []
    for number, relation in step(snapshot, definition):
        kin = snapshot.definition(number)
        if kin is None:
            continue
        further: tuple[Kin, ...] = ()
        if number not in met:
            met.add(number)
            further = _climb(snapshot, kin, up, met, depth + 1)
        found.append(Kin(kin, relation, further))
    found.sort(key=lambda kin: (kin.definition.path, kin.definition.name_start, kin.definition.id, kin.relation))
    return tuple(found)


def _up(snapshot: Snapshot, definition: DefinitionInfo) -> list[tuple[int, str]]:
    if definition.kind_number not in _OWNERS:
        rows = snapshot.connection.execute("SELECT target, kind FROM relation WHERE source = ?", (definition.number,))
        return sorted({(target, word(RelationKind(kind))) for target, kind in rows})
    rows = snapshot.connection.execute(
        "SELECT e.definition, r.kind FROM effective e JOIN reference r ON r.id = e.reference"
        " WHERE e.reference BETWEEN ? AND ? AND r.kind IN (?, ?) AND r.enclosing = ?",
        (*reference_range(definition.file, definition.start, definition.end), *_BASES, definition.number),
    )
    found = {(target, word(ReferenceKind(kind))) for target, kind in rows if target != definition.number}
    rows = snapshot.connection.execute("SELECT target, kind FROM relation WHERE source = ?", (definition.number,))
    found |= {(target, word(RelationKind(kind))) for target, kind in rows}
    return sorted(found)


def _down(snapshot: Snapshot, definition: DefinitionInfo) -> list[tuple[int, str]]:
    rows = snapshot.connection.execute("SELECT source, kind FROM relation WHERE target = ?", (definition.number,))
    found = {(source, word(RelationKind(kind))) for source, kind in rows}
    if definition.kind_number in _OWNERS:
        rows = snapshot.connection.execute(
            "SELECT r.enclosing, r.kind FROM effective e JOIN reference r ON r.id = e.reference"
            " WHERE e.definition = ? AND r.kind IN (?, ?)",
            (definition.number, *_BASES),
        )
        for source, kind in rows:
            heir = snapshot.definition(source)
            if heir is not None and heir.kind_number in _OWNERS and source != definition.number:
                found.add((source, word(ReferenceKind(kind))))
    return sorted(found)


def _unknown_bases(snapshot: Snapshot, definition: DefinitionInfo) -> tuple[tuple[ExternalInfo, ...], tuple[str, ...]]:
    if definition.kind_number not in _OWNERS:
        return (), ()
    external: set[tuple[str, str, str]] = set()
    unresolved: set[str] = set()
    for name, package, symbol, version, known in snapshot.connection.execute(
        "SELECT t.value, x.package, x.symbol, x.version, EXISTS (SELECT 1 FROM effective e WHERE e.reference = r.id)"
        " FROM reference r JOIN text t ON t.id = r.name LEFT JOIN verdict v ON v.reference = r.id"
        " LEFT JOIN external x ON x.id = CASE WHEN v.reference IS NULL THEN r.external ELSE v.external END"
        " WHERE r.id BETWEEN ? AND ? AND r.kind IN (?, ?) AND r.enclosing = ?",
        (*reference_range(definition.file, definition.start, definition.end), *_BASES, definition.number),
    ):
        if package is not None:
            external.add((package, symbol, version))
        elif not known:
            unresolved.add(name)
    return tuple(ExternalInfo(*parts) for parts in sorted(external)), tuple(sorted(unresolved))


def _files(kin: tuple[Kin, ...]) -> set[int]:
    return {one.definition.file for one in kin}.union(*(_files(one.further) for one in kin))
