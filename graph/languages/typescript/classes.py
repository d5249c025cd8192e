"""Classes: heritage, fields and methods. Method bodies are left to the statements, with their frames."""

from __future__ import annotations

from tree_sitter import Node

from graph.languages.typescript.annotations import annotation, member_name, qualifier, type_arguments
from graph.languages.typescript.documents import document, summary
from graph.languages.typescript.functions import FUNCTIONS, read_function, read_owned
from graph.languages.typescript.parameters import visibility_of
from graph.languages.typescript.reader import EXPRESSIONS, PLAIN, Frame, Reader, read, read_type
from graph.languages.typescript.signatures import method_signature, one_line, read_index_signature, type_parameters
from graph.model import BindingTag, DefinitionKind, Flag, Op, ReferenceKind, ScopeKind


def read_anonymous(reader: Reader, node: Node) -> int:
    """A class expression that is not bound to a name: it becomes a definition where it is named, a value otherwise."""
    builder = reader.builder
    name_node = node.child_by_field_name("name")
    if name_node is None:
        # `class` itself stands for the name that is missing.
        extent = (node.start_byte, min(node.start_byte + 5, node.end_byte))
        if builder.slice(*extent) != "class":
            return -1
        name = "class"
    else:
        extent = (name_node.start_byte, name_node.end_byte)
        name = builder.text(name_node)
    index = builder.define(DefinitionKind.CLASS, name, reader.definition, (node.start_byte, node.end_byte), extent)
    read_class(reader, node, index, node.start_byte)
    return builder.expression(Op.DEFINITION, index)


def read_class(reader: Reader, node: Node, index: int, start: int) -> None:
    """Read a class into its definition. `start` is where its declaration begins."""
    builder = reader.builder
    draft = builder.definitions[index]
    outer_scope, outer_definition = reader.scope, reader.definition
    generic = heritage = body = None
    for child in node.named_children:
        kind = child.type
        if kind == "class_body":
            body = child
        elif kind == "class_heritage":
            heritage = child
        elif kind == "type_parameters":
            generic = child
        elif kind == "decorator":
            draft.decorators.append(EXPRESSIONS["decorator"](reader, child, -1))
    # The class's own name and its type parameters are visible inside it.
    lexical = builder.scope(outer_scope, ScopeKind.BLOCK, index)
    reader.scope = lexical
    reader.definition = index
    type_parameters(reader, generic, index, lexical)
    if node.type == "class":
        name_node = node.child_by_field_name("name")
        if name_node is not None:
            builder.bind(lexical, builder.text(name_node), BindingTag.DEFINITION, index)
    if not reader.typed and generic is None:
        documented = document(reader, start)
        if documented is not None:
            documented.templates(reader, index, lexical)
    scope = builder.scope(lexical, ScopeKind.CLASS, index)
    draft.scope = scope
    self_ = builder.expression(Op.SELF, index)
    outer_frame = reader.frame
    frame = Frame(node.end_byte, scope, scope, index, self_, index, False, None, -1, PLAIN)
    if heritage is not None:
        _heritage(reader, heritage, index)
    reader.enter(frame)
    if body is not None:
        _body(reader, body, index, scope, frame)
    reader.enter(outer_frame)
    reader.scope, reader.definition = outer_scope, outer_definition
    if not draft.signature:
        end = body.start_byte if body is not None else node.end_byte
        draft.signature = one_line(builder.slice(node.start_byte, min(end, node.start_byte + 600)))
        draft.doc, deprecated = summary(reader, min(start, node.start_byte))
        draft.flags |= Flag.DEPRECATED if deprecated else 0


