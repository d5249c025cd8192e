"""Patterns of Rust: what each name that a pattern binds holds, and what a pattern refers to.

Source of the rules: the Rust reference, "Patterns".
"""

from __future__ import annotations

from tree_sitter import Node

from graph.languages.rust.names import FIELD, VALUE
from graph.languages.rust.reading import Local
from graph.languages.rust.types import Types
from graph.model import Op, ReferenceKind

_READ, _TYPE = int(ReferenceKind.READ), int(ReferenceKind.TYPE)


class Patterns(Types):
    """Reading of patterns; the locals they bind are put into `locals`, with what they replace kept in `trail`."""

    trail: list[tuple[str, Local | None]]

    _alternatives: dict[str, Local] | None = None

    def mark(self) -> int:
        """A point to which `restore` can take the locals back."""
        return len(self.trail)

    def restore(self, mark: int) -> None:
        """Forget the locals bound since `mark`."""
        trail, known = self.trail, self.locals
        while len(trail) > mark:
            name, before = trail.pop()
            known[name] = before

    def bind_name(self, name: str, node: Node, value: int, *, parameter: bool = False) -> Local:
        """Bind a local name from here on."""
        if self._alternatives is not None:
            known = self._alternatives.get(name)
            if known is not None:
                known.value = self.builder.union([known.value, value])
                return known
        start = node.start_byte
        if node.end_byte - start == len(name) + 2 and self.builder.slice(start, start + 2) == "r#":
            start += 2
        local = Local(value, start, node.end_byte, parameter, self.definition)
        if self._alternatives is not None:
            self._alternatives[name] = local
        self.trail.append((name, self.locals.get(name)))
        self.locals[name] = local
        return local

    def bind_mutable(self, name: str, node: Node, value: int) -> None:
        """Bind a local that may be changed: what it comes to hold later counts, too."""
        expressions = self.builder.expressions
        slot: list[object] = [int(Op.SPECIAL), "local", value, []]
        expressions.append(slot)
        self.bind_name(name, node, len(expressions) - 1).slot = slot

    def bind(self, node: Node | None, value: int, *, refutable: bool = False, parameter: bool = False) -> None:
        """Bind the names of a pattern that is matched against a value.

        In a refutable pattern a capitalised name is a constant or a variant (RFC 430; the compiler warns otherwise).
        """
        if node is None:
            return
        type_ = node.type
        if type_ == "identifier":
            name = self.text(node)
            if refutable and name[:1].isupper():
                self.path(node, VALUE, _READ)
            else:
                self.bind_name(name, node, value, parameter=parameter)
        elif type_ == "self":
            self.bind_name("self", node, value, parameter=True)
        elif type_ == "mut_pattern":
            inner = node.named_children[-1] if node.named_children else None
            if inner is not None and inner.type == "identifier" and not refutable and not parameter:
                self.bind_mutable(self.text(inner), inner, value)
            else:
                self.bind(inner, value, refutable=refutable, parameter=parameter)
        elif type_ in ("ref_pattern", "reference_pattern"):
            if node.named_children:
                self.bind(node.named_children[-1], value, refutable=refutable, parameter=parameter)
        elif type_ == "match_pattern":
            for child in node.named_children[:1]:
                self.bind(child, value, refutable=refutable)
        elif type_ == "tuple_struct_pattern":
            self._tuple_struct(node, value, refutable)
        elif type_ == "struct_pattern":
            self._struct(node, value, refutable)
        elif type_ == "tuple_pattern":
            self._tuple(node, value, refutable, parameter)
        elif type_ == "or_pattern":
            self._or(node, value, refutable)
        elif type_ == "captured_pattern":
            self._captured(node, value, refutable)
        elif type_ == "slice_pattern":
            element = -1 if value < 0 else self.builder.expression(Op.ITERATE, value)
            for child in node.named_children:
                whole = child.type == "captured_pattern" and child.named_children[-1].type == "remaining_field_pattern"
                self.bind(child, value if whole else element, refutable=refutable)
        elif type_ in ("scoped_identifier", "generic_pattern"):
            self.path(node, VALUE, _READ)
        elif type_ == "range_pattern":
            for child in node.named_children:
                self.bind(child, -1, refutable=True)
        elif type_ == "parenthesized_pattern":
            for child in node.named_children:
                self.bind(child, value, refutable=refutable)
        elif type_ in ("macro_invocation", "const_block"):
            self.read(node)
        elif type_ == "parameter":
            declared = self.instance(node.child_by_field_name("type"))
            self.bind(node.child_by_field_name("pattern"), declared if declared >= 0 else value, parameter=True)
        elif type_ == "ERROR":
            for child in node.named_children:
                self.bind(child, -1, refutable=refutable)

    def _part(self, value: int, path: int, key: str, count: int) -> int:
        """What stands at a place (a field name, or a position from the front or, negative, from the back)."""
        return self.special("part", value, path, key, count)

    def _tuple_struct(self, node: Node, value: int, refutable: bool) -> None:
        type_ = node.child_by_field_name("type")
        path = self.path(type_, VALUE, _READ)
        children = [child for child in node.named_children if child != type_ and not child.type.endswith("comment")]
        # `_` is not a named node of this grammar: positions are counted by commas.
        position = 0
        rest_at = -1
        places: list[tuple[Node, int]] = []
        inside = False
        for child in node.children:
            kind = child.type
            if kind == "(":
                inside = True
            elif not inside:
                continue
            elif kind == ",":
                position += 1
            elif kind == "remaining_field_pattern":
                rest_at = position
            elif child.is_named and child in children:
                places.append((child, position))
        last = position + 1 if node.children and node.children[-2:][0].type != "," else position
        for child, place in places:
            key = str(place) if rest_at < 0 or place < rest_at else str(place - last)
            self.bind(child, self._part(value, path, key, 0), refutable=refutable)

    def _tuple(self, node: Node, value: int, refutable: bool, parameter: bool) -> None:
        position = 0
        rest_at = -1
        places: list[tuple[Node, int]] = []
        for child in node.children:
            kind = child.type
            if kind == ",":
                position += 1
            elif kind == "remaining_field_pattern":
                rest_at = position
            elif child.is_named:
                places.append((child, position))
        children = node.children
        last = position + 1 if len(children) > 1 and children[-2].type != "," else position
        for child, place in places:
            index = place if rest_at < 0 or place < rest_at else place - last
            part = -1 if value < 0 else self.builder.expression(Op.PICK, value, index)
            self.bind(child, part, refutable=refutable, parameter=parameter)

    def _struct(self, node: Node, value: int, refutable: bool) -> None:
        path = self.path(node.child_by_field_name("type"), "", _TYPE)
        shape = self.special("shape", path) if path >= 0 else -1
        for child in node.named_children:
            if child.type != "field_pattern":
                continue
            name = child.child_by_field_name("name")
            if name is None:
                continue
            text = self.text(name)
            if name.type != "integer_literal":
                self.refer(_READ, name, self.builder.attribute(shape, FIELD + text), text)
            inner = self._part(value, path, text, 0)
            pattern = child.child_by_field_name("pattern")
            if pattern is not None:
                self.bind(pattern, inner, refutable=refutable)
            elif name.type == "shorthand_field_identifier":
                self.bind_name(text, name, inner)

    def _or(self, node: Node, value: int, refutable: bool) -> None:
        outer = self._alternatives
        if outer is None:
            self._alternatives = {}
        pending = list(reversed(node.named_children))
        while pending:
            child = pending.pop()
            if child.type == "or_pattern":
                pending.extend(reversed(child.named_children))
            else:
                self.bind(child, value, refutable=refutable)
        self._alternatives = outer

    def _captured(self, node: Node, value: int, refutable: bool) -> None:
        children = node.named_children
        if children and children[0].type == "identifier":
            self.bind_name(self.text(children[0]), children[0], value)
            for child in children[1:]:
                self.bind(child, value, refutable=refutable)
