"""From what the workers give to rows: one file as extracted, one file as linked."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

import orjson

from graph.index.linking import Linked, failure_of
from graph.index.reading import Extracted, Item, LeftOut, ReferenceColumns, columns, pack_columns
from graph.inventory import InventoryEntry
from graph.store.rows import RowWriter, text_columns
from graph.store.vocabulary import FileFlag

# Plain integers: every file of the repository is compared in an incremental run.
_GENERATED, _VENDORED, _TEST = int(FileFlag.GENERATED), int(FileFlag.VENDORED), int(FileFlag.TEST)
_CONFLICT_MARKERS, _GENERATED_CONTENT = int(FileFlag.CONFLICT_MARKERS), int(FileFlag.GENERATED_CONTENT)
_RACY_NS = 2_000_000_000
"""Resolution of the coarsest file system clock, in nanoseconds."""


def file_row(found: Extracted, entry: InventoryEntry, started_ns: int, slots: Sequence[int] | None) -> tuple[Any, ...]:
    """The row of the table `file`.

    A file that was modified just before the run began may be modified again without a new time stamp: its time is
    stored as 0, which never is that of the file, so that the next run looks at its content.
    """
    return (
        found.file, entry.path, entry.raw_path, entry.language, found.hash, found.size,
        settled_time(entry, started_ns), found.encoding, found.line_ending, found.parse_status,
        found.parse_detail or None,
        orjson.dumps(found.damage).decode(), found.flags, found.package, found.line_starts, found.source,
        None if slots is None else array("I", slots).tobytes(),
    )  # fmt: skip


def excluded_row(entry: InventoryEntry, left_out: LeftOut | None, started_ns: int) -> tuple[Any, ...]:
    """The row of the table `excluded`, for a path that the inventory or its own content leaves out."""
    reason, detail = (entry.reason.value, entry.detail) if entry.reason is not None else ("", None)
    if left_out is not None:
        reason, detail = left_out.reason, left_out.detail
    return (
        entry.path, entry.raw_path, reason, detail, int(entry.is_directory), entry.language, entry.size,
        settled_time(entry, started_ns),
    )  # fmt: skip


def settled_time(entry: InventoryEntry, started_ns: int) -> int:
    """The modification time of a file as it is stored: 0 where a later change might not change it."""
    return entry.mtime_ns if entry.mtime_ns < started_ns - _RACY_NS else 0


def entry_flags(entry: InventoryEntry, before: int = 0) -> int:
    """The flags of a file by its path, with what its content said before."""
    flags = before & _CONFLICT_MARKERS
    if entry.vendored:
        flags |= _VENDORED
    if entry.test:
        flags |= _TEST
    by_content = before & _GENERATED_CONTENT
    if entry.generated or by_content:
        flags |= _GENERATED | by_content
    return flags


def stored_columns(writer: RowWriter, found: Extracted) -> ReferenceColumns:
    """The reference columns of a file with text ids of the store."""
    ids = writer.texts(found.strings)
    parts = columns(found.references)
    return parts._replace(names=text_columns(ids, parts.names), qualifiers=text_columns(ids, parts.qualifiers))


def facts_row(found: Extracted, references: ReferenceColumns) -> tuple[int, bytes, bytes]:
    """The row of the table `facts`."""
    return found.file, found.interface, pack_columns(references)


def store_linked(writer: RowWriter, linked: Linked, references: ReferenceColumns, slots: Sequence[int] | None) -> None:
    """Insert the references of a file with what linking found, and its relations. Numbers are those of the store."""
    outcomes = [writer.outcome(*outcome) for outcome in linked.outcomes]
    externals = [0, *[writer.external(package, symbol) for package, symbol in linked.externals]]
    ids = writer.references(
        linked.file,
        (
            references.starts, references.ends, references.kinds, references.names, references.qualifiers,
            references.enclosing,
        ),
        (
            map(outcomes.__getitem__, array("H", linked.outcome)),
            array("q", linked.target),
            map(externals.__getitem__, array("I", linked.external)),
        ),
        slots,
    )  # fmt: skip
    if reason := failure_of(linked):
        writer.unlinked(linked.file, reason)
    if linked.several:
        writer.syntactic_targets([(ids[place], target) for place, targets in linked.several for target in targets])
    if linked.relations:
        writer.relations([(source, target, kind, 0, rule) for source, target, kind, rule in linked.relations])


def batches_by_size(items: Sequence[Item], limit: int, most: int) -> list[list[Item]]:
    """Items in their order, in groups of at most `limit` bytes (or one item) and `most` items."""
    groups: list[list[Item]] = []
    size = 0
    for item in items:
        if not groups or size + item.entry.size > limit or len(groups[-1]) >= most:
            groups.append([])
            size = 0
        groups[-1].append(item)
        size += item.entry.size
    return groups
