"""Syntax that the grammars do not know, written so that they do: same length, so that every offset stays what it is.

Only files that do not parse cleanly are looked at, and the mended text counts only where less of it is damaged.
"""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Parser, Tree

from graph.extract.sweep import damage, grammar

_SPACE: Final = rb"(?:[ \t\r\n]++|/\*(?:[^*]|\*(?!/)){0,20000}+\*/|//[^\n]*+){0,200}+"
"""White space and comments. Possessive, so that nothing is tried twice."""
_VARIANCE: Final = re.compile(
    rb"([<,]" + _SPACE + rb")((?:in\s+out|in|out)\s)(?=\s*+[A-Za-z_$][\w$]*+\s*+(?:extends\b|[=,>]))"
)
"""`<in out T>`: TypeScript handbook, "Variance Annotations"."""
_GENERIC_MEMBER: Final = re.compile(rb"(?:(?<=[\w$\])}])|(?<=[^=]>))([ \t]*\r?\n)(?=" + _SPACE + rb"<[A-Za-z_$\s])")
"""A member that begins with `<` on a line of its own: a line break ends the type before it."""
_SIZE_LIMIT: Final = 4_000_000
"""Largest file that is mended, in bytes."""
_EXPORT_TYPE: Final = re.compile(rb"(?<=\bexport )type(?=\s*\*)")
"""`export type * from`."""
_IMPORT_TYPE: Final = re.compile(
    rb"\bimport\(\s*(['\"])[^'\"\n]*\1\s*\)(?=\s*\.\s*(?!then\b|catch\b|finally\b)[\w$]+(?:\.[\w$]+)*\s*<)"
)
"""`import("x").T<U>`: becomes a name, whose text the readers of types know."""


def mended(source: bytes) -> bytes:
    """The text in the grammar's words, of the same length."""
    source = _VARIANCE.sub(lambda match: match.group(1) + b" " * len(match.group(2)), source)
    source = _GENERIC_MEMBER.sub(lambda match: b";" + match.group(1)[1:], source)
    # A backtick that is escaped inside a template literal type.
    source = source.replace(b"\\`", b"__")
    source = _EXPORT_TYPE.sub(b"    ", source)
    return _IMPORT_TYPE.sub(lambda match: b"I" + b"_" * (len(match.group()) - 1), source)


def parse_again(source: bytes, tree: Tree, grammar_name: str) -> tuple[Tree, list[tuple[int, int]], bool]:
    """(tree, damaged ranges, whether there are conflict markers): of the mended text where that is the better one."""
    ranges, conflicts = damage(source, tree.root_node, grammar_name)
    if not tree.root_node.has_error or grammar_name == "javascript" or len(source) > _SIZE_LIMIT:
        return tree, ranges, conflicts
    text = mended(source)
    if text == source:
        return tree, ranges, conflicts
    other = Parser(grammar(grammar_name)).parse(text)
    other_ranges, _ = damage(source, other.root_node, grammar_name)
    if _extent(other_ranges) < _extent(ranges):
        return other, other_ranges, conflicts
    return tree, ranges, conflicts


def _extent(ranges: list[tuple[int, int]]) -> tuple[int, int]:
    return sum(end - start for start, end in ranges), len(ranges)
