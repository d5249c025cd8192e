"""Linking inside an incremental run: which files, and with which numbers."""

from __future__ import annotations

import os
import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence

from graph.index.full import LinkTask, link_in_workers
from graph.index.linking import Job, LinkBatch, remap
from graph.languages.registry import families
from graph.link.world import FileRecord, Manifest
from graph.store.database import Store
from graph.store.vocabulary import FileFlag

IN_PROCESS = 150
"""Up to so many files are linked by the main process itself: starting workers would take longer."""


class FactsLoader:
    """Facts by file number of the store: those of this run from memory, the others from the generation before."""

    def __init__(self, store: Store, fresh: Mapping[int, tuple[bytes, bytes]]) -> None:
        self._store = store
        self._fresh = fresh
        self._connections: dict[int, sqlite3.Connection] = {}
        """By process: a connection must not be used, nor closed, on the other side of a fork."""

    def load(self, file: int) -> tuple[bytes, bytes]:
        """(interface, reference columns) of a file."""
        found = self._fresh.get(file)
        if found is not None:
            return found
        connection = self._connections.get(os.getpid())
        if connection is None:
            connection = self._connections[os.getpid()] = self._store.reader()
        row = connection.execute("SELECT interface, reference FROM facts WHERE file = ?", (file,)).fetchone()
        return row[0], row[1]

    def close(self) -> None:
        """Close the connection of this process."""
        connection = self._connections.pop(os.getpid(), None)
        if connection is not None:
            connection.close()


def relink(
    connection: sqlite3.Connection, loader: FactsLoader, family: str, manifests: Sequence[Manifest],
    numbers: Iterable[int], jobs: int,
) -> Iterator[LinkBatch]:  # fmt: skip
    """Link files of a family, given by their numbers in the store, and give the results in numbers of the store.

    The linker sees files numbered in the order of their paths, as in a full index, so that it says the same.
    """
    names = [language.name for language in families()[family]]
    marks = ", ".join("?" * len(names))
    rows = connection.execute(
        f"SELECT id, path, language, package, flags, slots FROM file WHERE language IN ({marks}) ORDER BY path",
        names,
    ).fetchall()
    rank: dict[int, int] = {}
    stored: dict[int, int] = {}
    slots: dict[int, Sequence[int]] = {}
    records: list[FileRecord] = []
    for number, (file, path, language, package, flags, table) in enumerate(sorted(rows, key=lambda row: row[1]), 1):
        rank[file] = number
        stored[number] = file
        records.append(FileRecord(number, path, language, package, bool(flags & FileFlag.TEST)))
        if table is not None:
            slots[file] = array("I", table)
    job = Job(
        families()[family][0], records, manifests, lambda number: loader.load(stored[number])[0],
        lambda number: loader.load(stored[number])[1],
    )  # fmt: skip
    wanted = sorted(rank[number] for number in numbers)
    if len(wanted) <= IN_PROCESS:
        batches: Iterable[LinkBatch] = [job.link(wanted)] if wanted else []
    else:
        batches = link_in_workers([LinkTask(job, [(number, 8192) for number in wanted])], jobs)
    for batch in batches:
        yield LinkBatch(
            [remap(linked, stored, slots) for linked in batch.files],
            [(stored[asker], stored[asked]) for asker, asked in batch.asked],
        )


def dependents(connection: sqlite3.Connection, changed: Iterable[int]) -> set[int]:
    """Every file that reaches one of some files through what was asked of whom."""
    found: set[int] = set()
    open_ = list(changed)
    while open_:
        asked = open_.pop()
        for (asker,) in connection.execute("SELECT asker FROM depends WHERE asked = ?", (asked,)):
            if asker not in found:
                found.add(asker)
                open_.append(asker)
    return found
