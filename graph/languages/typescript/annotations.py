"""Types as they are written: each becomes a type expression, and each name in it a reference.

Words of this language's own operations: `type` (the type meaning of a name), `lib` (a type of the standard library),
`shape` (an anonymous object type, by its scope), `signature` (a function type), `intersection`, `typeof`, `lookup`
(an indexed access), `polymorphic` (the type `this`).
"""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from graph.languages.typescript.reader import TYPES, Reader, TypeReader, read, read_type
from graph.model import Op, ReferenceKind, ScopeKind

_PRIMITIVES = {"string": "String", "number": "Number", "boolean": "Boolean", "bigint": "BigInt", "symbol": "Symbol",
               "unique symbol": "Symbol"}  # fmt: skip
_NOTHING = frozenset({"void", "undefined", "null"})
_TYPE = ReferenceKind.TYPE


def type_name(reader: Reader, expression: int) -> int:
    """The type meaning of a name or member expression."""
    return reader.special("type", expression)


def lib_type(reader: Reader, name: str, arguments: list[int]) -> int:
    """A type of the standard library."""
    return reader.special("lib", name, arguments)


def annotation(reader: Reader, node: Node | None) -> int:
    """The type expression of a `type_annotation` and its kin; -1 without one."""
    if node is None:
        return -1
    kind = node.type
    if kind in ("asserts_annotation", "type_predicate_annotation"):
        for child in node.named_children:
            read_type(reader, child)
        return lib_type(reader, "Boolean", []) if kind == "type_predicate_annotation" else -1
    for child in node.named_children:
        if child.type in TYPES:
            return read_type(reader, child)
    return -1


def member_name(reader: Reader, node: Node | None) -> tuple[str, int, int] | None:
    """(name, start byte, end byte) of a property's name; the inside of a string, the whole of `[Symbol.iterator]`."""
    if node is None:
        return None
    kind = node.type
    if kind == "computed_property_name":
        children = node.named_children
        if len(children) == 1 and children[0].type == "string":
            return member_name(reader, children[0])
        for child in children:
            read(reader, child)
    elif kind == "string":
        start, end = node.start_byte + 1, node.end_byte - 1
        return (reader.builder.slice(start, end), start, end) if end > start else None
    return reader.builder.text(node), node.start_byte, node.end_byte


# -- the readers ------------------------------------------------------------------------------------------------------


def _identifier(reader: Reader, node: Node) -> int:
    builder = reader.builder
    text = builder.text(node)
    if text.startswith("import("):
        # A placeholder in a documentation comment: what that module is.
        return reader.special("type", _imported(reader, text, "export="))
    if text == "bigint":
        return lib_type(reader, "BigInt", [])
    if not text:
        return -1
    name = builder.name(reader.scope, text)
    builder.reference(_TYPE, node, name, reader.definition)
    return reader.special("type", name)


def _imported(reader: Reader, text: str, name: str) -> int:
    """What `import("specifier")` means as a type."""
    specifier = text[len("import(") :].rstrip(") \t").strip().strip("'\"`")
    return reader.builder.expression(Op.IMPORTED, imported(reader, specifier, name, "type"))


def imported(reader: Reader, specifier: str, name: str, form: str) -> int:
    """An import of this file, each (specifier, name, form) once."""
    key = (specifier, name, form)
    found = reader.imports.get(key)
    if found is None:
        found = reader.imports[key] = reader.builder.imported(specifier, name, form)
    return found


def _nested(reader: Reader, node: Node) -> int:
    module, name_node = node.child_by_field_name("module"), node.child_by_field_name("name")
    if module is None or name_node is None:
        return -1
    expression = reader.builder.attribute(qualifier(reader, module), reader.builder.text(name_node))
    reader.builder.reference(_TYPE, name_node, expression, reader.definition, qualifier_start=node.start_byte)
    return reader.special("type", expression)


