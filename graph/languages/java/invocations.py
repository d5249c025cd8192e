"""Reading Java expressions: what they use, and what they stand for.

Every reader takes a node and the expression of the value that its surroundings expect (-1: none), and gives the index
of its own expression (-1: nothing known), after recording the references in it.

Two operations carry their own index, because what they name and what they give are both remembered under it:

- `[CALL, callee, count, [arguments], expected, self, [type arguments]]`: a method invocation; names the chosen overload
  (the type arguments are there when they are written);
- `[SPECIAL, "new", type, [arguments], expected, self, diamond, anonymous class or -1]`: an instance creation.

Other operations of Java, all `[SPECIAL, word, ...]`:

- `lambda`: result, number of parameters, shape of the body (see `Shape`), whether the parameters' types are written,
  these types;
- `method-reference`: callee, expected, qualifier; `constructor-reference`: type, expected;
- `argument`: call, position: the value that the chosen method expects there;
- `parameter`: expected, position: what a functional interface passes there; `result`: what it wants back;
- `plus`, `arithmetic`: left, right; `case`: selector, name; `component`: record pattern, position;
- `statics`: imports of one static import; `element`: annotation type, element name.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from tree_sitter import Node

from graph.languages.java.bodies import Bodies, ClassFrame
from graph.languages.java.types import COMMENTS, TYPE_NODES, ClassName
from graph.model import BindingTag, Op, ReferenceKind

_CALL, _READ, _WRITE, _TYPE = ReferenceKind.CALL, ReferenceKind.READ, ReferenceKind.WRITE, ReferenceKind.TYPE
_CONSTRUCT, _RAISE = ReferenceKind.CONSTRUCT, ReferenceKind.RAISE

_EXPECTING = frozenset(
    {
        "lambda_expression", "method_reference", "method_invocation", "object_creation_expression",
        "ternary_expression", "parenthesized_expression", "switch_expression",
    }
)  # fmt: skip
"""Expressions whose meaning can hang on the type that is expected of them (JLS 15.2)."""


class Shape(IntEnum):
    """What the body of a lambda can be used for (JLS 15.27.2)."""

    VOID = 0
    """A block that gives no value."""
    VALUE = 1
    """A block or an expression that gives a value."""
    EITHER = 2
    """An expression that can stand as a statement, or a block that never ends normally."""


class Invocations(Bodies):
    """Reads names, calls, constructions and functions."""

    # -- names --------------------------------------------------------------------------------------------------------

    def read_identifier(self, node: Node, target: int, kind: ReferenceKind = _READ) -> int:
        """A bare name: a variable, or where it stands before a dot perhaps a type or a package (JLS 6.5.2)."""
        name = self.builder.text(node)
        local = self.function.locals.get(name)
        if local is not None:
            return local[0]
        if not name:
            return -1
        expression = self.variable(name)
        if kind == _READ and _spelt_like_a_type(name):
            kind = _TYPE
        self.builder.reference(kind, node, expression, self.definition, name=name)
        return expression

    def read_field_access(self, node: Node, target: int, kind: ReferenceKind = _READ) -> int:
        """`a.b`, `this.b`, `super.b`, `Outer.this`."""
        builder = self.builder
        object_ = node.child_by_field_name("object")
        field_ = node.child_by_field_name("field")
        if object_ is None or field_ is None:
            return self.read_children(node, target)
        if field_.type == "this":
            return self._outer_this(object_)
        receiver = self.read_receiver(object_, node)
        name = builder.text(field_)
        expression = builder.attribute(receiver, name)
        if kind == _READ and _spelt_like_a_type(name):
            kind = _TYPE
        builder.reference(kind, field_, expression, self.definition, qualifier_start=node.start_byte, name=name)
        return expression

    def read_receiver(self, node: Node, access: Node) -> int:
        """What stands before a dot. `Outer.super` comes as two nodes under the access."""
        if node.type == "super":
            return self.builder.expression(Op.SUPER, self.frame.definition)
        if any(child.type == "super" for child in access.children):
            named = self.read_type(node) if node.type == "identifier" else self.visit(node)
            frame = self._enclosing(node)
            if frame is not None:
                return self.builder.expression(Op.SUPER, frame.definition)
            return self.builder.instance(named)
        return self.visit(node)

    def _enclosing(self, node: Node) -> ClassFrame | None:
        name = self.builder.text(node)
        frame: ClassFrame | None = self.frame
        while frame is not None:
            if frame.name == name:
                return frame
            frame = frame.outer
        return None

    def _outer_this(self, node: Node) -> int:
        named = self.read_type(node) if node.type == "identifier" else self.visit(node)
        frame = self._enclosing(node)
        if frame is not None:
            return self.builder.expression(Op.SELF, frame.definition)
        return self.builder.instance(named)

    def read_this(self, node: Node, target: int) -> int:
        """`this`."""
        return self.builder.expression(Op.SELF, self.frame.definition) if self.frame.definition else -1

    def read_super(self, node: Node, target: int) -> int:
        """`super` as the qualifier of a method reference."""
        return self.builder.expression(Op.SUPER, self.frame.definition) if self.frame.definition else -1

    # -- calls and constructions --------------------------------------------------------------------------------------

    def read_invocation(self, node: Node, target: int) -> int:
        """A method invocation (JLS 15.12)."""
        builder = self.builder
        name_node = node.child_by_field_name("name")
        arguments = node.child_by_field_name("arguments")
        object_ = node.child_by_field_name("object")
        if name_node is None or name_node.start_byte == name_node.end_byte:
            return self.read_children(node, target)
        name = builder.text(name_node)
        key = name + "()"
        start = -1
        if object_ is None:
            callee = builder.name(self.frame.scope, key)
        else:
            callee = builder.attribute(self.read_receiver(object_, node), key)
            start = node.start_byte
        types = node.child_by_field_name("type_arguments")
        given = [self.read_type(child) for child in types.named_children] if types is not None else None
        expression, count = self._call(callee, arguments, target)
        if given:
            builder.expressions[expression].append(given)
        builder.reference(
            _CALL, name_node, expression, self.definition, arguments=count, qualifier_start=start, name=name
        )
        return expression

    def _call(self, callee: int, arguments: Node | None, target: int) -> tuple[int, int]:
        """The expression of a call, with its number of arguments."""
        builder = self.builder
        expression = len(builder.expressions)
        values: list[int] = []
        operation: list[Any] = [int(Op.CALL), callee, 0, values, target, expression]
        builder.expressions.append(operation)
        count = operation[2] = self.read_arguments(arguments, expression, values)
        return expression, count

    def read_arguments(self, node: Node | None, call: int, values: list[int]) -> int:
        """Read the arguments of a call into a list; their number."""
        if node is not None:
            for child in node.named_children:
                kind = child.type
                if kind in COMMENTS:
                    continue
                target = -1
                if kind in _EXPECTING:
                    target = self.builder.expression(Op.SPECIAL, "argument", call, len(values))
                values.append(self.visit(child, target))
        return len(values)

    def read_constructor_call(self, node: Node, target: int) -> int:
        """`this(...)`, `super(...)`, `outer.super(...)`."""
        builder = self.builder
        name_node = node.child_by_field_name("constructor")
        object_ = node.child_by_field_name("object")
        if object_ is not None:
            self.visit(object_)
        for child in node.named_children:
            if child.type == "type_arguments":
                for one in child.named_children:
                    self.read_type(one)
        own = name_node is not None and name_node.type == "this"
        receiver = builder.expression(Op.SELF if own else Op.SUPER, self.frame.definition)
        expression, count = self._call(
            builder.attribute(receiver, "<init>()"), node.child_by_field_name("arguments"), -1
        )
        if name_node is not None:
            builder.reference(_CALL, name_node, expression, self.definition, arguments=count)
        return -1

    def read_creation(self, node: Node, target: int, kind: ReferenceKind = _CONSTRUCT) -> int:
        """`new Foo(...)`, with or without a class body (JLS 15.9)."""
        builder = self.builder
        type_node = node.child_by_field_name("type")
        body: Node | None = None
        outer = -1
        for child in node.named_children:
            child_type = child.type
            if child_type == "class_body":
                body = child
            elif type_node is not None and child.end_byte <= type_node.start_byte:
                if child_type == "type_arguments":
                    for one in child.named_children:
                        self.read_type(one)
                elif child_type not in COMMENTS:
                    outer = self.visit(child)
        if type_node is None:
            return self.read_children(node, target)
        qualified = outer >= 0 and type_node.type in ("type_identifier", "generic_type")
        named = self._inner_class(type_node, outer) if qualified else self.read_class_name(type_node)
        expression = len(builder.expressions)
        values: list[int] = []
        operation = [int(Op.SPECIAL), "new", named.whole, values, target, expression, int(named.diamond), -1]
        builder.expressions.append(operation)
        count = self.read_arguments(node.child_by_field_name("arguments"), expression, values)
        if named.node is not None:
            builder.reference(
                kind, named.node, expression, self.definition, arguments=count, qualifier_start=named.qualifier_start
            )
        if body is not None:
            operation[7] = self.declare_anonymous(body, named.whole)
        return expression

    def _inner_class(self, node: Node, outer: int) -> ClassName:
        """The class of `outer.new Inner()`: a member type of the outer value's class."""
        name_node = node
        if node.type == "generic_type" and node.named_children:
            name_node = node.named_children[0]
        named = self.read_class_name(node) if name_node is not node else None
        expression = self.builder.attribute(outer, "#" + self.builder.text(name_node))
        diamond = named is not None and named.diamond
        return ClassName(expression, expression, name_node, node.start_byte, diamond)

    def declare_anonymous(self, body: Node, base: int) -> int:
        """Declare the anonymous class of a body; its members are read later."""
        raise NotImplementedError

    # -- functions as values ------------------------------------------------------------------------------------------

    def read_lambda(self, node: Node, target: int) -> int:
        """A lambda expression (JLS 15.27). Parameters without a type get theirs from what is expected."""
        builder, function = self.builder, self.function
        parameters = node.child_by_field_name("parameters")
        body = node.child_by_field_name("body")
        mark = self.mark()
        count, explicit = 0, 1
        types: list[int] = []
        if parameters is not None and parameters.type == "formal_parameters":
            count, explicit = self._explicit_parameters(parameters, target, types)
        elif parameters is not None:
            names = [parameters] if parameters.type == "identifier" else parameters.named_children
            for name in names:
                if name.type == "identifier":
                    value = builder.expression(Op.SPECIAL, "parameter", target, count) if target >= 0 else -1
                    self.bind_local(name, value, parameter=True)
                    count += 1
            explicit = int(count == 0)
        outer = function.returns, function.return_target
        function.returns = []
        wanted = function.return_target = builder.expression(Op.SPECIAL, "result", target) if target >= 0 else -1
        result, shape = -1, Shape.VOID
        if body is not None and body.type == "block":
            self.visit(body)
            if function.returns:
                result, shape = builder.union(function.returns), Shape.VALUE
            elif _never_ends(body):
                shape = Shape.EITHER
        elif body is not None:
            result = self.visit(body, wanted)
            shape = Shape.EITHER if _can_stand_as_statement(body) else Shape.VALUE
        function.returns, function.return_target = outer
        self.release(mark)
        return builder.expression(Op.SPECIAL, "lambda", result, count, int(shape), explicit, types)

    def _explicit_parameters(self, node: Node, target: int, found: list[int]) -> tuple[int, int]:
        """Bind parameters with a type; those typed `var` get theirs from what is expected."""
        builder = self.builder
        types = [child.child_by_field_name("type") for child in node.named_children if child.type == "formal_parameter"]
        if types and all(type_ is not None and builder.text(type_) == "var" for type_ in types):
            names = [child.child_by_field_name("name") for child in node.named_children]
            for position, name in enumerate(name for name in names if name is not None):
                value = builder.expression(Op.SPECIAL, "parameter", target, position) if target >= 0 else -1
                self.bind_local(name, value, parameter=True)
            return len(types), 0
        found.extend(self.array(entry[1], entry[3]) for entry in self.read_parameters(node))
        return len(found), 1

    def read_method_reference(self, node: Node, target: int) -> int:
        """`Foo::bar`, `this::bar`, `super::bar`, `Foo::new`, `int[]::new` (JLS 15.13)."""
        builder = self.builder
        children = [child for child in node.children if child.type not in COMMENTS]
        if len(children) < 2:
            return self.read_children(node, target)
        left, last = children[0], children[-1]
        for child in children[1:-1]:
            if child.type == "type_arguments":
                for one in child.named_children:
                    self.read_type(one)
        if last.type == "new":
            if left.type == "array_type":
                return builder.expression(Op.SPECIAL, "constructor-reference", self.read_type(left), target)
            named = self.read_class_name(left)
            expression = builder.expression(Op.SPECIAL, "constructor-reference", named.whole, target)
            if named.node is not None:
                self.reference(_CONSTRUCT, named.node, expression, named.qualifier_start)
            return expression
        outer_super = any(child.type == "super" for child in children[1:-1])
        qualifier = (
            self.read_receiver(left, node) if left.type == "super" or outer_super
            else self.read_type(left) if left.type in TYPE_NODES or self._names_type_parameter(left)
            else self.visit(left)
        )  # fmt: skip
        if last.type != "identifier":
            return -1
        callee = builder.attribute(qualifier, builder.text(last) + "()")
        expression = builder.expression(Op.SPECIAL, "method-reference", callee, target, qualifier)
        self.reference(_READ, last, expression, node.start_byte)
        return expression

    def _names_type_parameter(self, node: Node) -> bool:
        """Whether a bare name is a type parameter, which no expression but a method reference can start with."""
        if node.type != "identifier" or self.builder.text(node) in self.function.locals:
            return False
        found = self.builder.local_binding(self.type_scope, "#" + self.builder.text(node))
        return found is not None and all(tag == BindingTag.VALUE for tag, _ in found[1])

    def read_children(self, node: Node, target: int) -> int:
        """Whatever has no reader of its own: its parts."""
        for child in node.named_children:
            self.visit(child)
        return -1


def _spelt_like_a_type(name: str) -> bool:
    """Whether a name before a dot is shown as one of a type rather than of a variable; what it is, linking says."""
    return name[:1].isupper() and (len(name) == 1 or not name.isupper())


def _can_stand_as_statement(node: Node) -> bool:
    """Whether an expression may stand as a statement (JLS 14.8)."""
    return node.type in (
        "method_invocation", "object_creation_expression", "assignment_expression", "update_expression",
    )  # fmt: skip


def _never_ends(block: Node) -> bool:
    """Whether a block without a `return` of a value ends with a `throw`, or never does (JLS 14.22, simplified)."""
    statements = [child for child in block.named_children if child.type not in COMMENTS]
    if not statements:
        return False
    last = statements[-1]
    if last.type == "while_statement":
        condition = last.child_by_field_name("condition")
        return condition is not None and condition.named_child_count == 1 and condition.named_children[0].type == "true"
    return last.type == "throw_statement"
