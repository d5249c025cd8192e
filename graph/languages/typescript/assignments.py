"""Assignments, and the declarations that some of them are: members of `this`, of functions and of prototypes."""

from __future__ import annotations

from tree_sitter import Node

from graph.languages.typescript.commonjs import declare, exported, is_exports, module_exports
from graph.languages.typescript.functions import read_object, read_owned
from graph.languages.typescript.patterns import assign, bind
from graph.languages.typescript.reader import Reader, read, read_children
from graph.model import BindingTag, DefinitionKind, Flag, Op, ReferenceKind, ScopeKind

_DEFINITION = int(BindingTag.DEFINITION)
_WRITE = ReferenceKind.WRITE
EXPORT_ASSIGNMENT = "export="
"""The name under which what a module *is* (`module.exports = X`, `export = X`) stands among its exports."""


def read_assignment(reader: Reader, node: Node, expected: int) -> int:
    """`left = right`; the value is that of the right side."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return read_children(reader, node)
    kind = left.type
    if kind == "parenthesized_expression" and left.named_child_count == 1:
        left = left.named_children[0]
        kind = left.type
    if kind == "identifier":
        name = reader.builder.text(left)
        target = reader.builder.name(reader.scope, name)
        reader.builder.reference(_WRITE, left, target, reader.definition)
        value = read_owned(reader, right, target)
        if value != reader.nothing:
            reader.assignments.append((reader.scope, name, value))
        return value
    if kind == "member_expression":
        return _to_member(reader, node, left, right)
    if kind in ("object_pattern", "array_pattern"):
        value = read(reader, right)
        bind(reader, left, value, _assign)
        return value
    read(reader, left)
    return read(reader, right)


def _assign(reader: Reader, node: Node, name: str, value: int) -> None:
    assign(reader, node, name, value)


def read_augmented(reader: Reader, node: Node, expected: int) -> int:
    """`left += right` and its kin."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None:
        return read_children(reader, node)
    builder = reader.builder
    target = -1
    if left.type == "identifier":
        target = builder.name(reader.scope, builder.text(left))
        builder.reference(_WRITE, left, target, reader.definition)
    elif left.type == "member_expression":
        target = _write(reader, left)
    else:
        read(reader, left)
    value = read_owned(reader, right, target)
    if operator is not None and operator.type in ("??=", "||="):
        if left.type == "identifier" and value != reader.nothing:
            reader.assignments.append((reader.scope, builder.text(left), value))
        return reader.merged([target, value])
    return -1


def _write(reader: Reader, node: Node) -> int:
    children = node.named_children
    if len(children) < 2 or children[-1].type not in ("property_identifier", "private_property_identifier"):
        return read_children(reader, node)
    receiver = read(reader, children[0])
    expression = reader.builder.attribute(receiver, reader.builder.text(children[-1]))
    reader.builder.reference(_WRITE, children[-1], expression, reader.definition, qualifier_start=node.start_byte)
    return expression


def _to_member(reader: Reader, node: Node, left: Node, right: Node) -> int:
    children = left.named_children
    if len(children) < 2 or children[-1].type not in ("property_identifier", "private_property_identifier"):
        read_children(reader, left)
        return read(reader, right)
    object_node, name_node = children[0], children[-1]
    name = reader.builder.text(name_node)
    kind = object_node.type
    if kind == "this":
        return _this_member(reader, node, left, name_node, name, right)
    if kind == "identifier" or kind == "member_expression":
        if is_exports(reader, left):
            return module_exports(reader, node, name_node, right)
        if is_exports(reader, object_node):
            return exported(reader, node, name_node, name, right)
        declared = _declares_member(reader, object_node, name)
        if declared is not None:
            owner, static = declared
            return _expando(reader, node, object_node, name_node, name, right, owner, static)
    target = _write(reader, left)
    return read_owned(reader, right, target)


