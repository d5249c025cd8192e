"""`resolve` and `contexts`: the semantic layer, and the compilation contexts that it asks in."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from resolver.cli import output
from resolver.cli.base import Example, command, mebibytes, seconds
from resolver.cli.errors import CommandError, Exit, usage
from resolver.cli.place import enclosing_root
from resolver.cli.session import Session

if TYPE_CHECKING:
    from graph.index import IndexReport
    from resolver.contexts import Context
    from resolver.semantic import ResolveReport

_PYTHON = click.option(
    "--python", type=click.Path(path_type=Path), metavar="PATH", help="The interpreter of every Python context."
)
_TRUST = click.option(
    "--trust",
    is_flag=True,
    help="Let servers run what is in the repository: its interpreters, build scripts, plugins.",
)


@command(
    "resolve",
    Example("tieline resolve", "ask about what is unresolved, ambiguous or weak, and about a sample of the rest"),
    Example(
        "tieline resolve --all --python .venv/bin/python", "about everything, with the packages of that environment"
    ),
    Example("tieline resolve --budget 60s", "as much as can be answered in a minute; the next run goes on from there"),
    Example("tieline resolve --all --changed main", "about the files that differ from a branch"),
    Example("tieline resolve src/auth.py", "about the references of one file or folder"),
    Example("tieline resolve --context 'python:services/api@.venv'", "in one compilation context alone"),
    answers=False,
)
@click.argument("path", type=click.Path(), required=False)
@click.option("--all", "everything", is_flag=True, help="Ask about every reference.")
@click.option("--again", is_flag=True, help="Ask anew about references that have an answer.")
@click.option("--context", "names", multiple=True, metavar="NAME", help="Only in this context; may be given again.")
@click.option("--language", "languages", multiple=True, metavar="NAME", help="Only this language; may be given again.")
@click.option(
    "--changed",
    is_flag=False,
    flag_value="",
    default=None,
    metavar="[REVISION]",
    help="Only about files that differ from a git revision; without one, from what they were at the last resolve.",
)
@click.option(
    "--budget",
    callback=seconds,
    metavar="TIME",
    help="Stop asking after this time: 60s, 5m, 1h. What is said inside of much used definitions is asked first.",
)
@click.option("--jobs", type=click.IntRange(1, 256), metavar="N", help="Contexts at a time [default: one per core].")
@click.option(
    "--max-memory",
    callback=mebibytes,
    metavar="SIZE",
    help="What the servers may take together: 800M, 4G [default: two thirds of this machine's].",
)
@_PYTHON
@_TRUST
@click.option("--wait", type=float, default=0.0, metavar="SECONDS", help="Wait for another process that is writing.")
def resolve(
    session: Session,
    path: str | None,
    everything: bool,
    again: bool,
    names: tuple[str, ...],
    languages: tuple[str, ...],
    changed: str | None,
    budget: float | None,
    jobs: int | None,
    max_memory: int | None,
    python: Path | None,
    trust: bool,
    wait: float,
) -> int:
    """Bring the index up to date, ask the language servers, each in its compilation context, and reconcile both layers.

    PATH is the repository, or a file or folder in it whose references are asked about. Answers are kept as they come: a
    run that is interrupted goes on from there the next time. Exit code 5: some file, context or reference failed.

    Settings of servers come from `[servers.NAME]` in the repository's tieline.toml, where only limits count without
    --trust, and from tieline/servers.toml in the user's configuration folder.
    """
    from graph.index import IndexOptions, build_index
    from resolver.cli.progress import interruptible, stage_progress
    from resolver.reconcile import reconcile_files
    from resolver.semantic import ResolveOptions
    from resolver.semantic import resolve as ask
    from resolver.server_settings import server_settings

    under = _under(session, path)
    _ = session.snapshot  # raises where there is no index to bring up to date
    session.close()
    settings, ignored = server_settings(session.root, trust=trust)
    quiet = session.quiet or session.json
    with stage_progress(quiet=quiet) as shown, interruptible(shown) as progress:
        indexed = build_index(
            session.root,
            folder=session.index_dir,
            options=IndexOptions(wait=wait, reconcile=reconcile_files),
            progress=progress,
        )
    _check_languages(session, languages)
    _check_names(session, names, python, trust)
    paths = _paths_since(session, changed) if changed else None
    session.close()
    options = ResolveOptions(
        everything=everything,
        again=again,
        under=under,
        contexts=names,
        languages=languages,
        changed=paths,
        since_last=changed == "",
        budget=budget,
        jobs=jobs,
        memory_mib=max_memory,
        python=python,
        trust=trust,
        wait=wait,
    )
    try:
        with stage_progress(quiet=quiet) as progress:
            report = ask(session.root, folder=session.index_dir, options=options, settings=settings, progress=progress)
    except KeyboardInterrupt:
        hint = "what was answered is kept, and `tieline resolve` goes on from there"
        raise CommandError("interrupted", Exit.INTERRUPTED, "interrupted", hint) from None
    if session.json:
        output.write_json({**_report_document(session, report, indexed), "ignored_settings": list(ignored)})
    elif not session.quiet:
        from resolver.cli.render.semantic import show_report

        show_report(output.answer_console(), report)
        if ignored:
            output.note(f"the repository sets {', '.join(ignored)}: that counts with --trust only")
        for path, reason in indexed.failed:
            output.note(f"{path}: {reason}")
    return Exit.PARTIAL if report.failed or indexed.failed else Exit.DONE


@command(
    "contexts",
    Example("tieline contexts", "what will be asked, with what, and which files nobody can answer for"),
    Example("tieline contexts --json | jq -r '.uncovered[].path'", "the files that no context covers"),
    answers=False,
)
@_PYTHON
@_TRUST
def contexts(session: Session, python: Path | None, trust: bool) -> int:
    """The compilation contexts of the repository, the files that each adds, and the files that none covers, with the
    reason. Exit code 1: there is no context.
    """
    from resolver.contexts import ContextOptions, contexts_of

    connection = session.snapshot.connection
    found = contexts_of(connection, session.root, ContextOptions(python=python, trust=trust))
    document = _contexts_document(session, found)
    if session.json:
        output.write_json(document)
    else:
        from resolver.cli.render.semantic import show_contexts

        show_contexts(output.answer_console(), document)
    return Exit.DONE if found else Exit.NOTHING


def _paths_since(session: Session, revision: str) -> frozenset[str]:
    from graph.store.semantic import files_of
    from resolver.revision import changed_since

    return changed_since(session.root, revision, files_of(session.snapshot.connection))


def _under(session: Session, path: str | None) -> str:
    """The part of the repository that PATH means, '' for all of it; settles which repository that is."""
    if path is None:
        return ""
    session.locate(path)
    if session.given_root is None and Path(path).is_dir() and not session.store.path.exists():
        # The folder itself is the repository, with an index that is elsewhere or still missing.
        session.use_root(enclosing_root(Path(path)))
    inside = session.path(path)
    return "" if inside == "." else inside


def _check_names(session: Session, names: tuple[str, ...], python: Path | None, trust: bool) -> None:
    from resolver.contexts import ContextOptions, contexts_of

    if not names:
        return
    known = [
        context.name
        for context in contexts_of(
            session.snapshot.connection, session.root, ContextOptions(python=python, trust=trust)
        )
    ]
    unknown = [name for name in names if name not in known]
    if unknown:
        there = ", ".join(known) or "none"
        raise usage(f"no context is called {', '.join(unknown)}", f"there are: {there}", code="unknown-context")


def _check_languages(session: Session, languages: tuple[str, ...]) -> None:
    known = [row[0] for row in session.snapshot.connection.execute("SELECT DISTINCT language FROM file ORDER BY 1")]
    unknown = [name for name in languages if name not in known]
    if unknown:
        there = ", ".join(known) or "none"
        raise usage(f"no file is in {', '.join(unknown)}", f"there are: {there}", code="unknown-language")


def _report_document(session: Session, report: ResolveReport, indexed: IndexReport) -> dict[str, Any]:
    plain = asdict(report)
    for context in plain["contexts"]:
        context["problem"] = context["problem"] or None
        context["version"] = context["version"] or None
    plain["failed_files"] = [{"path": path, "reason": reason} for path, reason in indexed.failed]
    index = {"full": indexed.full, "extracted": indexed.extracted, "linked": indexed.linked, "seconds": indexed.seconds}
    return {"root": str(session.root), "index": index, **plain}


def _contexts_document(session: Session, found: list[Context]) -> dict[str, Any]:
    connection = session.snapshot.connection
    files: dict[int, tuple[str, str]] = {
        row[0]: (row[1], row[2]) for row in connection.execute("SELECT id, path, language FROM file ORDER BY path")
    }
    health: dict[str, str] = dict(connection.execute("SELECT id, health FROM context"))
    covered: set[int] = set()
    reasons: dict[int, str] = {}
    rows: list[dict[str, Any]] = []
    for context in found:
        added = set(context.files) - covered
        covered |= added
        reasons.update(context.excluded)
        rows.append(
            {
                "id": context.id,
                "name": context.name,
                "ecosystem": context.ecosystem,
                "root": context.root,
                "variant": context.variant,
                "server": context.server,
                "interpreter": None if context.interpreter is None else str(context.interpreter),
                "files": len(context.files),
                "adds": len(added),
                "excluded": [
                    {"path": files[number][0], "reason": reason} for number, reason in context.excluded.items()
                ],
                "health": health.get(context.id, "not-asked"),
            }
        )
    uncovered = [
        {"path": path, "language": language, "reason": reasons.get(number, f"no context is known for {language}")}
        for number, (path, language) in files.items()
        if number not in covered
    ]
    return {"generation": session.snapshot.generation, "contexts": rows, "uncovered": uncovered}
