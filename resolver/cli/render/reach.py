"""Impact and paths, for people."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from resolver.cli.render.common import definition_text, show_evidence, show_unknown
from resolver.cli.text import counted, printable

if TYPE_CHECKING:
    from graph.query import DefinitionInfo
    from graph.query.impact import ImpactAnswer, TraceAnswer


def show_impact(console: Console, answer: ImpactAnswer, depth: int) -> None:
    """Print the answer of `impact`, by depth."""
    console.print(definition_text(answer.symbol))
    for step, items in groupby(answer.affected, lambda item: item.depth):
        found = list(items)
        console.print()
        title = "direct users" if step == 1 else f"{step} steps away"
        console.print(Text(title, style="bold").append(f"  {len(found):,}", style="not bold dim"))
        for item in found:
            line = Text("  ").append_text(definition_text(item.definition))
            if step > 1:
                line.append(f"  through {printable(item.through.qualified_name)}", style="dim")
            console.print(line)
    console.print()
    number = len(answer.affected)
    counts = f"{counted(number, 'definition')} in {counted(len(answer.files), 'file')}, depth {depth}"
    show_unknown(console, answer.symbol, answer.unknown, counts, "user", number)
    if not answer.complete:
        console.print(Text("there is more: the search ended at its limit", style="bold yellow"))
    show_evidence(console, answer.evidence)


def show_trace(console: Console, answer: TraceAnswer, start: DefinitionInfo, goal: DefinitionInfo) -> None:
    """Print the answer of `trace`, one path after the other."""
    for number, path in enumerate(answer.paths):
        if number:
            console.print()
        for step, definition in enumerate(path):
            console.print(Text("   " * step + ("-> " if step else "")).append_text(definition_text(definition)))
    if not answer.paths:
        ends = f"from {printable(start.id)} to {printable(goal.id)}"
        if answer.complete:
            console.print(Text(f"no path found {ends} along the references that are resolved"))
        else:
            console.print(Text(f"no path found {ends}: the search ended at its limit"))
    show_evidence(console, answer.evidence)
