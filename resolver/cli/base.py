"""What every command has in common: its options, its session, its help with examples."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from resolver.cli.crash import watch
from resolver.cli.session import Session

_SPAN = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([smh]?)")
_AMOUNT = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([mMgG])(?:i?[bB])?")
_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600}


class Example(NamedTuple):
    """One example of the help page."""

    command: str
    """As it is typed, without the `$`."""
    meaning: str


def seconds(ctx: click.Context, param: click.Parameter, value: str | None) -> float | None:
    """Callback of an option that is a time span: a number of seconds, or one with `s`, `m` or `h` after it."""
    if value is None:
        return None
    match = _SPAN.fullmatch(value.strip())
    if match is None:
        raise click.BadParameter(f"{value!r} is no time span: write 90, 90s, 5m or 1h", ctx, param)
    return float(match[1]) * _UNITS[match[2]]


def mebibytes(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """Callback of an option that is an amount of memory: `800M` or `4G`. Gives MiB."""
    if value is None:
        return None
    match = _AMOUNT.fullmatch(value.strip())
    if match is None or float(match[1]) <= 0:
        raise click.BadParameter(f"{value!r} is no amount of memory: write 800M or 4G", ctx, param)
    return max(1, int(float(match[1]) * (1024 if match[2].upper() == "G" else 1)))


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


def command(
    name: str, *examples: Example, answers: bool = True, help_: str | None = None
) -> Callable[[Callable[..., int | None]], Command]:
    """Make a command of a function that takes a Session and its own options, and gives an exit code (None: 0).

    Its docstring is the help text, unless `help_` is; `examples` are shown below it. `answers` says that it answers
    from the index.
    """

    def decorate(function: Callable[..., int | None]) -> Command:
        def run(
            as_json: bool,
            quiet: bool,
            root: Path | None,
            index_dir: Path | None,
            require_fresh: bool = False,
            **options: Any,
        ) -> int | None:
            session = Session(json=as_json, quiet=quiet, root=root, index_dir=index_dir, require_fresh=require_fresh)
            watch(session)
            try:
                return function(session, **options)
            finally:
                session.close()

        run.__doc__ = function.__doc__
        # The options that the decorators below this one have declared: click keeps them on the function.
        declared: list[click.Parameter] = list(reversed(getattr(function, "__click_params__", [])))
        made = click.command(name, cls=Command, help=help_)(run)
        made.params = [*declared, *_common(answers)]
        made.examples = examples
        return made

    return decorate


def _common(answers: bool) -> list[click.Parameter]:
    """The options that every command takes."""
    fresh = click.Option(
        ["--require-fresh"],
        is_flag=True,
        help="End with exit code 4 when a file that the answer rests on has changed since it was indexed.",
    )
    return [
        click.Option(["--json", "as_json"], is_flag=True, help="Print one JSON document on standard output."),
        click.Option(
            ["--root"],
            type=click.Path(path_type=Path),
            metavar="DIR",
            help="The repository [default: the one around PATH or this folder].",
        ),
        click.Option(
            ["--index-dir"],
            type=click.Path(path_type=Path),
            metavar="DIR",
            help="The folder of the index [default: TIELINE_INDEX_DIR, or .tieline in the repository].",
        ),
        *([fresh] if answers else []),
        click.Option(["-q", "--quiet"], is_flag=True, help="No progress and no notes on standard error."),
    ]
