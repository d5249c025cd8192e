"""Operators and literals: the value that each one has, and the references that stand in it."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from graph.languages.typescript import assignments, classes
from graph.languages.typescript.annotations import type_arguments
from graph.languages.typescript.call_expressions import callee
from graph.languages.typescript.functions import FUNCTIONS, read_function, read_object
from graph.languages.typescript.names import member_use, name_use, read_super
from graph.languages.typescript.reader import ExpressionReader, Reader, read, read_children, read_error, read_type
from graph.model import Op, ReferenceKind

_READ, _CALL = int(ReferenceKind.READ), int(ReferenceKind.CALL)
_ELEMENT_LIMIT: Final = 8
"""Most distinct element values of one array literal that are kept."""
_LATE = frozenset({*FUNCTIONS, "object", "parenthesized_expression"})
"""Arguments that are read after the others, because the others tell what is expected of them."""
_COMPARISONS = frozenset({"==", "===", "!=", "!==", "<", ">", "<=", ">=", "in", "instanceof"})
_ARITHMETIC = frozenset({"-", "*", "/", "%", "**", "<<", ">>", ">>>", "&", "|", "^"})


def _binary(reader: Reader, node: Node, expected: int) -> int:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return read_children(reader, node)
    word = operator.type
    logical = word in ("||", "&&", "??")
    first = read(reader, left, expected if logical else -1)
    second = read(reader, right, expected if logical else -1)
    if word == "||" or word == "??":
        return reader.merged([first, second])
    if word == "&&":
        return second
    if word in _COMPARISONS:
        return reader.builder.builtin("Boolean")
    if word in _ARITHMETIC:
        return reader.builder.builtin("Number")
    text = reader.builder.builtin("String")
    return text if word == "+" and text in (first, second) else -1


def _unary(reader: Reader, node: Node, expected: int) -> int:
    operator, argument = node.child_by_field_name("operator"), node.child_by_field_name("argument")
    if operator is None or argument is None:
        return read_children(reader, node)
    word = operator.type
    if word == "delete" and argument.type == "member_expression":
        member_use(reader, argument, ReferenceKind.DELETE)
        return -1
    read(reader, argument)
    if word == "void":
        return reader.nothing
    return reader.builder.builtin({"typeof": "String", "!": "Boolean", "delete": "Boolean"}.get(word, "Number"))


def _ternary(reader: Reader, node: Node, expected: int) -> int:
    parts = [child for child in node.named_children if child.type != "comment"]
    if len(parts) != 3:
        return read_children(reader, node)
    read(reader, parts[0])
    return reader.merged([read(reader, parts[1], expected), read(reader, parts[2], expected)])


def _sequence(reader: Reader, node: Node, expected: int) -> int:
    value = -1
    for child in node.named_children:
        if child.type != "comment":
            value = read(reader, child)
    return value


def _parenthesized(reader: Reader, node: Node, expected: int) -> int:
    value = -1
    for child in node.named_children:
        if child.type != "comment":
            value = read(reader, child, expected)
    if reader.documents is not None:
        # `/** @type {T} */ (value)`: JavaScript's cast.
        cast = reader.documents.cast(reader, node)
        if cast >= 0:
            return reader.builder.instance(cast)
    return value


def _await(reader: Reader, node: Node, expected: int) -> int:
    value = _sequence(reader, node, expected)
    return -1 if value < 0 else reader.builder.expression(Op.AWAIT, value)


def _yield(reader: Reader, node: Node, expected: int) -> int:
    read_children(reader, node)
    return -1


def _as(reader: Reader, node: Node, expected: int) -> int:
    children = [child for child in node.named_children if child.type != "comment"]
    if not children:
        return -1
    if len(children) == 1:
        return read(reader, children[0], expected)
    type_ = read_type(reader, children[1])
    value = reader.builder.instance(type_) if type_ != reader.nothing else -1
    read(reader, children[0], value)
    return value


def _satisfies(reader: Reader, node: Node, expected: int) -> int:
    children = [child for child in node.named_children if child.type != "comment"]
    if len(children) != 2:
        return read_children(reader, node)
    type_ = read_type(reader, children[1])
    return read(reader, children[0], reader.builder.instance(type_))


def _assertion(reader: Reader, node: Node, expected: int) -> int:
    children = [child for child in node.named_children if child.type != "comment"]
    if len(children) != 2:
        return read_children(reader, node)
    given = type_arguments(reader, children[0])
    type_ = given[0] if len(given) == 1 else -1
    value = reader.builder.instance(type_) if type_ != reader.nothing else -1
    read(reader, children[1], value)
    return value


def _instantiation(reader: Reader, node: Node, expected: int) -> int:
    return callee(reader, node, _READ, -1)


def _update(reader: Reader, node: Node, expected: int) -> int:
    argument = node.child_by_field_name("argument")
    if argument is not None:
        if argument.type == "identifier":
            name_use(reader, argument, ReferenceKind.WRITE)
        elif argument.type == "member_expression":
            member_use(reader, argument, ReferenceKind.WRITE)
        else:
            read(reader, argument)
    return reader.builder.builtin("Number")


# -- literals ---------------------------------------------------------------------------------------------------------


def _string(reader: Reader, node: Node, expected: int) -> int:
    return reader.builder.builtin("String")


def _template(reader: Reader, node: Node, expected: int) -> int:
    for child in node.named_children:
        if child.type == "template_substitution":
            read_children(reader, child)
    return reader.builder.builtin("String")


def _number(reader: Reader, node: Node, expected: int) -> int:
    return reader.builder.builtin("Number")


def _boolean(reader: Reader, node: Node, expected: int) -> int:
    return reader.builder.builtin("Boolean")


def _regex(reader: Reader, node: Node, expected: int) -> int:
    return reader.builder.builtin("RegExp")


def _nothing(reader: Reader, node: Node, expected: int) -> int:
    return reader.nothing


def _array(reader: Reader, node: Node, expected: int) -> int:
    parts: dict[int, None] = {}
    inner = reader.builder.expression(Op.ITERATE, expected) if expected >= 0 and node.named_child_count else -1
    for child in node.named_children:
        if child.type == "spread_element":
            spread = _sequence(reader, child, -1)
            value = -1 if spread < 0 else reader.builder.expression(Op.ITERATE, spread)
        elif child.type == "comment":
            continue
        else:
            value = read(reader, child, inner if child.type in _LATE else -1)
        if value != reader.nothing and len(parts) <= _ELEMENT_LIMIT:
            parts[value] = None
    known = list(parts) if len(parts) <= _ELEMENT_LIMIT else []
    return reader.fresh("array", known)


def _object(reader: Reader, node: Node, expected: int) -> int:
    held = reader.owned.pop(node.start_byte, None)
    if held is not None:
        expected, owner, prefix = held
        return read_object(reader, node, expected, owner, prefix, owned=True)
    return read_object(reader, node, expected, -1, "", owned=False)


def _function(reader: Reader, node: Node, expected: int) -> int:
    return read_function(reader, node, -1, expected=expected)


def _class(reader: Reader, node: Node, expected: int) -> int:
    return classes.read_anonymous(reader, node)


def _type_arguments(reader: Reader, node: Node, expected: int) -> int:
    type_arguments(reader, node)
    return -1


def _this(reader: Reader, node: Node, expected: int) -> int:
    return reader.frame.this


READERS: Final[dict[str, ExpressionReader]] = {
    "binary_expression": _binary,
    "unary_expression": _unary,
    "ternary_expression": _ternary,
    "sequence_expression": _sequence,
    "parenthesized_expression": _parenthesized,
    "await_expression": _await,
    "yield_expression": _yield,
    "as_expression": _as,
    "satisfies_expression": _satisfies,
    "type_assertion": _assertion,
    "instantiation_expression": _instantiation,
    "non_null_expression": _sequence,
    "spread_element": _yield,
    "update_expression": _update,
    "assignment_expression": assignments.read_assignment,
    "augmented_assignment_expression": assignments.read_augmented,
    "string": _string,
    "template_string": _template,
    "template_substitution": read_children,
    "number": _number,
    "true": _boolean,
    "false": _boolean,
    "regex": _regex,
    "null": _nothing,
    "undefined": _nothing,
    "array": _array,
    "object": _object,
    "arrow_function": _function,
    "function_expression": _function,
    "generator_function": _function,
    "class": _class,
    "this": _this,
    "super": read_super,
    "type_arguments": _type_arguments,
    "ERROR": read_error,
}
"""Node type -> reader."""
