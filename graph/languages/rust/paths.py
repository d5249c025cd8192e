"""Paths and types of Rust as expressions, with the references that they make.

Source of the rules: the Rust reference, "Paths", "Type system", "Generic parameters".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from tree_sitter import Node

from graph.extract.builder import FactBuilder
from graph.languages.rust.names import ANY, PRIMITIVES, VALUE, identifier
from graph.model import DefinitionKind, Flag, Op, ReferenceKind

IMPL_BASE: Final = 1 << 22
"""Owners of the type parameters of impl blocks: this number plus the number of the impl stands in place of a definition."""

_READ, _TYPE = int(ReferenceKind.READ), int(ReferenceKind.TYPE)
_CALL, _CONSTRUCT = int(ReferenceKind.CALL), int(ReferenceKind.CONSTRUCT)
_MARKERS: Final = frozenset({"Send", "Sync", "Sized", "Unpin", "UnwindSafe", "RefUnwindSafe", "Copy", "MaybeSend"})
"""Traits without methods: they add nothing to what a bound offers."""


@dataclass(slots=True)
class Local:
    """One local name: what it holds, where it is bound, and its definition once it needs one."""

    value: int
    start: int
    end: int
    parameter: bool
    enclosing: int
    definition: int = -1
    slot: list[Any] | None = None
    """The operation that stands for a mutable local, to which later uses add evidence."""


class Paths:
    """The state of reading one file, and the reading of paths and types."""

    def __init__(self, builder: FactBuilder) -> None:
        self.builder = builder
        self._text = builder.text
        self.scope = 0
        """The scope in which items are seen from here."""
        self.definition = 0
        """The enclosing definition."""
        self.self_type = -1
        """What `Self` is: a type expression."""
        self.generics: dict[str, int] = {}
        """Type parameters that are seen from here, as type expressions."""
        self.locals: dict[str, Local | None] = {}
        self.associated_bounds: list[list[Any]] = []
        self.lifted: list[list[Any]] | None = None
        """Bounds found on type parameters of the surrounding impl: its parameter list."""
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

    # -- small things -------------------------------------------------------------------------------------------------

    def text(self, node: Node) -> str:
        """The identifier that a node is."""
        text = self._text(node)
        return text if text[:2] != "r#" else text[2:]

    def special(self, word: str, *operands: Any) -> int:
        """An operation of this language."""
        return self.builder.expression(Op.SPECIAL, word, *operands)

    def refer(self, kind: int, node: Node, expression: int, name: str, arguments: int = -1, qualifier: int = -1) -> None:
        """Record a reference from where reading stands. `name` is the identifier at the node."""
        builder = self.builder
        start, end = node.start_byte, node.end_byte
        if end - start != len(name):
            name = builder.slice(start, end)
        builder.reference(
            kind, node, expression, self.definition, arguments=arguments, qualifier_start=qualifier, name=name, start=start
        )

    def local_definition(self, local: Local, name: str) -> int:
        """The definition of a local that is called."""
        if local.definition < 0:
            kind = DefinitionKind.PARAMETER if local.parameter else DefinitionKind.VARIABLE
            extent = (local.start, local.end)
            index = self.builder.define(kind, name, local.enclosing, extent, extent, flags=Flag.LOCAL)
            self.builder.definitions[index].values = [local.value]
            local.definition = index
        return local.definition

    def read(self, node: Node) -> int:
        """Read an expression; const arguments of types need it."""
        raise NotImplementedError

    # -- paths --------------------------------------------------------------------------------------------------------

    def path(
        self, node: Node | None, namespace: str, kind: int, *, arguments: int = -1, outer: bool = True
    ) -> int:
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
            elif type_ in self._types:
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

    # -- types --------------------------------------------------------------------------------------------------------

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
        """The type expressions of the bounds below a node, without lifetimes and without traits that have no methods."""
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
                        generics[text] = self.builder.expression(Op.TYPE_PARAMETER, owner, position)
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
        for name, bounds in collected.items():
            entry = positions.get(name)
            if entry is not None and bounds:
                entry[1] = self.builder.union([*([entry[1]] if entry[1] >= 0 else []), *bounds])

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


__all__ = ["ANY", "IMPL_BASE", "VALUE", "Local", "Paths", "identifier"]
