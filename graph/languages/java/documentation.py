"""Javadoc comments, signatures and other text that definitions are shown with."""

from __future__ import annotations

import re

from graph.extract.builder import FactBuilder

_LIMIT = 240
"""Longest signature or summary, in code points."""
_COMMENT_LIMIT = 20_000
"""Longest comment that is looked at, in bytes."""
_INLINE_TAG = re.compile(r"\{@\w+\s*([^{}]*)\}")
_MARKUP = re.compile(r"</?[A-Za-z][^<>]*>")
_SENTENCE = re.compile(r"(?<=[.!?])\s")
_BLOCK_TAG = re.compile(r"^\s*@\w+", re.MULTILINE)
_STRING_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?(?:\*/|$)', re.DOTALL)
_PARAGRAPH = re.compile(r"\n\s*\n|<p>|<P>")


def comment_before(source: bytes, start: int) -> bytes:
    """The documentation comment right before a declaration, without its delimiters; empty when there is none."""
    end = start
    while end > 0 and source[end - 1] in b" \t\r\n\f":
        end -= 1
    if source[end - 2 : end] != b"*/":
        return b""
    begin = source.rfind(b"/*", max(0, end - _COMMENT_LIMIT), end - 2)
    if begin < 0 or source[begin : begin + 3] != b"/**" or begin + 4 > end:
        return b""
    return source[begin + 3 : end - 2]


def summary(comment: bytes) -> tuple[str, bool]:
    """First sentence of a documentation comment as plain text, and whether it marks something as deprecated."""
    if not comment:
        return "", False
    lines = [line.strip().lstrip("*").strip() for line in comment.decode("utf-8", "replace").splitlines()]
    text = "\n".join(lines).strip()
    deprecated = "@deprecated" in text
    tag = _BLOCK_TAG.search(text)
    if tag is not None:
        text = text[: tag.start()]
    text = _PARAGRAPH.split(text, maxsplit=1)[0]
    text = _INLINE_TAG.sub(r"\1", text)
    text = " ".join(_MARKUP.sub("", text).split())
    return _SENTENCE.split(text, maxsplit=1)[0][:_LIMIT], deprecated


def signature(builder: FactBuilder, start: int, end: int) -> str:
    """The text of a declaration's header on one line, without comments."""
    text = builder.slice(start, min(end, start + 4 * _LIMIT))
    if "//" in text or "/*" in text:
        text = _STRING_OR_COMMENT.sub(lambda found: found.group() if found.group()[0] == '"' else " ", text)
    return " ".join(text.split())[:_LIMIT].rstrip(" ;{")
