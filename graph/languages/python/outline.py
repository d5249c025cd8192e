"""What `structure.scm` says of a tree without errors, as an outline."""

from __future__ import annotations

from graph.extract.sweep import Outline

OUTLINE = Outline(
    block="block",
    bodies={"function_definition": "body", "class_definition": "body"},
    compounds=frozenset({
        "if_statement", "while_statement", "for_statement", "try_statement", "with_statement", "with_clause",
        "match_statement", "decorated_definition", "elif_clause", "else_clause", "except_clause", "finally_clause",
        "case_clause",
    }),
    clauses={
        "decorator": "decorator", "elif_clause": "elif", "except_clause": "except", "with_item": "with_item",
        "case_clause": "case", "else_clause": "branch", "finally_clause": "branch",
    },
)  # fmt: skip
