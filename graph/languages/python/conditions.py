"""What a condition says about the names and members in it: `isinstance` tests, joined by `and`, `or` and `not`."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from tree_sitter import Node

from graph.extract.builder import FactBuilder
from graph.languages.python.annotations import Annotations
from graph.model import Op

_TEST = re.compile(rb"\bisinstance\s*\(")
_DEPTH = 8
"""Deepest nesting of a condition that is looked into."""

Narrowing = tuple[int, int, int]
"""(key, what it holds, key of the name that the member belongs to or -1)."""
_NONE: tuple[Narrowing, ...] = ()


class Conditions(Annotations):
    """Finds what conditions say. Nothing here records references: the condition is read on its own."""

    def __init__(self, builder: FactBuilder) -> None:
        super().__init__(builder)
        source = builder.source
        self._tests = [match.start() for match in _TEST.finditer(source)] if b"isinstance" in source else []

    def has_test(self, node: Node | None) -> bool:
        """Whether there is an `isinstance` test in a node of a function body."""
        if not self._tests or node is None or self.frames[-1].flow is None:
            return False
        place = bisect_left(self._tests, node.start_byte)
        return place < len(self._tests) and self._tests[place] < node.end_byte

    def tests(self, node: Node, depth: int = 0) -> tuple[Sequence[Narrowing], Sequence[Narrowing]]:
        """What holds where the condition is true, and where it is false."""
        kind = node.type
        if depth > _DEPTH:
            return _NONE, _NONE
        if kind == "call":
            return self._test(node)
        children = [child for child in node.named_children if child.type != "comment"]
        if kind in ("parenthesized_expression", "not_operator") and len(children) == 1:
            true, false = self.tests(children[0], depth + 1)
            return (false, true) if kind == "not_operator" else (true, false)
        if kind == "boolean_operator" and len(children) == 2:
            left, right = self.tests(children[0], depth + 1), self.tests(children[1], depth + 1)
            operator = node.child_by_field_name("operator")
            if operator is not None and operator.type == "and":
                return [*left[0], *right[0]], _NONE
            return _NONE, [*left[1], *right[1]]
        return _NONE, _NONE

    def narrow(self, narrowings: Sequence[Narrowing]) -> None:
        """From here on in this branch, what the narrowings say holds."""
        flow = self.frames[-1].flow
        if flow is not None:
            for key, value, root in narrowings:
                flow.narrow(key, value, root)

    def restore(self, before: dict[int, int]) -> None:
        """Undo narrowings that held inside an expression only."""
        self.known.clear()
        self.known.update(before)

    def narrowing(self, node: Node, class_: int) -> Narrowing | None:
        """That a name or member holds an instance of a class (an expression); None for what is neither."""
        key, root = self.key_of(node)
        if key < 0 or class_ < 0 or key == self.own_value:
            return None
        return key, self.builder.expression(Op.SPECIAL, "is", self.known.get(key, key), class_), root

    def _test(self, node: Node) -> tuple[Sequence[Narrowing], Sequence[Narrowing]]:
        children = node.named_children
        if len(children) != 2 or self.builder.text(children[0]) != "isinstance":
            return _NONE, _NONE
        arguments = [child for child in children[1].named_children if child.type != "comment"]
        if len(arguments) != 2:
            return _NONE, _NONE
        key, root = self.key_of(arguments[0])
        class_ = self._tested(arguments[1])
        if key < 0 or class_ < 0 or key == self.own_value:
            return _NONE, _NONE
        value = self.known.get(key, key)
        true = self.builder.expression(Op.SPECIAL, "is", value, class_)
        false = self.builder.expression(Op.SPECIAL, "isnot", value, class_)
        return [(key, true, root)], [(key, false, root)]

    def key_of(self, node: Node) -> tuple[int, int]:
        """The expression of a name or a chain of members, and that of the name it begins with; -1 for anything else."""
        builder = self.builder
        names: list[str] = []
        current = node
        while current.type == "attribute" and len(current.named_children) == 2:
            names.append(builder.text(current.named_children[1]))
            current = current.named_children[0]
        if current.type != "identifier":
            return -1, -1
        text = builder.text(current)
        own = self.own_name(text)
        root = key = own if own >= 0 else self.seen(text)
        for name in reversed(names):
            key = builder.attribute(self.known.get(key, key), self.private(name))
        return key, root if names else -1

    def _tested(self, node: Node) -> int:
        """A class or a tuple of classes as an expression; -1 for anything else."""
        builder = self.builder
        if node.type == "identifier":
            text = builder.text(node)
            own = self.own_name(text)
            return own if own >= 0 else self.seen(text)
        children = node.named_children
        if node.type == "attribute" and len(children) == 2:
            owner, name = self._tested(children[0]), builder.text(children[1])
            if owner >= 0 and name == "__class__":
                return builder.expression(Op.SPECIAL, "type", owner)
            return -1 if owner < 0 else builder.attribute(owner, self.private(name))
        if node.type == "call" and len(children) == 2 and builder.text(children[0]) == "type":
            arguments = [child for child in children[1].named_children if child.type != "comment"]
            value = self._tested(arguments[0]) if len(arguments) == 1 else -1
            return -1 if value < 0 else builder.expression(Op.SPECIAL, "type", value)
        if node.type in ("tuple", "binary_operator", "parenthesized_expression"):
            return builder.expression(Op.TUPLE, [self._tested(child) for child in children])
        return -1
