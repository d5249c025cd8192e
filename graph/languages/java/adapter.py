"""Extraction of one Java file: its declarations in source order, each with the class that it stands in.

Scopes follow chapter 6 of the Java Language Specification; declarations chapters 7 to 9.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

from tree_sitter import Node

from graph.extract.builder import ClassScope, FactBuilder
from graph.extract.sweep import anchors, damage, query
from graph.languages.base import ParsedFile
from graph.languages.java.bodies import ClassFrame, Function
from graph.languages.java.declarations import Declarations
from graph.languages.java.types import ANNOTATIONS, COMMENTS
from graph.model import BindingTag, DefinitionKind, FileFacts, Flag, Op, ReferenceKind

CONSTRUCTORS = "<init>()"
"""The name under which constructors are bound in the scope of their class."""

_TEST_ANNOTATIONS = frozenset(
    {"Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Theory", "Property"}
)


class ImportForm(IntEnum):
    """The third field of an import: what kind of name it brings in, and how (JLS 7.5)."""

    TYPE = 0
    STATIC_METHOD = 1
    STATIC_FIELD = 2
    STATIC_TYPE = 3
    ON_DEMAND = 4
    STATIC_ON_DEMAND = 5
    QUALIFIER = 6
    """A type that only stands before the imported name."""


def extract(file: ParsedFile) -> FileFacts:
    """The facts of a parsed Java file."""
    stem = file.path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    builder = FactBuilder(file.source, stem, ClassScope.FULL)
    root = file.tree.root_node
    builder.damage, builder.conflict_markers = damage(file.source, root, file.grammar)
    reader = Reader(builder, test_file=is_test_path(file.path))
    reader.run(root)
    # It holds methods of itself: without this the tree would live until cycles are collected, which workers put off.
    vars(reader).clear()
    return builder.finish()


def is_test_path(path: str) -> bool:
    """Whether a file lies in a test source set (`src/test/...`) by the usual layout."""
    parts = path.split("/")[:-1]
    return any(
        part.lower().endswith("test") or part == "tests"
        for part in parts[: parts.index("java") if "java" in parts else 3]
    )


class Reader(Declarations):
    """Reads the declarations of one file."""

    def __init__(self, builder: FactBuilder, *, test_file: bool) -> None:
        super().__init__(builder, test_file=test_file)
        self._frames: list[ClassFrame] = [self.frame]
        self.frame.end = len(builder.source) + 1
        self._handlers: dict[str, Callable[[Node], None]] = {
            "package": self._package,
            "import": self._import,
            "type": self.declare_type,
            "body": self._body,
            "field": self._field,
            "constant": self._constant,
            "method": self._method,
            "constructor": self._constructor,
            "initializer": self._initializer,
            "damaged": self._damaged_region,
        }

    def run(self, root: Node) -> None:
        """Read the whole file."""
        frames, handlers = self._frames, self._handlers
        for start, _, capture, node in anchors(query("graph.languages.java", "structure.scm", "java"), root):
            if start >= frames[-1].end:
                while start >= frames[-1].end and len(frames) > 1:
                    frames.pop()
                self._enter(frames[-1])
            handlers[capture](node)
        del frames[1:]
        self._enter(frames[0])
        for child in root.named_children:
            if (
                child.type.endswith(("_statement", "_expression", "_invocation", "block"))
                or child.type == "local_variable_declaration"
            ):
                before = self._open_function(0)
                self.visit(child)
                self._close_function(before)

    def _enter(self, frame: ClassFrame) -> None:
        self.frame = frame
        self.scope = self.type_scope = frame.scope
        self.definition = frame.definition

    def _body(self, node: Node) -> None:
        frame = self.prepared.pop(node.start_byte, None)
        if frame is not None:
            frame.end = node.end_byte
            self._frames.append(frame)
            self._enter(frame)

    def _damaged_region(self, node: Node) -> None:
        if node.start_byte in self.damaged:
            return
        self.damaged.add(node.start_byte)
        before = self._open_function(self.frame.definition)
        self.read_children(node, -1)
        self._close_function(before)

    # -- package and imports ------------------------------------------------------------------------------------------

    def _package(self, node: Node) -> None:
        for child in node.named_children:
            if child.type in ("scoped_identifier", "identifier"):
                self.builder.package = "".join(self.builder.text(child).split())
            elif child.type in ANNOTATIONS:
                self.visit(child)

    def _import(self, node: Node) -> None:
        builder = self.builder
        segments: list[Node] = []
        star = static = False
        for child in node.children:
            if child.type in ("scoped_identifier", "identifier"):
                segments = _segments(child)
            elif child.type == "asterisk":
                star = True
            elif child.type == "static":
                static = True
        names = [builder.text(segment) for segment in segments]
        if not names or not all(names):
            return
        if names[0] == "lombok":
            self._lombok = True
        qualifiers = segments if star else segments[:-1]
        for position, segment in enumerate(qualifiers):
            if not names[position][:1].islower():
                index = builder.imported(".".join(names[:position]), names[position], ImportForm.QUALIFIER)
                self._import_reference(segment, builder.expression(Op.IMPORTED, index), segments[0])
        scope = builder.module_scope
        if star:
            form = ImportForm.STATIC_ON_DEMAND if static else ImportForm.ON_DEMAND
            builder.stars.append([scope, builder.imported(".".join(names), "*", form)])
            return
        specifier, name = ".".join(names[:-1]), names[-1]
        if not static:
            index = builder.imported(specifier, name, ImportForm.TYPE)
            builder.bind(scope, "#" + name, BindingTag.IMPORT, index)
            self._import_reference(segments[-1], builder.expression(Op.IMPORTED, index), segments[0])
            return
        indices: list[int] = []
        keys = (
            (name + "()", ImportForm.STATIC_METHOD),
            (name, ImportForm.STATIC_FIELD),
            ("#" + name, ImportForm.STATIC_TYPE),
        )
        for key, form in keys:
            indices.append(builder.imported(specifier, name, form))
            builder.bind(scope, key, BindingTag.IMPORT, indices[-1])
        self._import_reference(segments[-1], builder.expression(Op.SPECIAL, "statics", indices), segments[0])

    def _import_reference(self, node: Node, expression: int, first: Node) -> None:
        start = first.start_byte if first.start_byte < node.start_byte else -1
        self.builder.reference(ReferenceKind.IMPORT, node, expression, 0, qualifier_start=start)

    # -- members ------------------------------------------------------------------------------------------------------

    def _field(self, node: Node) -> None:
        builder, frame = self.builder, self.frame
        modifiers = next((child for child in node.named_children if child.type == "modifiers"), None)
        declarators = [child for child in node.named_children if child.type == "variable_declarator"]
        type_, words, decorators, annotations = -1, set[str](), list[int](), list[str]()
        for position, declarator in enumerate(declarators):
            name_node = declarator.child_by_field_name("name")
            if name_node is None or name_node.start_byte == name_node.end_byte:
                continue
            name = builder.text(name_node)
            index = builder.define(
                DefinitionKind.FIELD, name, frame.definition, (node.start_byte, node.end_byte),
                (name_node.start_byte, name_node.end_byte),
            )  # fmt: skip
            before = self._open_function(index, frame.scope)
            if position == 0:
                words, decorators, annotations = self.read_modifiers(modifiers)
                type_ = self.read_type(node.child_by_field_name("type"))
                self._note_generators(frame.definition, annotations)
            draft = builder.definitions[index]
            draft.decorators = decorators
            draft.visibility = self._visibility(words)
            if "static" in words or frame.is_interface:
                draft.flags |= Flag.STATIC
            draft.type = builder.instance(self.array(type_, self.extra_dimensions(declarator)))
            self._describe(index, node, modifiers, None, annotations)
            builder.bind(frame.scope, name, BindingTag.DEFINITION, index)
            value = declarator.child_by_field_name("value")
            if value is not None:
                self.visit(value, draft.type)
            self._close_function(before)

    def _constant(self, node: Node) -> None:
        """An enum constant, perhaps with a class body of its own (JLS 8.9.1)."""
        builder, frame = self.builder, self.frame
        name_node = node.child_by_field_name("name")
        if name_node is None or name_node.start_byte == name_node.end_byte:
            return
        name = builder.text(name_node)
        index = builder.define(
            DefinitionKind.ENUM_MEMBER, name, frame.definition, (node.start_byte, node.end_byte),
            (name_node.start_byte, name_node.end_byte), flags=Flag.STATIC,
        )  # fmt: skip
        draft = builder.definitions[index]
        before = self._open_function(index)
        modifiers = next((child for child in node.named_children if child.type == "modifiers"), None)
        _, draft.decorators, annotations = self.read_modifiers(modifiers)
        own = builder.expression(Op.DEFINITION, frame.definition)
        draft.type = builder.instance(own)
        body = node.child_by_field_name("body")
        self._describe(index, node, modifiers, body, annotations)
        builder.bind(frame.scope, name, BindingTag.DEFINITION, index)
        arguments = node.child_by_field_name("arguments")
        if arguments is not None:
            call = len(builder.expressions)
            values: list[int] = []
            builder.expressions.append([int(Op.SPECIAL), "new", own, values, -1, call, 0, -1])
            self.read_arguments(arguments, call, values)
        if body is not None:
            self.declare_anonymous(body, own)
        self._close_function(before)

    def _method(self, node: Node) -> None:
        builder, frame = self.builder, self.frame
        name_node = node.child_by_field_name("name")
        if name_node is None or name_node.start_byte == name_node.end_byte:
            return
        name, body = builder.text(name_node), node.child_by_field_name("body")
        in_class = frame.definition != 0
        index = builder.define(
            DefinitionKind.METHOD if in_class else DefinitionKind.FUNCTION, name, frame.definition,
            (node.start_byte, node.end_byte), (name_node.start_byte, name_node.end_byte),
        )  # fmt: skip
        draft = builder.definitions[index]
        before, words, annotations = self._callable_header(node, index)
        result = node.child_by_field_name("type")
        draft.type = builder.instance(self.array(self.read_type(result), self.extra_dimensions(node)))
        self._throws(node)
        if "static" in words:
            draft.flags |= Flag.STATIC
        if "abstract" in words or (frame.is_interface and body is None):
            draft.flags |= Flag.ABSTRACT
        if _TEST_ANNOTATIONS & set(annotations):
            draft.flags |= Flag.TEST
        if "Override" in annotations:
            draft.extra["override"] = True
        builder.bind(frame.scope, name + "()", BindingTag.DEFINITION, index)
        default = node.child_by_field_name("value")
        if default is not None:
            self.visit(default, draft.type)
        if body is not None:
            self.function.return_target = draft.type
            self.visit(body)
        self._close_function(before)

    def _constructor(self, node: Node) -> None:
        builder, frame = self.builder, self.frame
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name_node is None or name_node.start_byte == name_node.end_byte:
            return
        name = builder.text(name_node)
        index = builder.define(
            DefinitionKind.CONSTRUCTOR, name, frame.definition, (node.start_byte, node.end_byte),
            (name_node.start_byte, name_node.end_byte),
        )  # fmt: skip
        before, _, _ = self._callable_header(node, index)
        if node.type == "compact_constructor_declaration":
            builder.definitions[index].parameters = [list(entry) for entry in frame.components]
            for component, type_, _, rest in frame.components:
                held = self.array(type_, 1) if rest else type_
                self.function.locals[component] = (builder.instance(held), name_node)
        self._throws(node)
        builder.bind(frame.scope, CONSTRUCTORS, BindingTag.DEFINITION, index)
        if body is not None:
            self.visit(body)
        self._close_function(before)

    def _callable_header(self, node: Node, index: int) -> tuple[tuple[Function, int, int, int], set[str], list[str]]:
        """Open a method or constructor and read its modifiers, type parameters and parameters."""
        builder = self.builder
        draft = builder.definitions[index]
        before = self._open_function(index)
        draft.scope = self.scope
        modifiers = next((child for child in node.named_children if child.type == "modifiers"), None)
        words, draft.decorators, annotations = self.read_modifiers(modifiers)
        type_parameters = node.child_by_field_name("type_parameters")
        if type_parameters is not None:
            self.function.types = self.read_type_parameters(type_parameters, index, self.scope)
            self.type_scope = self.scope
        draft.visibility = self._visibility(words)
        self._describe(index, node, modifiers, node.child_by_field_name("body"), annotations)
        draft.parameters = self.read_parameters(node.child_by_field_name("parameters"))
        return before, words, annotations

    def _throws(self, node: Node) -> None:
        for child in node.named_children:
            if child.type in ANNOTATIONS:
                self.visit(child)
            elif child.type == "throws":
                for part in child.named_children:
                    if part.type not in COMMENTS:
                        self._thrown(part)

    def _thrown(self, node: Node) -> None:
        """A type in a `throws` clause; type parameters, which can stand there, are no definitions."""
        found = None
        if node.type == "type_identifier":
            found = self.builder.local_binding(self.type_scope, "#" + self.builder.text(node))
        is_parameter = found is not None and all(tag == BindingTag.VALUE for tag, _ in found[1])
        self.read_type(node, ReferenceKind.TYPE if is_parameter else ReferenceKind.RAISE)

    def _initializer(self, node: Node) -> None:
        """A static or instance initializer: it belongs to its class."""
        before = self._open_function(self.frame.definition)
        for child in [node] if node.type == "block" else node.named_children:
            self.visit(child)
        self._close_function(before)


def _segments(node: Node) -> list[Node]:
    """The identifiers of a dotted name, in order."""
    found: list[Node] = []
    current: Node | None = node
    while current is not None and current.type == "scoped_identifier":
        name = current.child_by_field_name("name")
        if name is not None:
            found.append(name)
        current = current.child_by_field_name("scope")
    if current is not None:
        found.append(current)
    found.reverse()
    return found
