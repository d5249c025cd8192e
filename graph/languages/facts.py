"""Extraction of one file in whatever language, and the split of its facts into what linking reads and the rest."""

from __future__ import annotations

import sys
from typing import Any

from tree_sitter import Parser

from graph.extract.sweep import damage, grammar
from graph.languages.base import Language, ParsedFile
from graph.link.world import LINK_FIELDS
from graph.model import FileFacts

RECURSION_LIMIT = 200_000
"""Adapters recurse over nested expressions; frames of pure Python code do not use the C stack."""


def grammar_of(language: Language, path: str) -> str:
    """The grammar for a file of a language, by its extension."""
    dot = path.rfind(".", path.rfind("/") + 1)
    extension = path[dot:].lower() if dot >= 0 else ""
    found = language.grammars.get(extension)
    return found if found is not None else language.grammars.get("", next(iter(language.grammars.values())))


def extract(language: Language, path: str, source: bytes) -> FileFacts:
    """The facts of one file. `source` is its UTF-8 text; offsets in the facts are offsets into it."""
    if sys.getrecursionlimit() < RECURSION_LIMIT:
        sys.setrecursionlimit(RECURSION_LIMIT)
    grammar_name = grammar_of(language, path)
    tree = Parser(grammar(grammar_name)).parse(source)
    parsed = ParsedFile(path, source, tree, language.name, grammar_name)
    return language.extract(parsed)


def interface(facts: FileFacts) -> list[Any]:
    """The part of the facts that linking reads, JSON-ready, in the order that `FileInterface` takes it."""
    return [
        facts.scopes,
        facts.bindings,
        facts.stars,
        [definition[:LINK_FIELDS] for definition in facts.definitions],
        facts.expressions,
        facts.imports,
        facts.exports,
        facts.star_exports,
        facts.all,
        facts.extra,
    ]


__all__ = ["damage", "extract", "grammar_of", "interface"]
