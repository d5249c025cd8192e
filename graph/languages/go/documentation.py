"""What a reader is shown of a definition: its signature and the summary of its doc comment.

Comments are found in the source text above a declaration: lines of `//` or one `/* */` that end on the line before it
(Go Doc Comments).
"""

from __future__ import annotations

import re
from typing import Final

from graph.extract.builder import FactBuilder
from graph.model import Flag

SIGNATURE_LIMIT: Final = 300
SUMMARY_LIMIT: Final = 300
"""Longest texts that are kept, in code points."""
_MOST_LINES: Final = 400
_DIRECTIVE: Final = re.compile(r"//(line |extern |export |[a-z0-9]+:[a-z0-9])")
_SENTENCE_END: Final = re.compile(r"[.!?。](?=\s|$)")


def describe(builder: FactBuilder, index: int, start: int, signature: tuple[int, int]) -> None:
    """Set the signature (a byte range) of a definition, and the doc summary from the comment above byte `start`."""
    draft = builder.definitions[index]
    draft.signature = " ".join(builder.slice(*signature).split())[:SIGNATURE_LIMIT]
    lines = comment_above(builder, start)
    if lines:
        draft.doc = summary(lines)
        if is_deprecated(lines):
            draft.flags |= Flag.DEPRECATED


def comment_above(builder: FactBuilder, start: int) -> list[str]:
    """The lines of the comment that ends on the line before byte `start`, without comment signs; none without one."""
    source = builder.source
    line_start = source.rfind(b"\n", 0, start) + 1
    if line_start == 0 or source[line_start:start].strip():
        return []
    end = line_start - 1
    begin = source.rfind(b"\n", 0, end) + 1
    line = source[begin:end].strip()
    if line.endswith(b"*/"):
        opening = source.rfind(b"/*", 0, end)
        above = source.rfind(b"\n", 0, max(opening, 0)) + 1
        if opening < 0 or source[above:opening].strip():
            return []
        text = builder.slice(opening + 2, end).rstrip().removesuffix("*/")
        return [part.strip().removeprefix("*").strip() for part in text.split("\n")][:_MOST_LINES]
    found: list[str] = []
    while line.startswith(b"//") and len(found) < _MOST_LINES:
        found.append(line.decode("utf-8", "replace"))
        if begin == 0:
            break
        end = begin - 1
        begin = source.rfind(b"\n", 0, end) + 1
        line = source[begin:end].strip()
    return [text[2:].strip() for text in reversed(found) if not _DIRECTIVE.match(text)]


def summary(lines: list[str]) -> str:
    """The first sentence of a comment."""
    paragraph: list[str] = []
    for line in lines:
        if line:
            paragraph.append(line)
        elif paragraph:
            break
    text = " ".join(paragraph)
    end = _SENTENCE_END.search(text)
    return (text[: end.end()] if end else text)[:SUMMARY_LIMIT]


def is_deprecated(lines: list[str]) -> bool:
    """Whether a paragraph of the comment begins with `Deprecated:` (Go wiki, Deprecated)."""
    return any(
        line.startswith("Deprecated:") and (position == 0 or not lines[position - 1])
        for position, line in enumerate(lines)
    )
