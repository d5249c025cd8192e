"""The command `tieline`: which commands there are, and how every one of them ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

import click

from resolver.cli import output
from resolver.cli.errors import CommandError, Exit, explain, usage
from resolver.cli.text import printable

SECTIONS: dict[str, tuple[str, ...]] = {
    "Build the index": ("index:index", "semantic:resolve"),
    "Ask": (
        "at:at",
        "structure:outline",
        "structure:search",
        "structure:show",
        "uses:refs",
        "uses:callers",
        "uses:callees",
        "reach:impact",
        "reach:trace",
        "structure:hierarchy",
        "files:deps",
    ),
    "Judge the index": ("state:stats", "state:coverage", "state:status", "whole:dump"),
    "Use it elsewhere": ("whole:export", "serve:serve"),
    "Set up": ("doctor:doctor", "semantic:contexts", "servers:servers", "completion:completion"),
}
"""Heading of the help page -> its commands, as `module:name` below `resolver.cli.commands`."""


def _name(entry: str) -> str:
    return entry.partition(":")[2].replace("_", "-")


_MODULES = {_name(entry): entry.partition(":")[0] for entries in SECTIONS.values() for entry in entries}


EXIT_CODES = """\
Exit codes:
  0    done
  1    nothing found, or a threshold missed
  2    bad usage, or input that cannot be used
  3    an ambiguous symbol; the candidates are listed
  4    no index, or a stale one with --require-fresh
  5    finished, but some part failed; the output says which
  70   a fault of tieline itself; the message names the file with the traceback
  130  interrupted; 141: the reader of the output went away

Environment variables:
  TIELINE_INDEX_DIR, TIELINE_SERVERS_DIR   other places for the index and for installed servers
  TIELINE_DEBUG=1                          show the traceback of a fault
  NO_COLOR, FORCE_COLOR                    never, or always, colours
"""
_CANDIDATES_SHOWN = 20
COMPLETION_VARIABLE = "_TIELINE_COMPLETE"


class Application(click.Group):
    """The group of all commands. A command's module is loaded when the command is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_MODULES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = _MODULES.get(cmd_name)
        if module is None:
            return None
        return getattr(import_module(f"resolver.cli.commands.{module}"), cmd_name.replace("-", "_"))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in _MODULES:
            import difflib

            near = difflib.get_close_matches(args[0], _MODULES, 3)
            hint = f"did you mean {', '.join(near)}?" if near else "`tieline --help` lists all commands"
            raise usage(f"there is no command {args[0]!r}", hint, code="bad-usage", near=near)
        return super().resolve_command(ctx, args)

    def get_help(self, ctx: click.Context) -> str:
        from resolver.cli.help import help_page

        sections = {heading: [_name(entry) for entry in entries] for heading, entries in SECTIONS.items()}
        return help_page(self, ctx, super().get_help, sections=sections, epilog=EXIT_CODES)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, entries in SECTIONS.items():
            with formatter.section(heading):
                names = [_name(entry) for entry in entries]
                formatter.write_dl(
                    [
                        (name, made.get_short_help_str(limit=100))
                        for name in names
                        if (made := self.get_command(ctx, name))
                    ]
                )

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write(f"\n{EXIT_CODES}")

    def main(  # type: ignore[override]  # one way to run it, and it always ends the process
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **_: Any
    ) -> NoReturn:
        arguments = list(sys.argv[1:] if args is None else args)
        as_json = "--json" in arguments
        if (reconfigure := getattr(sys.stdout, "reconfigure", None)) is not None:
            # Where the terminal's encoding lacks a character, its escape is better than no answer.
            reconfigure(errors="backslashreplace")
        try:
            code = self._run(arguments, prog_name or "tieline")
            sys.stdout.flush()
        except BrokenPipeError:
            _forget_output()
            code = Exit.BROKEN_PIPE
        except BaseException as error:  # noqa: BLE001  # the last resort: whatever it is, it becomes a line and a code
            code = _end(error, as_json)
        sys.exit(int(code))

    def _run(self, arguments: list[str], program: str) -> int:
        """One run; gives its exit code. click's own `main` would end broken pipes and Ctrl-C in its own way."""
        if instruction := os.environ.get(COMPLETION_VARIABLE):
            from click.shell_completion import shell_complete

            return shell_complete(self, {}, program, COMPLETION_VARIABLE, instruction)
        try:
            with self.make_context(program, arguments) as ctx:
                self.invoke(ctx)
        except click.exceptions.Exit as ended:
            return ended.exit_code
        return Exit.DONE


def _end(error: BaseException, as_json: bool) -> int:
    """Tell what went wrong, and give the exit code."""
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else int(error.code is not None)
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        sys.stderr.write(f"{error.format_message()}\n")
        return Exit.USAGE
    if isinstance(error, (click.Abort, KeyboardInterrupt)):
        told = CommandError("interrupted", Exit.INTERRUPTED, "interrupted")
    else:
        told = _usage(error) if isinstance(error, click.ClickException) else explain(error)
    if told is None:
        from resolver.cli.crash import report

        told = report(error)
    try:
        output.note(told.line)
        _list_candidates(told)
        if as_json:
            output.write_json(told.document())
        sys.stdout.flush()
    except OSError:  # there is nobody to tell, or no room
        _forget_output()
    return told.exit


def _list_candidates(told: CommandError) -> None:
    candidates: list[str] = told.details.get("candidates", [])
    for candidate in candidates[:_CANDIDATES_SHOWN]:
        sys.stderr.write(f"  {printable(candidate)}\n")
    if len(candidates) > _CANDIDATES_SHOWN:
        sys.stderr.write(f"  and {len(candidates) - _CANDIDATES_SHOWN:,} more: --json lists them all\n")


def _usage(error: click.ClickException) -> CommandError:
    hint = None
    if isinstance(error, click.UsageError) and error.ctx is not None:
        hint = f"see `{error.ctx.command_path} --help`"
    message = " ".join(error.format_message().split()).rstrip(".")
    return usage(message, hint, code="bad-usage")


def _forget_output() -> None:
    """Let nothing be written to a pipe that nobody reads, at the end of the process least of all."""
    void = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            os.dup2(void, stream.fileno())
        except (OSError, ValueError):
            continue


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from resolver.cli.version import version_text

        click.echo(version_text())
        ctx.exit()


application = Application(
    name="tieline",
    no_args_is_help=True,
    help="What a name means, who uses it and what breaks if it changes.",
    context_settings={"help_option_names": ["-h", "--help"]},
    params=[
        click.Option(
            ["--version"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_version,
            help="Show the versions of tieline, of its index and of its grammars.",
        )
    ],
)
