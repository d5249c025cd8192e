"""Declarations of functions, classes, types, enumerations and namespaces."""

from __future__ import annotations

from tree_sitter import Node

from graph.languages.typescript.annotations import member_name
from graph.languages.typescript.classes import heritage_type, read_class
from graph.languages.typescript.documents import summary
from graph.languages.typescript.functions import read_function
from graph.languages.typescript.reader import NAMESPACE, Frame, Reader, read, read_type
from graph.languages.typescript.signatures import method_signature, one_line, read_members, type_parameters
from graph.model import BindingTag, DefinitionKind, Flag, Op, ReferenceKind, ScopeKind, Visibility

_DEFINITION, _IMPORT = BindingTag.DEFINITION, BindingTag.IMPORT


def declared_start(reader: Reader, node: Node) -> int:
    """Where the statement of a declaration begins, `export` and decorators included: documentation stands before it."""
    exported = reader.exported.get(node.start_byte)
    return exported[1] if exported is not None else node.start_byte


def publish(reader: Reader, node: Node, name: str, index: int) -> None:
    """Bind a declaration in the current scope; and export it when it stands in an `export`."""
    builder = reader.builder
    draft = builder.definitions[index]
    exported = reader.exported.get(node.start_byte)
    if exported is not None and exported[0] == "default":
        builder.exports["default"] = [int(BindingTag.VALUE), builder.expression(Op.DEFINITION, index)]
        if name == "default":
            draft.flags |= Flag.EXPORTED
            return
    builder.bind(reader.scope, name, _DEFINITION, index)
    if exported is not None:
        draft.flags |= Flag.EXPORTED
        if exported[0] == "named" and reader.scope == builder.module_scope:
            builder.exports[name] = [int(BindingTag.VALUE), builder.name(reader.scope, name)]
    elif reader.scope == builder.module_scope and not reader.ambient:
        draft.visibility = Visibility.PACKAGE


def define(reader: Reader, node: Node, kind: DefinitionKind, name_node: Node) -> int:
    """Define and bind a declared name."""
    builder = reader.builder
    name = builder.text(name_node)
    parent = reader.definition
    index = builder.define(
        kind, name, parent, (node.start_byte, node.end_byte), (name_node.start_byte, name_node.end_byte)
    )
    publish(reader, node, name, index)
    return index


def describe(reader: Reader, node: Node, index: int, body: Node | None = None) -> None:
    """Signature and documentation of a definition."""
    builder = reader.builder
    draft = builder.definitions[index]
    end = min(body.start_byte if body is not None else node.end_byte, node.start_byte + 600)
    draft.signature = draft.signature or one_line(builder.slice(node.start_byte, end))
    draft.doc, deprecated = summary(reader, declared_start(reader, node))
    if deprecated:
        draft.flags |= Flag.DEPRECATED


def read_function_declaration(reader: Reader, node: Node) -> None:
    """A function declaration, or a signature that a later one implements."""
    name_node = node.child_by_field_name("name")
    if name_node is None:
        return
    index = define(reader, node, DefinitionKind.FUNCTION, name_node)
    if node.type == "function_signature":
        draft = reader.builder.definitions[index]
        draft.flags |= Flag.OVERLOAD
        outer = reader.definition
        reader.definition = index
        method_signature(reader, node, index)
        reader.definition = outer
        describe(reader, node, index)
        return
    prefix = reader.builder.slice(node.start_byte, name_node.start_byte)
    read_function(reader, node, index, start=declared_start(reader, node), prefix=prefix)


def read_class_declaration(reader: Reader, node: Node) -> None:
    """A class declaration."""
    name_node = node.child_by_field_name("name")
    if name_node is None:
        return
    index = define(reader, node, DefinitionKind.CLASS, name_node)
    if node.type == "abstract_class_declaration":
        reader.builder.definitions[index].flags |= Flag.ABSTRACT
    read_class(reader, node, index, declared_start(reader, node))


def read_interface_declaration(reader: Reader, node: Node) -> None:
    """An interface."""
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name_node is None:
        return
    builder = reader.builder
    index = define(reader, node, DefinitionKind.INTERFACE, name_node)
    draft = builder.definitions[index]
    outer_scope, outer_definition = reader.scope, reader.definition
    reader.scope = builder.scope(outer_scope, ScopeKind.BLOCK, index)
    reader.definition = index
    frame = reader.frame
    reader.frame = frame._replace(owner=index)
    type_parameters(reader, node.child_by_field_name("type_parameters"), index, reader.scope)
    for child in node.named_children:
        if child.type in ("extends_type_clause", "extends_clause"):
            draft.bases.extend(
                heritage_type(reader, part, ReferenceKind.BASE)
                for part in child.named_children
                if part.type != "comment"
            )
    draft.scope = builder.scope(reader.scope, ScopeKind.CLASS, index)
    if body is not None:
        read_members(reader, body, draft.scope, index, draft.qualified_name)
    reader.frame = frame
    reader.scope, reader.definition = outer_scope, outer_definition
    describe(reader, node, index, body)


