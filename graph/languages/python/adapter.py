"""Extraction of one Python file: its statements in source order, in the frames (module, classes, functions)
around them.

Scoping follows the Python language reference, section 4.2 (naming and binding); comprehensions section 6.2.4; `global`
section 7.12; type parameters section 8.10.
"""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from graph.extract.builder import ClassScope, FactBuilder
from graph.extract.sweep import anchors, damage, outlined, query
from graph.languages.base import ParsedFile
from graph.languages.python.outline import OUTLINE
from graph.languages.python.statements import Statements
from graph.model import FileFacts


def extract(file: ParsedFile) -> FileFacts:
    """The facts of a parsed Python file."""
    stem = file.path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    if stem == "__init__" and "/" in file.path:
        stem = file.path.rsplit("/", 2)[-2]
    builder = FactBuilder(file.source, stem, ClassScope.OWN)
    root = file.tree.root_node
    builder.damage, builder.conflict_markers = damage(file.source, root, file.grammar)
    reader = Reader(builder, test_file=_is_test_file(file.path))
    reader.run(root)
    reader.let_go()
    return builder.finish()


def _is_test_file(path: str) -> bool:
    name = path.rsplit("/", 1)[-1]
    return name.startswith("test_") or name.endswith("_test.py") or name in ("conftest.py", "tests.py")


class Reader(Statements):
    """Reads the statements of one file."""

    def __init__(self, builder: FactBuilder, *, test_file: bool) -> None:
        super().__init__(builder, test_file=test_file)
        self._statements: dict[str, Callable[[Node], None]] = {
            "class_definition": self._class,
            "function_definition": self._function,
            "import_statement": self._import,
            "import_from_statement": self._import_from,
            "future_import_statement": self._import_from,
            "if_statement": self._if,
            "while_statement": self._while,
            "try_statement": self._try,
            "with_statement": self._nothing,
            "for_statement": self._for,
            "match_statement": self._match,
            "assignment": self._assignment,
            "augmented_assignment": self._augmented,
            "return_statement": self._return,
            "raise_statement": self._raise,
            "delete_statement": self._delete,
            "type_alias_statement": self._type_alias,
            "global_statement": self._global,
            "nonlocal_statement": self._nonlocal,
            "decorated_definition": self._nothing,
            "pass_statement": self._nothing,
            "break_statement": self._leave,
            "continue_statement": self._leave,
            "assert_statement": self._assert,
            "case_clause": self._nothing,
            "ERROR": self._nothing,
            "call": self._call_statement,
            "comment": self._nothing,
            "block": self._nothing,
            "string": self._string_statement,
        }
        self._clauses: dict[str, Callable[[Node], None]] = {
            "decorator": self._decorator,
            "elif": self._elif,
            "except": self._except,
            "with_item": self._with_item,
            "case": self._case,
            "branch": self._branch,
        }

    def let_go(self) -> None:
        """Forget the methods of itself: they keep the tree alive until cycles are collected, which workers put off."""
        self._statements.clear()
        self._clauses.clear()
        self._readers.clear()

    def run(self, root: Node) -> None:
        """Read the whole file."""
        frames = self.frames
        if root.has_error:
            self.anchors = anchors(query("graph.languages.python", "structure.scm", "python"), root)
        else:
            self.anchors = outlined(OUTLINE, root)
        for start, minus_end, capture, node in self.anchors:
            while start >= frames[-1].end and len(frames) > 1:
                self.close_frame()
            flow = frames[-1].flow
            if flow is not None and flow.regions and start >= flow.regions[-1].end:
                flow.advance(start)
            if minus_end == -start:
                continue
            if capture == "statement":
                handler = self._statements.get(node.type)
                if handler is not None:
                    handler(node)
                else:
                    self.read(node)
            else:
                self._clauses[capture](node)
        while len(frames) > 1:
            self.close_frame()
        self.settle_rebound()