def member_scope(reader: Reader, index: int) -> int:
    """The scope of the members of a definition, opened for a function when it gets its first one."""
    builder = reader.builder
    draft = builder.definitions[index]
    if draft.kind == DefinitionKind.FUNCTION:
        found = draft.extra.get("members")
        if found is None:
            found = draft.extra["members"] = builder.scope(builder.module_scope, ScopeKind.CLASS, index)
        return found
    if draft.kind in (DefinitionKind.CLASS, DefinitionKind.NAMESPACE):
        return draft.scope
    for value in draft.values:
        expression = builder.expressions[value] if value >= 0 else []
        if expression[:2] == [Op.SPECIAL, "object"]:
            return expression[2]
    return -1


def _this_member(reader: Reader, node: Node, left: Node, name_node: Node, name: str, right: Node) -> int:
    """`this.name = right`: in JavaScript a declaration of the field, the first time."""
    builder = reader.builder
    frame = reader.frame
    scope = member_scope(reader, frame.owner) if frame.owner >= 0 else -1
    if scope < 0:
        target = _write(reader, left)
        return read_owned(reader, right, target)
    known = [payload for tag, payload in builder.bindings[scope].get(name, ()) if tag == _DEFINITION]
    known = [index for index in known if bool(builder.definitions[index].flags & Flag.STATIC) == frame.static]
    if not known and not reader.typed:
        index, value = declare(
            reader,
            node,
            name_node,
            right,
            frame.owner,
            scope,
            method=True,
            this=(frame.this, frame.owner, frame.static),
        )
        if frame.static:
            builder.definitions[index].flags |= Flag.STATIC
        return value
    target = _write(reader, left)
    value = read_owned(reader, right, target)
    for index in known:
        draft = builder.definitions[index]
        if draft.kind == DefinitionKind.FIELD and draft.type < 0 and value != reader.nothing:
            draft.values.append(value)
    return value


def _declares_member(reader: Reader, node: Node, name: str) -> tuple[int, bool] | None:
    """(definition, static) when an assignment to a member of `node` declares it; None when it only writes it."""
    builder = reader.builder
    static = True
    if node.type == "member_expression":
        children = node.named_children
        if len(children) != 2 or children[0].type != "identifier" or builder.text(children[1]) != "prototype":
            return None
        node, static = children[0], False
    found = builder.local_binding(reader.scope, builder.text(node))
    if found is None:
        return None
    scope, bindings = found
    if static and scope != reader.frame.function_scope and scope != reader.scope:
        return None
    for tag, payload in reversed(bindings):
        if tag != _DEFINITION:
            return None
        draft = builder.definitions[payload]
        if reader.typed and (draft.kind != DefinitionKind.FUNCTION or not static):
            return None
        if static and draft.kind not in (DefinitionKind.FUNCTION, DefinitionKind.CLASS) and draft.type >= 0:
            return None
        if member_scope(reader, payload) < 0:
            return None
        members = builder.bindings[member_scope(reader, payload)].get(name, ())
        if any(builder.definitions[index].flags & Flag.STATIC or not static for _, index in members):
            return None
        return payload, static
    return None


def _expando(
    reader: Reader, node: Node, object_node: Node, name_node: Node, name: str, right: Node, owner: int, static: bool
) -> int:
    builder = reader.builder
    read(reader, object_node)
    scope = member_scope(reader, owner)
    draft = builder.definitions[owner]
    is_type = draft.kind in (DefinitionKind.FUNCTION, DefinitionKind.CLASS)
    if static:
        this = (builder.expression(Op.DEFINITION, owner), owner, True) if is_type else (draft.values[0], -1, False)
    else:
        this = (builder.expression(Op.SELF, owner), owner, False)
    if name == "prototype" and right.type == "object":
        return read_object(reader, right, -1, owner, draft.qualified_name, owned=True, scope=scope)
    index, value = declare(reader, node, name_node, right, owner, scope, method=True, this=this)
    if static and is_type:
        builder.definitions[index].flags |= Flag.STATIC
    return value
