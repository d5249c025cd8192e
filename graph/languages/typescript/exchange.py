"""Imports and exports of ECMAScript modules, and `export =` of TypeScript."""

from __future__ import annotations

from tree_sitter import Node

from graph.languages.typescript.annotations import imported, qualifier
from graph.languages.typescript.classes import read_class
from graph.languages.typescript.declarations import describe
from graph.languages.typescript.functions import FUNCTIONS, read_function, read_owned
from graph.languages.typescript.reader import EXPRESSIONS, Reader
from graph.model import BindingTag, DefinitionKind, Flag, Op, ReferenceKind

_DEFINITION, _IMPORT = BindingTag.DEFINITION, BindingTag.IMPORT


def _specifier(reader: Reader, node: Node | None) -> str | None:
    if node is None:
        return None
    return reader.builder.slice(node.start_byte + 1, node.end_byte - 1)


def read_import(reader: Reader, node: Node) -> None:
    """An import statement."""
    reader.builder.extra["module"] = True
    import_statement(reader, node)


def import_statement(reader: Reader, node: Node, *, typed: bool = False) -> None:
    """Bind what an import statement imports; `typed`: as documentation does, where a CommonJS module is its export."""
    specifier = _specifier(reader, node.child_by_field_name("source"))
    for child in node.named_children:
        if child.type == "import_clause" and specifier is not None:
            for part in child.named_children:
                if part.type == "identifier":
                    bind_import(reader, part, part, specifier, "export=" if typed else "default")
                elif part.type == "namespace_import":
                    for name in part.named_children:
                        bind_import(reader, name, name, specifier, "")
                elif part.type == "named_imports":
                    _named_imports(reader, part, specifier)
        elif child.type == "import_require_clause":
            specifier = _specifier(reader, child.child_by_field_name("source"))
            for part in child.named_children:
                if part.type == "identifier" and specifier is not None:
                    bind_import(reader, part, part, specifier, "export=")
    if specifier is not None and not any(child.type.startswith("import_") for child in node.named_children):
        # For its effects: no name is bound, but the file is one that this one needs.
        reader.builder.imported(specifier, "", "import")


def _named_imports(reader: Reader, node: Node, specifier: str) -> None:
    for part in node.named_children:
        if part.type != "import_specifier":
            continue
        name, alias = part.child_by_field_name("name"), part.child_by_field_name("alias")
        if name is not None:
            imported_name = reader.builder.text(name)
            if name.type == "string":
                imported_name = imported_name[1:-1]
            bind_import(reader, alias if alias is not None else name, name, specifier, imported_name)


def bind_import(reader: Reader, local_name: Node, node: Node, specifier: str, name: str) -> None:
    """Bind a local name to what a module exports as `name`; `node` is where that is named."""
    builder = reader.builder
    index = imported(reader, specifier, name, "import")
    builder.bind(reader.scope, builder.text(local_name), _IMPORT, index)
    if node.type != "string":
        builder.reference(ReferenceKind.IMPORT, node, builder.expression(Op.IMPORTED, index), reader.definition)


def read_import_alias(reader: Reader, node: Node) -> None:
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


def read_export(reader: Reader, node: Node) -> None:
    """An export statement; what it declares is read by the declaration's own anchor."""
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
    name_node = own if own is not None and (value.type in FUNCTIONS or value.type == "class") else keyword
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
