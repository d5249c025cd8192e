"""`refs`, `callers`, `callees`: who uses a definition, who calls it, and what it calls."""

from __future__ import annotations

import click

from resolver.cli import output
from resolver.cli.base import Example, command
from resolver.cli.documents.graph import calls_document, refs_document
from resolver.cli.errors import Exit
from resolver.cli.session import Session
from resolver.cli.symbols import SYMBOL_HELP, chosen, symbol


@command(
    "refs",
    Example("tieline refs UserService.authenticate", "every reference, with its line"),
    Example("tieline refs src/auth.py:method:UserService.authenticate --json", "by its id, for a script"),
    Example("tieline refs src/auth.py:12:9", "of what stands at a place"),
    help_=f"Every reference to a definition, by file.\n\n{SYMBOL_HELP}",
)
@symbol()
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Show at most N references.")
def refs(session: Session, symbol: str, limit: int | None) -> int:
    """Every reference to a definition."""
    from graph.query import refs as ask

    (definition,) = chosen(session, symbol)
    answer = ask(session.snapshot, definition, limit)
    session.judge(answer.evidence)
    if session.json:
        output.write_json(refs_document(answer))
    else:
        from resolver.cli.render.uses import show_refs

        show_refs(output.answer_console(), session.snapshot, answer)
    return Exit.DONE if answer.uses else Exit.NOTHING


@command(
    "callers",
    Example("tieline callers authenticate", "who calls it, and where"),
    Example("tieline callers authenticate --json | jq -r '.callers[].definition.id'", "their ids"),
    help_=f"The definitions that call a definition, with the places where they do.\n\n{SYMBOL_HELP}",
)
@symbol()
def callers(session: Session, symbol: str) -> int:
    """Who calls a definition."""
    from graph.query import callers as ask

    (definition,) = chosen(session, symbol)
    answer = ask(session.snapshot, definition)
    session.judge(answer.evidence)
    if session.json:
        output.write_json(calls_document(answer, "callers"))
    else:
        from resolver.cli.render.uses import show_calls

        show_calls(output.answer_console(), session.snapshot, answer, "caller")
    return Exit.DONE if answer.calls else Exit.NOTHING


@command(
    "callees",
    Example("tieline callees main", "what it calls in this repository, and the calls that lead elsewhere"),
    help_=f"The definitions that a definition calls, and its calls that lead out of the repository or nowhere known."
    f"\n\n{SYMBOL_HELP}",
)
@symbol()
def callees(session: Session, symbol: str) -> int:
    """What a definition calls."""
    from graph.query import callees as ask

    (definition,) = chosen(session, symbol)
    answer = ask(session.snapshot, definition)
    session.judge(answer.evidence)
    if session.json:
        output.write_json(calls_document(answer, "callees"))
    else:
        from resolver.cli.render.uses import show_calls

        show_calls(output.answer_console(), session.snapshot, answer, "callee")
    return Exit.DONE if answer.calls or answer.others else Exit.NOTHING