def _heritage(reader: Reader, node: Node, index: int) -> None:
    builder = reader.builder
    draft = builder.definitions[index]
    for child in node.named_children:
        kind = child.type
        if kind == "extends_clause":
            base = -1
            for part in child.named_children:
                if part.type == "type_arguments":
                    given = type_arguments(reader, part)
                    base = builder.expression(Op.GENERIC, base, given) if base >= 0 else -1
                elif part.type != "comment":
                    base = base_class(reader, part)
            draft.bases.append(base)
        elif kind == "implements_clause":
            implemented = [
                heritage_type(reader, part, ReferenceKind.IMPLEMENT)
                for part in child.named_children
                if part.type != "comment"
            ]
            draft.extra["implements"] = implemented
        elif kind != "comment":
            draft.bases.append(base_class(reader, child))


def base_class(reader: Reader, node: Node) -> int:
    """The expression of a base class, with its reference."""
    builder = reader.builder
    if node.type == "identifier":
        expression = builder.name(reader.scope, builder.text(node))
        builder.reference(ReferenceKind.BASE, node, expression, reader.definition)
        return expression
    if node.type == "member_expression":
        children = node.named_children
        if len(children) >= 2 and children[-1].type == "property_identifier":
            receiver = read(reader, children[0])
            expression = builder.attribute(receiver, builder.text(children[-1]))
            builder.reference(
                ReferenceKind.BASE, children[-1], expression, reader.definition, qualifier_start=node.start_byte
            )
            return expression
    return read(reader, node)


def heritage_type(reader: Reader, node: Node, kind: ReferenceKind) -> int:
    """An interface that is extended or implemented: a type whose reference is of the given kind."""
    builder = reader.builder
    if node.type == "type_identifier" or node.type == "identifier":
        name = builder.name(reader.scope, builder.text(node))
        builder.reference(kind, node, name, reader.definition)
        return reader.special("type", name)
    if node.type == "generic_type":
        base = -1
        given: list[int] = []
        for child in node.named_children:
            if child.type == "type_arguments":
                given = type_arguments(reader, child)
            elif child.type != "comment":
                base = heritage_type(reader, child, kind)
        return builder.expression(Op.GENERIC, base, given) if base >= 0 else -1
    if node.type == "nested_type_identifier":
        module, name_node = node.child_by_field_name("module"), node.child_by_field_name("name")
        if module is not None and name_node is not None:
            expression = builder.attribute(qualifier(reader, module), builder.text(name_node))
            builder.reference(kind, name_node, expression, reader.definition, qualifier_start=node.start_byte)
            return reader.special("type", expression)
    return read_type(reader, node)


def _body(reader: Reader, body: Node, index: int, scope: int, frame: Frame) -> None:
    builder = reader.builder
    decorators: list[int] = []
    first = -1
    static_frame = frame._replace(this=builder.expression(Op.DEFINITION, index), static=True)
    for node in body.named_children:
        kind = node.type
        if kind == "decorator":
            first = node.start_byte if first < 0 else first
            decorators.append(EXPRESSIONS["decorator"](reader, node, -1))
            continue
        if kind == "method_definition" or kind in ("method_signature", "abstract_method_signature"):
            _method(reader, node, index, scope, frame, static_frame, decorators, first)
        elif kind in ("public_field_definition", "field_definition"):
            _field(reader, node, index, scope, frame, static_frame)
        elif kind == "class_static_block":
            block = node.child_by_field_name("body")
            if block is not None:
                inner = builder.scope(scope, ScopeKind.FUNCTION, index)
                reader.bodies[block.start_byte] = static_frame._replace(
                    end=block.end_byte, scope=inner, function_scope=inner
                )
        elif kind == "index_signature":
            read_index_signature(reader, node, scope)
        if kind != "comment":
            decorators = []
            first = -1


