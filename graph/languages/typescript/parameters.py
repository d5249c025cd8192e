"""Parameters of functions: their types, defaults and what they hold."""

from __future__ import annotations

from typing import Any

from tree_sitter import Node

from graph.languages.typescript.annotations import annotation
from graph.languages.typescript.patterns import Declare, bind, local
from graph.languages.typescript.reader import EXPRESSIONS, Frame, Reader, read
from graph.model import BindingTag, DefinitionKind, Visibility

FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})
_PREFIX_LIMIT = 300
"""Longest qualified name whose object literal still has members that are definitions, in code points."""
PARAMETERS = frozenset({"required_parameter", "optional_parameter"})


def read_parameters(
    reader: Reader, node: Node, rows: list[list[Any]], expected: int, enclosing: int, documented: Any, frame: Frame
) -> Frame:
    """Read and bind the parameters of a function; the frame, which a parameter `this` changes.

    `rows` takes them as `DefinitionFact.parameters` holds them. `documented` is the documentation with types, or None.
    """
    position = 0
    for child in node.named_children:
        if child.type == "comment":
            continue
        pattern = child.child_by_field_name("pattern") if child.type in PARAMETERS else None
        if pattern is not None and pattern.type == "this":
            # `this: T` is no parameter: it declares what `this` is.
            type_ = annotation(reader, child.child_by_field_name("type"))
            frame = frame._replace(this=reader.builder.instance(type_), owner=-1)
            reader.enter(frame)
            continue
        read_parameter(reader, child, position, rows, expected, enclosing, documented)
        position += 1
    return frame


def read_parameter(
    reader: Reader, node: Node, position: int, rows: list[list[Any]], expected: int, enclosing: int, documented: Any
) -> None:
    """Read and bind one parameter."""
    builder = reader.builder
    pattern: Node | None = node
    type_ = -1
    default: Node | None = None
    optional = rest = is_opaque = False
    words = ""
    if node.type in PARAMETERS:
        for child in node.named_children:
            if child.type == "decorator":
                EXPRESSIONS["decorator"](reader, child, -1)
        pattern = node.child_by_field_name("pattern")
        type_node = node.child_by_field_name("type")
        type_ = annotation(reader, type_node)
        is_opaque = type_node is not None and type_ < 0
        default = node.child_by_field_name("value")
        optional = node.type == "optional_parameter"
        if pattern is not None and pattern.start_byte > node.start_byte:
            words = builder.slice(node.start_byte, pattern.start_byte)
    if pattern is None:
        return
    if pattern.type == "assignment_pattern":
        default = pattern.child_by_field_name("right")
        pattern = pattern.child_by_field_name("left")
        if pattern is None:
            return
    if pattern.type == "rest_pattern":
        rest = True
        inner = pattern.named_children
        pattern = inner[0] if inner else pattern
    name = builder.text(pattern) if pattern.type == "identifier" else ""
    if type_ < 0 and not is_opaque and documented is not None:
        type_, variadic = documented.parameter(reader, name, position)
        if rest and variadic:
            type_ = reader.special("lib", "Array", [type_])
    value = builder.instance(type_) if type_ != reader.nothing else -1
    if is_opaque:
        value = reader.opaque
    elif type_ < 0 and expected >= 0 and not rest:
        value = reader.special("parameter", expected, position)
    if default is not None:
        given = read(reader, default, value)
        if value < 0 and given != reader.nothing:
            value = given
    rows.append([name, type_, int(optional or default is not None), int(rest)])
    declare = local(enclosing, parameter=True)
    if words and any(word in words.split() for word in ("public", "private", "protected", "readonly", "override")):
        declare = _property(words, type_, enclosing)
    bind(reader, pattern, value, declare)


def _property(words: str, type_: int, enclosing: int) -> Declare:
    """A parameter property: a parameter and a field of the class at once."""

    def declare(reader: Reader, node: Node, name: str, value: int) -> None:
        builder = reader.builder
        owner = reader.frame.owner
        builder.bind_local(reader.scope, name, value, node, enclosing, parameter=True)
        if owner < 0:
            return
        index = builder.define(
            DefinitionKind.FIELD, name, owner, (node.start_byte, node.end_byte), (node.start_byte, node.end_byte),
            visibility=visibility_of(words.split(), name),
        )  # fmt: skip
        draft = builder.definitions[index]
        if type_ >= 0:
            draft.type = value
        elif value >= 0:
            draft.values.append(value)
        builder.bind(builder.definitions[owner].scope, name, BindingTag.DEFINITION, index)

    return declare


def visibility_of(words: list[str], name: str) -> Visibility:
    """The visibility that modifiers and name give a member."""
    if "private" in words or name.startswith("#"):
        return Visibility.PRIVATE
    return Visibility.PROTECTED if "protected" in words else Visibility.PUBLIC
