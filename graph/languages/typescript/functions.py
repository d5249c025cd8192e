"""Functions of every form: their parameters, what they return, and the frame of their body."""

from __future__ import annotations

from typing import Any, Final

from tree_sitter import Node

from graph.languages.typescript.annotations import annotation, member_name
from graph.languages.typescript.documents import document, summary
from graph.languages.typescript.parameters import read_parameter, read_parameters
from graph.languages.typescript.reader import ASYNCHRONOUS, GENERATOR, PLAIN, Frame, Reader, read, read_type
from graph.languages.typescript.signatures import one_line, shape, type_parameters
from graph.model import BindingTag, DefinitionKind, Flag, Op, ReferenceKind, ScopeKind

FUNCTIONS = frozenset({"arrow_function", "function_expression", "generator_function"})
_SAME_OBJECT: Final = frozenset({"Object.freeze", "Object.seal", "Object.preventExtensions"})
"""Functions that give back the object that they are given (ECMA-262, "Properties of the Object Constructor")."""
_PREFIX_LIMIT = 300
"""Longest qualified name whose object literal still has members that are definitions, in code points."""
PARAMETERS = frozenset({"required_parameter", "optional_parameter"})


def flavour_of(words: str) -> tuple[int, int]:
    """(flavour, flags) from the text before a function's name or parameters."""
    flags = 0
    flavour = PLAIN
    if "async" in words:
        flags |= Flag.ASYNC
        flavour = ASYNCHRONOUS
    if "*" in words:
        flags |= Flag.GENERATOR
        flavour = GENERATOR
    return flavour, flags


def function_prefix(reader: Reader, node: Node) -> str:
    """The text of a function before its parameters or its name: where `async` and `*` stand."""
    end = min(node.end_byte, node.start_byte + 40)
    text = reader.builder.slice(node.start_byte, end)
    cut = text.find("(")
    return text[: cut if cut >= 0 else 6] if not text.startswith("(") else ""


def read_function(
    reader: Reader,
    node: Node,
    definition: int,
    *,
    expected: int = -1,
    this: tuple[int, int, bool] | None = None,
    start: int = -1,
    prefix: str | None = None,
) -> int:
    """Read a function; its block body is left to the statements, with the frame that belongs to it.

    `definition` is the index of its definition, -1 for a function without one, which gives a `lambda` expression.
    `expected` is what the context expects of it. `this` is (expression, owner, static) where it differs from the
    surrounding one. `start` is where its declaration begins: documentation stands before it.
    """
    builder = reader.builder
    outer = reader.frame
    arrow = node.type == "arrow_function"
    flavour, flags = flavour_of(prefix if prefix is not None else function_prefix(reader, node))
    scope = builder.scope(reader.scope, ScopeKind.FUNCTION, definition if definition >= 0 else reader.definition)
    documented = document(reader, start if start >= 0 else node.start_byte) if not reader.typed else None
    fields: dict[str, Node] = {}
    name_node: Node | None = None
    for child in node.named_children:
        kind = child.type
        if kind == "formal_parameters":
            fields["parameters"] = child
        elif kind == "statement_block":
            fields["body"] = child
        elif kind == "type_parameters":
            fields["generic"] = child
        elif kind in ("type_annotation", "asserts_annotation", "type_predicate_annotation"):
            fields["result"] = child
        elif kind == "identifier" and not arrow and "parameters" not in fields:
            name_node = child
    row: list[Any] | None = None
    if definition >= 0:
        draft = builder.definitions[definition]
        draft.flags |= flags
        results = draft.values
        parameters: list[list[Any]] = draft.parameters
        enclosing = definition
        value = -1
    else:
        row = [-1, [], [], flavour]
        reader.lambdas.append(row)
        value = reader.fresh("lambda", len(reader.lambdas) - 1)
        results = row[1]
        parameters = []
        enclosing = reader.definition
    this_, owner, static = this if this is not None else (outer.this, outer.owner, outer.static)
    if this is None and not arrow:
        this_, owner, static = _own_this(reader, definition)
    frame = Frame(node.end_byte, scope, scope, enclosing, this_, owner, static, results, -1, flavour)
    reader.enter(frame)
    if node.type in ("function_expression", "generator_function") and name_node is not None:
        _bind_own_name(reader, name_node, scope, definition, value)
    if "generic" in fields:
        type_parameters(reader, fields["generic"], definition, scope)
    elif documented is not None:
        documented.templates(reader, definition, scope)
    if arrow and "parameters" not in fields:
        single = node.child_by_field_name("parameter")
        if single is not None:
            read_parameter(reader, single, 0, parameters, expected, enclosing, documented)
    elif "parameters" in fields:
        frame = read_parameters(reader, fields["parameters"], parameters, expected, enclosing, documented, frame)
    declared = annotation(reader, fields.get("result"))
    if declared < 0 and documented is not None:
        declared = documented.returns(reader)
    result = builder.instance(declared) if declared != reader.nothing else reader.nothing
    if result < 0 and declared < 0 and expected >= 0:
        expected_type = builder.expressions[expected]
        if expected_type[0] == Op.INSTANCE:
            result = builder.call(expected, [])
    given_back = result if declared >= 0 and result != reader.nothing else -1
    if given_back >= 0 and flavour == ASYNCHRONOUS:
        given_back = builder.expression(Op.AWAIT, given_back)
    if definition >= 0:
        builder.definitions[definition].type = result
        _describe(reader, node, definition, fields.get("body"), start)
    elif row is not None:
        row[0] = result
        row[2] = [parameter[1] for parameter in parameters]
    body = fields.get("body")
    if body is None:
        body = node.child_by_field_name("body")
        if body is not None and body.type != "statement_block":
            given = read_owned(reader, body, given_back)
            if flavour == PLAIN:
                results.append(given)
            elif flavour == ASYNCHRONOUS:
                results.append(reader.special("promise", given))
    else:
        reader.bodies[body.start_byte] = frame._replace(
            end=body.end_byte,
            results=None if flavour == GENERATOR else results,
            expected=-1 if flavour == GENERATOR else given_back,
        )
    reader.enter(outer)
    return value


