"""What every command has in common: its options, its session, its help with examples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from resolver.cli.session import Session


class Example(NamedTuple):
    """One example of the help page."""

    command: str
    """As it is typed, without the `$`."""
    meaning: str


class Command(click.Command):
    """A command whose help has examples, and is laid out by rich-click on a terminal."""

    examples: Sequence[Example] = ()

    def get_help(self, ctx: click.Context) -> str:
        from resolver.cli.help import help_page

        return help_page(self, ctx, super().get_help, examples=self.examples)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if self.examples:
            with formatter.section("Examples"):
                for example in self.examples:
                    formatter.write(f"  {example.command}\n      {example.meaning}\n")
        super().format_epilog(ctx, formatter)

    def invoke(self, ctx: click.Context) -> Any:
        code = super().invoke(ctx)
        ctx.exit(int(code or 0))


def command(name: str, *examples: Example, help_: str | None = None) -> Callable[[Callable[..., int | None]], Command]:
    """Make a command of a function that takes a Session and its own options, and gives an exit code (None: 0).

    Its docstring is the help text. `examples` are shown below it.
    """

    def decorate(function: Callable[..., int | None]) -> Command:
        def run(as_json: bool, quiet: bool, root: Path | None, index_dir: Path | None, **options: Any) -> int | None:
            session = Session(json=as_json, quiet=quiet, root=root, index_dir=index_dir)
            try:
                return function(session, **options)
            finally:
                session.close()

        run.__doc__ = function.__doc__
        # Options that decorators below this one have declared already.
        run.__click_params__ = getattr(function, "__click_params__", [])  # type: ignore[attr-defined]  # how click keeps them
        for option in reversed(_COMMON):
            run = option(run)
        made = click.command(name, cls=Command, help=help_)(run)
        made.examples = examples
        return made

    return decorate


_COMMON = (
    click.option("--json", "as_json", is_flag=True, help="Print one JSON document on standard output."),
    click.option(
        "--root", type=click.Path(path_type=Path), metavar="DIR",
        help="The repository [default: the one around PATH or this folder].",
    ),
    click.option(
        "--index-dir", type=click.Path(path_type=Path), metavar="DIR",
        help="The folder of the index [default: TIELINE_INDEX_DIR, or .tieline in the repository].",
    ),
    click.option("-q", "--quiet", is_flag=True, help="No progress and no notes on standard error."),
)  # fmt: skip
"""The options that every command takes."""
