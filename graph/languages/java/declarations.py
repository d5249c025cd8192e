"""Reading the declarations of Java types: their headers, and what every declaration is described with."""

from __future__ import annotations

from tree_sitter import Node

from graph.extract.builder import FactBuilder
from graph.languages.java.bodies import ClassFrame, Function
from graph.languages.java.documentation import comment_before, signature, summary
from graph.languages.java.statements import Statements
from graph.languages.java.types import ANNOTATIONS, COMMENTS
from graph.model import BindingTag, DefinitionKind, Flag, ReferenceKind, ScopeKind, Visibility

ANONYMOUS = "<anonymous>"
"""Name of a class without one."""
_KINDS = {
    "class_declaration": DefinitionKind.CLASS,
    "interface_declaration": DefinitionKind.INTERFACE,
    "enum_declaration": DefinitionKind.ENUM,
    "record_declaration": DefinitionKind.CLASS,
    "annotation_type_declaration": DefinitionKind.INTERFACE,
}
_GENERATORS = frozenset(
    {
        "Getter", "Setter", "Data", "Value", "Builder", "SuperBuilder", "With", "Wither", "Accessors", "Delegate",
        "NoArgsConstructor", "AllArgsConstructor", "RequiredArgsConstructor", "EqualsAndHashCode", "ToString",
        "FieldNameConstants", "Slf4j", "Log", "Log4j", "Log4j2", "XSlf4j", "CommonsLog", "JBossLog", "Flogger",
        "CustomLog", "UtilityClass", "Jacksonized", "StandardException",
    }
)  # fmt: skip
"""Annotations of Lombok that add members which stand nowhere in the source."""


class Declarations(Statements):
    """Reads type declarations."""

    def __init__(self, builder: FactBuilder, *, test_file: bool) -> None:
        super().__init__(builder)
        self._test_file = test_file
        self._lombok = False

    def _open_function(self, definition: int, scope: int = -1) -> tuple[Function, int, int, int]:
        """Start a function body that belongs to a definition."""
        before = self.function, self.scope, self.type_scope, self.definition
        self.function = Function()
        self.definition = definition
        self.scope = scope if scope >= 0 else self.builder.scope(self.frame.scope, ScopeKind.FUNCTION, definition)
        return before

    def _close_function(self, before: tuple[Function, int, int, int]) -> None:
        self.function, self.scope, self.type_scope, self.definition = before

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
                        draft.extra["superclass"] = True
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
            builder.definitions[component].extra["component"] = True
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
            start = _behind_annotations(node, modifiers)
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


def _behind_annotations(node: Node, modifiers: Node) -> int:
    """The byte offset at which a declaration starts when its annotations are left out."""
    for part in modifiers.children:
        if part.type not in ANNOTATIONS and part.type not in COMMENTS:
            return part.start_byte
    for part in node.children:
        if part.start_byte >= modifiers.end_byte and part.type not in COMMENTS:
            return part.start_byte
    return node.start_byte
