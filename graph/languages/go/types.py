"""Reading types: names, composite types and signatures.

Every function gives a type expression. Pointers are looked through: a selector on a pointer means the same member (Go
spec, Selectors), and nothing else here tells `T` and `*T` apart. A pointer to a pointer has no members, so `**T` is a
type of its own that holds a `T`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from tree_sitter import Node

from graph.languages.go.kinds import (
    COMMENT,
    GENERIC_TYPE,
    IDENTIFIERS,
    NAMES,
    NOISE,
    PARAMETERS,
    PARENTHESIZED_TYPE,
    POINTER_TYPE,
    QUALIFIED_TYPE,
    TYPE_ARGUMENTS,
    TYPE_ELEMENT,
    TYPE_IDENTIFIER,
    TYPES,
    VARIADIC_PARAMETER,
)
from graph.languages.go.walk import HANDLERS, Local, Walk, handler, instance, parts, use, visit, visit_children
from graph.model import DefinitionKind, Op, ReferenceKind

_READ: Final = int(ReferenceKind.READ)
_TYPE: Final = int(ReferenceKind.TYPE)


class Parameter(NamedTuple):
    """One parameter or result."""

    node: Node | None
    """Its name, if it has one."""
    type: int
    """Type expression, or -1."""
    variadic: bool


class Signature(NamedTuple):
    """What a function type says."""

    parameters: list[Parameter]
    results: list[Parameter]

    def named(self) -> list[Parameter]:
        """Parameters and results that have names."""
        return [parameter for parameter in (*self.parameters, *self.results) if parameter.node is not None]


def type_use(walk: Walk, node: Node, kind: int) -> int:
    """Read a type whose own name is used in the given way; types inside of it are TYPE references."""
    number = node.kind_id
    if number == TYPE_IDENTIFIER:
        return use(walk, node, kind)
    if number == QUALIFIED_TYPE:
        return _qualified(walk, node, kind)
    if number == GENERIC_TYPE:
        return _generic(walk, node, kind)
    if number == POINTER_TYPE or number == PARENTHESIZED_TYPE:
        inner = parts(node)
        if number == POINTER_TYPE and _is_pointer(inner):
            return _pointer(walk, node)
        return type_use(walk, inner[0], kind) if len(inner) == 1 else visit_children(walk, node)
    return HANDLERS[number](walk, node)


@handler("type_identifier")
def _name(walk: Walk, node: Node) -> int:
    return use(walk, node, _TYPE)


@handler("qualified_type")
def _qualified_type(walk: Walk, node: Node) -> int:
    return _qualified(walk, node, _TYPE)


def _qualified(walk: Walk, node: Node, kind: int) -> int:
    inner = parts(node)
    if len(inner) != 2:
        return visit_children(walk, node)
    package = use(walk, inner[0], _READ)
    return selected(walk, package, inner[0].start_byte, inner[1], kind)


def selected(walk: Walk, operand: int, start: int, name: Node, kind: int, arguments: int = -1) -> int:
    """The member of an operand whose source begins at byte `start`: its expression, and a reference to it."""
    if name.kind_id not in NAMES:
        return visit(walk, name)
    builder = walk.builder
    text = builder.text(name)
    if not text or text == "_":
        return -1
    expression = builder.attribute(operand, text)
    builder.reference(kind, name, expression, walk.enclosing, arguments=arguments, qualifier_start=start, name=text)
    return expression


@handler("generic_type")
def _generic_type(walk: Walk, node: Node) -> int:
    return _generic(walk, node, _TYPE)


def _generic(walk: Walk, node: Node, kind: int) -> int:
    inner = parts(node)
    if len(inner) != 2 or inner[1].kind_id != TYPE_ARGUMENTS:
        return visit_children(walk, node)
    base = type_use(walk, inner[0], kind)
    return applied(walk, base, type_arguments(walk, inner[1]))


def applied(walk: Walk, base: int, arguments: list[int]) -> int:
    """A generic type or function with type arguments."""
    return base if base < 0 or not arguments else walk.builder.expression(Op.GENERIC, base, arguments)


def type_arguments(walk: Walk, node: Node) -> list[int]:
    """The type expressions of a type argument list."""
    return [_only(walk, child) for child in parts(node)]


def _only(walk: Walk, node: Node) -> int:
    """The type inside a `type_elem`; -1 for a union."""
    if node.kind_id != TYPE_ELEMENT:
        return visit(walk, node)
    found = [visit(walk, child) for child in parts(node)]
    return found[0] if len(found) == 1 else -1


@handler("pointer_type")
def _pointer(walk: Walk, node: Node) -> int:
    inner = _inner(walk, node)
    return walk.builder.builtin("pointer", [inner]) if _is_pointer(parts(node)) else inner


def _is_pointer(inner: list[Node]) -> bool:
    """Whether what a type node consists of is a pointer type, parenthesised or not."""
    while len(inner) == 1 and inner[0].kind_id == PARENTHESIZED_TYPE:
        inner = parts(inner[0])
    return len(inner) == 1 and inner[0].kind_id == POINTER_TYPE


@handler("parenthesized_type", "negated_type", "type_elem", "type_constraint")
def _inner(walk: Walk, node: Node) -> int:
    found = [visit(walk, child) for child in node.named_children if child.kind_id != COMMENT]
    return found[0] if len(found) == 1 else -1


@handler("slice_type", "implicit_length_array_type")
def _slice(walk: Walk, node: Node) -> int:
    return walk.builder.builtin("slice", [_inner(walk, node)])


@handler("array_type")
def _array(walk: Walk, node: Node) -> int:
    found = [visit(walk, child) for child in parts(node)]
    return walk.builder.builtin("slice", found[-1:])


@handler("map_type")
def _map(walk: Walk, node: Node) -> int:
    found = [visit(walk, child) for child in parts(node)]
    return walk.builder.builtin("map", found) if len(found) == 2 else -1


@handler("channel_type")
def _channel(walk: Walk, node: Node) -> int:
    return walk.builder.builtin("chan", [_inner(walk, node)])


@handler("function_type")
def _function(walk: Walk, node: Node) -> int:
    return function_type(walk, signature(walk, node.named_children))


def function_type(walk: Walk, signature_: Signature) -> int:
    """The type of functions of that signature: `func` of the value it gives, then of the values it takes."""
    taken = [parameter_value(walk, parameter) for parameter in signature_.parameters]
    given = result_value(walk, signature_) if signature_.results else walk.builder.expression(Op.TUPLE, [])
    return walk.builder.builtin("func", [given, *taken])


def parameter_value(walk: Walk, parameter: Parameter) -> int:
    """The expression of what a parameter holds: of a variadic one, a slice."""
    if parameter.variadic:
        return walk.builder.builtin("slice", [parameter.type])
    return instance(walk, parameter.type)


def result_value(walk: Walk, signature_: Signature) -> int:
    """The expression of what a call gives; -1 when it gives nothing."""
    values = [instance(walk, result.type) for result in signature_.results]
    if len(values) > 1:
        return walk.builder.expression(Op.TUPLE, values)
    return values[0] if values else -1


def signature(walk: Walk, nodes: list[Node]) -> Signature:
    """Read the parameter lists and the result among the children of a function node; other children are left alone."""
    taken: list[Parameter] | None = None
    given: list[Parameter] = []
    for node in nodes:
        number = node.kind_id
        if number == PARAMETERS:
            if taken is None:
                taken = parameters(walk, node)
            else:
                given = parameters(walk, node)
        elif taken is not None and number in TYPES:
            given = [Parameter(None, visit(walk, node), False)]
    return Signature(taken or [], given)


def parameters(walk: Walk, node: Node) -> list[Parameter]:
    """Read a parameter list: types are recorded, names are not declared yet (they are not in scope of the types)."""
    found: list[Parameter] = []
    for declaration in node.named_children:
        names: list[Node] = []
        type_ = -1
        variadic = declaration.kind_id == VARIADIC_PARAMETER
        for child in declaration.named_children:
            number = child.kind_id
            if number in IDENTIFIERS:
                names.append(child)
            elif number != COMMENT:
                type_ = visit(walk, child)
        if names:
            found.extend([Parameter(name, type_, variadic) for name in names])
        elif declaration.kind_id not in NOISE:
            found.append(Parameter(None, type_, variadic))
    return found


@handler("parameter_list", "parameter_declaration", "variadic_parameter_declaration")
def _stray_parameters(walk: Walk, node: Node) -> int:
    """Parameters outside of any function that could be read: their names are declared all the same."""
    listed = parameters(walk, node) if node.kind_id == PARAMETERS else []
    for parameter in listed:
        if parameter.node is not None and walk.frames:
            name = walk.builder.text(parameter.node)
            value = parameter_value(walk, parameter)
            walk.bind(walk.frames[-1], name, Local(value, parameter.node, DefinitionKind.PARAMETER))
    return -1 if listed else visit_children(walk, node)


def parameter_facts(walk: Walk, signature_: Signature) -> list[list[object]]:
    """Parameters as `DefinitionFact.parameters` has them."""
    return [
        [
            walk.builder.text(parameter.node) if parameter.node is not None else "",
            parameter.type,
            0,
            int(parameter.variadic),
        ]
        for parameter in signature_.parameters
    ]