def read_type_alias_declaration(reader: Reader, node: Node) -> None:
    """A type alias; one of an object type has its members."""
    name_node, value = node.child_by_field_name("name"), node.child_by_field_name("value")
    if name_node is None:
        return
    builder = reader.builder
    index = define(reader, node, DefinitionKind.TYPE, name_node)
    draft = builder.definitions[index]
    outer_scope, outer_definition = reader.scope, reader.definition
    reader.scope = builder.scope(outer_scope, ScopeKind.BLOCK, index)
    reader.definition = index
    type_parameters(reader, node.child_by_field_name("type_parameters"), index, reader.scope)
    if value is not None and value.type == "object_type":
        draft.scope = builder.scope(reader.scope, ScopeKind.CLASS, index)
        read_members(reader, value, draft.scope, index, draft.qualified_name)
    elif value is not None:
        type_ = read_type(reader, value)
        if type_ != reader.nothing:
            draft.type = builder.instance(type_)
    reader.scope, reader.definition = outer_scope, outer_definition
    describe(reader, node, index)


def read_enum_declaration(reader: Reader, node: Node) -> None:
    """An enumeration."""
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name_node is None:
        return
    builder = reader.builder
    index = define(reader, node, DefinitionKind.ENUM, name_node)
    draft = builder.definitions[index]
    draft.scope = builder.scope(reader.scope, ScopeKind.CLASS, index)
    value = builder.instance(builder.expression(Op.DEFINITION, index))
    inner = reader.scope
    outer_definition = reader.definition
    # Members are visible as bare names in the values of other members.
    reader.scope = builder.scope(inner, ScopeKind.BLOCK, index)
    for child in body.named_children if body is not None else ():
        name_part: Node | None = child
        value_part: Node | None = None
        if child.type == "enum_assignment":
            name_part, value_part = child.child_by_field_name("name"), child.child_by_field_name("value")
        elif child.type == "comment" or child.type == "ERROR":
            continue
        found = member_name(reader, name_part)
        if found is None:
            continue
        member = builder.define(
            DefinitionKind.ENUM_MEMBER, found[0], index, (child.start_byte, child.end_byte), (found[1], found[2])
        )
        builder.definitions[member].type = value
        builder.definitions[member].flags |= Flag.STATIC
        builder.bind(draft.scope, found[0], _DEFINITION, member)
        builder.bind(reader.scope, found[0], _DEFINITION, member)
        if value_part is not None:
            reader.definition = member
            read(reader, value_part)
            reader.definition = outer_definition
    reader.scope = inner
    describe(reader, node, index, body)


def read_namespace_declaration(reader: Reader, node: Node) -> None:
    """`namespace A.B { }`, `declare module "x" { }`."""
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name_node is None:
        return
    builder = reader.builder
    if name_node.type == "string":
        scope = builder.scope(builder.module_scope, ScopeKind.BLOCK, 0)
        builder.extra.setdefault("ambient_modules", {})[
            builder.slice(name_node.start_byte + 1, name_node.end_byte - 1)
        ] = scope
        if body is not None:
            reader.bodies[body.start_byte] = reader.frame._replace(
                end=body.end_byte, scope=scope, function_scope=scope, flavour=NAMESPACE
            )
        return
    parts = _identifiers(name_node)
    outer_scope, outer_definition = reader.scope, reader.definition
    scope = outer_scope
    for position, part in enumerate(parts):
        if position == 0:
            index = define(reader, node, DefinitionKind.NAMESPACE, part)
        else:
            name = builder.text(part)
            extent = (part.start_byte, part.end_byte)
            index = builder.define(
                DefinitionKind.NAMESPACE, name, reader.definition, (node.start_byte, node.end_byte), extent
            )
            builder.bind(scope, name, _DEFINITION, index)
            builder.definitions[index].flags |= Flag.EXPORTED
        scope = builder.scope(scope, ScopeKind.BLOCK, index)
        builder.definitions[index].scope = scope
        reader.definition = index
        describe(reader, node, index, body)
    definition = reader.definition
    reader.scope, reader.definition = outer_scope, outer_definition
    if body is not None:
        reader.bodies[body.start_byte] = Frame(
            body.end_byte, scope, scope, definition, -1, -1, False, None, -1, NAMESPACE
        )


def _identifiers(node: Node) -> list[Node]:
    found: list[Node] = []
    while node.type == "nested_identifier":
        children = node.named_children
        if len(children) != 2:
            break
        found.append(children[1])
        node = children[0]
    found.append(node)
    found.reverse()
    return found


def read_ambient_declaration(reader: Reader, node: Node) -> None:
    """`declare ...`; in `declare global { }` the declarations are everybody's."""
    for child in node.named_children:
        if child.type == "statement_block":
            builder = reader.builder
            scope = builder.scope(builder.module_scope, ScopeKind.BLOCK, 0)
            builder.extra["global_scope"] = scope
            reader.bodies[child.start_byte] = reader.frame._replace(
                end=child.end_byte, scope=scope, function_scope=scope, flavour=NAMESPACE
            )
        elif node.start_byte in reader.exported:
            reader.exported.setdefault(child.start_byte, reader.exported[node.start_byte])
