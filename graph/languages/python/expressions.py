"""Reading Python expressions: what they use, and what they stand for.

Every method takes a node and gives the index of its expression (-1: nothing known), after recording the references.
"""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from graph.extract.builder import FactBuilder
from graph.languages.python.operators import Operators
from graph.model import Op, ReferenceKind, ScopeKind

_QUOTES = frozenset(b"\"'")
_READ, _CALL = int(ReferenceKind.READ), int(ReferenceKind.CALL)
_LITERALS = {
    "integer": "int",
    "float": "float",
    "true": "bool",
    "false": "bool",
    "none": "None",
    "ellipsis": "ellipsis",
}
_ELSEWHERE = frozenset(
    """
    block case_clause class_definition comment decorated_definition decorator elif_clause else_clause except_clause
    finally_clause function_definition with_clause with_item
    """.split()
)
"""What is read on its own; where the source is damaged, it can stand in the middle of an expression."""


class Expressions(Operators):
    """Reads expressions in the frame that is innermost at the moment."""

    def __init__(self, builder: FactBuilder) -> None:
        super().__init__(builder)
        self._readers: dict[str, Callable[[Node], int]] = {
            "identifier": self.read_identifier,
            "attribute": self.read_attribute,
            "call": self.read_call,
            "subscript": self.read_subscript,
            "string": self.read_string,
            "concatenated_string": self.read_concatenated,
            "await": self.read_await,
            "lambda": self.read_lambda,
            "list_comprehension": self.read_comprehension,
            "set_comprehension": self.read_comprehension,
            "dictionary_comprehension": self.read_comprehension,
            "generator_expression": self.read_comprehension,
            "conditional_expression": self.read_conditional,
            "boolean_operator": self.read_boolean,
            "binary_operator": self.read_binary,
            "comparison_operator": self.read_comparison,
            "not_operator": self.read_comparison,
            "list": self.read_display,
            "set": self.read_display,
            "tuple": self.read_tuple,
            "expression_list": self.read_tuple,
            "dictionary": self.read_dictionary,
            "parenthesized_expression": self.read_parenthesized,
            "named_expression": self.read_named,
            "yield": self.read_yield,
            "keyword_argument": self.read_keyword,
            "as_pattern": self.read_as_pattern,
            "type": self.read_type_value,
        }

    def read(self, node: Node | None) -> int:
        """Any expression."""
        if node is None:
            return -1
        kind = node.type
        reader = self._readers.get(kind)
        if reader is not None:
            return reader(node)
        literal = _LITERALS.get(kind)
        if literal is not None:
            return self.builder.builtin(literal)
        if kind in _ELSEWHERE:
            return -1
        for child in node.named_children:
            self.read(child)
        return -1

    def read_identifier(self, node: Node) -> int:
        builder = self.builder
        text = builder.text(node)
        if text == self._own_name:
            return self.own_value
        expression = self.seen(text)
        builder.reference(_READ, node, expression, self.definition, name=text)
        return self.known.get(expression, expression) if self.known else expression

    def read_attribute(self, node: Node, kind: int = _READ, arguments: int = -1) -> int:
        """A member access. Chains of any length are read in a loop, not by recursion."""
        children = node.named_children
        if len(children) == 2 and children[0].type != "attribute":
            return self._read_member(self.read(children[0]), children[1], kind, arguments, node.start_byte)
        names: list[Node | None] = []
        current: Node | None = node
        while current is not None and current.type == "attribute":
            children = current.named_children
            names.append(children[-1] if len(children) > 1 else None)
            current = children[0] if children else None
        expression = self.read(current)
        start = node.start_byte
        last = len(names) - 1
        for position in range(last, -1, -1):
            name = names[position]
            if name is None:
                expression = -1
            elif position:
                expression = self._read_member(expression, name, _READ, -1, start)
            else:
                expression = self._read_member(expression, name, kind, arguments, start)
        return expression

    def _read_member(self, owner: int, name: Node, kind: int, arguments: int, start: int) -> int:
        if name.type != "identifier":
            return -1
        builder = self.builder
        text = builder.text(name)
        expression = builder.attribute(owner, self.private(text) if text[:2] == "__" else text)
        builder.reference(
            kind, name, expression, self.definition, arguments=arguments, qualifier_start=start, name=text
        )
        if text == "__class__":
            return builder.expression(Op.SPECIAL, "type", owner)
        return self.known.get(expression, expression) if self.known else expression

    def read_subscript(self, node: Node) -> int:
        children = node.named_children
        if not children:
            return -1
        value = self.read(children[0])
        builder = self.builder
        if len(children) == 2 and value >= 0:
            kind = children[1].type
            if kind == "integer" and (digits := builder.text(children[1])).isdecimal():
                return builder.expression(Op.SPECIAL, "item", value, digits)
            if kind == "slice":
                self.read(children[1])
                return builder.expression(Op.SPECIAL, "slice", value)
        indices = [self.read(child) for child in children[1:]]
        index = indices[0] if len(indices) == 1 else builder.expression(Op.TUPLE, indices)
        return -1 if value < 0 else builder.expression(Op.INDEX, value, index)

    def read_call(self, node: Node) -> int:
        """A call. A chain `a.b().c()` recurses once per call, which frames of pure Python code can bear."""
        children = node.named_children
        if len(children) < 2:
            return self.read(children[0]) if children else -1
        callee_node, arguments_node = children[0], children[-1]
        callee_kind = callee_node.type
        text = self.builder.text(callee_node) if callee_kind == "identifier" else ""
        if text == "super" or text == "cast":
            special = self._read_special_call(text, callee_node, arguments_node)
            if special is not None:
                return special
        arguments: list[int] = []
        lambdas: list[tuple[int, str, Node]] = []
        count = self._read_arguments(arguments_node, arguments, lambdas)
        if text:
            callee = self.own_name(text)
            if callee < 0:
                callee = self.seen(text)
                self.builder.reference(_CALL, callee_node, callee, self.definition, arguments=count, name=text)
                callee = self.known.get(callee, callee)
        elif callee_kind == "attribute":
            callee = self.read_attribute(callee_node, _CALL, count)
        else:
            callee = self.read(callee_node)
        for position, place, child in lambdas:
            # Last, since what their parameters are may follow from the callee and the other arguments.
            value = self.read_lambda(child, (callee, arguments, place))
            if position >= 0:
                arguments[position] = value
        return self.builder.call(callee, arguments)

    def _read_arguments(self, node: Node, arguments: list[int], lambdas: list[tuple[int, str, Node]]) -> int:
        """Read the arguments of a call, but for lambdas; gives their number, -1 where a splat makes it unknown."""
        if node.type == "generator_expression":
            arguments.append(self.read_comprehension(node))
            return 1
        count = 0
        splat = False
        read = self.read
        for child in node.named_children:
            kind = child.type
            count += 1
            if kind == "keyword_argument":
                parts = child.named_children
                if len(parts) > 1:
                    if parts[-1].type == "lambda":
                        lambdas.append((-1, self.builder.text(parts[0]), parts[-1]))
                    else:
                        read(parts[-1])
            elif kind == "lambda":
                lambdas.append((len(arguments), str(len(arguments)), child))
                arguments.append(-1)
            elif kind == "comment":
                count -= 1
            else:
                splat = splat or kind == "list_splat" or kind == "dictionary_splat"
                arguments.append(read(child))
        return -1 if splat else count

    def _read_special_call(self, name: str, callee: Node, arguments: Node) -> int | None:
        """`super(...)` and `cast(type, value)`; None for a call of `cast` that is not of that form."""
        nodes = [child for child in arguments.named_children if child.type != "comment"]
        if name == "super":
            return self._read_super(callee, nodes)
        if len(nodes) != 2:
            return None
        expression = self.seen(name)
        self.builder.reference(_CALL, callee, expression, self.definition, arguments=2, name=name)
        type_ = self.read_type(nodes[0])
        self.read(nodes[1])
        return self.builder.call(expression, [type_])

    def _read_super(self, callee: Node, positional: list[Node]) -> int:
        self.builder.reference(
            ReferenceKind.CALL,
            callee,
            self.builder.name(self.scope, "super"),
            self.definition,
            arguments=len(positional),
        )
        arguments = [self.read(child) for child in positional]
        for frame in reversed(self.frames):
            if frame.class_definition >= 0:
                named = self.builder.text(positional[0]) if positional else ""
                if not named or named == self.builder.definitions[frame.class_definition].name:
                    return self.builder.expression(Op.SUPER, frame.class_definition)
                # `super(Other, self)` goes on behind that class, which need not be the one around the call.
                return self.builder.expression(Op.SPECIAL, "super", arguments[0], frame.class_definition)
        return -1

    def read_keyword(self, node: Node) -> int:
        children = node.named_children
        return self.read(children[-1]) if len(children) > 1 else -1

    def read_string(self, node: Node) -> int:
        place = node.start_byte
        if self.builder.source[place] in _QUOTES:
            return self.builder.builtin("str")
        start = self.builder.source[place : place + 2].lower()
        if b"f" in start or b"t" in start:
            for child in node.named_children:
                if child.type == "interpolation":
                    for part in child.named_children:
                        self._read_interpolated(part)
        return self.builder.builtin("bytes" if b"b" in start.split(b'"')[0].split(b"'")[0] else "str")

    def _read_interpolated(self, node: Node) -> None:
        if node.type in ("format_specifier", "format_expression"):
            for part in node.named_children:
                self._read_interpolated(part)
        elif node.type != "type_conversion":
            self.read(node)

    def read_concatenated(self, node: Node) -> int:
        for child in node.named_children:
            self.read(child)
        return self.builder.builtin("str")

    def read_display(self, node: Node) -> int:
        parts = [self.read(child) for child in node.named_children]
        return self.builder.expression(Op.SPECIAL, "display", -1, node.type, list(dict.fromkeys(parts))[:16])

    def read_tuple(self, node: Node) -> int:
        parts: list[int] = []
        splat = False
        for child in node.named_children:
            parts.append(self.read(child))
            splat = splat or child.type == "list_splat"
        return -1 if splat or len(parts) > 64 else self.builder.expression(Op.TUPLE, parts)

    def read_dictionary(self, node: Node) -> int:
        keys: list[int] = []
        values: list[int] = []
        for pair in node.named_children:
            children = pair.named_children
            if pair.type == "pair" and len(children) >= 2:
                keys.append(self.read(children[0]))
                values.append(self.read(children[-1]))
            else:
                self.read(pair)
                values.append(-1)
        return self.builder.expression(
            Op.SPECIAL, "dictionary", -1, list(dict.fromkeys(keys))[:16], list(dict.fromkeys(values))[:16]
        )

    def read_parenthesized(self, node: Node) -> int:
        result = -1
        for child in node.named_children:
            if child.type != "comment":
                result = self.read(child)
        return result

    def read_await(self, node: Node) -> int:
        children = node.named_children
        value = self.read(children[0]) if children else -1
        return -1 if value < 0 else self.builder.expression(Op.AWAIT, value)

    def read_named(self, node: Node) -> int:
        children = node.named_children
        value = self.read(children[-1]) if len(children) > 1 else -1
        if children and children[0].type == "identifier":
            inner = self.scope
            while self.builder.scopes[self.scope][1] == ScopeKind.BLOCK:
                # In a comprehension the target belongs to the scope around (PEP 572).
                self.scope = self.builder.scopes[self.scope][0]
            self.bind_target(children[0], value)
            self.forget(self.builder.name(self.scope, self.builder.text(children[0])))
            self.scope = inner
        return value

    def read_yield(self, node: Node) -> int:
        children = node.named_children
        value = self.read(children[0]) if children else self.builder.builtin("None")
        frame = self.frames[-1]
        frame.is_generator = True
        text = self.builder.source[node.start_byte : node.start_byte + 12]
        if text.startswith(b"yield from"):
            frame.yields.append(self.builder.expression(Op.ITERATE, value) if value >= 0 else -1)
            return -1
        frame.yields.append(value)
        declared = self.builder.definitions[frame.definition].type
        return self.builder.expression(Op.SPECIAL, "sent", declared) if declared >= 0 and frame.is_function else -1

    def read_as_pattern(self, node: Node) -> int:
        children = node.named_children
        return self.read(children[0]) if children else -1
