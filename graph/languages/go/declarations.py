"""Reading imports, functions and methods, and type declarations."""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node

from graph.languages.go.composites import interface_members, struct_members
from graph.languages.go.defining import define_name, exposure, is_single
from graph.languages.go.documentation import describe
from graph.languages.go.expressions import declare_parameters, read_body
from graph.languages.go.kinds import (
    BLANK,
    BLOCK,
    DOT,
    FIELD_IDENTIFIER,
    GENERIC_TYPE,
    IDENTIFIERS,
    INTERFACE,
    PACKAGE_IDENTIFIER,
    PARAMETER,
    PARAMETERS,
    PARENTHESIZED_TYPE,
    POINTER_TYPE,
    STRINGS,
    STRUCT,
    TYPE_ALIAS,
    TYPE_IDENTIFIER,
    TYPE_PARAMETERS,
    TYPES,
)
from graph.languages.go.types import (
    Parameter,
    parameter_facts,
    result_value,
    signature,
)
from graph.languages.go.walk import Local, Walk, handler, parts, use, visit, visit_children
from graph.model import BindingTag, DefinitionKind, Flag, Op, ReferenceKind, ScopeKind

_IMPORT: Final = int(ReferenceKind.IMPORT)
_TYPE: Final = int(ReferenceKind.TYPE)

_TEST: Final = re.compile(r"(Test|Benchmark|Example|Fuzz)(?![a-z])")
"""Test functions (`go help testfunc`): what follows the prefix does not begin with a lower-case letter."""


# -- imports ----------------------------------------------------------------------------------------------------------


@handler("import_spec")
def _import(walk: Walk, node: Node) -> int:
    """One import: bound under its alias; without one, the package clause over there says the name."""
    builder = walk.builder
    alias: Node | None = None
    path: Node | None = None
    for child in node.named_children:
        if child.kind_id in STRINGS:
            path = child
        elif child.kind_id in (DOT, BLANK, PACKAGE_IDENTIFIER):
            alias = child
    content = path.named_children if path is not None else []
    if len(content) != 1:
        return -1
    specifier = builder.text(content[0])
    index = builder.imported(specifier, "")
    expression = builder.expression(Op.IMPORTED, index)
    last = content[0].end_byte - len(specifier.rpartition("/")[2].encode())
    builder.reference(_IMPORT, content[0], expression, walk.enclosing, start=last)
    if alias is None:
        builder.extra["plain_imports"].append(index)
    elif alias.kind_id == DOT:
        builder.extra["dot_imports"].append(index)
    elif alias.kind_id == PACKAGE_IDENTIFIER:
        builder.bind(0, builder.text(alias), BindingTag.IMPORT, index)
    return -1


# -- functions and methods --------------------------------------------------------------------------------------------


@handler("function_declaration")
def _function(walk: Walk, node: Node) -> int:
    children = parts(node)
    name_node = next((child for child in children if child.kind_id in IDENTIFIERS), None)
    name = walk.builder.text(name_node) if name_node is not None else ""
    if name_node is None or not name:
        return visit_children(walk, node)
    builder = walk.builder
    visibility, flags = exposure(name)
    if walk.in_test and _TEST.match(name):
        flags |= Flag.TEST
    index = builder.define(
        DefinitionKind.FUNCTION, name, 0, (node.start_byte, node.end_byte), (name_node.start_byte, name_node.end_byte),
        flags=flags, visibility=visibility,
    )  # fmt: skip
    if name not in ("_", "init"):
        builder.bind(0, name, BindingTag.DEFINITION, index)
    _body(walk, node, children, index, {}, [])
    return -1


