"""Expressions: the value that each one has, and the references that stand in it."""

from __future__ import annotations

from typing import Final, TypeAlias

from tree_sitter import Node

from graph.languages.typescript import assignments, classes
from graph.languages.typescript.annotations import imported, type_arguments
from graph.languages.typescript.functions import FUNCTIONS, read_function, read_object, read_owned
from graph.languages.typescript.reader import EXPRESSIONS, Reader, read, read_children, read_type
from graph.model import Op, ReferenceKind

_READ, _CALL = int(ReferenceKind.READ), int(ReferenceKind.CALL)
_ELEMENT_LIMIT: Final = 8
"""Most distinct element values of one array literal that are kept."""
_LATE = frozenset({*FUNCTIONS, "object", "parenthesized_expression"})
"""Arguments that are read after the others, because the others tell what is expected of them."""
_COMPARISONS = frozenset({"==", "===", "!=", "!==", "<", ">", "<=", ">=", "in", "instanceof"})
_ARITHMETIC = frozenset({"-", "*", "/", "%", "**", "<<", ">>", ">>>", "&", "|", "^"})


def _identifier(reader: Reader, node: Node, expected: int) -> int:
    return name_use(reader, node, _READ)


def name_use(reader: Reader, node: Node, kind: int, arguments: int = -1) -> int:
    """A bare name that is used."""
    builder = reader.builder
    name = builder.text(node)
    if name == "undefined":
        return reader.nothing
    if not name:
        return -1
    expression = builder.name(reader.scope, name)
    builder.reference(kind, node, expression, reader.definition, arguments=arguments, name=name)
    return expression


def _member(reader: Reader, node: Node, expected: int) -> int:
    return member_use(reader, node, _READ)


def member_use(reader: Reader, node: Node, kind: int, arguments: int = -1) -> int:
    """A member access that is used."""
    children = node.named_children
    if len(children) < 2:
        return read_children(reader, node)
    property_node = children[-1]
    if property_node.end_byte == property_node.start_byte or property_node.type not in (
        "property_identifier",
        "private_property_identifier",
    ):
        return read_children(reader, node)
    builder = reader.builder
    handler = EXPRESSIONS.get(children[0].type)
    receiver = -1 if handler is None else handler(reader, children[0], -1)
    name = builder.text(property_node)
    expression = builder.attribute(receiver, name)
    builder.reference(
        kind, property_node, expression, reader.definition, arguments=arguments, qualifier_start=node.start_byte,
        name=name,
    )  # fmt: skip
    return expression


def _subscript(reader: Reader, node: Node, expected: int) -> int:
    object_node, index_node = node.child_by_field_name("object"), node.child_by_field_name("index")
    if object_node is None or index_node is None:
        return read_children(reader, node)
    receiver = read(reader, object_node)
    if index_node.type == "string" and index_node.end_byte - index_node.start_byte > 2:
        name = reader.builder.slice(index_node.start_byte + 1, index_node.end_byte - 1)
        return reader.builder.attribute(receiver, name)
    if index_node.type == "number" and receiver >= 0:
        position = reader.builder.text(index_node)
        if position.isdecimal() and len(position) < 6:
            return reader.special("at", receiver, int(position))
    index = read(reader, index_node)
    return -1 if receiver < 0 else reader.builder.expression(Op.INDEX, receiver, index)


# -- calls ------------------------------------------------------------------------------------------------------------


def callee(reader: Reader, node: Node, kind: int, arguments: int) -> int:
    """The function of a call, the class of a construction."""
    node_kind = node.type
    if node_kind == "identifier":
        return name_use(reader, node, kind, arguments)
    if node_kind == "member_expression":
        return member_use(reader, node, kind, arguments)
    if node_kind == "super":
        expression = _super(reader, node, -1)
        reader.builder.reference(kind, node, expression, reader.definition, arguments=arguments)
        return expression
    if node_kind in ("non_null_expression", "parenthesized_expression"):
        inner = [child for child in node.named_children if child.type != "comment"]
        if len(inner) == 1:
            return callee(reader, inner[0], kind, arguments)
    elif node_kind == "instantiation_expression":
        inner = node.named_children
        if len(inner) == 2 and inner[1].type == "type_arguments":
            base = callee(reader, inner[0], kind, arguments)
            given = type_arguments(reader, inner[1])
            return reader.builder.expression(Op.GENERIC, base, given) if base >= 0 else -1
        return read_children(reader, node)
    return read(reader, node)


Parts: TypeAlias = list[tuple[str, Node]]
"""(node type, node) of each argument of a call."""