def _own_this(reader: Reader, definition: int) -> tuple[int, int, bool]:
    """The `this` of a function that is no method: in JavaScript, what it constructs when it is called with `new`."""
    if reader.typed or definition < 0 or reader.builder.definitions[definition].kind != DefinitionKind.FUNCTION:
        return -1, -1, False
    return reader.builder.expression(Op.SELF, definition), definition, False


def _bind_own_name(reader: Reader, node: Node, scope: int, definition: int, value: int) -> None:
    name = reader.builder.text(node)
    if definition >= 0:
        reader.builder.bind(scope, name, BindingTag.DEFINITION, definition)
    else:
        reader.builder.bind_local(scope, name, value, node, reader.definition)


def _describe(reader: Reader, node: Node, definition: int, body: Node | None, start: int) -> None:
    draft = reader.builder.definitions[definition]
    head = draft.start if start < 0 else min(start, draft.start)
    end = body.start_byte if body is not None else node.end_byte
    draft.signature = draft.signature or one_line(reader.builder.slice(draft.start, min(end, draft.start + 600)))
    draft.doc, deprecated = summary(reader, head)
    if deprecated:
        draft.flags |= Flag.DEPRECATED


# -- object literals --------------------------------------------------------------------------------------------------


def read_owned(reader: Reader, node: Node, expected: int, owner: int = -1, prefix: str = "") -> int:
    """Read an expression that a name or a caller gets hold of: an object literal in it has members then."""
    kind = node.type
    if kind == "object":
        return read_object(reader, node, expected, owner, prefix, owned=True)
    if kind == "parenthesized_expression":
        inner = [child for child in node.named_children if child.type != "comment"]
        if len(inner) == 1 and inner[0].type in ("object", "parenthesized_expression"):
            return read_owned(reader, inner[0], expected, owner, prefix)
    elif kind == "as_expression" and len(node.named_children) == 1:  # `as const`
        return read_owned(reader, node.named_children[0], expected, owner, prefix)
    elif kind == "satisfies_expression" and len(node.named_children) == 2:
        inner = node.named_children
        if inner[0].type == "object":
            type_ = read_type(reader, inner[1])
            return read_object(reader, inner[0], reader.builder.instance(type_), owner, prefix, owned=True)
    elif kind == "call_expression":
        frozen = _frozen(reader, node)
        if frozen is not None:
            reader.owned[frozen.start_byte] = (expected, owner, prefix)
    return read(reader, node, expected)


def _frozen(reader: Reader, node: Node) -> Node | None:
    """The object literal that a call like `Object.freeze({})` gives back."""
    children = node.named_children
    if len(children) != 2 or children[0].type != "member_expression":
        return None
    if reader.builder.text(children[0]) not in _SAME_OBJECT:
        return None
    inner = [child for child in children[1].named_children if child.type != "comment"]
    return inner[0] if len(inner) == 1 and inner[0].type == "object" else None


