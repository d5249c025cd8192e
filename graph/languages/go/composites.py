"""Reading struct and interface types: their members, what they embed, and those that have no name."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from graph.languages.go.defining import exposure
from graph.languages.go.documentation import describe
from graph.languages.go.kinds import (
    COMMENT,
    FIELD_IDENTIFIER,
    FIELD_LIST,
    METHOD_ELEMENT,
    NOISE,
    QUALIFIED_TYPE,
    STRINGS,
    TYPE_ELEMENT,
    TYPE_IDENTIFIER,
)
from graph.languages.go.types import parameter_facts, result_value, signature, type_use
from graph.languages.go.walk import Walk, handler, instance, parts, visit, visit_children
from graph.model import BindingTag, DefinitionKind, Flag, Op, ReferenceKind, ScopeKind, Visibility

_BASE: Final = int(ReferenceKind.BASE)


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
    draft.extra = {"anonymous": True, "local": True} if walk.in_body else {"anonymous": True}
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
    type_ = type_use(walk, type_node, _BASE)
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


def interface_members(walk: Walk, node: Node, owner: int) -> None:
    """Define the methods of an interface type as members of definition `owner`; embedded types become its bases."""
    for child in node.named_children:
        number = child.kind_id
        if number == METHOD_ELEMENT:
            _method_element(walk, child, owner)
        elif number == TYPE_ELEMENT:
            inner = parts(child)
            if len(inner) == 1:
                base = type_use(walk, inner[0], _BASE)
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
