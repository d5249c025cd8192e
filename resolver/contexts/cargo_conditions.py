"""Which `cfg` predicates stand around the code of a Rust file.

Source of the rules: the Rust reference, "Conditional compilation" ("The cfg attribute").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from sqlite3 import Connection
from typing import NamedTuple

from tree_sitter import Language, Node, Parser, Query, QueryCursor
from tree_sitter_language_pack import get_language

from graph.store.numbers import definition_range

_QUERY = """
[(attribute_item (attribute (identifier) @name)) (inner_attribute_item (attribute (identifier) @name))]
"""
_MACRO = re.compile(rb"\bmacro_rules!\s*(\w+)\s*[({\[]")
_ON_ITEM = re.compile(rb"#\[cfg\(((?:[^()]|\([^()]*\))*)\)\](?:\s*#\[[^\n]*\])*\s*\$\w+")
_MODULE = re.compile(rb"\bmod\s+(\w+)\s*;")
_BRACES = re.compile(rb"[{}]")
_SPACE = re.compile(r"\s+")
_DEPTH = 512
"""Nodes around an attribute that are looked at."""


def conditions_of_definitions(
    connection: Connection, file: int, wrapped: Sequence[Wrapped] = ()
) -> dict[int, tuple[str, ...]]:
    """What stands around each definition of a file, as the syntactic layer has it: branches of `cfg_if!` too.

    Definition -> the predicates, sorted; definitions that have none around them are there with (). `wrapped` are
    the invocations in the file that bring more.
    """
    rows: Mapping[int, tuple[int | None, str]] = {
        row[0]: (row[1], row[2])
        for row in connection.execute(
            "SELECT id, parent, condition FROM definition WHERE id BETWEEN ? AND ?", definition_range(file)
        )
    }
    starts: dict[int, int] = dict(
        connection.execute("SELECT id, name_start FROM definition WHERE id BETWEEN ? AND ?", definition_range(file))
    )
    found: dict[int, tuple[str, ...]] = {}
    for definition in rows:
        predicates = {one.predicate for one in wrapped if one.start < starts[definition] < one.end}
        current: int | None = definition
        for _ in range(_DEPTH):
            if current is None or current not in rows:
                break
            current, condition = rows[current]
            if condition:
                predicates.add(condition)
        found[definition] = tuple(sorted(predicates))
    return found


def conditions_of_attributes(content: bytes) -> set[tuple[str, ...]]:
    """What the `cfg` attributes of a source say, on whatever they stand, each with those around it."""
    if b"cfg" not in content:
        return set()
    parser = Parser(_grammar())
    tree = parser.parse(content)
    captures = QueryCursor(_query()).captures(tree.root_node)
    found: set[tuple[str, ...]] = set()
    for name in captures.get("name", ()):
        if name.text != b"cfg" or name.parent is None or name.parent.parent is None:
            continue
        attribute = name.parent.parent
        predicates = {own} if (own := _predicate(attribute)) else set[str]()
        for around in _around(attribute):
            predicates |= _before(around)
        if predicates:
            found.add(tuple(sorted(predicates)))
    return found


class Wrapped(NamedTuple):
    """An invocation of a macro that puts a predicate before each of the items that it is given."""

    start: int
    end: int
    predicate: str
    modules: frozenset[str]
    """Names of the modules that are files declared in it."""


def wrapping_macros(content: bytes) -> dict[str, str]:
    """Macros of a source that do nothing but put `#[cfg(..)]` before items -> the predicate.

    Where one has several predicates, or takes it from its arguments, it is left out.
    """
    starts = [(match[1], match.end()) for match in _MACRO.finditer(content)]
    ends = [*(match.start() for match in _MACRO.finditer(content)), len(content)][1:]
    found: dict[str, str] = {}
    for (name, start), end in zip(starts, ends, strict=True):
        predicates = {_SPACE.sub(" ", match[1].decode("utf-8", "replace")).strip()
                      for match in _ON_ITEM.finditer(content, start, end)}  # fmt: skip
        if len(predicates) == 1 and "$" not in (only := predicates.pop()):
            found[name.decode("utf-8", "replace")] = only
    return found


def wrapped_items(content: bytes, macros: Mapping[str, str]) -> list[Wrapped]:
    """The invocations of such macros in a source, in the form with braces that items are written in."""
    if not macros or b"!" not in content:
        return []
    invocation = re.compile(rb"\b(" + b"|".join(re.escape(name.encode()) for name in sorted(macros)) + rb")!\s*\{")
    found: list[Wrapped] = []
    for match in invocation.finditer(content):
        depth, end = 1, len(content)
        for brace in _BRACES.finditer(content, match.end()):
            depth += 1 if brace[0] == b"{" else -1
            if depth == 0:
                end = brace.end()
                break
        names = (module[1].decode("utf-8", "replace") for module in _MODULE.finditer(content, match.end(), end))
        found.append(Wrapped(match.start(), end, macros[match[1].decode()], frozenset(names)))
    return found


@cache
def _grammar() -> Language:
    return get_language("rust")


@cache
def _query() -> Query:
    return Query(_grammar(), _QUERY)


def _around(node: Node) -> Iterator[Node]:
    current = node
    for _ in range(_DEPTH):
        parent = current.parent
        if parent is None:
            return
        yield parent
        current = parent


def _before(node: Node) -> set[str]:
    """The predicates of the attributes that stand directly before a node, and of those at the start inside of it."""
    found: set[str] = set()
    current = node.prev_named_sibling
    while current is not None and current.type in ("attribute_item", "line_comment", "block_comment"):
        found.add(_predicate(current))
        current = current.prev_named_sibling
    for child in node.named_children if node.type in ("source_file", "declaration_list", "block") else ():
        if child.type == "inner_attribute_item":
            found.add(_predicate(child))
        elif child.type not in ("line_comment", "block_comment"):
            break
    found.discard("")
    return found


def _predicate(attribute: Node) -> str:
    """The predicate of a `cfg` attribute; '' for any other node."""
    inner = next((child for child in attribute.named_children if child.type == "attribute"), None)
    if inner is None or not inner.named_children or inner.named_children[0].text != b"cfg":
        return ""
    arguments = inner.child_by_field_name("arguments")
    text = b"" if arguments is None or arguments.text is None else arguments.text[1:-1]
    return _SPACE.sub(" ", text.decode("utf-8", "replace")).strip()
