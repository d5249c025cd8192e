"""The semantic layer, for people: what came of a run, and the contexts."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from resolver.cli.render.common import plain_table
from resolver.cli.text import counted, printable

if TYPE_CHECKING:
    from resolver.semantic import ContextReport, ResolveReport

_PATHS_SHOWN = 10


def show_report(console: Console, report: ResolveReport) -> None:
    """Print what a run of `resolve` did."""
    for context in report.contexts:
        _show_context(console, context)
    if not report.contexts:
        console.print(Text("no server can be asked about the languages of this repository: see `tieline contexts`"))
    console.print(Text(f"generation {report.generation}", style="bold green").append(f", {report.seconds:.1f} s"))


def show_contexts(console: Console, document: dict[str, Any]) -> None:
    """Print the contexts, from their document."""
    right = frozenset({"files", "adds"})
    table = plain_table("context", "server", "files", "adds", "left out", "health", "interpreter", right=right)
    for row in document["contexts"]:
        table.add_row(
            Text(printable(row["name"]), style="bold"),
            row["server"],
            f"{row['files']:,}",
            f"{row['adds']:,}",
            f"{len(row['excluded']):,}",
            Text(printable(row["health"]), style="green" if row["health"] == "ready" else "yellow"),
            printable(row["interpreter"] or "-"),
        )
    if document["contexts"]:
        console.print(table)
    else:
        console.print(Text("no contexts", style="bold"))
    uncovered = document["uncovered"]
    if not uncovered:
        console.print(Text("every file is covered by a context", style="green"))
        return
    console.print()
    console.print(Text(f"{counted(len(uncovered), 'file is', 'files are')} covered by no context", style="bold yellow"))
    for reason, count in Counter(row["reason"] for row in uncovered).most_common():
        console.print(Text(f"  {count:>6,}  {printable(reason)}"))
        for row in [row for row in uncovered if row["reason"] == reason][:_PATHS_SHOWN]:
            console.print(Text(f"          {printable(row['path'])}", style="dim"))


def _show_context(console: Console, context: ContextReport) -> None:
    head = Text(printable(context.name), style="bold")
    server = f"{context.server} {context.version}".strip()
    head.append(f"  {printable(server)}", style="not bold dim")
    console.print(head)
    if context.asked and not context.problem:
        answers = ", ".join(f"{count:,} {word}" for word, count in context.answers.items())
        asked = f"asked about {counted(context.asked, 'reference')} in {counted(context.files, 'file')}"
        console.print(Text(f"  {asked}: {answers or 'no answers'}"))
        console.print(
            Text(f"  ready after {context.start_seconds:.1f} s, answered in {context.ask_seconds:.1f} s", style="dim")
        )
        if context.left:
            left = counted(context.left, "reference was", "references were")
            where = f"{counted(context.left_files, 'file')}, those that matter least"
            console.print(Text(f"  the time was up: {left} not asked about, in {where}", style="yellow"))
    elif not context.asked:
        console.print(Text("  nothing to ask: --all or --again ask more", style="dim"))
    if context.recycled:
        console.print(Text(f"  started anew {context.recycled} x because it had grown", style="dim"))
    for note in context.notes:
        console.print(Text(f"  {printable(note)}", style="dim"))
    for crash in context.crashes:
        console.print(Text(f"  crashed: {printable(crash)}", style="red"))
    if context.problem:
        console.print(Text(f"  failed: {printable(context.problem)}", style="bold red"))
