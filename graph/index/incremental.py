"""An incremental index: what changed is extracted anew, what it can affect is linked anew, all in one transaction."""

from __future__ import annotations

import sqlite3
import time
from array import array
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from graph.extract.pool import Batch, Failure, Pool
from graph.index.carrying import Reconcile
from graph.index.changes import Changes, Known, family_of_language, find_changes
from graph.index.full import BATCH_BYTES, BATCH_FILES, limit_of
from graph.index.linking import failure_of
from graph.index.progress import Progress, Stopwatch
from graph.index.reading import Extracted, Item, LeftOut, failed, read_all, unmarshal, unpack_columns
from graph.index.relinking import FactsLoader, dependents, relink
from graph.index.scan import Scan, family_manifests, unreadable
from graph.index.slots import assign_slots, with_slots
from graph.index.storing import (
    batches_by_size,
    excluded_row,
    facts_row,
    file_row,
    store_linked,
    stored_columns,
)
from graph.index.visible import visible_key
from graph.inventory import InventoryEntry, Reason, Unreadable, read_file
from graph.store.database import Store
from graph.store.errors import explained
from graph.store.meta import generation as read_generation
from graph.store.meta import record_run, write_meta
from graph.store.rows import RowWriter


class Outcome(NamedTuple):
    """What an incremental run did."""

    generation: int
    files: int
    extracted: int
    linked: int
    removed: int
    excluded: int
    failed: tuple[tuple[str, str], ...]


def index_changes(
    store: Store,
    found: Scan,
    jobs: int,
    progress: Progress,
    watch: Stopwatch,
    started: str,
    reconcile: Reconcile | None,
) -> Outcome:
    """Bring the index up to date in one transaction. Without any change there is no new generation."""
    connection = store.open_for_change()
    try:
        with explained(store.path):
            connection.execute("BEGIN IMMEDIATE")
            try:
                outcome = _Update(store, connection, found, jobs, progress, watch).run(started, reconcile)
                connection.execute("COMMIT")
            except BaseException:
                connection.execute("ROLLBACK")
                raise
    finally:
        connection.close()
    return outcome


