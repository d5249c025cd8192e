"""Language servers, for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from resolver.cli.render.common import plain_table
from resolver.cli.text import printable

if TYPE_CHECKING:
    from lsp_clients.registry import ServerStatus


def show_servers(console: Console, servers: Sequence[ServerStatus]) -> None:
    """Print which servers are usable, and what to do about the others."""
    table: Table = plain_table("server", "languages", "version", "from", "problem")
    for server in servers:
        table.add_row(
            Text(server.name, style="bold green" if server.usable else "bold red"),
            ", ".join(server.languages),
            printable(server.version or (f"({server.pinned} when installed)" if not server.usable else "unknown")),
            server.origin or "-",
            Text(printable(server.problem), style="red"),
        )
    console.print(table)
