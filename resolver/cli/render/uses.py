"""References and calls, for people: by file, each with its line of source."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from resolver.cli.render.common import (
    VERDICT_STYLES,
    definition_text,
    external_text,
    place_text,
    show_evidence,
    show_unknown,
)
from resolver.cli.render.source import Sources, Span, highlighted
from resolver.cli.text import counted, printable

if TYPE_CHECKING:
    from graph.query import ReferenceInfo, Snapshot
    from graph.query.references import CallsAnswer, RefsAnswer, UnknownCall

_KIND_WIDTH = 9


def show_refs(console: Console, snapshot: Snapshot, answer: RefsAnswer) -> None:
    """Print the answer of `refs`."""
    console.print(definition_text(answer.symbol))
    sources = Sources(snapshot)
    for path, uses in groupby(answer.uses, lambda use: use.reference.path):
        found = list(uses)
        console.print()
        console.print(Text(printable(path), style="bold magenta").append(f"  {len(found):,}", style="not bold dim"))
        for use in found:
            line = _site_line(sources, use.reference)
            if use.verdict not in {"syntactic", "confirmed"}:
                line.append(f"  [{use.verdict}]", style=VERDICT_STYLES.get(use.verdict, ""))
            console.print(line)
    console.print()
    if answer.total > len(answer.uses):
        console.print(Text(f"the first {len(answer.uses):,} of {counted(answer.total, 'reference')}"))
    show_unknown(console, answer.symbol, answer.unknown, counted(answer.total, "reference"), "reference", answer.total)
    show_evidence(console, answer.evidence)


def show_calls(console: Console, snapshot: Snapshot, answer: CallsAnswer, end: str) -> None:
    """Print the answer of `callers` or of `callees`; `end` is `caller` or `callee`."""
    console.print(definition_text(answer.symbol))
    sources = Sources(snapshot)
    for call in answer.calls:
        console.print()
        console.print(definition_text(call.definition))
        for site in call.sites:
            console.print(_site_line(sources, site))
    _show_others(console, answer.others)
    console.print()
    sites = sum(len(call.sites) for call in answer.calls)
    counts = f"{counted(len(answer.calls), end)} ({counted(sites, 'call')})"
    if end == "caller":
        show_unknown(console, answer.symbol, answer.unknown, counts, end, len(answer.calls))
    else:
        unknown = [other for other in answer.others if other.verdict != "external"]
        if answer.calls:
            console.print(Text(counts, style="bold"))
        elif unknown:
            console.print(Text(f"no callees found: {counted(len(unknown), 'call leads', 'calls lead')} nowhere known"))
        else:
            console.print(Text("no callees in this repository"))
    show_evidence(console, answer.evidence)


def _show_others(console: Console, others: Iterable[UnknownCall]) -> None:
    first = True
    for other in others:
        if first:
            console.print()
            console.print(Text("calls that lead to no definition of this repository", style="bold"))
            first = False
        reference = other.reference
        line = Text("  ").append_text(place_text(reference.path, reference.line, reference.column))
        line.append(f"  {printable(reference.name)}", style="bold")
        line.append(f"  {other.verdict}", style=VERDICT_STYLES.get(other.verdict, ""))
        if other.external is not None:
            line.append(f"  {external_text(other.external)}", style="blue")
        elif other.reason:
            line.append(f" ({printable(other.reason)})", style="dim")
        console.print(line)


def _site_line(sources: Sources, site: ReferenceInfo) -> Text:
    text = Text(f"  {f'{site.line}:{site.column}':>8}  ", style="green")
    text.append(f"{site.kind:<{_KIND_WIDTH}} ", style="dim")
    source = highlighted(sources.line(site.file, site.line), Span(site.line, site.column, len(site.name)))
    return Text().append_text(text).append_text(source)
