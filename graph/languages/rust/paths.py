"""Paths of Rust as expressions, with the references that they make.

Source of the rules: the Rust reference, "Paths".
"""

from __future__ import annotations

from tree_sitter import Node

from graph.languages.rust.names import PRIMITIVES
from graph.languages.rust.reading import TYPES, Reading
from graph.model import Op, ReferenceKind

_CALL, _CONSTRUCT = int(ReferenceKind.CALL), int(ReferenceKind.CONSTRUCT)
_READ, _TYPE = int(ReferenceKind.READ), int(ReferenceKind.TYPE)


class Paths(Reading):
    """Reading of paths."""

    def path(self, node: Node | None, namespace: str, kind: int, *, arguments: int = -1, outer: bool = True) -> int:
        """Read a path whose last segment lies in a namespace and is used in the given way; references are recorded.

        With `outer` false the last segment makes no reference: the caller makes it.
        """
        if node is None:
            return -1
        type_ = node.type
        if type_ == "identifier" or type_ == "type_identifier" or type_ == "shorthand_field_identifier":
            text = self.text(node)
            if text == "Self":
                if outer and (kind == _CALL or kind == _CONSTRUCT) and self.self_type >= 0:
                    self.refer(kind, node, self.self_type, text, arguments)
                return self.self_type
            if namespace == "":
                known = self.generics.get(text)
                if known is not None:
                    return known
                if text in PRIMITIVES:
                    return self.builder.builtin(text)
            expression = self.builder.name(self.scope, namespace + text)
            if outer:
                self.refer(kind, node, expression, text, arguments)
            return expression
        if type_ == "scoped_identifier" or type_ == "scoped_type_identifier":
            children = node.children
            name, prefix = children[-1], children[0]
            receiver = self.special("root") if prefix.type == "::" else self.prefix(prefix)
            if name.type == "super":
                return self.special("super", receiver)
            text = self.text(name)
            expression = self.builder.attribute(receiver, namespace + text)
            if outer:
                self.refer(kind, name, expression, text, arguments, node.start_byte)
            return expression
        if type_ == "generic_type" or type_ == "generic_function" or type_ == "generic_type_with_turbofish":
            inner = node.child_by_field_name("type") or node.child_by_field_name("function")
            base = self.path(inner, namespace, kind, arguments=arguments, outer=outer)
            return self.applied(base, node.child_by_field_name("type_arguments"))
        return self.prefix(node)

    def prefix(self, node: Node) -> int:
        """Read a path as the qualifier of another one."""
        type_ = node.type
        if type_ == "self":
            return self.special("self", self.scope)
        if type_ == "crate":
            return self.special("crate")
        if type_ == "super":
            return self.special("super", self.special("self", self.scope))
        if type_ == "metavariable":
            return -1
        if type_ in ("bracketed_type", "qualified_type"):
            return self.type(node)
        if type_ == "identifier" or type_ == "type_identifier":
            return self.path(node, "", self._qualifier_kind(node))
        if type_ == "scoped_identifier" or type_ == "scoped_type_identifier":
            return self.path(node, "", self._qualifier_kind(node.children[-1]))
        if type_ == "generic_type" or type_ == "generic_type_with_turbofish":
            return self.path(node, "", _TYPE)
        return self.type(node)

    def _qualifier_kind(self, node: Node) -> int:
        """A qualifier is a type or a module: types are written with a capital (Rust API guidelines, C-CASE)."""
        return _TYPE if self.builder.slice(node.start_byte, node.start_byte + 1).isupper() else _READ

    def applied(self, base: int, arguments: Node | None) -> int:
        """A type or function with its type arguments, associated types bound by name among them."""
        if arguments is None:
            return base
        given: list[int] = []
        names: list[str] = []
        bound: list[int] = []
        for argument in arguments.named_children:
            type_ = argument.type
            if type_ == "type_binding":
                name = argument.child_by_field_name("name")
                value = argument.child_by_field_name("type")
                if name is not None and value is not None:
                    names.append(self.text(name))
                    bound.append(self.type(value))
            elif type_ == "lifetime" or type_ in ("line_comment", "block_comment"):
                continue
            elif type_ in TYPES:
                given.append(self.type(argument))
            elif type_ == "block" or type_.endswith("_literal"):
                given.append(-1)
                if type_ == "block":
                    self.read(argument)
            elif type_ == "trait_bounds":
                continue
            else:
                given.append(-1)
        if base < 0:
            return -1
        if given:
            base = self.builder.expression(Op.GENERIC, base, given)
        if names:
            base = self.special("bind", base, names, bound)
        return base