def parts_of(node: Node | None) -> tuple[Parts, int]:
    """The arguments of a call, and their number: -1 when a spread or a template makes it unknown."""
    if node is None:
        return [], 0
    if node.type != "arguments":
        return [(child.type, child) for child in node.named_children], -1
    parts: Parts = []
    spread = False
    for child in node.named_children:
        kind = child.type
        if kind != "comment":
            parts.append((kind, child))
            spread = spread or kind == "spread_element"
    return parts, -1 if spread else len(parts)


def read_arguments(reader: Reader, parts: Parts, function: int) -> list[int]:
    """The arguments of a call, in order; functions among them know what the function expects of them."""
    values: list[int] = []
    late: list[tuple[int, Node]] = []
    for kind, child in parts:
        if kind in _LATE:
            late.append((len(values), child))
            values.append(-1)
        else:
            handler = EXPRESSIONS.get(kind)
            values.append(-1 if handler is None else handler(reader, child, -1))
    if late:
        known = list(values)
        for position, child in late:
            expected = reader.fresh("argument", function, position, known) if function >= 0 else -1
            values[position] = read(reader, child, expected)
    return values


def _call(reader: Reader, node: Node, expected: int) -> int:
    function_node: Node | None = None
    arguments: Node | None = None
    generic: Node | None = None
    for child in node.named_children:
        kind = child.type
        if function_node is None:
            function_node = child
        elif kind == "arguments" or kind == "template_string":
            arguments = child
        elif kind == "type_arguments":
            generic = child
    if function_node is None:
        return -1
    if function_node.type == "import":
        return _dynamic_import(reader, arguments)
    if (
        (function_node.type == "identifier"
        and not reader.typed)
        or function_node.end_byte - function_node.start_byte == 7
    ):
        required = assignments.required(reader, function_node, arguments)
        if required >= 0:
            name_use(reader, function_node, _CALL, 1)
            return reader.builder.expression(Op.IMPORTED, required)
    parts, count = parts_of(arguments)
    function = callee(reader, function_node, _CALL, count)
    if generic is not None:
        given = type_arguments(reader, generic)
        if function >= 0:
            function = reader.builder.expression(Op.GENERIC, function, given)
    return reader.builder.call(function, read_arguments(reader, parts, function))


def _dynamic_import(reader: Reader, arguments: Node | None) -> int:
    specifier = assignments.string_argument(reader, arguments)
    if specifier is None:
        if arguments is not None:
            read_children(reader, arguments)
        return -1
    module = reader.builder.expression(Op.IMPORTED, imported(reader, specifier, "", "dynamic"))
    return reader.special("promise", module)


def _new(reader: Reader, node: Node, expected: int) -> int:
    return construct(reader, node, ReferenceKind.CONSTRUCT)


def construct(reader: Reader, node: Node, kind: int) -> int:
    """A `new` expression; its reference is of the given kind (a construction, or what is thrown)."""
    constructor: Node | None = None
    arguments: Node | None = None
    generic: Node | None = None
    for child in node.named_children:
        child_kind = child.type
        if constructor is None and child_kind != "comment":
            constructor = child
        elif child_kind == "arguments":
            arguments = child
        elif child_kind == "type_arguments":
            generic = child
    if constructor is None:
        return -1
    parts, count = parts_of(arguments)
    class_ = callee(reader, constructor, kind, count)
    if generic is not None:
        given = type_arguments(reader, generic)
        if class_ >= 0:
            class_ = reader.builder.expression(Op.GENERIC, class_, given)
    values = read_arguments(reader, parts, reader.special("constructor", class_) if class_ >= 0 else -1)
    return -1 if class_ < 0 else reader.fresh("new", class_, values)


# -- operators --------------------------------------------------------------------------------------------------------


def _binary(reader: Reader, node: Node, expected: int) -> int:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    operator = node.child_by_field_name("operator")
    if left is None or right is None or operator is None:
        return read_children(reader, node)
    word = operator.type
    logical = word in ("||", "&&", "??")
    first = read(reader, left, expected if logical else -1)
    second = read(reader, right, expected if logical else -1)
    if word == "||" or word == "??":
        return reader.merged([first, second])
    if word == "&&":
        return second
    if word in _COMPARISONS:
        return reader.builder.builtin("Boolean")
    if word in _ARITHMETIC:
        return reader.builder.builtin("Number")
    text = reader.builder.builtin("String")
    return text if word == "+" and text in (first, second) else -1


