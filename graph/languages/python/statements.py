"""The statements that are neither definitions, imports, assignments nor matches."""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import islice

from tree_sitter import Node

from graph.languages.python.definitions import Definitions
from graph.languages.python.frames import Frame
from graph.model import DefinitionKind, Op, ReferenceKind

_WORD = re.compile(r"\w+")
_LOOP_LIMIT = 300
"""Most statements of a loop that are looked at for the names that it assigns."""
_TEXT_LIMIT = 2000
_BINDING_STATEMENTS = frozenset(
    "import_statement import_from_statement delete_statement function_definition class_definition".split()
)


class Statements(Definitions):
    """Reads simple and compound statements."""

    def _nothing(self, node: Node) -> None:
        """A statement whose parts are read on their own."""

    def _call_statement(self, node: Node) -> None:
        self.read_call(node)
        if len(self.frames) == 1 and self.builder.source.startswith(b"__all__", node.start_byte):
            self.call_on_public_names(node)

    def _string_statement(self, node: Node) -> None:
        self.read(node)

    def _if(self, node: Node) -> None:
        condition = node.child_by_field_name("condition")
        self.read(condition)
        if condition is None or "TYPE_CHECKING" not in self.builder.text(condition):
            self._conditional(node)
        elif node.child_by_field_name("alternative") is not None:
            self._uncertain(node)
        flow = self.frames[-1].flow
        if flow is not None:
            flow.enter(node.end_byte)
            if condition is not None and self.has_test(condition):
                true, false = self.tests(condition)
                flow.exclude(false)
                self.narrow(true)

    def _elif(self, node: Node) -> None:
        self._branch(node)
        condition = node.child_by_field_name("condition")
        self.read(condition)
        if condition is not None and self.has_test(condition):
            true, false = self.tests(condition)
            self.narrow(true)
            flow = self.frames[-1].flow
            if flow is not None:
                flow.exclude(false)

    def _branch(self, node: Node) -> None:
        """Another branch of the compound statement that is read begins."""
        flow = self.frames[-1].flow
        if flow is not None:
            flow.branch(completed=node.type == "else_clause")

    def _leave(self, node: Node) -> None:
        """The statement leaves its branch: nothing that it assigned is seen behind."""
        flow = self.frames[-1].flow
        if flow is not None:
            flow.terminate()

    def _try(self, node: Node) -> None:
        self._conditional(node)
        flow = self.frames[-1].flow
        if flow is not None:
            flow.enter(node.end_byte, is_try=True)

    def _conditional(self, node: Node) -> None:
        frame = self.frames[-1]
        frame.conditional_end = max(frame.conditional_end, node.end_byte)

    def _uncertain(self, node: Node) -> None:
        frame = self.frames[-1]
        frame.uncertain_end = max(frame.uncertain_end, node.end_byte)

    def _assert(self, node: Node) -> None:
        children = node.named_children
        for child in children:
            self.read(child)
        if children and self.has_test(children[0]):
            self.narrow(self.tests(children[0])[0])

    def _while(self, node: Node) -> None:
        self._enter_loop(node)
        condition = node.child_by_field_name("condition")
        self.read(condition)
        if condition is not None and self.has_test(condition):
            self.narrow(self.tests(condition)[0])

    def _for(self, node: Node) -> None:
        right, left = node.child_by_field_name("right"), node.child_by_field_name("left")
        value = self.read(right)
        self._enter_loop(node)
        if left is not None:
            self.in_clause = True
            self.bind_target(left, self.builder.expression(Op.ITERATE, value) if value >= 0 else -1)
            self.in_clause = False

    def _enter_loop(self, node: Node) -> None:
        """A loop sees at its start what it assigned in the round before."""
        self._uncertain(node)
        flow = self.frames[-1].flow
        if flow is None:
            return
        if flow.values:
            flow.forget_names(self._assigned_inside(node))
        flow.enter(node.end_byte)

    def _assigned_inside(self, loop: Node) -> set[str] | None:
        """The names that a loop may assign (and parts of the members that it assigns); None where it may assign any."""
        start, end = loop.start_byte, loop.end_byte
        if self.builder.source.find(b":=", start, end) >= 0:
            return None
        found: set[str] = set()
        first = bisect_left(self.anchors, (start, -end))
        for place, _, capture, node in islice(self.anchors, first, first + _LOOP_LIMIT):
            if place >= end:
                return found
            kind = node.type
            if kind == "assignment" or kind == "augmented_assignment":
                while kind == "assignment" or kind == "augmented_assignment":
                    children = node.named_children
                    if not children:
                        break
                    found.update(_WORD.findall(self.builder.text(children[0])))
                    node = children[-1]
                    kind = node.type
            elif kind == "for_statement":
                left = node.child_by_field_name("left")
                if left is not None:
                    found.update(_WORD.findall(self.builder.text(left)))
            elif kind in _BINDING_STATEMENTS or capture in ("with_item", "except", "case"):
                found.update(_WORD.findall(self.builder.slice(place, node.end_byte)[:_TEXT_LIMIT]))
        return None

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
        self._branch(node)
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
            self.in_clause = True
            self.bind_target(alias, self.builder.instance(self.builder.union(types)))
            self.in_clause = False

    def _return(self, node: Node) -> None:
        children = [child for child in node.named_children if child.type != "comment"]
        value = self.read(children[0]) if children else self.builder.builtin("None")
        if value < 0 and children and children[0].type == "identifier":
            # It is not known what a parameter holds, but a decorator that returns its own is one to know.
            value = self.seen(self.builder.text(children[0]))
        self.frames[-1].returns.append(value)
        self._leave(node)

    def _raise(self, node: Node) -> None:
        """The class that is raised is a RAISE reference; in `raise E(...)` its construction is that reference."""
        for position, child in enumerate(child for child in node.named_children if child.type != "comment"):
            if position:
                self.read(child)
                continue
            target = child.named_children[0] if child.type == "call" and child.named_children else child
            before = target.type
            if before == "identifier":
                expression = self.seen(self.builder.text(target))
                self.builder.reference(ReferenceKind.RAISE, target, expression, self.definition)
            elif before == "attribute":
                self.read_attribute(target, ReferenceKind.RAISE)
            else:
                self.read(target)
            if child.type == "call":
                for argument in child.named_children[1:]:
                    for part in argument.named_children:
                        self.read(part)
        self._leave(node)

    def _delete(self, node: Node) -> None:
        for child in node.named_children:
            for part in child.named_children if child.type == "expression_list" else [child]:
                if part.type == "attribute":
                    self.read_attribute(part, ReferenceKind.DELETE)
                elif part.type == "identifier":
                    name = self.builder.text(part)
                    scope = self.builder.module_scope if name in self.frames[-1].globals else self.scope
                    expression = self.builder.name(scope, name)
                    self.builder.reference(ReferenceKind.DELETE, part, expression, self.definition)
                    self.forget(expression)
                    self.delete_name(scope, name, part.start_byte)
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

    def _nonlocal(self, node: Node) -> None:
        names = {self.builder.text(child) for child in node.named_children}
        self.frames[-1].nonlocals = self.frames[-1].nonlocals | names
