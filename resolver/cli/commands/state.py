"""`stats`, `coverage`, `status`: figures about the index itself."""

from __future__ import annotations

import click

from resolver.cli import output
from resolver.cli.base import Example, command
from resolver.cli.documents.state import coverage_document, stats_document, status_document
from resolver.cli.errors import Exit
from resolver.cli.session import Session


@command(
    "stats",
    Example("tieline stats", "resolution rates per language"),
    Example(
        "tieline stats --language python --min-rate 0.9", "exit code 1 when fewer than 90 % of the references are known"
    ),
    answers=False,
)
@click.option("--language", "languages", multiple=True, metavar="NAME", help="Only this language; may be given again.")
@click.option(
    "--min-rate", type=click.FloatRange(0, 1), metavar="RATE",
    help="End with exit code 1 when some language's merged `all_known` rate is below RATE (0 to 1).",
)  # fmt: skip
@click.option("--contexts", is_flag=True, help="Also the figures of each compilation context.")
def stats(session: Session, languages: tuple[str, ...], min_rate: float | None, contexts: bool) -> int:
    """Resolution rates per language, by layer and verdict, and why references stay unresolved."""
    from dataclasses import replace

    from graph.query import stats as ask

    found = ask(session.snapshot)
    if languages:
        found = replace(found, languages={name: row for name, row in found.languages.items() if name in languages})
    if session.json:
        output.write_json(stats_document(found, contexts=contexts))
    else:
        from resolver.cli.render.state import show_stats

        show_stats(output.answer_console(), found, contexts=contexts)
    if not found.languages:
        return Exit.NOTHING
    rates = [row.all_known.merged for row in found.languages.values()]
    missed = min_rate is not None and any(rate is not None and rate < min_rate for rate in rates)
    return Exit.NOTHING if missed else Exit.DONE


@command(
    "coverage",
    Example(
        "tieline coverage", "what the index does not cover: files left out, files not read, references not resolved"
    ),
    Example("tieline coverage --json | jq .excluded", "how many paths are left out, by reason"),
    answers=False,
)
def coverage(session: Session) -> int:
    """What the index does not cover, and why."""
    from graph.query import coverage as ask

    answer = ask(session.snapshot)
    if session.json:
        output.write_json(coverage_document(answer))
    else:
        from resolver.cli.render.state import show_coverage

        show_coverage(output.answer_console(), answer)
    return Exit.DONE


@command(
    "status",
    Example("tieline status", "generation, size, and which files have changed since"),
    Example("tieline status --require-fresh", "exit code 4 when some indexed file has changed"),
)
def status(session: Session) -> int:
    """Generation and freshness of the index, its size, its versions, and what the last run did.

    Files that are new since are not looked for: `tieline index` finds them.
    """
    from graph.query import Evidence
    from graph.query import status as ask

    answer = ask(session.snapshot)
    session.judge(Evidence(answer.generation, answer.fresh, answer.changed))
    if session.json:
        output.write_json(status_document(answer, str(session.root), str(session.store.folder)))
    else:
        from resolver.cli.render.state import show_status

        show_status(output.answer_console(), answer, str(session.root), str(session.store.folder))
    return Exit.DONE
