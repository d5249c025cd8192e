"""Definition ids as text: `path:kind:qualified.name`, with `~2`, `~3` for further ones that would share it."""

from __future__ import annotations

import re
from typing import NamedTuple

from graph.model import DefinitionKind, word

KIND_WORDS = {int(kind): word(kind) for kind in DefinitionKind}
"""Kind -> the word of output."""
_KINDS = {kind_word: kind for kind, kind_word in KIND_WORDS.items()}
_ORDINAL = re.compile(r"~([2-9]|[1-9][0-9]{1,8})$")


class TextId(NamedTuple):
    """The parts of a definition's text id."""

    path: str
    kind: int
    qualified_name: str
    ordinal: int
    """1 for the first of its name in source order."""


def escape(part: str) -> str:
    """A part with what separates parts, and line breaks, percent-escaped."""
    if "%" in part or ":" in part:
        part = part.replace("%", "%25").replace(":", "%3A")
    if "\n" in part or "\r" in part:
        part = part.replace("\n", "%0A").replace("\r", "%0D")
    return part


def _unescape(part: str) -> str:
    return part.replace("%0D", "\r").replace("%0A", "\n").replace("%3A", ":").replace("%25", "%")


def format_text_id(path: str, kind: int, qualified_name: str, ordinal: int) -> str:
    """The text id of a definition."""
    tail = f"~{ordinal}" if ordinal > 1 else ""
    return f"{escape(path)}:{KIND_WORDS[kind]}:{escape(qualified_name)}{tail}"


def parse_text_ids(text: str) -> list[TextId]:
    """Every reading of a text as an id: none, one, or two where the name itself may end like an ordinal."""
    parts = text.split(":")
    if len(parts) != 3 or parts[1] not in _KINDS:
        return []
    path, kind, name = _unescape(parts[0]), _KINDS[parts[1]], parts[2]
    readings = [TextId(path, kind, _unescape(name), 1)]
    match = _ORDINAL.search(name)
    if match is not None:
        readings.insert(0, TextId(path, kind, _unescape(name[: match.start()]), int(match[1])))
    return readings
