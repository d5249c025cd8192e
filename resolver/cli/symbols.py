"""SYMBOL arguments: from what is typed to the one definition that is meant, and what a shell may complete."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from resolver.cli.place import Place, parse_place
from resolver.cli.session import Session
from resolver.cli.text import utf8_text

if TYPE_CHECKING:
    from graph.query import DefinitionInfo

Function = TypeVar("Function", bound=Callable[..., Any])

_COMPLETIONS = 50


SYMBOL_HELP = (
    "A symbol is an id (`src/auth.py:method:User.login`), a qualified name or its tail (`User.login`, `login`), or a"
    " place (`src/auth.py:12:9`). More than one match is an error that lists them (exit code 3). Exit code 1: nothing"
    " is found."
)
"""For the help of every command that takes one."""


def symbol(name: str = "symbol", metavar: str = "SYMBOL") -> Callable[[Function], Function]:
    """Declare a SYMBOL argument of a command."""
    return click.argument(name, metavar=metavar, shell_complete=_complete)


def chosen(session: Session, *symbols: str) -> tuple[DefinitionInfo, ...]:
    """The definitions that symbols mean. The first place among them takes part in the choice of the repository.

    Raises QueryError for a symbol that means none, or several.
    """
    from graph.query import find_symbol

    places = [parse_place(symbol) for symbol in symbols]
    session.locate(*(place.path for place in places if place is not None))
    written = [_in_root(session, *pair) for pair in zip(symbols, places, strict=True)]
    return tuple(find_symbol(session.snapshot, symbol) for symbol in written)


def _in_root(session: Session, symbol: str, place: Place | None) -> str:
    """The symbol with the path of a place made relative to the root."""
    if place is None:
        return utf8_text(symbol)
    column = "" if place.column is None else f":{place.column}"
    return f"{session.path(place.path)}:{place.line}{column}"


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Qualified names of definitions that begin with what is typed so far. Nothing without an index."""
    from graph.query import snapshot
    from graph.store import StoreError

    session = Session(json=False, quiet=True, root=ctx.params.get("root"), index_dir=ctx.params.get("index_dir"))
    like = incomplete.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    try:
        with snapshot(session.store) as state:
            rows = state.connection.execute(
                "SELECT DISTINCT qualified_name FROM definition WHERE parent IS NOT NULL"
                " AND (qualified_name LIKE ? ESCAPE '\\' OR name LIKE ? ESCAPE '\\') ORDER BY 1 LIMIT ?",
                (f"{like}%", f"{like}%", _COMPLETIONS),
            ).fetchall()
    except (StoreError, OSError):
        return []
    return [CompletionItem(row[0]) for row in rows]
