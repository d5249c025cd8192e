"""CommonJS: `require`, `module.exports` and `exports` (Node.js manual, "CommonJS modules")."""

from __future__ import annotations

from tree_sitter import Node

from graph.languages.typescript.annotations import imported, member_name
from graph.languages.typescript.classes import read_class
from graph.languages.typescript.documents import document, summary
from graph.languages.typescript.functions import FUNCTIONS, read_function, read_owned
from graph.languages.typescript.reader import EXPRESSIONS, Reader, read, read_children
from graph.languages.typescript.signatures import one_line, shape
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


def required_import(reader: Reader, function: Node, arguments: Node | None) -> int:
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
    if len(children) != 2 or required_import(reader, children[0], children[1]) < 0:
        return None
    return string_argument(reader, children[1])


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


def module_exports(reader: Reader, node: Node, name_node: Node, right: Node) -> int:
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


def exported(reader: Reader, node: Node, name_node: Node, name: str, right: Node) -> int:
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
                spread = read(reader, part)
                if specifier is not None:
                    builder.star_exports.append(imported(reader, specifier, "*", "require"))
                else:
                    builder.extra.setdefault("spread_exports", []).append(spread)
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
