"""Statements: what each anchor of `structure.scm` and `declarations.scm` means."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from graph.languages.typescript import declarations, exchange, variables
from graph.languages.typescript.annotations import annotation
from graph.languages.typescript.call_expressions import construct
from graph.languages.typescript.functions import read_owned
from graph.languages.typescript.patterns import bind, local
from graph.languages.typescript.reader import (
    ASYNCHRONOUS,
    GENERATOR,
    Reader,
    StatementReader,
    read,
    read_children,
    read_error,
)
from graph.model import BindingTag, Op, ReferenceKind

_DEFINITION, _IMPORT = BindingTag.DEFINITION, BindingTag.IMPORT


def _expression(reader: Reader, node: Node) -> None:
    for child in node.named_children:
        read(reader, child)


def _return(reader: Reader, node: Node) -> None:
    frame = reader.frame
    for child in node.named_children:
        if child.type == "comment":
            continue
        value = read_owned(reader, child, frame.expected)
        if frame.results is not None and frame.flavour != GENERATOR and value != reader.nothing:
            if frame.flavour == ASYNCHRONOUS:
                value = reader.special("promise", value)
            if value not in frame.results:
                frame.results.append(value)


def _throw(reader: Reader, node: Node) -> None:
    for child in node.named_children:
        if child.type == "new_expression":
            construct(reader, child, ReferenceKind.RAISE)
        else:
            read(reader, child)


def _plain(reader: Reader, node: Node) -> None:
    read_children(reader, node)


def _for(reader: Reader, node: Node) -> None:
    reader.push_block(node.end_byte)
    read_children(reader, node)


def _for_in(reader: Reader, node: Node) -> None:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    builder = reader.builder
    value = read(reader, right) if right is not None else -1
    reader.push_block(node.end_byte)
    if left is None or right is None:
        return
    head = builder.slice(node.start_byte, left.start_byte)
    if " of " in f" {builder.slice(left.end_byte, right.start_byte)} ".replace("\n", " "):
        element = -1 if value < 0 else builder.expression(Op.ITERATE, value)
        if "await" in head and element >= 0:
            element = builder.expression(Op.AWAIT, element)
    else:
        element = builder.builtin("String")
    words = head.replace("(", " ").split()
    if "const" in words or "let" in words or "using" in words:
        bind(reader, left, element, local(reader.definition))
    elif "var" in words:
        bind(reader, left, element, local(reader.definition, scope=reader.frame.function_scope))
    elif left.type == "identifier":
        name = builder.text(left)
        target = builder.name(reader.scope, name)
        builder.reference(ReferenceKind.WRITE, left, target, reader.definition)
        reader.assignments.append((reader.scope, name, element))
    else:
        read(reader, left)


def _catch(reader: Reader, node: Node) -> None:
    reader.push_block(node.end_byte)
    parameter = node.child_by_field_name("parameter")
    if parameter is not None:
        bind(reader, parameter, annotation_value(reader, node), local(reader.definition))


def annotation_value(reader: Reader, node: Node) -> int:
    """A value of the type that a node's `type` field declares."""
    type_ = annotation(reader, node.child_by_field_name("type"))
    return reader.builder.instance(type_) if type_ != reader.nothing else -1


def _block(reader: Reader, node: Node) -> None:
    frame = reader.bodies.pop(node.start_byte, None)
    if frame is not None:
        reader.push(frame)
    else:
        reader.push_block(node.end_byte)


def _error(reader: Reader, node: Node) -> None:
    if node.id not in reader.seen_errors:
        read_error(reader, node)


STATEMENTS: Final[dict[str, StatementReader]] = {
    "import": exchange.read_import,
    "import_alias": exchange.read_import_alias,
    "export": exchange.read_export,
    "function": declarations.read_function_declaration,
    "class": declarations.read_class_declaration,
    "interface": declarations.read_interface_declaration,
    "type": declarations.read_type_alias_declaration,
    "enum": declarations.read_enum_declaration,
    "namespace": declarations.read_namespace_declaration,
    "ambient": declarations.read_ambient_declaration,
    "lexical": variables.read_lexical,
    "variable": variables.read_variable,
    "expression": _expression,
    "return": _return,
    "throw": _throw,
    "plain": _plain,
    "for": _for,
    "for_in": _for_in,
    "catch": _catch,
    "block": _block,
    "error": _error,
}
