"""Figures about the index, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from resolver.cli.render.common import plain_table, show_evidence
from resolver.cli.text import counted, printable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from graph.query import ContextFigures, CoverageAnswer, DepsAnswer, Statistics, StatusAnswer

_REASONS_SHOWN = 8
_PATHS_SHOWN = 20


def show_stats(console: Console, found: Statistics, *, contexts: bool) -> None:
    """Print the resolution rates."""
    console.print(Text(f"generation {found.generation}", style="bold"))
    headings = ("files", "definitions", "references", "calls in repo", "+ servers", "all known", "+ servers ")
    table = plain_table("language", *headings, right=frozenset(headings))
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
    if contexts:
        show_contexts(console, found.contexts)


def show_deps(console: Console, answer: DepsAnswer) -> None:
    """Print the answer of `deps`."""
    console.print(Text(printable(answer.path), style="bold magenta"))
    for heading, rows in (("uses", answer.uses), ("packages", answer.packages), ("is used by", answer.used_by)):
        if rows:
            console.print()
            console.print(Text(heading, style="bold").append(f"  {len(rows):,}", style="not bold dim"))
            for row in rows:
                name = printable(row.name) or "an unknown package"
                console.print(Text(f"  {row.references:>6,}  ", style="green").append(name, style="default"))
    console.print()
    if not (answer.uses or answer.used_by or answer.packages):
        console.print(Text("no dependencies found" if answer.unresolved else "no dependencies", style="bold"))
    if answer.unresolved:
        leads = counted(answer.unresolved, "reference of it leads", "references of it lead")
        console.print(Text(f"not known: {leads} nowhere known", style="yellow"))
    show_evidence(console, answer.evidence)


def show_coverage(console: Console, answer: CoverageAnswer) -> None:
    """Print the answer of `coverage`."""
    console.print(Text(f"generation {answer.generation}: {counted(answer.files, 'file')} indexed", style="bold"))
    if answer.manifests:
        names = ", ".join(map(printable, answer.manifests[:_PATHS_SHOWN]))
        more = "" if len(answer.manifests) <= _PATHS_SHOWN else f" and {len(answer.manifests) - _PATHS_SHOWN:,} more"
        console.print(Text(f"{counted(len(answer.manifests), 'manifest')} read: {names}{more}", style="dim"))
    for heading, files in (("nothing extracted or linked", answer.failed), ("read in part", answer.damaged)):
        if files:
            console.print()
            console.print(Text(f"{heading}  {len(files):,}", style="bold red"))
            for file in files:
                detail = file.reason or counted(len(file.damage), "damaged region")
                console.print(Text(f"  {printable(file.path)}: {printable(detail)}"))
    if answer.excluded:
        console.print()
        table = plain_table("left out because", "paths", right=frozenset({"paths"}))
        for reason, count in answer.excluded.items():
            table.add_row(reason, f"{count:,}")
        console.print(table)
    shown = answer.excluded_paths[:_PATHS_SHOWN]
    for path, reason, detail in shown:
        console.print(
            Text(f"  {printable(path)}").append(f"  {reason}{f': {printable(detail)}' if detail else ''}", "dim")
        )
    if len(answer.excluded_paths) > len(shown):
        console.print(Text(f"  and {len(answer.excluded_paths) - len(shown):,} more: --json lists them", style="dim"))
    unresolved = [(language, reasons) for language, reasons in answer.unresolved.items() if reasons]
    if unresolved:
        console.print()
        table = plain_table("language", "unresolved because", "references", right=frozenset({"references"}))
        for language, reasons in unresolved:
            for place, (reason, count) in enumerate(reasons.items()):
                table.add_row("" if place else language, printable(reason), f"{count:,}")
        console.print(table)
    show_contexts(console, answer.contexts)
    for context, health in answer.contexts_not_ready:
        console.print(Text(f"context {printable(context)}: {printable(health)}", style="yellow"))


def show_status(console: Console, answer: StatusAnswer, root: str, index: str) -> None:
    """Print the answer of `status`."""
    head = Text(f"generation {answer.generation}", style="bold").append(f" of {printable(root)}", style="not bold")
    console.print(head)
    console.print(Text(f"index in {printable(index)}", style="dim"))
    if answer.fresh:
        console.print(Text("fresh: every indexed file is what it was", style="green"))
    else:
        console.print(
            Text(f"stale: {counted(len(answer.changed), 'file')} changed since: run `tieline index`", style="red")
        )
        for path in answer.changed[:_PATHS_SHOWN]:
            console.print(Text(f"  {printable(path)}"))
        if len(answer.changed) > _PATHS_SHOWN:
            console.print(Text(f"  and {len(answer.changed) - _PATHS_SHOWN:,} more", style="dim"))
    languages = ", ".join(f"{count:,} {language}" for language, count in answer.languages.items())
    manifests = f", {counted(answer.manifests, 'manifest')}" if answer.manifests else ""
    console.print(Text(f"{counted(answer.files, 'file')}{f' ({languages})' if languages else ''}{manifests}"))
    asked = f", {answer.semantic:,} of them answered by a server" if answer.semantic else ""
    definitions = counted(answer.definitions, "definition")
    console.print(Text(f"{definitions}, {counted(answer.references, 'reference')}{asked}"))
    if answer.last_run:
        first = answer.last_run[0]
        stages = ", ".join(f"{stage.stage} {stage.seconds:.2f} s" for stage in answer.last_run)
        console.print(Text(f"last run {first.started}, {printable(first.detail)}: {stages}", style="dim"))


def show_contexts(console: Console, contexts: Mapping[str, ContextFigures]) -> None:
    """Print what each context has made of files and references."""
    if not contexts:
        return
    right = frozenset({"members", "left out", "failed", "answers"})
    table = plain_table("context", "server", "members", "left out", "failed", "answers", "which", right=right)
    for name, figures in contexts.items():
        table.add_row(
            printable(name), f"{figures.server} {figures.version}".strip(), f"{figures.members:,}",
            f"{figures.excluded:,}", f"{figures.failed:,}", f"{sum(figures.answers.values()):,}",
            ", ".join(f"{count:,} {status}" for status, count in figures.answers.items()) or "-",
        )  # fmt: skip
    console.print()
    console.print(table)


def _percent(rate: float | None) -> str:
    return "-" if rate is None else f"{100 * rate:.1f} %"
