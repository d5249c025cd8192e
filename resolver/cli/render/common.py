"""Pieces that several answers share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from resolver.cli.text import printable

if TYPE_CHECKING:
    from graph.query import DefinitionInfo, Evidence
    from graph.query.records import ExternalInfo

VERDICT_STYLES = {
    "confirmed": "bold green", "upgraded": "green", "syntactic": "cyan", "corrected": "yellow", "contextual": "magenta",
    "external": "blue", "ambiguous": "yellow", "unresolved": "red", "refuted": "red",
}  # fmt: skip


def plain_table(*headings: str, right: frozenset[str] = frozenset()) -> Table:
    """An empty table without frames; the columns named in `right` are aligned to the right."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for heading in headings:
        table.add_column(heading, justify="right" if heading in right else "left", overflow="fold")
    return table


def place_text(path: str, line: int, column: int) -> Text:
    """`path:line:column`, as editors read it."""
    return Text(printable(path), style="magenta").append(f":{line}:{column}", style="green")


def definition_text(definition: DefinitionInfo) -> Text:
    """A definition on one line: kind, id, place."""
    text = Text(f"{definition.kind} ", style="dim")
    text.append(printable(definition.qualified_name), style="bold not dim")
    text.append("  ")
    return text.append_text(place_text(definition.path, definition.line, definition.column))


def external_text(external: ExternalInfo | None) -> str:
    """`package version: symbol`, as far as it is known."""
    if external is None:
        return "outside of the repository"
    package = " ".join(filter(None, (external.package, external.version))) or "an unknown package"
    return printable(f"{package}: {external.symbol}" if external.symbol else package)


def show_evidence(console: Console, evidence: Evidence) -> None:
    """The generation, and a warning where files have changed since."""
    if evidence.fresh:
        console.print(Text(f"generation {evidence.generation}", style="dim"))
        return
    text = Text(f"generation {evidence.generation}, stale: ", style="bold red")
    text.append(", ".join(printable(path) for path in evidence.changed[:10]), style="not bold")
    more = len(evidence.changed) - 10
    text.append(
        f"{f' and {more:,} more files' if more > 0 else ''} changed since: run `tieline index`", style="not bold"
    )
    console.print(text)
