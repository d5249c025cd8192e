"""What all declarations of names have in common: visibility, package level or not, and which comment is theirs."""

from __future__ import annotations

from tree_sitter import Node

from graph.languages.go.walk import Walk
from graph.model import BindingTag, DefinitionKind, Flag, Visibility


def exposure(name: str) -> tuple[Visibility, Flag]:
    """Visibility and flags by the first letter of a name (Go spec, Exported identifiers)."""
    return (Visibility.PUBLIC, Flag.EXPORTED) if name[:1].isupper() else (Visibility.PACKAGE, Flag(0))


def define_name(walk: Walk, kind: DefinitionKind, name_node: Node, extent: tuple[int, int]) -> int:
    """Define and bind a package-level name; inside a function, define it as a part of the function."""
    builder = walk.builder
    name = builder.text(name_node)
    visibility, flags = exposure(name)
    if walk.frames:
        visibility, flags = Visibility.PRIVATE, Flag(0)
    parent = walk.enclosing if walk.frames else 0
    name_extent = (name_node.start_byte, name_node.end_byte)
    index = builder.define(kind, name, parent, extent, name_extent, flags=flags, visibility=visibility)
    if not walk.frames and name != "_":
        builder.bind(0, name, BindingTag.DEFINITION, index)
    return index


def is_single(walk: Walk, node: Node, spec: Node) -> bool:
    """Whether a declaration has no parentheses, so that its comment is that of its only spec."""
    return b"(" not in walk.source[node.start_byte : spec.start_byte]
