"""What the semantic pass writes: contexts, the answers of each file and context, and verdicts.

A resolution belongs to its owner (file, context) and is added or retired by it alone. Writing happens in small
transactions: a run that is killed keeps what it had stored.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterable, Sequence, Set
from contextlib import contextmanager

import orjson

from graph.store.database import Store
from graph.store.errors import explained
from graph.store.meta import GENERATION, generation, write_meta
from graph.store.numbers import definition_file, definition_range, reference_file, reference_range
from graph.store.rows import RowWriter
from graph.store.semantic import Answer, ContextRow, Judgement, context_names, files_answered_by
from graph.store.vocabulary import Layer, Membership


class SemanticWriter:
    """Writes answers, contexts and verdicts through one connection; the caller holds the writer's lock.

    Each method is one transaction of its own, or part of a `transaction` of the caller. `publish` makes what is written
    a new generation.
    """

    def __init__(self, connection: sqlite3.Connection, store: Store) -> None:
        self._connection = connection
        self._store = store
        self._sets: dict[tuple[str, ...], int] = {}
        self._names = context_names(connection)

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

    def settle(self, context: str, files: Iterable[int], plan: str) -> None:
        """Note of files that a context has answered all that a plan asks about them.

        The note goes when a file is linked again, and when something that it rests on changes.
        """
        with self.transaction():
            self._connection.executemany(
                "INSERT OR REPLACE INTO settled VALUES (?, ?, ?)", [(file, context, plan) for file in files]
            )

    def resolved(self, files: Iterable[int]) -> None:
        """Note that the pass has been over files as they are now."""
        with self.transaction():
            self._connection.executemany(
                "INSERT OR REPLACE INTO resolved SELECT id, hash FROM file WHERE id = ?", [(file,) for file in files]
            )

    def retire(self, file: int, context: str) -> None:
        """Take back the answers that (file, context) owns."""
        with self.transaction():
            self._retire(file, context)
            self._connection.execute("DELETE FROM settled WHERE context = ? AND file = ?", (context, file))

    def retire_context(self, context: str) -> None:
        """Take back a context with all its answers."""
        with self.transaction():
            for file in files_answered_by(self._connection, context):
                self._retire(file, context)
            for table in ("context_file", "settled"):
                self._connection.execute(f"DELETE FROM {table} WHERE context = ?", (context,))  # own names
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
                self._names = context_names(self._connection)
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
    connection.execute("DELETE FROM settled WHERE file = ?", (file,))
