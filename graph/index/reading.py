"""From an entry of the inventory to what the store keeps of a file: reading, decoding, extraction. Runs in a worker."""

from __future__ import annotations

import gc
import marshal
import re
import sys
import zlib
from array import array
from collections.abc import Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

import orjson
import xxhash

from graph.inventory import InventoryEntry, Reason, Unreadable, inspect, read_file
from graph.languages.base import Language
from graph.languages.facts import extract, interface
from graph.languages.registry import by_name
from graph.model import DefinitionFact, FileFacts
from graph.source import SourceText, Undecodable, detect
from graph.store.numbers import MAX_SAME_START, definition_id
from graph.store.vocabulary import FileFlag, ParseStatus

_LONE_CR = re.compile(rb"\r(?!\n)")
_UNCOLLECTED = 1_000_000
"""Objects that may be left over before cycles among them are looked for; some hundred megabytes."""


class Item(NamedTuple):
    """One file to read."""

    file: int
    """Its number in the store."""
    entry: InventoryEntry


class LeftOut(NamedTuple):
    """A file that its content leaves out."""

    file: int
    reason: str
    detail: str


class Extracted(NamedTuple):
    """What one file yields. All offsets are byte offsets into the exact bytes that `hash` is of."""

    file: int
    hash: bytes
    size: int
    encoding: str
    line_ending: str
    parse_status: int
    parse_detail: str
    damage: list[list[int]]
    flags: int
    package: str
    line_starts: bytes
    """Offsets at which lines start, as array('I')."""
    source: bytes | None
    """The bytes, compressed, where columns cannot be told from offsets alone (not ASCII)."""
    interface: bytes
    """JSON of `graph.languages.facts.interface`."""
    definitions: list[tuple[Any, ...]]
    """Rows of the table `definition`."""
    strings: list[str]
    """The distinct texts that names and qualifiers are indices of."""
    references: tuple[bytes, ...]
    """Columns of the references, as in `ReferenceColumns`; names and qualifiers as indices into `strings`."""


class ReferenceColumns(NamedTuple):
    """The references of one file as columns, in source order."""

    kinds: array[int]
    starts: array[int]
    ends: array[int]
    expressions: array[int]
    enclosing: array[int]
    """Indices of definitions in the file."""
    arguments: array[int]
    names: array[int]
    qualifiers: array[int]


COLUMN_TYPES = ("B", "I", "I", "i", "I", "i", "I", "I")
"""Array type of each column."""


def columns(parts: Sequence[bytes]) -> ReferenceColumns:
    """Columns from their bytes."""
    return ReferenceColumns(*[array(kind, part) for kind, part in zip(COLUMN_TYPES, parts, strict=True)])


def pack_columns(found: ReferenceColumns) -> bytes:
    """Columns as one blob, little-endian: the number of references, then column after column."""
    arrays: tuple[array[int], ...] = found
    if sys.byteorder == "big":
        arrays = tuple(array(column.typecode, column) for column in arrays)
        for column in arrays:
            column.byteswap()
    return len(found.kinds).to_bytes(4, "little") + b"".join([column.tobytes() for column in arrays])


def unpack_columns(blob: bytes) -> ReferenceColumns:
    """Columns from the blob of `pack_columns`. Raises ValueError for a blob that is none."""
    count = int.from_bytes(blob[:4], "little")
    place = 4
    found: list[array[int]] = []
    for kind in COLUMN_TYPES:
        column = array(kind)
        size = column.itemsize * count
        column.frombytes(blob[place : place + size])
        if sys.byteorder == "big":
            column.byteswap()
        place += size
        found.append(column)
    if place != len(blob):
        raise ValueError("a blob of reference columns has the wrong size")
    return ReferenceColumns(*found)


def read_all(root: Path, entries: Mapping[int, InventoryEntry], files: Sequence[int]) -> bytes:
    """What the files of some numbers yield, marshalled: a list of plain tuples, of the length of `LeftOut` or of
    `Extracted`.
    """
    found = [tuple(read_one(root, Item(file, entries[file]))) for file in files]
    # Collections are off in a worker. An adapter may leave cycles all the same: their number is bounded here.
    if gc.get_count()[0] > _UNCOLLECTED:
        gc.collect()
    return marshal.dumps(found)


