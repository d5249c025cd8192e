"""Functions, constants, type aliases and macros of Rust.

Source of the rules: the Rust reference, "Items", "Macros by example".
"""

from __future__ import annotations

import heapq
import re
from typing import Any, Final

from tree_sitter import Node

from graph.extract.builder import FactBuilder
from graph.languages.rust.attributes import Attributes
from graph.languages.rust.names import MACRO, VALUE
from graph.languages.rust.uses import Uses
from graph.model import BindingTag, DefinitionKind, Flag, Visibility

_WRAPPER: Final = re.compile(r"(?:&\s*(?:'\w+\s*)?(?:mut\s+)?)?(?:\w+::)*(Pin|Box|Rc|Arc)\s*<")
"""The smart pointer around `Self` that a method wants its receiver to be (Rust reference, "Methods")."""
_SPACED_MACRO: Final = re.compile(rb"(#\[macro_export\]\s*)?\bmacro_rules\s+!\s*([A-Za-z_]\w*)")
_DEFINITION, _IMPORT = BindingTag.DEFINITION, BindingTag.IMPORT


class Items(Uses):
    """Reading of items without members."""

    def __init__(self, builder: FactBuilder) -> None:
        super().__init__(builder)
        self.exported_macros: dict[str, list[int]] = {}
        self.adopted: list[tuple[int, int, str]] = []
        """(definition, scope, type name) of members of impls whose type may be declared later in the file."""

    def _function(self, node: Node, attributes: Attributes) -> None:
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is None:
            return
        frame = self.frames[-1]
        member = frame.kind in ("impl", "trait")
        kind = DefinitionKind.METHOD if member else DefinitionKind.FUNCTION
        index = self._define(kind, node, name, attributes, body=body)
        draft = self.builder.definitions[index]
        text = self.text(name)
        if not (attributes.procedural and attributes.derive_macro):
            self._bind(VALUE + text, index)
        if attributes.procedural:
            draft.extra["macro"] = 1
            self._bind(MACRO + (attributes.derive_macro or text), index)
        if frame.kind == "impl" and frame.outer:
            self.adopted.append((index, frame.scope, frame.outer.rsplit(".", 1)[-1]))
        if frame.kind == "block":
            self.self_type, self.generics = -1, {}
        self.definition = index
        self.declare_generics(node, index, 0, draft.type_parameters)
        modifiers = next((child for child in node.named_children if child.type == "function_modifiers"), None)
        is_async = modifiers is not None and "async" in self.builder.text(modifiers)
        receiver = self._parameters(node.child_by_field_name("parameters"), draft)
        if member:
            draft.flags |= Flag.RECEIVER if receiver else Flag.STATIC
            if frame.kind == "trait":
                draft.extra["in_trait"] = 1
            if frame.kind == "trait" and body is None:
                draft.flags |= Flag.ABSTRACT
        result = node.child_by_field_name("return_type")
        given = self.unit if result is None else self.instance(result)
        if is_async:
            draft.flags |= Flag.ASYNC
            given = self.special("future", given)
        draft.type = given
        if body is not None:
            self.read_block_in_place(body)

    def read_block_in_place(self, body: Node) -> None:
        """Read the body of a function; blocks that declare items are noted for the sweep."""
        known = self.blocks
        self.blocks = []
        self.read_block(body)
        for block in self.blocks:
            heapq.heappush(known, block)
        self.blocks = known

    def _parameters(self, parameters: Node | None, draft: Any) -> bool:
        """Read the parameters; whether the first one is `self`."""
        receiver = False
        for child in parameters.named_children if parameters is not None else ():
            type_ = child.type
            if type_ == "self_parameter":
                receiver = True
                declared = child.child_by_field_name("type")
                value = self.builder.instance(self.self_type) if declared is None else self.instance(declared)
                self.bind_name("self", child, value, parameter=True)
            elif type_ == "parameter":
                pattern, declared = child.child_by_field_name("pattern"), child.child_by_field_name("type")
                type_expression = self.type(declared)
                value = self.builder.instance(type_expression)
                if pattern is None:
                    continue
                if pattern.type == "self":
                    receiver = True
                    wrapper = _WRAPPER.match(self.builder.text(declared)) if declared is not None else None
                    if wrapper is not None:
                        draft.extra["receiver"] = wrapper.group(1)
                    self.bind_name("self", pattern, value, parameter=True)
                    continue
                draft.parameters.append([self.builder.text(pattern), type_expression, 0, 0])
                self.bind(pattern, value, parameter=True)
            elif type_ == "variadic_parameter":
                draft.parameters.append(["...", -1, 0, 1])
            elif type_ in self._types and type_ != "lifetime":
                draft.parameters.append(["_", self.type(child), 0, 0])
        return receiver

    def _constant(self, node: Node, attributes: Attributes) -> None:
        name = node.child_by_field_name("name")
        if name is None:
            return
        text = self.text(name)
        value = node.child_by_field_name("value")
        kind = DefinitionKind.VARIABLE if node.type == "static_item" else DefinitionKind.CONSTANT
        if text != "_":
            index = self._define(kind, node, name, attributes, body=value)
            self.builder.definitions[index].type = self.instance(node.child_by_field_name("type"))
            self._bind(VALUE + text, index)
            self.definition = index
        else:
            self.type(node.child_by_field_name("type"))
        if value is not None:
            known, self.blocks = self.blocks, []
            self.read(value)
            for block in self.blocks:
                heapq.heappush(known, block)
            self.blocks = known

    def _alias(self, node: Node, attributes: Attributes) -> None:
        name, type_ = node.child_by_field_name("name"), node.child_by_field_name("type")
        if name is None:
            return
        frame, text = self.frames[-1], self.text(name)
        index = self._define(DefinitionKind.TYPE, node, name, attributes)
        draft = self.builder.definitions[index]
        self._bind(text, index)
        self.definition = index
        self.declare_generics(node, index, 0, draft.type_parameters)
        if frame.kind == "trait":
            draft.extra["associated"] = True
            self.builder.definitions[frame.definition].extra["associated"].append(text)
            draft.bases = self.bounds(node.child_by_field_name("bounds"))
            if type_ is None:
                draft.flags |= Flag.ABSTRACT
        draft.type = self.instance(type_)

    def _macro(self, node: Node, attributes: Attributes) -> None:
        name = node.child_by_field_name("name")
        if name is None:
            return
        index = self._define(DefinitionKind.MACRO, node, name, attributes)
        text = self.text(name)
        draft = self.builder.definitions[index]
        draft.signature = f"macro_rules! {text}"
        self._bind(MACRO + text, index)
        if attributes.macro_export:
            draft.visibility = int(Visibility.PUBLIC)
            draft.flags |= Flag.EXPORTED
            self.exported_macros.setdefault(text, []).append(index)

    def _spaced_macros(self) -> None:
        """Macros in the spelling of generated code, `macro_rules ! name`, which the grammar does not know."""
        builder = self.builder
        for match in _SPACED_MACRO.finditer(builder.source):
            name = builder.slice(*match.span(2))
            index = builder.define(
                DefinitionKind.MACRO, name, 0, match.span(), match.span(2), visibility=Visibility.PRIVATE
            )
            builder.bind(builder.module_scope, MACRO + name, _DEFINITION, index)
            if match.group(1):
                builder.definitions[index].visibility = int(Visibility.PUBLIC)
                self.exported_macros.setdefault(name, []).append(index)
