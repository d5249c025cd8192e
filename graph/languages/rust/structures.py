"""Structs, unions, enums, traits and impl blocks of Rust.

Source of the rules: the Rust reference, "Structs", "Enumerations", "Unions", "Traits", "Implementations".
"""

from __future__ import annotations

import re
from typing import Any, Final

from tree_sitter import Node

from graph.extract.builder import FactBuilder
from graph.languages.rust.attributes import Attributes, condition_is_test
from graph.languages.rust.frames import Frame
from graph.languages.rust.items import Items
from graph.languages.rust.names import FIELD, VALUE
from graph.languages.rust.reading import IMPL_BASE
from graph.model import BindingTag, DefinitionKind, Flag, Op, ReferenceKind, ScopeKind

_SIGNATURE_LIMIT: Final = 240
_SPACES: Final = re.compile(r"\s+")
_DEFINITION, _IMPORT = BindingTag.DEFINITION, BindingTag.IMPORT


def _type_name(text: str) -> str:
    """The last name of a type as written, without its arguments: `Vec` of `&mut alloc::Vec<T>`."""
    head = text.lstrip("&*([ ").split("<", 1)[0].split(";", 1)[0]
    words = re.findall(r"\w+", head.rsplit("::", 1)[-1])
    return words[-1] if words else "impl"


