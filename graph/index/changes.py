"""What is different between the index and the files: paths, sizes and times first, content where those differ."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import xxhash

from graph.index.scan import ManifestRow, Scan, family_manifests, read_manifests
from graph.index.storing import entry_flags, excluded_row, settled_time
from graph.inventory import InventoryEntry, Reason, Unreadable, read_file
from graph.languages.registry import by_name, families
from graph.store.vocabulary import ParseStatus


class Known(NamedTuple):
    """A file as the index has it."""

    number: int
    path: str
    language: str
    hash: bytes
    size: int
    mtime_ns: int
    flags: int
    package: str
    parse_status: int


@dataclass
class Changes:
    """What has to be done. Paths are those of the inventory."""

    known: dict[str, Known]
    """Everything that is in the index, by path."""
    read: list[InventoryEntry] = field(default_factory=list[InventoryEntry])
    """To be read and extracted: new ones and changed ones."""
    gone: list[Known] = field(default_factory=list[Known])
    """In the index and no longer among the source files."""
    touched: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    """(mtime_ns, flags, number) of files with the content of before, whose row differs."""
    reflagged: set[str] = field(default_factory=set[str])
    """Languages of files that became test code or ceased to be."""
    excluded: dict[str, tuple[Any, ...]] = field(default_factory=dict[str, tuple[Any, ...]])
    """Rows of the table `excluded` as they are to be, by path, but for what the files that are read turn out to be."""
    left_out: dict[str, tuple[Any, ...]] = field(default_factory=dict[str, tuple[Any, ...]])
    """Rows of the table `excluded` as they are, by path."""
    manifests: list[ManifestRow] = field(default_factory=list[ManifestRow])
    families: set[str] = field(default_factory=set[str])
    """Families of which a manifest changed."""
    manifests_changed: bool = False


def find_changes(connection: sqlite3.Connection, found: Scan, started_ns: int) -> Changes:
    """Compare an inventory with the index."""
    rows = connection.execute("SELECT id, path, language, hash, size, mtime_ns, flags, package, parse_status FROM file")
    changes = Changes({row[1]: Known(*row) for row in rows})
    changes.left_out = left_out = {row[0]: row for row in connection.execute("SELECT * FROM excluded")}
    changes.excluded = {entry.path: excluded_row(entry, None, started_ns) for entry in found.excluded}
    present: set[str] = set()
    for entry in found.sources:
        present.add(entry.path)
        known = changes.known.get(entry.path)
        if known is not None:
            if known.language != entry.language:
                changes.gone.append(known)
                changes.read.append(entry)
            elif not _is_same(changes, found, entry, known, started_ns):
                changes.read.append(entry)
            continue
        row = left_out.get(entry.path)
        if row is not None and _is_left_out_still(row, entry):
            changes.excluded[entry.path] = row
        else:
            changes.read.append(entry)
    changes.gone.extend(known for path, known in changes.known.items() if path not in present)
    _compare_manifests(connection, changes, found)
    return changes


def _is_left_out_still(row: tuple[Any, ...], entry: InventoryEntry) -> bool:
    """Whether a file need not be read to know that its content leaves it out."""
    reason, language, size, mtime_ns = row[2], row[5], row[6], row[7]
    if reason == Reason.UNREADABLE:
        return False
    return (language, size, mtime_ns) == (entry.language, entry.size, entry.mtime_ns)


def _is_same(changes: Changes, found: Scan, entry: InventoryEntry, known: Known, started_ns: int) -> bool:
    if known.parse_status == ParseStatus.FAILED:
        return False  # what killed its worker may have been something else
    flags = entry_flags(entry, known.flags)
    mtime_ns = settled_time(entry, started_ns)
    if known.size != entry.size or known.mtime_ns != entry.mtime_ns:
        data = read_file(found.root, entry)
        if isinstance(data, Unreadable) or xxhash.xxh3_64_digest(data) != known.hash:
            return False
    if flags != known.flags or mtime_ns != known.mtime_ns:
        changes.touched.append((mtime_ns, flags, known.number))
        if flags != known.flags:
            changes.reflagged.add(known.language)
    return True


def _compare_manifests(connection: sqlite3.Connection, changes: Changes, found: Scan) -> None:
    changes.manifests = read_manifests(found.root, found.manifests)
    before = [ManifestRow(*row) for row in connection.execute("SELECT path, hash, data FROM manifest")]
    if {row[:2] for row in before} == {row[:2] for row in changes.manifests}:
        return
    changes.manifests_changed = True
    for family in families():
        if family_manifests(family, before) != family_manifests(family, changes.manifests):
            changes.families.add(family)


def family_of_language(language: str) -> str:
    """The family of a language."""
    return by_name()[language].family
