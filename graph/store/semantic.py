"""What the semantic pass reads: which references to ask about, what lies where, and the answers that there are.

Equal answers of several contexts are one row with a set of contexts.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import orjson

from graph.model import Status
from graph.store.numbers import definition_range, reference_range, reference_start
from graph.store.vocabulary import Verdict


class Question(NamedTuple):
    """One reference to ask a server about, with what the syntactic layer says of it."""

    reference: int
    file: int
    path: str
    start: int
    """Byte range of the name, in the exact bytes of the file."""
    end: int
    kind: int
    """`ReferenceKind`."""
    name: str
    status: int
    """`Status` of the syntactic resolution."""
    rule: str
    reason: str
    outdated: bool
    """Whether it was answered before something that its file depends on changed."""


class Answer(NamedTuple):
    """What a server said about one reference, in one context."""

    reference: int
    status: Status
    reason: str = ""
    targets: tuple[int, ...] = ()
    """Definitions, when resolved or ambiguous."""
    external: tuple[str, str, str] | None = None
    """(package, version, symbol), when external."""


class ContextRow(NamedTuple):
    """One compilation context."""

    id: str
    """Hash of its normalised inputs."""
    ecosystem: str
    root: str
    variant: str
    inputs: str
    """The inputs, as JSON."""
    server: str
    version: str
    health: str
    """`ready`, or why it is not."""


class Judgement(NamedTuple):
    """What the resolutions of one reference amount to, where not the syntactic one alone counts."""

    reference: int
    verdict: Verdict
    targets: tuple[int, ...] = ()
    external: int | None = None
    """Id of the table `external`."""
    reason: str = ""


class SemanticRow(NamedTuple):
    """One stored answer: one row for each target."""

    reference: int
    engine: int
    contexts: tuple[str, ...]
    status: int
    reason: str
    target: int | None
    external: int | None
    source_hash: bytes
    target_hash: bytes | None


class DefinitionAt(NamedTuple):
    """A definition by the place of its name."""

    number: int
    kind: int
    name_start: int
    name_end: int


class FileHash(NamedTuple):
    """A file with the hash of the bytes that were indexed."""

    number: int
    path: str
    language: str
    hash: bytes
    encoding: str
    raw_path: bytes | None = None
    """The path as the file system has it, where that is not `path` in UTF-8."""

    @property
    def path_on_disk(self) -> str:
        """The path relative to the root as `os` takes it; bytes that are not UTF-8 are surrogates (PEP 383)."""
        return self.path if self.raw_path is None else os.fsdecode(self.raw_path)


_SELECT_FILE = "SELECT id, path, language, hash, encoding, raw_path FROM file"


def questions(
    connection: sqlite3.Connection,
    *,
    languages: Sequence[str] | None = None,
    files: Sequence[int] | None = None,
    statuses: Sequence[Status] | None = None,
    rules: Sequence[str] | None = None,
    unasked_by: str | None = None,
) -> Iterator[Question]:
    """References by path and place. `rules` adds references that these rules resolved, beside those of `statuses`.

    With neither, every reference comes. `unasked_by` leaves out references that a context has an answer for; one that
    failed, or that is outdated, is none.
    """
    conditions: list[str] = []
    parameters: list[Any] = []
    if languages is not None:
        conditions.append(f"f.language IN ({_marks(languages)})")
        parameters.extend(languages)
    if statuses is not None or rules is not None:
        conditions.append(
            f"(o.status IN ({_marks(statuses or ())}) OR (o.status = 0 AND e.name IN ({_marks(rules or ())})))"
        )
        parameters.extend([int(status) for status in statuses or ()])
        parameters.extend(rules or ())
    if unasked_by is not None:
        sets = [number for number, names in context_names(connection).items() if unasked_by in names]
        conditions.append(
            "NOT EXISTS (SELECT 1 FROM semantic s WHERE s.reference = r.id AND s.status <> ? AND s.source_hash = f.hash"
            f" AND s.context_set IN ({_marks(sets)}))"
        )
        parameters.extend((int(Status.FAILED), *sets))
    where = f" AND {' AND '.join(conditions)}" if conditions else ""
    statement = (
        "SELECT r.id, r.end, r.kind, t.value, o.status, COALESCE(e.name, ''), o.reason, f.path,"  # own names and marks
        " EXISTS (SELECT 1 FROM semantic s WHERE s.reference = r.id AND s.source_hash <> f.hash)"
        " FROM reference r JOIN file f ON f.id = ? JOIN text t ON t.id = r.name JOIN outcome o ON o.id = r.outcome"
        f" LEFT JOIN engine e ON e.id = o.engine WHERE r.id BETWEEN ? AND ?{where} ORDER BY r.id"
    )
    chosen = None if files is None else set(files)
    for number, _ in sorted(connection.execute("SELECT id, path FROM file").fetchall(), key=lambda row: row[1]):
        if chosen is not None and number not in chosen:
            continue
        rows = connection.execute(statement, (number, *reference_range(number), *parameters))
        for reference, end, kind, name, status, rule, reason, path, old in rows.fetchall():
            start = reference_start(reference)
            yield Question(reference, number, path, start, end, kind, name, status, rule, reason, bool(old))


def file_by_path(connection: sqlite3.Connection, path: str) -> FileHash | None:
    """A file by its path relative to the root, given as `FileHash.path_on_disk` has it."""
    raw = os.fsencode(path)
    try:
        by_name = raw.decode()
    except UnicodeDecodeError:
        row = connection.execute(f"{_SELECT_FILE} WHERE raw_path = ?", (raw,)).fetchone()
    else:
        row = connection.execute(f"{_SELECT_FILE} WHERE path = ? AND raw_path IS NULL", (by_name,)).fetchone()
    return None if row is None else FileHash(*row)


def files_of(connection: sqlite3.Connection, languages: Sequence[str] | None = None) -> list[FileHash]:
    """All files, or those of some languages, by path."""
    rows = connection.execute(f"{_SELECT_FILE} ORDER BY path").fetchall()
    found = [FileHash(*row) for row in rows]
    return found if languages is None else [file for file in found if file.language in set(languages)]


def definitions_at(connection: sqlite3.Connection, file: int, byte: int) -> list[DefinitionAt]:
    """Definitions of a file whose name covers a byte, or ends at it; those whose name begins there come first.

    A byte at the very start of the file gives the module too: that is where servers point for a whole file.
    """
    rows = connection.execute(
        "SELECT id, kind, name_start, name_end FROM definition WHERE id BETWEEN ? AND ? AND name_start <= ?"
        " AND name_end >= ? ORDER BY name_start <> ?, name_end - name_start, id",
        (*definition_range(file), byte, byte, byte),
    )
    return [DefinitionAt(*row) for row in rows]


def definition_named_at(connection: sqlite3.Connection, file: int, start: int, end: int) -> list[int]:
    """Definitions whose name is exactly a byte range of a file."""
    rows = connection.execute(
        "SELECT id FROM definition WHERE id BETWEEN ? AND ? AND name_start = ? AND name_end = ? ORDER BY id",
        (*definition_range(file), start, end),
    )
    return [row[0] for row in rows]


def references_at(connection: sqlite3.Connection, file: int, start: int, end: int) -> list[int]:
    """References whose name is exactly a byte range of a file."""
    rows = connection.execute(
        "SELECT id FROM reference WHERE id BETWEEN ? AND ? AND end = ? ORDER BY id",
        (*reference_range(file, start, start + 1), end),
    )
    return [row[0] for row in rows]


def semantic_rows(connection: sqlite3.Connection, file: int) -> Iterator[SemanticRow]:
    """The stored answers for the references of a file, by reference."""
    names = context_names(connection)
    for row in connection.execute(
        "SELECT reference, engine, context_set, status, reason, target, external, source_hash, target_hash FROM"
        " semantic"
        " WHERE reference BETWEEN ? AND ? ORDER BY reference, n", reference_range(file),
    ):  # fmt: skip
        yield SemanticRow(row[0], row[1], names[row[2]], *row[3:])


def syntactic_targets(
    connection: sqlite3.Connection, file: int
) -> dict[int, tuple[int, str, str, tuple[int, ...], int | None]]:
    """Reference -> (status, rule, reason, targets or candidates, external) of the syntactic layer, for a file."""
    span = reference_range(file)
    several: dict[int, list[int]] = {}
    for reference, definition in connection.execute(
        "SELECT reference, definition FROM syntactic_target WHERE reference BETWEEN ? AND ? ORDER BY 1, 2", span
    ):
        several.setdefault(reference, []).append(definition)
    return {
        reference: (status, rule, reason, (target,) if target is not None else tuple(several.get(reference, ())),
        external)
        for reference, status, rule, reason, target, external in connection.execute(
            "SELECT r.id, o.status, COALESCE(e.name, ''), o.reason, r.target, r.external FROM reference r"
            " JOIN outcome o ON o.id = r.outcome LEFT JOIN engine e ON e.id = o.engine WHERE r.id BETWEEN ? AND"
            " ?", span,
        )
    }  # fmt: skip


def files_answered_by(connection: sqlite3.Connection, context: str) -> list[int]:
    """Numbers of the files for whose references a context has answers."""
    sets = [number for number, names in context_names(connection).items() if context in names]
    rows = connection.execute(
        f"SELECT DISTINCT reference >> 40 FROM semantic WHERE context_set IN ({_marks(sets)})", sets  # marks
    )  # fmt: skip
    return sorted(row[0] for row in rows)


def context_names(connection: sqlite3.Connection) -> dict[int, tuple[str, ...]]:
    """Every set of contexts that answers have: its number -> ids of the contexts."""
    return {row[0]: tuple(orjson.loads(row[1])) for row in connection.execute("SELECT id, contexts FROM context_set")}


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
