"""`index`: bring the index of a repository up to date."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from resolver.cli import output
from resolver.cli.base import Example, command
from resolver.cli.errors import Exit
from resolver.cli.place import root_to_index
from resolver.cli.session import Session

if TYPE_CHECKING:
    from graph.index import IndexReport


@command(
    "index",
    Example("tieline index", "the repository around this folder; incremental when there is an index"),
    Example("tieline index ~/src/django --full --jobs 4", "another one, from scratch, with four processes"),
    Example("tieline index --index-dir /var/cache/app-index", "with the index outside of the repository"),
    answers=False,
)
@click.argument("path", type=click.Path(path_type=Path), required=False)
@click.option("--full", is_flag=True, help="Index everything from scratch.")
@click.option("--jobs", type=click.IntRange(1, 256), metavar="N", help="Worker processes [default: one per core].")
@click.option(
    "--wait", type=float, default=0.0, metavar="SECONDS", help="Wait for another process that is writing the index."
)
def index(session: Session, path: Path | None, full: bool, jobs: int | None, wait: float) -> int:
    """Index a repository: the inventory and the syntactic layer. Nothing of the repository is executed.

    PATH is the folder of the repository [default: the one around this folder]. A full run over a sound index keeps the
    answers of the semantic layer about files that have not changed. Exit code 5: published, but some file or folder
    could not be read, or a file could not be extracted or linked; the output says which, and the next run tries again.
    """
    from graph.index import IndexOptions, build_index
    from resolver.cli.progress import interruptible, stage_progress
    from resolver.reconcile import reconcile_files

    session.use_root(root_to_index(path, session.given_root))
    with stage_progress(quiet=session.quiet or session.json) as shown, interruptible(shown) as progress:
        report = build_index(
            session.root,
            folder=session.index_dir,
            options=IndexOptions(full=full, jobs=jobs, wait=wait, reconcile=reconcile_files),
            progress=progress,
        )
    if session.json:
        output.write_json(_document(session, report))
    elif not session.quiet:
        from resolver.cli.render.index import show_report

        show_report(output.answer_console(), session.root, report)
    return Exit.PARTIAL if report.failed else Exit.DONE


def _document(session: Session, report: IndexReport) -> dict[str, Any]:
    plain = asdict(report)
    plain["failed"] = [{"path": path, "reason": reason} for path, reason in report.failed]
    plain["reason"] = report.reason or None
    plain["stages"] = [stage._asdict() for stage in report.stages]
    return {"root": str(session.root), "index": str(session.store.folder), **plain}
