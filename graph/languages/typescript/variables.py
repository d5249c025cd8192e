"""Declarations of variables, destructuring and `require` among them."""

from __future__ import annotations

from tree_sitter import Node

from graph.languages.typescript.annotations import annotation, imported, member_name
from graph.languages.typescript.classes import read_class
from graph.languages.typescript.commonjs import required_by
from graph.languages.typescript.declarations import declared_start, publish
from graph.languages.typescript.documents import document, summary
from graph.languages.typescript.exchange import bind_import
from graph.languages.typescript.functions import FUNCTIONS, read_function, read_owned
from graph.languages.typescript.patterns import Declare, bind, local
from graph.languages.typescript.reader import NAMESPACE, Reader, read
from graph.languages.typescript.signatures import one_line
from graph.model import BindingTag, DefinitionKind, Flag, Op

_DEFINITION, _IMPORT = BindingTag.DEFINITION, BindingTag.IMPORT


def read_lexical(reader: Reader, node: Node) -> None:
    """`const` and `let`."""
    constant = reader.builder.slice(node.start_byte, node.start_byte + 5) == "const"
    kind = DefinitionKind.CONSTANT if constant else DefinitionKind.VARIABLE
    for child in node.named_children:
        if child.type == "variable_declarator":
            _declarator(reader, node, child, kind, reader.scope)


def read_variable(reader: Reader, node: Node) -> None:
    """`var`."""
    for child in node.named_children:
        if child.type == "variable_declarator":
            _declarator(reader, node, child, DefinitionKind.VARIABLE, reader.frame.function_scope)


def _declarator(reader: Reader, statement: Node, node: Node, kind: DefinitionKind, scope: int) -> None:
    builder = reader.builder
    name_node = value_node = type_node = None
    for child in node.named_children:
        child_kind = child.type
        if name_node is None:
            name_node = child
        elif child_kind == "type_annotation":
            type_node = child
        elif child_kind != "comment":
            value_node = child
    if name_node is None:
        return
    start = declared_start(reader, statement)
    specifier = required_by(reader, value_node)
    if specifier is not None and value_node is not None:
        _require(reader, name_node, specifier, scope)
        read(reader, value_node)
        return
    is_module = scope == builder.module_scope or (
        reader.frame.flavour == NAMESPACE and scope == reader.frame.function_scope
    )
    is_name = name_node.type == "identifier"
    type_ = annotation(reader, type_node)
    is_declared = type_node is not None
    if type_ < 0 and reader.documents is not None:
        documented = document(reader, start)
        if documented is not None:
            type_ = documented.type(reader)
            is_declared = is_declared or documented.declares_type
    declared = builder.instance(type_) if type_ != reader.nothing else -1
    if is_name and value_node is not None and (value_node.type in FUNCTIONS or value_node.type == "class"):
        is_class = value_node.type == "class"
        index = _define_variable(
            reader, statement, node, name_node, DefinitionKind.CLASS if is_class else DefinitionKind.FUNCTION, scope
        )
        if is_class:
            # A class expression brings no type of the variable's name.
            builder.definitions[index].extra["value"] = True
            read_class(reader, value_node, index, start)
        else:
            outer = reader.definition
            read_function(reader, value_node, index, expected=declared, start=start)
            reader.definition = outer
        return
    if is_name and is_module:
        index = _define_variable(reader, statement, node, name_node, kind, scope)
        draft = builder.definitions[index]
        draft.type = reader.opaque if is_declared and type_ < 0 else declared
        if value_node is not None:
            value = read_owned(reader, value_node, declared, index)
            if value != reader.nothing and draft.type != reader.opaque:
                draft.values.append(value)
        draft.signature = one_line(
            builder.slice(statement.start_byte, statement.start_byte + 6).split(" ")[0]
            + " "
            + builder.slice(node.start_byte, min(node.end_byte, node.start_byte + 200))
        )
        draft.doc, deprecated = summary(reader, start)
        draft.flags |= Flag.DEPRECATED if deprecated else 0
        return
    value = reader.nothing
    if value_node is not None:
        prefix = ""
        if is_name and reader.definition > 0:
            prefix = f"{builder.definitions[reader.definition].qualified_name}.{builder.text(name_node)}"
        value = read_owned(reader, value_node, declared, -1, prefix)
    held = declared if declared >= 0 else reader.opaque if is_declared and type_ < 0 else value
    if is_module:
        bind(reader, name_node, held, _module_names(statement, kind, scope))
    else:
        bind(reader, name_node, held, local(reader.definition, scope=scope))


def _define_variable(
    reader: Reader, statement: Node, node: Node, name_node: Node, kind: DefinitionKind, scope: int
) -> int:
    builder = reader.builder
    name = builder.text(name_node)
    index = builder.define(
        kind, name, reader.definition, (node.start_byte, node.end_byte), (name_node.start_byte, name_node.end_byte)
    )
    outer = reader.scope
    reader.scope = scope
    publish(reader, statement, name, index)
    reader.scope = outer
    return index


def _module_names(statement: Node, kind: DefinitionKind, scope: int) -> Declare:
    """Binds the names of a destructuring declaration of a module or namespace."""

    def declare(reader: Reader, node: Node, name: str, value: int) -> None:
        index = _define_variable(reader, statement, node, node, kind, scope)
        if value != reader.nothing:
            reader.builder.definitions[index].values.append(value)

    return declare


def _require(reader: Reader, name_node: Node, specifier: str, scope: int) -> None:
    """`const X = require("x")`, `const { a, b: c } = require("x")`."""
    builder = reader.builder
    outer = reader.scope
    reader.scope = scope
    if name_node.type == "identifier":
        bind_import(reader, name_node, name_node, specifier, "export=")
    elif name_node.type == "object_pattern":
        for child in name_node.named_children:
            kind = child.type
            if kind == "shorthand_property_identifier_pattern":
                bind_import(reader, child, child, specifier, builder.text(child))
            elif kind == "pair_pattern":
                key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
                if key is None or value is None:
                    continue
                found = member_name(reader, key)
                if found is not None and value.type == "identifier":
                    bind_import(reader, value, key, specifier, found[0])
                elif found is not None:
                    index = imported(reader, specifier, found[0], "import")
                    bind(reader, value, builder.expression(Op.IMPORTED, index), local(reader.definition, scope=scope))
            else:
                module = builder.expression(Op.IMPORTED, imported(reader, specifier, "export=", "require"))
                bind(reader, child, module, local(reader.definition, scope=scope))
    else:
        module = builder.expression(Op.IMPORTED, imported(reader, specifier, "export=", "require"))
        bind(reader, name_node, module, local(reader.definition, scope=scope))
    reader.scope = outer
