"""Definitions, for people: outlines, search results, one with its source, and their descent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

from resolver.cli.render.common import (
    definition_text,
    external_text,
    place_text,
    plain_table,
    show_evidence,
    show_unknown,
    unknown_texts,
)
from resolver.cli.text import counted, printable, source_line

if TYPE_CHECKING:
    from graph.query import HierarchyAnswer, Kin, OutlineAnswer, SearchAnswer, ShowAnswer, Snapshot
    from graph.query.structure import OutlineNode

_FLAGS_SHOWN = frozenset({"async", "static", "abstract", "deprecated", "damaged", "test", "property", "conditional"})


def show_outline(console: Console, answer: OutlineAnswer) -> None:
    """Print the answer of `outline`."""
    tree = Tree(Text(printable(answer.path), style="bold magenta").append(f"  {answer.language}", style="not bold dim"))
    for node in answer.nodes:
        _grow(tree, node)
    console.print(tree)
    if answer.failure:
        console.print(Text(f"nothing could be extracted: {printable(answer.failure)}", style="red"))
    elif not answer.nodes:
        console.print(Text("no definitions"))
    if answer.damage:
        console.print(Text(f"{counted(len(answer.damage), 'region')} of it could not be read cleanly", style="yellow"))
    show_evidence(console, answer.evidence)


def show_search(console: Console, answer: SearchAnswer) -> None:
    """Print the answer of `search`."""
    if answer.found:
        table = plain_table("kind", "definition", "place", "signature")
        for definition in answer.found:
            table.add_row(
                Text(definition.kind, style="dim"),
                Text(printable(definition.qualified_name), style="bold"),
                place_text(definition.path, definition.line, definition.column),
                Text(printable(definition.signature), style="cyan"),
            )
        console.print(table)
    number = len(answer.found)
    counts = counted(number, "definition") if number else f"no definition is like {printable(answer.query)}"
    how = f" ({answer.mode})" if number else ""
    console.print(Text(f"{counts}{how}{', and more: raise --limit' if answer.more else ''}", style="bold"))
    show_evidence(console, answer.evidence)


def show_definition(console: Console, snapshot: Snapshot, answer: ShowAnswer) -> None:
    """Print the answer of `show`."""
    definition = answer.definition
    console.print(definition_text(definition))
    console.print(Text(f"id {printable(definition.id)}", style="dim"))
    words = [definition.visibility, *definition.flag_words]
    console.print(Text(", ".join(words) + (f", if {printable(definition.condition)}" if definition.condition else "")))
    console.print()
    if answer.source is None:
        console.print(Text("(the file has changed since it was indexed)", style="dim"))
    else:
        first_line = snapshot.position(definition.file, definition.start).line
        _show_source(console, answer.source, definition.path, first_line)
    if answer.children:
        console.print()
        console.print(Text("contains", style="bold"))
        for child in answer.children:
            console.print(Text("  ").append_text(definition_text(child)))
    gaps = unknown_texts(definition, answer.unknown)
    if gaps:
        console.print(Text(f"not known of its uses: {'; '.join(gaps)}", style="yellow"))
    show_evidence(console, answer.evidence)


def show_hierarchy(console: Console, answer: HierarchyAnswer) -> None:
    """Print the answer of `hierarchy`."""
    console.print(definition_text(answer.symbol))
    above = Tree(Text("above", style="bold"))
    for kin in answer.above:
        _climb(above, kin)
    for external in answer.external_bases:
        above.add(Text(external_text(external), style="blue"))
    for name in answer.unresolved_bases:
        above.add(Text(f"{printable(name)}, which leads nowhere known", style="red"))
    below = Tree(Text("below", style="bold"))
    for kin in answer.below:
        _climb(below, kin)
    for tree in (above, below):
        if tree.children:
            console.print(tree)
    if not above.children:
        console.print(Text("nothing above"))
    counts = f"{counted(_size(answer.below), 'definition')} below"
    noun, plural = "definition below", "definitions below"
    show_unknown(console, answer.symbol, answer.unknown, counts, noun, len(answer.below), plural=plural)
    show_evidence(console, answer.evidence)


def _grow(tree: Tree, node: OutlineNode) -> None:
    definition = node.definition
    text = Text(f"{definition.line:>5}  ", style="green").append(f"{definition.kind} ", style="dim")
    text.append(printable(definition.name), style="bold not dim")
    if definition.signature:
        text.append(f"  {printable(definition.signature)}", style="not bold cyan")
    flags = [flag for flag in definition.flag_words if flag in _FLAGS_SHOWN]
    if flags:
        text.append(f"  [{', '.join(flags)}]", style="not bold yellow")
    branch = tree.add(text)
    for child in node.children:
        _grow(branch, child)


def _climb(tree: Tree, kin: Kin) -> None:
    branch = tree.add(definition_text(kin.definition).append(f"  {kin.relation}", style="dim"))
    for one in kin.further:
        _climb(branch, one)


def _size(kin: tuple[Kin, ...]) -> int:
    return sum(1 + _size(one.further) for one in kin)


def _show_source(console: Console, source: str, path: str, first_line: int) -> None:
    """The text; on a terminal with line numbers and coloured by its language."""
    lines = [source_line(line) for line in source.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    if console.is_terminal and not console.no_color:
        from rich.syntax import Syntax

        text = "\n".join(lines)
        lexer = Syntax.guess_lexer(path, text)
        console.print(Syntax(text, lexer, line_numbers=True, start_line=first_line, background_color="default"))
        return
    for line in lines:
        console.print(Text(line), soft_wrap=True)
