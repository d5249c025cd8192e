"""What the questions about names are answered with."""

from __future__ import annotations

from typing import Final, NamedTuple

from graph.link.values import NOTHING, Values
from graph.model import Status


class Named(NamedTuple):
    """The things that an expression names, and the rule that found them."""

    things: Values
    rule: str


NOBODY: Final = Named(NOTHING, "")
"""Nothing is known."""


class Resolution(NamedTuple):
    """One syntactic resolution: the answer of the syntactic layer for one reference."""

    status: Status
    rule: str
    """The rule that gave it (`import`, `receiver-type`, ...); '' when there is none."""
    reason: str
    """Why it is not resolved; '' otherwise."""
    targets: tuple[int, ...]
    """Gids: the targets when resolved, the candidates when ambiguous."""
    package: str
    symbol: str
    """Where it leads when it is external."""


class Ancestry(NamedTuple):
    """A class and what it inherits from, in the order in which members are looked up."""

    classes: tuple[tuple[int, tuple[Values, ...]], ...]
    """(gid, type arguments in terms of the first class's parameters) each, the class itself first."""
    outside: Values
    """Bases that are outside of the repository, or `UNKNOWN` where a base could not be found."""
