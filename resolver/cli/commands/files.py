"""`deps`: what files depend on."""

from __future__ import annotations

import click

from resolver.cli import output
from resolver.cli.base import Example, command
from resolver.cli.documents.state import deps_document
from resolver.cli.errors import Exit
from resolver.cli.session import Session


@command(
    "deps",
    Example("tieline deps src/auth.py", "the files and packages it uses, and the files that use it"),
    Example("tieline deps src/auth.py --json | jq -r '.used_by[].name'", "who has to be looked at when it moves"),
)
@click.argument("path", type=click.Path())
def deps(session: Session, path: str) -> int:
    """What a file depends on, and what depends on it, with the number of references. Exit code 1: neither."""
    from graph.query import deps as ask

    session.locate(path)
    answer = ask(session.snapshot, session.path(path))
    session.judge(answer.evidence)
    if session.json:
        output.write_json(deps_document(answer))
    else:
        from resolver.cli.render.state import show_deps

        show_deps(output.answer_console(), answer)
    return Exit.DONE if answer.uses or answer.used_by or answer.packages else Exit.NOTHING
