"""The document of `at`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from resolver.cli.documents.parts import Document, definition_part, evidence_part, external_part

if TYPE_CHECKING:
    from graph.query import AtAnswer, AtItem, DefinitionInfo, Judged, ResolutionInfo, TargetInfo


def at_document(answer: AtAnswer, place: tuple[str, int, int] | None) -> Document:
    """The answer to a place with its column, or to a whole line (`place` None)."""
    evidence = evidence_part(answer.evidence)
    if place is None:
        return {"items": [{**_item(item), **evidence} for item in answer.items], **evidence}
    path, line, column = place
    return {**_item(answer.items[0]), "position": {"path": path, "line": line, "column": column}, **evidence}


def _item(item: AtItem) -> Document:
    return {
        "position": {"path": item.path, "line": item.line, "column": item.column},
        "definition": None if item.definition is None else definition_part(item.definition),
        "reference": None if item.reference is None else _reference(item.reference, item.enclosing),
    }


def _reference(judged: Judged, enclosing: DefinitionInfo | None) -> Document:
    from graph.model import word

    return {
        "name": judged.reference.name, "kind": judged.reference.kind, "enclosing": enclosing.id if enclosing else None,
        "verdict": word(judged.verdict), "targets": [_target(target) for target in judged.targets],
        "candidates": [candidate.id for candidate in judged.candidates], "external": external_part(judged.external),
        "reason": judged.reason or None, "resolutions": [_resolution(resolution) for resolution in judged.resolutions],
        "byte": judged.reference.start,
    }  # fmt: skip


def _target(target: TargetInfo) -> Document:
    definition = target.definition
    return {
        "id": definition.id, "kind": definition.kind, "path": definition.path, "line": definition.line,
        "column": definition.column, "layers": [asdict(claim) for claim in target.layers],
    }  # fmt: skip


def _resolution(resolution: ResolutionInfo) -> Document:
    return {
        "layer": resolution.layer, "engine": resolution.engine or None, "version": resolution.version,
        "contexts": list(resolution.contexts), "status": resolution.status, "reason": resolution.reason or None,
        "targets": [target.id for target in resolution.targets], "external": external_part(resolution.external),
        "stale": resolution.stale,
    }  # fmt: skip