@handler("method_declaration")
def _method(walk: Walk, node: Node) -> int:
    """A method: a member of its receiver's type, in whatever file of the package that is."""
    children = parts(node)
    name_node = next((child for child in children if child.kind_id == FIELD_IDENTIFIER), None)
    name = walk.builder.text(name_node) if name_node is not None else ""
    if name_node is None or not name or children[0].kind_id != PARAMETERS:
        return visit_children(walk, node)
    builder = walk.builder
    visibility, flags = exposure(name)
    index = builder.define(
        DefinitionKind.METHOD, name, 0, (node.start_byte, node.end_byte), (name_node.start_byte, name_node.end_byte),
        flags=flags, visibility=visibility,
    )  # fmt: skip
    frame: dict[str, Local] = {}
    enclosing, walk.enclosing = walk.enclosing, index
    owner, receiver = _receiver(walk, children[0], frame)
    walk.enclosing = enclosing
    draft = builder.definitions[index]
    if owner:
        draft.qualified_name = f"{owner}.{name}"
        draft.extra["receiver"] = owner
        if name != "_":
            builder.extra["methods"].setdefault(owner, {}).setdefault(name, []).append(index)
    _body(walk, node, children[1:], index, frame, receiver)
    return -1


def _receiver(walk: Walk, node: Node, frame: dict[str, Local]) -> tuple[str, list[Parameter]]:
    """Read a receiver: its type parameters go into the frame; gives the name of its type, and itself if it has one."""
    declaration = next((child for child in node.named_children if child.kind_id == PARAMETER), None)
    if declaration is None:
        return "", []
    builder = walk.builder
    children = parts(declaration)
    base = children[-1] if children else None
    while base is not None and base.kind_id in (POINTER_TYPE, PARENTHESIZED_TYPE):
        inner = parts(base)
        base = inner[0] if inner else None
    names: list[Node] = []
    if base is not None and base.kind_id == GENERIC_TYPE:
        inner = parts(base)
        base = inner[0] if inner else None
        names = [found for part in inner[1:] for found in _type_names(part)]
    if base is None or base.kind_id != TYPE_IDENTIFIER:
        return "", []
    type_ = use(walk, base, _TYPE)
    parameters: list[int] = []
    for position, name in enumerate(names):
        parameter = builder.expression(Op.SPECIAL, "receiver-parameter", type_, position)
        parameters.append(parameter)
        walk.bind(frame, builder.text(name), Local(parameter, name, DefinitionKind.TYPE_PARAMETER, True))
    if parameters and type_ >= 0:
        type_ = builder.expression(Op.GENERIC, type_, parameters)
    named = len(children) > 1 and children[0].kind_id in IDENTIFIERS
    return builder.text(base), [Parameter(children[0], type_, False)] if named else []


def _type_names(node: Node) -> list[Node]:
    """The identifiers of a receiver's type parameter list."""
    if node.kind_id == TYPE_IDENTIFIER:
        return [node]
    return [found for child in node.named_children for found in _type_names(child)]


def _body(
    walk: Walk, node: Node, children: list[Node], index: int, frame: dict[str, Local], receiver: list[Parameter]
) -> None:
    """Read type parameters, signature and body of the function that is definition `index`.

    The names of the receiver, parameters and results are in scope of the body, not of the signature.
    """
    builder = walk.builder
    draft = builder.definitions[index]
    outer = (walk.enclosing, walk.owner, walk.frames)
    walk.enclosing = walk.owner = index
    walk.frames = [frame]
    for child in children:
        if child.kind_id == TYPE_PARAMETERS:
            _type_parameters(walk, child, index)
    read = signature(walk, children)
    declare_parameters(walk, [*receiver, *read.named()])
    draft.type = result_value(walk, read)
    draft.parameters = parameter_facts(walk, read)
    draft.extra["results"] = len(read.results)
    end = node.end_byte
    for child in children:
        if child.kind_id == BLOCK:
            end = child.start_byte
            read_body(walk, child)
    for child in node.named_children:
        if child.is_error:
            visit_children(walk, child)
    walk.enclosing, walk.owner, walk.frames = outer
    describe(builder, index, node.start_byte, (node.start_byte, end))