def unmarshal(data: bytes) -> list[LeftOut | Extracted]:
    """The inverse of `read_all`."""
    return [
        LeftOut(*row) if len(row) == len(LeftOut._fields) else Extracted(*row) for row in marshal.loads(data)
    ]  # from our own worker


def read_one(root: Path, item: Item) -> LeftOut | Extracted:
    """Read and extract one file."""
    entry = item.entry
    data = read_file(root, entry)
    if isinstance(data, Unreadable):
        return LeftOut(item.file, data.reason.value, data.detail)
    decision = inspect(data)
    if decision.reason is not None:
        return LeftOut(item.file, decision.reason.value, decision.detail or "")
    language = by_name()[entry.language or ""]
    source = detect(data, pep263=language.pep263)
    if isinstance(source, Undecodable):
        return LeftOut(item.file, Reason.UNSUPPORTED_ENCODING.value, source.reason)
    return _extracted(item, language, data, source, decision.generated)


def failed(item: Item, reason: str, data: bytes) -> Extracted:
    """The place in the store of a file from which nothing could be extracted; `data` may be empty."""
    language = by_name()[item.entry.language or ""]
    source = detect(data, pep263=language.pep263)
    encoding, ending = (source.encoding, source.line_ending) if isinstance(source, SourceText) else ("utf-8", "none")
    return _row(item, data, encoding, ending, (ParseStatus.FAILED, reason), _flags(item.entry, False), FileFacts(
        [[-1, 0, 0]], [{}], [], [DefinitionFact(
            0, Path(item.entry.path).stem, -1, 0, 0, 0, [], -1, [], [], [], [], "", {}, "", 0, len(data), 0, 0, "", ""
        )], [], [], {}, [], None, "", [], [], False, {},
    ))  # fmt: skip


def _extracted(item: Item, language: Language, data: bytes, source: SourceText, generated: bool) -> Extracted:
    try:
        facts = extract(language, item.entry.path, _with_line_feeds(source, language))
    except Exception as error:  # noqa: BLE001  # an adapter's fault costs this file, and is reported as its state
        return failed(item, f"extraction failed: {type(error).__name__}: {error}", data)
    if not source.is_identity:
        facts = _in_original(facts, source)
    flags = _flags(item.entry, generated)
    if facts.conflict_markers:
        flags |= FileFlag.CONFLICT_MARKERS
    status = ParseStatus.DAMAGED if facts.damage else ParseStatus.WHOLE
    return _row(item, data, source.encoding, source.line_ending, (status, ""), flags, facts)


def _with_line_feeds(source: SourceText, language: Language) -> bytes:
    """The text with a line feed for every carriage return that ends a line by itself, byte for byte: places stay."""
    if not language.cr_ends_lines or source.line_ending not in ("cr", "mixed"):
        return source.utf8
    return _LONE_CR.sub(b"\n", source.utf8)


def _flags(entry: InventoryEntry, generated: bool) -> int:
    flags = FileFlag(0)
    if generated:
        flags |= FileFlag.GENERATED_CONTENT
    if generated or entry.generated:
        flags |= FileFlag.GENERATED
    if entry.vendored:
        flags |= FileFlag.VENDORED
    if entry.test:
        flags |= FileFlag.TEST
    return int(flags)


def _row(
    item: Item, data: bytes, encoding: str, ending: str, status: tuple[ParseStatus, str], flags: int, facts: FileFacts
) -> Extracted:
    ascii_only = data.isascii() and not encoding.startswith("utf-16")
    strings, references = _references(facts)
    return Extracted(
        item.file,
        xxhash.xxh3_64_digest(data),
        len(data),
        encoding,
        ending,
        int(status[0]),
        status[1],
        [list(span) for span in facts.damage],
        int(flags),
        facts.package,
        _line_starts(data) if ascii_only else b"",
        None if ascii_only else zlib.compress(data, 1),
        orjson.dumps(interface(facts)),
        _definitions(item.file, facts.definitions),
        strings,
        tuple([column.tobytes() for column in references]),
    )


