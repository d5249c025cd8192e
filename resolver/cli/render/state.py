"""Figures about the index, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from graph.query import Statistics

_REASONS_SHOWN = 8


def show_stats(console: Console, found: Statistics) -> None:
    """Print the resolution rates."""
    console.print(Text(f"generation {found.generation}", style="bold"))
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("language")
    for heading in ("files", "definitions", "references", "calls in repo", "merged", "all known", "merged"):
        table.add_column(heading, justify="right")
    for name, row in found.languages.items():
        table.add_row(
            Text(name, style="bold"), f"{row.files:,}", f"{row.definitions:,}", f"{row.references:,}",
            _percent(row.calls_in_repo.syntactic), _percent(row.calls_in_repo.merged),
            _percent(row.all_known.syntactic), _percent(row.all_known.merged),
        )  # fmt: skip
    console.print(table)
    for name, row in found.languages.items():
        counts = ", ".join(f"{count:,} {verdict}" for verdict, count in row.merged.items() if count)
        console.print(Text(f"{name}: ", style="bold").append(counts or "no references", style="not bold"))
        asked = row.semantic["asked"]
        if asked:
            answers = ", ".join(
                f"{count:,} {word}" for word, count in row.semantic.items() if word != "asked" and count
            )
            console.print(Text(f"  servers were asked about {asked:,}: {answers}"))
        reasons = list(row.reasons.items())
        if reasons:
            shown = ", ".join(f"{count:,} {reason}" for reason, count in reasons[:_REASONS_SHOWN])
            more = sum(count for _, count in reasons[_REASONS_SHOWN:])
            console.print(Text(f"  unresolved because: {shown}{f', {more:,} for other reasons' if more else ''}"))


def _percent(rate: float | None) -> str:
    return "-" if rate is None else f"{100 * rate:.1f} %"
