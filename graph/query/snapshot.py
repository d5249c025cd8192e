"""One state of the index to ask questions of: a read transaction, what it has looked up, and what has changed since.

A `Snapshot` sees one generation from start to end. It is for one thread.
"""

from __future__ import annotations

import os
import sqlite3
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import xxhash

from graph.files import read_inside
from graph.query.records import DefinitionInfo, Evidence, Position
from graph.source import LineIndex
from graph.store.database import Store
from graph.store.errors import explained
from graph.store.meta import generation as read_generation
from graph.store.meta import read_meta
from graph.store.numbers import definition_file
from graph.store.semantic import context_names
from graph.store.text_id import KIND_WORDS, format_text_id

Confidence: TypeAlias = Callable[[str, str, str], float | None]
"""(language, layer, engine) -> the precision that was measured for it, or None."""

DEFINITION_COLUMNS = (
    "id, kind, name, qualified_name, ordinal, parent, start, end, name_start, name_end, signature, doc,"
    " visibility, flags,"
    " condition"
)
_FILE_COLUMNS = (
    "id, path, raw_path, language, hash, size, mtime_ns, encoding, line_starts, source, flags, parse_status,"
    " parse_detail,"
    " damage, package, line_ending"
)


@dataclass(frozen=True)
class FileInfo:
    """A file of the index."""

    number: int
    path: str
    raw_path: bytes | None
    language: str
    hash: bytes
    size: int
    mtime_ns: int
    encoding: str
    line_starts: bytes
    source: bytes | None
    flags: int
    parse_status: int
    parse_detail: str | None
    damage: str
    package: str
    line_ending: str


class Lines:
    """Lines and columns of one file as it was indexed."""

    def __init__(self, file: FileInfo) -> None:
        self._index: LineIndex | None = None
        self._starts: Sequence[int] = ()
        self._size = file.size
        if file.source is not None:
            self._index = LineIndex(zlib.decompress(file.source), file.encoding)
        else:
            self._starts = array("I", file.line_starts)

    def position(self, offset: int) -> Position:
        """Line and column, both 1-based, the column in code points, of a byte offset."""
        if self._index is not None:
            return Position(*self._index.position(offset))
        line = bisect_right(self._starts, offset)
        return Position(line, offset - self._starts[line - 1] + 1)

    def offset(self, line: int, column: int) -> int:
        """The byte offset of a position. Raises OffsetError (a ValueError) when there is no such place."""
        if self._index is not None:
            return self._index.offset(line, column)
        start, end = self.range(line)
        if not 1 <= column <= end - start + (line == len(self._starts)):
            raise ValueError(f"line {line} has no column {column}: it has columns 1..{max(1, end - start)}")
        return start + column - 1

    def range(self, line: int) -> tuple[int, int]:
        """The byte range of a line, its terminator included. Raises ValueError when there is no such line."""
        if self._index is not None:
            return self._index.line_range(line)
        if not 1 <= line <= len(self._starts):
            raise ValueError(f"no line {line}: the file has lines 1..{len(self._starts)}")
        end = self._starts[line] if line < len(self._starts) else self._size
        return self._starts[line - 1], end


