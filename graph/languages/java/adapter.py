"""Extraction of one Java file: its declarations in source order, each with the class that it stands in.

Scopes follow chapter 6 of the Java Language Specification; declarations chapters 7 to 9.
"""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from graph.extract.builder import ClassScope, FactBuilder
from graph.extract.sweep import anchors, damage, query
from graph.languages.base import ParsedFile
from graph.languages.java.bodies import ClassFrame, Function
from graph.languages.java.documentation import comment_before, signature, summary
from graph.languages.java.statements import Statements
from graph.languages.java.types import ANNOTATIONS, COMMENTS
from graph.model import BindingTag, DefinitionKind, FileFacts, Flag, Op, ReferenceKind, ScopeKind, Visibility

ANONYMOUS = "<anonymous>"
"""Name of a class without one."""
CONSTRUCTORS = "<init>()"
"""The name under which constructors are bound in the scope of their class."""

_KINDS = {
    "class_declaration": DefinitionKind.CLASS,
    "interface_declaration": DefinitionKind.INTERFACE,
    "enum_declaration": DefinitionKind.ENUM,
    "record_declaration": DefinitionKind.CLASS,
    "annotation_type_declaration": DefinitionKind.INTERFACE,
}
_TEST_ANNOTATIONS = frozenset(
    {"Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Theory", "Property"}
)
_GENERATORS = frozenset(
    {
        "Getter", "Setter", "Data", "Value", "Builder", "SuperBuilder", "With", "Wither", "Accessors", "Delegate",
        "NoArgsConstructor", "AllArgsConstructor", "RequiredArgsConstructor", "EqualsAndHashCode", "ToString",
        "FieldNameConstants", "Slf4j", "Log", "Log4j", "Log4j2", "XSlf4j", "CommonsLog", "JBossLog", "Flogger",
        "CustomLog", "UtilityClass", "Jacksonized", "StandardException",
    }
)  # fmt: skip
"""Annotations of Lombok that add members which stand nowhere in the source."""


class ImportForm:
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
    Reader(builder, test_file=is_test_path(file.path)).run(root)
    return builder.finish()


def is_test_path(path: str) -> bool:
    """Whether a file lies in a test source set (`src/test/...`) by the usual layout."""
    parts = path.split("/")[:-1]
    return any(
        part.lower().endswith("test") or part == "tests"
        for part in parts[: parts.index("java") if "java" in parts else 3]
    )


