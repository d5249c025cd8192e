"""The documents of `outline`, `search` and `show`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from resolver.cli.documents.parts import Document, definition_part, detailed_part, evidence_part

if TYPE_CHECKING:
    from graph.query import OutlineAnswer, SearchAnswer, ShowAnswer
    from graph.query.structure import OutlineNode


def outline_document(answer: OutlineAnswer) -> Document:
    """The answer of `outline`: trees of definitions. `damage` are byte ranges, `failure` is why there is nothing."""
    return {
        "path": answer.path,
        "language": answer.language,
        "definitions": [_node(node) for node in answer.nodes],
        "damage": [list(span) for span in answer.damage],
        "failure": answer.failure or None,
        **evidence_part(answer.evidence),
    }


def search_document(answer: SearchAnswer) -> Document:
    """The answer of `search`, best first. `more` says that the limit cut the list."""
    return {
        "query": answer.query,
        "mode": answer.mode,
        "found": [detailed_part(definition) for definition in answer.found],
        "more": answer.more,
        **evidence_part(answer.evidence),
    }


def show_document(answer: ShowAnswer) -> Document:
    """The answer of `show`. `source` is null where the file has changed since."""
    return {
        "definition": detailed_part(answer.definition),
        "source": answer.source,
        "children": [definition_part(child) for child in answer.children],
        "unknown": asdict(answer.unknown),
        **evidence_part(answer.evidence),
    }


def _node(node: OutlineNode) -> Document:
    return {**detailed_part(node.definition), "children": [_node(child) for child in node.children]}
