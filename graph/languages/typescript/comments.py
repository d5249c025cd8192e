"""Where the documentation comments of a file stand."""

from __future__ import annotations

import re

_COMMENT = re.compile(rb"/\*\*(?!/).*?\*/\s*+", re.DOTALL)


def comments(source: bytes) -> dict[int, tuple[int, int]]:
    """Documentation comments: byte offset of what follows one -> its byte range."""
    found: dict[int, tuple[int, int]] = {}
    last = source.rfind(b"*/")
    if b"/**" in source and last >= 0:
        # Bounded, so that every attempt to match ends at a `*/`. What follows the last one is added afterwards.
        for match in _COMMENT.finditer(source, 0, last + 2):
            end = source.rindex(b"*/", match.start(), match.end()) + 2
            # A string may hold what looks like the beginning of a comment (`"src/**"`): the last one is the comment's.
            after = match.end()
            while end == last + 2 and source[after : after + 1].isspace():
                after += 1
            found[after] = (source.rindex(b"/**", match.start(), end), end)
    return found
