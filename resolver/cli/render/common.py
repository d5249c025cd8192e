"""Pieces that several answers share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from resolver.cli.text import counted, printable

if TYPE_CHECKING:
    from graph.query import DefinitionInfo, Evidence
    from graph.query.records import ExternalInfo
    from graph.query.unknown import Unknown

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


def show_unknown(
    console: Console,
    symbol: DefinitionInfo,
    unknown: Unknown,
    counts: str,
    noun: str,
    number: int,
    *,
    plural: str | None = None,
) -> None:
    """How many were found (`counts`), and what may be missing. "No callers" and "no callers found" are different."""
    gaps = unknown_texts(symbol, unknown)
    plural = plural or f"{noun}s"
    if number:
        console.print(Text(counts, style="bold"))
    elif gaps:
        console.print(Text(f"no {plural} found", style="bold"))
    else:
        console.print(Text(f"no {plural}", style="bold"))
    if gaps:
        console.print(Text(f"not known: {'; '.join(gaps)}", style="yellow"))


def unknown_texts(symbol: DefinitionInfo, unknown: Unknown) -> list[str]:
    """What may be missing from an answer about a definition, each in a few words."""
    name = printable(symbol.name)
    same, candidates = unknown.unresolved_same_name, unknown.candidate_of
    texts = [
        (same, f"{counted(same, f'reference named {name} leads', f'references named {name} lead')} nowhere known"),
        (candidates, f"{counted(candidates, 'ambiguous reference')} may lead here"),
        (unknown.failed_files, f"{counted(unknown.failed_files, 'file')} could not be read"),
        (unknown.damaged_files, f"{counted(unknown.damaged_files, 'file')} could only be read in part"),
        (unknown.excluded_files, f"{counted(unknown.excluded_files, 'file is', 'files are')} left out of the index"),
    ]
    return [text for number, text in texts if number]


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
