"""Reading the expressions that open a scope of their own: lambdas and comprehensions."""

from __future__ import annotations

from tree_sitter import Node

from graph.languages.python.conditions import Conditions
from graph.model import Op, ScopeKind

_COMPREHENSIONS = {"set_comprehension": "set", "generator_expression": "generator"}


class InnerScopes(Conditions):
    """Reads lambdas and comprehensions."""

    def read_lambda(self, node: Node, call: tuple[int, list[int], str] | None = None) -> int:
        """A lambda. `call` is the one that it is passed to: callee, arguments, and its position or keyword there."""
        outer = self.scope
        inner = self.builder.scope(outer, ScopeKind.FUNCTION, self.definition)
        body: Node | None = None
        for child in node.named_children:
            if child.type == "lambda_parameters":
                for position, parameter in enumerate(child.named_children):
                    value = -1
                    if call is not None and call[0] >= 0 and parameter.type == "identifier":
                        value = self.builder.expression(
                            Op.SPECIAL, "callback", call[0], list(call[1]), call[2], str(position)
                        )
                    self._read_lambda_parameter(parameter, inner, value)
            elif child.type != "comment":
                body = child
        self.scope = inner
        result = self.read(body)
        self.scope = outer
        return self.builder.expression(Op.FUNCTION_TYPE, result)

    def _read_lambda_parameter(self, node: Node, inner: int, value: int) -> None:
        name = node
        if node.type in ("default_parameter", "list_splat_pattern", "dictionary_splat_pattern"):
            children = node.named_children
            if not children:
                return
            name = children[0]
            if node.type == "default_parameter" and len(children) > 1:
                self.read(children[-1])
        if name.type == "identifier":
            self.builder.bind_local(inner, self.builder.text(name), value, name, self.definition, parameter=True)

    def read_comprehension(self, node: Node) -> int:
        """A comprehension: its first iterable is read outside of its scope, the element last (reference, 6.2.4)."""
        outer = self.scope
        inner = self.builder.scope(outer, ScopeKind.BLOCK, self.definition)
        body: Node | None = None
        first = True
        before: dict[int, int] | None = None
        for child in node.named_children:
            kind = child.type
            if kind == "for_in_clause":
                parts = [part for part in child.named_children if part.type != "comment"]
                if len(parts) < 2:
                    continue
                self.scope = outer if first else inner
                iterables = [self.read(part) for part in parts[1:]]
                self.scope = inner
                iterable = iterables[0] if len(iterables) == 1 else -1
                element = self.builder.expression(Op.ITERATE, iterable) if iterable >= 0 else -1
                self.bind_target(parts[0], element, local=True)
                first = False
            elif kind == "if_clause":
                self.scope = inner
                for part in child.named_children:
                    self.read(part)
                    if self.has_test(part):
                        before = dict(self.known) if before is None else before
                        self.narrow(self.tests(part)[0])
            elif body is None and kind != "comment":
                body = child
        self.scope = inner
        keys = values = -1
        if body is not None and body.type == "pair":
            children = body.named_children
            keys, values = self.read(children[0]), self.read(children[-1])
        else:
            values = self.read(body)
        self.scope = outer
        if before is not None:
            self.restore(before)
        if node.type == "dictionary_comprehension":
            return self.builder.expression(Op.SPECIAL, "dictionary", -1, [keys], [values])
        return self.builder.expression(Op.SPECIAL, "display", -1, _COMPREHENSIONS.get(node.type, "list"), [values])
