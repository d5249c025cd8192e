"""Reading types: names, composite types, signatures, anonymous structs and interfaces.

Every function gives a type expression. Pointers are looked through: a selector on a pointer means the same member (Go
spec, Selectors), and nothing else here tells `T` and `*T` apart.
"""

from __future__ import annotations

from typing import NamedTuple

from tree_sitter import Node

from graph.languages.go.documentation import describe
from graph.languages.go.kinds import (
    COMMENT,
    FIELD_IDENTIFIER,
    FIELD_LIST,
    GENERIC_TYPE,
    IDENTIFIERS,
    METHOD_ELEMENT,
    NAMES,
    NOISE,
    PARAMETERS,
    PARENTHESIZED_TYPE,
    POINTER_TYPE,
    QUALIFIED_TYPE,
    STRINGS,
    TYPE_ARGUMENTS,
    TYPE_ELEMENT,
    TYPE_IDENTIFIER,
    TYPES,
    VARIADIC_PARAMETER,
)
from graph.languages.go.walk import HANDLERS, Local, Walk, handler, instance, parts, use, visit, visit_children
from graph.model import BindingTag, DefinitionKind, Flag, Op, ReferenceKind, ScopeKind, Visibility


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


def type_use(walk: Walk, node: Node, kind: ReferenceKind) -> int:
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
        return type_use(walk, inner[0], kind) if len(inner) == 1 else visit_children(walk, node)
    return HANDLERS[number](walk, node)


@handler("type_identifier")
def _name(walk: Walk, node: Node) -> int:
    return use(walk, node, ReferenceKind.TYPE)


@handler("qualified_type")
def _qualified_type(walk: Walk, node: Node) -> int:
    return _qualified(walk, node, ReferenceKind.TYPE)


def _qualified(walk: Walk, node: Node, kind: ReferenceKind) -> int:
    inner = parts(node)
    if len(inner) != 2:
        return visit_children(walk, node)
    package = use(walk, inner[0], ReferenceKind.READ)
    return selected(walk, package, inner[0].start_byte, inner[1], kind)


def selected(walk: Walk, operand: int, start: int, name: Node, kind: ReferenceKind, arguments: int = -1) -> int:
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
    return _generic(walk, node, ReferenceKind.TYPE)


def _generic(walk: Walk, node: Node, kind: ReferenceKind) -> int:
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


@handler("pointer_type", "parenthesized_type", "negated_type", "type_elem", "type_constraint")
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
            walk.frames[-1][name] = Local(
                value, parameter.node.start_byte, parameter.node.end_byte, DefinitionKind.PARAMETER
            )
    return -1 if listed else visit_children(walk, node)


@handler("struct_type")
def _anonymous_struct(walk: Walk, node: Node) -> int:
    lists = [child for child in node.named_children if child.kind_id == FIELD_LIST]
    if not any(child.named_child_count for child in lists):
        return walk.builder.builtin("struct")
    index = _anonymous(walk, node, DefinitionKind.STRUCT, "struct")
    struct_members(walk, node, index)
    return walk.builder.expression(Op.DEFINITION, index)


@handler("interface_type")
def _anonymous_interface(walk: Walk, node: Node) -> int:
    if not node.named_child_count:
        return walk.builder.builtin("any")
    index = _anonymous(walk, node, DefinitionKind.INTERFACE, "interface")
    interface_members(walk, node, index)
    return walk.builder.expression(Op.DEFINITION, index)


def _anonymous(walk: Walk, node: Node, kind: DefinitionKind, keyword: str) -> int:
    """A definition for a type without a name; the keyword stands for one, and its members are those of its owner."""
    builder = walk.builder
    extent = (node.start_byte, node.end_byte)
    name_extent = (node.start_byte, node.start_byte + len(keyword))
    index = builder.define(kind, builder.slice(*name_extent), walk.owner, extent, name_extent)
    draft = builder.definitions[index]
    draft.scope = builder.scope(0, ScopeKind.CLASS, index)
    draft.visibility = Visibility.PRIVATE
    draft.extra = {"anonymous": True}
    return index


def struct_members(walk: Walk, node: Node, owner: int) -> None:
    """Define the fields of a struct type as members of definition `owner`; embedded types become its bases."""
    for child in node.named_children:
        if child.kind_id == FIELD_LIST:
            for field in child.named_children:
                if field.kind_id != COMMENT:
                    _field(walk, field, owner)
        elif child.kind_id != COMMENT:
            visit(walk, child)


