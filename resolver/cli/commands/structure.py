"""`outline`, `search`, `show`, `hierarchy`: definitions by file, by name, one by one, and by descent."""

from __future__ import annotations

from typing import Literal

import click

from resolver.cli import output
from resolver.cli.base import Example, command
from resolver.cli.documents.graph import hierarchy_document
from resolver.cli.documents.structure import outline_document, search_document, show_document
from resolver.cli.errors import Exit
from resolver.cli.session import Session
from resolver.cli.symbols import SYMBOL_HELP, chosen, symbol
from resolver.cli.text import utf8_text

_MODES = ("auto", "exact", "prefix", "fuzzy", "text")


@command(
    "outline",
    Example("tieline outline src/auth.py", "its classes, methods and functions"),
    Example("tieline outline src/auth.py --json | jq -r '.definitions[].id'", "the ids of the outermost ones"),
)
@click.argument("path", type=click.Path())
def outline(session: Session, path: str) -> int:
    """The structure of a file: its definitions as a tree. Exit code 1: there is none."""
    from graph.query import outline as ask

    session.locate(path)
    answer = ask(session.snapshot, session.path(path))
    session.judge(answer.evidence)
    if session.json:
        output.write_json(outline_document(answer))
    else:
        from resolver.cli.render.structure import show_outline

        show_outline(output.answer_console(), answer)
    return Exit.DONE if answer.nodes else Exit.NOTHING


@command(
    "search",
    Example(
        "tieline search authenticate", "by name: exactly, else by its beginning, else in texts, else similar names"
    ),
    Example("tieline search 'user password' --mode text", "both words in the name, signature or documentation"),
    Example("tieline search autenticate --mode fuzzy", "in spite of a typing error"),
)
@click.argument("name")
@click.option("--mode", type=click.Choice(_MODES), default="auto", show_default=True, help="How to search.")
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, metavar="N", help="Most definitions.")
def search(session: Session, name: str, mode: Literal["auto", "exact", "prefix", "fuzzy", "text"], limit: int) -> int:
    """Definitions by name, or by words of their names, signatures and documentation. Exit code 1: none is found."""
    from graph.query import search as ask

    answer = ask(session.snapshot, utf8_text(name), mode, limit)
    session.judge(answer.evidence)
    if session.json:
        output.write_json(search_document(answer))
    else:
        from resolver.cli.render.structure import show_search

        show_search(output.answer_console(), answer)
    return Exit.DONE if answer.found else Exit.NOTHING


@command(
    "show",
    Example("tieline show UserService.authenticate", "its signature, documentation and source"),
    Example("tieline show src/auth.py:12:9", "the definition of what stands at a place"),
    help_=f"One definition with its source.\n\n{SYMBOL_HELP}",
)
@symbol()
def show(session: Session, symbol: str) -> int:
    """One definition with its source."""
    from graph.query import show as ask

    (definition,) = chosen(session, symbol)
    answer = ask(session.snapshot, definition)
    session.judge(answer.evidence)
    if session.json:
        output.write_json(show_document(answer))
    else:
        from resolver.cli.render.structure import show_definition

        show_definition(output.answer_console(), session.snapshot, answer)
    return Exit.DONE


@command(
    "hierarchy",
    Example("tieline hierarchy Shape", "its bases, and the classes derived from it"),
    Example("tieline hierarchy Shape.area", "the methods that it overrides, and those that override it"),
    help_="What a type or a method is derived from, and what is derived from it. Bases outside of the repository, and"
    f" those that are not known, are named.\n\n{SYMBOL_HELP}",
)
@symbol()
def hierarchy(session: Session, symbol: str) -> int:
    """What a type or a method is derived from, and what is derived from it."""
    from graph.query import hierarchy as ask

    (definition,) = chosen(session, symbol)
    answer = ask(session.snapshot, definition)
    session.judge(answer.evidence)
    if session.json:
        output.write_json(hierarchy_document(answer))
    else:
        from resolver.cli.render.structure import show_hierarchy

        show_hierarchy(output.answer_console(), answer)
    found = answer.above or answer.below or answer.external_bases or answer.unresolved_bases
    return Exit.DONE if found else Exit.NOTHING
