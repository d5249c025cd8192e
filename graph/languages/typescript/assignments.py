"""Assignments, the declarations that some of them are (CommonJS exports, members of `this`, of functions, of
prototypes), and `require`.
"""

from __future__ import annotations

from tree_sitter import Node

from graph.languages.typescript.annotations import imported, member_name, one_line, shape
from graph.languages.typescript.classes import read_class
from graph.languages.typescript.documents import document, summary
from graph.languages.typescript.functions import FUNCTIONS, read_function, read_object, read_owned
from graph.languages.typescript.patterns import assign, bind
from graph.languages.typescript.reader import EXPRESSIONS, Reader, read, read_children
from graph.model import BindingTag, DefinitionKind, Flag, Op, ReferenceKind, ScopeKind

_DEFINITION = int(BindingTag.DEFINITION)
_WRITE = ReferenceKind.WRITE
EXPORT_ASSIGNMENT = "export="
"""The name under which what a module *is* (`module.exports = X`, `export = X`) stands among its exports."""


def string_argument(reader: Reader, arguments: Node | None) -> str | None:
    """The text of a call's only argument when it is a string."""
    if arguments is None or arguments.type != "arguments":
        return None
    children = [child for child in arguments.named_children if child.type != "comment"]
    if not children or children[0].type not in ("string", "template_string"):
        return None
    if children[0].type == "template_string" and b"${" in (children[0].text or b""):
        return None
    return reader.builder.slice(children[0].start_byte + 1, children[0].end_byte - 1)


def required(reader: Reader, function: Node, arguments: Node | None) -> int:
    """The import that a call of `require` is, or -1."""
    if function.type != "identifier" or reader.builder.text(function) != "require":
        return -1
    if reader.builder.local_binding(reader.scope, "require") is not None:
        return -1
    specifier = string_argument(reader, arguments)
    return -1 if specifier is None else imported(reader, specifier, EXPORT_ASSIGNMENT, "require")


def required_by(reader: Reader, node: Node | None) -> str | None:
    """The specifier of a `require("...")` expression, or None."""
    if node is None or node.type != "call_expression":
        return None
    children = node.named_children
    if len(children) != 2 or required(reader, children[0], children[1]) < 0:
        return None
    return string_argument(reader, children[1])


# -- assignments ------------------------------------------------------------------------------------------------------


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
            return _module(reader, node, name_node, right)
        if is_exports(reader, object_node):
            return _exported(reader, node, name_node, name, right)
        declared = _declares_member(reader, object_node, name)
        if declared is not None:
            owner, static = declared
            return _expando(reader, node, object_node, name_node, name, right, owner, static)
    target = _write(reader, left)
    return read_owned(reader, right, target)


def is_exports(reader: Reader, node: Node) -> bool:
    """Whether an expression is `exports` or `module.exports`, the module's own."""
    builder = reader.builder
    length = node.end_byte - node.start_byte
    if node.type == "identifier":
        return length == 7 and builder.text(node) == "exports" and _free(reader, "exports")
    if node.type == "member_expression" and length == 14:
        return builder.text(node) == "module.exports" and _free(reader, "module")
    return False


def _free(reader: Reader, name: str) -> bool:
    return reader.builder.local_binding(reader.scope, name) is None


# -- CommonJS ---------------------------------------------------------------------------------------------------------


def _module(reader: Reader, node: Node, name_node: Node, right: Node) -> int:
    """`module.exports = right`."""
    builder = reader.builder
    builder.extra["commonjs"] = True
    while right.type == "parenthesized_expression" and right.named_child_count == 1:
        right = right.named_children[0]
    if right.type == "object":
        return _exported_object(reader, right)
    if right.type == "identifier":
        value = EXPRESSIONS["identifier"](reader, right, -1)
        builder.exports[EXPORT_ASSIGNMENT] = [int(BindingTag.VALUE), value]
        return value
    return _declare_export(reader, node, name_node, EXPORT_ASSIGNMENT, right)


def _exported(reader: Reader, node: Node, name_node: Node, name: str, right: Node) -> int:
    """`exports.name = right`, `module.exports.name = right`."""
    builder = reader.builder
    builder.extra["commonjs"] = True
    if right.type == "identifier":
        value = EXPRESSIONS["identifier"](reader, right, -1)
        if value != reader.nothing:
            builder.exports[name] = [int(BindingTag.VALUE), value]
            builder.extra.setdefault("properties", {})[name] = value
        return value
    if right.type == "unary_expression":
        value = read(reader, right)
        if value == reader.nothing:
            return value
    return _declare_export(reader, node, name_node, name, right)


def _declare_export(reader: Reader, node: Node, name_node: Node, name: str, right: Node) -> int:
    specifier = required_by(reader, right)
    builder = reader.builder
    if specifier is not None:
        value = read(reader, right)
        builder.exports[name] = [int(BindingTag.VALUE), value]
        return value
    index, value = declare(reader, node, name_node, right, 0, -1)
    expression = builder.expression(Op.DEFINITION, index)
    builder.exports[name] = [int(BindingTag.VALUE), expression]
    if name != EXPORT_ASSIGNMENT:
        builder.extra.setdefault("properties", {})[name] = expression
    return value


