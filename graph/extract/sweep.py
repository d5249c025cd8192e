"""Running a language's queries: the captured nodes of a file in source order, and the regions that are damaged."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from operator import itemgetter

from tree_sitter import Language, Node, Query, QueryCursor
from tree_sitter_language_pack import get_language

_ORDER = itemgetter(0, 1)
_CONFLICT = re.compile(rb"^<{7} [^\n]*\n(?:[^\n]*\n)*?^={7}[^\n]*\n(?:[^\n]*\n)*?^>{7}[^\n]*", re.MULTILINE)
_DAMAGE = "(ERROR) @damage (MISSING) @damage"


@cache
def grammar(name: str) -> Language:
    """A grammar of the language pack by name."""
    return get_language(name)  # pyright: ignore[reportArgumentType]  # the pack types its names as one huge Literal


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


def damage(source: bytes, root: Node, grammar_name: str) -> tuple[list[tuple[int, int]], bool]:
    """Byte ranges that the parser could not read cleanly or that lie in merge conflicts; whether there are conflicts."""
    ranges: list[tuple[int, int]] = []
    if root.has_error:
        for nodes in QueryCursor(_damage_query(grammar_name)).captures(root).values():
            ranges.extend((node.start_byte, max(node.end_byte, node.start_byte + 1)) for node in nodes)
    conflicts = [match.span() for match in _CONFLICT.finditer(source)] if b"<<<<<<< " in source else []
    return sorted({*ranges, *conflicts}), bool(conflicts)
