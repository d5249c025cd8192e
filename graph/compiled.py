"""Whether the hot modules run compiled: the same sources either way, in two thirds of the time."""

from __future__ import annotations

from graph.link import linker


def is_compiled() -> bool:
    """True where the modules that `hatch_build.py` names were compiled when this installation was made."""
    return not str(linker.__file__).endswith(".py")
