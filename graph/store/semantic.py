"""What the semantic pass reads and writes: which references to ask about, contexts, and the answers of each file and
context.

A resolution belongs to its owner (file, context) and is added or retired by it alone. Equal answers of several
contexts are one row with a set of contexts. Writing happens in small transactions: a run that is killed keeps what
it had stored.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterable, Iterator, Sequence, Set
from contextlib import contextmanager
from typing import Any, NamedTuple

import orjson

from graph.model import Status
from graph.store.database import Store
from graph.store.errors import explained
from graph.store.meta import GENERATION, generation, write_meta
from graph.store.numbers import definition_file, definition_range, reference_file, reference_range, reference_start
from graph.store.rows import RowWriter
from graph.store.vocabulary import Layer, Membership, Verdict


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


# -- reading ----------------------------------------------------------------------------------------------------------


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
        sets = [number for number, names in _context_names(connection).items() if unasked_by in names]
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
    """A file by its path, relative to the root."""
    row = connection.execute("SELECT id, path, language, hash, encoding FROM file WHERE path = ?", (path,)).fetchone()
    return None if row is None else FileHash(*row)


def files_of(connection: sqlite3.Connection, languages: Sequence[str] | None = None) -> list[FileHash]:
    """All files, or those of some languages, by path."""
    rows = connection.execute("SELECT id, path, language, hash, encoding FROM file ORDER BY path").fetchall()
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
    names = _context_names(connection)
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
    sets = [number for number, names in _context_names(connection).items() if context in names]
    rows = connection.execute(
        f"SELECT DISTINCT reference >> 40 FROM semantic WHERE context_set IN ({_marks(sets)})", sets  # marks
    )  # fmt: skip
    return sorted(row[0] for row in rows)


# -- writing ----------------------------------------------------------------------------------------------------------


class SemanticWriter:
    """Writes answers, contexts and verdicts through one connection; the caller holds the writer's lock.

    Each method is one transaction of its own, or part of a `transaction` of the caller. `publish` makes what is written
    a new generation.
    """

    def __init__(self, connection: sqlite3.Connection, store: Store) -> None:
        self._connection = connection
        self._store = store
        self._sets: dict[tuple[str, ...], int] = {}
        self._names = _context_names(connection)

    def contexts(self, rows: Iterable[ContextRow]) -> None:
        """Add contexts, or bring them up to date."""
        with self.transaction():
            self._connection.executemany("INSERT OR REPLACE INTO context VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def memberships(self, context: str, rows: Iterable[tuple[int, Membership, str]]) -> None:
        """Set what a context makes of each file: (file, membership, detail)."""
        with self.transaction():
            self._connection.execute("DELETE FROM context_file WHERE context = ?", (context,))
            self._connection.executemany(
                "INSERT INTO context_file VALUES (?, ?, ?, ?)",
                [(context, file, int(membership), detail) for file, membership, detail in rows],
            )

    def packages(self, rows: Iterable[tuple[str, str, str, str, str, str]]) -> None:
        """Set the workspace packages: (ecosystem, name, root, manifest, import names as JSON, dependencies as JSON)."""
        with self.transaction():
            self._connection.execute("DELETE FROM package")
            self._connection.executemany(
                "INSERT INTO package (ecosystem, name, root, manifest, import_names, dependencies) VALUES (?,"
                " ?, ?, ?, ?, ?)",
                rows,
            )

    def answers(self, file: int, context: str, engine: tuple[str, str], hash_: bytes, found: Sequence[Answer]) -> bool:
        """Replace the answers that (file, context) owns for these references; its other answers stay.

        False, and nothing stored, when the file is no longer `hash_`. `engine` is (name, version); `hash_` is that
        of the bytes that the server had.
        """
        with self.transaction():
            row = self._connection.execute("SELECT hash FROM file WHERE id = ?", (file,)).fetchone()
            if row is None or row[0] != hash_:
                return False
            self._retire(file, context, {answer.reference for answer in found})
            writer = RowWriter(self._connection, empty=False)
            number = writer.engine(Layer.SEMANTIC, *engine)
            for answer in found:
                if reference_file(answer.reference) != file:
                    raise ValueError("an answer for a reference of another file")
                self._store_answer(writer, number, context, hash_, answer)
        return True

    def retire(self, file: int, context: str) -> None:
        """Take back the answers that (file, context) owns."""
        with self.transaction():
            self._retire(file, context)

    def retire_context(self, context: str) -> None:
        """Take back a context with all its answers."""
        with self.transaction():
            for file in files_answered_by(self._connection, context):
                self._retire(file, context)
            self._connection.execute("DELETE FROM context_file WHERE context = ?", (context,))
            self._connection.execute("DELETE FROM context WHERE id = ?", (context,))

    def verdicts(self, file: int, found: Iterable[Judgement]) -> None:
        """Replace the verdicts on the references of a file."""
        with self.transaction():
            store_verdicts(self._connection, file, found)

    def external(self, package: str, symbol: str, version: str = "") -> int:
        """The id of something outside of the repository."""
        with self.transaction():
            return RowWriter(self._connection, empty=False).external(package, symbol, version)

    def relations(self, file: int, rows: Iterable[tuple[int, int, int, str]]) -> None:
        """Replace the relations of the semantic layer that start in a file: (source, target, RelationKind, rule)."""
        with self.transaction():
            self._connection.execute(
                "DELETE FROM relation WHERE layer = ? AND source BETWEEN ? AND ?",
                (int(Layer.SEMANTIC), *definition_range(file)),
            )
            self._connection.executemany(
                "INSERT OR REPLACE INTO relation VALUES (?, ?, ?, ?, ?)",
                [(source, target, kind, int(Layer.SEMANTIC), rule) for source, target, kind, rule in rows],
            )

    def publish(self) -> int:
        """A new generation, whose number is given."""
        with self.transaction():
            number = generation(self._connection) + 1
            write_meta(self._connection, {GENERATION: str(number)})
        return number

    # -- inside a transaction -----------------------------------------------------------------------------------------

    @contextmanager
    def transaction(self) -> Generator[None]:
        """Make everything that is written in the block appear at once, or not at all."""
        if self._connection.in_transaction:
            yield
            return
        with explained(self._store.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._connection.execute("ROLLBACK")
                self._sets.clear()
                self._names = _context_names(self._connection)
                raise
            self._connection.execute("COMMIT")

    def _set(self, contexts: tuple[str, ...]) -> int:
        number = self._sets.get(contexts)
        if number is None:
            text = orjson.dumps(contexts).decode()
            self._connection.execute("INSERT OR IGNORE INTO context_set (contexts) VALUES (?)", (text,))
            (number,) = self._connection.execute("SELECT id FROM context_set WHERE contexts = ?", (text,)).fetchone()
            self._sets[contexts] = number
            self._names[number] = contexts
        return number

    def _retire(self, file: int, context: str, only: Set[int] | None = None) -> None:
        span = reference_range(file)
        for reference, n, number in self._connection.execute(
            "SELECT reference, n, context_set FROM semantic WHERE reference BETWEEN ? AND ?", span
        ).fetchall():
            contexts = self._names[number]
            if context not in contexts or (only is not None and reference not in only):
                continue
            left = tuple(name for name in contexts if name != context)
            if left:
                self._connection.execute(
                    "UPDATE semantic SET context_set = ? WHERE reference = ? AND n = ?", (self._set(left), reference, n)
                )
            else:
                self._connection.execute("DELETE FROM semantic WHERE reference = ? AND n = ?", (reference, n))

    def _store_answer(self, writer: RowWriter, engine: int, context: str, hash_: bytes, answer: Answer) -> None:
        external = None
        if answer.external is not None:
            package, version, symbol = answer.external
            external = writer.external(package, symbol, version)
        targets: list[int | None] = list(answer.targets) or [None]
        stored = {
            (row[1], row[3], row[4], row[5], row[6], row[7]): (row[0], row[2])
            for row in self._connection.execute(
                "SELECT n, engine, context_set, status, reason, target, external, source_hash FROM semantic"
                " WHERE reference = ?", (answer.reference,),
            )
        }  # fmt: skip
        following = 1 + max((n for n, _ in stored.values()), default=-1)
        for target in targets:
            key = (engine, int(answer.status), answer.reason, target, external, hash_)
            same = stored.get(key)
            if same is not None:
                contexts = tuple(sorted({*self._names[same[1]], context}))
                self._connection.execute(
                    "UPDATE semantic SET context_set = ? WHERE reference = ? AND n = ?",
                    (self._set(contexts), answer.reference, same[0]),
                )
                continue
            self._connection.execute(
                "INSERT INTO semantic VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    answer.reference, following, engine, self._set((context,)), int(answer.status), answer.reason,
                    target,
                    external, hash_, self._target_hash(target),
                ),
            )  # fmt: skip
            following += 1

    def _target_hash(self, target: int | None) -> bytes | None:
        if target is None:
            return None
        row = self._connection.execute("SELECT hash FROM file WHERE id = ?", (definition_file(target),)).fetchone()
        return None if row is None else row[0]


def store_verdicts(connection: sqlite3.Connection, file: int, found: Iterable[Judgement]) -> None:
    """Replace the verdicts on the references of a file, inside a transaction of the caller."""
    RowWriter(connection, empty=False).forget_verdicts(file)
    for judgement in found:
        connection.execute(
            "INSERT INTO verdict VALUES (?, ?, ?, ?)",
            (judgement.reference, int(judgement.verdict), judgement.external, judgement.reason),
        )
        connection.executemany(
            "INSERT OR IGNORE INTO verdict_target VALUES (?, ?)",
            [(judgement.reference, target) for target in judgement.targets],
        )


def mark_outdated(connection: sqlite3.Connection, file: int) -> None:
    """Say of the answers for the references of a file that something they rest on has changed, inside a transaction of
    the caller. For lack of better ones they stay until they are asked for again.
    """
    connection.execute("UPDATE semantic SET source_hash = x'' WHERE reference BETWEEN ? AND ?", reference_range(file))


def _context_names(connection: sqlite3.Connection) -> dict[int, tuple[str, ...]]:
    return {row[0]: tuple(orjson.loads(row[1])) for row in connection.execute("SELECT id, contexts FROM context_set")}


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
