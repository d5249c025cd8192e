"""What the spelling of a name says."""

from __future__ import annotations

from graph.model import Visibility

_PUBLIC, _PRIVATE = int(Visibility.PUBLIC), int(Visibility.PRIVATE)


def visibility(name: str) -> int:
    """Public unless the name starts with an underscore and is no dunder (PEP 8)."""
    if name.startswith("_") and not (name.startswith("__") and name.endswith("__")):
        return _PRIVATE
    return _PUBLIC
