"""`use` and `extern crate` declarations: what each brings into a scope.

Source of the rules: the Rust reference, "Use declarations" and "Extern crate declarations".
"""

from __future__ import annotations

from tree_sitter import Node

from graph.languages.rust.attributes import Attributes
from graph.languages.rust.frames import Declarations
from graph.languages.rust.names import ANY
from graph.model import BindingTag, Op, ReferenceKind, Visibility

_DEFINITION, _IMPORT = BindingTag.DEFINITION, BindingTag.IMPORT


class Uses(Declarations):
    """Reading of declarations that bring names in.

    Each leaf of a `use` tree is an import with the details [kind, scope, expression of the path, visibility, condition,
    number of its declaration].
    """

    _declaration = 0

    macro_crates: list[int]
    """Imports of crates whose macros are brought in by `#[macro_use]`."""

    def _use(self, node: Node, attributes: Attributes) -> None:
        argument = node.child_by_field_name("argument")
        if argument is None:
            return
        visibility = self._visibility(node)
        kind = int(ReferenceKind.IMPORT if visibility == Visibility.PRIVATE else ReferenceKind.REEXPORT)
        self._declaration += 1
        details = (int(visibility), attributes.condition)
        pending: list[tuple[Node, int, str]] = [(argument, -1, "")]
        while pending:
            tree, prefix, text = pending.pop()
            type_ = tree.type
            if type_ == "scoped_use_list":
                path = tree.child_by_field_name("path")
                inner, spelt = (self.special("root"), "") if path is None else self._segments(path, prefix, text, kind)
                listed = tree.child_by_field_name("list")
                if listed is not None:
                    pending.append((listed, inner, spelt))
            elif type_ == "use_list":
                pending.extend((child, prefix, text) for child in reversed(tree.named_children))
            elif type_ == "use_wildcard":
                children = tree.named_children
                target, spelt = (prefix, text)
                if children:
                    target, spelt = self._segments(children[0], prefix, text, kind)
                index = self.builder.imported(spelt, "*", "use", self.scope, target, *details, self._declaration)
                self.builder.stars.append([self.scope, index])
            elif type_ == "use_as_clause":
                path, alias = tree.child_by_field_name("path"), tree.child_by_field_name("alias")
                if path is not None:
                    self._leaf(path, prefix, text, kind, details, alias)
            elif type_ not in ("line_comment", "block_comment", "ERROR"):
                self._leaf(tree, prefix, text, kind, details, None)

    def _segments(self, node: Node, prefix: int, text: str, kind: int) -> tuple[int, str]:
        """Read a path as a qualifier: its expression and its text."""
        nodes: list[Node] = []
        current: Node | None = node
        rooted = False
        while current is not None and current.type == "scoped_identifier":
            name = current.child_by_field_name("name")
            if name is not None:
                nodes.append(name)
            inner = current.child_by_field_name("path")
            rooted = inner is None
            current = inner
        if current is not None:
            nodes.append(current)
        expression = self.special("root") if rooted and prefix < 0 else prefix
        start = node.start_byte
        for segment in reversed(nodes):
            spelt = self.text(segment)
            expression = self._segment(segment, expression, "")
            if segment.type == "identifier" and expression >= 0:
                self.refer(kind, segment, expression, spelt, -1, start if segment.start_byte > start else -1)
            text = f"{text}::{spelt}" if text else spelt
        return expression, text

    def _segment(self, node: Node, before: int, namespace: str) -> int:
        type_ = node.type
        if type_ == "self":
            return before if before >= 0 else self.special("self", self.scope)
        if type_ == "crate":
            return self.special("crate")
        if type_ == "super":
            return self.special("super", before if before >= 0 else self.special("self", self.scope))
        if type_ == "metavariable":
            return -1
        name = namespace + self.text(node)
        if before < 0:
            return self.special("head", self.scope, name, self._declaration)
        return self.builder.attribute(before, name)

    def _leaf(
        self, node: Node, prefix: int, text: str, kind: int, details: tuple[int, str], alias: Node | None
    ) -> None:
        builder = self.builder
        name: Node | None = node
        if node.type == "scoped_identifier":
            name = node.child_by_field_name("name")
            path = node.child_by_field_name("path")
            if path is None:
                prefix = self.special("root")
            else:
                prefix, text = self._segments(path, prefix, text, kind)
        if name is None:
            return
        expression = self._segment(name, prefix, ANY)
        bound = self.text(alias) if alias is not None else self.text(name)
        if name.type == "self" and alias is None:
            bound = text.rsplit("::", 1)[-1]
        if not bound or bound in ("super", "crate"):
            return
        index = builder.imported(text, self.text(name), "use", self.scope, expression, *details, self._declaration)
        builder.bind(self.scope, bound, _IMPORT, index)
        if name.type == "identifier":
            start = node.start_byte if node.start_byte < name.start_byte else -1
            self.refer(kind, name, builder.expression(Op.IMPORTED, index), self.text(name), -1, start)

    def _extern_crate(self, node: Node, attributes: Attributes) -> None:
        name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
        if name is None:
            return
        builder, text = self.builder, self.text(name)
        visibility = int(self._visibility(node))
        index = builder.imported(text, "", "crate", self.scope, -1, visibility, attributes.condition, -1)
        bound = self.text(alias) if alias is not None else text
        builder.bind(self.scope, bound, _IMPORT, index)
        if attributes.macro_use:
            self.macro_crates.append(index)
        if text != "self":
            self.refer(int(ReferenceKind.IMPORT), name, builder.expression(Op.IMPORTED, index), text)
