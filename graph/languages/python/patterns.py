"""Match statements (Python reference, 8.6)."""

from __future__ import annotations

from tree_sitter import Node

from graph.extract.builder import FactBuilder
from graph.languages.python.assignments import Assignments
from graph.model import ReferenceKind


class Patterns(Assignments):
    """Reads match statements and their patterns."""

    def __init__(self, builder: FactBuilder) -> None:
        super().__init__(builder)
        self._match_subjects: list[tuple[int, int, Node | None]] = []

    def _match(self, node: Node) -> None:
        parts = [child for child in node.named_children if child.type not in ("comment", "block", "case_clause")]
        values = [self.read(part) for part in parts]
        subject = parts[0] if len(parts) == 1 else None
        self._match_subjects.append((node.end_byte, values[0] if len(values) == 1 else -1, subject))
        flow = self.frames[-1].flow
        self.frames[-1].uncertain_end = max(self.frames[-1].uncertain_end, node.end_byte)
        if flow is not None:
            flow.enter(node.end_byte)

    def _case(self, node: Node) -> None:
        while self._match_subjects and self._match_subjects[-1][0] <= node.start_byte:
            self._match_subjects.pop()
        _, subject, subject_node = self._match_subjects[-1] if self._match_subjects else (-1, -1, None)
        flow = self.frames[-1].flow
        if flow is not None:
            flow.branch()
        for child in node.named_children:
            if child.type == "case_pattern":
                self.in_clause = True
                self._pattern(child, subject)
                self.in_clause = False
                if subject_node is not None and flow is not None:
                    self._narrow_subject(subject_node, child)
            elif child.type == "if_clause":
                for part in child.named_children:
                    self.read(part)

    def _narrow_subject(self, subject: Node, pattern: Node) -> None:
        """In the block of a class pattern, the name that is matched holds an instance of that class."""
        inner = pattern.named_children[0] if pattern.named_children else pattern
        if inner.type == "as_pattern" and inner.named_children and inner.named_children[0].named_children:
            inner = inner.named_children[0].named_children[0]
        if inner.type == "class_pattern":
            found = self.narrowing(subject, self._class_of_pattern(inner))
            if found is not None:
                self.narrow([found])

    def _pattern(self, node: Node, subject: int) -> None:
        """A pattern: capture names are bound, class and value patterns are references (Python reference, 8.6.4)."""
        builder = self.builder
        kind = node.type
        children = node.named_children
        if kind == "case_pattern":
            for child in children:
                self._pattern(child, subject)
        elif kind == "dotted_name":
            if len(children) == 1:
                if builder.text(children[0]) != "_":
                    self._bind_name(children[0], subject, -1, False, False)
                return
            expression = self.seen(builder.text(children[0]))
            builder.reference(ReferenceKind.READ, children[0], expression, self.definition)
            for part in children[1:]:
                expression = builder.attribute(expression, builder.text(part))
                builder.reference(
                    ReferenceKind.READ, part, expression, self.definition, qualifier_start=node.start_byte
                )
        elif kind == "class_pattern":
            self._class_pattern(node)
        elif kind == "as_pattern":
            if len(children) > 1:
                self._pattern(children[0], subject)
                inner = children[0].named_children[0] if children[0].named_children else children[0]
                value = (
                    self.builder.instance(self._class_of_pattern(inner)) if inner.type == "class_pattern" else subject
                )
                self._bind_name(children[-1], value, -1, False, False)
        elif kind in ("list_pattern", "tuple_pattern", "union_pattern", "dict_pattern"):
            for child in children:
                self._pattern(child, subject if kind == "union_pattern" else -1)
        elif kind == "splat_pattern":
            for child in children:
                if child.type == "identifier" and builder.text(child) != "_":
                    kind = "dict" if builder.source.startswith(b"**", node.start_byte) else "list"
                    self._bind_name(child, builder.builtin(kind), -1, False, False)
        elif kind == "identifier":
            if builder.text(node) != "_":
                self._bind_name(node, subject, -1, False, False)
        else:
            self.read(node)

    def _class_of_pattern(self, node: Node) -> int:
        names = node.named_children[0].named_children if node.named_children else []
        if not names:
            return -1
        expression = self.seen(self.builder.text(names[0]))
        for part in names[1:]:
            expression = self.builder.attribute(expression, self.builder.text(part))
        return expression

    def _class_pattern(self, node: Node) -> None:
        builder = self.builder
        instance = builder.instance(self._class_of_pattern(node))
        for position, child in enumerate(node.named_children):
            if position == 0:
                parts = child.named_children or [child]
                expression = -1
                for depth, part in enumerate(parts):
                    text = builder.text(part)
                    expression = builder.attribute(expression, text) if depth else self.seen(text)
                    start = child.start_byte if depth else -1
                    builder.reference(ReferenceKind.TYPE, part, expression, self.definition, qualifier_start=start)
                continue
            inner = child.named_children[0] if child.type == "case_pattern" and child.named_children else child
            if inner.type == "keyword_pattern" and inner.named_children:
                name, *rest = inner.named_children
                expression = builder.attribute(instance, builder.text(name)) if instance >= 0 else -1
                builder.reference(ReferenceKind.READ, name, expression, self.definition)
                for part in rest:
                    self._pattern(part, expression)
            else:
                self._pattern(child, -1)
