"""Reading expressions: each function records the references in an expression and gives the expression of its value."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from graph.languages.go.kinds import (
    ARGUMENT_LISTS,
    BLOCK,
    GENERIC_TYPE,
    IDENTIFIERS,
    INDEX,
    KEYED,
    LITERAL_ELEMENT,
    LITERAL_VALUE,
    NOISE,
    PARENTHESIZED,
    SELECTOR,
    TYPE_ARGUMENTS,
    TYPE_ASSERTION,
    UNARY,
    VARIADIC_ARGUMENT,
)
from graph.languages.go.types import (
    Parameter,
    applied,
    function_type,
    parameter_value,
    selected,
    signature,
    type_arguments,
    type_use,
)
from graph.languages.go.walk import HANDLERS, Local, Walk, handler, instance, parts, use, visit, visit_children
from graph.model import DefinitionKind, Op, ReferenceKind

_CALL: Final = int(ReferenceKind.CALL)
_CONSTRUCT: Final = int(ReferenceKind.CONSTRUCT)
_READ: Final = int(ReferenceKind.READ)
_WRITE: Final = int(ReferenceKind.WRITE)

_RECEIVE, _DEREFERENCE = b"<*"
_COMPARISONS = (b"==", b"!=", b"<=", b">=", b"&&", b"||")
_ALLOCATORS = frozenset(("new", "make"))


@handler("identifier", "package_identifier")
def _identifier(walk: Walk, node: Node) -> int:
    return use(walk, node, _READ)


@handler("selector_expression")
def _selector(walk: Walk, node: Node) -> int:
    return selector(walk, node, _READ)


def selector(walk: Walk, node: Node, kind: int, arguments: int = -1) -> int:
    """`operand.name`, the name used in the given way."""
    children = node.named_children
    if len(children) != 2:
        children = [child for child in children if child.kind_id not in NOISE]
        if len(children) != 2:
            return visit_children(walk, node)
    operand, name = children
    number = operand.kind_id
    value = use(walk, operand, _READ) if number in IDENTIFIERS else HANDLERS[number](walk, operand)
    return selected(walk, value, operand.start_byte, name, kind, arguments)


def target(walk: Walk, node: Node) -> int:
    """An expression that is assigned to: the name that it ends in is written."""
    number = node.kind_id
    if number in IDENTIFIERS:
        return use(walk, node, _WRITE)
    if number == SELECTOR:
        return selector(walk, node, _WRITE)
    return HANDLERS[number](walk, node)


@handler("call_expression")
def _call(walk: Walk, node: Node) -> int:
    builder = walk.builder
    children = node.named_children
    if len(children) != 2 or children[1].kind_id not in ARGUMENT_LISTS:
        children = [child for child in children if child.kind_id not in NOISE]
        if len(children) == 3 and children[1].kind_id == TYPE_ARGUMENTS and children[2].kind_id in ARGUMENT_LISTS:
            given, count = children[2].named_children, argument_count(children[2])
            callee = applied(walk, called(walk, children[0], count), type_arguments(walk, children[1]))
            return builder.call(callee, [HANDLERS[argument.kind_id](walk, argument) for argument in given])
        if len(children) != 2:
            return visit_children(walk, node)
    function, list_ = children
    given = list_.named_children
    count = len(given)
    for argument in given:
        number = argument.kind_id
        if number in NOISE or number == VARIADIC_ARGUMENT:
            count = argument_count(list_)
            given = [child for child in given if child.kind_id not in NOISE]
            break
    callee = called(walk, function, count)
    values = [HANDLERS[argument.kind_id](walk, argument) for argument in given]
    if (
        values
        and function.kind_id in IDENTIFIERS
        and builder.text(function) in _ALLOCATORS
        and _is_global(walk, callee)
    ):
        return instance(walk, values[0])
    return builder.call(callee, values)


def _is_global(walk: Walk, expression: int) -> bool:
    return expression >= 0 and walk.builder.expressions[expression][0] == Op.NAME


def argument_count(list_: Node) -> int:
    """The number of arguments; -1 when the last one is spread."""
    given = [child for child in list_.named_children if child.kind_id not in NOISE]
    return -1 if given and given[-1].kind_id == VARIADIC_ARGUMENT else len(given)


def called(walk: Walk, node: Node, arguments: int) -> int:
    """The function part of a call: the name that it ends in is called."""
    number = node.kind_id
    if number in IDENTIFIERS:
        return use(walk, node, _CALL, arguments)
    if number == SELECTOR:
        return selector(walk, node, _CALL, arguments)
    if number == INDEX:
        children = parts(node)
        if len(children) == 2:
            base = called(walk, children[0], arguments)
            return walk.builder.expression(Op.INDEX, base, visit(walk, children[1])) if base >= 0 else -1
    elif number == PARENTHESIZED or (number == UNARY and walk.source[node.start_byte] == _DEREFERENCE):
        children = parts(node)
        if len(children) == 1:
            return called(walk, children[0], arguments)
    return HANDLERS[number](walk, node)


@handler("type_conversion_expression")
def _conversion(walk: Walk, node: Node) -> int:
    children = parts(node)
    if len(children) != 2:
        return visit_children(walk, node)
    if children[0].kind_id == GENERIC_TYPE:
        # `F[int](x)`: the grammar cannot tell the call of a generic function from a conversion.
        callee = type_use(walk, children[0], _CALL)
        return walk.builder.call(callee, [visit(walk, children[1])])
    type_ = visit(walk, children[0])
    visit(walk, children[1])
    return instance(walk, type_)


@handler("type_instantiation_expression")
def _instantiation(walk: Walk, node: Node) -> int:
    children = parts(node)
    base = type_use(walk, children[0], _READ) if children else -1
    return applied(walk, base, [visit(walk, child) for child in children[1:]])


@handler("index_expression")
def _index(walk: Walk, node: Node) -> int:
    children = parts(node)
    if len(children) != 2:
        return visit_children(walk, node)
    operand = visit(walk, children[0])
    index = visit(walk, children[1])
    return walk.builder.expression(Op.INDEX, operand, index) if operand >= 0 else -1


@handler("slice_expression")
def _slice(walk: Walk, node: Node) -> int:
    """A slice of a value has the same element type."""
    values = [visit(walk, child) for child in parts(node)]
    return values[0] if values else -1


@handler("type_assertion_expression")
def _assertion(walk: Walk, node: Node) -> int:
    children = parts(node)
    for child in children[:-1]:
        visit(walk, child)
    return instance(walk, visit(walk, children[-1])) if children else -1


@handler("parenthesized_expression", "variadic_argument")
def _wrapped(walk: Walk, node: Node) -> int:
    children = node.named_children
    return visit(walk, children[0]) if len(children) == 1 else visit_children(walk, node)


@handler("unary_expression")
def _unary(walk: Walk, node: Node) -> int:
    """Addresses are looked through; a dereference gives what a pointer to a pointer holds, a receive an element."""
    children = parts(node)
    if len(children) != 1:
        return visit_children(walk, node)
    operand = children[0]
    value = visit(walk, operand)
    if value >= 0 and walk.source[node.start_byte] == _RECEIVE:
        return walk.builder.expression(Op.SPECIAL, "receive", value)
    if value >= 0 and walk.source[node.start_byte] == _DEREFERENCE:
        return walk.builder.expression(Op.SPECIAL, "pointed", value)
    return value


@handler("binary_expression")
def _binary(walk: Walk, node: Node) -> int:
    """Both operands have one type, save for shifts and constants without a type (Go spec, Operators)."""
    children = node.named_children
    if len(children) != 2:
        return visit_children(walk, node)
    left_node, right_node = children
    left = HANDLERS[left_node.kind_id](walk, left_node)
    right = HANDLERS[right_node.kind_id](walk, right_node)
    operator = walk.source[left_node.end_byte : right_node.start_byte].strip()
    if operator in _COMPARISONS or operator == b"<" or operator == b">":
        return walk.builder.builtin("bool")
    if right < 0 or right == walk.untyped or left == right or operator == b"<<" or operator == b">>":
        return left
    if left < 0 or left == walk.untyped:
        return right
    return walk.builder.expression(Op.SPECIAL, "arithmetic", left, right)


@handler(
    "int_literal", "float_literal", "imaginary_literal", "rune_literal", "raw_string_literal",
    "interpreted_string_literal", "iota",
)  # fmt: skip
def _literal(walk: Walk, node: Node) -> int:
    return walk.untyped


@handler("true", "false")
def _boolean(walk: Walk, node: Node) -> int:
    return walk.builder.builtin("bool")


@handler("nil")
def _nil(walk: Walk, node: Node) -> int:
    return walk.builder.builtin("nil")


@handler("comment", "label_name", "field_identifier", "blank_identifier")
def _nothing(walk: Walk, node: Node) -> int:
    return -1


@handler("func_literal")
def _function_literal(walk: Walk, node: Node) -> int:
    children = node.named_children
    read = signature(walk, children)
    walk.frames.append({})
    declare_parameters(walk, read.named())
    for child in children:
        if child.kind_id == BLOCK:
            read_body(walk, child)
    walk.frames.pop()
    return function_type(walk, read)


def read_body(walk: Walk, block: Node) -> None:
    """Read the body of a function; its block is the one that the parameters are declared in."""
    outer, walk.in_body = walk.in_body, True
    visit_children(walk, block)
    walk.in_body = outer


def declare_parameters(walk: Walk, parameters: list[Parameter]) -> None:
    """Declare named parameters and results in the innermost frame."""
    frame = walk.frames[-1]
    for parameter in parameters:
        if parameter.node is None:
            continue
        name = walk.builder.text(parameter.node)
        if name not in frame:
            value = parameter_value(walk, parameter)
            walk.bind(frame, name, Local(value, parameter.node, DefinitionKind.PARAMETER))


@handler("composite_literal")
def _composite(walk: Walk, node: Node) -> int:
    children = parts(node)
    if len(children) != 2 or children[1].kind_id != LITERAL_VALUE:
        return visit_children(walk, node)
    type_ = type_use(walk, children[0], _CONSTRUCT)
    _elements(walk, children[1], type_)
    return instance(walk, type_)


@handler("literal_value")
def _stray_elements(walk: Walk, node: Node) -> int:
    _elements(walk, node, -1)
    return -1


def _elements(walk: Walk, node: Node, type_: int) -> None:
    """Read the elements of a composite literal of a type. The types of inner literals may be left out (Go spec)."""
    element = key = None
    for child in node.named_children:
        number = child.kind_id
        if number == LITERAL_ELEMENT:
            value = child
        elif number == KEYED:
            pair = parts(child)
            if len(pair) != 2:
                visit_children(walk, child)
                continue
            inner = pair[0].named_children
            if len(inner) == 1 and inner[0].kind_id in IDENTIFIERS:
                _key(walk, inner[0], type_)
            elif len(inner) == 1 and inner[0].kind_id == LITERAL_VALUE:
                if key is None:
                    key = _part_type(walk, type_, 0)
                _elements(walk, inner[0], key)
            else:
                visit_children(walk, pair[0])
            value = pair[1]
        else:
            HANDLERS[number](walk, child)
            continue
        for inner_node in value.named_children:
            number = inner_node.kind_id
            if number == LITERAL_VALUE:
                if element is None:
                    element = _part_type(walk, type_, -1)
                _elements(walk, inner_node, element)
            else:
                HANDLERS[number](walk, inner_node)


def _part_type(walk: Walk, type_: int, position: int) -> int:
    """The type of the keys (0) or elements (-1) of a container type."""
    if type_ < 0:
        return -1
    operation = walk.builder.expressions[type_]
    if operation[0] == Op.BUILTIN:
        return operation[2][position] if operation[2] else -1
    return walk.builder.expression(Op.SPECIAL, "part", type_, position)


def _key(walk: Walk, node: Node, type_: int) -> None:
    """An identifier before a colon: a field of a struct, or an expression where the type is a map or a list."""
    builder = walk.builder
    if type_ >= 0 and builder.expressions[type_][0] == Op.BUILTIN:
        use(walk, node, _READ)
        return
    name = builder.text(node)
    if not name or name == "_":
        return
    local = name in walk.locals and any(name in frame for frame in walk.frames)
    other = -1 if local else builder.name(0, name)
    expression = builder.expression(Op.SPECIAL, "key", type_, name, other)
    builder.reference(_WRITE, node, expression, walk.enclosing)


def is_two_valued(node: Node) -> bool:
    """Whether an expression gives its value and whether there was one, where two are asked for."""
    while node.kind_id == PARENTHESIZED and node.named_child_count == 1:
        node = node.named_children[0]
    return node.kind_id in (INDEX, TYPE_ASSERTION, UNARY)
