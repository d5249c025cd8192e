"""Reading the tokens of a macro call as what the macro is known to take.

The grammar gives the arguments of a macro as a tree of tokens. Where a macro is known to take expressions, patterns or
items, its tokens are parsed once more, inside a few bytes of wrapping, at their own offsets in the file: the parser is
given a range of a virtual text that begins just before the tokens.
"""

from __future__ import annotations

from functools import cache

from tree_sitter import Node, Parser, Range

from graph.extract.sweep import grammar


@cache
def _parser() -> Parser:
    return Parser(grammar("rust"))


def reparse(source: bytes, start: int, end: int, before: bytes, after: bytes) -> Node | None:
    """The root of the tree for `before` + source[start:end] + `after`, its offsets those of the file.

    None when the text does not parse cleanly, or when the wrapping does not fit in front of `start`.
    """
    return parsed(before + source[start:end] + after, start - len(before))


def parsed(text: bytes, offset: int) -> Node | None:
    """The root of the tree for a text that is taken to begin at a byte offset of the file; None unless it is clean."""
    if offset < 0:
        return None
    end = offset + len(text)
    parser = _parser()
    parser.included_ranges = [Range((0, 0), (0xFFFFFFFF, 0xFFFFFFFF), offset, end)]

    def read(position: int, _point: object) -> bytes:
        return text[position - offset :] if offset <= position < end else b""

    root = parser.parse(read).root_node
    return None if root.has_error else root
