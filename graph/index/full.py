"""A full index: everything read, linked and written to a database beside the current one, then published."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial
from typing import NamedTuple, cast

from graph.extract.pool import Batch, Failure, Pool, can_fork, usable_cores
from graph.index.carrying import Reconcile, carry_over
from graph.index.linking import Job, LinkBatch, failure_of, unlinked, unmarshal_batch
from graph.index.progress import Progress, Stopwatch
from graph.index.reading import Extracted, Item, LeftOut, failed, read_all, unmarshal, unpack_columns
from graph.index.scan import ManifestRow, Scan, family_manifests, family_of, read_manifests, unreadable, versions
from graph.index.spool import Spool
from graph.index.storing import (
    batches_by_size,
    excluded_row,
    facts_row,
    file_row,
    store_linked,
    stored_columns,
)
from graph.inventory import Reason, Unreadable, read_file
from graph.languages.registry import families
from graph.link.world import FileRecord
from graph.store.database import Store, add_file_indexes, add_link_indexes
from graph.store.errors import explained
from graph.store.meta import record_run, write_meta
from graph.store.rows import RowWriter
from graph.store.vocabulary import FileFlag

BATCH_BYTES = 192 * 1024
BATCH_FILES = 64
LINK_BATCH_BYTES = 512 * 1024
SECONDS_PER_FILE = 0.1
_BYTES_PER_SECOND = 20_000


class Counts(NamedTuple):
    """What a full run did."""

    files: int
    excluded: int
    failed: tuple[tuple[str, str], ...]
    kept: int = 0
    """References whose semantic answers were carried over."""


DAMAGED = "the index is damaged"
"""The reason of a run that does not build upon what is there, nor write into it."""


class FullRun(NamedTuple):
    """What a full run is told."""

    generation: int
    """The generation that it is to publish."""
    reason: str
    jobs: int
    started: str
    """ISO 8601, UTC."""
    reconcile: Reconcile | None = None
    """As in an incremental run; without it no answer of the semantic layer is kept."""


def index_fully(store: Store, found: Scan, run: FullRun, progress: Progress, watch: Stopwatch) -> Counts:
    """Build and publish a generation. The caller holds the writer's lock.

    Whatever goes wrong, the index stays as it was.
    """
    connection = store.start_building()
    try:
        with explained(store.building_path), closing(Spool(store.folder)) as spool:
            build = _Build(connection, found, run.jobs, progress, watch, spool)
            counts = build.run(run.generation)
            if run.reconcile is not None and run.reason != DAMAGED:
                counts = counts._replace(kept=build.keep_answers(store, run.reconcile))
            record_run(connection, run.generation, run.started, f"full: {run.reason}", watch.stages)
        with watch.stage("publish"):
            store.publish(connection, keep=run.reason != DAMAGED)
    except BaseException:
        connection.close()
        store.abandon_building()
        raise
    return counts


def limit_of(size: int) -> float:
    """Seconds that a file of some bytes may take: some hundred times what ordinary code takes."""
    return SECONDS_PER_FILE + size / _BYTES_PER_SECOND


class _Build:
    """One full run, between an empty database and one that can be published."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        found: Scan,
        jobs: int,
        progress: Progress,
        watch: Stopwatch,
        spool: Spool,
    ) -> None:
        self._connection = connection
        self._scan = found
        self._jobs = jobs
        self._progress = progress
        self._watch = watch
        self._spool = spool
        self._writer = RowWriter(connection, empty=True)
        self._started_ns = time.time_ns()
        self._entries = dict(enumerate(found.sources, 1))
        self._records: dict[str, list[FileRecord]] = {}
        self._sizes: dict[int, int] = {}
        self._failed = unreadable(found)
        self._excluded = len(found.excluded)
        self._family_of = family_of()

    def run(self, generation: int) -> Counts:
        with self._watch.stage("extract") as count:
            manifests = self._extract()
            count[0] = len(self._sizes)
        with self._watch.stage("link") as count:
            count[0] = self._link(manifests)
        with self._watch.stage("indexes"):
            add_link_indexes(self._connection)
            write_meta(self._connection, {"generation": str(generation), **versions()})
        return Counts(len(self._sizes), self._excluded, tuple(self._failed))

    def keep_answers(self, store: Store, reconcile: Reconcile) -> int:
        """Carry over what servers said about files that have not changed; gives about how many references."""
        with self._watch.stage("keep answers") as count:
            carried = carry_over(store, self._connection, self._writer)
            count[0] = carried.answers
            if carried.answers:
                reconcile(self._connection, carried.files, carried.affected)
        return carried.answers

    # -- extraction ---------------------------------------------------------------------------------------------------

    def _extract(self) -> list[ManifestRow]:
        found = self._scan
        connection = self._connection
        items = [Item(number, entry) for number, entry in self._entries.items()]
        groups = batches_by_size(items, BATCH_BYTES, BATCH_FILES)
        batches = [
            Batch([item.file for item in group], [limit_of(item.entry.size) for item in group]) for group in groups
        ]
        self._progress("extract", 0, len(items))
        with Pool(partial(read_all, found.root, self._entries), min(self._jobs, len(batches)) or 1) as pool:
            results = pool.run(batches)
            excluded = [excluded_row(entry, None, self._started_ns) for entry in found.excluded]
            connection.executemany(_INSERT_EXCLUDED, excluded)
            manifests = read_manifests(found.root, found.manifests)
            connection.executemany("INSERT INTO manifest VALUES (?, ?, ?)", manifests)
            done = 0
            for result in results:
                files = [self._failure(result)] if isinstance(result, Failure) else unmarshal(result)
                self._take(files)
                done += len(files)
                self._progress("extract", done, len(items))
        self._writer.flush()
        self._spool.flush()
        return manifests

    def _failure(self, failure: Failure) -> Extracted:
        item = Item(failure.item, self._entries[failure.item])
        data = read_file(self._scan.root, item.entry)
        return failed(item, failure.reason, b"" if isinstance(data, Unreadable) else data)

    def _take(self, files: Sequence[LeftOut | Extracted]) -> None:
        writer = self._writer
        rows: list[tuple[object, ...]] = []
        facts: list[tuple[int, bytes, bytes]] = []
        definitions: list[tuple[object, ...]] = []
        for file in files:
            entry = self._entries[file.file]
            if isinstance(file, LeftOut):
                self._connection.execute(_INSERT_EXCLUDED, excluded_row(entry, file, self._started_ns))
                if file.reason == Reason.UNREADABLE:
                    self._failed.append((entry.path, f"unreadable: {file.detail}"))
                self._excluded += 1
                continue
            rows.append(file_row(file, entry, self._started_ns, None))
            facts.append(facts_row(file, stored_columns(writer, file)))
            definitions.extend(file.definitions)
            self._spool.add(2 * file.file, facts[-1][1])
            self._spool.add(2 * file.file + 1, facts[-1][2])
            self._sizes[file.file] = len(facts[-1][1]) + len(facts[-1][2])
            if file.parse_detail:
                self._failed.append((entry.path, file.parse_detail))
            assert entry.language is not None
            test = bool(file.flags & FileFlag.TEST)
            self._records.setdefault(self._family_of[entry.language], []).append(
                FileRecord(file.file, entry.path, entry.language, file.package, test)
            )
        writer.files(rows)
        writer.facts(facts)
        writer.definitions(definitions)

    # -- linking ------------------------------------------------------------------------------------------------------

    def _link(self, manifests: Sequence[ManifestRow]) -> int:
        total = len(self._sizes)
        done = 0
        self._progress("link", 0, total)
        pairs: set[tuple[int, int]] = set()
        indexed = False
        tasks: list[LinkTask] = []
        # The largest family first: its rows are appended, and the others fill the time in which a worker is left over.
        for family, records in sorted(self._records.items(), key=lambda item: -len(item[1])):
            job = Job(
                families()[family][0], records, family_manifests(family, manifests),
                lambda number: self._spool.read(2 * number), lambda number: self._spool.read(2 * number + 1),
            )  # fmt: skip
            tasks.append(LinkTask(job, [(record.number, self._sizes[record.number]) for record in records]))
        for batch in link_in_workers(tasks, self._jobs):
            if not indexed:
                indexed = True
                self._index_files()
            for linked in batch.files:
                columns = unpack_columns(self._spool.read(2 * linked.file + 1))
                store_linked(self._writer, linked, columns, None)
                if reason := failure_of(linked):
                    self._failed.append((self._entries[linked.file].path, reason))
            pairs.update(batch.asked)
            done += len(batch.files)
            self._progress("link", done, total)
        if not indexed:
            self._index_files()
        self._writer.depends(sorted(pairs))
        return done

    def _index_files(self) -> None:
        """What can be indexed before linking has ended: done while the workers are at it."""
        add_file_indexes(self._connection)
        self._writer.index_all_text()