def declare(
    reader: Reader,
    node: Node,
    name_node: Node,
    right: Node,
    parent: int,
    scope: int,
    *,
    method: bool = False,
    this: tuple[int, int, bool] | None = None,
) -> tuple[int, int]:
    """A definition that an assignment makes: (definition, value). Bound in a scope when one is given.

    A function or class on the right side is the definition itself, under the name that it is assigned to.
    """
    builder = reader.builder
    extent = (node.start_byte, node.end_byte)
    name_extent = (name_node.start_byte, name_node.end_byte)
    name = builder.text(name_node)
    if right.type in FUNCTIONS:
        kind = DefinitionKind.METHOD if method else DefinitionKind.FUNCTION
        own = right.child_by_field_name("name")
        if own is not None and name == "exports":
            name, name_extent = builder.text(own), (own.start_byte, own.end_byte)
        index = builder.define(kind, name, parent, extent, name_extent)
        if scope >= 0:
            builder.bind(scope, name, BindingTag.DEFINITION, index)
        own_this = None if right.type == "arrow_function" else this
        read_function(reader, right, index, this=own_this, start=node.start_byte)
        return index, builder.expression(Op.DEFINITION, index)
    if right.type == "class":
        own = right.child_by_field_name("name")
        if own is not None and name == "exports":
            name, name_extent = builder.text(own), (own.start_byte, own.end_byte)
        index = builder.define(DefinitionKind.CLASS, name, parent, extent, name_extent)
        if scope >= 0:
            builder.bind(scope, name, BindingTag.DEFINITION, index)
        read_class(reader, right, index, node.start_byte)
        return index, builder.expression(Op.DEFINITION, index)
    kind = DefinitionKind.FIELD if scope >= 0 else DefinitionKind.VARIABLE
    index = builder.define(kind, name, parent, extent, name_extent)
    if scope >= 0:
        builder.bind(scope, name, BindingTag.DEFINITION, index)
    draft = builder.definitions[index]
    declared = -1
    documented = document(reader, node.start_byte)
    if documented is not None:
        declared = documented.type(reader)
        draft.type = builder.instance(declared) if declared != reader.nothing else -1
    value = read_owned(reader, right, draft.type, index)
    if value != reader.nothing:
        draft.values.append(value)
    draft.signature = one_line(builder.slice(node.start_byte, min(node.end_byte, node.start_byte + 200)))
    draft.doc, deprecated = summary(reader, node.start_byte)
    draft.flags |= Flag.DEPRECATED if deprecated else 0
    return index, value


def _exported_object(reader: Reader, node: Node) -> int:
    """`module.exports = { ... }`: each property is an export; names are followed to what they are here."""
    builder = reader.builder
    value_tag = int(BindingTag.VALUE)
    rest: list[Node] = []
    for child in node.named_children:
        kind = child.type
        if kind == "shorthand_property_identifier":
            name = builder.text(child)
            expression = builder.name(reader.scope, name)
            builder.reference(ReferenceKind.REEXPORT, child, expression, reader.definition)
            builder.exports[name] = [value_tag, expression]
        elif kind == "pair":
            key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
            if key is None or value is None or key.type == "computed_property_name":
                rest.append(child)
                continue
            found = member_name(reader, key)
            if found is None:
                continue
            if value.type in ("identifier", "member_expression") or required_by(reader, value) is not None:
                builder.exports[found[0]] = [value_tag, read(reader, value)]
            elif key.type == "property_identifier":
                index, _ = declare(reader, child, key, value, 0, -1)
                builder.exports[found[0]] = [value_tag, builder.expression(Op.DEFINITION, index)]
            else:
                read(reader, value)
        elif kind == "method_definition":
            rest.append(child)
        elif kind == "spread_element":
            for part in child.named_children:
                specifier = required_by(reader, part)
                value = read(reader, part)
                if specifier is not None:
                    builder.star_exports.append(imported(reader, specifier, "*", "require"))
                else:
                    builder.extra.setdefault("spread_exports", []).append(value)
    if rest:
        # Methods and accessors: read as members of the literal, and exported under their names.
        scope = builder.scope(reader.scope, ScopeKind.CLASS, reader.definition)
        before = len(builder.definitions)
        _members_only(reader, node, rest, scope)
        for name, bindings in builder.bindings[scope].items():
            index = bindings[-1][1]
            if index >= before:
                builder.exports[name] = [value_tag, builder.expression(Op.DEFINITION, index)]
    return -1


def _members_only(reader: Reader, node: Node, members: list[Node], scope: int) -> None:
    builder = reader.builder
    this = (reader.special("object", scope), -1, False)
    for child in members:
        if child.type != "method_definition":
            read_children(reader, child)
            continue
        found = member_name(reader, child.child_by_field_name("name"))
        if found is None:
            continue
        name, start, end = found
        words = builder.slice(child.start_byte, start)
        index = builder.define(DefinitionKind.METHOD, name, 0, (child.start_byte, child.end_byte), (start, end))
        builder.bind(scope, name, BindingTag.DEFINITION, index)
        if "get" in words.split():
            builder.definitions[index].flags |= Flag.PROPERTY
        read_function(reader, child, index, this=this, start=child.start_byte, prefix=words)
    if not members:
        shape(reader, scope)


# -- members ----------------------------------------------------------------------------------------------------------


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
    """(definition, static) when an assignment to a member of `node` declares that member; None when it only writes it."""
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
