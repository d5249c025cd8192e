"""Statements and declarations: what each anchor of `structure.scm` and `declarations.scm` means."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from graph.languages.typescript.annotations import (
    annotation,
    imported,
    member_name,
    method_signature,
    one_line,
    qualifier,
    read_members,
    type_parameters,
)
from graph.languages.typescript.assignments import required_by
from graph.languages.typescript.classes import heritage_type, read_class
from graph.languages.typescript.documents import document, summary
from graph.languages.typescript.expressions import construct
from graph.languages.typescript.functions import FUNCTIONS, read_function, read_owned
from graph.languages.typescript.patterns import Declare, bind, local
from graph.languages.typescript.reader import (
    ASYNCHRONOUS,
    EXPRESSIONS,
    GENERATOR,
    NAMESPACE,
    Frame,
    Reader,
    StatementReader,
    read,
    read_children,
    read_error,
    read_type,
)
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


# -- imports and exports ----------------------------------------------------------------------------------------------


def _specifier(reader: Reader, node: Node | None) -> str | None:
    if node is None:
        return None
    return reader.builder.slice(node.start_byte + 1, node.end_byte - 1)


def _import(reader: Reader, node: Node) -> None:
    reader.builder.extra["module"] = True
    import_statement(reader, node)


def import_statement(reader: Reader, node: Node, *, typed: bool = False) -> None:
    """Bind what an import statement imports; `typed`: as documentation does, where a CommonJS module is its export."""
    builder = reader.builder
    specifier = _specifier(reader, node.child_by_field_name("source"))
    for child in node.named_children:
        if child.type == "import_clause" and specifier is not None:
            for part in child.named_children:
                if part.type == "identifier":
                    _bind_import(reader, part, part, specifier, "export=" if typed else "default")
                elif part.type == "namespace_import":
                    for name in part.named_children:
                        _bind_import(reader, name, name, specifier, "")
                elif part.type == "named_imports":
                    _named_imports(reader, part, specifier)
        elif child.type == "import_require_clause":
            specifier = _specifier(reader, child.child_by_field_name("source"))
            for part in child.named_children:
                if part.type == "identifier" and specifier is not None:
                    _bind_import(reader, part, part, specifier, "export=")


def _named_imports(reader: Reader, node: Node, specifier: str) -> None:
    for part in node.named_children:
        if part.type != "import_specifier":
            continue
        name, alias = part.child_by_field_name("name"), part.child_by_field_name("alias")
        if name is not None:
            imported_name = reader.builder.text(name)
            if name.type == "string":
                imported_name = imported_name[1:-1]
            _bind_import(reader, alias if alias is not None else name, name, specifier, imported_name)


def _bind_import(reader: Reader, local_name: Node, node: Node, specifier: str, name: str) -> None:
    builder = reader.builder
    index = imported(reader, specifier, name, "import")
    builder.bind(reader.scope, builder.text(local_name), _IMPORT, index)
    if node.type != "string":
        builder.reference(ReferenceKind.IMPORT, node, builder.expression(Op.IMPORTED, index), reader.definition)


def _import_alias(reader: Reader, node: Node) -> None:
    """`import A = B.C`."""
    builder = reader.builder
    children = [child for child in node.named_children if child.type != "comment"]
    if len(children) != 2:
        return
    name = builder.text(children[0])
    target = qualifier(reader, children[1])
    if target < 0:
        return
    index = builder.imported("", name, "alias", target)
    builder.bind(reader.scope, name, _IMPORT, index)
    if node.start_byte in reader.exported:
        builder.exports[name] = [int(_IMPORT), index]


def _export(reader: Reader, node: Node) -> None:
    builder = reader.builder
    builder.extra["module"] = True
    source = node.child_by_field_name("source")
    declaration = node.child_by_field_name("declaration")
    words = {child.type for child in node.children if not child.is_named}
    for child in node.named_children:
        if child.type == "decorator":
            EXPRESSIONS["decorator"](reader, child, -1)
    form = "default" if "default" in words else "named"
    if declaration is not None:
        reader.exported[declaration.start_byte] = (form, node.start_byte)
        if declaration.type == "ambient_declaration":
            for child in declaration.named_children:
                reader.exported[child.start_byte] = (form, node.start_byte)
        return
    if source is not None:
        _export_from(reader, node, _specifier(reader, source) or "")
        return
    value = node.child_by_field_name("value")
    if value is not None and "default" in words:
        _export_default(reader, node, value)
        return
    for child in node.named_children:
        if child.type == "export_clause":
            _export_names(reader, child)
        elif "=" in words and child.type != "comment":
            _export_assignment(reader, child)
        elif "as" in words:
            builder.extra["umd"] = builder.text(child)


def _specifiers(reader: Reader, node: Node) -> list[tuple[Node, str, str]]:
    found: list[tuple[Node, str, str]] = []
    for part in node.named_children:
        if part.type == "export_specifier":
            name, alias = part.child_by_field_name("name"), part.child_by_field_name("alias")
            if name is not None:
                text = reader.builder.text(name)
                outer = reader.builder.text(alias) if alias is not None else text
                found.append((name, text.strip("'\""), outer.strip("'\"")))
    return found


def _export_from(reader: Reader, node: Node, specifier: str) -> None:
    builder = reader.builder
    for child in node.named_children:
        if child.type == "export_clause":
            for name_node, name, outer in _specifiers(reader, child):
                index = imported(reader, specifier, name, "import")
                builder.exports[outer] = [int(_IMPORT), index]
                if name_node.type != "string":
                    expression = builder.expression(Op.IMPORTED, index)
                    builder.reference(ReferenceKind.REEXPORT, name_node, expression, reader.definition)
            return
        if child.type == "namespace_export":
            index = imported(reader, specifier, "", "import")
            for name_node in child.named_children:
                name = builder.text(name_node).strip("'\"")
                builder.exports[name] = [int(_IMPORT), index]
                if name_node.type == "identifier":
                    expression = builder.expression(Op.IMPORTED, index)
                    builder.reference(ReferenceKind.REEXPORT, name_node, expression, reader.definition)
            return
    builder.star_exports.append(imported(reader, specifier, "*", "import"))


def _export_names(reader: Reader, node: Node) -> None:
    builder = reader.builder
    for name_node, name, outer in _specifiers(reader, node):
        expression = builder.name(reader.scope, name)
        builder.reference(ReferenceKind.REEXPORT, name_node, expression, reader.definition)
        if reader.scope == builder.module_scope:
            builder.exports[outer] = [int(BindingTag.VALUE), expression]
        elif outer != name:
            # In a namespace: another name of a member.
            index = builder.imported("", outer, "alias", expression)
            builder.bind(reader.scope, outer, _IMPORT, index)


def _export_default(reader: Reader, node: Node, value: Node) -> None:
    builder = reader.builder
    if value.type == "identifier":
        builder.exports["default"] = [int(BindingTag.VALUE), _reexported(reader, value)]
        return
    keyword = next((child for child in node.children if child.type == "default"), None)
    if keyword is None:
        return
    reader.exported[value.start_byte] = ("default", node.start_byte)
    own = value.child_by_field_name("name")
    name_node = own if own is not None and value.type in (*FUNCTIONS, "class") else keyword
    _defined_export(reader, node, value, name_node, "default")


def _reexported(reader: Reader, node: Node) -> int:
    expression = reader.builder.name(reader.scope, reader.builder.text(node))
    reader.builder.reference(ReferenceKind.REEXPORT, node, expression, reader.definition)
    return expression


def _export_assignment(reader: Reader, value: Node) -> None:
    builder = reader.builder
    builder.extra["commonjs"] = True
    if value.type == "identifier":
        builder.exports["export="] = [int(BindingTag.VALUE), _reexported(reader, value)]
        return
    builder.exports["export="] = [int(BindingTag.VALUE), read_owned(reader, value, -1)]


def _defined_export(reader: Reader, node: Node, value: Node, name_node: Node, exported_name: str) -> None:
    """An exported expression: a definition of its own, called `default` where it has no name."""
    builder = reader.builder
    extent, name_extent = (node.start_byte, node.end_byte), (name_node.start_byte, name_node.end_byte)
    name = builder.text(name_node)
    kind = DefinitionKind.CONSTANT
    if value.type in FUNCTIONS:
        kind = DefinitionKind.FUNCTION
    elif value.type == "class":
        kind = DefinitionKind.CLASS
    index = builder.define(kind, name, 0, extent, name_extent, flags=Flag.EXPORTED)
    builder.exports[exported_name] = [int(BindingTag.VALUE), builder.expression(Op.DEFINITION, index)]
    if kind == DefinitionKind.FUNCTION:
        read_function(reader, value, index, start=node.start_byte)
    elif kind == DefinitionKind.CLASS:
        read_class(reader, value, index, node.start_byte)
    else:
        given = read_owned(reader, value, -1, index)
        if given >= 0 and given != reader.nothing:
            builder.definitions[index].values.append(given)
        describe(reader, node, index)


# -- declarations -----------------------------------------------------------------------------------------------------


def _function(reader: Reader, node: Node) -> None:
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


def _class(reader: Reader, node: Node) -> None:
    name_node = node.child_by_field_name("name")
    if name_node is None:
        return
    index = define(reader, node, DefinitionKind.CLASS, name_node)
    if node.type == "abstract_class_declaration":
        reader.builder.definitions[index].flags |= Flag.ABSTRACT
    read_class(reader, node, index, declared_start(reader, node))


def _interface(reader: Reader, node: Node) -> None:
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


def _type_alias(reader: Reader, node: Node) -> None:
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


def _enum(reader: Reader, node: Node) -> None:
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


def _namespace(reader: Reader, node: Node) -> None:
    """`namespace A.B { }`, `declare module "x" { }`."""
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name_node is None:
        return
    builder = reader.builder
    if name_node.type == "string":
        scope = builder.scope(builder.module_scope, ScopeKind.BLOCK, 0)
        builder.extra.setdefault("ambient_modules", {})[_specifier(reader, name_node) or ""] = scope
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


def _ambient(reader: Reader, node: Node) -> None:
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


def _lexical(reader: Reader, node: Node) -> None:
    constant = reader.builder.slice(node.start_byte, node.start_byte + 5) == "const"
    kind = DefinitionKind.CONSTANT if constant else DefinitionKind.VARIABLE
    for child in node.named_children:
        if child.type == "variable_declarator":
            _declarator(reader, node, child, kind, reader.scope)


def _variable(reader: Reader, node: Node) -> None:
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
    if type_ < 0 and reader.documents is not None:
        documented = document(reader, start)
        if documented is not None:
            type_ = documented.type(reader)
    declared = builder.instance(type_) if type_ != reader.nothing else -1
    if is_name and value_node is not None and (value_node.type in FUNCTIONS or value_node.type == "class"):
        is_class = value_node.type == "class"
        index = _define_variable(
            reader, statement, node, name_node, DefinitionKind.CLASS if is_class else DefinitionKind.FUNCTION, scope
        )
        if is_class:
            read_class(reader, value_node, index, start)
        else:
            outer = reader.definition
            read_function(reader, value_node, index, expected=declared, start=start)
            reader.definition = outer
        return
    if is_name and is_module:
        index = _define_variable(reader, statement, node, name_node, kind, scope)
        draft = builder.definitions[index]
        draft.type = declared
        if value_node is not None:
            value = read_owned(reader, value_node, declared, index)
            if value != reader.nothing:
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
    held = declared if declared >= 0 else value
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
        _bind_import(reader, name_node, name_node, specifier, "export=")
    elif name_node.type == "object_pattern":
        for child in name_node.named_children:
            kind = child.type
            if kind == "shorthand_property_identifier_pattern":
                _bind_import(reader, child, child, specifier, builder.text(child))
            elif kind == "pair_pattern":
                key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
                if key is None or value is None:
                    continue
                found = member_name(reader, key)
                if found is not None and value.type == "identifier":
                    _bind_import(reader, value, key, specifier, found[0])
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


# -- statements -------------------------------------------------------------------------------------------------------


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
    "import": _import,
    "import_alias": _import_alias,
    "export": _export,
    "function": _function,
    "class": _class,
    "interface": _interface,
    "type": _type_alias,
    "enum": _enum,
    "namespace": _namespace,
    "ambient": _ambient,
    "lexical": _lexical,
    "variable": _variable,
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
