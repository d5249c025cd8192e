"""Documentation comments: their summary, and in JavaScript the types that they declare (JSDoc)."""

from __future__ import annotations

import re
from typing import Any

from graph.languages.typescript.reader import Reader

_LINE_START = re.compile(r"^\s*\*+ ?", re.MULTILINE)


def summary(reader: Reader, start: int) -> tuple[str, bool]:
    """(first paragraph of the documentation before an offset, cut to 300 characters; whether it says deprecated)."""
    found = reader.comments.get(start)
    if found is None:
        return "", False
    begin, end = found
    text = _LINE_START.sub("", reader.builder.slice(begin + 3, end - 2))
    deprecated = "@deprecated" in text
    text = text.strip()
    at = text.find("@") if text.startswith("@") else text.find("\n@")
    if at >= 0:
        text = text[:at]
    paragraph = " ".join(text.split("\n\n", 1)[0].split())
    return paragraph[:300], deprecated


def document(reader: Reader, start: int) -> Any:
    """The types that the documentation comment before an offset declares, or None."""
    return None if reader.documents is None else reader.documents.before(start)
