"""JSX: components are references, elements of the page are not."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from graph.languages.typescript.annotations import type_arguments
from graph.languages.typescript.functions import FUNCTIONS
from graph.languages.typescript.names import member_use, name_use
from graph.languages.typescript.reader import ExpressionReader, Reader, read, read_children
from graph.model import ReferenceKind

_READ, _CALL = int(ReferenceKind.READ), int(ReferenceKind.CALL)
_ELEMENT_LIMIT: Final = 8
"""Most distinct element values of one array literal that are kept."""
_LATE = frozenset({*FUNCTIONS, "object", "parenthesized_expression"})
"""Arguments that are read after the others, because the others tell what is expected of them."""
_COMPARISONS = frozenset({"==", "===", "!=", "!==", "<", ">", "<=", ">=", "in", "instanceof"})
_ARITHMETIC = frozenset({"-", "*", "/", "%", "**", "<<", ">>", ">>>", "&", "|", "^"})


def _jsx_name(reader: Reader, node: Node | None, kind: int) -> int:
    """A component; names that begin in lower case are elements of the page, no references."""
    if node is None:
        return -1
    if node.type == "identifier":
        text = reader.builder.text(node)
        return -1 if text[:1].islower() or "-" in text else name_use(reader, node, kind)
    return member_use(reader, node, kind) if node.type == "member_expression" else -1


def _jsx_element(reader: Reader, node: Node, expected: int) -> int:
    for child in node.named_children:
        kind = child.type
        if kind == "jsx_opening_element":
            _jsx_opening(reader, child, -1)
        elif kind == "jsx_closing_element":
            _jsx_name(reader, child.child_by_field_name("name"), _READ)
        else:
            read(reader, child)
    return -1


def _jsx_opening(reader: Reader, node: Node, expected: int) -> int:
    component = _jsx_name(reader, node.child_by_field_name("name"), ReferenceKind.JSX)
    properties = reader.fresh("argument", component, 0, []) if component >= 0 else -1
    for child in node.named_children:
        kind = child.type
        if kind == "jsx_attribute":
            _jsx_attribute(reader, child, properties)
        elif kind == "jsx_expression":
            read_children(reader, child)
        elif kind == "type_arguments":
            type_arguments(reader, child)
    return -1


def _jsx_attribute(reader: Reader, node: Node, properties: int) -> None:
    children = node.named_children
    if len(children) < 2:
        return
    value = children[1]
    inner = -1
    if properties >= 0 and children[0].type == "property_identifier":
        inner = reader.builder.attribute(properties, reader.builder.text(children[0]))
    if value.type == "jsx_expression":
        for child in value.named_children:
            read(reader, child, inner)
    else:
        read(reader, value)


READERS: Final[dict[str, ExpressionReader]] = {
    "jsx_element": _jsx_element,
    "jsx_fragment": _jsx_element,
    "jsx_opening_element": _jsx_opening,
    "jsx_self_closing_element": _jsx_opening,
    "jsx_expression": read_children,
}
"""Node type -> reader."""
