"""Names and member accesses that are used."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from graph.languages.typescript.functions import FUNCTIONS
from graph.languages.typescript.reader import EXPRESSIONS, ExpressionReader, Reader, read, read_children
from graph.model import Op, ReferenceKind

_READ, _CALL = int(ReferenceKind.READ), int(ReferenceKind.CALL)
_ELEMENT_LIMIT: Final = 8
"""Most distinct element values of one array literal that are kept."""
_LATE = frozenset({*FUNCTIONS, "object", "parenthesized_expression"})
"""Arguments that are read after the others, because the others tell what is expected of them."""
_COMPARISONS = frozenset({"==", "===", "!=", "!==", "<", ">", "<=", ">=", "in", "instanceof"})
_ARITHMETIC = frozenset({"-", "*", "/", "%", "**", "<<", ">>", ">>>", "&", "|", "^"})


def _identifier(reader: Reader, node: Node, expected: int) -> int:
    return name_use(reader, node, _READ)


def name_use(reader: Reader, node: Node, kind: int, arguments: int = -1) -> int:
    """A bare name that is used."""
    builder = reader.builder
    name = builder.text(node)
    if name == "undefined":
        return reader.nothing
    if not name:
        return -1
    expression = builder.name(reader.scope, name)
    builder.reference(kind, node, expression, reader.definition, arguments=arguments, name=name)
    return expression


def _member(reader: Reader, node: Node, expected: int) -> int:
    return member_use(reader, node, _READ)


def member_use(reader: Reader, node: Node, kind: int, arguments: int = -1) -> int:
    """A member access that is used."""
    children = node.named_children
    if len(children) < 2:
        return read_children(reader, node)
    property_node = children[-1]
    if property_node.end_byte == property_node.start_byte or property_node.type not in (
        "property_identifier",
        "private_property_identifier",
    ):
        return read_children(reader, node)
    builder = reader.builder
    handler = EXPRESSIONS.get(children[0].type)
    receiver = -1 if handler is None else handler(reader, children[0], -1)
    name = builder.text(property_node)
    expression = builder.attribute(receiver, name)
    builder.reference(
        kind, property_node, expression, reader.definition, arguments=arguments, qualifier_start=node.start_byte,
        name=name,
    )  # fmt: skip
    return expression


def _subscript(reader: Reader, node: Node, expected: int) -> int:
    object_node, index_node = node.child_by_field_name("object"), node.child_by_field_name("index")
    if object_node is None or index_node is None:
        return read_children(reader, node)
    receiver = read(reader, object_node)
    if index_node.type == "string" and index_node.end_byte - index_node.start_byte > 2:
        name = reader.builder.slice(index_node.start_byte + 1, index_node.end_byte - 1)
        return reader.builder.attribute(receiver, name)
    if index_node.type == "number" and receiver >= 0:
        position = reader.builder.text(index_node)
        if position.isdecimal() and len(position) < 6:
            return reader.special("at", receiver, int(position))
    index = read(reader, index_node)
    return -1 if receiver < 0 else reader.builder.expression(Op.INDEX, receiver, index)


def read_super(reader: Reader, node: Node, expected: int = -1) -> int:
    """`super`: what the class inherits from, seen through an instance or through the class."""
    frame = reader.frame
    if frame.owner < 0:
        return -1
    if frame.static:
        return reader.special("superclass", frame.owner)
    return reader.builder.expression(Op.SUPER, frame.owner)


READERS: Final[dict[str, ExpressionReader]] = {
    "identifier": _identifier,
    "shorthand_property_identifier": _identifier,
    "member_expression": _member,
    "subscript_expression": _subscript,
}
"""Node type -> reader."""
