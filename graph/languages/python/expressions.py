"""Reading Python expressions: what they use, and what they stand for.

Every method takes a node and gives the index of its expression (-1: nothing known), after recording the references in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set

from tree_sitter import Node, Parser, Range

from graph.extract.builder import FactBuilder
from graph.extract.sweep import grammar
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


_NO_NAMES: frozenset[str] = frozenset()
_NO_PARAMETERS: Mapping[str, int] = {}


class Frame:
    """An open class or function (or the module) while the statements inside are read."""

    __slots__ = (
        "class_definition", "conditional_end", "definition", "end", "globals", "is_class", "is_generator", "returns",
        "scope", "self_is_class", "self_name", "type_parameters", "yields",
    )  # fmt: skip

    def __init__(self, end: int, scope: int, definition: int, *, class_definition: int = -1, is_class: bool = False) -> None:
        self.end = end
        """Byte offset at which it ends."""
        self.scope = scope
        self.definition = definition
        self.is_class = is_class
        self.class_definition = class_definition
        """The class whose method this is, or the class itself; -1 outside of classes."""
        self.self_name = ""
        """Name of the parameter that holds the instance, '' when there is none."""
        self.self_is_class = False
        """Whether that parameter holds the class (a classmethod)."""
        self.globals: Set[str] = _NO_NAMES
        """Names that a `global` statement sends to the module."""
        self.type_parameters: Mapping[str, int] = _NO_PARAMETERS
        """Name -> expression of the type parameters in force here."""
        self.returns: list[int] = []
        self.yields: list[int] = []
        self.is_generator = False
        self.conditional_end = -1
        """Byte offset up to which definitions in this frame are conditional."""


class Expressions:
    """Reads expressions in the frame that is innermost at the moment."""

    def __init__(self, builder: FactBuilder) -> None:
        self.builder = builder
        self.frames: list[Frame] = [Frame(len(builder.source), builder.module_scope, 0)]
        self.scope = builder.module_scope
        self.definition = 0
        self._own_name = ""
        self._own = -1
        self.type_variables: set[str] = set()
        """Module-level names that are assigned a `TypeVar`."""
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
        if kind == "comment":
            return -1
        for child in node.named_children:
            self.read(child)
        return -1

    # -- names and members --------------------------------------------------------------------------------------------

    def read_identifier(self, node: Node) -> int:
        builder = self.builder
        text = builder.text(node)
        if text == self._own_name:
            return self._own
        expression = builder.name(self.scope, text)
        builder.reference(_READ, node, expression, self.definition, name=text)
        return expression

    def own_name(self, text: str) -> int:
        """The expression of `self` or `cls` where the name is that of an enclosing method's first parameter, else -1."""
        return self._own if text == self._own_name else -1

    def refresh_own(self) -> None:
        """Find out anew which name is the receiver here, after a frame was opened or closed."""
        self._own_name, self._own = "", -1
        for frame in reversed(self.frames):
            if frame.is_class:
                return
            if frame.self_name:
                self._own_name = frame.self_name
                if frame.self_is_class:
                    self._own = self.builder.expression(Op.SPECIAL, "class", -1, frame.class_definition)
                else:
                    self._own = self.builder.expression(Op.SELF, frame.class_definition)
                return

    def read_attribute(self, node: Node, kind: int = _READ, arguments: int = -1) -> int:
        """A member access. Chains of any length are read in a loop, not by recursion."""
        builder = self.builder
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
            if name is None or name.type != "identifier":
                expression = -1
                continue
            text = builder.text(name)
            expression = builder.attribute(expression, text)
            use, count = (_READ, -1) if position else (kind, arguments)
            builder.reference(
                use, name, expression, self.definition, arguments=count, qualifier_start=start, name=text
            )
        return expression

    def read_subscript(self, node: Node) -> int:
        children = node.named_children
        if not children:
            return -1
        value = self.read(children[0])
        indices = [self.read(child) for child in children[1:]]
        index = indices[0] if len(indices) == 1 else -1
        return -1 if value < 0 else self.builder.expression(Op.INDEX, value, index)

    # -- calls --------------------------------------------------------------------------------------------------------

    def read_call(self, node: Node) -> int:
        """A call. A chain `a.b().c()` recurses once per call, which frames of pure Python code can bear."""
        children = node.named_children
        if len(children) < 2:
            return self.read(children[0]) if children else -1
        callee_node, arguments_node = children[0], children[-1]
        builder = self.builder
        callee_kind = callee_node.type
        positional, count = self._arguments_of(arguments_node)
        if callee_kind == "identifier":
            text = builder.text(callee_node)
            if text == "super":
                return self._read_super(callee_node, [child for child, _ in positional])
            callee = self.own_name(text)
            if callee < 0:
                callee = builder.name(self.scope, text)
                builder.reference(_CALL, callee_node, callee, self.definition, arguments=count, name=text)
            if text == "cast" and len(positional) == 2:
                type_ = self.read_type(positional[0][0])
                self.read(positional[1][0])
                return builder.call(callee, [type_])
        elif callee_kind == "attribute":
            callee = self.read_attribute(callee_node, _CALL, count)
        else:
            callee = self.read(callee_node)
        arguments: list[int] = []
        for child, kind in positional:
            if kind == "keyword_argument":
                self.read_keyword(child)
            else:
                arguments.append(self.read(child))
        return builder.call(callee, arguments)

    def _arguments_of(self, node: Node) -> tuple[list[tuple[Node, str]], int]:
        """(argument, its node type) of a call, and their number; -1 where a splat makes it unknown."""
        if node.type == "generator_expression":
            return [(node, "generator_expression")], 1
        found: list[tuple[Node, str]] = []
        splat = False
        for child in node.named_children:
            kind = child.type
            if kind != "comment":
                splat = splat or kind == "list_splat" or kind == "dictionary_splat"
                found.append((child, kind))
        return found, -1 if splat else len(found)

    def _read_super(self, callee: Node, positional: list[Node]) -> int:
        self.builder.reference(
            ReferenceKind.CALL, callee, self.builder.name(self.scope, "super"), self.definition, arguments=len(positional)
        )
        for child in positional:
            self.read(child)
        for frame in reversed(self.frames):
            if frame.class_definition >= 0:
                return self.builder.expression(Op.SUPER, frame.class_definition)
        return -1

    def read_keyword(self, node: Node) -> int:
        children = node.named_children
        return self.read(children[-1]) if len(children) > 1 else -1

    # -- literals -----------------------------------------------------------------------------------------------------

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

    # -- operators ----------------------------------------------------------------------------------------------------

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

    def read_conditional(self, node: Node) -> int:
        parts = [self.read(child) for child in node.named_children if child.type != "comment"]
        return self.builder.union([parts[0], parts[-1]]) if len(parts) == 3 else -1

    def read_boolean(self, node: Node) -> int:
        parts = self._operands(node, "boolean_operator")
        return self.builder.union(parts)

    def read_binary(self, node: Node) -> int:
        parts = self._operands(node, "binary_operator")
        return self.builder.expression(Op.SPECIAL, "operator", parts[0] if parts else -1)

    def _operands(self, node: Node, kind: str) -> list[int]:
        """The operands of a left-leaning chain of operators, read in a loop."""
        rights: list[Node] = []
        current = node
        while current.type == kind:
            children = [child for child in current.named_children if child.type != "comment"]
            if not children:
                break
            rights.extend(reversed(children[1:]))
            current = children[0]
        parts = [self.read(current)] if current.type != kind else []
        parts.extend([self.read(right) for right in reversed(rights)])
        return parts

    def read_comparison(self, node: Node) -> int:
        for child in node.named_children:
            self.read(child)
        return self.builder.builtin("bool")

    def read_named(self, node: Node) -> int:
        children = node.named_children
        value = self.read(children[-1]) if len(children) > 1 else -1
        if children and children[0].type == "identifier":
            self.bind_target(children[0], value)
        return value

    def read_yield(self, node: Node) -> int:
        children = node.named_children
        value = self.read(children[0]) if children else self.builder.builtin("None")
        frame = self.frames[-1]
        frame.is_generator = True
        text = self.builder.source[node.start_byte : node.start_byte + 12]
        if text.startswith(b"yield from"):
            frame.yields.append(self.builder.expression(Op.ITERATE, value) if value >= 0 else -1)
        else:
            frame.yields.append(value)
        return -1

    def read_as_pattern(self, node: Node) -> int:
        children = node.named_children
        value = self.read(children[0]) if children else -1
        return value

    # -- scopes inside expressions ------------------------------------------------------------------------------------

    def read_lambda(self, node: Node) -> int:
        outer = self.scope
        inner = self.builder.scope(outer, ScopeKind.FUNCTION, self.definition)
        body: Node | None = None
        for child in node.named_children:
            if child.type == "lambda_parameters":
                for parameter in child.named_children:
                    self._read_lambda_parameter(parameter, inner)
            elif child.type != "comment":
                body = child
        self.scope = inner
        result = self.read(body)
        self.scope = outer
        return self.builder.expression(Op.FUNCTION_TYPE, result)

    def _read_lambda_parameter(self, node: Node, inner: int) -> None:
        name = node
        if node.type in ("default_parameter", "list_splat_pattern", "dictionary_splat_pattern"):
            children = node.named_children
            if not children:
                return
            name = children[0]
            if node.type == "default_parameter" and len(children) > 1:
                self.read(children[-1])
        if name.type == "identifier":
            self.builder.bind_local(inner, self.builder.text(name), -1, name, self.definition, parameter=True)

    def read_comprehension(self, node: Node) -> int:
        """A comprehension: the first iterable is read outside of its scope, the element last (Python reference, 6.2.4)."""
        outer = self.scope
        inner = self.builder.scope(outer, ScopeKind.BLOCK, self.definition)
        body: Node | None = None
        first = True
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
        if node.type == "dictionary_comprehension":
            return self.builder.expression(Op.SPECIAL, "dictionary", -1, [keys], [values])
        return self.builder.expression(Op.SPECIAL, "display", -1, "list", [values])

    # -- targets ------------------------------------------------------------------------------------------------------

    def bind_target(
        self, node: Node, value: int, *, declared: int = -1, local: bool = False, augmented: bool = False
    ) -> None:
        """Bind what stands on the left of an assignment. `declared` is the value of its declared type."""
        raise NotImplementedError

    # -- types --------------------------------------------------------------------------------------------------------

    def read_type_value(self, node: Node) -> int:
        return self.builder.instance(self.read_type(node))

    def read_type(self, node: Node | None) -> int:
        """A type expression: an annotation, a base class, an argument of a generic type."""
        if node is None:
            return -1
        kind = node.type
        builder = self.builder
        if kind == "type" or kind == "parenthesized_expression":
            children = node.named_children
            return self.read_type(children[0]) if children else -1
        if kind == "identifier":
            text = builder.text(node)
            expression = builder.name(self.scope, text)
            builder.reference(ReferenceKind.TYPE, node, expression, self.definition)
            return self._type_name(text, expression)
        if kind == "attribute" or kind == "member_type":
            return self.read_attribute(node, ReferenceKind.TYPE)
        if kind == "generic_type" or kind == "subscript":
            return self._read_generic(node)
        if kind == "binary_operator" or kind == "union_type":
            return builder.union([self.read_type(child) for child in node.named_children])
        if kind == "none":
            return builder.builtin("None")
        if kind == "string":
            return self._read_quoted_type(node)
        if kind == "list" or kind == "tuple" or kind == "expression_list":
            return builder.expression(Op.TUPLE, [self.read_type(child) for child in node.named_children])
        if kind in ("splat_type", "list_splat", "constrained_type", "type_parameter"):
            parts = [self.read_type(child) for child in node.named_children]
            return parts[0] if parts else -1
        if kind == "ellipsis":
            return builder.builtin("ellipsis")
        self.read(node)
        return -1

    def _type_name(self, text: str, expression: int) -> int:
        for frame in reversed(self.frames):
            known = frame.type_parameters.get(text)
            if known is not None:
                return known
        if text == "Self":
            for frame in reversed(self.frames):
                if frame.class_definition >= 0:
                    return self.builder.expression(Op.SPECIAL, "class", -1, frame.class_definition)
        return expression

    def _read_generic(self, node: Node) -> int:
        children = node.named_children
        if not children:
            return -1
        base = self.read_type(children[0])
        name = self.builder.text(children[0]).rsplit(".", 1)[-1]
        nodes: list[Node] = []
        for child in children[1:]:
            nodes.extend(child.named_children if child.type == "type_parameter" else [child])
        if name == "Literal":
            for child in nodes:
                self.read(child)
            return self.builder.builtin("str")
        if name == "Annotated" and nodes:
            result = self.read_type(nodes[0])
            for child in nodes[1:]:
                self.read(child.named_children[0] if child.type == "type" and child.named_children else child)
            return result
        return self.builder.expression(Op.GENERIC, base, [self.read_type(child) for child in nodes])

    def _read_quoted_type(self, node: Node) -> int:
        """A forward reference: the text of the string is parsed as a type, in place, so that its ranges are right."""
        content = [child for child in node.named_children if child.type == "string_content"]
        if len(content) != 1 or content[0].named_child_count or content[0].end_byte - content[0].start_byte > 2000:
            return -1
        start, end = content[0].start_byte, content[0].end_byte
        text = self.builder.source[start:end]
        if b"\n" in text or b"\\" in text:
            return -1
        place = Range(content[0].start_point, content[0].end_point, start, end)
        tree = Parser(grammar("python"), included_ranges=[place]).parse(self.builder.source)
        root = tree.root_node
        if root.has_error or root.named_child_count != 1:
            return -1
        return self.read_type(root.named_children[0])

