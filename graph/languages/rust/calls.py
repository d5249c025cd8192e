"""Calls and closures of Rust.

Source of the rules: the Rust reference, "Call expressions", "Method-call expressions", "Closure expressions".
"""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from graph.languages.rust.flow import Flow
from graph.languages.rust.names import METHOD, VALUE
from graph.languages.rust.reading import SKIPPED
from graph.model import Op, ReferenceKind

_CALL, _CONSTRUCT = int(ReferenceKind.CALL), int(ReferenceKind.CONSTRUCT)
_GROWING = frozenset(
    {
        "push",
        "push_back",
        "push_front",
        "insert",
        "extend",
        "append",
        "extend_from_slice",
        "entry",
        "replace",
        "get_or_insert_with",
        "set",
    }
)
"""Methods whose arguments tell what a collection holds that was made empty."""
_BY_ARGUMENT = frozenset({"from", "try_from"})
"""Functions of which a type has many, told apart by what they are given."""


class Calls(Flow):
    """Reading of calls and closures."""

    def _call(self, node: Node) -> int:
        children = node.children
        function, arguments = children[0], children[-1]
        given = [child for child in arguments.named_children if child.type not in SKIPPED]
        type_ = function.type
        if type_ == "field_expression":
            callee = self._method(function, len(given))
            values = self._arguments(given, callee)
            receiver = function.children[0]
            if values and receiver.type == "identifier":
                local = self.locals.get(self.text(receiver))
                if local is not None and local.slot is not None:
                    method = self.text(function.children[-1])
                    if method in _GROWING:
                        local.slot[3].append([-1, method, *values])
            return self.builder.call(callee, values)
        if type_ == "scoped_identifier":
            name = function.children[-1]
            if self.text(name) in _BY_ARGUMENT:
                callee = self.path(function, VALUE, _CALL, arguments=len(given), outer=False)
                values = self._arguments(given, callee)
                if callee >= 0:
                    callee = self.special("applied", callee, values)
                self.refer(_CALL, name, callee, self.text(name), len(given), function.start_byte)
                return self.builder.call(callee, values)
        callee = self._callee(function, len(given))
        return self.builder.call(callee, self._arguments(given, callee))

    def _arguments(self, nodes: Sequence[Node], callee: int) -> list[int]:
        values: list[int] = []
        for node in nodes:
            if node.type == "closure_expression":
                values.append(self._closure(node, callee, len(values), values))
            else:
                values.append(self.read(node))
        return values

    def _callee(self, function: Node, count: int) -> int:
        type_ = function.type
        if type_ == "identifier":
            name = self.text(function)
            local = self.locals.get(name)
            if local is not None:
                definition = self.local_definition(local, name)
                self.refer(_CALL, function, self.builder.expression(Op.DEFINITION, definition), name, count)
                return local.value
            return self.path(function, VALUE, _CALL, arguments=count)
        if type_ == "field_expression":
            return self._method(function, count)
        if type_ == "scoped_identifier":
            return self.path(function, VALUE, _CALL, arguments=count)
        if type_ == "generic_function":
            inner = function.child_by_field_name("function")
            if inner is not None and inner.type == "field_expression":
                base = self._method(inner, count)
                return self.applied(base, function.child_by_field_name("type_arguments"))
            return self.path(function, VALUE, _CALL, arguments=count)
        return self.read(function)

    def _method(self, node: Node, count: int) -> int:
        children = node.children
        value, field = children[0], children[-1]
        receiver = self.read(value)
        name = self.text(field)
        expression = self.builder.attribute(receiver, METHOD + name)
        if field.type == "field_identifier":
            self.refer(_CALL, field, expression, name, count, value.start_byte)
        return expression

    def _bare_closure(self, node: Node) -> int:
        return self._closure(node, -1, 0, ())

    def _closure(self, node: Node, callee: int, position: int, before: Sequence[int]) -> int:
        """A closure. Its parameters without a type take it from the function that it is passed to."""
        mark = self.mark()
        parameters = node.child_by_field_name("parameters")
        types: list[int] = []
        for child in parameters.named_children if parameters is not None else ():
            if child.type in SKIPPED:
                continue
            expected = -1
            if callee >= 0:
                expected = self.builder.expression(Op.CALLBACK, callee, position, len(types), list(before))
            declared = -1
            pattern: Node | None = child
            if child.type == "parameter":
                pattern = child.child_by_field_name("pattern")
                declared = self.instance(child.child_by_field_name("type"))
            types.append(declared if declared >= 0 else expected)
            self.bind(pattern, types[-1], parameter=True)
        result = node.child_by_field_name("return_type")
        declared = -1 if result is None else self.instance(result)
        body = node.child_by_field_name("body")
        value = self.read(body) if body is not None else -1
        self.restore(mark)
        value = declared if declared >= 0 else value
        if any(child.type == "async" for child in node.children[:3]):
            value = self.special("future", value)
        return self.special("fn", -1, types, value)