def _line_starts(data: bytes) -> bytes:
    starts = array("I", accumulate(map(len, data.splitlines(keepends=True)), initial=0))
    if len(starts) > 1 and not data.endswith((b"\n", b"\r")):
        starts.pop()
    return starts.tobytes()


def _definitions(file: int, facts: Sequence[DefinitionFact]) -> list[tuple[Any, ...]]:
    seen: dict[tuple[int, str], list[int]] = {}
    for index, fact in enumerate(facts):
        seen.setdefault((fact[0], fact.qualified_name), []).append(index)
    ordinals = [1] * len(facts)
    for indices in seen.values():
        if len(indices) > 1:
            indices.sort(key=lambda index: (facts[index].name_start, facts[index].start, index))
            for ordinal, index in enumerate(indices, 1):
                ordinals[index] = ordinal
    base = definition_id(file, 0)
    rows: list[tuple[Any, ...]] = []
    for index, fact in enumerate(facts):
        parent = None if fact.parent < 0 else base | fact.parent
        rows.append((
            base | index, int(fact.kind), fact.name, fact.qualified_name, ordinals[index], parent, fact.start, fact.end,
            fact.name_start, fact.name_end, fact.signature, fact.doc, int(fact.visibility), int(fact.flags),
            fact.condition,
        ))  # fmt: skip
    return rows


def _references(facts: FileFacts) -> tuple[list[str], ReferenceColumns]:
    references = facts.references
    if not references:
        return [], columns([b""] * len(COLUMN_TYPES))
    kinds, starts, ends, expressions, enclosing, arguments, names, qualifiers = zip(*references, strict=True)
    table: dict[str, int] = {}
    number = table.setdefault
    name_numbers = [number(name, len(table)) for name in names]
    qualifier_numbers = [number(qualifier, len(table)) for qualifier in qualifiers]
    found = ReferenceColumns(*[
        array(kind, column)
        for kind, column in zip(
            COLUMN_TYPES, (kinds, starts, ends, expressions, enclosing, arguments, name_numbers, qualifier_numbers),
            strict=True,
        )
    ])  # fmt: skip
    return list(table), _without_crowds(found)


def _without_crowds(found: ReferenceColumns) -> ReferenceColumns:
    """The columns without what the store cannot number: references beyond a bound that begin at one byte."""
    starts = found.starts
    if len(starts) <= MAX_SAME_START or len(set(starts)) == len(starts):
        return found
    run = 0
    keep: list[bool] = []
    previous = -1
    for start in starts:
        run = run + 1 if start == previous else 0
        previous = start
        keep.append(run <= MAX_SAME_START)
    if all(keep):
        return found
    return ReferenceColumns(*[
        array(column.typecode, [value for value, kept in zip(column, keep, strict=True) if kept]) for column in found
    ])  # fmt: skip


def _in_original(facts: FileFacts, source: SourceText) -> FileFacts:
    """The facts with offsets into the file's own bytes instead of its UTF-8 form."""
    offsets = {offset for start, end in facts.damage for offset in (start, min(end, len(source.utf8)))}
    for definition in facts.definitions:
        offsets.update((definition.start, definition.end, definition.name_start, definition.name_end))
    for reference in facts.references:
        offsets.update((reference.start, reference.end))
    ordered = sorted(offsets)
    place = dict(zip(ordered, source.to_original_many(ordered), strict=True))
    limit = len(source.utf8)
    return facts._replace(
        damage=[(place[start], place[min(end, limit)]) for start, end in facts.damage],
        definitions=[
            fact._replace(
                start=place[fact.start],
                end=place[fact.end],
                name_start=place[fact.name_start],
                name_end=place[fact.name_end],
            )
            for fact in facts.definitions
        ],
        references=[fact._replace(start=place[fact.start], end=place[fact.end]) for fact in facts.references],
    )
