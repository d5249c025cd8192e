"""`stats`: figures about the index itself."""

from __future__ import annotations

import click

from resolver.cli import output
from resolver.cli.base import Example, command
from resolver.cli.documents import stats_document
from resolver.cli.errors import Exit
from resolver.cli.session import Session


@command(
    "stats",
    Example("tieline stats", "resolution rates per language"),
    Example(
        "tieline stats --language python --min-rate 0.9", "exit code 1 when fewer than 90 % of the references are known"
    ),
)
@click.option("--language", "languages", multiple=True, metavar="NAME", help="Only this language; may be given again.")
@click.option(
    "--min-rate", type=click.FloatRange(0, 1), metavar="RATE",
    help="End with exit code 1 when some language's merged `all_known` rate is below RATE (0 to 1).",
)  # fmt: skip
def stats(session: Session, languages: tuple[str, ...], min_rate: float | None) -> int:
    """Resolution rates per language, by layer and verdict, and why references stay unresolved."""
    from dataclasses import replace

    from graph.query import stats as ask

    found = ask(session.snapshot)
    if languages:
        found = replace(found, languages={name: row for name, row in found.languages.items() if name in languages})
    if session.json:
        output.write_json(stats_document(found))
    else:
        from resolver.cli.render.state import show_stats

        show_stats(output.answer_console(), found)
    if not found.languages:
        return Exit.NOTHING
    rates = [row.all_known.merged for row in found.languages.values()]
    missed = min_rate is not None and any(rate is not None and rate < min_rate for rate in rates)
    return Exit.NOTHING if missed else Exit.DONE
