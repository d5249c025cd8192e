"""Help pages: plain where they are piped, laid out by rich-click on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from resolver.cli.output import decorated

if TYPE_CHECKING:
    from resolver.cli.base import Command

_WIDTH = 100


def help_page(command: Command | click.Group, ctx: click.Context, plain: Callable[[click.Context], str]) -> str:
    """The help page of a command."""
    if not decorated(sys.stdout):
        ctx.max_content_width = _WIDTH
        return plain(ctx)
    return _decorated(command, ctx)


def _decorated(command: Command | click.Group, ctx: click.Context) -> str:
    import rich_click

    shared: dict[str, Any] = {
        "name": command.name, "params": command.params, "help": command.help, "callback": command.callback,
    }  # fmt: skip
    made: rich_click.RichCommand
    if isinstance(command, click.Group):
        made = rich_click.RichGroup(
            commands={name: command.get_command(ctx, name) for name in command.list_commands(ctx)}, **shared
        )
    else:
        made = rich_click.RichCommand(**shared)
    inner = rich_click.RichContext(made, info_name=ctx.info_name, parent=ctx.parent)
    return made.get_help(inner)
