"""Extraction of one JavaScript or TypeScript file: (bytes, tree) -> facts."""

from __future__ import annotations

from functools import cache
from importlib import resources

from tree_sitter import Query

from graph.extract.builder import Draft
from graph.extract.sweep import anchors, grammar
from graph.languages.base import ParsedFile
from graph.languages.typescript import call_expressions, expressions, jsx, names, signatures
from graph.languages.typescript.annotations import READERS as ANNOTATIONS
from graph.languages.typescript.exchange import import_statement
from graph.languages.typescript.jsdoc import read_documents
from graph.languages.typescript.mending import parse_again
from graph.languages.typescript.reader import EXPRESSIONS, TYPES, Reader
from graph.languages.typescript.statements import STATEMENTS
from graph.model import BindingTag, DefinitionKind, FileFacts, Flag, Op, Visibility

GLOBAL_PACKAGE = "(global)"
"""The package of files that declare names which every file sees: scripts, and files with ambient declarations."""
EXTENSIONS = (".d.ts", ".d.mts", ".d.cts", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")

_DEFINITION, _VALUE = int(BindingTag.DEFINITION), int(BindingTag.VALUE)
_DECLARED_TWICE = frozenset(
    {
        DefinitionKind.CLASS,
        DefinitionKind.INTERFACE,
        DefinitionKind.ENUM,
        DefinitionKind.NAMESPACE,
        DefinitionKind.FUNCTION,
        DefinitionKind.TYPE,
    }
)


for expression_readers in (names.READERS, call_expressions.READERS, expressions.READERS, jsx.READERS):
    EXPRESSIONS.update(expression_readers)
for type_readers in (ANNOTATIONS, signatures.READERS):
    TYPES.update(type_readers)


@cache
def structure(grammar_name: str) -> Query:
    """The anchors of a grammar."""
    files = ("structure.scm",) if grammar_name == "javascript" else ("structure.scm", "declarations.scm")
    folder = resources.files(__package__ or "")
    text = "\n".join(folder.joinpath(file).read_text("utf-8") for file in files)
    return Query(grammar(grammar_name), text)


def module_name(path: str) -> str:
    """The file's name without its extension; the folder's name for an index file."""
    folder, _, name = path.rpartition("/")
    for extension in EXTENSIONS:
        if name.endswith(extension):
            name = name[: -len(extension)]
            break
    return folder.rpartition("/")[2] or name if name == "index" else name


def extract(parsed: ParsedFile) -> FileFacts:
    """The facts of one file. Never raises on any input; what could not be parsed is in `damage`."""
    reader = Reader(parsed.source, parsed.path, module_name(parsed.path), typed=parsed.grammar != "javascript")
    builder = reader.builder
    tree, builder.damage, builder.conflict_markers = parse_again(parsed.source, parsed.tree, parsed.grammar)
    if not reader.typed:
        read_documents(reader)
        for node in reader.documents.imports if reader.documents is not None else ():
            import_statement(reader, node, typed=True)
    stack = reader.stack
    for start, _, capture, node in anchors(structure(parsed.grammar), tree.root_node):
        if start >= stack[-1].end:
            while len(stack) > 1 and start >= stack[-1].end:
                stack.pop()
            reader.enter(stack[-1])
        STATEMENTS[capture](reader, node)
    _settle(reader)
    return builder.finish()


def _settle(reader: Reader) -> None:
    """What only the whole file can tell: values of assigned names, exported flags, merged declarations."""
    builder = reader.builder
    if reader.lambdas:
        builder.extra["lambdas"] = reader.lambdas
    for scope, name, value in reader.assignments:
        found = builder.local_binding(scope, name)
        if found is None:
            continue
        bindings = found[1]
        tag, payload = bindings[-1]
        if tag == _VALUE:
            declared = payload >= 0 and builder.expressions[payload][0] == Op.INSTANCE
            if payload < 0 and (found[0], name) in reader.unassigned:
                reader.unassigned.discard((found[0], name))
                bindings[-1] = [_VALUE, value]
            elif not declared and (payload < 0 or not reader.typed) and all(other != value for _, other in bindings):
                bindings.append([_VALUE, value])
        elif tag == _DEFINITION:
            draft = builder.definitions[payload]
            if draft.kind in (DefinitionKind.VARIABLE, DefinitionKind.CONSTANT) and draft.type < 0:
                draft.values.append(value)
    for name, (tag, payload) in builder.exports.items():
        if tag == _VALUE and payload >= 0:
            _flag_exported(reader, payload, name)
    is_module = "module" in builder.extra or "commonjs" in builder.extra
    is_module = is_module or bool(builder.star_exports or builder.exports or builder.imports)
    if not is_module:
        builder.package = GLOBAL_PACKAGE
        for draft in builder.definitions[1:]:
            if draft.parent == 0 and draft.visibility == Visibility.PACKAGE:
                draft.visibility = Visibility.PUBLIC
        builder.extra["script"] = True
    elif "ambient_modules" in builder.extra or "global_scope" in builder.extra or "umd" in builder.extra:
        builder.package = GLOBAL_PACKAGE
    merged: dict[str, list[int]] = {}
    for bound in builder.bindings:
        for same in bound.values():
            if len(same) > 1:
                group = [p for t, p in same if t == _DEFINITION and _is_merged(builder.definitions[p])]
                if len(group) > 1:
                    for index in group:
                        merged[str(index)] = group
    if merged:
        builder.extra["merged"] = merged


def _is_merged(draft: Draft) -> bool:
    """Whether declarations of this kind are merged; a variable that holds a class is none."""
    return draft.kind in _DECLARED_TWICE and not draft.extra.get("value")


def _flag_exported(reader: Reader, expression: int, name: str) -> None:
    builder = reader.builder
    operation = builder.expressions[expression]
    indices: list[int] = []
    if operation[0] == Op.NAME:
        scope: int = operation[1]
        found = builder.bindings[scope].get(operation[2], [])
        indices = [payload for tag, payload in found if tag == _DEFINITION]
    elif operation[0] == Op.DEFINITION:
        indices = [operation[1]]
    for index in indices:
        draft = builder.definitions[index]
        draft.flags |= Flag.EXPORTED
        draft.visibility = Visibility.PUBLIC if draft.visibility == Visibility.PACKAGE else draft.visibility