def _field(walk: Walk, node: Node, owner: int) -> None:
    names: list[Node] = []
    type_node: Node | None = None
    for child in node.named_children:
        number = child.kind_id
        if number == FIELD_IDENTIFIER:
            names.append(child)
        elif number not in NOISE and number not in STRINGS:
            type_node = child
    if not names:
        if type_node is not None:
            _embedded(walk, node, type_node, owner)
        return
    fields = [_define_field(walk, name, (name.start_byte, node.end_byte), owner) for name in names]
    enclosing, above = walk.enclosing, walk.owner
    walk.owner = next((index for index in fields if index >= 0), owner)
    walk.enclosing = walk.owner
    type_ = instance(walk, visit(walk, type_node)) if type_node is not None else -1
    walk.enclosing, walk.owner = enclosing, above
    for index in fields:
        if index >= 0:
            walk.builder.definitions[index].type = type_
            describe(walk.builder, index, node.start_byte, (node.start_byte, node.end_byte))


def _embedded(walk: Walk, node: Node, type_node: Node, owner: int) -> None:
    """An embedded field: named after its type, whose members are promoted (Go spec, Struct types)."""
    type_ = type_use(walk, type_node, ReferenceKind.BASE)
    name = _last_name(type_node)
    if type_ >= 0:
        walk.builder.definitions[owner].bases.append(type_)
    if name is None:
        return
    index = _define_field(walk, name, (node.start_byte, node.end_byte), owner)
    if index >= 0:
        draft = walk.builder.definitions[index]
        draft.type = instance(walk, type_)
        draft.extra = {"embedded": True}
        describe(walk.builder, index, node.start_byte, (node.start_byte, node.end_byte))


def _last_name(node: Node) -> Node | None:
    """The node of the name that an embedded type gives its field."""
    while node.kind_id != TYPE_IDENTIFIER:
        inner = parts(node)
        if not inner:
            return None
        node = inner[-1] if node.kind_id == QUALIFIED_TYPE else inner[0]
    return node


def _define_field(walk: Walk, name: Node, extent: tuple[int, int], owner: int) -> int:
    return member(walk, DefinitionKind.FIELD, name, extent, owner)


def member(walk: Walk, kind: DefinitionKind, name: Node, extent: tuple[int, int], owner: int) -> int:
    """Define a member of a type and bind it in the type's scope; -1 for a nameless one."""
    builder = walk.builder
    text = builder.text(name)
    if not text or text == "_":
        return -1
    above = builder.definitions[owner]
    prefix = above.qualified_name
    if above.extra.get("anonymous"):
        prefix = builder.definitions[above.parent].qualified_name if above.parent > 0 else ""
    visibility, flags = exposure(text)
    index = builder.define(
        kind, text, owner, extent, (name.start_byte, name.end_byte), flags=flags, visibility=visibility,
        qualified_name=f"{prefix}.{text}" if prefix else text,
    )  # fmt: skip
    builder.bind(above.scope, text, BindingTag.DEFINITION, index)
    return index


def exposure(name: str) -> tuple[Visibility, Flag]:
    """Visibility and flags by the first letter of a name (Go spec, Exported identifiers)."""
    return (Visibility.PUBLIC, Flag.EXPORTED) if name[:1].isupper() else (Visibility.PACKAGE, Flag(0))


def interface_members(walk: Walk, node: Node, owner: int) -> None:
    """Define the methods of an interface type as members of definition `owner`; embedded types become its bases."""
    for child in node.named_children:
        number = child.kind_id
        if number == METHOD_ELEMENT:
            _method_element(walk, child, owner)
        elif number == TYPE_ELEMENT:
            inner = parts(child)
            if len(inner) == 1:
                base = type_use(walk, inner[0], ReferenceKind.BASE)
                if base >= 0:
                    walk.builder.definitions[owner].bases.append(base)
            else:
                visit_children(walk, child)
        elif number != COMMENT:
            visit(walk, child)


def _method_element(walk: Walk, node: Node, owner: int) -> None:
    children = parts(node)
    if not children or children[0].kind_id != FIELD_IDENTIFIER:
        visit_children(walk, node)
        return
    extent = (node.start_byte, node.end_byte)
    index = member(walk, DefinitionKind.METHOD, children[0], extent, owner)
    enclosing, above = walk.enclosing, walk.owner
    if index >= 0:
        walk.enclosing = walk.owner = index
    read = signature(walk, children[1:])
    walk.enclosing, walk.owner = enclosing, above
    if index >= 0:
        draft = walk.builder.definitions[index]
        draft.flags |= Flag.ABSTRACT
        draft.type = result_value(walk, read)
        draft.parameters = parameter_facts(walk, read)
        draft.extra = {"results": len(read.results)}
        describe(walk.builder, index, node.start_byte, extent)


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
