"""What the spelling of a name says."""

from __future__ import annotations

from graph.model import Visibility


def mangled(name: str, class_name: str) -> str:
    """A private name as it is looked up in a class of that name (reference, 6.2.1); any other name as it is."""
    if not name.startswith("__") or name.endswith("__") or "." in name:
        return name
    stripped = class_name.lstrip("_")
    return f"_{stripped}{name}" if stripped else name


_PUBLIC, _PRIVATE = int(Visibility.PUBLIC), int(Visibility.PRIVATE)


def visibility(name: str) -> int:
    """Public unless the name starts with an underscore and is no dunder (PEP 8)."""
    if name.startswith("_") and not (name.startswith("__") and name.endswith("__")):
        return _PRIVATE
    return _PUBLIC
