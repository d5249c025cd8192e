"""The documents of `refs`, `callers`, `callees`, `impact`, `trace` and `hierarchy`.

`unknown` counts what may be missing from an answer about one definition: where all its numbers are 0, nothing is.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from resolver.cli.documents.parts import Document, definition_part, evidence_part, external_part, site_part

if TYPE_CHECKING:
    from graph.query import CallsAnswer, DefinitionInfo, HierarchyAnswer, ImpactAnswer, Kin, RefsAnswer, TraceAnswer


def refs_document(answer: RefsAnswer) -> Document:
    """The answer of `refs`. `total` counts those beyond the limit too."""
    return {
        "symbol": definition_part(answer.symbol),
        "uses": [
            {**site_part(use.reference), "enclosing": use.enclosing.id, "verdict": use.verdict} for use in answer.uses
        ],
        "total": answer.total,
        "unknown": asdict(answer.unknown),
        **evidence_part(answer.evidence),
    }


def calls_document(answer: CallsAnswer, ends: str) -> Document:
    """The answer of `callers` or of `callees`; `ends` is which of the two words.

    `others` of `callees` are its calls that lead to no definition of the repository.
    """
    document: Document = {
        "symbol": definition_part(answer.symbol),
        ends: [
            {"definition": definition_part(call.definition), "sites": [site_part(site) for site in call.sites]}
            for call in answer.calls
        ],
        "unknown": asdict(answer.unknown),
        **evidence_part(answer.evidence),
    }
    if ends == "callees":
        document["others"] = [
            {
                **site_part(other.reference), "verdict": other.verdict, "reason": other.reason or None,
                "external": external_part(other.external),
            }
            for other in answer.others
        ]  # fmt: skip
    return document


def impact_document(answer: ImpactAnswer, depth: int) -> Document:
    """The answer of `impact`. `complete` is false where the search ended before it had been everywhere."""
    return {
        "symbol": definition_part(answer.symbol),
        "depth": depth,
        "affected": [
            {**definition_part(item.definition), "depth": item.depth, "through": item.through.id}
            for item in answer.affected
        ],
        "files": list(answer.files),
        "complete": answer.complete,
        "unknown": asdict(answer.unknown),
        **evidence_part(answer.evidence),
    }


def trace_document(answer: TraceAnswer, start: DefinitionInfo, goal: DefinitionInfo) -> Document:
    """The answer of `trace`. `complete` as for `impact`."""
    return {
        "from": definition_part(start),
        "to": definition_part(goal),
        "paths": [[definition_part(definition) for definition in path] for path in answer.paths],
        "complete": answer.complete,
        **evidence_part(answer.evidence),
    }


def hierarchy_document(answer: HierarchyAnswer) -> Document:
    """The answer of `hierarchy`: what lies above and below as trees, nearest first."""
    return {
        "symbol": definition_part(answer.symbol),
        "above": [_kin(kin) for kin in answer.above],
        "below": [_kin(kin) for kin in answer.below],
        "external_bases": [external_part(external) for external in answer.external_bases],
        "unresolved_bases": list(answer.unresolved_bases),
        "unknown": asdict(answer.unknown),
        **evidence_part(answer.evidence),
    }


def _kin(kin: Kin) -> Document:
    return {
        **definition_part(kin.definition), "relation": kin.relation, "further": [_kin(one) for one in kin.further],
    }  # fmt: skip
