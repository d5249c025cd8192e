"""Expressions of Rust: one index for each, its references recorded as it is read, each node touched once.

Source of the rules: the Rust reference, "Expressions".
"""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from graph.extract.builder import FactBuilder
from graph.languages.rust.calls import Calls
from graph.languages.rust.names import FIELD, VALUE
from graph.languages.rust.reading import ITEMS, SKIPPED
from graph.model import Op, ReferenceKind

_CALL, _CONSTRUCT = int(ReferenceKind.CALL), int(ReferenceKind.CONSTRUCT)
_READ, _WRITE = int(ReferenceKind.READ), int(ReferenceKind.WRITE)
_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})


class Expressions(Calls):
    """Reading of expressions."""

    def __init__(self, builder: FactBuilder) -> None:
        super().__init__(builder)
        boolean, text = self.boolean, builder.builtin("str")
        self._readers: dict[str, Callable[[Node], int]] = {
            "identifier": self._identifier,
            "self": self._self,
            "call_expression": self._call,
            "field_expression": self._field,
            "scoped_identifier": self._value_path,
            "generic_function": self._value_path,
            "reference_expression": self._last,
            "parenthesized_expression": self._last,
            "unsafe_block": self._last,
            "const_block": self._last,
            "try_block": self._every,
            "gen_block": self._every,
            "macro_invocation": self.read_macro,
            "expression_statement": self._statement,
            "let_declaration": self._let,
            "block": self.read_block,
            "string_literal": lambda node: text,
            "raw_string_literal": lambda node: text,
            "char_literal": self._character,
            "boolean_literal": lambda node: boolean,
            "integer_literal": self._number,
            "float_literal": self._number,
            "negative_literal": self._last,
            "binary_expression": self._binary,
            "unary_expression": self._unary,
            "try_expression": self._try,
            "await_expression": self._await,
            "index_expression": self._index,
            "assignment_expression": self._assignment,
            "compound_assignment_expr": self._compound,
            "type_cast_expression": self._cast,
            "range_expression": self._range,
            "tuple_expression": self._tuple_display,
            "unit_expression": lambda node: self.unit,
            "array_expression": self._array_display,
            "struct_expression": self._struct_expression,
            "async_block": self._async,
            "if_expression": self._if,
            "let_chain": self._condition,
            "let_condition": self._let_condition,
            "while_expression": self._while,
            "loop_expression": self._loop,
            "for_expression": self._for,
            "match_expression": self._match,
            "closure_expression": self._bare_closure,
            "return_expression": self._leave,
            "break_expression": self._leave,
            "continue_expression": self._leave,
            "yield_expression": self._every,
        }
        for skipped in SKIPPED | ITEMS:
            self._readers[skipped] = self._nothing

    def read(self, node: Node) -> int:
        """The expression index of a node; -1 when nothing is known of what it gives."""
        reader = self._readers.get(node.type)
        return reader(node) if reader is not None else self._every(node)

    def read_macro(self, node: Node) -> int:
        """A macro call."""
        raise NotImplementedError

    def _nothing(self, node: Node) -> int:
        return -1

    def _identifier(self, node: Node) -> int:
        name = self.text(node)
        local = self.locals.get(name)
        if local is not None:
            return local.value
        return self.path(node, VALUE, _READ)

    def _self(self, node: Node) -> int:
        local = self.locals.get("self")
        return -1 if local is None else local.value

    def _value_path(self, node: Node) -> int:
        return self.path(node, VALUE, _READ)

    def _character(self, node: Node) -> int:
        return self.builder.builtin(
            "u8" if self.builder.source[node.start_byte : node.start_byte + 1] == b"b" else "char"
        )

    def _number(self, node: Node) -> int:
        text = self.builder.text(node)
        if text.startswith(("0x", "0X")):
            text = text.replace("_", "")
            for suffix in ("usize", "isize", "u128", "i128", "u16", "u32", "u64", "i16", "i32", "i64", "u8", "i8"):
                if text.endswith(suffix):
                    return self.builder.builtin(suffix)
            return self.builder.builtin("integer")
        for position, character in enumerate(text):
            if character in "uif":
                return self.builder.builtin(text[position:])
        return self.builder.builtin("float" if node.type == "float_literal" else "integer")

    def _binary(self, node: Node) -> int:
        operator = node.child_by_field_name("operator")
        sides = [self.read(child) for child in node.named_children if child.type not in SKIPPED]
        if operator is None or len(sides) != 2:
            return -1
        if operator.type in _COMPARISONS:
            return self.boolean
        return self.special("operator", sides[0], sides[1], operator.type)

    def _unary(self, node: Node) -> int:
        value = self._last(node)
        if value >= 0 and self.builder.source[node.start_byte : node.start_byte + 1] == b"*":
            return self.special("dereference", value)
        return value

    def _try(self, node: Node) -> int:
        value = self._last(node)
        return -1 if value < 0 else self.special("try", value)

    def _await(self, node: Node) -> int:
        value = self._last(node)
        return -1 if value < 0 else self.builder.expression(Op.AWAIT, value)

    def _index(self, node: Node) -> int:
        parts = [(child.type, self.read(child)) for child in node.named_children if child.type not in SKIPPED]
        if len(parts) != 2 or parts[0][1] < 0:
            return -1
        if parts[1][0] == "range_expression":
            return self.special("slice", parts[0][1])
        return self.builder.expression(Op.INDEX, parts[0][1], parts[1][1])

    def _assignment(self, node: Node) -> int:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        value = self.read(right) if right is not None else -1
        if left is not None:
            self._assign(left, value)
        return self.unit

    def _compound(self, node: Node) -> int:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if right is not None:
            self.read(right)
        if left is not None:
            self._assign(left, -1, evidence=False)
        return self.unit

    def _assign(self, left: Node, value: int, *, evidence: bool = True) -> None:
        type_ = left.type
        if type_ == "identifier":
            name = self.text(left)
            local = self.locals.get(name)
            if local is None:
                self.path(left, VALUE, _WRITE)
            elif evidence and local.slot is not None:
                local.slot[3].append([value])
        elif type_ == "field_expression":
            self._field(left, _WRITE)
        elif type_ == "scoped_identifier":
            self.path(left, VALUE, _WRITE)
        else:
            self.read(left)

    def _cast(self, node: Node) -> int:
        value = node.child_by_field_name("value")
        if value is not None:
            self.read(value)
        return self.instance(node.child_by_field_name("type"))

    def _range(self, node: Node) -> int:
        ends = [self.read(child) for child in node.named_children if child.type not in SKIPPED]
        return self.special("range", ends[0] if ends else -1)

    def _tuple_display(self, node: Node) -> int:
        parts = [self.read(child) for child in node.named_children if child.type not in SKIPPED]
        return self.builder.expression(Op.TUPLE, parts)

    def _array_display(self, node: Node) -> int:
        length = node.child_by_field_name("length")
        parts = [self.read(child) for child in node.named_children if child.type not in SKIPPED]
        if length is not None:
            parts = parts[:1]
        return self.special("array", parts[0] if parts else -1)

    def _field(self, node: Node, kind: int = _READ) -> int:
        children = node.children
        value, field = children[0], children[-1]
        receiver = self.read(value)
        name = self.text(field)
        expression = self.builder.attribute(receiver, FIELD + name)
        if field.type == "field_identifier":
            self.refer(kind, field, expression, name, -1, value.start_byte)
        return expression

    def _struct_expression(self, node: Node) -> int:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        path = self.path(name, "", _CONSTRUCT)
        shape = self.special("shape", path) if path >= 0 else -1
        names: list[str] = []
        values: list[int] = []
        for child in body.named_children if body is not None else ():
            if child.type == "field_initializer":
                field, value = child.child_by_field_name("field"), child.child_by_field_name("value")
                if field is not None:
                    names.append(self.text(field))
                    if field.type != "integer_literal":
                        self.refer(_WRITE, field, self.builder.attribute(shape, FIELD + names[-1]), names[-1])
                    values.append(self.read(value) if value is not None else -1)
            elif child.type == "shorthand_field_initializer":
                for field in child.named_children:
                    if field.type == "identifier":
                        names.append(self.text(field))
                        self.refer(_WRITE, field, self.builder.attribute(shape, FIELD + names[-1]), names[-1])
                        local = self.locals.get(names[-1])
                        values.append(
                            self.builder.name(self.scope, VALUE + names[-1]) if local is None else local.value
                        )
            elif child.type == "base_field_initializer":
                self._every(child)
        return -1 if path < 0 else self.special("struct", path, names, values)
