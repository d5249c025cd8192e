"""Reading type expressions: annotations, type arguments, forward references in quotes."""

from __future__ import annotations

from tree_sitter import Node, Parser, Range

from graph.extract.sweep import grammar
from graph.languages.python.frames import Frames
from graph.model import Op, ReferenceKind


class Annotations(Frames):
    """Reads types, as the typing specification ("Type annotations") describes them."""

    def read_attribute(self, node: Node, kind: int = 0, arguments: int = -1) -> int:
        """A member access whose last name is a reference of that kind."""
        raise NotImplementedError

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
            expression = self.seen(text)
            builder.reference(ReferenceKind.TYPE, node, expression, self.definition)
            return self._type_name(text, expression)
        if kind == "attribute" or kind == "member_type":
            expression = self.read_attribute(node, ReferenceKind.TYPE)
            name = builder.expressions[expression][-1] if expression >= 0 else ""
            return self._type_name(name, expression) if name == "Self" else expression
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
            return self.builder.union([self.read(child) for child in nodes])
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
