"""What `doctor` found, for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from resolver.cli.render.common import plain_table
from resolver.cli.text import counted, printable

if TYPE_CHECKING:
    from resolver.cli.checks import Check

_STYLES = {"good": "green", "missing": "yellow", "broken": "bold red"}


def show_checks(console: Console, checks: Sequence[Check]) -> None:
    """Print the checks, and how many need attention."""
    table = plain_table("", "check", "found", "what to do")
    for check in checks:
        table.add_row(
            Text(check.state, style=_STYLES[check.state]),
            check.name,
            printable(check.message),
            printable(check.hint or ""),
        )
    console.print(table)
    wrong = sum(check.state != "good" for check in checks)
    console.print(
        Text("everything is there" if not wrong else f"{counted(wrong, 'check needs', 'checks need')} attention")
    )
