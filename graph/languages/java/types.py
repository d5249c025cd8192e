"""Reading Java types: what they mention, and the type expression that stands for them.

Java has one name space each for variables, methods and types (JLS 6.5.1), so the names in expressions say which one is
meant: `name` a variable (and, where the syntax leaves it open, a type or a package), `name()` a method, `#name` a type,
`?name` a type or a package.
"""

from __future__ import annotations

from typing import NamedTuple

from tree_sitter import Node

from graph.extract.builder import FactBuilder
from graph.model import Op, ReferenceKind

TYPE_NODES = frozenset(
    {
        "type_identifier", "scoped_type_identifier", "generic_type", "array_type", "annotated_type", "integral_type",
        "floating_point_type", "boolean_type", "void_type",
    }
)  # fmt: skip
PRIMITIVE_NODES = frozenset({"integral_type", "floating_point_type", "boolean_type", "void_type"})
ANNOTATIONS = frozenset({"annotation", "marker_annotation"})
COMMENTS = frozenset({"line_comment", "block_comment"})

_TYPE, _RAISE = ReferenceKind.TYPE, ReferenceKind.RAISE


class ClassName(NamedTuple):
    """The class that a type names, taken apart: whoever knows the kind of the reference to it records it."""

    expression: int
    """The class without its type arguments; -1 when it is no class."""
    whole: int
    """The type expression with its type arguments."""
    node: Node | None
    """The node of its simple name."""
    qualifier_start: int
    """Byte offset of the text that selects it, -1 for a bare name."""
    diamond: bool
    """Whether the type arguments are left to be inferred (`<>`)."""


class Types:
    """Reads types in the scope that is innermost at the moment."""

    def __init__(self, builder: FactBuilder) -> None:
        self.builder = builder
        self.definition = 0
        """The definition that references stand in."""
        self.type_scope = builder.module_scope
        """The innermost scope that can bind a type."""

    def read_type(self, node: Node | None, kind: ReferenceKind = _TYPE) -> int:
        """The type expression of a type; the class that it names is a reference of the given kind."""
        if node is None:
            return -1
        node_type = node.type
        if node_type == "type_identifier" or node_type == "identifier":
            builder = self.builder
            name = builder.text(node)
            expression = builder.name(self.type_scope, "#" + name)
            builder.reference(kind, node, expression, self.definition, name=name)
            return expression
        if node_type in PRIMITIVE_NODES:
            return self.builder.builtin(self.builder.text(node))
        if node_type == "array_type":
            element = node.child_by_field_name("element")
            return self.array(self.read_type(element, kind), self.dimensions(node.child_by_field_name("dimensions")))
        if node_type == "wildcard":
            return self._wildcard(node)
        if node_type == "catch_type":
            return self.builder.union([self.read_type(child) for child in node.named_children])
        if node_type in ("annotated_type", "_unannotated_type"):
            result = -1
            for child in node.named_children:
                if child.type in ANNOTATIONS:
                    self.visit(child)
                else:
                    result = self.read_type(child, kind)
            return result
        if node_type in ("generic_type", "scoped_type_identifier", "scoped_identifier"):
            named = self.read_class_name(node)
            if named.node is not None:
                self.builder.reference(
                    kind, named.node, named.expression, self.definition, qualifier_start=named.qualifier_start
                )
            return named.whole
        return -1

    def read_class_name(self, node: Node) -> ClassName:
        """The class that a type names. Everything in it but the class's own simple name is recorded as references."""
        builder = self.builder
        kind = node.type
        if kind == "type_identifier" or kind == "identifier":
            expression = builder.name(self.type_scope, "#" + builder.text(node))
            return ClassName(expression, expression, node, -1, False)
        children = [child for child in node.named_children if child.type not in COMMENTS]
        if kind == "generic_type" and children:
            base = self.read_class_name(children[0])
            arguments = [child for child in children[1:] if child.type == "type_arguments"]
            given = [child for part in arguments for child in part.named_children if child.type not in COMMENTS]
            if not given:
                return ClassName(base.expression, base.expression, base.node, base.qualifier_start, bool(arguments))
            types = [self.read_type(child) for child in given]
            whole = builder.expression(Op.GENERIC, base.expression, types) if base.expression >= 0 else -1
            return ClassName(base.expression, whole, base.node, base.qualifier_start, False)
        if kind in ("scoped_type_identifier", "scoped_identifier") and len(children) > 1:
            for child in children[1:-1]:
                self.visit(child)
            outer = self.read_qualifier(children[0])
            expression = builder.attribute(outer, "#" + builder.text(children[-1]))
            return ClassName(expression, expression, children[-1], node.start_byte, False)
        if kind == "field_access" and len(children) > 1:
            expression = builder.attribute(self.read_qualifier(children[0]), "#" + builder.text(children[-1]))
            return ClassName(expression, expression, children[-1], node.start_byte, False)
        if kind == "annotated_type" and children:
            for child in children[:-1]:
                self.visit(child)
            return self.read_class_name(children[-1])
        return ClassName(-1, self.read_type(node), None, -1, False)

    def read_qualifier(self, node: Node) -> int:
        """What stands before the dot of a qualified type name: a type or a package (JLS 6.5.4).

        Only what is spelt like a type is a reference: packages are no definitions.
        """
        builder = self.builder
        kind = node.type
        if kind == "type_identifier" or kind == "identifier":
            name = builder.text(node)
            expression = builder.name(self.type_scope, "?" + name)
            if not name[:1].islower():
                builder.reference(_TYPE, node, expression, self.definition)
            return expression
        if kind in ("scoped_type_identifier", "scoped_identifier", "field_access"):
            children = [child for child in node.named_children if child.type not in COMMENTS]
            if len(children) < 2:
                return -1
            name = builder.text(children[-1])
            for child in children[1:-1]:
                self.visit(child)
            expression = builder.attribute(self.read_qualifier(children[0]), "?" + name)
            if not name[:1].islower():
                builder.reference(_TYPE, children[-1], expression, self.definition, qualifier_start=node.start_byte)
            return expression
        return self.read_type(node)

    def array(self, element: int, dimensions: int) -> int:
        """The type of arrays of a type, with that many dimensions."""
        for _ in range(dimensions):
            element = self.builder.builtin("[]", [element])
        return element

    def dimensions(self, node: Node | None) -> int:
        """The number of array dimensions that are written; annotations among them are read."""
        count = 0
        for child in () if node is None else node.children:
            if child.type == "[":
                count += 1
            elif child.type in ANNOTATIONS:
                self.visit(child)
        return count

    def extra_dimensions(self, node: Node) -> int:
        """The array dimensions written after the name of a variable or a parameter list."""
        return self.dimensions(node.child_by_field_name("dimensions"))

    def visit(self, node: Node, target: int = -1) -> int:
        """Read whatever stands there and give its value; the readers of expressions and statements fill this in."""
        raise NotImplementedError

    def _wildcard(self, node: Node) -> int:
        """A wildcard stands for its bound, upper or lower: what it is used for is reading or taking a value of it.

        `? extends Object` is as good as `?` (JLS 4.5.1).
        """
        anything = result = self.builder.builtin("?")
        lower = False
        for child in node.named_children:
            if child.type in ANNOTATIONS:
                self.visit(child)
            elif child.type == "super":
                lower = True
            else:
                result = self.read_type(child)
                if not lower and self.builder.text(child).rpartition(" ")[2] == "Object":
                    result = anything
        return result
