"""What servers have said, carried from an index into the one that takes its place.

A full run makes the syntactic layer anew. The answers of the semantic layer took far longer, and hold as long as the
bytes that they are about do: those about files that have not changed, with targets that are still there, are kept.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from typing import Any, NamedTuple, TypeAlias

from graph.store.database import Store
from graph.store.errors import StoreError
from graph.store.numbers import definition_file, definition_range, reference_range
from graph.store.rows import RowWriter
from graph.store.vocabulary import Layer

Reconcile: TypeAlias = Callable[[sqlite3.Connection, frozenset[int], frozenset[int]], None]
"""Called inside a transaction with the numbers of files whose verdicts have to be worked out anew, and of those that
depend on something that has visibly changed: what servers said about them may be outdated.
"""

_REFERENCE_MASK = (1 << 40) - 1
_Key: TypeAlias = tuple[int, str, int]
"""(kind, qualified name, ordinal): a definition in its file."""


class Carried(NamedTuple):
    """What has been carried over."""

    answers: int
    """References with answers."""
    files: frozenset[int]
    """Files that they are in."""
    affected: frozenset[int]
    """Those of them that depend on files which are new, gone or different."""


def carry_over(store: Store, connection: sqlite3.Connection, writer: RowWriter) -> Carried:
    """Copy contexts and answers from the index that is there into one that is linked and indexed.

    Nothing, when there is none that can be read. The verdicts are up to the caller.
    """
    try:
        old = store.reader()
    except StoreError:
        return Carried(0, frozenset(), frozenset())
    with closing(old):
        return _Carrying(old, connection, writer).run()


class _Carrying:
    """One copy, between two databases."""

    def __init__(self, old: sqlite3.Connection, new: sqlite3.Connection, writer: RowWriter) -> None:
        self._old = old
        self._new = new
        self._writer = writer
        before = old.execute("SELECT id, path, hash FROM file").fetchall()
        now = {path: (number, hash_) for number, path, hash_ in new.execute("SELECT id, path, hash FROM file")}
        self._numbers = {number: now[path][0] for number, path, hash_ in before if now.get(path, (0, b""))[1] == hash_}
        """Old number -> new number, of files with the same bytes."""
        self._paths = {number: now[path][0] for number, path, _ in before if path in now}
        self._gone = {number for number, path, _ in before if path not in now}
        self._changed = {number for number, _ in now.values()} - set(self._numbers.values())
        self._definitions: dict[int, dict[_Key, int]] = {}
        self._targets: dict[int, int | None] = {}
        self._sets: dict[int, int] = {}
        self._externals: dict[int, int] = {}
        self._engines: dict[int, int] = {}

    def run(self) -> Carried:
        new = self._new
        for table, columns in (("context", 8), ("package", 7)):
            rows = self._old.execute(f"SELECT * FROM {table}").fetchall()  # own names
            new.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * columns)})", rows)
        new.executemany(
            "INSERT INTO context_file VALUES (?, ?, ?, ?)",
            [
                (context, self._numbers[file], membership, detail)
                for context, file, membership, detail in self._old.execute("SELECT * FROM context_file")
                if file in self._numbers
            ],
        )
        new.executemany(
            "INSERT INTO resolved VALUES (?, ?)",
            [
                (self._numbers[file], hash_)
                for file, hash_ in self._old.execute("SELECT file, hash FROM resolved")
                if file in self._numbers
            ],
        )
        answers = 0
        files: set[int] = set()
        for (file,) in self._old.execute("SELECT DISTINCT reference >> 40 FROM semantic").fetchall():
            if file in self._numbers and (copied := self._copy(file)):
                answers += copied
                files.add(self._numbers[file])
        return Carried(answers, frozenset(files), frozenset(files & self._dependents()))

    def _copy(self, file: int) -> int:
        """Copy the answers about a file; gives for how many references."""
        number = self._numbers[file]
        there = _references(self._new, number)
        was = _references(self._old, file)
        answers: dict[int, list[tuple[Any, ...]]] = {}
        for row in self._old.execute(
            "SELECT * FROM semantic WHERE reference BETWEEN ? AND ? ORDER BY reference, n", reference_range(file)
        ):
            answers.setdefault(row[0], []).append(row)
        copied = 0
        for reference, rows in answers.items():
            moved = number << 40 | reference & _REFERENCE_MASK
            if reference not in was or there.get(moved) != was[reference]:
                continue  # other rules of extraction do not see it, or something else
            targets = [None if row[6] is None else self._target(row[6]) for row in rows]
            if any(target is None and row[6] is not None for target, row in zip(targets, rows, strict=True)):
                continue
            copied += 1
            self._new.executemany(
                "INSERT INTO semantic VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        moved, n, self._engine(engine), self._set(contexts), status, reason, target,
                        None if external is None else self._external(external), source, target_hash,
                    )
                    for target, (_, n, engine, contexts, status, reason, _, external, source, target_hash) in zip(
                        targets, rows, strict=True
                    )
                ],
            )  # fmt: skip
        return copied

    def _target(self, old: int) -> int | None:
        """The definition of the new index that is an old one, by its id as text."""
        if old not in self._targets:
            file = self._paths.get(definition_file(old))
            row = self._old.execute(
                "SELECT kind, qualified_name, ordinal FROM definition WHERE id = ?", (old,)
            ).fetchone()
            self._targets[old] = None if file is None or row is None else self._in_file(file).get(row)
        return self._targets[old]

    def _in_file(self, file: int) -> dict[_Key, int]:
        if file not in self._definitions:
            rows = self._new.execute(
                "SELECT kind, qualified_name, ordinal, id FROM definition WHERE id BETWEEN ? AND ?",
                definition_range(file),
            )
            self._definitions[file] = {(kind, name, ordinal): number for kind, name, ordinal, number in rows}
        return self._definitions[file]

    def _engine(self, old: int) -> int:
        if old not in self._engines:
            name, version = self._old.execute("SELECT name, version FROM engine WHERE id = ?", (old,)).fetchone()
            self._engines[old] = self._writer.engine(Layer.SEMANTIC, name, version)
        return self._engines[old]

    def _external(self, old: int) -> int:
        if old not in self._externals:
            package, version, symbol = self._old.execute(
                "SELECT package, version, symbol FROM external WHERE id = ?", (old,)
            ).fetchone()
            self._externals[old] = self._writer.external(package, symbol, version)
        return self._externals[old]

    def _set(self, old: int) -> int:
        if old not in self._sets:
            (contexts,) = self._old.execute("SELECT contexts FROM context_set WHERE id = ?", (old,)).fetchone()
            number = self._new.execute("INSERT INTO context_set (contexts) VALUES (?)", (contexts,)).lastrowid
            assert number is not None
            self._sets[old] = number
        return self._sets[old]

    def _dependents(self) -> set[int]:
        """Files, by their new numbers, that ask files which are new, gone or different, however indirectly."""
        gone = _reaching(self._old, self._gone)
        return _reaching(self._new, self._changed) | {self._numbers[file] for file in gone if file in self._numbers}


def _references(connection: sqlite3.Connection, file: int) -> dict[int, tuple[int, str]]:
    """Reference -> (kind, name), of a file."""
    rows = connection.execute(
        "SELECT r.id, r.kind, t.value FROM reference r JOIN text t ON t.id = r.name WHERE r.id BETWEEN ? AND ?",
        reference_range(file),
    )
    return {number: (kind, name) for number, kind, name in rows}


def _reaching(connection: sqlite3.Connection, files: Iterable[int]) -> set[int]:
    found: set[int] = set()
    open_ = list(files)
    while open_:
        for (asker,) in connection.execute("SELECT asker FROM depends WHERE asked = ?", (open_.pop(),)):
            if asker not in found:
                found.add(asker)
                open_.append(asker)
    return found
