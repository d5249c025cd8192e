"""`refs`, `callers`, `callees`: who uses a definition, who calls it, and what it calls."""

from __future__ import annotations

import click

from resolver.cli import output
from resolver.cli.base import Example, command
from resolver.cli.documents.graph import calls_document, refs_document
from resolver.cli.errors import Exit, usage
from resolver.cli.session import Session
from resolver.cli.symbols import SYMBOL_HELP, chosen, symbol

_VERDICTS = ("confirmed", "upgraded", "corrected", "syntactic", "contextual", "refuted")
"""Of references that lead to a definition; `refuted` ones led to it."""


@command(
    "refs",
    Example("tieline refs UserService.authenticate", "every reference, with its line"),
    Example("tieline refs src/auth.py:method:UserService.authenticate --json", "by its id, for a script"),
    Example("tieline refs src/auth.py:12:9", "of what stands at a place"),
    Example("tieline refs authenticate --verdict confirmed --verdict upgraded", "those that a server stands behind"),
    help_=f"Every reference to a definition, by file.\n\n{SYMBOL_HELP}",
)
@symbol()
@click.option("--limit", type=click.IntRange(1), metavar="N", help="Show at most N references.")
@click.option(
    "--verdict",
    "verdicts",
    multiple=True,
    type=click.Choice(_VERDICTS),
    help="Only with this verdict; repeatable. `refuted` ones are shown on this request alone.",
)
@click.option(
    "--layer",
    "layers",
    multiple=True,
    type=click.Choice(["syntactic", "semantic"]),
    help="Only where this layer says so; repeatable.",
)
@click.option(
    "--context", "contexts", multiple=True, metavar="NAME", help="Only where this context says so; repeatable."
)
@click.option(
    "--min-confidence",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help="Only where the precision that was measured for the rule or server is at least SHARE; unmeasured is less.",
)
def refs(
    session: Session,
    symbol: str,
    limit: int | None,
    verdicts: tuple[str, ...],
    layers: tuple[str, ...],
    contexts: tuple[str, ...],
    min_confidence: float | None,
) -> int:
    """Every reference to a definition."""
    from graph.query import Wanted
    from graph.query import refs as ask

    (definition,) = chosen(session, symbol)
    _check_contexts(session, contexts)
    wanted = Wanted(frozenset(verdicts), frozenset(layers), frozenset(contexts), min_confidence)
    answer = ask(session.snapshot, definition, limit, wanted)
    session.judge(answer.evidence)
    if session.json:
        output.write_json(refs_document(answer))
    else:
        from resolver.cli.render.uses import show_refs

        show_refs(output.answer_console(), session.snapshot, answer)
    return Exit.DONE if answer.uses else Exit.NOTHING


def _check_contexts(session: Session, names: tuple[str, ...]) -> None:
    """Raises CommandError for a context that has answered nothing."""
    if not names:
        return
    state = session.snapshot
    known = {state.context_name(row[0]) for row in state.connection.execute("SELECT id FROM context")}
    if unknown := [name for name in names if name not in known]:
        there = ", ".join(sorted(known)) or "none: run `tieline resolve`"
        raise usage(f"no context is called {', '.join(unknown)}", f"there are: {there}", code="unknown-context")


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