def _unary(reader: Reader, node: Node, expected: int) -> int:
    operator, argument = node.child_by_field_name("operator"), node.child_by_field_name("argument")
    if operator is None or argument is None:
        return read_children(reader, node)
    word = operator.type
    if word == "delete" and argument.type == "member_expression":
        member_use(reader, argument, ReferenceKind.DELETE)
        return -1
    read(reader, argument)
    if word == "void":
        return reader.nothing
    return reader.builder.builtin({"typeof": "String", "!": "Boolean", "delete": "Boolean"}.get(word, "Number"))


def _ternary(reader: Reader, node: Node, expected: int) -> int:
    parts = [child for child in node.named_children if child.type != "comment"]
    if len(parts) != 3:
        return read_children(reader, node)
    read(reader, parts[0])
    return reader.merged([read(reader, parts[1], expected), read(reader, parts[2], expected)])


def _sequence(reader: Reader, node: Node, expected: int) -> int:
    value = -1
    for child in node.named_children:
        if child.type != "comment":
            value = read(reader, child)
    return value


def _parenthesized(reader: Reader, node: Node, expected: int) -> int:
    value = -1
    for child in node.named_children:
        if child.type != "comment":
            value = read(reader, child, expected)
    if reader.documents is not None:
        # `/** @type {T} */ (value)`: JavaScript's cast.
        cast = reader.documents.cast(reader, node)
        if cast >= 0:
            return reader.builder.instance(cast)
    return value


def _await(reader: Reader, node: Node, expected: int) -> int:
    value = _sequence(reader, node, expected)
    return -1 if value < 0 else reader.builder.expression(Op.AWAIT, value)


def _yield(reader: Reader, node: Node, expected: int) -> int:
    read_children(reader, node)
    return -1


def _as(reader: Reader, node: Node, expected: int) -> int:
    children = [child for child in node.named_children if child.type != "comment"]
    if not children:
        return -1
    if len(children) == 1:
        return read(reader, children[0], expected)
    type_ = read_type(reader, children[1])
    value = reader.builder.instance(type_) if type_ != reader.nothing else -1
    read(reader, children[0], value)
    return value


def _satisfies(reader: Reader, node: Node, expected: int) -> int:
    children = [child for child in node.named_children if child.type != "comment"]
    if len(children) != 2:
        return read_children(reader, node)
    type_ = read_type(reader, children[1])
    return read(reader, children[0], reader.builder.instance(type_))


def _assertion(reader: Reader, node: Node, expected: int) -> int:
    children = [child for child in node.named_children if child.type != "comment"]
    if len(children) != 2:
        return read_children(reader, node)
    given = type_arguments(reader, children[0])
    type_ = given[0] if len(given) == 1 else -1
    value = reader.builder.instance(type_) if type_ != reader.nothing else -1
    read(reader, children[1], value)
    return value


def _instantiation(reader: Reader, node: Node, expected: int) -> int:
    return callee(reader, node, _READ, -1)


def _update(reader: Reader, node: Node, expected: int) -> int:
    argument = node.child_by_field_name("argument")
    if argument is not None:
        if argument.type == "identifier":
            name_use(reader, argument, ReferenceKind.WRITE)
        elif argument.type == "member_expression":
            member_use(reader, argument, ReferenceKind.WRITE)
        else:
            read(reader, argument)
    return reader.builder.builtin("Number")


# -- literals ---------------------------------------------------------------------------------------------------------


def _string(reader: Reader, node: Node, expected: int) -> int:
    return reader.builder.builtin("String")


def _template(reader: Reader, node: Node, expected: int) -> int:
    for child in node.named_children:
        if child.type == "template_substitution":
            read_children(reader, child)
    return reader.builder.builtin("String")


def _number(reader: Reader, node: Node, expected: int) -> int:
    return reader.builder.builtin("Number")


def _boolean(reader: Reader, node: Node, expected: int) -> int:
    return reader.builder.builtin("Boolean")


def _regex(reader: Reader, node: Node, expected: int) -> int:
    return reader.builder.builtin("RegExp")


def _nothing(reader: Reader, node: Node, expected: int) -> int:
    return reader.nothing


def _array(reader: Reader, node: Node, expected: int) -> int:
    parts: dict[int, None] = {}
    inner = reader.builder.expression(Op.ITERATE, expected) if expected >= 0 and node.named_child_count else -1
    for child in node.named_children:
        if child.type == "spread_element":
            spread = _sequence(reader, child, -1)
            value = -1 if spread < 0 else reader.builder.expression(Op.ITERATE, spread)
        elif child.type == "comment":
            continue
        else:
            value = read(reader, child, inner if child.type in _LATE else -1)
        if value != reader.nothing and len(parts) <= _ELEMENT_LIMIT:
            parts[value] = None
    known = list(parts) if len(parts) <= _ELEMENT_LIMIT else []
    return reader.fresh("array", known)


