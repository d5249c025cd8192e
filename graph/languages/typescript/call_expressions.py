"""Calls, constructions, decorators and dynamic imports."""

from __future__ import annotations

from typing import Final, TypeAlias

from tree_sitter import Node

from graph.languages.typescript.annotations import imported, type_arguments
from graph.languages.typescript.commonjs import required_import, string_argument
from graph.languages.typescript.functions import FUNCTIONS
from graph.languages.typescript.names import member_use, name_use, read_super
from graph.languages.typescript.reader import EXPRESSIONS, ExpressionReader, Reader, read, read_children
from graph.model import Op, ReferenceKind

_READ, _CALL = int(ReferenceKind.READ), int(ReferenceKind.CALL)
_ELEMENT_LIMIT: Final = 8
"""Most distinct element values of one array literal that are kept."""
_LATE = frozenset({*FUNCTIONS, "object", "parenthesized_expression"})
"""Arguments that are read after the others, because the others tell what is expected of them."""
_COMPARISONS = frozenset({"==", "===", "!=", "!==", "<", ">", "<=", ">=", "in", "instanceof"})
_ARITHMETIC = frozenset({"-", "*", "/", "%", "**", "<<", ">>", ">>>", "&", "|", "^"})


def callee(reader: Reader, node: Node, kind: int, arguments: int) -> int:
    """The function of a call, the class of a construction."""
    node_kind = node.type
    if node_kind == "identifier":
        return name_use(reader, node, kind, arguments)
    if node_kind == "member_expression":
        return member_use(reader, node, kind, arguments)
    if node_kind == "super":
        expression = read_super(reader, node)
        reader.builder.reference(kind, node, expression, reader.definition, arguments=arguments)
        return expression
    if node_kind in ("non_null_expression", "parenthesized_expression"):
        inner = [child for child in node.named_children if child.type != "comment"]
        if len(inner) == 1:
            return callee(reader, inner[0], kind, arguments)
    elif node_kind == "instantiation_expression":
        inner = node.named_children
        if len(inner) == 2 and inner[1].type == "type_arguments":
            base = callee(reader, inner[0], kind, arguments)
            given = type_arguments(reader, inner[1])
            return reader.builder.expression(Op.GENERIC, base, given) if base >= 0 else -1
        return read_children(reader, node)
    return read(reader, node)


Parts: TypeAlias = list[tuple[str, Node]]
"""(node type, node) of each argument of a call."""


def parts_of(node: Node | None) -> tuple[Parts, int]:
    """The arguments of a call, and their number: -1 when a spread or a template makes it unknown."""
    if node is None:
        return [], 0
    if node.type != "arguments":
        return [(child.type, child) for child in node.named_children], -1
    parts: Parts = []
    spread = False
    for child in node.named_children:
        kind = child.type
        if kind != "comment":
            parts.append((kind, child))
            spread = spread or kind == "spread_element"
    return parts, -1 if spread else len(parts)


def read_arguments(reader: Reader, parts: Parts, function: int) -> list[int]:
    """The arguments of a call, in order; functions among them know what the function expects of them."""
    values: list[int] = []
    late: list[tuple[int, Node]] = []
    for kind, child in parts:
        if kind in _LATE:
            late.append((len(values), child))
            values.append(-1)
        else:
            handler = EXPRESSIONS.get(kind)
            values.append(-1 if handler is None else handler(reader, child, -1))
    if late:
        known = list(values)
        for position, child in late:
            expected = reader.fresh("argument", function, position, known) if function >= 0 else -1
            values[position] = read(reader, child, expected)
    return values


def _call(reader: Reader, node: Node, expected: int) -> int:
    function_node: Node | None = None
    arguments: Node | None = None
    generic: Node | None = None
    for child in node.named_children:
        kind = child.type
        if function_node is None:
            function_node = child
        elif kind == "arguments" or kind == "template_string":
            arguments = child
        elif kind == "type_arguments":
            generic = child
    if function_node is None:
        return -1
    if function_node.type == "import":
        return _dynamic_import(reader, arguments)
    if (
        function_node.type == "identifier" and not reader.typed
    ) or function_node.end_byte - function_node.start_byte == 7:
        required = required_import(reader, function_node, arguments)
        if required >= 0:
            name_use(reader, function_node, _CALL, 1)
            return reader.builder.expression(Op.IMPORTED, required)
    parts, count = parts_of(arguments)
    function = callee(reader, function_node, _CALL, count)
    if generic is not None:
        given = type_arguments(reader, generic)
        if function >= 0:
            function = reader.builder.expression(Op.GENERIC, function, given)
    return reader.builder.call(function, read_arguments(reader, parts, function))


def _dynamic_import(reader: Reader, arguments: Node | None) -> int:
    specifier = string_argument(reader, arguments)
    if specifier is None:
        if arguments is not None:
            read_children(reader, arguments)
        return -1
    module = reader.builder.expression(Op.IMPORTED, imported(reader, specifier, "", "dynamic"))
    return reader.special("promise", module)


def _new(reader: Reader, node: Node, expected: int) -> int:
    return construct(reader, node, ReferenceKind.CONSTRUCT)


def construct(reader: Reader, node: Node, kind: int) -> int:
    """A `new` expression; its reference is of the given kind (a construction, or what is thrown)."""
    constructor: Node | None = None
    arguments: Node | None = None
    generic: Node | None = None
    for child in node.named_children:
        child_kind = child.type
        if constructor is None and child_kind != "comment":
            constructor = child
        elif child_kind == "arguments":
            arguments = child
        elif child_kind == "type_arguments":
            generic = child
    if constructor is None:
        return -1
    parts, count = parts_of(arguments)
    class_ = callee(reader, constructor, kind, count)
    if generic is not None:
        given = type_arguments(reader, generic)
        if class_ >= 0:
            class_ = reader.builder.expression(Op.GENERIC, class_, given)
    values = read_arguments(reader, parts, reader.special("constructor", class_) if class_ >= 0 else -1)
    return -1 if class_ < 0 else reader.fresh("new", class_, values)


def _decorator(reader: Reader, node: Node, expected: int) -> int:
    for child in node.named_children:
        if child.type == "call_expression":
            inner = child.named_children
            if inner:
                parts, count = parts_of(inner[-1]) if len(inner) > 1 else ([], 0)
                function = callee(reader, inner[0], ReferenceKind.DECORATE, count)
                return reader.builder.call(function, read_arguments(reader, parts, function))
        elif child.type != "comment":
            return callee(reader, child, ReferenceKind.DECORATE, -1)
    return -1


READERS: Final[dict[str, ExpressionReader]] = {
    "call_expression": _call,
    "new_expression": _new,
    "decorator": _decorator,
}
"""Node type -> reader."""