def read_object(
    reader: Reader, node: Node, expected: int, owner: int, prefix: str, *, owned: bool, scope: int = -1
) -> int:
    """An object literal as a value of an anonymous type.

    `owner` is the definition that its members have as parent (-1: the enclosing one), `prefix` what stands before their
    qualified names. Plain values are definitions when it is `owned`; functions always are: references stand in them.
    `scope`: a scope that takes the members, in place of a new one.
    """
    builder = reader.builder
    if scope < 0:
        scope = builder.scope(reader.scope, ScopeKind.CLASS, reader.definition)
    value = reader.fresh("object", scope)
    parent = owner if owner >= 0 else reader.definition
    if not prefix and parent > 0:
        prefix = builder.definitions[parent].qualified_name
    # Names of members far down are not kept: they would grow with the depth.
    owned = owned and len(prefix) < _PREFIX_LIMIT
    this = (value, -1, False)
    for child in node.named_children:
        kind = child.type
        if kind == "pair":
            _pair(reader, child, expected, scope, parent, prefix, this, owned)
        elif kind == "method_definition":
            name = _name(reader, child)
            if name is None:
                continue
            index = _define(reader, child, DefinitionKind.METHOD, name, parent, prefix, scope)
            words = builder.slice(child.start_byte, name[1])
            _accessor(reader, index, words)
            inner = builder.attribute(expected, name[0]) if expected >= 0 else -1
            read_function(reader, child, index, expected=inner, this=this, start=child.start_byte, prefix=words)
        elif kind == "shorthand_property_identifier":
            text = builder.text(child)
            expression = builder.name(reader.scope, text)
            builder.reference(ReferenceKind.READ, child, expression, reader.definition)
            if owned:
                extent = (child.start_byte, child.end_byte)
                index = builder.define(
                    DefinitionKind.FIELD, text, parent, extent, extent,
                    qualified_name=f"{prefix}.{text}" if prefix else text,
                )  # fmt: skip
                builder.bind(scope, text, BindingTag.DEFINITION, index)
                builder.definitions[index].values.append(expression)
        elif kind == "spread_element":
            for part in child.named_children:
                spread = read(reader, part)
                shape(reader, scope).setdefault("spread", []).append(spread)
        elif kind == "ERROR":
            read(reader, child)
    return value


def _is_declared(reader: Reader, expected: int) -> bool:
    """Whether what is expected of an object is a type that is written down: its keys are uses of members then."""
    expressions = reader.builder.expressions
    while expected >= 0 and expressions[expected][0] == Op.ATTRIBUTE:
        expected = expressions[expected][1]
    return expected >= 0 and expressions[expected][0] in (Op.INSTANCE, Op.AWAIT)


def _name(reader: Reader, node: Node) -> tuple[str, int, int] | None:
    return member_name(reader, node.child_by_field_name("name"))


def _define(
    reader: Reader, node: Node, kind: DefinitionKind, name: tuple[str, int, int], parent: int, prefix: str, scope: int
) -> int:
    builder = reader.builder
    index = builder.define(
        kind, name[0], parent, (node.start_byte, node.end_byte), (name[1], name[2]),
        qualified_name=f"{prefix}.{name[0]}" if prefix else name[0],
    )  # fmt: skip
    builder.bind(scope, name[0], BindingTag.DEFINITION, index)
    return index


def _accessor(reader: Reader, index: int, words: str) -> None:
    parts = words.replace("*", " ").split()
    if "get" in parts:
        reader.builder.definitions[index].flags |= Flag.PROPERTY
    elif "set" in parts:
        reader.builder.definitions[index].flags |= Flag.PROPERTY
        reader.builder.definitions[index].extra["set"] = True


def _pair(
    reader: Reader,
    node: Node,
    expected: int,
    scope: int,
    parent: int,
    prefix: str,
    this: tuple[int, int, bool],
    owned: bool,
) -> None:
    builder = reader.builder
    key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
    name = member_name(reader, key)
    if value is None:
        return
    inner = builder.attribute(expected, name[0]) if expected >= 0 and name is not None else -1
    if name is None or key is None:
        read(reader, value, inner)
        return
    if value.type in FUNCTIONS:
        index = _define(reader, node, DefinitionKind.METHOD, name, parent, prefix, scope)
        own = None if value.type == "arrow_function" else this
        read_function(reader, value, index, expected=inner, this=own, start=node.start_byte)
        return
    if not owned:
        read(reader, value, inner)
        return
    if _is_declared(reader, expected) and key.type == "property_identifier":
        builder.reference(ReferenceKind.WRITE, key, inner, reader.definition)
        read(reader, value, inner)
        return
    index = _define(reader, node, DefinitionKind.FIELD, name, parent, prefix, scope)
    held = read_owned(reader, value, inner, index, builder.definitions[index].qualified_name)
    if held != reader.nothing:
        builder.definitions[index].values.append(held)
