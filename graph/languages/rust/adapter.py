"""Extraction of one Rust file: its declarations in source order, with the modules, traits and impls they stand in.

Source of the rules: the Rust reference, "Items", "Names" and "Visibility and privacy".
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from tree_sitter import Node

from graph.extract.builder import ClassScope, FactBuilder
from graph.extract.sweep import anchors, damage, query
from graph.languages.base import ParsedFile
from graph.languages.rust.attributes import BUILTIN, Attributes, condition_is_test, gather, interpret, summary
from graph.languages.rust.macros import Macros
from graph.languages.rust.names import FIELD, MACRO, VALUE
from graph.languages.rust.paths import IMPL_BASE
from graph.languages.rust.reparse import reparse
from graph.languages.rust.uses import Uses
from graph.model import BindingTag, DefinitionKind, FileFacts, Flag, Op, ReferenceKind, ScopeKind, Visibility

_SIGNATURE_LIMIT: Final = 240
_SPACES: Final = re.compile(r"\s+")
_CFG: Final = re.compile(r"\[\s*cfg\s*\((.*)\)\s*\]$", re.DOTALL)
_WRAPPER: Final = re.compile(r"(?:&\s*(?:'\w+\s*)?(?:mut\s+)?)?(?:\w+::)*(Pin|Box|Rc|Arc)\s*<")
"""The smart pointer around `Self` that a method wants its receiver to be (Rust reference, "Methods")."""
_SPACED_MACRO: Final = re.compile(rb"(#\[macro_export\]\s*)?\bmacro_rules\s+!\s*([A-Za-z_]\w*)")
_DEFINITION, _IMPORT = BindingTag.DEFINITION, BindingTag.IMPORT
_ITEM_MACROS: Final = re.compile(r"(cfg_\w+|(\w+::)?(pin_project|thread_local|lazy_static|task_local))$")
"""Macros that declare the items that they are given: by convention (tokio, mio, hyper) `cfg_...` puts `cfg` attributes on
them, pin-project-lite adds projections to a struct, std, lazy_static and tokio wrap the statics."""


def extract(file: ParsedFile) -> FileFacts:
    """The facts of a parsed Rust file."""
    stem = file.path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    if stem in ("mod", "lib", "main") and "/" in file.path:
        parent = file.path.rsplit("/", 2)[-2]
        stem = parent if stem == "mod" else stem
    builder = FactBuilder(file.source, stem, ClassScope.NONE)
    root = file.tree.root_node
    builder.damage, builder.conflict_markers = damage(file.source, root, file.grammar)
    reader = Reader(builder)
    reader.run(root)
    return builder.finish()


@dataclass(slots=True)
class Frame:
    """What surrounds a declaration."""

    end: int
    kind: str
    """`module`, `impl`, `trait`, `foreign` or `block`."""
    scope: int
    definition: int
    outer: str = ""
    """Qualified name that members get in front; only for impls."""
    self_type: int = -1
    generics: dict[str, int] = field(default_factory=dict[str, int])
    parameters: list[list[Any]] | None = None
    """Type parameters of the impl or trait, to which where clauses of members may add bounds."""
    members: dict[str, list[int]] | None = None
    """Members of an impl by name."""
    of_trait: bool = False
    test: bool = False
    inline: tuple[str, ...] = ()
    """Names of the inline modules around, outermost first."""
    condition: str = ""


class Reader(Uses, Macros):
    """Reads the declarations of one file."""

    def __init__(self, builder: FactBuilder) -> None:
        super().__init__(builder)
        self.frames = [Frame(len(builder.source) + 1, "module", builder.module_scope, 0)]
        self.pending: dict[int, Node] = {}
        self.impls: list[list[Any]] = []
        self.modules: list[list[Any]] = []
        self.macro_crates = []
        self.exported_macros: dict[str, list[int]] = {}
        self.adopted: list[tuple[int, int, str]] = []
        """(definition, scope, type name) of members of impls whose type may be declared later in the file."""
        self._handlers: dict[str, Callable[[Node, Attributes], None]] = {
            "function": self._function,
            "struct": self._struct_item,
            "enum": self._enum,
            "trait": self._trait,
            "impl": self._impl,
            "module": self._module,
            "foreign": self._foreign,
            "use": self._use,
            "extern_crate": self._extern_crate,
            "constant": self._constant,
            "alias": self._alias,
            "macro": self._macro,
            "invocation": self._invocation,
        }

    def run(self, root: Node) -> None:
        """Read the whole file."""
        builder = self.builder
        builder.definitions[0].doc = self._module_doc()
        self.sweep(root)
        if b"macro_rules !" in builder.source:
            self._spaced_macros()
        for definition, scope, name in self.adopted:
            for tag, payload in builder.bindings[scope].get(name, ()):
                if tag == _DEFINITION:
                    builder.definitions[definition].parent = payload
                    break
        builder.extra = {
            "impls": self.impls,
            "modules": self.modules,
            "macros": self.exported_macros,
            "bounds": self.associated_bounds,
            "macro_crates": self.macro_crates,
        }

    def _spaced_macros(self) -> None:
        """Macros in the spelling of generated code, `macro_rules ! name`, which the grammar does not know."""
        builder = self.builder
        for match in _SPACED_MACRO.finditer(builder.source):
            name = builder.slice(*match.span(2))
            index = builder.define(DefinitionKind.MACRO, name, 0, match.span(), match.span(2), visibility=Visibility.PRIVATE)
            builder.bind(builder.module_scope, MACRO + name, _DEFINITION, index)
            if match.group(1):
                builder.definitions[index].visibility = int(Visibility.PUBLIC)
                self.exported_macros.setdefault(name, []).append(index)

    def sweep(self, root: Node) -> None:
        """Read the declarations below a node, inside the innermost frame."""
        floor = len(self.frames)
        frames = self.frames
        for start, minus_end, capture, node in anchors(query("graph.languages.rust", "structure.scm", "rust"), root):
            while self.blocks and self.blocks[0][0] <= start:
                begin, end, scope, definition = heapq.heappop(self.blocks)
                self._close(begin, floor)
                if end > start:
                    test = frames[-1].test
                    frames.append(Frame(end, "block", scope, definition, test=test, inline=frames[-1].inline))
            self._close(start, floor)
            if capture == "attribute":
                self.pending[-minus_end] = node
            elif capture == "inner":
                self._inner_attribute(node)
            elif capture == "stray":
                if node.type in self._readers and node.type not in ("identifier", "macro_invocation"):
                    self._enter(frames[-1])
                    self.read(node)
            else:
                self._enter(frames[-1])
                attributes = self._attributes(start)
                self._decorate(attributes.nodes, capture == "struct" or capture == "enum")
                self._handlers[capture](node, attributes)
        self._close(1 << 62, floor)
        self.blocks.clear()

    def _close(self, position: int, floor: int) -> None:
        frames = self.frames
        while len(frames) > floor and position >= frames[-1].end:
            frames.pop()

    def _enter(self, frame: Frame) -> None:
        self.scope = frame.scope
        self.definition = frame.definition
        self.self_type = frame.self_type
        self.generics = frame.generics
        self.lifted = frame.parameters
        self.locals = {}
        self.trail.clear()
        self._alternatives = None

    # -- attributes and texts -----------------------------------------------------------------------------------------

    def _attributes(self, start: int) -> Attributes:
        return gather(self.builder.source, start, self.pending, self.builder.slice)

    def _module_doc(self) -> str:
        lines: list[str] = []
        for line in self.builder.slice(0, min(len(self.builder.source), 4000)).split("\n"):
            stripped = line.strip()
            if stripped.startswith("//!"):
                lines.append(stripped[3:].strip())
            elif lines or (stripped and not stripped.startswith(("//", "#!"))):
                break
        return summary(lines)

    def _inner_attribute(self, node: Node) -> None:
        found = Attributes(node.start_byte)
        interpret(node, found, [], self.builder.slice)
        if found.condition:
            self.builder.definitions[0].condition = found.condition
            self.builder.definitions[0].flags |= Flag.CONDITIONAL

    def _decorate(self, nodes: list[Node], derives: bool) -> None:
        """References of attributes: those of the language name nothing, `derive` names its arguments."""
        for node in nodes:
            attribute = next((child for child in node.named_children if child.type == "attribute"), None)
            if attribute is None or not attribute.named_children:
                continue
            head = attribute.named_children[0]
            name = self.builder.text(head)
            if name == "derive" and derives:
                continue
            if name.split("::", 1)[0] not in BUILTIN:
                self.path(head, MACRO, int(ReferenceKind.DECORATE))

    def _derives(self, nodes: list[Node]) -> list[int]:
        """References of the derives of a type, and the type expressions of the traits of the same name."""
        traits: list[int] = []
        for node in nodes:
            attribute = next((child for child in node.named_children if child.type == "attribute"), None)
            if attribute is None or not attribute.named_children:
                continue
            if self.builder.text(attribute.named_children[0]) != "derive":
                continue
            arguments = attribute.child_by_field_name("arguments")
            path: list[Node] = []
            for child in [*(arguments.children if arguments is not None else ()), None]:
                if child is not None and child.type in ("identifier", "crate", "self"):
                    path.append(child)
                elif child is None or child.type == ",":
                    if path and path[-1].type == "identifier":
                        traits.append(self._derive(path))
                    path = []
        return traits

    def _derive(self, path: list[Node]) -> int:
        builder = self.builder
        receiver = -1
        for node in path[:-1]:
            text = self.text(node)
            if node.type != "identifier":
                receiver = self.prefix(node)
                continue
            receiver = builder.name(self.scope, text) if receiver < 0 else builder.attribute(receiver, text)
            self.refer(int(ReferenceKind.READ), node, receiver, text)
        last, text = path[-1], self.text(path[-1])
        if receiver < 0:
            macro, trait = builder.name(self.scope, MACRO + text), builder.name(self.scope, text)
        else:
            macro, trait = builder.attribute(receiver, MACRO + text), builder.attribute(receiver, text)
        start = path[0].start_byte if len(path) > 1 else -1
        self.refer(int(ReferenceKind.DECORATE), last, macro, text, -1, start)
        return trait

    def _visibility(self, node: Node) -> Visibility:
        for child in node.named_children:
            if child.type == "visibility_modifier":
                return Visibility.PUBLIC if child.end_byte - child.start_byte == 3 else Visibility.PACKAGE
            if child.type not in ("attribute_item", "line_comment", "block_comment"):
                break
        return Visibility.PRIVATE

    def _signature(self, node: Node, body: Node | None) -> str:
        start = node.start_byte
        end = min(body.start_byte if body is not None else node.end_byte, start + 4 * _SIGNATURE_LIMIT)
        return _SPACES.sub(" ", self.builder.slice(start, end)).strip(" ;=")[:_SIGNATURE_LIMIT]

    def _define(
        self, kind: DefinitionKind, node: Node, name: Node, attributes: Attributes, *, body: Node | None = None, scope: int = -1
    ) -> int:
        """Define what an item declares; what the surrounding frame and the attributes say is put on it."""
        frame = self.frames[-1]
        text = self.text(name)
        outer = f"{frame.outer}.{text}" if frame.outer else None
        visibility = self._visibility(node)
        if frame.kind == "trait" or frame.of_trait:
            visibility = Visibility.PUBLIC
        index = self.builder.define(
            kind, text, frame.definition, (node.start_byte, node.end_byte), (name.start_byte, name.end_byte),
            scope=scope, visibility=visibility, qualified_name=outer,
        )  # fmt: skip
        draft = self.builder.definitions[index]
        draft.signature = self._signature(node, body)
        self._mark(draft, attributes, frame)
        if visibility == Visibility.PUBLIC:
            draft.flags |= Flag.EXPORTED
        return index

    def _mark(self, draft: Any, attributes: Attributes, frame: Frame) -> None:
        draft.doc = attributes.doc
        condition = attributes.condition
        if frame.condition:
            condition = f"all({frame.condition}, {condition})" if condition else frame.condition
        if condition:
            draft.condition = condition
            draft.flags |= Flag.CONDITIONAL
        if attributes.deprecated:
            draft.flags |= Flag.DEPRECATED
        if attributes.test or frame.test or condition_is_test(condition):
            draft.flags |= Flag.TEST

    def _bind(self, name: str, index: int) -> None:
        frame = self.frames[-1]
        if frame.members is not None:
            frame.members.setdefault(name, []).append(index)
        else:
            self.builder.bind(frame.scope, name, _DEFINITION, index)

    # -- functions ----------------------------------------------------------------------------------------------------

    def _function(self, node: Node, attributes: Attributes) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None:
            return
        frame = self.frames[-1]
        member = frame.kind in ("impl", "trait")
        kind = DefinitionKind.METHOD if member else DefinitionKind.FUNCTION
        index = self._define(kind, node, name, attributes, body=body)
        draft = self.builder.definitions[index]
        text = self.text(name)
        if not (attributes.procedural and attributes.derive_macro):
            self._bind(VALUE + text, index)
        if attributes.procedural:
            draft.extra["macro"] = 1
            self._bind(MACRO + (attributes.derive_macro or text), index)
        if frame.kind == "impl" and frame.outer:
            self.adopted.append((index, frame.scope, frame.outer.rsplit(".", 1)[-1]))
        if frame.kind == "block":
            self.self_type, self.generics = -1, {}
        self.definition = index
        self.declare_generics(node, index, 0, draft.type_parameters)
        modifiers = next((child for child in node.named_children if child.type == "function_modifiers"), None)
        is_async = modifiers is not None and "async" in self.builder.text(modifiers)
        receiver = self._parameters(node.child_by_field_name("parameters"), draft)
        if member:
            draft.flags |= Flag.RECEIVER if receiver else Flag.STATIC
            if frame.kind == "trait":
                draft.extra["in_trait"] = 1
            if frame.kind == "trait" and body is None:
                draft.flags |= Flag.ABSTRACT
        result = node.child_by_field_name("return_type")
        given = self.unit if result is None else self.instance(result)
        if is_async:
            draft.flags |= Flag.ASYNC
            given = self.special("future", given)
        draft.type = given
        if body is not None:
            self.read_block_in_place(body)

    def read_block_in_place(self, body: Node) -> None:
        """Read the body of a function; blocks that declare items are noted for the sweep."""
        known = self.blocks
        self.blocks = []
        self.read_block(body)
        for block in self.blocks:
            heapq.heappush(known, block)
        self.blocks = known

    def _parameters(self, parameters: Node | None, draft: Any) -> bool:
        """Read the parameters; whether the first one is `self`."""
        receiver = False
        for child in parameters.named_children if parameters is not None else ():
            type_ = child.type
            if type_ == "self_parameter":
                receiver = True
                declared = child.child_by_field_name("type")
                value = self.builder.instance(self.self_type) if declared is None else self.instance(declared)
                self.bind_name("self", child, value, parameter=True)
            elif type_ == "parameter":
                pattern, declared = child.child_by_field_name("pattern"), child.child_by_field_name("type")
                type_expression = self.type(declared)
                value = self.builder.instance(type_expression)
                if pattern is None:
                    continue
                if pattern.type == "self":
                    receiver = True
                    wrapper = _WRAPPER.match(self.builder.text(declared)) if declared is not None else None
                    if wrapper is not None:
                        draft.extra["receiver"] = wrapper.group(1)
                    self.bind_name("self", pattern, value, parameter=True)
                    continue
                draft.parameters.append([self.builder.text(pattern), type_expression, 0, 0])
                self.bind(pattern, value, parameter=True)
            elif type_ == "variadic_parameter":
                draft.parameters.append(["...", -1, 0, 1])
            elif type_ in self._types and type_ != "lifetime":
                draft.parameters.append(["_", self.type(child), 0, 0])
        return receiver

    # -- types --------------------------------------------------------------------------------------------------------

    def _own_type(self, index: int, kind_offset: int = 0) -> int:
        """The type that a definition is, its own parameters standing for themselves."""
        parameters = self.builder.definitions[index].type_parameters
        base = self.builder.expression(Op.DEFINITION, index)
        if not parameters:
            return base
        own = [self.builder.expression(Op.TYPE_PARAMETER, index, kind_offset + place) for place in range(len(parameters))]
        return self.builder.expression(Op.GENERIC, base, own)

    def _struct_item(self, node: Node, attributes: Attributes) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None:
            return
        kind = DefinitionKind.UNION if node.type == "union_item" else DefinitionKind.STRUCT
        outer = self.scope
        index = self._define(kind, node, name, attributes, body=body)
        draft = self.builder.definitions[index]
        draft.scope = scope = self.builder.scope(outer, ScopeKind.CLASS, index)
        text = self.text(name)
        self._bind(text, index)
        draft.extra["derive"] = self._derives(attributes.nodes)
        if any(b"pin_project" in node.text for node in attributes.nodes if node.text is not None):
            draft.extra["projected"] = 1
        self.definition = index
        self.declare_generics(node, index, 0, draft.type_parameters)
        self.self_type = self._own_type(index)
        draft.type = self.builder.instance(self.self_type)
        if body is None:
            draft.extra["shape"] = "unit"
            self._bind(VALUE + text, index)
        elif body.type == "ordered_field_declaration_list":
            draft.extra["shape"] = "tuple"
            self._bind(VALUE + text, index)
            draft.parameters = self._positional(body)
        else:
            self._fields(body, index, scope)

    def _positional(self, body: Node) -> list[list[Any]]:
        """The fields of a tuple struct or variant, as the parameters of its constructor."""
        found: list[list[Any]] = []
        for child in body.named_children:
            if child.type in self._types and child.type != "lifetime":
                found.append([str(len(found)), self.type(child), 0, 0])
        return found

    def _fields(self, body: Node, owner: int, scope: int) -> None:
        builder = self.builder
        nodes: list[Node] = []
        for child in body.named_children:
            if child.type == "attribute_item":
                nodes.append(child)
                self.pending[child.end_byte] = child
            elif child.type == "field_declaration":
                name = child.child_by_field_name("name")
                if name is not None:
                    attributes = self._attributes(child.start_byte)
                    extent, text = (child.start_byte, child.end_byte), self.text(name)
                    index = builder.define(
                        DefinitionKind.FIELD, text, owner, extent, (name.start_byte, name.end_byte),
                        visibility=self._visibility(child),
                    )  # fmt: skip
                    draft = builder.definitions[index]
                    self._mark(draft, attributes, Frame(0, "field", 0, 0, test=bool(builder.definitions[owner].flags & Flag.TEST)))
                    draft.signature = _SPACES.sub(" ", builder.text(child))[:_SIGNATURE_LIMIT]
                    draft.type = self.instance(child.child_by_field_name("type"))
                    if any(node.text == b"#[pin]" for node in attributes.nodes):
                        draft.extra["pin"] = 1
                    builder.bind(scope, FIELD + text, _DEFINITION, index)
                nodes = []

    def _enum(self, node: Node, attributes: Attributes) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None:
            return
        builder = self.builder
        outer = self.scope
        index = self._define(DefinitionKind.ENUM, node, name, attributes, body=body)
        draft = builder.definitions[index]
        draft.scope = scope = builder.scope(outer, ScopeKind.CLASS, index)
        self._bind(self.text(name), index)
        draft.extra["derive"] = self._derives(attributes.nodes)
        self.definition = index
        self.declare_generics(node, index, 0, draft.type_parameters)
        self.self_type = self._own_type(index)
        draft.type = own = builder.instance(self.self_type)
        for child in body.named_children if body is not None else ():
            if child.type == "attribute_item":
                self.pending[child.end_byte] = child
            elif child.type == "enum_variant":
                self._variant(child, index, scope, own)

    def _variant(self, node: Node, enum: int, scope: int, own: int) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None:
            return
        builder = self.builder
        text = self.text(name)
        attributes = self._attributes(node.start_byte)
        extent, name_extent = (node.start_byte, node.end_byte), (name.start_byte, name.end_byte)
        index = builder.define(DefinitionKind.ENUM_MEMBER, text, enum, extent, name_extent)
        draft = builder.definitions[index]
        self._mark(draft, attributes, Frame(0, "variant", 0, 0, test=bool(builder.definitions[enum].flags & Flag.TEST)))
        draft.signature = _SPACES.sub(" ", builder.text(node))[:_SIGNATURE_LIMIT]
        draft.type = own
        builder.bind(scope, VALUE + text, _DEFINITION, index)
        if body is None:
            draft.extra["shape"] = "unit"
        elif body.type == "ordered_field_declaration_list":
            draft.extra["shape"] = "tuple"
            draft.parameters = self._positional(body)
        else:
            draft.scope = builder.scope(scope, ScopeKind.CLASS, index)
            self._fields(body, index, draft.scope)
        value = node.child_by_field_name("value")
        if value is not None:
            self.read(value)

    def _trait(self, node: Node, attributes: Attributes) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None:
            return
        outer = self.frames[-1]
        index = self._define(DefinitionKind.TRAIT, node, name, attributes, body=body)
        draft = self.builder.definitions[index]
        draft.scope = self.builder.scope(self.scope, ScopeKind.CLASS, index)
        draft.flags |= Flag.ABSTRACT
        self._bind(self.text(name), index)
        self.definition = index
        self.self_type = self.builder.expression(Op.TYPE_PARAMETER, index, 0)
        self.declare_generics(node, index, 1, draft.type_parameters)
        draft.bases = self.bounds(node.child_by_field_name("bounds"), int(ReferenceKind.BASE))
        draft.extra["associated"] = []
        self.frames.append(
            Frame(
                node.end_byte, "trait", draft.scope, index, self_type=self.self_type, generics=self.generics,
                parameters=draft.type_parameters, test=bool(draft.flags & Flag.TEST), inline=outer.inline,
            )  # fmt: skip
        )

    def _impl(self, node: Node, attributes: Attributes) -> None:
        """An inherent or trait implementation (Rust reference, "Implementations")."""
        outer = self.frames[-1]
        parameters: list[list[Any]] = []
        self.declare_generics(node, IMPL_BASE + len(self.impls), 0, parameters)
        trait, type_ = node.child_by_field_name("trait"), node.child_by_field_name("type")
        trait_expression = self.path(trait, "", int(ReferenceKind.IMPLEMENT)) if trait is not None else -1
        self_type = self.type(type_)
        self.self_type = self_type
        members: dict[str, list[int]] = {}
        condition = attributes.condition
        if trait is None or node.child_by_field_name("type") is not None:
            self.impls.append([self_type, trait_expression, parameters, members, condition])
        name = _type_name(self.builder.text(type_)) if type_ is not None else ""
        prefix = self.builder.definitions[outer.definition].qualified_name if outer.definition > 0 else ""
        self.frames.append(
            Frame(
                node.end_byte, "impl", outer.scope, outer.definition,
                outer=f"{prefix}.{name}" if prefix else name, self_type=self_type, generics=self.generics,
                parameters=parameters, members=members, of_trait=trait is not None,
                test=outer.test or condition_is_test(condition), inline=outer.inline, condition=condition,
            )  # fmt: skip
        )

    # -- modules and the rest -----------------------------------------------------------------------------------------

    def _module(self, node: Node, attributes: Attributes) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None:
            return
        frame, builder, text = self.frames[-1], self.builder, self.text(name)
        if body is None:
            visibility = int(self._visibility(node))
            index = builder.imported(attributes.path, text, "module", frame.scope, -1, visibility, attributes.condition)
            builder.bind(frame.scope, text, _IMPORT, index)
            self.modules.append(
                [index, text, attributes.path, frame.scope, list(frame.inline), attributes.condition, attributes.macro_use]
            )
            self.refer(int(ReferenceKind.IMPORT), name, builder.expression(Op.IMPORTED, index), text)
            return
        index = self._define(DefinitionKind.NAMESPACE, node, name, attributes, body=body)
        draft = builder.definitions[index]
        draft.scope = builder.scope(-1, ScopeKind.MODULE, index)
        draft.extra["outer"] = frame.scope
        draft.extra["macro_use"] = attributes.macro_use
        self._bind(text, index)
        self.frames.append(
            Frame(
                node.end_byte, "module", draft.scope, index, test=bool(draft.flags & Flag.TEST),
                inline=(*frame.inline, attributes.path or text),
            )  # fmt: skip
        )

    def _foreign(self, node: Node, attributes: Attributes) -> None:
        frame = self.frames[-1]
        self.frames.append(
            Frame(node.end_byte, "foreign", frame.scope, frame.definition, test=frame.test, condition=attributes.condition)
        )

    def _constant(self, node: Node, attributes: Attributes) -> None:
        name = node.child_by_field_name("name")
        if name is None:
            return
        text = self.text(name)
        value = node.child_by_field_name("value")
        kind = DefinitionKind.VARIABLE if node.type == "static_item" else DefinitionKind.CONSTANT
        if text != "_":
            index = self._define(kind, node, name, attributes, body=value)
            self.builder.definitions[index].type = self.instance(node.child_by_field_name("type"))
            self._bind(VALUE + text, index)
            self.definition = index
        else:
            self.type(node.child_by_field_name("type"))
        if value is not None:
            known, self.blocks = self.blocks, []
            self.read(value)
            for block in self.blocks:
                heapq.heappush(known, block)
            self.blocks = known

    def _alias(self, node: Node, attributes: Attributes) -> None:
        name, type_ = node.child_by_field_name("name"), node.child_by_field_name("type")
        if name is None:
            return
        frame, text = self.frames[-1], self.text(name)
        index = self._define(DefinitionKind.TYPE, node, name, attributes)
        draft = self.builder.definitions[index]
        self._bind(text, index)
        self.definition = index
        self.declare_generics(node, index, 0, draft.type_parameters)
        if frame.kind == "trait":
            draft.extra["associated"] = True
            self.builder.definitions[frame.definition].extra["associated"].append(text)
            draft.bases = self.bounds(node.child_by_field_name("bounds"))
            if type_ is None:
                draft.flags |= Flag.ABSTRACT
        draft.type = self.instance(type_)

    def _macro(self, node: Node, attributes: Attributes) -> None:
        name = node.child_by_field_name("name")
        if name is None:
            return
        index = self._define(DefinitionKind.MACRO, node, name, attributes)
        text = self.text(name)
        draft = self.builder.definitions[index]
        draft.signature = f"macro_rules! {text}"
        self._bind(MACRO + text, index)
        if attributes.macro_export:
            draft.visibility = int(Visibility.PUBLIC)
            draft.flags |= Flag.EXPORTED
            self.exported_macros.setdefault(text, []).append(index)

    def _invocation(self, node: Node, attributes: Attributes) -> None:
        """A macro call in the place of an item. Where the macro is one that passes its items on, they are read."""
        macro = node.child_by_field_name("macro")
        name = self.builder.text(macro) if macro is not None else ""
        tokens = next((child for child in node.named_children if child.type == "token_tree"), None)
        source = self.builder.source
        if tokens is not None and source[tokens.start_byte : tokens.start_byte + 1] == b"{":
            if name.rsplit("::", 1)[-1] == "cfg_if":
                self.path(macro, MACRO, int(ReferenceKind.MACRO))
                self._cfg_if(tokens, attributes.condition)
                return
            if _ITEM_MACROS.match(name):
                self.path(macro, MACRO, int(ReferenceKind.MACRO))
                self._items(tokens, name)
                return
        known, self.blocks = self.blocks, []
        self.read_macro(node)
        self.blocks = known

    def _items(self, tokens: Node, name: str, condition: str = "") -> None:
        """Read the tokens of a macro call as items of the surrounding frame."""
        root = reparse(self.builder.source, tokens.start_byte + 1, tokens.end_byte - 1, b"", b"")
        if root is None:
            return
        frame = self.frames[-1]
        outer = frame.condition
        word = name.rsplit("::", 1)[-1]
        frame.condition = f"all({outer}, {condition})" if outer and condition else condition or outer
        known, self.blocks = self.blocks, []
        before = len(self.builder.definitions)
        self.sweep(root)
        self.blocks = known
        frame.condition = outer
        for draft in self.builder.definitions[before:]:
            if draft.parent != frame.definition or draft.flags & Flag.LOCAL:
                continue
            if word.startswith("cfg_") and not condition:
                draft.flags |= Flag.CONDITIONAL
                draft.condition = f"all({word}!, {draft.condition})" if draft.condition else f"{word}!"
            elif word == "pin_project":
                draft.extra["projected"] = 1
            elif word == "thread_local" and draft.type >= 0:
                held = self.builder.expressions[draft.type][1]
                draft.type = self.builder.builtin("LocalKey", [held])
            elif word == "task_local":
                draft.type = -1

    def _cfg_if(self, tokens: Node, condition: str) -> None:
        """`cfg_if! { if #[cfg(a)] { .. } else if #[cfg(b)] { .. } else { .. } }`: each branch under its condition."""
        earlier: list[str] = [condition] if condition else []
        current = ""
        for child in tokens.children:
            if child.type != "token_tree":
                continue
            text = self.builder.text(child)
            if text.startswith("["):
                match = _CFG.match(text)
                current = _SPACES.sub(" ", match.group(1)).strip() if match is not None else ""
            elif text.startswith("{"):
                parts = [*earlier, *([current] if current else [])]
                self._items(child, "cfg_if", parts[0] if len(parts) == 1 else f"all({', '.join(parts)})")
                if current:
                    earlier.append(f"not({current})")
                current = ""


def _type_name(text: str) -> str:
    """The last name of a type as written, without its arguments: `Vec` of `&mut alloc::Vec<T>`."""
    head = text.lstrip("&*([ ").split("<", 1)[0].split(";", 1)[0]
    words = re.findall(r"\w+", head.rsplit("::", 1)[-1])
    return words[-1] if words else "impl"