def _type_parameters(walk: Walk, node: Node, index: int) -> None:
    """Declare type parameters in the innermost frame, then read their constraints, which may name them."""
    builder = walk.builder
    draft = builder.definitions[index]
    constraints: list[tuple[int, int, list[Node]]] = []
    for declaration in node.named_children:
        names = [child for child in declaration.named_children if child.kind_id in IDENTIFIERS]
        rest = [child for child in declaration.named_children if child.kind_id not in IDENTIFIERS]
        first = len(draft.type_parameters)
        for name in names:
            text = builder.text(name)
            position = len(draft.type_parameters)
            draft.type_parameters.append([text, -1])
            value = builder.expression(Op.TYPE_PARAMETER, index, position)
            walk.bind(walk.frames[-1], text, Local(value, name, DefinitionKind.TYPE_PARAMETER, True))
        constraints.append((first, len(names), rest))
    for first, count, rest in constraints:
        bound = -1
        for child in rest:
            bound = visit(walk, child)
        for position in range(first, first + count):
            draft.type_parameters[position][1] = bound


# -- types ------------------------------------------------------------------------------------------------------------


@handler("type_declaration")
def _types(walk: Walk, node: Node) -> int:
    specs = parts(node)
    for spec in specs:
        if spec.kind_id == TYPE_ALIAS or spec.type == "type_spec":
            _type(walk, spec, node.start_byte if is_single(walk, node, spec) else spec.start_byte)
        else:
            visit(walk, spec)
    return -1


def _type(walk: Walk, node: Node, start: int) -> None:
    children = parts(node)
    if len(children) < 2 or children[0].kind_id != TYPE_IDENTIFIER or children[-1].kind_id not in TYPES:
        visit_children(walk, node)
        return
    builder = walk.builder
    name_node, body = children[0], children[-1]
    name = builder.text(name_node)
    kind = DefinitionKind.TYPE
    if body.kind_id == STRUCT:
        kind = DefinitionKind.STRUCT
    elif body.kind_id == INTERFACE:
        kind = DefinitionKind.INTERFACE
    index = define_name(walk, kind, name_node, (node.start_byte, node.end_byte))
    draft = builder.definitions[index]
    if walk.in_body:
        draft.extra["local"] = True
    if walk.frames:
        local = Local(builder.expression(Op.DEFINITION, index), name_node, kind, is_type=True)
        local.definition = index
        walk.bind(walk.frames[-1], name, local)
    outer = (walk.enclosing, walk.owner)
    walk.enclosing = walk.owner = index
    generic = [child for child in children if child.kind_id == TYPE_PARAMETERS]
    if generic:
        walk.frames.append({})
        for child in generic:
            _type_parameters(walk, child, index)
    if kind is DefinitionKind.TYPE:
        draft.type = visit(walk, body)
        if node.kind_id == TYPE_ALIAS:
            draft.extra["alias"] = True
    else:
        draft.scope = builder.scope(0, ScopeKind.CLASS, index)
        (struct_members if kind is DefinitionKind.STRUCT else interface_members)(walk, body, index)
    if generic:
        walk.frames.pop()
    walk.enclosing, walk.owner = outer
    keyword = {DefinitionKind.STRUCT: "struct", DefinitionKind.INTERFACE: "interface"}.get(kind)
    end = node.end_byte if keyword is None else body.start_byte + len(keyword)
    describe(builder, index, start, (node.start_byte, end))
    draft.signature = f"type {draft.signature}"


def settle_methods(walk: Walk) -> None:
    """Make each method a child of its receiver's type, where this file declares that."""
    builder = walk.builder
    types = {
        draft.name: index
        for index, draft in enumerate(builder.definitions)
        if draft.parent == 0 and draft.kind in (DefinitionKind.STRUCT, DefinitionKind.INTERFACE, DefinitionKind.TYPE)
    }
    for draft in builder.definitions:
        owner = draft.extra.get("receiver")
        if owner in types and draft.kind == DefinitionKind.METHOD:
            draft.parent = types[owner]
