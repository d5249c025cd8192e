"""Signatures and object types: parameters, type parameters, members without bodies."""

from __future__ import annotations

from typing import Any, Final

from tree_sitter import Node

from graph.languages.typescript.annotations import annotation, member_name
from graph.languages.typescript.reader import TYPES, Reader, TypeReader, read, read_type
from graph.model import BindingTag, DefinitionKind, Flag, Op, ReferenceKind, ScopeKind

_PRIMITIVES = {"string": "String", "number": "Number", "boolean": "Boolean", "bigint": "BigInt", "symbol": "Symbol",
               "unique symbol": "Symbol"}  # fmt: skip
_NOTHING = frozenset({"void", "undefined", "null"})
_TYPE = ReferenceKind.TYPE


def type_parameters(reader: Reader, node: Node | None, definition: int, scope: int) -> None:
    """Read type parameters and bind them in a scope; those of a definition are recorded on it."""
    if node is None:
        return
    builder = reader.builder
    pending: list[tuple[list[Any], Node]] = []
    for child in node.named_children:
        if child.type != "type_parameter":
            continue
        name_node = child.child_by_field_name("name")
        if name_node is None:
            continue
        name = builder.text(name_node)
        if definition >= 0:
            parameters = builder.definitions[definition].type_parameters
            value = builder.expression(Op.TYPE_PARAMETER, definition, len(parameters))
            row: list[Any] = [name, -1]
            parameters.append(row)
        else:
            value, row = -1, [name, -1]
        builder.bind_local(scope, name, value, name_node, reader.definition)
        pending.append((row, child))
    for row, child in pending:
        for part in child.named_children:
            if part.type == "constraint":
                for bound in part.named_children:
                    row[1] = read_type(reader, bound)
            elif part.type == "default_type":
                for default in part.named_children:
                    read_type(reader, default)


def signature_parameters(reader: Reader, node: Node | None) -> list[list[Any]]:
    """The parameters of a signature without a body: [name, type, has default, kind] each; nothing is bound."""
    rows: list[list[Any]] = []
    if node is None:
        return rows
    for child in node.named_children:
        if child.type not in ("required_parameter", "optional_parameter"):
            continue
        pattern = child.child_by_field_name("pattern") or child.child_by_field_name("name")
        kind = 0
        name = ""
        if pattern is not None:
            if pattern.type == "this":
                annotation(reader, child.child_by_field_name("type"))
                continue
            if pattern.type == "rest_pattern":
                kind = 1
                name = reader.builder.text(pattern)[3:].strip()
            elif pattern.type == "identifier":
                name = reader.builder.text(pattern)
        type_ = annotation(reader, child.child_by_field_name("type"))
        rows.append([name, type_, int(child.type == "optional_parameter"), kind])
    return rows


def read_members(reader: Reader, body: Node, scope: int, parent: int, prefix: str) -> None:
    """The members of an interface or object type, bound in its scope; call and index signatures go to its shape."""
    builder = reader.builder
    for node in body.named_children:
        kind = node.type
        if kind in ("property_signature", "method_signature", "abstract_method_signature"):
            found = member_name(reader, node.child_by_field_name("name"))
            if found is None:
                continue
            name, start, end = found
            is_property = kind == "property_signature"
            index = builder.define(
                DefinitionKind.FIELD if is_property else DefinitionKind.METHOD,
                name, parent, (node.start_byte, node.end_byte), (start, end),
                qualified_name=f"{prefix}.{name}" if prefix else name,
            )  # fmt: skip
            builder.bind(scope, name, BindingTag.DEFINITION, index)
            if is_property:
                type_ = annotation(reader, node.child_by_field_name("type"))
                builder.definitions[index].type = builder.instance(type_)
                builder.definitions[index].signature = one_line(builder.slice(node.start_byte, node.end_byte))
            else:
                words = builder.slice(node.start_byte, start).split()
                method_signature(reader, node, index)
                if "get" in words or "set" in words:
                    builder.definitions[index].flags |= Flag.PROPERTY
                    if "set" in words:
                        builder.definitions[index].extra["set"] = True
                else:
                    builder.definitions[index].flags |= Flag.OVERLOAD
        elif kind == "call_signature":
            signature = read_signature(reader, node)
            shape(reader, scope).setdefault("call", []).append(signature)
        elif kind == "construct_signature":
            signature = read_signature(reader, node)
            shape(reader, scope).setdefault("construct", []).append(signature)
        elif kind == "index_signature":
            read_index_signature(reader, node, scope)
        elif kind == "ERROR":
            read(reader, node)


