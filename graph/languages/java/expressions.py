"""Reading Java expressions: literals, operators, arrays, assignments. Calls and functions are in `invocations`."""

from __future__ import annotations

from tree_sitter import Node

from graph.languages.java.invocations import Invocations
from graph.languages.java.types import ANNOTATIONS, COMMENTS
from graph.model import Op, ReferenceKind

_CALL, _READ, _WRITE, _TYPE = ReferenceKind.CALL, ReferenceKind.READ, ReferenceKind.WRITE, ReferenceKind.TYPE
_CONSTRUCT, _RAISE = ReferenceKind.CONSTRUCT, ReferenceKind.RAISE
_LITERALS = {
    "decimal_integer_literal": "int", "hex_integer_literal": "int", "octal_integer_literal": "int",
    "binary_integer_literal": "int", "decimal_floating_point_literal": "double", "hex_floating_point_literal": "double",
    "true": "boolean", "false": "boolean", "character_literal": "char", "string_literal": "java.lang.String",
    "null_literal": "null",
}  # fmt: skip
_BOOLEAN_OPERATORS = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})


class Expressions(Invocations):
    """Reads expressions."""

    def read_literal(self, node: Node, target: int) -> int:
        """A literal (JLS 3.10): its type is evident."""
        kind = node.type
        name = _LITERALS[kind]
        if name == "int" and self.builder.source[node.end_byte - 1] in b"lL":
            name = "long"
        elif name == "double" and self.builder.source[node.end_byte - 1] in b"fF":
            name = "float"
        return self.builder.builtin(name)

    def read_binary(self, node: Node, target: int) -> int:
        """A binary operation. Pattern variables of its left side are in force on its right."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator_node = node.child_by_field_name("operator")
        if left is None or right is None or operator_node is None:
            return self.read_children(node, target)
        operator = operator_node.type
        builder = self.builder
        first, second = self.visit(left), self.visit(right)
        if operator in _BOOLEAN_OPERATORS:
            return builder.builtin("boolean")
        if operator == "+":
            string = builder.builtin("java.lang.String")
            if string in (first, second):
                return string
            return builder.expression(Op.SPECIAL, "plus", first, second)
        if operator in ("<<", ">>", ">>>"):
            return builder.expression(Op.SPECIAL, "arithmetic", first, first)
        return builder.expression(Op.SPECIAL, "arithmetic", first, second)

    def read_unary(self, node: Node, target: int) -> int:
        """`!x`, `-x`, `~x`, `+x`."""
        operand = node.child_by_field_name("operand")
        operator = node.child_by_field_name("operator")
        if operand is None or operator is None:
            return self.read_children(node, target)
        if operator.type == "!":
            function = self.function
            negated, function.negated = function.negated, not function.negated
            self.visit(operand)
            function.negated = negated
            return self.builder.builtin("boolean")
        value = self.visit(operand)
        return self.builder.expression(Op.SPECIAL, "arithmetic", value, value)

    def read_update(self, node: Node, target: int) -> int:
        """`x++`, `--x`."""
        result = -1
        for child in node.named_children:
            if child.type not in COMMENTS:
                result = self.read_target(child)
        return result

    def read_assignment(self, node: Node, target: int) -> int:
        """`left = right` and the compound assignments."""
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return self.read_children(node, target)
        value = self.read_target(left)
        self.visit(right, value)
        return value

    def read_target(self, node: Node) -> int:
        """The variable that is assigned to."""
        kind = node.type
        if kind == "identifier":
            return self.read_identifier(node, -1, _WRITE)
        if kind == "field_access":
            return self.read_field_access(node, -1, _WRITE)
        if kind == "parenthesized_expression" and node.named_child_count == 1:
            return self.read_target(node.named_children[0])
        return self.visit(node)

    def read_cast(self, node: Node, target: int) -> int:
        """`(Foo) x`, `(Foo & Bar) x`: a value of the first type."""
        value = node.child_by_field_name("value")
        types = [self.read_type(child) for child in node.children_by_field_name("type")]
        result = self.builder.instance(types[0]) if types else -1
        if value is not None:
            self.visit(value, result)
        return result

    def read_ternary(self, node: Node, target: int) -> int:
        """`a ? b : c`."""
        condition = node.child_by_field_name("condition")
        parts = [node.child_by_field_name("consequence"), node.child_by_field_name("alternative")]
        if condition is not None:
            self.visit(condition)
        return self.builder.union([self.visit(part, target) for part in parts if part is not None])

    def read_parenthesized(self, node: Node, target: int) -> int:
        """`(x)`."""
        result = -1
        for child in node.named_children:
            if child.type not in COMMENTS:
                result = self.visit(child, target)
        return result

    def read_index(self, node: Node, target: int) -> int:
        """`a[i]`."""
        array, index = node.child_by_field_name("array"), node.child_by_field_name("index")
        value = self.visit(array) if array is not None else -1
        position = self.visit(index) if index is not None else -1
        return self.builder.expression(Op.INDEX, value, position) if value >= 0 else -1

    def read_array_creation(self, node: Node, target: int) -> int:
        """`new Foo[n]`, `new Foo[] {...}`."""
        type_ = self.read_type(node.child_by_field_name("type"))
        dimensions = 0
        value = node.child_by_field_name("value")
        for child in node.named_children:
            if child.type == "dimensions_expr":
                dimensions += 1
                self.read_children(child, -1)
            elif child.type == "dimensions":
                dimensions += self.dimensions(child)
            elif child.type in ANNOTATIONS:
                self.visit(child)
        if value is not None:
            self.read_array_initializer(value, self.builder.instance(self.array(type_, dimensions)))
        return self.builder.instance(self.array(type_, dimensions))

    def read_array_initializer(self, node: Node, target: int) -> int:
        """`{a, b}`: values of the element type of what is expected."""
        element = self.builder.expression(Op.INDEX, target, -1) if target >= 0 else -1
        for child in node.named_children:
            if child.type not in COMMENTS:
                self.visit(child, element)
        return target

    def read_class_literal(self, node: Node, target: int) -> int:
        """`Foo.class`: a value of `Class<Foo>`."""
        types = [self.read_type(child) for child in node.named_children if child.type not in COMMENTS]
        return self.builder.builtin("java.lang.Class", types[:1])
