"""Writing the rows of files: interned texts, definitions, references with their syntactic resolutions, relations.

A `RowWriter` serves one connection inside one transaction. It holds the tables of interned values in memory; what is
in the database already is looked up there, value by value.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterable, Sequence
from typing import Any

from graph.store.numbers import definition_id, definition_range, reference_ids, reference_range
from graph.store.vocabulary import Layer

_INSERT_DEFINITION = f"INSERT INTO definition VALUES ({', '.join('?' * 15)})"
_INSERT_REFERENCE = "INSERT INTO reference VALUES (?, ?, ?, ?, ?, ?, ?, NULLIF(?, 0), NULLIF(?, 0))"
_INSERT_FILE = f"INSERT OR REPLACE INTO file VALUES ({', '.join('?' * 17)})"


class RowWriter:
    """Inserts and deletes the rows of files."""

    def __init__(self, connection: sqlite3.Connection, *, empty: bool) -> None:
        """`empty` says that the database has no rows yet, so that nothing has to be looked up."""
        self.connection = connection
        self._empty = empty
        self._texts: dict[str, int] = {}
        self._outcomes: dict[tuple[int, str, str], int] = {}
        self._externals: dict[tuple[str, str, str], int] = {}
        self._engines: dict[tuple[int, str, str], int] = {}
        self._new_texts: list[tuple[int, str]] = []
        self._next_text = 1 if empty else self._next("text")

    # -- interned values ----------------------------------------------------------------------------------------------

    def texts(self, values: Sequence[str]) -> list[int]:
        """The ids of texts. `flush` writes the new ones."""
        known = self._texts
        ids: list[int] = []
        for value in values:
            number = known.get(value)
            if number is None:
                number = known[value] = self._text(value)
            ids.append(number)
        return ids

    def _text(self, value: str) -> int:
        if not self._empty:
            row = self.connection.execute("SELECT id FROM text WHERE value = ?", (value,)).fetchone()
            if row is not None:
                return row[0]
        number = self._next_text
        self._next_text += 1
        self._new_texts.append((number, value))
        return number

    def flush(self) -> None:
        """Write the texts that are new since the last time."""
        if self._new_texts:
            self.connection.executemany("INSERT INTO text VALUES (?, ?)", self._new_texts)
            self._new_texts.clear()

    def engine(self, layer: Layer, name: str, version: str) -> int:
        """The id of an engine."""
        key = (int(layer), name, version)
        number = self._engines.get(key)
        if number is None:
            number = self._engines[key] = self._intern("engine", ("layer", "name", "version"), key)
        return number

    def external(self, package: str, symbol: str, version: str = "") -> int:
        """The id of something outside of the repository."""
        key = (package, version, symbol)
        number = self._externals.get(key)
        if number is None:
            number = self._externals[key] = self._intern("external", ("package", "version", "symbol"), key)
        return number

    def outcome(self, status: int, rule: str, reason: str) -> int:
        """The id of what a syntactic resolution says, apart from its target."""
        key = (status, rule, reason)
        number = self._outcomes.get(key)
        if number is None:
            engine = self.engine(Layer.SYNTACTIC, rule, "") if rule else None
            number = self._intern("outcome", ("status", "engine", "reason"), (status, engine, reason))
            self._outcomes[key] = number
        return number

    def _intern(self, table: str, names: tuple[str, ...], values: tuple[Any, ...]) -> int:
        if not self._empty:
            condition = " AND ".join(f"{name} IS ?" for name in names)
            row = self.connection.execute(f"SELECT id FROM {table} WHERE {condition}", values).fetchone()  # own names
            if row is not None:
                return row[0]
        marks = ", ".join("?" * len(values))
        cursor = self.connection.execute(
            f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})",
            values,  # own names
        )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def _next(self, table: str) -> int:
        row = self.connection.execute(f"SELECT COALESCE(MAX(id), 0) + 1 FROM {table}").fetchone()  # own names
        return row[0]

    # -- rows of files ------------------------------------------------------------------------------------------------

    def files(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Insert or replace rows of the table `file`, whole."""
        self.connection.executemany(_INSERT_FILE, rows)

    def facts(self, rows: Iterable[tuple[int, bytes, bytes]]) -> None:
        """Insert or replace (file, interface, reference columns)."""
        self.connection.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?, ?)", rows)

    def definitions(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Insert rows of the table `definition`, whole. In an index that has its full text, use `index_text` after
        it.
        """
        self.connection.executemany(_INSERT_DEFINITION, rows)

    def references(
        self,
        file: int,
        place: tuple[Sequence[int], Sequence[int], Sequence[int], Sequence[int], Sequence[int], Sequence[int]],
        resolution: tuple[Iterable[int], Sequence[int], Iterable[int]],
        slots: Sequence[int] | None,
    ) -> list[int]:
        """Insert the references of a file and give their ids.

        `place`: starts, ends, kinds, names, qualifiers (both text ids), enclosing (indices, made slots by `slots`).
        `resolution`: outcomes, targets (0: none), externals (0: none).
        """
        starts, ends, kinds, names, qualifiers, enclosing = place
        ids = reference_ids(file, starts)
        base = definition_id(file, 0)
        if slots is None:
            owners = [base | index for index in enclosing]
        else:
            owners = [base | slots[index] for index in enclosing]
        self.connection.executemany(
            _INSERT_REFERENCE, zip(ids, ends, kinds, names, qualifiers, owners, *resolution, strict=True)
        )
        return ids

    def syntactic_targets(self, rows: Iterable[tuple[int, int]]) -> None:
        """Insert (reference, definition) where a reference has several targets or candidates."""
        self.connection.executemany("INSERT OR IGNORE INTO syntactic_target VALUES (?, ?)", rows)

    def relations(self, rows: Iterable[tuple[int, int, int, int, str]]) -> None:
        """Insert (source, target, kind, layer, rule)."""
        self.connection.executemany("INSERT OR REPLACE INTO relation VALUES (?, ?, ?, ?, ?)", rows)

    def unlinked(self, file: int, reason: str) -> None:
        """Note that the references of a file could not be linked, so that it is tried again."""
        self.connection.execute("INSERT OR REPLACE INTO unlinked VALUES (?, ?)", (file, reason))

    def depends(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Insert (asker, asked) pairs of files."""
        self.connection.executemany("INSERT OR IGNORE INTO depends VALUES (?, ?)", pairs)

    def index_text(self, file: int) -> None:
        """Add the definitions of a file to the full text index."""
        self.connection.execute(
            "INSERT INTO definition_text (rowid, name, qualified_name, signature, doc)"
            " SELECT id, name, qualified_name, signature, doc FROM definition WHERE id BETWEEN ? AND ?",
            definition_range(file),
        )

    def index_all_text(self) -> None:
        """Fill the full text index from all definitions."""
        self.connection.execute("INSERT INTO definition_text (definition_text) VALUES ('rebuild')")

    # -- taking away --------------------------------------------------------------------------------------------------

    def forget_definitions(self, file: int) -> None:
        """Delete the definitions of a file, from the full text too."""
        span = definition_range(file)
        self.connection.execute(
            "INSERT INTO definition_text (definition_text, rowid, name, qualified_name, signature, doc)"
            " SELECT 'delete', id, name, qualified_name, signature, doc FROM definition WHERE id BETWEEN ? AND ?",
            span,
        )
        self.connection.execute("DELETE FROM definition WHERE id BETWEEN ? AND ?", span)

    def forget_references(self, file: int) -> None:
        """Delete the references of a file with their syntactic resolutions, and the relations that start in it."""
        span = reference_range(file)
        self.connection.execute("DELETE FROM reference WHERE id BETWEEN ? AND ?", span)
        self.connection.execute("DELETE FROM syntactic_target WHERE reference BETWEEN ? AND ?", span)
        for table in ("settled", "unlinked"):
            self.connection.execute(f"DELETE FROM {table} WHERE file = ?", (file,))  # own names
        self.connection.execute(
            "DELETE FROM relation WHERE layer = ? AND source BETWEEN ? AND ?",
            (int(Layer.SYNTACTIC), *definition_range(file)),
        )

    def forget_verdicts(self, file: int) -> None:
        """Delete the verdicts on the references of a file."""
        span = reference_range(file)
        self.connection.execute("DELETE FROM verdict WHERE reference BETWEEN ? AND ?", span)
        self.connection.execute("DELETE FROM verdict_target WHERE reference BETWEEN ? AND ?", span)

    def forget_semantic(self, file: int) -> None:
        """Delete the semantic resolutions of the references of a file, and the verdicts on them."""
        self.connection.execute("DELETE FROM semantic WHERE reference BETWEEN ? AND ?", reference_range(file))
        self.connection.execute(
            "DELETE FROM relation WHERE layer = ? AND source BETWEEN ? AND ?",
            (int(Layer.SEMANTIC), *definition_range(file)),
        )
        self.forget_verdicts(file)

    def forget_targets(self, definitions: Sequence[int]) -> list[int]:
        """Delete the semantic resolutions and the verdicts that lead to definitions that are gone; give their
        references.
        """
        references: set[int] = set()
        for definition in definitions:
            for table, column in (("semantic", "target"), ("verdict_target", "definition")):
                found = self.connection.execute(
                    f"SELECT reference FROM {table} WHERE {column} = ?", (definition,)
                )  # own names
                references.update(row[0] for row in found)
        for table in ("semantic", "verdict", "verdict_target"):
            self.connection.executemany(
                f"DELETE FROM {table} WHERE reference = ?",  # own names
                [(reference,) for reference in sorted(references)],
            )
        self.connection.executemany(
            "DELETE FROM settled WHERE file = ?", [(file,) for file in sorted({number >> 40 for number in references})]
        )
        return sorted(references)

    def forget_file(self, file: int) -> None:
        """Delete a file with everything that belongs to it."""
        self.forget_semantic(file)
        self.forget_references(file)
        self.forget_definitions(file)
        self.connection.execute("DELETE FROM facts WHERE file = ?", (file,))
        self.connection.execute("DELETE FROM depends WHERE asker = ? OR asked = ?", (file, file))
        self.connection.execute("DELETE FROM context_file WHERE file = ?", (file,))
        self.connection.execute("DELETE FROM resolved WHERE file = ?", (file,))
        self.connection.execute("DELETE FROM file WHERE id = ?", (file,))


def text_columns(ids: Sequence[int], local: Iterable[int]) -> array[int]:
    """A column of text ids from a column of indices into a file's own texts."""
    return array("I", map(ids.__getitem__, local))