def read_index_signature(reader: Reader, node: Node, scope: int) -> None:
    """`[key: string]: T`, or a mapped type."""
    mapped: Node | None = None
    for child in node.named_children:
        if child.type == "mapped_type_clause":
            mapped = child
    inner = reader.scope
    if mapped is not None:
        # `[K in Keys]` binds K in the value's type.
        reader.scope = reader.builder.scope(inner, ScopeKind.BLOCK, reader.definition)
        name_node = mapped.child_by_field_name("name")
        if name_node is not None:
            reader.builder.bind_local(reader.scope, reader.builder.text(name_node), -1, name_node, reader.definition)
        keys = mapped.child_by_field_name("type")
        if keys is not None:
            if keys.type == "index_type_query" and keys.named_children:
                over = read_type(reader, keys.named_children[0])
                shape(reader, scope).setdefault("mapped", []).append(over)
            else:
                read_type(reader, keys)
        alias = mapped.child_by_field_name("alias")
        if alias is not None:
            read_type(reader, alias)
    else:
        keys = node.child_by_field_name("index_type")
        if keys is not None:
            read_type(reader, keys)
            if reader.builder.text(keys) == "number":
                shape(reader, scope)["numeric"] = True
    value = -1
    type_node = node.child_by_field_name("type")
    if type_node is not None:
        for child in type_node.named_children:
            if child.type in TYPES:
                value = read_type(reader, child)
    reader.scope = inner
    shape(reader, scope)["index"] = value


def shape(reader: Reader, scope: int) -> dict[str, Any]:
    """What is known of the members of a scope apart from their names: call, construct and index signatures, spreads."""
    shapes: dict[str, dict[str, Any]] = reader.builder.extra.setdefault("shapes", {})
    return shapes.setdefault(str(scope), {})


def method_signature(reader: Reader, node: Node, index: int) -> None:
    """Read the type parameters, parameters and result of a declaration without a body into its definition."""
    builder = reader.builder
    outer = reader.scope
    generic = node.child_by_field_name("type_parameters")
    if generic is not None:
        reader.scope = builder.scope(outer, ScopeKind.FUNCTION, index)
        type_parameters(reader, generic, index, reader.scope)
    draft = builder.definitions[index]
    draft.parameters = signature_parameters(reader, node.child_by_field_name("parameters"))
    draft.type = builder.instance(annotation(reader, node.child_by_field_name("return_type")))
    draft.signature = one_line(builder.slice(node.start_byte, node.end_byte))
    reader.scope = outer


def read_signature(reader: Reader, node: Node) -> int:
    """A function type, constructor type, call or construct signature."""
    builder = reader.builder
    outer = reader.scope
    generic = node.child_by_field_name("type_parameters")
    if generic is not None:
        reader.scope = builder.scope(outer, ScopeKind.FUNCTION, reader.definition)
        type_parameters(reader, generic, -1, reader.scope)
    rows = signature_parameters(reader, node.child_by_field_name("parameters"))
    result_node = node.child_by_field_name("return_type") or node.child_by_field_name("type")
    result = -1
    if result_node is not None:
        if result_node.type in TYPES:
            result = read_type(reader, result_node)
        else:
            result = annotation(reader, result_node)
    reader.scope = outer
    return reader.special("signature", result, [row[1] for row in rows])


def one_line(text: str) -> str:
    """A signature on one line, cut to 200 characters."""
    line = " ".join(text[:600].split()).rstrip("{;,").rstrip()
    return line if len(line) <= 200 else line[:199] + "…"


def _object(reader: Reader, node: Node) -> int:
    builder = reader.builder
    scope = builder.scope(reader.scope, ScopeKind.CLASS, reader.definition)
    outer = builder.definitions[reader.definition].qualified_name if reader.definition > 0 else ""
    read_members(reader, node, scope, reader.definition, outer)
    return reader.special("shape", scope)


READERS: Final[dict[str, TypeReader]] = {
    "object_type": _object,
    "function_type": read_signature,
    "constructor_type": read_signature,
}
"""Node type -> reader."""
