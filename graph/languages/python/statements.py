"""The statements that are neither definitions, imports, assignments nor matches."""

from __future__ import annotations

from tree_sitter import Node

from graph.languages.python.definitions import Definitions
from graph.languages.python.frames import Frame
from graph.model import DefinitionKind, Op, ReferenceKind


class Statements(Definitions):
    """Reads simple and compound statements."""

    def _nothing(self, node: Node) -> None:
        """A statement whose parts are read on their own."""

    def _string_statement(self, node: Node) -> None:
        self.read(node)

    def _expression_statement(self, node: Node) -> None:
        for child in node.named_children:
            handler = self._statements.get(child.type)
            if handler is not None:
                handler(child)
            else:
                self.read(child)

    def _if(self, node: Node) -> None:
        condition = node.child_by_field_name("condition")
        self.read(condition)
        if condition is None or "TYPE_CHECKING" not in self.builder.text(condition):
            self._conditional(node)

    def _conditional(self, node: Node) -> None:
        frame = self.frames[-1]
        frame.conditional_end = max(frame.conditional_end, node.end_byte)

    def _elif(self, node: Node) -> None:
        self.read(node.child_by_field_name("condition"))

    def _while(self, node: Node) -> None:
        self.read(node.child_by_field_name("condition"))

    def _for(self, node: Node) -> None:
        right, left = node.child_by_field_name("right"), node.child_by_field_name("left")
        value = self.read(right)
        if left is not None:
            self.bind_target(left, self.builder.expression(Op.ITERATE, value) if value >= 0 else -1)

    def _with_item(self, node: Node) -> None:
        for child in node.named_children:
            self._with_value(child)

    def _with_value(self, node: Node) -> None:
        if node.type == "parenthesized_expression" or node.type == "tuple":
            for child in node.named_children:
                self._with_value(child)
        elif node.type == "as_pattern" and len(node.named_children) > 1:
            children = node.named_children
            value = self.read(children[0])
            self.bind_target(children[-1], self.builder.expression(Op.ENTER, value) if value >= 0 else -1)
        else:
            self.read(node)

    def _except(self, node: Node) -> None:
        value = node.child_by_field_name("value")
        if value is None:
            return
        alias = None
        if value.type == "as_pattern" and len(value.named_children) > 1:
            alias = value.named_children[-1]
            value = value.named_children[0]
        parts = value.named_children if value.type == "tuple" else [value]
        types: list[int] = []
        for part in parts:
            types.append(self.read_type(part) if part.type in ("identifier", "attribute") else self.read(part))
        if alias is not None:
            self.bind_target(alias, self.builder.instance(self.builder.union(types)))

    def _return(self, node: Node) -> None:
        children = [child for child in node.named_children if child.type != "comment"]
        value = self.read(children[0]) if children else self.builder.builtin("None")
        self.frames[-1].returns.append(value)

    def _raise(self, node: Node) -> None:
        """The class that is raised is a RAISE reference; in `raise E(...)` its construction is that reference."""
        for position, child in enumerate(child for child in node.named_children if child.type != "comment"):
            if position:
                self.read(child)
                continue
            target = child.named_children[0] if child.type == "call" and child.named_children else child
            before = target.type
            if before == "identifier":
                expression = self.builder.name(self.scope, self.builder.text(target))
                self.builder.reference(ReferenceKind.RAISE, target, expression, self.definition)
            elif before == "attribute":
                self.read_attribute(target, ReferenceKind.RAISE)
            else:
                self.read(target)
            if child.type == "call":
                for argument in child.named_children[1:]:
                    for part in argument.named_children:
                        self.read(part)

    def _delete(self, node: Node) -> None:
        for child in node.named_children:
            for part in child.named_children if child.type == "expression_list" else [child]:
                if part.type == "attribute":
                    self.read_attribute(part, ReferenceKind.DELETE)
                else:
                    self.read(part)

    def _type_alias(self, node: Node) -> None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None:
            return
        name_node = left
        while name_node.type in ("type", "generic_type") and name_node.named_children:
            name_node = name_node.named_children[0]
        name = self.builder.text(name_node)
        place = (name_node.start_byte, name_node.end_byte)
        index = self.builder.define(DefinitionKind.TYPE, name, self.definition, (node.start_byte, node.end_byte), place)
        self._bind_definition(name, index)
        generic = left.named_children[0] if left.named_children else left
        parameters = (
            generic.named_children[1] if generic.type == "generic_type" and generic.named_child_count > 1 else None
        )
        names = self._type_parameters(parameters, index)
        frame = Frame(node.end_byte, self.scope, index)
        frame.type_parameters = names
        self.frames.append(frame)
        self.builder.definitions[index].type = self.read_type(right)
        self.frames.pop()

    def _global(self, node: Node) -> None:
        names = {self.builder.text(child) for child in node.named_children}
        self.frames[-1].globals = self.frames[-1].globals | names