class Structures(Items):
    """Reading of items with members."""

    def __init__(self, builder: FactBuilder) -> None:
        super().__init__(builder)
        self.impls: list[list[Any]] = []
        """[type, trait or -1, type parameters, members by name, condition] of each impl block."""

    def _own_type(self, index: int, kind_offset: int = 0) -> int:
        """The type that a definition is, its own parameters standing for themselves."""
        parameters = self.builder.definitions[index].type_parameters
        base = self.builder.expression(Op.DEFINITION, index)
        if not parameters:
            return base
        own = [
            self.builder.expression(Op.TYPE_PARAMETER, index, kind_offset + place) for place in range(len(parameters))
        ]
        return self.builder.expression(Op.GENERIC, base, own)

    def _struct_item(self, node: Node, attributes: Attributes) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None:
            return
        kind = DefinitionKind.UNION if node.type == "union_item" else DefinitionKind.STRUCT
        outer = self.scope
        index = self._define(kind, node, name, attributes, body=body)
        if body is not None:
            self.headers.append(self.builder.source[body.start_byte : body.end_byte])
        draft = self.builder.definitions[index]
        draft.scope = scope = self.builder.scope(outer, ScopeKind.CLASS, index)
        text = self.text(name)
        self._bind(text, index)
        draft.extra["derive"] = self._derives(attributes.nodes)
        if any(b"pin_project" in node.text for node in attributes.nodes if node.text is not None):
            draft.extra["projected"] = 1
        self.definition = index
        self.declare_generics(node, index, 0, draft.type_parameters)
        self.self_type = self._own_type(index)
        draft.type = self.builder.instance(self.self_type)
        if body is None:
            draft.extra["shape"] = "unit"
            self._bind(VALUE + text, index)
        elif body.type == "ordered_field_declaration_list":
            draft.extra["shape"] = "tuple"
            self._bind(VALUE + text, index)
            draft.parameters = self._positional(body)
        else:
            self._fields(body, index, scope)

    def _positional(self, body: Node) -> list[list[Any]]:
        """The fields of a tuple struct or variant, as the parameters of its constructor."""
        found: list[list[Any]] = []
        for child in body.named_children:
            if child.type in self._types and child.type != "lifetime":
                found.append([str(len(found)), self.type(child), 0, 0])
        return found

    def _fields(self, body: Node, owner: int, scope: int) -> None:
        builder = self.builder
        nodes: list[Node] = []
        for child in body.named_children:
            if child.type == "attribute_item":
                nodes.append(child)
                self.pending[child.end_byte] = child
            elif child.type == "field_declaration":
                name = child.child_by_field_name("name")
                if name is not None:
                    attributes = self._attributes(child.start_byte)
                    extent, text = (child.start_byte, child.end_byte), self.text(name)
                    index = builder.define(
                        DefinitionKind.FIELD, text, owner, extent, self.name_extent(name),
                        visibility=self._visibility(child),
                    )  # fmt: skip
                    draft = builder.definitions[index]
                    self._mark(
                        draft,
                        attributes,
                        Frame(0, "field", 0, 0, test=bool(builder.definitions[owner].flags & Flag.TEST)),
                    )
                    draft.signature = _SPACES.sub(" ", builder.text(child))[:_SIGNATURE_LIMIT]
                    draft.type = self.instance(child.child_by_field_name("type"))
                    if any(node.text == b"#[pin]" for node in attributes.nodes):
                        draft.extra["pin"] = 1
                    builder.bind(scope, FIELD + text, _DEFINITION, index)
                nodes = []

    def _enum(self, node: Node, attributes: Attributes) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None:
            return
        builder = self.builder
        outer = self.scope
        index = self._define(DefinitionKind.ENUM, node, name, attributes, body=body)
        if body is not None:
            self.headers.append(builder.source[body.start_byte : body.end_byte])
        draft = builder.definitions[index]
        draft.scope = scope = builder.scope(outer, ScopeKind.CLASS, index)
        self._bind(self.text(name), index)
        draft.extra["derive"] = self._derives(attributes.nodes)
        self.definition = index
        self.declare_generics(node, index, 0, draft.type_parameters)
        self.self_type = self._own_type(index)
        draft.type = own = builder.instance(self.self_type)
        for child in body.named_children if body is not None else ():
            if child.type == "attribute_item":
                self.pending[child.end_byte] = child
            elif child.type == "enum_variant":
                self._variant(child, index, scope, own)

    def _variant(self, node: Node, enum: int, scope: int, own: int) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None:
            return
        builder = self.builder
        text = self.text(name)
        attributes = self._attributes(node.start_byte)
        extent, name_extent = (node.start_byte, node.end_byte), self.name_extent(name)
        index = builder.define(DefinitionKind.ENUM_MEMBER, text, enum, extent, name_extent)
        draft = builder.definitions[index]
        self._mark(draft, attributes, Frame(0, "variant", 0, 0, test=bool(builder.definitions[enum].flags & Flag.TEST)))
        draft.signature = _SPACES.sub(" ", builder.text(node))[:_SIGNATURE_LIMIT]
        draft.type = own
        builder.bind(scope, VALUE + text, _DEFINITION, index)
        if body is None:
            draft.extra["shape"] = "unit"
        elif body.type == "ordered_field_declaration_list":
            draft.extra["shape"] = "tuple"
            draft.parameters = self._positional(body)
        else:
            draft.scope = builder.scope(scope, ScopeKind.CLASS, index)
            self._fields(body, index, draft.scope)
        value = node.child_by_field_name("value")
        if value is not None:
            self.read(value)

    def _trait(self, node: Node, attributes: Attributes) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None:
            return
        outer = self.frames[-1]
        index = self._define(DefinitionKind.TRAIT, node, name, attributes, body=body)
        draft = self.builder.definitions[index]
        draft.scope = self.builder.scope(self.scope, ScopeKind.CLASS, index)
        draft.flags |= Flag.ABSTRACT
        self._bind(self.text(name), index)
        self.definition = index
        self.self_type = self.builder.expression(Op.TYPE_PARAMETER, index, 0)
        self.declare_generics(node, index, 1, draft.type_parameters)
        draft.bases = self.bounds(node.child_by_field_name("bounds"), int(ReferenceKind.BASE))
        draft.extra["associated"] = []
        self.frames.append(
            Frame(
                node.end_byte,
                "trait",
                draft.scope,
                index,
                self_type=self.self_type,
                generics=self.generics,
                parameters=draft.type_parameters,
                test=bool(draft.flags & Flag.TEST),
                inline=outer.inline,
            )
        )

    def _impl(self, node: Node, attributes: Attributes) -> None:
        """An inherent or trait implementation (Rust reference, "Implementations")."""
        outer = self.frames[-1]
        parameters: list[list[Any]] = []
        self.declare_generics(node, IMPL_BASE + len(self.impls), 0, parameters)
        trait, type_ = node.child_by_field_name("trait"), node.child_by_field_name("type")
        body = node.child_by_field_name("body")
        header_end = node.end_byte if body is None else body.start_byte
        self.headers.append(attributes.condition.encode() + self.builder.source[node.start_byte : header_end])
        trait_expression = self.path(trait, "", int(ReferenceKind.IMPLEMENT)) if trait is not None else -1
        self_type = self.type(type_)
        self.self_type = self_type
        members: dict[str, list[int]] = {}
        condition = attributes.condition
        if trait is None or node.child_by_field_name("type") is not None:
            self.impls.append([self_type, trait_expression, parameters, members, condition])
        name = _type_name(self.builder.text(type_)) if type_ is not None else ""
        prefix = self.builder.definitions[outer.definition].qualified_name if outer.definition > 0 else ""
        self.frames.append(
            Frame(
                node.end_byte,
                "impl",
                outer.scope,
                outer.definition,
                outer=f"{prefix}.{name}" if prefix else name,
                self_type=self_type,
                generics=self.generics,
                parameters=parameters,
                members=members,
                of_trait=trait is not None,
                test=outer.test or condition_is_test(condition),
                inline=outer.inline,
                condition=condition,
            )
        )