def _object(reader: Reader, node: Node, expected: int) -> int:
    return read_object(reader, node, expected, -1, "", owned=False)


def _function(reader: Reader, node: Node, expected: int) -> int:
    return read_function(reader, node, -1, expected=expected)


def _class(reader: Reader, node: Node, expected: int) -> int:
    return classes.read_anonymous(reader, node)


def _this(reader: Reader, node: Node, expected: int) -> int:
    return reader.frame.this


def _super(reader: Reader, node: Node, expected: int) -> int:
    frame = reader.frame
    if frame.owner < 0:
        return -1
    if frame.static:
        return reader.special("superclass", frame.owner)
    return reader.builder.expression(Op.SUPER, frame.owner)


def _decorator(reader: Reader, node: Node, expected: int) -> int:
    for child in node.named_children:
        if child.type == "call_expression":
            inner = child.named_children
            if inner:
                parts, count = parts_of(inner[-1]) if len(inner) > 1 else ([], 0)
                function = callee(reader, inner[0], ReferenceKind.DECORATE, count)
                return reader.builder.call(function, read_arguments(reader, parts, function))
        elif child.type != "comment":
            return callee(reader, child, ReferenceKind.DECORATE, -1)
    return -1


# -- JSX --------------------------------------------------------------------------------------------------------------


def _jsx_name(reader: Reader, node: Node | None, kind: int) -> int:
    """A component; names that begin in lower case are elements of the page, no references."""
    if node is None:
        return -1
    if node.type == "identifier":
        text = reader.builder.text(node)
        return -1 if text[:1].islower() or "-" in text else name_use(reader, node, kind)
    return member_use(reader, node, kind) if node.type == "member_expression" else -1


def _jsx_element(reader: Reader, node: Node, expected: int) -> int:
    for child in node.named_children:
        kind = child.type
        if kind == "jsx_opening_element":
            _jsx_opening(reader, child, -1)
        elif kind == "jsx_closing_element":
            _jsx_name(reader, child.child_by_field_name("name"), _READ)
        else:
            read(reader, child)
    return -1


def _jsx_opening(reader: Reader, node: Node, expected: int) -> int:
    component = _jsx_name(reader, node.child_by_field_name("name"), ReferenceKind.JSX)
    properties = reader.fresh("argument", component, 0, []) if component >= 0 else -1
    for child in node.named_children:
        kind = child.type
        if kind == "jsx_attribute":
            _jsx_attribute(reader, child, properties)
        elif kind == "jsx_expression":
            read_children(reader, child)
        elif kind == "type_arguments":
            type_arguments(reader, child)
    return -1


def _jsx_attribute(reader: Reader, node: Node, properties: int) -> None:
    children = node.named_children
    if len(children) < 2:
        return
    value = children[1]
    inner = -1
    if properties >= 0 and children[0].type == "property_identifier":
        inner = reader.builder.attribute(properties, reader.builder.text(children[0]))
    if value.type == "jsx_expression":
        for child in value.named_children:
            read(reader, child, inner)
    else:
        read(reader, value)


EXPRESSIONS.update(
    {
        "identifier": _identifier,
        "member_expression": _member,
        "subscript_expression": _subscript,
        "call_expression": _call,
        "new_expression": _new,
        "binary_expression": _binary,
        "unary_expression": _unary,
        "ternary_expression": _ternary,
        "sequence_expression": _sequence,
        "parenthesized_expression": _parenthesized,
        "await_expression": _await,
        "yield_expression": _yield,
        "as_expression": _as,
        "satisfies_expression": _satisfies,
        "type_assertion": _assertion,
        "instantiation_expression": _instantiation,
        "non_null_expression": _sequence,
        "spread_element": lambda reader, node, expected: _yield(reader, node, expected),
        "update_expression": _update,
        "assignment_expression": assignments.read_assignment,
        "augmented_assignment_expression": assignments.read_augmented,
        "string": _string,
        "template_string": _template,
        "template_substitution": read_children,
        "number": _number,
        "true": _boolean,
        "false": _boolean,
        "regex": _regex,
        "null": _nothing,
        "undefined": _nothing,
        "array": _array,
        "object": _object,
        "arrow_function": _function,
        "function_expression": _function,
        "generator_function": _function,
        "class": _class,
        "this": _this,
        "super": _super,
        "decorator": _decorator,
        "jsx_element": _jsx_element,
        "jsx_fragment": _jsx_element,
        "jsx_opening_element": _jsx_opening,
        "jsx_self_closing_element": _jsx_opening,
        "jsx_expression": read_children,
        "shorthand_property_identifier": _identifier,
    }
)
__all__ = ["construct", "name_use", "read_owned"]
