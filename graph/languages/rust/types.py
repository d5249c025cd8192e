"""Types, bounds and type parameters of Rust as expressions, with the references that they make.

Source of the rules: the Rust reference, "Types", "Trait and lifetime bounds", "Generic parameters".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from tree_sitter import Node

from graph.extract.builder import FactBuilder
from graph.languages.rust.paths import Paths
from graph.languages.rust.reading import IMPL_BASE, Local
from graph.model import Op, ReferenceKind

_MARKERS: Final = frozenset({"Send", "Sync", "Sized", "Unpin", "UnwindSafe", "RefUnwindSafe", "Copy", "MaybeSend"})
"""Traits without methods: they add nothing to what a bound offers."""
_READ, _TYPE = int(ReferenceKind.READ), int(ReferenceKind.TYPE)


class Types(Paths):
    """Reading of types."""

    def __init__(self, builder: FactBuilder) -> None:
        super().__init__(builder)
        self._types: dict[str, Callable[[Node], int]] = {
            "type_identifier": self._type_name,
            "identifier": self._type_name,
            "primitive_type": self._primitive,
            "scoped_type_identifier": self._type_path,
            "scoped_identifier": self._type_path,
            "generic_type": self._generic,
            "generic_type_with_turbofish": self._generic,
            "reference_type": self._inner_type,
            "pointer_type": self._pointer,
            "tuple_type": self._tuple_type,
            "array_type": self._array,
            "unit_type": lambda node: self.builder.builtin("()"),
            "never_type": lambda node: self.builder.builtin("!"),
            "function_type": self._function_type,
            "dynamic_type": self._bound_object,
            "abstract_type": self._bound_object,
            "bounded_type": self._bounded,
            "higher_ranked_trait_bound": self._inner_type,
            "bracketed_type": self._bracketed,
            "qualified_type": self._qualified,
            "parenthesized_type": self._bracketed,
            "use_bounds": lambda node: -1,
            "lifetime": lambda node: -1,
            "removed_trait_bound": lambda node: -1,
            "metavariable": lambda node: -1,
        }

    def type(self, node: Node | None, kind: int = _TYPE) -> int:
        """The type expression of a type node; -1 when it is not known. References are recorded."""
        if node is None:
            return -1
        if kind is not _TYPE:
            return self.path(node, "", kind) if "type" in node.type or node.type == "identifier" else -1
        handler = self._types.get(node.type)
        return -1 if handler is None else handler(node)

    def instance(self, node: Node | None) -> int:
        """A value of the type at a node."""
        return self.builder.instance(self.type(node))

    def _type_name(self, node: Node) -> int:
        text = self.builder.text(node)
        if text == "_":
            return -1
        return self.path(node, "", _TYPE)

    def _primitive(self, node: Node) -> int:
        return self.builder.builtin(self.builder.text(node))

    def _type_path(self, node: Node) -> int:
        return self.path(node, "", _TYPE)

    def _generic(self, node: Node) -> int:
        return self.path(node, "", _TYPE)

    def _inner_type(self, node: Node) -> int:
        return self.type(node.child_by_field_name("type"))

    def _pointer(self, node: Node) -> int:
        return self.builder.builtin("pointer", [self.type(node.child_by_field_name("type"))])

    def _tuple_type(self, node: Node) -> int:
        parts = [self.instance(child) for child in node.named_children if child.type in self._types]
        return self.builder.expression(Op.TUPLE, parts)

    def _array(self, node: Node) -> int:
        element = self.type(node.child_by_field_name("element"))
        length = node.child_by_field_name("length")
        if length is not None:
            self.read(length)
        return self.builder.builtin("slice", [element])

    def _function_type(self, node: Node) -> int:
        trait = node.child_by_field_name("trait")
        parameters = node.child_by_field_name("parameters")
        base = self.path(trait, "", _TYPE) if trait is not None else -1
        types: list[int] = []
        for child in parameters.named_children if parameters is not None else ():
            if child.type == "parameter":
                types.append(self.instance(child.child_by_field_name("type")))
            elif child.type in self._types and child.type != "lifetime":
                types.append(self.instance(child))
        result = node.child_by_field_name("return_type")
        given = self.builder.builtin("()") if result is None else self.instance(result)
        return self.special("fn", base, types, given)

    def _bound_object(self, node: Node) -> int:
        return self.type(node.child_by_field_name("trait"))

    def _bounded(self, node: Node) -> int:
        return self._of_bounds(self.bounds(node))

    def _of_bounds(self, bounds: list[int]) -> int:
        known = [bound for bound in bounds if bound >= 0]
        if not known:
            return -1
        return known[0] if len(known) == 1 else self.special("bounds", known)

    def bounds(self, node: Node | None, kind: int = _TYPE) -> list[int]:
        """The type expressions of the bounds below a node, without lifetimes and traits that have no methods."""
        found: list[int] = []
        pending = list(reversed(node.named_children)) if node is not None else []
        while pending:
            child = pending.pop()
            type_ = child.type
            if type_ == "bounded_type":
                pending.extend(reversed(child.named_children))
                continue
            if type_ == "removed_trait_bound" or type_ == "lifetime" or type_ not in self._types:
                continue
            bound = self._bound(child, kind)
            if bound >= 0 and self.builder.text(child) not in _MARKERS:
                found.append(bound)
        return found

    def _bound(self, node: Node, kind: int) -> int:
        type_ = node.type
        if type_ in ("type_identifier", "scoped_type_identifier", "generic_type"):
            return self.path(node, "", kind)
        return self.type(node)

    def _bracketed(self, node: Node) -> int:
        children = node.named_children
        return self.type(children[0]) if children else -1

    def _qualified(self, node: Node) -> int:
        """`<T as Trait>` (Rust reference, "Qualified paths")."""
        type_ = self.type(node.child_by_field_name("type"))
        trait = self.type(node.child_by_field_name("alias"))
        return self.special("qualified", type_, trait)

    # -- generics -----------------------------------------------------------------------------------------------------

    def declare_generics(self, item: Node, owner: int, first: int, into: list[list[Any]]) -> None:
        """Read the type parameters and where clause of an item.

        They become visible as parameters of `owner`, from position `first` on, and are added to `into`.
        """
        parameters = item.child_by_field_name("type_parameters")
        where: Node | None = None
        for child in item.named_children:
            if child.type == "where_clause":
                where = child
        if parameters is None and where is None:
            return
        generics = dict(self.generics)
        self.generics = generics
        nodes: list[Node] = []
        if parameters is not None:
            for child in parameters.named_children:
                if child.type in ("type_parameter", "const_parameter"):
                    name = child.child_by_field_name("name")
                    if name is None:
                        continue
                    position = len(into) + first
                    text = self.text(name)
                    if child.type == "type_parameter":
                        generics[text] = self._parameter(owner, position)
                    into.append([text, -1])
                    nodes.append(child)
        positions = {entry[0]: entry for entry in into}
        collected: dict[str, list[int]] = {}
        for child in nodes:
            if child.type == "type_parameter":
                name = child.child_by_field_name("name")
                found = self.bounds(child.child_by_field_name("bounds"))
                if name is not None:
                    collected.setdefault(self.text(name), []).extend(found)
                default = child.child_by_field_name("default_type")
                if default is not None:
                    self.type(default)
            else:
                type_ = child.child_by_field_name("type")
                if type_ is not None:
                    bound = self.type(type_)
                    name = child.child_by_field_name("name")
                    if name is not None and bound >= 0:
                        self.locals[self.text(name)] = Local(
                            self.builder.instance(bound), name.start_byte, name.end_byte, True, self.definition
                        )
        for predicate in where.named_children if where is not None else ():
            if predicate.type == "where_predicate":
                self._predicate(predicate, positions, collected)
        for word, bounds in collected.items():
            entry = positions.get(word)
            if entry is not None and bounds:
                entry[1] = self.builder.union([*([entry[1]] if entry[1] >= 0 else []), *bounds])

    def _parameter(self, owner: int, position: int) -> int:
        """A type parameter of a definition, or of an impl block, which is none."""
        if owner >= IMPL_BASE:
            return self.special("parameter", owner, position)
        return self.builder.expression(Op.TYPE_PARAMETER, owner, position)

    def _predicate(self, predicate: Node, own: dict[str, list[Any]], collected: dict[str, list[int]]) -> None:
        left = predicate.child_by_field_name("left")
        if left is None:
            return
        target = self.type(left)
        bounds = self.bounds(predicate.child_by_field_name("bounds"))
        if not bounds:
            return
        text = self.builder.text(left)
        if text in own:
            collected.setdefault(text, []).extend(bounds)
        elif left.type == "type_identifier" and self.lifted is not None:
            for entry in self.lifted:
                if entry[0] == text:
                    entry[1] = self.builder.union([*([entry[1]] if entry[1] >= 0 else []), *bounds])
        elif target >= 0 and self.builder.expressions[target][0] in (Op.ATTRIBUTE, Op.TYPE_PARAMETER):
            self.associated_bounds.append([target, self.builder.union(bounds)])
