"""What can be wrong with a question. Each error has `exit_code`, the one with which the command line ends."""

from __future__ import annotations

from typing import ClassVar


class QueryError(Exception):
    """A question that cannot be answered. `str()` is one line for people, but for the list of an ambiguous symbol."""

    exit_code: ClassVar[int] = 2


class UnknownFileError(QueryError):
    """A path that is not in the index; the message says why."""


class NoSuchPlaceError(QueryError):
    """A line or column that the file does not have."""


class UnknownSymbolError(QueryError):
    """A symbol that no definition has."""

    exit_code = 1

    def __init__(self, symbol: str, near: tuple[str, ...]) -> None:
        """`near` are text ids of definitions with similar names."""
        hint = f": did you mean {', '.join(near)}?" if near else ""
        super().__init__(f"no definition is called {symbol}{hint}")
        self.symbol = symbol
        self.near = near


class AmbiguousSymbolError(QueryError):
    """A symbol that several definitions have."""

    exit_code = 3

    def __init__(self, symbol: str, candidates: tuple[str, ...]) -> None:
        """`candidates` are the text ids of all of them."""
        listed = "\n".join(f"  {candidate}" for candidate in candidates[:50])
        more = f"\n  and {len(candidates) - 50} more" if len(candidates) > 50 else ""
        super().__init__(f"{symbol} is the name of {len(candidates)} definitions; give the id of one:\n{listed}{more}")
        self.symbol = symbol
        self.candidates = candidates