class _Update:
    """One incremental run, inside its transaction."""

    def __init__(
        self, store: Store, connection: sqlite3.Connection, found: Scan, jobs: int, progress: Progress, watch: Stopwatch
    ) -> None:
        self._store = store
        self._connection = connection
        self._scan = found
        self._jobs = jobs
        self._progress = progress
        self._watch = watch
        self._writer = RowWriter(connection, empty=False)
        self._started_ns = time.time_ns()
        self._fresh: dict[int, tuple[bytes, bytes]] = {}
        self._slots: dict[int, list[int] | None] = {}
        self._extracted: dict[str, set[int]] = {}
        """Family -> files extracted in this run."""
        self._visibly_changed: set[int] = set()
        self._whole_families: set[str] = set()
        self._failed = unreadable(found)
        self._unverdicted: set[int] = set()
        self._added: set[int] = set()
        self._affected: set[int] = set()
        """Files that depend on what is gone, new or visibly changed."""

    def run(self, started: str, reconcile: Reconcile | None) -> Outcome:
        with self._watch.stage("compare"):
            changes = find_changes(self._connection, self._scan, self._started_ns)
        self._whole_families |= changes.families | {family_of_language(name) for name in changes.reflagged}
        with self._watch.stage("extract", len(changes.read)):
            self._remove(changes.gone)
            self._extract(changes)
        with self._watch.stage("link") as count:
            count[0] = linked = self._relink(changes)
        with self._watch.stage("store"):
            different = self._store_rest(changes) or bool(linked or self._extracted or changes.gone)
            affected = frozenset(self._affected - self._fresh.keys())
            if reconcile is not None and (self._unverdicted or affected):
                reconcile(self._connection, frozenset(self._unverdicted), affected)
        generation = read_generation(self._connection)
        if different:
            generation += 1
            write_meta(self._connection, {"generation": str(generation)})
            record_run(self._connection, generation, started, "incremental", self._watch.stages)
        (files,) = self._connection.execute("SELECT COUNT(*) FROM file").fetchone()
        (excluded,) = self._connection.execute("SELECT COUNT(*) FROM excluded").fetchone()
        return Outcome(generation, files, len(changes.read), linked, len(changes.gone), excluded, tuple(self._failed))

    # -- files --------------------------------------------------------------------------------------------------------

    def _remove(self, gone: Sequence[Known]) -> None:
        for known in gone:
            rows = self._connection.execute(
                "SELECT id FROM definition WHERE id BETWEEN ? AND ?", (known.number << 24, (known.number + 1 << 24) - 1)
            ).fetchall()
            self._unverdict(self._writer.forget_targets([row[0] for row in rows]))
            self._affected |= dependents(self._connection, [known.number])
            self._writer.forget_file(known.number)
            self._whole_families.add(family_of_language(known.language))

    def _unverdict(self, references: Sequence[int]) -> None:
        self._unverdicted.update(reference >> 40 for reference in references)

    def _extract(self, changes: Changes) -> None:
        if not changes.read:
            return
        gone = {known.number for known in changes.gone}
        (following,) = self._connection.execute("SELECT COALESCE(MAX(id), 0) + 1 FROM file").fetchone()
        items: list[Item] = []
        for entry in changes.read:
            known = changes.known.get(entry.path)
            if known is not None and known.number not in gone:
                items.append(Item(known.number, entry))
            else:
                items.append(Item(following, entry))
                following += 1
        entries = {item.file: item.entry for item in items}
        groups = batches_by_size(items, BATCH_BYTES, BATCH_FILES)
        batches = [
            Batch([item.file for item in group], [limit_of(item.entry.size) for item in group]) for group in groups
        ]
        done = 0
        self._progress("extract", 0, len(items))
        with Pool(partial(read_all, self._scan.root, entries), min(self._jobs, len(batches))) as pool:
            for result in pool.run(batches):
                for file in [self._failure(result, entries)] if isinstance(result, Failure) else unmarshal(result):
                    self._take(file, entries[file.file], changes)
                    done += 1
                self._progress("extract", done, len(items))
        self._writer.flush()

    def _failure(self, failure: Failure, entries: Mapping[int, InventoryEntry]) -> Extracted:
        item = Item(failure.item, entries[failure.item])
        data = read_file(self._scan.root, item.entry)
        return failed(item, failure.reason, b"" if isinstance(data, Unreadable) else data)

    def _take(self, file: LeftOut | Extracted, entry: InventoryEntry, changes: Changes) -> None:
        known = changes.known.get(entry.path)
        existing = known is not None and known.number == file.file
        if isinstance(file, LeftOut):
            changes.excluded[entry.path] = excluded_row(entry, file, self._started_ns)
            if file.reason == Reason.UNREADABLE:
                self._failed.append((entry.path, f"unreadable: {file.detail}"))
            if existing:
                assert known is not None
                changes.gone.append(known)
                self._remove([known])
            return
        assert entry.language is not None
        family = family_of_language(entry.language)
        slots = self._replace(file) if existing else None
        if existing:
            assert known is not None
            if known.package != file.package:
                self._whole_families.add(family)
        else:
            self._whole_families.add(family)
            self._added.add(file.file)
        if file.parse_detail:
            self._failed.append((entry.path, file.parse_detail))
        row = facts_row(file, stored_columns(self._writer, file))
        self._writer.facts([row])
        self._writer.files([file_row(file, entry, self._started_ns, slots)])
        self._writer.definitions(with_slots(file.file, file.definitions, slots))
        self._writer.index_text(file.file)
        self._fresh[file.file] = row[1:]
        self._slots[file.file] = slots
        self._extracted.setdefault(family, set()).add(file.file)

    def _replace(self, file: Extracted) -> list[int] | None:
        """Take out what the index has of a file that was extracted anew; give the slots of its definitions."""
        number = file.file
        (before,) = self._connection.execute("SELECT interface FROM facts WHERE file = ?", (number,)).fetchone()
        if before != file.interface and visible_key(before) != visible_key(file.interface):
            self._visibly_changed.add(number)
        old: list[tuple[Any, ...]] = self._connection.execute(
            "SELECT id, kind, qualified_name, ordinal FROM definition WHERE id BETWEEN ? AND ?",
            (number << 24, (number + 1 << 24) - 1),
        ).fetchall()
        slots, gone = assign_slots(old, file.definitions)
        self._unverdict(self._writer.forget_targets(gone))
        self._writer.forget_semantic(number)
        self._writer.forget_definitions(number)
        return slots

    # -- links --------------------------------------------------------------------------------------------------------

    def _relink(self, changes: Changes) -> int:
        failed = self._unlinked()
        families = sorted(self._whole_families | self._extracted.keys() | failed.keys())
        if not families:
            return 0
        languages = self._connection.execute("SELECT id, language FROM file").fetchall()
        members: dict[str, set[int]] = {}
        for number, language in languages:
            members.setdefault(family_of_language(language), set()).add(number)
        affected = dependents(self._connection, self._visibly_changed)
        self._affected |= affected
        total = 0
        loader = FactsLoader(self._store, self._fresh)
        try:
            for family in families:
                here = members.get(family, set())
                whole = family in self._whole_families
                chosen = here if whole else (self._extracted.get(family, set()) | affected & here)
                chosen |= failed.get(family, set())
                if whole:
                    self._connection.executemany(
                        "DELETE FROM depends WHERE asker = ?", [(number,) for number in sorted(here)]
                    )
                self._progress("link", 0, len(chosen))
                total += self._link_family(changes, loader, family, chosen)
        finally:
            loader.close()
        self._affected |= dependents(self._connection, self._added)
        return total

    def _unlinked(self) -> dict[str, set[int]]:
        """Family -> files whose linking failed the last time. What they ask of others is not known."""
        found: dict[str, set[int]] = {}
        for number, language in self._connection.execute(
            "SELECT u.file, f.language FROM unlinked u JOIN file f ON f.id = u.file"
        ):
            found.setdefault(family_of_language(language), set()).add(number)
        return found

    def _link_family(self, changes: Changes, loader: FactsLoader, family: str, chosen: set[int]) -> int:
        done = 0
        manifests = family_manifests(family, changes.manifests)
        for batch in relink(self._connection, loader, family, manifests, chosen, self._jobs):
            for linked in batch.files:
                number = linked.file
                self._writer.forget_references(number)
                if number not in self._fresh:
                    self._unverdict_file(number)
                store_linked(self._writer, linked, unpack_columns(loader.load(number)[1]), self._slots_of(number))
                if reason := failure_of(linked):
                    self._failed.append((self._path_of(number), reason))
            self._writer.depends(batch.asked)
            done += len(batch.files)
            self._progress("link", done, len(chosen))
        return done

    def _path_of(self, number: int) -> str:
        (path,) = self._connection.execute("SELECT path FROM file WHERE id = ?", (number,)).fetchone()
        return path

    def _unverdict_file(self, number: int) -> None:
        row = self._connection.execute(
            "SELECT 1 FROM semantic WHERE reference BETWEEN ? AND ? LIMIT 1", (number << 40, (number + 1 << 40) - 1)
        ).fetchone()
        if row is not None:
            self._unverdicted.add(number)
        self._writer.forget_verdicts(number)

    def _slots_of(self, number: int) -> Sequence[int] | None:
        if number in self._slots:
            return self._slots[number]
        (table,) = self._connection.execute("SELECT slots FROM file WHERE id = ?", (number,)).fetchone()
        return None if table is None else array("I", table)

    # -- the rest -----------------------------------------------------------------------------------------------------

    def _store_rest(self, changes: Changes) -> bool:
        """Bring the tables up to date that are no part of a file's rows; whether anything was different."""
        connection = self._connection
        connection.executemany("UPDATE file SET mtime_ns = ?, flags = ? WHERE id = ?", changes.touched)
        before = changes.left_out
        connection.executemany(
            "DELETE FROM excluded WHERE path = ?", [(path,) for path in before if path not in changes.excluded]
        )
        different = [row for path, row in changes.excluded.items() if before.get(path) != row]
        connection.executemany("INSERT OR REPLACE INTO excluded VALUES (?, ?, ?, ?, ?, ?, ?, ?)", different)
        if changes.manifests_changed:
            connection.execute("DELETE FROM manifest")
            connection.executemany("INSERT INTO manifest VALUES (?, ?, ?)", changes.manifests)
        shown = {path: row[:6] for path, row in before.items()}
        return (
            shown != {path: row[:6] for path, row in changes.excluded.items()}
            or changes.manifests_changed
            or bool(changes.reflagged)
        )