def qualifier(reader: Reader, node: Node) -> int:
    """The namespace that stands before the dot of a qualified name."""
    builder = reader.builder
    if node.type == "identifier":
        text = builder.text(node)
        if text.startswith("import("):
            return _imported(reader, text, "")
        expression = builder.name(reader.scope, text)
        builder.reference(ReferenceKind.READ, node, expression, reader.definition)
        return expression
    if node.type != "nested_identifier":
        return read(reader, node)
    object_node, name_node = node.child_by_field_name("object"), node.child_by_field_name("property")
    if object_node is None or name_node is None:
        return -1
    expression = builder.attribute(qualifier(reader, object_node), builder.text(name_node))
    builder.reference(ReferenceKind.READ, name_node, expression, reader.definition, qualifier_start=node.start_byte)
    return expression


def _generic(reader: Reader, node: Node) -> int:
    base = -1
    arguments: list[int] = []
    for child in node.named_children:
        if child.type == "type_arguments":
            arguments = type_arguments(reader, child)
        elif child.type in TYPES:
            base = read_type(reader, child)
        elif child.type in ("member_expression", "identifier"):
            base = type_name(reader, read(reader, child))
    if not reader.typed and len(arguments) == 2 and reader.builder.text(node).startswith("Object"):
        # `Object<string, T>` in a documentation comment: an object whose every property is a T.
        return lib_type(reader, "Record", arguments)
    return reader.builder.expression(Op.GENERIC, base, arguments) if base >= 0 else -1


def type_arguments(reader: Reader, node: Node) -> list[int]:
    """The type expressions of `<A, B>`."""
    return [read_type(reader, child) for child in node.named_children if child.type != "comment"]


def _predefined(reader: Reader, node: Node) -> int:
    word = reader.builder.text(node)
    name = _PRIMITIVES.get(word)
    if name is not None:
        return lib_type(reader, name, [])
    return reader.nothing if word in _NOTHING else -1


def _literal(reader: Reader, node: Node) -> int:
    children = node.named_children
    kind = children[0].type if children else ""
    if kind in ("string", "template_string"):
        return lib_type(reader, "String", [])
    if kind in ("number", "unary_expression"):
        return lib_type(reader, "Number", [])
    if kind in ("true", "false"):
        return lib_type(reader, "Boolean", [])
    return reader.nothing if kind in _NOTHING else -1


def _array(reader: Reader, node: Node) -> int:
    parts = [read_type(reader, child) for child in node.named_children]
    return lib_type(reader, "Array", parts[:1])


def _flat(node: Node, kind: str) -> list[Node]:
    """The operands of `A | B | C`, which the grammar nests to the left."""
    operands: list[Node] = []
    while node.type == kind:
        children = [child for child in node.named_children if child.type != "comment"]
        if not children:
            break
        operands.extend(reversed(children[1:]))
        node = children[0]
    operands.append(node)
    operands.reverse()
    return operands


def _union(reader: Reader, node: Node) -> int:
    parts = [read_type(reader, child) for child in _flat(node, "union_type")]
    known = list(dict.fromkeys(part for part in parts if part != reader.nothing))
    return reader.builder.union(known) if known else reader.nothing


def _intersection(reader: Reader, node: Node) -> int:
    parts = [read_type(reader, child) for child in _flat(node, "intersection_type")]
    return reader.special("intersection", parts)


def _tuple(reader: Reader, node: Node) -> int:
    types: list[int] = []
    rest = False
    for child in node.named_children:
        if child.type in ("required_parameter", "optional_parameter"):
            type_ = annotation(reader, child.child_by_field_name("type"))
            pattern = child.child_by_field_name("pattern") or child.child_by_field_name("name")
            spread = pattern is not None and pattern.type == "rest_pattern"
        elif child.type == "comment":
            continue
        else:
            spread = child.type == "rest_type"
            type_ = read_type(reader, child)
        rest = rest or spread
        types.append(reader.special("element", type_) if spread and type_ >= 0 else type_)
    if rest:
        return lib_type(reader, "Array", [reader.builder.union(types)])
    return reader.builder.expression(Op.TUPLE, [reader.builder.instance(type_) for type_ in types])


