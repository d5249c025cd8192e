"""What `index` did, for people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from resolver.cli.text import counted, printable

if TYPE_CHECKING:
    from graph.index import IndexReport

_FAILURES_SHOWN = 20


def show_report(console: Console, root: Path, report: IndexReport) -> None:
    """Print it."""
    line = Text()
    line.append(f"generation {report.generation}", style="bold green")
    line.append(f" of {printable(str(root))}")
    console.print(line)
    how = f"in full ({report.reason})" if report.full else "incrementally"
    parts = [
        counted(report.files, "file"), f"{report.extracted:,} read", f"{report.linked:,} linked",
        *([f"{report.removed:,} removed"] if report.removed else []), f"{report.excluded:,} left out",
    ]  # fmt: skip
    console.print(Text(f"{', '.join(parts)}, {how}, in {report.seconds:.2f} s"))
    if report.kept:
        kept = counted(report.kept, "reference")
        console.print(Text(f"what servers said about {kept} in files that have not changed was kept"))
    if report.failed:
        console.print(Text(f"{counted(len(report.failed), 'path')} failed:", style="bold red"))
        for path, reason in report.failed[:_FAILURES_SHOWN]:
            console.print(Text(f"  {printable(path)}: {printable(reason)}"))
        if len(report.failed) > _FAILURES_SHOWN:
            console.print(Text(f"  and {len(report.failed) - _FAILURES_SHOWN:,} more"))
