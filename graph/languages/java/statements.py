"""Reading Java statements: which local names they bring into force, and for how long (JLS 6.3)."""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from graph.extract.builder import FactBuilder
from graph.languages.java.expressions import Expressions
from graph.languages.java.types import ANNOTATIONS, COMMENTS, TYPE_NODES
from graph.model import BindingTag, Op, ReferenceKind

_RAISE, _READ, _DECORATE = ReferenceKind.RAISE, ReferenceKind.READ, ReferenceKind.DECORATE
_LEAVING = frozenset(
    {"return_statement", "throw_statement", "break_statement", "continue_statement", "yield_statement"}
)
_DECLARATIONS = (
    "method_declaration", "constructor_declaration", "compact_constructor_declaration", "field_declaration",
    "constant_declaration", "annotation_type_element_declaration", "static_initializer", "enum_constant",
    "class_body", "interface_body", "enum_body", "annotation_type_body", "import_declaration", "package_declaration",
    "module_declaration", "line_comment", "block_comment",
)  # fmt: skip
"""Nodes that are read on their own, or not at all."""


class Statements(Expressions):
    """Reads statements, and through them whole bodies."""

    def __init__(self, builder: FactBuilder) -> None:
        super().__init__(builder)
        self._readers: dict[str, Callable[[Node, int], int]] = {
            "identifier": self.read_identifier,
            "field_access": self.read_field_access,
            "this": self.read_this,
            "super": self.read_super,
            "method_invocation": self.read_invocation,
            "explicit_constructor_invocation": self.read_constructor_call,
            "object_creation_expression": self.read_creation,
            "lambda_expression": self.read_lambda,
            "method_reference": self.read_method_reference,
            "binary_expression": self.read_binary,
            "unary_expression": self.read_unary,
            "update_expression": self.read_update,
            "assignment_expression": self.read_assignment,
            "cast_expression": self.read_cast,
            "ternary_expression": self.read_ternary,
            "parenthesized_expression": self.read_parenthesized,
            "array_access": self.read_index,
            "array_creation_expression": self.read_array_creation,
            "array_initializer": self.read_array_initializer,
            "class_literal": self.read_class_literal,
            "instanceof_expression": self._instanceof,
            "switch_expression": self._switch,
            "annotation": self._annotation,
            "marker_annotation": self._annotation,
            "block": self._block,
            "constructor_body": self._block,
            "expression_statement": self._plain,
            "local_variable_declaration": self._local,
            "return_statement": self._return,
            "yield_statement": self._yield,
            "throw_statement": self._throw,
            "if_statement": self._if,
            "for_statement": self._scoped,
            "while_statement": self._scoped,
            "do_statement": self._scoped,
            "synchronized_statement": self._scoped,
            "enhanced_for_statement": self._for_each,
            "try_statement": self._scoped,
            "try_with_resources_statement": self._scoped,
            "resource": self._resource,
            "catch_clause": self._catch,
            "labeled_statement": self._labeled,
            "break_statement": self._nothing,
            "continue_statement": self._nothing,
            "class_declaration": self._local_class,
            "interface_declaration": self._local_class,
            "enum_declaration": self._local_class,
            "record_declaration": self._local_class,
            "annotation_type_declaration": self._local_class,
            "ERROR": self._damaged,
        }
        for kind in (
            "decimal_integer_literal", "hex_integer_literal", "octal_integer_literal", "binary_integer_literal",
            "decimal_floating_point_literal", "hex_floating_point_literal", "true", "false", "character_literal",
            "string_literal", "null_literal",
        ):  # fmt: skip
            self._readers[kind] = self.read_literal
        for kind in TYPE_NODES:
            self._readers[kind] = self._type
        for kind in _DECLARATIONS:
            self._readers[kind] = self._nothing

    def visit(self, node: Node, target: int = -1) -> int:
        """Read a statement or an expression; what stands in it without a reader is passed through."""
        return self._readers.get(node.type, self.read_children)(node, target)

    # -- simple statements --------------------------------------------------------------------------------------------

    def _nothing(self, node: Node, target: int) -> int:
        return -1

    def _type(self, node: Node, target: int) -> int:
        return self.read_type(node)

    def _plain(self, node: Node, target: int) -> int:
        result = -1
        for child in node.named_children:
            if child.type not in COMMENTS:
                result = self.visit(child, target)
        return result

    def _damaged(self, node: Node, target: int) -> int:
        self.damaged.add(node.start_byte)
        return self.read_children(node, -1)

    def _labeled(self, node: Node, target: int) -> int:
        for child in node.named_children[1:]:
            self.visit(child)
        return -1

    def _return(self, node: Node, target: int) -> int:
        function = self.function
        for child in node.named_children:
            if child.type not in COMMENTS:
                mark = self.mark()
                function.returns.append(self.visit(child, function.return_target))
                self.release(mark)
        return -1

    def _yield(self, node: Node, target: int) -> int:
        function = self.function
        for child in node.named_children:
            if child.type not in COMMENTS:
                function.yields.append(self.visit(child, function.yield_target))
        return -1

    def _throw(self, node: Node, target: int) -> int:
        """In `throw new E(...)` the construction is the RAISE reference."""
        for child in node.named_children:
            if child.type == "object_creation_expression":
                self.read_creation(child, -1, _RAISE)
            else:
                self.visit(child)
        return -1

    # -- local names --------------------------------------------------------------------------------------------------

    def _local(self, node: Node, target: int) -> int:
        builder = self.builder
        type_node = node.child_by_field_name("type")
        children = node.named_children
        if children and children[0].type == "modifiers":
            self.read_modifiers(children[0])
        inferred = type_node is not None and type_node.type == "type_identifier" and builder.text(type_node) == "var"
        type_ = -1 if inferred else self.read_type(type_node)
        for child in children:
            if child.type != "variable_declarator":
                if child.type == "ERROR":
                    self.visit(child)
                continue
            name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
            declared = builder.instance(self.array(type_, self.extra_dimensions(child)))
            given = self.visit(value, declared) if value is not None else -1
            if name is not None:
                self.bind_local(name, given if inferred else declared)
        return -1

    def _resource(self, node: Node, target: int) -> int:
        """A resource of `try`: a local variable, or a variable that is there already (JLS 14.20.3)."""
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None:
            return self.read_children(node, -1)
        builder = self.builder
        type_node = node.child_by_field_name("type")
        inferred = type_node is not None and builder.text(type_node) == "var"
        declared = -1 if inferred else builder.instance(self.read_type(type_node))
        given = self.visit(value, declared) if value is not None else -1
        self.bind_local(name, given if inferred else declared)
        return -1

    def _local_class(self, node: Node, target: int) -> int:
        self.declare_type(node)
        return -1

    def declare_type(self, node: Node) -> None:
        """Declare the class of a type declaration; its members are read later."""
        raise NotImplementedError

    # -- blocks -------------------------------------------------------------------------------------------------------

    def _block(self, node: Node, target: int) -> int:
        function = self.function
        mark = self.mark()
        types, type_scope = function.types, self.type_scope
        for child in node.named_children:
            self._statement(child)
        function.types, self.type_scope = types, type_scope
        self.release(mark)
        return -1

    def _statement(self, node: Node) -> None:
        """One statement of a block. Only declarations, and `if` in some forms, bring names into force after them."""
        kind = node.type
        if kind == "local_variable_declaration" or kind == "if_statement":
            self.visit(node)
            return
        mark = self.mark()
        self.visit(node)
        if self.mark() != mark and kind != "ERROR":
            self.release(mark)

    def _scoped(self, node: Node, target: int) -> int:
        """A statement whose own names (loop variables, resources, pattern variables) end with it."""
        mark = self.mark()
        for child in node.named_children:
            self.visit(child)
        self.release(mark)
        return -1

    def _if(self, node: Node, target: int) -> int:
        """`if`: names of patterns that hold when the condition is false live on if the branch leaves (JLS 6.3.2.2)."""
        function = self.function
        mark = self.mark()
        outer, function.negative_pattern = function.negative_pattern, False
        condition = node.child_by_field_name("condition")
        if condition is not None:
            self.visit(condition)
        negative, function.negative_pattern = function.negative_pattern, outer
        consequence, alternative = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
        for branch in (consequence, alternative):
            if branch is not None:
                self._branch(branch)
        if not (negative and alternative is None and consequence is not None and _leaves(consequence)):
            self.release(mark)
        return -1

    def _branch(self, node: Node) -> None:
        mark = self.mark()
        self.visit(node)
        self.release(mark)

    def _for_each(self, node: Node, target: int) -> int:
        """`for (T x : values)`."""
        builder = self.builder
        mark = self.mark()
        type_node, name = node.child_by_field_name("type"), node.child_by_field_name("name")
        value, body = node.child_by_field_name("value"), node.child_by_field_name("body")
        children = node.named_children
        if children and children[0].type == "modifiers":
            self.read_modifiers(children[0])
        given = self.visit(value) if value is not None else -1
        if type_node is not None and builder.text(type_node) == "var":
            element = builder.expression(Op.ITERATE, given) if given >= 0 else -1
        else:
            element = builder.instance(self.array(self.read_type(type_node), self.extra_dimensions(node)))
        if name is not None:
            self.bind_local(name, element)
        if body is not None:
            self.visit(body)
        self.release(mark)
        return -1

    def _catch(self, node: Node, target: int) -> int:
        mark = self.mark()
        for child in node.named_children:
            if child.type == "catch_formal_parameter":
                types = [part for part in child.named_children if part.type == "catch_type"]
                name = child.child_by_field_name("name")
                type_ = self.builder.union([self.read_type(part) for part in types])
                if name is not None:
                    self.bind_local(name, self.builder.instance(type_))
            else:
                self.visit(child)
        self.release(mark)
        return -1

    # -- patterns -----------------------------------------------------------------------------------------------------

    def _instanceof(self, node: Node, target: int) -> int:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        pattern, name = node.child_by_field_name("pattern"), node.child_by_field_name("name")
        value = self.visit(left) if left is not None else -1
        if right is not None:
            type_ = self.read_type(right)
            if name is not None:
                self._bind_pattern(name, self.builder.instance(type_))
        if pattern is not None:
            self._pattern(pattern, value)
        return self.builder.builtin("boolean")

    def _bind_pattern(self, name: Node, value: int) -> None:
        function = self.function
        function.negative_pattern = function.negative_pattern or function.negated
        self.bind_local(name, value)

    def _pattern(self, node: Node, value: int) -> None:
        """A pattern that is matched against a value (JLS 14.30)."""
        kind = node.type
        children = [child for child in node.named_children if child.type not in COMMENTS]
        if kind == "record_pattern" and children:
            type_ = self.read_type(children[0])
            for child in children[1:]:
                if child.type == "record_pattern_body":
                    parts = [part for part in child.named_children if part.type not in COMMENTS]
                    for position, part in enumerate(parts):
                        component = self.builder.expression(Op.SPECIAL, "component", type_, position)
                        self._pattern(part, component)
                elif child.type == "identifier":
                    self._bind_pattern(child, self.builder.instance(type_))
        elif kind in ("type_pattern", "record_pattern_component"):
            type_ = -1
            for child in children:
                if child.type == "identifier":
                    self._bind_pattern(child, self.builder.instance(type_) if type_ >= 0 else value)
                elif child.type == "modifiers":
                    self.read_modifiers(child)
                elif child.type == "record_pattern":
                    self._pattern(child, value)
                elif self.builder.text(child) != "var":
                    type_ = self.read_type(child)
        else:
            for child in children:
                self._pattern(child, value)

    # -- switch -------------------------------------------------------------------------------------------------------

    def _switch(self, node: Node, target: int) -> int:
        """`switch`, as a statement or an expression (JLS 14.11, 15.28)."""
        function = self.function
        mark = self.mark()
        condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
        selector = self.visit(condition) if condition is not None else -1
        outer = function.yields, function.yield_target
        function.yields, function.yield_target = [], target
        for group in [] if body is None else body.named_children:
            if group.type == "switch_rule":
                inner = self.mark()
                for child in group.named_children:
                    if child.type == "switch_label":
                        self._label(child, selector)
                    elif child.type == "expression_statement":
                        function.yields.append(self._plain(child, target))
                    else:
                        self._statement(child)
                self.release(inner)
            else:
                for child in group.named_children:
                    if child.type == "switch_label":
                        self._label(child, selector)
                    else:
                        self._statement(child)
        result = self.builder.union(function.yields)
        function.yields, function.yield_target = outer
        self.release(mark)
        return result

    def _label(self, node: Node, selector: int) -> None:
        """A `case` label: a bare name is a constant of the selector's enum, or of the scope around (JLS 14.11.1)."""
        builder = self.builder
        for child in node.named_children:
            kind = child.type
            if kind == "identifier":
                name = builder.text(child)
                if name != "default":
                    expression = builder.expression(Op.SPECIAL, "case", selector, self.variable(name), name)
                    self.reference(_READ, child, expression)
            elif kind in ("pattern", "type_pattern", "record_pattern"):
                self._pattern(child, selector)
            elif kind not in COMMENTS:
                self.visit(child)

    # -- annotations --------------------------------------------------------------------------------------------------

    def _annotation(self, node: Node, target: int) -> int:
        """An annotation: DECORATE for its type, READ for the elements that it sets; gives the type."""
        name = node.child_by_field_name("name")
        arguments = node.child_by_field_name("arguments")
        type_ = self.read_type(name, _DECORATE) if name is not None else -1
        for child in [] if arguments is None else arguments.named_children:
            if child.type == "element_value_pair":
                key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
                if key is not None:
                    expression = self.builder.attribute(type_, self.builder.text(key) + "()")
                    self.reference(_READ, key, expression)
                if value is not None:
                    self.visit(value)
            else:
                self.visit(child)
        for child in node.named_children:
            if child.type in ANNOTATIONS:
                self.visit(child)
        return type_

    def bind_local_type(self, name: str, definition: int) -> None:
        """Bring a local class into force until the end of its block."""
        self.function.types = {**self.function.types, "#" + name: [int(BindingTag.DEFINITION), definition]}


def _leaves(node: Node) -> bool:
    """Whether a branch of an `if` never goes on to the next statement (JLS 14.22, simplified)."""
    if node.type == "block":
        statements = [child for child in node.named_children if child.type not in COMMENTS]
        return bool(statements) and _leaves(statements[-1])
    return node.type in _LEAVING