class Reader(Statements):
    """Reads the declarations of one file."""

    def __init__(self, builder: FactBuilder, *, test_file: bool) -> None:
        super().__init__(builder)
        self._test_file = test_file
        self._lombok = False
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

    def _open_function(self, definition: int, scope: int = -1) -> tuple[Function, int, int, int]:
        """Start a function body that belongs to a definition."""
        before = self.function, self.scope, self.type_scope, self.definition
        self.function = Function()
        self.definition = definition
        self.scope = scope if scope >= 0 else self.builder.scope(self.frame.scope, ScopeKind.FUNCTION, definition)
        return before

    def _close_function(self, before: tuple[Function, int, int, int]) -> None:
        self.function, self.scope, self.type_scope, self.definition = before

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

    # -- types --------------------------------------------------------------------------------------------------------

    def declare_type(self, node: Node) -> None:
        """Declare a class, interface, enum, record or annotation type, and make its body ready to be read."""
        builder, frame = self.builder, self.frame
        name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if node.start_byte in self.declared or name_node is None or name_node.start_byte == name_node.end_byte:
            return
        self.declared.add(node.start_byte)
        name = builder.text(name_node)
        local = self.function is not self.idle
        index = builder.define(
            _KINDS[node.type], name, self.definition, (node.start_byte, node.end_byte),
            (name_node.start_byte, name_node.end_byte),
        )  # fmt: skip
        if local:
            self.bind_local_type(name, index)
        else:
            builder.bind(frame.scope, "#" + name, BindingTag.DEFINITION, index)
        outer_scope = self.snapshot() if local else frame.scope
        inner = self._type_header(node, name, index, outer_scope)
        if local:
            self.type_scope = builder.scope(self.type_scope, ScopeKind.BLOCK, self.definition)
            builder.bind(self.type_scope, "#" + name, BindingTag.DEFINITION, index)
        if body is not None:
            self.prepared[body.start_byte] = inner

    def _type_header(self, node: Node, name: str, index: int, outer_scope: int) -> ClassFrame:
        builder, kind = self.builder, node.type
        draft = builder.definitions[index]
        before = self._open_function(index, outer_scope)
        self.type_scope = outer_scope
        parameters = node.child_by_field_name("type_parameters")
        if parameters is not None:
            outer_scope = self.scope = builder.scope(outer_scope, ScopeKind.BLOCK, index)
            self.read_type_parameters(parameters, index, outer_scope)
            self.type_scope = outer_scope
        draft.scope = builder.scope(outer_scope, ScopeKind.CLASS, index)
        inner = ClassFrame(
            index, draft.scope, name, self.frame if self.frame.definition else None,
            is_interface=kind in ("interface_declaration", "annotation_type_declaration"),
            is_annotation=kind == "annotation_type_declaration",
        )  # fmt: skip
        modifiers = next((child for child in node.named_children if child.type == "modifiers"), None)
        words, draft.decorators, annotations = self.read_modifiers(modifiers)
        self._bases(node, index)
        if kind == "record_declaration":
            self._record_header(node, inner)
        draft.extra["form"] = kind.split("_", 1)[0]
        draft.flags |= self._type_flags(node, words, annotations, inner)
        draft.visibility = self._visibility(words)
        self._describe(index, node, modifiers, node.child_by_field_name("body"), annotations)
        self._note_generators(index, annotations)
        self._close_function(before)
        return inner

    def _bases(self, node: Node, index: int) -> None:
        """`extends`, `implements`, `permits`."""
        draft = self.builder.definitions[index]
        for child in node.named_children:
            kind = child.type
            if kind == "superclass":
                for part in child.named_children:
                    if part.type not in COMMENTS:
                        draft.extra["superclass"] = 1
                        draft.bases.append(self.read_type(part, ReferenceKind.BASE))
            elif kind in ("super_interfaces", "extends_interfaces", "permits"):
                role = {"super_interfaces": ReferenceKind.IMPLEMENT, "extends_interfaces": ReferenceKind.BASE}.get(kind)
                for part in child.named_children:
                    for one in part.named_children if part.type in ("type_list", "interface_type_list") else [part]:
                        if one.type in COMMENTS:
                            continue
                        type_ = self.read_type(one, role or ReferenceKind.TYPE)
                        if role is not None:
                            draft.bases.append(type_)

    def _record_header(self, node: Node, inner: ClassFrame) -> None:
        """The components of a record: each is a field and a method of its name (JLS 8.10.3)."""
        builder, header = self.builder, node.child_by_field_name("parameters")
        self.scope = builder.scope(inner.scope, ScopeKind.FUNCTION, inner.definition)
        self.type_scope = inner.scope  # member types are in scope in the header, too
        inner.components = self.read_parameters(header)
        draft = builder.definitions[inner.definition]
        draft.extra["components"] = [entry[0] for entry in inner.components]
        draft.parameters = [list(entry) for entry in inner.components]
        places = {name: place for name, (_, place) in self.function.locals.items()}
        self.function.locals.clear()
        self.function.log.clear()
        for name, type_, _, rest in inner.components:
            place = places.get(name)
            if place is None:
                continue
            extent = (place.start_byte, place.end_byte)
            component = builder.define(
                DefinitionKind.FIELD, name, inner.definition, extent, extent, visibility=Visibility.PRIVATE
            )
            held = self.array(type_, 1) if rest else type_
            builder.definitions[component].type = builder.instance(held)
            builder.definitions[component].extra["component"] = 1
            builder.bind(inner.scope, name, BindingTag.DEFINITION, component)

    def declare_anonymous(self, body: Node, base: int) -> int:
        """The class of `new Foo() {...}` or of an enum constant with a body."""
        builder = self.builder
        index = builder.define(
            DefinitionKind.CLASS, ANONYMOUS, self.definition, (body.start_byte, body.end_byte),
            (body.start_byte, body.start_byte), visibility=Visibility.PRIVATE,
        )  # fmt: skip
        draft = builder.definitions[index]
        draft.bases.append(base)
        draft.extra["form"] = "anonymous"
        draft.scope = builder.scope(self.snapshot(), ScopeKind.CLASS, index)
        self.prepared[body.start_byte] = ClassFrame(
            index, draft.scope, "", self.frame if self.frame.definition else None
        )
        return index

    def _type_flags(self, node: Node, words: set[str], annotations: list[str], inner: ClassFrame) -> int:
        flags = 0
        if "abstract" in words or inner.is_interface:
            flags |= Flag.ABSTRACT
        nested = self.frame.definition != 0
        if nested and (
            "static" in words or inner.is_interface or node.type in ("enum_declaration", "record_declaration")
        ):
            flags |= Flag.STATIC
        if self._test_file:
            flags |= Flag.TEST
        if "Deprecated" in annotations:
            flags |= Flag.DEPRECATED
        return flags

    def _visibility(self, words: set[str]) -> Visibility:
        if "private" in words:
            return Visibility.PRIVATE
        if "public" in words or self.frame.is_interface:
            return Visibility.PUBLIC
        return Visibility.PROTECTED if "protected" in words else Visibility.PACKAGE

    def _describe(
        self, index: int, node: Node, modifiers: Node | None, body: Node | None, annotations: list[str]
    ) -> None:
        """Set signature, summary, and what visibility and documentation say about a definition."""
        builder = self.builder
        draft = builder.definitions[index]
        start = node.start_byte
        if modifiers is not None:
            start = next(
                (
                    child.start_byte
                    for child in modifiers.children
                    if child.type not in ANNOTATIONS and child.type not in COMMENTS
                ),
                _next_start(builder.source, modifiers.end_byte),
            )
        draft.signature = signature(builder, start, body.start_byte if body is not None else node.end_byte)
        draft.doc, deprecated = summary(comment_before(builder.source, node.start_byte))
        if deprecated or "Deprecated" in annotations:
            draft.flags |= Flag.DEPRECATED
        if draft.visibility == Visibility.PUBLIC:
            draft.flags |= Flag.EXPORTED

    def _note_generators(self, index: int, annotations: list[str]) -> None:
        """Remember annotations that add members, on a class for itself and on a field for its class."""
        if not self._lombok:
            return
        found = sorted({name for name in annotations if name in _GENERATORS})
        if found:
            extra = self.builder.definitions[index].extra
            extra["generated"] = sorted({*extra.get("generated", ()), *found})

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
            if child.type == "throws":
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


def _next_start(source: bytes, start: int) -> int:
    while start < len(source) and source[start] in b" \t\r\n\f":
        start += 1
    return start
