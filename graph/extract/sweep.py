"""The nodes of a file with which an adapter begins, by query or by outline, in source order; and what is damaged."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from operator import itemgetter
from typing import NamedTuple, cast

from tree_sitter import Language, Node, Query, QueryCursor
from tree_sitter_language_pack import SupportedLanguage, get_language

_ORDER = itemgetter(0, 1)
_CONFLICT = re.compile(rb"^<{7} [^\n]*\n(?:[^\n]*\n)*?^={7}[^\n]*\n(?:[^\n]*\n)*?^>{7}[^\n]*", re.MULTILINE)
_DAMAGE = "(ERROR) @damage (MISSING) @damage"


@cache
def grammar(name: str) -> Language:
    """A grammar of the language pack by name."""
    return get_language(cast(SupportedLanguage, name))


@cache
def query(package: str, file: str, grammar_name: str) -> Query:
    """The query in a `.scm` file that lies in a package, compiled for a grammar."""
    text = resources.files(package).joinpath(file).read_text("utf-8")
    return Query(grammar(grammar_name), text)


@cache
def _damage_query(grammar_name: str) -> Query:
    return Query(grammar(grammar_name), _DAMAGE)


def anchors(compiled: Query, root: Node, depth: int | None = None) -> list[tuple[int, int, str, Node]]:
    """(start byte, minus end byte, capture name, node) of every capture, outer before inner, in source order.

    Nodes of one extent come in the order in which their capture names first stand in the query. With `depth`, patterns
    match only at nodes that are at most so many levels below the root, which spares the walk through everything else.
    """
    cursor = QueryCursor(compiled)
    if depth is not None:
        cursor.set_max_start_depth(depth)
    found: list[tuple[int, int, str, Node]] = []
    for name, nodes in cursor.captures(root).items():
        found.extend([(node.start_byte, -node.end_byte, name, node) for node in nodes])
    found.sort(key=_ORDER)
    return found


class Outline(NamedTuple):
    """Where the statements of a language stand, by node type, for a walk that enters no expression."""

    block: str
    """Its named children are statements, as are those of the root."""
    bodies: Mapping[str, str]
    """Statement -> the field that holds its only block."""
    compounds: frozenset[str]
    """Statements and clauses among whose children there are blocks or clauses, and what merely groups clauses."""
    clauses: Mapping[str, str]
    """Clause -> its role."""


def outlined(outline: Outline, root: Node) -> list[tuple[int, int, str, Node]]:
    """Statements and clauses as `anchors` gives them, with the roles "statement" and those of the clauses.

    It costs a third of a query, which visits every node of the tree; for a tree without errors only, where nothing
    stands in an unexpected place.
    """
    found: list[tuple[int, int, str, Node]] = []
    _enter(root, True, outline, found.append)
    return found


def _enter(node: Node, statements: bool, outline: Outline, add: Callable[[tuple[int, int, str, Node]], None]) -> None:
    """Add what stands below a block (`statements`) or below a compound."""
    block_type, bodies, compounds, clauses = outline
    for child in node.named_children:
        kind = child.type
        if kind == block_type and not statements:
            _enter(child, True, outline, add)
            continue
        body = bodies.get(kind)
        if statements or body is not None:
            add((child.start_byte, -child.end_byte, "statement", child))
        role = clauses.get(kind)
        if role is not None:
            add((child.start_byte, -child.end_byte, role, child))
        if body is not None:
            inner = child.child_by_field_name(body)
            if inner is not None:
                _enter(inner, True, outline, add)
        elif kind in compounds:
            _enter(child, False, outline, add)


def damage(source: bytes, root: Node, grammar_name: str) -> tuple[list[tuple[int, int]], bool]:
    """Byte ranges that the parser could not read cleanly or that lie in merge conflicts; whether it has conflicts."""
    ranges: list[tuple[int, int]] = []
    if root.has_error:
        for nodes in QueryCursor(_damage_query(grammar_name)).captures(root).values():
            ranges.extend((node.start_byte, max(node.end_byte, node.start_byte + 1)) for node in nodes)
    conflicts = [match.span() for match in _CONFLICT.finditer(source)] if b"<<<<<<< " in source else []
    return sorted({*ranges, *conflicts}), bool(conflicts)
