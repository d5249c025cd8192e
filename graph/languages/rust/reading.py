"""The state of reading one Rust file, and the few things that everything else is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from tree_sitter import Node

from graph.extract.builder import FactBuilder
from graph.model import DefinitionKind, Flag, Op

IMPL_BASE: Final = 1 << 22
"""Owners of the type parameters of impl blocks: this number plus the impl's own stands in place of a definition."""
ITEMS = frozenset(
    "function_item function_signature_item struct_item union_item enum_item trait_item impl_item "
    "mod_item foreign_mod_item use_declaration extern_crate_declaration const_item static_item "
    "type_item macro_definition".split()
)
"""Nodes that declare items."""
SKIPPED = frozenset(
    {"line_comment", "block_comment", "attribute_item", "inner_attribute_item", "empty_statement", "label"}
)
"""Nodes that say nothing inside expressions and blocks."""
TYPES = frozenset(
    "type_identifier identifier primitive_type scoped_type_identifier scoped_identifier generic_type "
    "generic_type_with_turbofish reference_type pointer_type tuple_type array_type unit_type never_type function_type "
    "dynamic_type abstract_type bounded_type higher_ranked_trait_bound bracketed_type qualified_type "
    "parenthesized_type use_bounds removed_trait_bound metavariable".split()
)
"""Nodes that are types."""


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


class Reading:
    """Where reading stands in a file."""

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

    def text(self, node: Node) -> str:
        """The identifier that a node is."""
        text = self._text(node)
        return text if text[:2] != "r#" else text[2:]

    def special(self, word: str, *operands: Any) -> int:
        """An operation of this language."""
        return self.builder.expression(Op.SPECIAL, word, *operands)

    def refer(
        self, kind: int, node: Node, expression: int, name: str, arguments: int = -1, qualifier: int = -1
    ) -> None:
        """Record a reference from where reading stands. `name` is the identifier at the node."""
        builder = self.builder
        start, end = node.start_byte, node.end_byte
        if end - start != len(name):
            # A raw identifier is named without its `r#`; other differences are those of bytes and characters.
            start += 2 if builder.slice(start, start + 2) == "r#" else 0
            name = builder.slice(start, end)
        builder.reference(
            kind,
            node,
            expression,
            self.definition,
            arguments=arguments,
            qualifier_start=qualifier,
            name=name,
            start=start,
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

    def type(self, node: Node | None) -> int:
        """The type expression of a type node; -1 when it is not known. References are recorded."""
        raise NotImplementedError
