"""Pieces that several documents share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from graph.query import DefinitionInfo, Evidence, ExternalInfo, ReferenceInfo

Document: TypeAlias = dict[str, Any]


def evidence_part(evidence: Evidence) -> Document:
    """How current an answer is."""
    return {"generation": evidence.generation, "fresh": evidence.fresh, "changed": list(evidence.changed)}


def definition_part(definition: DefinitionInfo) -> Document:
    """A definition in short: its id, and the place of its name."""
    return {
        "id": definition.id, "kind": definition.kind, "path": definition.path, "line": definition.line,
        "column": definition.column, "byte": definition.name_start,
    }  # fmt: skip


def detailed_part(definition: DefinitionInfo) -> Document:
    """A definition with all that is stored of it; `range` is its byte range, end excluded."""
    return {
        **definition_part(definition), "name": definition.name, "qualified_name": definition.qualified_name,
        "range": [definition.start, definition.end], "signature": definition.signature or None,
        "doc": definition.doc or None, "visibility": definition.visibility, "flags": list(definition.flag_words),
        "condition": definition.condition or None,
    }  # fmt: skip


def external_part(external: ExternalInfo | None) -> Document | None:
    """Something outside of the repository."""
    if external is None:
        return None
    return {
        "package": external.package or None, "symbol": external.symbol or None, "version": external.version or None,
    }  # fmt: skip


def site_part(reference: ReferenceInfo) -> Document:
    """A reference, without what is said of it."""
    return {
        "path": reference.path, "line": reference.line, "column": reference.column, "byte": reference.start,
        "kind": reference.kind, "name": reference.name, "qualifier": reference.qualifier or None,
    }  # fmt: skip
