"""The documents of `stats`, `coverage`, `status` and `deps`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from resolver.cli.documents.parts import Document, evidence_part

if TYPE_CHECKING:
    from graph.query import CoverageAnswer, DepsAnswer, Statistics, StatusAnswer


def stats_document(statistics: Statistics, *, contexts: bool = False) -> Document:
    """The answer of `stats`; other tools rely on its keys, so those of the contexts come on request alone."""
    languages: Document = {}
    for name, figures in statistics.languages.items():
        plain = asdict(figures)
        plain["rates"] = {"calls_in_repo": plain.pop("calls_in_repo"), "all_known": plain.pop("all_known")}
        languages[name] = plain
    document: Document = {"generation": statistics.generation, "languages": languages}
    if contexts:
        document["contexts"] = {name: asdict(figures) for name, figures in statistics.contexts.items()}
    return document


def coverage_document(answer: CoverageAnswer) -> Document:
    """The answer of `coverage`."""
    plain = asdict(answer)
    plain["excluded_paths"] = [
        {"path": path, "reason": reason, "detail": detail or None} for path, reason, detail in answer.excluded_paths
    ]
    plain["contexts_not_ready"] = [
        {"context": context, "health": health} for context, health in answer.contexts_not_ready
    ]
    return plain


def status_document(answer: StatusAnswer, root: str, index: str) -> Document:
    """The answer of `status`."""
    return {"root": root, "index": index, **asdict(answer)}


def deps_document(answer: DepsAnswer) -> Document:
    """The answer of `deps`."""
    plain = asdict(answer)
    del plain["evidence"]
    return {**plain, **evidence_part(answer.evidence)}
