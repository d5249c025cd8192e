"""Names that are bound: by declarations, parameters and destructuring, and what each of them holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from tree_sitter import Node

from graph.languages.typescript.annotations import member_name
from graph.languages.typescript.reader import Reader, read
from graph.model import Op, ReferenceKind

Declare: TypeAlias = Callable[[Reader, Node, str, int], None]
"""(reader, name node, name, expression of the value): binds one name."""

_NAMES = frozenset({"identifier", "shorthand_property_identifier_pattern", "shorthand_property_identifier"})


def bind(reader: Reader, pattern: Node, value: int, declare: Declare) -> None:
    """Bind the names of a pattern that is given a value."""
    kind = pattern.type
    if kind in _NAMES:
        declare(reader, pattern, reader.builder.text(pattern), value)
    elif kind == "object_pattern":
        _object(reader, pattern, value, declare)
    elif kind == "array_pattern":
        _array(reader, pattern, value, declare)
    elif kind in ("assignment_pattern", "object_assignment_pattern"):
        _default(reader, pattern, value, declare)
    elif kind == "rest_pattern":
        for child in pattern.named_children:
            bind(reader, child, value, declare)
    elif kind not in ("this", "comment", "undefined"):
        read(reader, pattern)


def _default(reader: Reader, pattern: Node, value: int, declare: Declare) -> None:
    left, right = pattern.child_by_field_name("left"), pattern.child_by_field_name("right")
    if right is not None:
        default = read(reader, right, value)
        value = _otherwise(reader, value, default)
    if left is not None:
        bind(reader, left, value, declare)


def _otherwise(reader: Reader, value: int, default: int) -> int:
    """A value with a default: the default must fit a declared type, and adds nothing to it then."""
    if value < 0 or default < 0 or default == reader.nothing:
        return value if value >= 0 else default
    return reader.special("otherwise", value, default)


def _object(reader: Reader, pattern: Node, value: int, declare: Declare) -> None:
    for child in pattern.named_children:
        kind = child.type
        if kind == "shorthand_property_identifier_pattern":
            bind(reader, child, _property(reader, child, value), declare)
        elif kind == "object_assignment_pattern":
            left, right = child.child_by_field_name("left"), child.child_by_field_name("right")
            if left is None:
                continue
            part = _property(reader, left, value) if left.type in _NAMES else -1
            if right is not None:
                default = read(reader, right, part)
                part = _otherwise(reader, part, default)
            bind(reader, left, part, declare)
        elif kind == "pair_pattern":
            key, inner = child.child_by_field_name("key"), child.child_by_field_name("value")
            part = -1
            if key is not None:
                if key.type == "property_identifier":
                    part = _property(reader, key, value)
                else:
                    found = member_name(reader, key)
                    if found is not None and key.type == "string":
                        part = reader.builder.attribute(value, found[0])
            if inner is not None:
                bind(reader, inner, part, declare)
        else:
            bind(reader, child, value, declare)


def _property(reader: Reader, node: Node, value: int) -> int:
    """The property that a pattern takes out of a value: a reference to it, and its expression."""
    builder = reader.builder
    expression = builder.attribute(value, builder.text(node))
    builder.reference(ReferenceKind.READ, node, expression, reader.definition)
    return expression


def _array(reader: Reader, pattern: Node, value: int, declare: Declare) -> None:
    position = 0
    for child in pattern.children:
        if not child.is_named:
            position += child.type == ","
            continue
        if child.type == "rest_pattern":
            bind(reader, child, value, declare)
        else:
            part = -1 if value < 0 else reader.builder.expression(Op.PICK, value, position)
            bind(reader, child, part, declare)


def local(node_enclosing: int, *, parameter: bool = False, scope: int = -1) -> Declare:
    """Binds locals of a function (in the current scope, unless one is given)."""

    def declare(reader: Reader, node: Node, name: str, value: int) -> None:
        where = scope if scope >= 0 else reader.scope
        if value == reader.nothing:
            value = -1
            if not parameter:
                reader.unassigned.add((where, name))
        reader.builder.bind_local(where, name, value, node, node_enclosing, parameter=parameter)

    return declare


def assign(reader: Reader, node: Node, name: str, value: int) -> None:
    """A destructuring assignment to a name that is declared elsewhere."""
    builder = reader.builder
    builder.reference(ReferenceKind.WRITE, node, builder.name(reader.scope, name), reader.definition)
    if value != reader.nothing:
        reader.assignments.append((reader.scope, name, value))
