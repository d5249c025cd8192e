"""Operators: of values, of truth, and the conditional expression (Python reference, 6.5 to 6.13)."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from graph.languages.python.conditions import Narrowing
from graph.languages.python.inner_scopes import InnerScopes
from graph.model import Op

_PLAIN_TESTS = frozenset({"in", "is", "is not", "not in"})
_TESTS = 16
"""Most tests of one chain of `and` or `or` that are kept in mind."""


class Operators(InnerScopes):
    """Reads operators. What a test says holds while the operands behind it are read."""

    def read_conditional(self, node: Node) -> int:
        parts = [child for child in node.named_children if child.type != "comment"]
        if len(parts) != 3:
            for part in parts:
                self.read(part)
            return -1
        body, condition, other = parts
        if not self.has_test(condition):
            both = [self.read(part) for part in parts]
            return self.builder.union([both[0], both[2]])
        self.read(condition)
        true, false = self.tests(condition)
        values: list[int] = []
        for part, narrowings in ((body, true), (other, false)):
            before = dict(self.known)
            self.narrow(narrowings)
            values.append(self.read(part))
            self.restore(before)
        return self.builder.union(values)

    def read_boolean(self, node: Node) -> int:
        """`x and y`, `x or y`: what the operands before an operand say holds while that one is read."""
        operands = self._chain(node, "boolean_operator")
        if not self.has_test(node):
            return self.builder.union([self.read(operand) for _, operand in operands])
        before = dict(self.known)
        parts = [self.read(operands[0][1])]
        said = self.tests(operands[0][1])
        nothing: Sequence[Narrowing] = ()
        for operator, operand in operands[1:]:
            self.restore(before)
            self.narrow(said[0] if operator == "and" else said[1])
            parts.append(self.read(operand))
            true, false = self.tests(operand)
            if operator == "and":
                said = [*said[0], *true][-_TESTS:], nothing
            else:
                said = nothing, [*said[1], *false][-_TESTS:]
        self.restore(before)
        return self.builder.union(parts)

    def read_binary(self, node: Node) -> int:
        operands = self._chain(node, "binary_operator")
        parts = [self.read(operand) for _, operand in operands]
        left = parts[0] if parts else -1
        for (operator, _), right in zip(operands[1:], parts[1:], strict=True):
            left = self.builder.expression(Op.SPECIAL, "operator", left, operator, right)
        return left

    def _chain(self, node: Node, kind: str) -> list[tuple[str, Node]]:
        """(operator before, operand) of a left-leaning chain of operators, '' before the first, without recursion."""
        found: list[tuple[str, Node]] = []
        current = node
        while current.type == kind:
            children = [child for child in current.children if child.type != "comment"]
            if len(children) < 3:
                break
            found.append((children[1].type, children[-1]))
            current = children[0]
        found.append(("", current))
        found.reverse()
        return found

    def read_comparison(self, node: Node) -> int:
        """A comparison. Tests of identity and membership and `not` give a `bool`, others what methods give."""
        for child in node.named_children:
            self.read(child)
        plain = node.type == "not_operator" or all(
            child.is_named or child.type in _PLAIN_TESTS for child in node.children
        )
        return self.builder.builtin("bool") if plain else -1
