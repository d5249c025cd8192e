"""Extraction of a Go file: the bytes of one file in, its facts out."""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node, Parser, Tree

from graph.extract.builder import ClassScope, FactBuilder
from graph.extract.sweep import anchors, damage, grammar, query
from graph.languages.base import ParsedFile
from graph.languages.go import declarations, variables
from graph.languages.go.constraints import file_constraint
from graph.languages.go.documentation import describe
from graph.languages.go.kinds import GRAMMAR, PACKAGE_IDENTIFIER
from graph.languages.go.walk import PREDECLARED_TYPES, Walk, visit
from graph.model import FileFacts, Flag

READERS: Final = (declarations, variables)
"""The modules whose import registers the readers of all node kinds (see `walk.HANDLERS`)."""
_CGO: Final = re.compile(rb'^[ \t]*(?:import[ \t]+)?"C"', re.MULTILINE)
_NEW_OF_VALUE: Final = re.compile(
    rb"""\bnew\((?=\s*(?!(?:chan|func|map|struct|interface)\b)(?:["`'0-9+!^<-]|(?:true|false)\b|[\w.]+\s*[-+*/%|^<>=(]))"""
)
"""`new` of a value (Go 1.26), which the grammar cannot read: it expects a type there."""
_TYPE_NAME: Final = re.compile(rb"^\s*type\s+(\w+)|^\t(\w+)\s+(?:=\s*)?(?:interface|struct)\b", re.MULTILINE)


def extract(parsed: ParsedFile) -> FileFacts:
    """The facts of one Go file."""
    source = parsed.source
    root = _readable(source, parsed.tree).root_node
    found = anchors(query("graph.languages.go", "structure.scm", GRAMMAR), root, depth=1)
    clause = next((node for _, _, role, node in found if role == "package"), None)
    name_node = _package_name(clause)
    stem = parsed.path.rpartition("/")[2].removesuffix(".go")
    builder = FactBuilder(source, stem, ClassScope.NONE)
    builder.extra = {"methods": {}, "plain_imports": [], "dot_imports": []}
    builder.damage, builder.conflict_markers = damage(source, root, GRAMMAR)
    if name_node is not None:
        builder.package = builder.text(name_node)
        module = builder.definitions[0]
        module.name = module.qualified_name = builder.package
        module.name_start, module.name_end = name_node.start_byte, name_node.end_byte
    if clause is not None:
        describe(builder, 0, clause.start_byte, (clause.start_byte, clause.end_byte))
    walk = Walk(builder, stem.endswith("_test"))
    walk.plain -= _redeclared(source)
    for _, _, role, node in found:
        if role == "declaration":
            visit(walk, node)
        elif role == "damaged":
            walk.frames = [{}]
            visit(walk, node)
            walk.frames = []
    declarations.settle_methods(walk)
    head = source[: clause.start_byte] if clause is not None else b""
    constraint = file_constraint(parsed.path, head, _CGO.search(source) is not None)
    if constraint:
        builder.extra["constraint"] = constraint
        for draft in builder.definitions:
            draft.condition = constraint
            draft.flags |= Flag.CONDITIONAL
    return builder.finish()


def _readable(source: bytes, tree: Tree) -> Tree:
    """The tree; where `new` of a value made it unreadable, that of the text with another short name there."""
    if not tree.root_node.has_error or b"new(" not in source:
        return tree
    renamed, count = _NEW_OF_VALUE.subn(b"nev(", source)
    return Parser(grammar(GRAMMAR)).parse(renamed) if count else tree


def _package_name(clause: Node | None) -> Node | None:
    if clause is None:
        return None
    return next((child for child in clause.named_children if child.kind_id == PACKAGE_IDENTIFIER), None)


def _redeclared(source: bytes) -> frozenset[str]:
    """Predeclared type names that the file may declare anew, so that they are names like any other in it."""
    found: set[str] = set()
    for match in _TYPE_NAME.finditer(source):
        found.add((match[1] or match[2]).decode("utf-8", "replace"))
    return PREDECLARED_TYPES & found
