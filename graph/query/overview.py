"""`deps`, `coverage`, `status`: what a file depends on, what the index does not cover, how current it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import orjson

from graph.query.contexts import ContextFigures, context_figures
from graph.query.position import find_file
from graph.query.records import Evidence
from graph.query.snapshot import Snapshot
from graph.query.statistics import stats
from graph.store.numbers import definition_range, reference_range
from graph.store.vocabulary import ParseStatus


@dataclass(frozen=True)
class Dependency:
    """A file or package at the other end, with the number of references between the two."""

    name: str
    """Path of a file, or name of a package."""
    references: int


@dataclass(frozen=True)
class DepsAnswer:
    """The answer of `deps`."""

    path: str
    uses: tuple[Dependency, ...]
    """Files that the file refers to, most references first."""
    used_by: tuple[Dependency, ...]
    """Files that refer to it."""
    packages: tuple[Dependency, ...]
    """Packages outside of the repository that it refers to."""
    unresolved: int
    """References of the file whose target is not known: they may depend on more."""
    evidence: Evidence


@dataclass(frozen=True)
class FailedFile:
    """A file that could not be read, or only in part."""

    path: str
    reason: str
    damage: tuple[tuple[int, int], ...]
    """Byte ranges."""


@dataclass(frozen=True)
class CoverageAnswer:
    """The answer of `coverage`: what the index does not know."""

    generation: int
    files: int
    manifests: tuple[str, ...]
    """Paths of the build and package descriptions that were read, whether or not they are source files too."""
    excluded: dict[str, int]
    """Reason -> number of paths; a directory that was not entered counts as one."""
    excluded_paths: tuple[tuple[str, str, str], ...]
    """(path, reason, detail) of what has a language, or is a directory; what no language claims is only counted."""
    failed: tuple[FailedFile, ...]
    """Files from which nothing could be extracted, and files whose references could not be linked."""
    damaged: tuple[FailedFile, ...]
    """Files that could only be read in part."""
    unresolved: dict[str, dict[str, int]]
    """Language -> reason -> number of references."""
    contexts_not_ready: tuple[tuple[str, str], ...]
    """(context, health) of those that could not answer."""
    contexts: dict[str, ContextFigures]
    """By name: what each has made of the files."""


@dataclass(frozen=True)
class StageInfo:
    """One stage of a run."""

    generation: int
    stage: str
    started: str
    seconds: float
    count: int
    detail: str


@dataclass(frozen=True)
class StatusAnswer:
    """The answer of `status`."""

    generation: int
    fresh: bool
    """Whether all indexed files are what they were. New files are not looked for."""
    changed: tuple[str, ...]
    files: int
    manifests: int
    """Build and package descriptions that were read."""
    languages: dict[str, int]
    definitions: int
    references: int
    semantic: int
    """References that some language server has answered."""
    versions: dict[str, str]
    last_run: tuple[StageInfo, ...]


def deps(snapshot: Snapshot, path: str) -> DepsAnswer:
    """What a file refers to and what refers to it. Raises UnknownFileError."""
    file = find_file(snapshot, path)
    span = reference_range(file.number)
    connection = snapshot.connection
    uses = connection.execute(
        "SELECT definition >> 24, COUNT(*) FROM effective WHERE reference BETWEEN ? AND ? GROUP BY 1", span
    ).fetchall()
    used_by = connection.execute(
        "SELECT reference >> 40, COUNT(*) FROM effective WHERE definition BETWEEN ? AND ? GROUP BY 1",
        definition_range(file.number),
    ).fetchall()
    packages = connection.execute(
        "SELECT x.package, COUNT(*) FROM reference r LEFT JOIN verdict v ON v.reference = r.id JOIN external x"
        " ON x.id = CASE WHEN v.reference IS NULL THEN r.external ELSE v.external END WHERE r.id BETWEEN ? AND"
        " ? GROUP BY 1",
        span,
    ).fetchall()
    (unresolved,) = connection.execute(
        "SELECT COUNT(*) FROM reference r LEFT JOIN verdict v ON v.reference = r.id WHERE r.id BETWEEN ? AND ?"
        " AND CASE WHEN v.reference IS NULL THEN r.external ELSE v.external END IS NULL"
        " AND NOT EXISTS (SELECT 1 FROM effective e WHERE e.reference = r.id)",
        span,
    ).fetchone()
    files = {number for number, _ in [*uses, *used_by]} | {file.number}
    return DepsAnswer(
        file.path, _files(snapshot, uses, file.number), _files(snapshot, used_by, file.number),
        tuple(_ordered(Dependency(name, count) for name, count in packages)), unresolved, snapshot.evidence(files),
    )  # fmt: skip


def coverage(snapshot: Snapshot) -> CoverageAnswer:
    """What the index does not cover, and why."""
    connection = snapshot.connection
    counts = connection.execute("SELECT reason, COUNT(*) FROM excluded GROUP BY 1 ORDER BY 2 DESC, 1").fetchall()
    listed = connection.execute(
        "SELECT path, reason, COALESCE(detail, '') FROM excluded WHERE language IS NOT NULL OR is_directory"
        " ORDER BY path"
    ).fetchall()
    (files,) = connection.execute("SELECT COUNT(*) FROM file").fetchone()
    manifests = [path for (path,) in connection.execute("SELECT path FROM manifest ORDER BY path")]
    not_ready = connection.execute(
        "SELECT ecosystem || ':' || root || '@' || variant, health FROM context WHERE health <> 'ready' ORDER BY 1"
    ).fetchall()
    return CoverageAnswer(
        snapshot.generation, files, tuple(manifests), dict(counts), tuple(listed),
        tuple(sorted((*_failed(snapshot, ParseStatus.FAILED), *_unlinked(snapshot)), key=lambda failed: failed.path)),
        _failed(snapshot, ParseStatus.DAMAGED),
        {language: figures.reasons for language, figures in stats(snapshot).languages.items()}, tuple(not_ready),
        context_figures(snapshot),
    )  # fmt: skip


def status(snapshot: Snapshot) -> StatusAnswer:
    """Generation, freshness, size, and what the last run did."""
    connection = snapshot.connection
    numbers = [row[0] for row in connection.execute("SELECT id FROM file")]
    evidence = snapshot.evidence(numbers)
    languages = dict(connection.execute("SELECT language, COUNT(*) FROM file GROUP BY 1 ORDER BY 1").fetchall())
    (manifests,) = connection.execute("SELECT COUNT(*) FROM manifest").fetchone()
    (definitions,) = connection.execute("SELECT COUNT(*) FROM definition").fetchone()
    (references,) = connection.execute("SELECT COUNT(*) FROM reference").fetchone()
    (semantic,) = connection.execute("SELECT COUNT(DISTINCT reference) FROM semantic").fetchone()
    last = connection.execute(
        "SELECT generation, stage, started, seconds, count, detail FROM run"
        " WHERE started = (SELECT started FROM run ORDER BY id DESC LIMIT 1) ORDER BY id"
    ).fetchall()
    versions = {key: value for key, value in snapshot.meta.items() if key != "generation"}
    return StatusAnswer(
        snapshot.generation, evidence.fresh, evidence.changed, len(numbers), manifests, languages,
        definitions, references, semantic, versions, tuple(StageInfo(*row) for row in last),
    )  # fmt: skip


def _files(snapshot: Snapshot, rows: list[tuple[int, int]], own: int) -> tuple[Dependency, ...]:
    return tuple(_ordered(Dependency(snapshot.file(number).path, count) for number, count in rows if number != own))


def _ordered(found: Iterable[Dependency]) -> list[Dependency]:
    return sorted(found, key=lambda dependency: (-dependency.references, dependency.name))


def _failed(snapshot: Snapshot, wanted: ParseStatus) -> tuple[FailedFile, ...]:
    rows = snapshot.connection.execute(
        "SELECT path, COALESCE(parse_detail, ''), damage FROM file WHERE parse_status = ? ORDER BY path", (int(wanted),)
    )
    return tuple(
        FailedFile(path, detail, tuple((start, end) for start, end in orjson.loads(damage)))
        for path, detail, damage in rows
    )


def _unlinked(snapshot: Snapshot) -> list[FailedFile]:
    rows = snapshot.connection.execute("SELECT f.path, u.reason FROM unlinked u JOIN file f ON f.id = u.file")
    return [FailedFile(path, reason, ()) for path, reason in rows]
