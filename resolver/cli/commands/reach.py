"""`impact` and `trace`: what a change reaches, and how one definition reaches another."""

from __future__ import annotations

import click

from resolver.cli import output
from resolver.cli.base import Example, command
from resolver.cli.documents.graph import impact_document, trace_document
from resolver.cli.errors import Exit
from resolver.cli.session import Session
from resolver.cli.symbols import SYMBOL_HELP, chosen, symbol


@command(
    "impact",
    Example("tieline impact UserService.authenticate", "everything that uses it, at most three steps away"),
    Example("tieline impact UserService.authenticate --depth 1", "direct uses alone"),
    Example("tieline impact authenticate --json | jq -r '.files[]'", "the files to look at"),
    help_="What may break when a definition changes: what uses it, what uses that, and so on. Methods that override it"
    f" count as users.\n\n{SYMBOL_HELP}",
)
@symbol()
@click.option(
    "--depth", type=click.IntRange(1, 100), default=3, show_default=True, metavar="N", help="Steps to follow."
)
def impact(session: Session, symbol: str, depth: int) -> int:
    """What may break when a definition changes."""
    from graph.query import impact as ask

    (definition,) = chosen(session, symbol)
    answer = ask(session.snapshot, definition, depth)
    session.judge(answer.evidence)
    if session.json:
        output.write_json(impact_document(answer, depth))
    else:
        from resolver.cli.render.reach import show_impact

        show_impact(output.answer_console(), answer, depth)
    return Exit.DONE if answer.affected else Exit.NOTHING


@command(
    "trace",
    Example("tieline trace main UserService.authenticate", "how main comes to use it"),
    Example("tieline trace main save --limit 1", "one shortest path"),
    help_=f"How one definition reaches another: the shortest paths along what each one uses.\n\n{SYMBOL_HELP}",
)
@symbol("start", "FROM")
@symbol("goal", "TO")
@click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True, metavar="N", help="Most paths.")
def trace(session: Session, start: str, goal: str, limit: int) -> int:
    """How one definition reaches another."""
    from graph.query import trace as ask

    first, last = chosen(session, start, goal)
    answer = ask(session.snapshot, first, last, limit)
    session.judge(answer.evidence)
    if session.json:
        output.write_json(trace_document(answer, first, last))
    else:
        from resolver.cli.render.reach import show_trace

        show_trace(output.answer_console(), answer, first, last)
    return Exit.DONE if answer.paths else Exit.NOTHING
