"""What stands at a place, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from resolver.cli.render.common import VERDICT_STYLES, definition_text, external_text, place_text, show_evidence
from resolver.cli.render.source import Sources, Span, highlighted
from resolver.cli.text import printable

if TYPE_CHECKING:
    from graph.query import AtAnswer, AtItem, DefinitionInfo, Snapshot
    from graph.query.layers import Judged
    from graph.query.records import ResolutionInfo


def show_at(console: Console, snapshot: Snapshot, answer: AtAnswer) -> None:
    """Print the answer of `at`."""
    sources = Sources(snapshot)
    shown = False
    for item in answer.items:
        if item.definition is not None:
            _show_definition(console, sources, item.definition)
            shown = True
        if item.reference is not None:
            _show_reference(console, sources, item, item.reference)
            shown = True
    if not shown:
        console.print(Text("no definition and no reference is known here"))
    show_evidence(console, answer.evidence)


def _show_definition(console: Console, sources: Sources, definition: DefinitionInfo) -> None:
    console.print(
        place_text(definition.path, definition.line, definition.column).append(f"  {definition.kind}", style="bold")
    )
    console.print(Text("  ").append(printable(definition.id), style="bold"))
    if definition.signature:
        console.print(Text(f"  {printable(definition.signature)}", style="cyan"))
    if definition.doc:
        console.print(Text(f"  {printable(definition.doc)}", style="dim"))
    if not definition.signature:
        span = Span(definition.line, definition.column, len(definition.name))
        console.print(Text("  ").append_text(highlighted(sources.line(definition.file, definition.line), span)))


def _show_reference(console: Console, sources: Sources, item: AtItem, judged: Judged) -> None:
    from graph.model import word

    reference = judged.reference
    verdict = word(judged.verdict)
    head = place_text(reference.path, reference.line, reference.column).append(f"  {reference.kind} of ")
    head.append(printable(reference.name), style="bold").append(": ").append(verdict, style=VERDICT_STYLES[verdict])
    if judged.reason:
        head.append(f" ({judged.reason})", style="dim")
    console.print(head)
    line = sources.line(reference.file, reference.line)
    console.print(
        Text("  ").append_text(highlighted(line, Span(reference.line, reference.column, len(reference.name))))
    )
    if item.enclosing is not None:
        console.print(Text(f"  in {printable(item.enclosing.id)}", style="dim"))
    for target in judged.targets:
        console.print(Text("  -> ").append_text(definition_text(target.definition)))
    if judged.external is not None:
        console.print(Text(f"  -> {external_text(judged.external)}", style="blue"))
    for candidate in judged.candidates:
        console.print(Text("   ? ", style="yellow").append_text(definition_text(candidate)))
    for resolution in judged.resolutions:
        console.print(_resolution_text(resolution))


def _resolution_text(resolution: ResolutionInfo) -> Text:
    text = Text(f"  {resolution.layer}", style="dim")
    if resolution.engine:
        text.append(f" {printable(resolution.engine)}")
    text.append(f" {printable(resolution.version)}: {resolution.status}")
    if resolution.reason:
        text.append(f" ({printable(resolution.reason)})")
    if resolution.contexts:
        text.append(f" in {printable(', '.join(resolution.contexts))}")
    if resolution.stale:
        text.append(" [files have changed since]", style="red")
    return text
