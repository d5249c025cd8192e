"""Expressions of Rust: one index for each, its references recorded as it is read, each node touched once.

Locals are settled here, where their order is known (a `let` hides what it follows; Rust reference, "Statements"): the
expression of a local is that of what it holds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tree_sitter import Node

from graph.extract.builder import FactBuilder
from graph.languages.rust.names import FIELD, METHOD, VALUE
from graph.languages.rust.patterns import Patterns
from graph.model import Op, ReferenceKind, ScopeKind

_CALL, _CONSTRUCT = int(ReferenceKind.CALL), int(ReferenceKind.CONSTRUCT)
_READ, _WRITE = int(ReferenceKind.READ), int(ReferenceKind.WRITE)

ITEMS = frozenset(
    "function_item function_signature_item struct_item union_item enum_item trait_item impl_item mod_item foreign_mod_item "
    "use_declaration extern_crate_declaration const_item static_item type_item macro_definition".split()
)
_SKIPPED = frozenset({"line_comment", "block_comment", "attribute_item", "inner_attribute_item", "empty_statement", "label"})
_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})
_GROWING = frozenset(
    {"push", "push_back", "push_front", "insert", "extend", "append", "extend_from_slice", "entry", "replace", "get_or_insert_with", "set"}
)
"""Methods whose arguments tell what a collection holds that was made empty."""

_BY_ARGUMENT = frozenset({"from", "try_from"})
"""Functions of which a type has many, told apart by what they are given."""


class Expressions(Patterns):
    """Reading of expressions and statements."""

    def __init__(self, builder: FactBuilder) -> None:
        super().__init__(builder)
        self.trail = []
        self.blocks: list[tuple[int, int, int, int]] = []
        """(start, end, scope, definition) of blocks that declare items."""
        self.never = builder.builtin("!")
        self.unit = builder.builtin("()")
        boolean, text = builder.builtin("bool"), builder.builtin("str")
        self._boolean = boolean
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
        for skipped in _SKIPPED | ITEMS:
            self._readers[skipped] = self._nothing

    def read(self, node: Node) -> int:
        """The expression index of a node; -1 when nothing is known of what it gives."""
        reader = self._readers.get(node.type)
        return reader(node) if reader is not None else self._every(node)

    def read_macro(self, node: Node) -> int:
        """A macro call."""
        raise NotImplementedError

    def union(self, values: Sequence[int]) -> int:
        """What one of several branches gives; those that never give anything do not count."""
        given = [value for value in values if value != self.never]
        return self.builder.union(given) if given else self.never

    # -- the simple ones ----------------------------------------------------------------------------------------------

    def _nothing(self, node: Node) -> int:
        return -1

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
            if child.type != "mutable_specifier" and child.type not in _SKIPPED:
                result = self.read(child)
        return result

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
        return self.builder.builtin("u8" if self.builder.source[node.start_byte : node.start_byte + 1] == b"b" else "char")

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
        sides = [self.read(child) for child in node.named_children if child.type not in _SKIPPED]
        if operator is None or len(sides) != 2:
            return -1
        if operator.type in _COMPARISONS:
            return self._boolean
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
        parts = [(child.type, self.read(child)) for child in node.named_children if child.type not in _SKIPPED]
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
        ends = [self.read(child) for child in node.named_children if child.type not in _SKIPPED]
        return self.special("range", ends[0] if ends else -1)

    def _tuple_display(self, node: Node) -> int:
        parts = [self.read(child) for child in node.named_children if child.type not in _SKIPPED]
        return self.builder.expression(Op.TUPLE, parts)

    def _array_display(self, node: Node) -> int:
        length = node.child_by_field_name("length")
        parts = [self.read(child) for child in node.named_children if child.type not in _SKIPPED]
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
                        values.append(self.builder.name(self.scope, VALUE + names[-1]) if local is None else local.value)
            elif child.type == "base_field_initializer":
                self._every(child)
        return -1 if path < 0 else self.special("struct", path, names, values)

    # -- calls --------------------------------------------------------------------------------------------------------

    def _call(self, node: Node) -> int:
        children = node.children
        function, arguments = children[0], children[-1]
        given = [child for child in arguments.named_children if child.type not in _SKIPPED]
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
            if child.type in _SKIPPED:
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

    # -- blocks and control flow --------------------------------------------------------------------------------------

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
        readers = self._readers
        for child in children:
            type_ = child.type
            reader = readers.get(type_)
            given = reader(child) if reader is not None else self._every(child)
            if type_ not in _SKIPPED and type_ not in ITEMS:
                value = given
        self.restore(mark)
        self.scope = scope
        return value

    def _statement(self, node: Node) -> int:
        value = -1
        for child in node.named_children:
            if child.type not in _SKIPPED:
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
        return self._boolean

    def _let_condition(self, node: Node) -> int:
        value = node.child_by_field_name("value")
        given = self.read(value) if value is not None else -1
        self.bind(node.child_by_field_name("pattern"), given, refutable=True)
        return self._boolean

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
                    elif child.type not in _SKIPPED:
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


__all__ = ["ITEMS", "Any", "Expressions"]