def _query(reader: Reader, node: Node) -> int:
    children = node.named_children
    if not children:
        return -1
    return reader.special("typeof", _queried(reader, children[0], ReferenceKind.READ))


def _lookup(reader: Reader, node: Node) -> int:
    children = node.named_children
    if len(children) != 2:
        return _inside(reader, node)
    base = read_type(reader, children[0])
    key = children[1]
    if key.type == "literal_type" and key.named_children and key.named_children[0].type == "string":
        found = member_name(reader, key.named_children[0])
        return -1 if found is None else reader.special("lookup", base, found[0])
    read_type(reader, key)
    if key.type == "predefined_type" and reader.builder.text(key) == "number":
        return reader.special("element", base)
    return -1


def _first(reader: Reader, node: Node) -> int:
    result = -1
    for child in node.named_children:
        if child.type in TYPES:
            result = read_type(reader, child)
    return result


def _inside(reader: Reader, node: Node) -> int:
    for child in node.named_children:
        read_type(reader, child)
    return -1


def _conditional(reader: Reader, node: Node) -> int:
    outer = reader.scope
    reader.scope = reader.builder.scope(outer, ScopeKind.BLOCK, reader.definition)
    for child in node.named_children:
        read_type(reader, child)
    reader.scope = outer
    return -1


def _infer(reader: Reader, node: Node) -> int:
    for position, child in enumerate(node.named_children):
        if position == 0 and child.type == "type_identifier":
            name = reader.builder.text(child)
            reader.builder.bind_local(reader.scope, name, -1, child, reader.definition)
        else:
            read_type(reader, child)
    return -1


def _string_template(reader: Reader, node: Node) -> int:
    _inside(reader, node)
    return lib_type(reader, "String", [])


def _this(reader: Reader, node: Node) -> int:
    owner = reader.frame.owner
    return -1 if owner < 0 else reader.special("polymorphic", owner)


def _member(reader: Reader, node: Node) -> int:
    """`import("x").Y`, which the grammar reads as an expression."""
    return type_name(reader, _queried(reader, node, _TYPE))


def _queried(reader: Reader, node: Node, kind: ReferenceKind) -> int:
    """An expression in a type: as elsewhere, but `import("x")` is the module and no promise of it."""
    children = node.named_children
    builder = reader.builder
    if node.type == "call_expression" and children and children[0].type == "import":
        return _imported(reader, builder.text(node), "")
    if node.type == "identifier" and builder.text(node).startswith("import("):
        return _imported(reader, builder.text(node), "")
    if node.type == "member_expression" and len(children) == 2 and children[1].type == "property_identifier":
        expression = builder.attribute(_queried(reader, children[0], ReferenceKind.READ), builder.text(children[1]))
        builder.reference(kind, children[1], expression, reader.definition, qualifier_start=node.start_byte)
        return expression
    return read(reader, node)


def _predicate(reader: Reader, node: Node) -> int:
    for child in node.named_children[1:]:
        read_type(reader, child)
    return lib_type(reader, "Boolean", [])


def _keyof(reader: Reader, node: Node) -> int:
    _inside(reader, node)
    return lib_type(reader, "String", [])


READERS: Final[dict[str, TypeReader]] = {
    "type_identifier": _identifier,
    "identifier": _identifier,
    "nested_type_identifier": _nested,
    "generic_type": _generic,
    "predefined_type": _predefined,
    "literal_type": _literal,
    "array_type": _array,
    "readonly_type": _first,
    "parenthesized_type": _first,
    "optional_type": _first,
    "rest_type": _first,
    "union_type": _union,
    "intersection_type": _intersection,
    "tuple_type": _tuple,
    "type_query": _query,
    "lookup_type": _lookup,
    "conditional_type": _conditional,
    "infer_type": _infer,
    "template_literal_type": _string_template,
    "template_type": _inside,
    "index_type_query": _keyof,
    "this_type": _this,
    "type_predicate": _predicate,
    "asserts": _inside,
    "member_expression": _member,
    "call_expression": _member,
    "type_annotation": _first,
    "existential_type": _inside,
}
"""Node type -> reader."""
