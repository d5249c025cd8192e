"""`at`: what stands at a place."""

from __future__ import annotations

import click

from resolver.cli import output
from resolver.cli.base import Example, command
from resolver.cli.documents.places import at_document
from resolver.cli.errors import Exit
from resolver.cli.place import required_place
from resolver.cli.session import Session


@command(
    "at",
    Example("tieline at src/app.py:12:8", "the definition or the reference at line 12, column 8"),
    Example("tieline at src/app.py:12", "everything on line 12"),
    Example("tieline at src/app.py:12:8 --json | jq .reference.verdict", "its verdict, for a script"),
)
@click.argument("place", metavar="PATH:LINE[:COLUMN]", type=click.Path())  # for the completion of its path
def at(session: Session, place: str) -> int:
    """What stands at a place: the definition, or the reference with the resolutions of every layer.

    Lines and columns count from 1, columns in Unicode code points. Exit code 1: nothing is known there.
    """
    from graph.query import at as ask

    wanted = required_place(place)
    session.locate(wanted.path)
    path = session.path(wanted.path)
    answer = ask(session.snapshot, path, wanted.line, wanted.column)
    session.judge(answer.evidence)
    if session.json:
        output.write_json(at_document(answer, None if wanted.column is None else (path, wanted.line, wanted.column)))
    else:
        from resolver.cli.render.at import show_at

        show_at(output.answer_console(), session.snapshot, answer)
    found = any(item.definition is not None or item.reference is not None for item in answer.items)
    return Exit.DONE if found else Exit.NOTHING
