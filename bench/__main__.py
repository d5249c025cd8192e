"""`python -m bench COMMAND`: the benchmarks. Figures go to standard output, what happens to standard error."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click
import orjson
from rich.console import Console
from rich.table import Table

from bench.corpora import CorpusError, corpora, fetch
from bench.index_speed import IndexSpeed, index_speed
from bench.measuring import CommandFailedError
from bench.resolve_speed import ResolveSpeed, resolve_speed

_REPOSITORY = click.argument(
    "repository", required=False, type=click.Path(exists=True, file_okay=False, path_type=Path)
)
_TURNS = click.option("--turns", default=5, show_default=True, type=click.IntRange(1, 100), help="How often, in turn.")
_FOLDER = click.option(
    "--folder", metavar="PATH", help="The part that is asked about [default: all; of Django, `django`]."
)
_ALL = click.option("--all", "everything", is_flag=True, help="Ask about every reference.")
_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def bench() -> None:
    """Measure Tieline. Times are compared as ratios in one run; absolute times mean little on a shared machine."""


@bench.command("index-speed")
@_REPOSITORY
@_TURNS
@_JSON
def _index_speed(repository: Path | None, turns: int, as_json: bool) -> None:
    """A fresh index against one core's bare parse of the same bytes.

    REPOSITORY is Django 5.2 unless one is given.
    """
    outcome = index_speed((repository or _default()).resolve(), turns, _tell)
    if as_json:
        sys.stdout.buffer.write(orjson.dumps(outcome.document(), option=orjson.OPT_INDENT_2) + b"\n")
        return
    _show_index_speed(outcome)


def _show_index_speed(outcome: IndexSpeed) -> None:
    megabytes = outcome.bytes / 1e6
    title = f"{outcome.repository}: {outcome.files} files, {megabytes:.1f} MB, median of {outcome.turns}"
    rows = [("bare parse, one core", outcome.parse, 1.0)]
    rows += [(f"  {stage.name}", stage.seconds, stage.ratio) for stage in outcome.stages]
    rows += [("index", outcome.index, outcome.ratio), ("whole command", outcome.command, outcome.command_ratio)]
    rows += [("processor time", outcome.processor, outcome.processor / outcome.parse)]
    _table(title, ("stage", "seconds", "x parse"), [(name, f"{s:.2f}", f"{r:.2f}") for name, s, r in rows])
    click.echo(f"peak memory of all processes: {outcome.peak_bytes / 1e6:.0f} MB")


@bench.command("resolve-speed")
@_REPOSITORY
@_FOLDER
@_ALL
@_TURNS
@_JSON
def _resolve_speed(
    repository: Path | None, folder: str | None, everything: bool, turns: int, as_json: bool
) -> None:  # fmt: skip
    """The semantic pass against pyright's own check of the same files.

    REPOSITORY is Django 5.2 unless one is given. The target is 2.0 times the check.
    """
    part = folder if folder is not None else "" if repository else "django"
    place = (repository or _default()).resolve()
    outcome = resolve_speed(place, part.strip("/"), turns, _tell, everything=everything)
    if as_json:
        sys.stdout.buffer.write(orjson.dumps(outcome.document(), option=orjson.OPT_INDENT_2) + b"\n")
        return
    _show_resolve_speed(outcome)


def _show_resolve_speed(outcome: ResolveSpeed) -> None:
    what = "everything" if outcome.everything else "default plan"
    title = (
        f"{outcome.repository}/{outcome.folder}: {outcome.files} files, {outcome.asked} references asked about in"
        f" {outcome.asked_files} of them ({what}), median of {outcome.turns}"
    )
    rows = [
        ("pyright's own check", outcome.check, 1.0),
        ("  of one empty file", outcome.check_start, outcome.check_start / outcome.check),
        ("  processor time", outcome.check_processor, outcome.check_processor / outcome.check),
        ("asking", outcome.ask, outcome.ratio),
        ("  processor time of the server", outcome.server_processor, outcome.server_processor / outcome.check),
        ("  own processor time", outcome.own_processor, outcome.own_processor / outcome.check),
        ("server start", outcome.start, outcome.start / outcome.check),
        ("index, fresh", outcome.index, outcome.index / outcome.check),
        ("index, up to date", outcome.update, outcome.update / outcome.check),
        ("whole command", outcome.command, outcome.command / outcome.check),
    ]
    _table(title, ("stage", "seconds", "x check"), [(name, f"{s:.2f}", f"{r:.2f}") for name, s, r in rows])
    counts = ", ".join(f"{count} {status}" for status, count in sorted(outcome.answers.items()))
    click.echo(f"answers: {counts}")


def _table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    table = Table(title=title, title_justify="left")
    table.add_column(head[0])
    for name in head[1:]:
        table.add_column(name, justify="right")
    for row in rows:
        table.add_row(*row)
    Console().print(table)


def _default() -> Path:
    _tell("fetching Django 5.2 unless it is there")
    return fetch(corpora()["django"])


def _tell(text: str) -> None:
    click.echo(text, err=True)


def main() -> None:
    """Run the command line of the benchmarks."""
    try:
        bench.main(prog_name="python -m bench", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (CorpusError, CommandFailedError, subprocess.TimeoutExpired, OSError) as error:
        click.echo(f"bench: {error}", err=True)
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        click.echo("bench: interrupted", err=True)
        sys.exit(130)


if __name__ == "__main__":
    main()
