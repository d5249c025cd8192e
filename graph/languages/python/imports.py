"""Import statements (Python reference, 7.11)."""

from __future__ import annotations

import re

from tree_sitter import Node

from graph.languages.python.patterns import Patterns
from graph.model import BindingTag, Op, ReferenceKind

_TYPE_VARIABLE = re.compile(r"_?[A-Z]{1,2}|_?[A-Za-z]*T(?:_co|_contra)?|_?Self\w+")
"""How type variables are named by custom; whether an imported name is one is seen when names are linked."""


class Imports(Patterns):
    """Reads imports."""

    def _import(self, node: Node) -> None:
        builder = self.builder
        for child in node.named_children:
            name: Node | None = child
            alias: Node | None = None
            if child.type == "aliased_import":
                name, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
            if name is None or name.type != "dotted_name":
                continue
            parts = [part for part in name.named_children if part.type == "identifier"]
            words = [builder.text(part) for part in parts]
            index = -1
            for position, part in enumerate(parts):
                index = builder.imported(".".join(words[: position + 1]), "")
                expression = builder.expression(Op.IMPORTED, index)
                start = name.start_byte if position else -1
                builder.reference(ReferenceKind.IMPORT, part, expression, self.definition, qualifier_start=start)
                if position == 0 and alias is None:
                    self._bind_import(words[0], index, node.start_byte)
            if alias is not None and index >= 0:
                self._bind_import(builder.text(alias), index, node.start_byte)

    def _import_from(self, node: Node) -> None:
        builder = self.builder
        module = node.child_by_field_name("module_name")
        specifier = "__future__" if node.type == "future_import_statement" else ""
        if module is not None:
            specifier = "".join(builder.text(module).split())
            self._module_references(module)
        for child in node.named_children:
            if module is not None and child.start_byte == module.start_byte:
                continue
            if child.type == "wildcard_import":
                index = builder.imported(specifier, "*")
                builder.stars.append([self.scope, index])
                continue
            name: Node | None = child
            alias: Node | None = None
            if child.type == "aliased_import":
                name, alias = child.child_by_field_name("name"), child.child_by_field_name("alias")
            if name is None or name.type != "dotted_name":
                continue
            word = builder.text(name)
            index = builder.imported(specifier, word)
            target = name.named_children[-1] if name.named_children else name
            builder.reference(ReferenceKind.IMPORT, target, builder.expression(Op.IMPORTED, index), self.definition)
            self._bind_import(builder.text(alias) if alias is not None else word, index, node.start_byte)

    def _module_references(self, module: Node) -> None:
        """References for the parts of the module name of a from-import."""
        builder = self.builder
        prefix = ""
        dotted: Node | None = module
        if module.type == "relative_import":
            dotted = None
            for child in module.named_children:
                if child.type == "import_prefix":
                    prefix = "".join(builder.text(child).split())
                elif child.type == "dotted_name":
                    dotted = child
        if dotted is None:
            return
        words: list[str] = []
        for part in dotted.named_children:
            if part.type != "identifier":
                continue
            words.append(builder.text(part))
            index = builder.imported(prefix + ".".join(words), "")
            start = module.start_byte if prefix or len(words) > 1 else -1
            expression = builder.expression(Op.IMPORTED, index)
            builder.reference(ReferenceKind.IMPORT, part, expression, self.definition, qualifier_start=start)

    def _bind_import(self, name: str, index: int, place: int) -> None:
        frame = self.frames[-1]
        scope = self.builder.module_scope if name in frame.globals else self.scope
        if _TYPE_VARIABLE.fullmatch(name):
            self.type_variables_elsewhere.add(name)
        self.rebind(scope, name, place)
        self.builder.bind(scope, name, BindingTag.IMPORT, index)
        if frame.body_names is not None:
            frame.body_names.add(name)
        if self.known:
            self.forget(self.builder.name(scope, name))