class LinkTask(NamedTuple):
    """Files of one family that are to be linked."""

    job: Job
    files: Sequence[tuple[int, int]]
    """(number, bytes of facts)."""


def link_in_workers(tasks: Sequence[LinkTask], jobs: int) -> Iterator[LinkBatch]:
    """Link files, task after task, in forked workers, or here where there is no forking."""
    groups = [(place, group) for place, task in enumerate(tasks) for group in _groups(task.files)]
    if not can_fork() or (jobs < 2 and len(groups) < 2) or not groups:
        for place, group in groups:
            yield tasks[place].job.link([number for number, _ in group])
        return
    batches = [
        Batch([(place, number) for number, _ in group], [limit_of(size * 4) for _, size in group])
        for place, group in groups
    ]
    with Pool(partial(_link_marshalled, tasks), min(jobs, len(batches))) as pool:
        for result in pool.run(batches):
            if isinstance(result, Failure):
                place, number = cast("tuple[int, int]", result.item)
                count = len(tasks[place].job.references(number).kinds)
                yield LinkBatch([unlinked(number, count, f"linking failed: {result.reason}")], [])
            else:
                yield unmarshal_batch(result)


def _link_marshalled(tasks: Sequence[LinkTask], items: Sequence[tuple[int, int]]) -> bytes:
    """Link files of one task, given as (its place, number), in a worker."""
    return tasks[items[0][0]].job.link_marshalled([number for _, number in items])


def _groups(sized: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    groups: list[list[tuple[int, int]]] = []
    room = 0
    for number, size in sized:
        if room < size or not groups:
            groups.append([])
            room = LINK_BATCH_BYTES
        groups[-1].append((number, size))
        room -= size
    return groups


def default_jobs() -> int:
    """Workers when nobody says how many."""
    return usable_cores()


_INSERT_EXCLUDED = "INSERT OR REPLACE INTO excluded VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
