"""Help pages: plain where they are piped, laid out by rich-click on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import click

from resolver.cli.output import answer_console, decorated

if TYPE_CHECKING:
    from rich.console import RenderableType

    from resolver.cli.base import Example

_WIDTH = 100


def help_page(
    command: click.Command,
    ctx: click.Context,
    plain: Callable[[click.Context], str],
    *,
    examples: Sequence[Example] = (),
    sections: Mapping[str, Sequence[str]] | None = None,
    epilog: str = "",
) -> str:
    """The help page of a command, with its examples; for the group, with its commands by section."""
    if not decorated(sys.stdout):
        ctx.max_content_width = _WIDTH
        return plain(ctx)
    ctx.color = True  # click would take the colours out again where FORCE_COLOR asks for them in a pipe
    return _decorated(command, ctx, examples, sections or {}, epilog)


def _decorated(
    command: click.Command,
    ctx: click.Context,
    examples: Sequence[Example],
    sections: Mapping[str, Sequence[str]],
    epilog: str,
) -> str:
    import rich_click
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    shared: dict[str, Any] = {
        "name": command.name,
        "params": command.params,
        "help": command.help,
        "epilog": command.epilog,
    }
    made: rich_click.RichCommand
    if isinstance(command, click.Group):
        commands = {name: found for name in command.list_commands(ctx) if (found := command.get_command(ctx, name))}
        made = rich_click.RichGroup(commands=commands, **shared)
        for heading, names in sections.items():
            made.add_panel(rich_click.RichCommandPanel(heading, commands=list(names)))
    else:
        made = rich_click.RichCommand(**shared)
    width = min(_WIDTH, get_terminal_size().columns)
    config = rich_click.RichHelpConfiguration(text_markup=None, width=width, force_terminal=True)
    inner = rich_click.RichContext(made, info_name=ctx.info_name, parent=ctx.parent, rich_help_config=config)
    page: list[RenderableType] = [Text.from_ansi(made.get_help(inner))]
    if examples:
        table = Table.grid(padding=(0, 0))
        for example in examples:
            table.add_row(Text(example.command, style="bold cyan"))
            table.add_row(Text(f"    {example.meaning}", style="dim"))
        page.append(Panel(table, title="Examples", title_align="left", border_style="dim", width=width))
    if epilog:
        page.append(Text(epilog, style="dim"))
    console = answer_console()
    with console.capture() as captured:
        for part in page:
            console.print(part)
    return captured.get().rstrip("\n")