class Snapshot:
    """One generation of the index."""

    def __init__(self, connection: sqlite3.Connection, root: Path, confidence: Confidence | None = None) -> None:
        """The connection must be in a read transaction; `confidence` gives the measured precision of engines."""
        self.connection = connection
        self.root = root
        self.generation = read_generation(connection)
        self._confidence = confidence
        self._real_root = os.fsencode(root)
        self._files: dict[int, FileInfo] = {}
        self._lines: dict[int, Lines] = {}
        self._outcomes: dict[int, tuple[int, str, str]] | None = None
        self._engines: dict[int, tuple[int, str, str]] | None = None
        self._context_sets: dict[int, tuple[str, ...]] | None = None
        self._context_names: dict[str, str] | None = None
        self._definitions: dict[int, DefinitionInfo | None] = {}
        self._changed: dict[int, bool] = {}
        self._meta: dict[str, str] | None = None
        self.cache: dict[str, Any] = {}
        """What queries have worked out for the whole snapshot, by a name of their own."""

    # -- files --------------------------------------------------------------------------------------------------------

    def file(self, number: int) -> FileInfo:
        """A file by its number. Raises KeyError when there is none."""
        known = self._files.get(number)
        if known is None:
            row = self.connection.execute(
                f"SELECT {_FILE_COLUMNS} FROM file WHERE id = ?", (number,)
            ).fetchone()  # own names
            if row is None:
                raise KeyError(number)
            known = self._files[number] = FileInfo(*row)
        return known

    def file_at(self, path: str) -> FileInfo | None:
        """A file by its path, relative to the root."""
        row = self.connection.execute("SELECT id FROM file WHERE path = ?", (path,)).fetchone()
        return None if row is None else self.file(row[0])

    def lines(self, number: int) -> Lines:
        """Lines and columns of a file."""
        known = self._lines.get(number)
        if known is None:
            known = self._lines[number] = Lines(self.file(number))
        return known

    def position(self, number: int, offset: int) -> Position:
        """Line and column of a byte offset in a file."""
        return self.lines(number).position(offset)

    def is_changed(self, number: int) -> bool:
        """Whether a file is no longer what was indexed: by size and time, and by content where the time cannot tell."""
        known = self._changed.get(number)
        if known is None:
            known = self._changed[number] = self._is_changed(self.file(number))
        return known

    def _is_changed(self, file: FileInfo) -> bool:
        relative = file.raw_path or file.path.encode()
        try:
            status = os.stat(self._real_root + b"/" + relative)  # noqa: PTH116  # a path of bytes
            if status.st_size != file.size:
                return True
            if status.st_mtime_ns == file.mtime_ns:
                return False
            data = read_inside(self._real_root, relative, file.size + 1)
            return xxhash.xxh3_64_digest(data) != file.hash
        except OSError:
            return True

    def evidence(self, files: Iterable[int]) -> Evidence:
        """The generation, and which of the files that an answer rests on have changed since."""
        changed = sorted(self.file(number).path for number in set(files) if self.is_changed(number))
        return Evidence(self.generation, not changed, tuple(changed))

    # -- definitions --------------------------------------------------------------------------------------------------

    def definition(self, number: int) -> DefinitionInfo | None:
        """A definition by its number, or None when it is gone."""
        if number in self._definitions:
            return self._definitions[number]
        row = self.connection.execute(
            f"SELECT {DEFINITION_COLUMNS} FROM definition WHERE id = ?",
            (number,),  # own names
        ).fetchone()
        found = self._definitions[number] = None if row is None else self._info(row)
        return found

    def definitions(self, condition: str, parameters: Sequence[object]) -> list[DefinitionInfo]:
        """Definitions by a condition in SQL on the table `definition`."""
        rows = self.connection.execute(
            f"SELECT {DEFINITION_COLUMNS} FROM definition WHERE {condition}", parameters
        )  # callers are ours
        return [self._info(row) for row in rows.fetchall()]

    def _info(self, row: tuple[Any, ...]) -> DefinitionInfo:
        number, kind, name, qualified_name, ordinal, parent, *rest = row
        file = definition_file(number)
        path = self.file(file).path
        text_id = format_text_id(path, kind, str(qualified_name), ordinal)
        position = self.position(file, rest[2])
        return DefinitionInfo(
            number,
            text_id,
            KIND_WORDS[kind],
            kind,
            name,
            qualified_name,
            parent,
            file,
            path,
            *position,
            *rest,
        )

    def text_id(self, number: int | None) -> str | None:
        """The text id of a definition by its number."""
        if number is None:
            return None
        found = self.definition(number)
        return None if found is None else found.id

    # -- small tables -------------------------------------------------------------------------------------------------

    def outcome(self, number: int) -> tuple[int, str, str]:
        """(status, rule, reason) of a syntactic resolution."""
        if self._outcomes is None:
            rows = self.connection.execute(
                "SELECT o.id, o.status, COALESCE(e.name, ''), o.reason FROM outcome o LEFT JOIN engine e ON"
                " e.id = o.engine"
            )
            self._outcomes = {row[0]: (row[1], row[2], row[3]) for row in rows}
        return self._outcomes[number]

    def engine(self, number: int) -> tuple[int, str, str]:
        """(layer, name, version) of an engine."""
        if self._engines is None:
            rows = self.connection.execute("SELECT id, layer, name, version FROM engine")
            self._engines = {row[0]: (row[1], row[2], row[3]) for row in rows}
        return self._engines[number]

    def contexts(self, context_set: int | None) -> tuple[str, ...]:
        """How contexts are printed, `ecosystem:root@variant`, sorted."""
        return tuple(sorted(map(self.context_name, self.context_ids(context_set))))

    def context_ids(self, context_set: int | None) -> tuple[str, ...]:
        """The ids of a set of contexts."""
        if context_set is None:
            return ()
        if self._context_sets is None:
            self._context_sets = context_names(self.connection)
        return self._context_sets.get(context_set, ())

    def context_name(self, context: str) -> str:
        """How a context is printed: `ecosystem:root@variant`; its id when it is gone."""
        if self._context_names is None:
            rows = self.connection.execute("SELECT id, ecosystem, root, variant FROM context")
            self._context_names = {row[0]: f"{row[1]}:{row[2]}{f'@{row[3]}' if row[3] else ''}" for row in rows}
        return self._context_names.get(context, context)

    @property
    def meta(self) -> dict[str, str]:
        """What the index says of itself."""
        if self._meta is None:
            self._meta = read_meta(self.connection)
        return self._meta

    def confidence(self, language: str, layer: str, engine: str) -> float | None:
        """The measured precision of an engine, or None when nobody has measured it."""
        return None if self._confidence is None else self._confidence(language, layer, engine)


@contextmanager
def snapshot(store: Store, confidence: Confidence | None = None) -> Generator[Snapshot]:
    """Open the index and see one generation. Raises StoreError when there is none to read."""
    connection = store.reader()
    try:
        with reading(connection, store, confidence) as state:
            yield state
    finally:
        connection.close()


@contextmanager
def reading(connection: sqlite3.Connection, store: Store, confidence: Confidence | None = None) -> Generator[Snapshot]:
    """See one generation through a connection of `Store.reader` that is kept open between questions."""
    with explained(store.path):
        connection.execute("BEGIN")
        try:
            yield Snapshot(connection, store.root, confidence)
        finally:
            connection.execute("ROLLBACK")
