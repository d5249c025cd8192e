"""The JSON documents, made of the records of `graph.query`. Those of `at` and `stats` are what other tools rely on.

Every document carries `generation`, `fresh` and `changed` (the files among its evidence that have changed since). Lines
and columns are 1-based, columns in code points; bytes are 0-based offsets.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graph.query import AtAnswer, AtItem, DefinitionInfo, Evidence, Statistics
    from graph.query.layers import Judged
    from graph.query.records import ExternalInfo, ResolutionInfo, TargetInfo

Document = dict[str, Any]


def evidence_part(evidence: Evidence) -> Document:
    """How current an answer is."""
    return {"generation": evidence.generation, "fresh": evidence.fresh, "changed": list(evidence.changed)}


def definition_part(definition: DefinitionInfo) -> Document:
    """A definition in short."""
    return {
        "id": definition.id, "kind": definition.kind, "path": definition.path, "line": definition.line,
        "column": definition.column, "byte": definition.name_start,
    }  # fmt: skip


def external_part(external: ExternalInfo | None) -> Document | None:
    """Something outside of the repository; what is not known is null."""
    if external is None:
        return None
    return {
        "package": external.package or None, "symbol": external.symbol or None, "version": external.version or None,
    }  # fmt: skip


def reference_part(judged: Judged, enclosing: DefinitionInfo | None) -> Document:
    """A reference with all that is said of it."""
    from graph.model import word

    return {
        "name": judged.reference.name, "kind": judged.reference.kind, "enclosing": enclosing.id if enclosing else None,
        "verdict": word(judged.verdict), "targets": [_target(target) for target in judged.targets],
        "candidates": [candidate.id for candidate in judged.candidates], "external": external_part(judged.external),
        "reason": judged.reason or None, "resolutions": [_resolution(resolution) for resolution in judged.resolutions],
        "byte": judged.reference.start,
    }  # fmt: skip


def at_document(answer: AtAnswer, place: tuple[str, int, int] | None) -> Document:
    """The answer of `at`: to a place with its column, or to a whole line (`place` None)."""
    evidence = evidence_part(answer.evidence)
    if place is None:
        return {"items": [{**_item(item), **evidence} for item in answer.items], **evidence}
    path, line, column = place
    return {**_item(answer.items[0]), "position": {"path": path, "line": line, "column": column}, **evidence}


def stats_document(statistics: Statistics) -> Document:
    """The answer of `stats`."""
    languages: Document = {}
    for name, figures in statistics.languages.items():
        plain = asdict(figures)
        plain["rates"] = {"calls_in_repo": plain.pop("calls_in_repo"), "all_known": plain.pop("all_known")}
        languages[name] = plain
    return {"generation": statistics.generation, "languages": languages}


def _item(item: AtItem) -> Document:
    return {
        "position": {"path": item.path, "line": item.line, "column": item.column},
        "definition": None if item.definition is None else definition_part(item.definition),
        "reference": None if item.reference is None else reference_part(item.reference, item.enclosing),
    }


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