def _member(reader: Reader, node: Node, kind: DefinitionKind, owner: int, scope: int) -> tuple[int, list[str]] | None:
    """Define and bind a member: (definition, words before its name)."""
    builder = reader.builder
    name_node = node.child_by_field_name("name") or node.child_by_field_name("property")
    found = member_name(reader, name_node)
    if found is None or name_node is None:
        return None
    name, start, end = found
    head = node.start_byte
    for child in node.named_children:
        if child.type != "decorator":
            break
        head = child.end_byte
    words = builder.slice(head, name_node.start_byte).replace("*", " * ").split()
    if name == "constructor" and kind == DefinitionKind.METHOD and "static" not in words:
        kind = DefinitionKind.CONSTRUCTOR
    index = builder.define(
        kind, name, owner, (node.start_byte, node.end_byte), (start, end), visibility=visibility_of(words, name)
    )
    draft = builder.definitions[index]
    if "static" in words:
        draft.flags |= Flag.STATIC
    if "abstract" in words:
        draft.flags |= Flag.ABSTRACT
    if "override" in words:
        draft.extra["override"] = True
    if kind != DefinitionKind.FIELD and ("get" in words or "set" in words):
        draft.flags |= Flag.PROPERTY
        if "set" in words:
            draft.extra["set"] = True
    builder.bind(scope, name, BindingTag.DEFINITION, index)
    return index, words


def _method(
    reader: Reader,
    node: Node,
    owner: int,
    scope: int,
    frame: Frame,
    static_frame: Frame,
    decorators: list[int],
    first: int,
) -> None:
    found = _member(reader, node, DefinitionKind.METHOD, owner, scope)
    if found is None:
        return
    index, words = found
    draft = reader.builder.definitions[index]
    draft.decorators = decorators
    if node.type != "method_definition":
        outer = reader.definition
        reader.definition = index
        method_signature(reader, node, index)
        reader.definition = outer
        if node.type == "method_signature" and not draft.flags & Flag.PROPERTY:
            draft.flags |= Flag.OVERLOAD
        draft.doc, deprecated = summary(reader, node.start_byte)
        draft.flags |= Flag.DEPRECATED if deprecated else 0
        return
    this = static_frame if "static" in words else frame
    prefix = " ".join(word for word in words if word in ("async", "*"))
    start = first if first >= 0 else node.start_byte
    read_function(reader, node, index, this=(this.this, owner, this.static), start=start, prefix=prefix)


def _field(reader: Reader, node: Node, owner: int, scope: int, frame: Frame, static_frame: Frame) -> None:
    builder = reader.builder
    decorators = [
        EXPRESSIONS["decorator"](reader, child, -1) for child in node.named_children if child.type == "decorator"
    ]
    value_node = node.child_by_field_name("value")
    is_function = value_node is not None and value_node.type in FUNCTIONS
    found = _member(reader, node, DefinitionKind.METHOD if is_function else DefinitionKind.FIELD, owner, scope)
    if found is None:
        return
    index, words = found
    draft = builder.definitions[index]
    draft.decorators = decorators
    type_node = node.child_by_field_name("type")
    type_ = annotation(reader, type_node)
    is_declared = type_node is not None
    if type_ < 0 and reader.documents is not None:
        documented = document(reader, node.start_byte)
        if documented is not None:
            type_ = documented.type(reader)
            is_declared = is_declared or documented.declares_type
    declared = builder.instance(type_) if type_ != reader.nothing else -1
    static = "static" in words
    reader.enter(static_frame if static else frame)
    if value_node is not None and is_function:
        this = static_frame if static else frame
        read_function(
            reader, value_node, index, expected=declared, this=(this.this, owner, static), start=node.start_byte
        )
    elif value_node is not None:
        value = read_owned(reader, value_node, declared, index)
        draft.type = reader.opaque if is_declared and type_ < 0 else declared
        if value >= 0 and value != reader.nothing and draft.type != reader.opaque:
            draft.values.append(value)
    else:
        draft.type = reader.opaque if is_declared and type_ < 0 else declared
    reader.enter(frame)
    if not is_function:
        draft.signature = one_line(builder.slice(node.start_byte, min(node.end_byte, node.start_byte + 200)))
        draft.doc, deprecated = summary(reader, node.start_byte)
        draft.flags |= Flag.DEPRECATED if deprecated else 0
