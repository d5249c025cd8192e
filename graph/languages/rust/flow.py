"""Blocks, statements and control flow of Rust.

Locals are settled here, where their order is known (a `let` hides what it follows; Rust reference, "Statements"): the
expression of a local is that of what it holds.
"""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from graph.extract.builder import FactBuilder
from graph.languages.rust.patterns import Patterns
from graph.languages.rust.reading import ITEMS, SKIPPED
from graph.model import Op, ScopeKind


class Flow(Patterns):
    """Reading of blocks, statements and control flow."""

    def __init__(self, builder: FactBuilder) -> None:
        super().__init__(builder)
        self.trail = []
        self.blocks: list[tuple[int, int, int, int]] = []
        """(start, end, scope, definition) of blocks that declare items."""
        self.never = builder.builtin("!")
        self.unit = builder.builtin("()")
        self.boolean = builder.builtin("bool")

    def union(self, values: Sequence[int]) -> int:
        """What one of several branches gives; those that never give anything do not count."""
        given = [value for value in values if value != self.never]
        return self.builder.union(given) if given else self.never

    def read_block(self, node: Node) -> int:
        """A block: its statements in order, and the value of its last expression."""
        mark = self.mark()
        children = node.named_children
        scope = self.scope
        declared = [child for child in children if child.type in ITEMS]
        if declared:
            self.scope = self.builder.scope(scope, ScopeKind.BLOCK, self.definition)
            self.blocks.append((node.start_byte, node.end_byte, self.scope, self.definition))
            for item in declared:
                name = item.child_by_field_name("name")
                if name is not None and item.type != "mod_item":
                    text = self.text(name)
                    if self.locals.get(text) is not None:
                        self.trail.append((text, self.locals[text]))
                        self.locals[text] = None
        value = self.unit
        for child in children:
            type_ = child.type
            given = self.read(child)
            if type_ not in SKIPPED and type_ not in ITEMS:
                value = given
        self.restore(mark)
        self.scope = scope
        return value

    def _statement(self, node: Node) -> int:
        value = -1
        for child in node.named_children:
            if child.type not in SKIPPED:
                value = self.read(child)
        if value == self.never:
            return value
        return self.unit if self.builder.source[node.end_byte - 1 : node.end_byte] == b";" else value

    def _let(self, node: Node) -> int:
        pattern, type_ = node.child_by_field_name("pattern"), node.child_by_field_name("type")
        value, alternative = node.child_by_field_name("value"), node.child_by_field_name("alternative")
        declared = self.instance(type_)
        given = self.read(value) if value is not None else -1
        if alternative is not None:
            self.read_block(alternative)
        if declared >= 0 and type_ is not None:
            if given >= 0 and "_" in self.builder.text(type_):
                declared = self.special("hole", declared, given)
            given = declared
        if pattern is not None and pattern.type == "identifier" and declared < 0:
            mutable = any(child.type == "mutable_specifier" for child in node.named_children)
            if mutable or value is None:
                self.bind_mutable(self.text(pattern), pattern, given if value is not None else self.never)
                return self.unit
        self.bind(pattern, given, refutable=alternative is not None)
        return self.unit

    def _condition(self, node: Node) -> int:
        for child in node.named_children:
            self.read(child)
        return self.boolean

    def _let_condition(self, node: Node) -> int:
        value = node.child_by_field_name("value")
        given = self.read(value) if value is not None else -1
        self.bind(node.child_by_field_name("pattern"), given, refutable=True)
        return self.boolean

    def _if(self, node: Node) -> int:
        results: list[int] = []
        current: Node | None = node
        while current is not None:
            mark = self.mark()
            condition = current.child_by_field_name("condition")
            consequence = current.child_by_field_name("consequence")
            alternative = current.child_by_field_name("alternative")
            if condition is not None:
                self.read(condition)
            results.append(self.read_block(consequence) if consequence is not None else -1)
            self.restore(mark)
            current = None
            if alternative is None:
                results.append(self.unit)
            else:
                for child in alternative.named_children:
                    if child.type == "if_expression":
                        current = child
                    elif child.type not in SKIPPED:
                        results.append(self.read(child))
        if self.unit in results:
            return self.unit
        return self.union(results)

    def _while(self, node: Node) -> int:
        mark = self.mark()
        condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
        if condition is not None:
            self.read(condition)
        if body is not None:
            self.read_block(body)
        self.restore(mark)
        return self.unit

    def _loop(self, node: Node) -> int:
        body = node.child_by_field_name("body")
        if body is not None:
            self.read_block(body)
        return -1

    def _for(self, node: Node) -> int:
        value, body = node.child_by_field_name("value"), node.child_by_field_name("body")
        given = self.read(value) if value is not None else -1
        mark = self.mark()
        element = self.builder.expression(Op.ITERATE, given) if given >= 0 else -1
        self.bind(node.child_by_field_name("pattern"), element)
        if body is not None:
            self.read_block(body)
        self.restore(mark)
        return self.unit

    def _match(self, node: Node) -> int:
        value, body = node.child_by_field_name("value"), node.child_by_field_name("body")
        given = self.read(value) if value is not None else -1
        results: list[int] = []
        for arm in body.named_children if body is not None else ():
            if arm.type == "match_arm":
                results.append(self.read_arm(arm, given))
        return self.union(results) if results else -1

    def read_arm(self, arm: Node, given: int) -> int:
        """One arm of a `match` on a value: what it gives."""
        mark = self.mark()
        pattern, value = arm.child_by_field_name("pattern"), arm.child_by_field_name("value")
        if pattern is not None:
            for child in pattern.named_children[:1]:
                guard = pattern.child_by_field_name("condition")
                if guard is None or child != guard:
                    self.bind(child, given, refutable=True)
            guard = pattern.child_by_field_name("condition")
            if guard is not None:
                self.read(guard)
        result = self.read(value) if value is not None else -1
        self.restore(mark)
        return result

    def _leave(self, node: Node) -> int:
        self._every(node)
        return self.never

    def _async(self, node: Node) -> int:
        return self.special("future", self._last(node))

    def _every(self, node: Node) -> int:
        for child in node.named_children:
            self.read(child)
        return -1

    def _last(self, node: Node) -> int:
        children = node.named_children
        if not children:
            return -1
        if len(children) == 1:
            return self.read(children[0])
        result = -1
        for child in children:
            if child.type != "mutable_specifier" and child.type not in SKIPPED:
                result = self.read(child)
        return result
