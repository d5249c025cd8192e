"""What surrounds a declaration, and what every declaration has: name, visibility, attributes, documentation.

Source of the rules: the Rust reference, "Visibility and privacy", "Attributes".
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final

from tree_sitter import Node

from graph.extract.builder import FactBuilder
from graph.languages.rust.attributes import BUILTIN, Attributes, condition_is_test, gather
from graph.languages.rust.macros import Macros
from graph.languages.rust.names import MACRO
from graph.model import BindingTag, DefinitionKind, Flag, ReferenceKind, Visibility

_SIGNATURE_LIMIT: Final = 240
_SPACES: Final = re.compile(r"\s+")
_DEFINITION, _IMPORT = BindingTag.DEFINITION, BindingTag.IMPORT


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


class Declarations(Macros):
    """Defining of what items declare."""

    def __init__(self, builder: FactBuilder) -> None:
        super().__init__(builder)
        self.frames = [Frame(len(builder.source) + 1, "module", builder.module_scope, 0)]
        self.headers: list[bytes] = []
        """What declarations say besides bodies and values: what other files can lean on."""
        self.pending: dict[int, Node] = {}
        """Attributes that were met, by their end."""

    def _attributes(self, start: int) -> Attributes:
        return gather(self.builder.source, start, self.pending, self.builder.slice)

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
        self,
        kind: DefinitionKind,
        node: Node,
        name: Node,
        attributes: Attributes,
        *,
        body: Node | None = None,
        scope: int = -1,
    ) -> int:
        """Define what an item declares; what the surrounding frame and the attributes say is put on it."""
        frame = self.frames[-1]
        text = self.text(name)
        outer = f"{frame.outer}.{text}" if frame.outer else None
        visibility = self._visibility(node)
        if frame.kind == "trait" or frame.of_trait:
            visibility = Visibility.PUBLIC
        index = self.builder.define(
            kind, text, frame.definition, (node.start_byte, node.end_byte), self.name_extent(name),
            scope=scope, visibility=visibility, qualified_name=outer,
        )  # fmt: skip
        self.headers.append(self.builder.source[node.start_byte : node.end_byte if body is None else body.start_byte])
        draft = self.builder.definitions[index]
        draft.signature = self._signature(node, body)
        self._mark(draft, attributes, frame)
        if visibility == Visibility.PUBLIC:
            draft.flags |= Flag.EXPORTED
        return index

    def name_extent(self, name: Node) -> tuple[int, int]:
        """The byte range of an identifier, without the `r#` of a raw one."""
        start = name.start_byte
        return (start + 2 if self.builder.slice(start, start + 2) == "r#" else start, name.end_byte)

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
