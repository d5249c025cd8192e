"""`outline`, `show`, `search`: the structure of a file, one definition with its source, definitions by name or text."""

from __future__ import annotations

import os
import re
import zlib
from dataclasses import dataclass
from typing import Literal

import orjson
import xxhash

from graph.files import read_inside
from graph.model import Flag
from graph.query.position import find_file
from graph.query.records import DefinitionInfo, Evidence
from graph.query.snapshot import Snapshot
from graph.query.symbols import by_name
from graph.query.unknown import Unknown, unknown_uses
from graph.store.numbers import definition_range

SearchMode = Literal["auto", "exact", "prefix", "fuzzy", "text"]
_WORD = re.compile(r"\w+")
_FUZZY_CUTOFF = 60


@dataclass(frozen=True)
class OutlineNode:
    """A definition with those inside of it, in source order."""

    definition: DefinitionInfo
    children: tuple[OutlineNode, ...]


@dataclass(frozen=True)
class OutlineAnswer:
    """The answer of `outline`."""

    path: str
    language: str
    nodes: tuple[OutlineNode, ...]
    damage: tuple[tuple[int, int], ...]
    """Byte ranges that could not be read cleanly."""
    failure: str | None
    """Why nothing was extracted, if so."""
    evidence: Evidence


@dataclass(frozen=True)
class SearchAnswer:
    """The answer of `search`, best first."""

    query: str
    mode: str
    """The mode that gave the results."""
    found: tuple[DefinitionInfo, ...]
    more: bool
    """Whether the limit cut the list."""
    evidence: Evidence


@dataclass(frozen=True)
class ShowAnswer:
    """The answer of `show`."""

    definition: DefinitionInfo
    source: str | None
    """Its text as it was indexed; None when the file has changed since and the old text is not there any more."""
    children: tuple[DefinitionInfo, ...]
    """The definitions directly inside of it."""
    unknown: Unknown
    evidence: Evidence


def outline(snapshot: Snapshot, path: str) -> OutlineAnswer:
    """The definitions of a file as a tree, local names aside. Raises UnknownFileError."""
    file = find_file(snapshot, path)
    found = snapshot.definitions(
        "id BETWEEN ? AND ? AND parent IS NOT NULL AND NOT flags & ? ORDER BY start, end DESC, id",
        (*definition_range(file.number), int(Flag.LOCAL)),
    )
    inside: dict[int | None, list[DefinitionInfo]] = {}
    numbers = {definition.number for definition in found}
    for definition in found:
        inside.setdefault(definition.parent if definition.parent in numbers else None, []).append(definition)
    damage = tuple((start, end) for start, end in orjson.loads(file.damage))
    return OutlineAnswer(
        file.path, file.language, _nodes(inside, None), damage, file.parse_detail, snapshot.evidence([file.number])
    )


def search(snapshot: Snapshot, query: str, mode: SearchMode = "auto", limit: int = 50) -> SearchAnswer:
    """Definitions by name, or by words in their names, signatures and documentation.

    `auto` takes the first mode of exact, prefix, text and fuzzy that finds something.
    """
    modes: tuple[SearchMode, ...] = ("exact", "prefix", "text", "fuzzy") if mode == "auto" else (mode,)
    for chosen in modes:
        found = _SEARCHES[chosen](snapshot, query, limit + 1)
        if found or chosen == modes[-1]:
            kept = tuple(found[:limit])
            evidence = snapshot.evidence({definition.file for definition in kept})
            return SearchAnswer(query, chosen, kept, len(found) > limit, evidence)
    raise AssertionError("the last mode always answers")


def show(snapshot: Snapshot, symbol: DefinitionInfo) -> ShowAnswer:
    """One definition with its source."""
    children = snapshot.definitions("parent = ? AND NOT flags & ? ORDER BY start, id", (symbol.number, int(Flag.LOCAL)))
    return ShowAnswer(
        symbol,
        source_of(snapshot, symbol),
        tuple(children),
        unknown_uses(snapshot, symbol),
        snapshot.evidence([symbol.file]),
    )


def source_of(snapshot: Snapshot, symbol: DefinitionInfo) -> str | None:
    """The text of a definition as it was indexed, or None when it is not there any more."""
    data = bytes_of(snapshot, symbol.file)
    if data is None:
        return None
    return data[symbol.start : symbol.end].decode(snapshot.file(symbol.file).encoding, "replace")


def bytes_of(snapshot: Snapshot, file: int) -> bytes | None:
    """The bytes of a file as they were indexed, or None when they are not there any more."""
    info = snapshot.file(file)
    if info.source is not None:
        return zlib.decompress(info.source)
    try:
        data = read_inside(os.fsencode(snapshot.root), info.raw_path or info.path.encode(), info.size + 1)
    except OSError:
        return None
    return data if xxhash.xxh3_64_digest(data) == info.hash else None


def _nodes(inside: dict[int | None, list[DefinitionInfo]], parent: int | None) -> tuple[OutlineNode, ...]:
    return tuple(OutlineNode(definition, _nodes(inside, definition.number)) for definition in inside.get(parent, ()))


def _exact(snapshot: Snapshot, query: str, limit: int) -> list[DefinitionInfo]:
    return by_name(snapshot, query)[:limit]


def _prefix(snapshot: Snapshot, query: str, limit: int) -> list[DefinitionInfo]:
    """By the start of the name, upper and lower case alike; shorter names first."""
    pattern = "".join(f"\\{char}" if char in "\\%_" else char for char in query) + "%"
    return snapshot.definitions(
        "name LIKE ? ESCAPE '\\' AND parent IS NOT NULL ORDER BY length(name), name, id LIMIT ?", (pattern, limit)
    )


def _fuzzy(snapshot: Snapshot, query: str, limit: int) -> list[DefinitionInfo]:
    from rapidfuzz import fuzz, process  # slow to load, and no other question needs it

    names = [
        row[0] for row in snapshot.connection.execute("SELECT DISTINCT name FROM definition WHERE parent IS NOT NULL")
    ]
    found: list[DefinitionInfo] = []
    close = process.extract(query, sorted(names), scorer=fuzz.ratio, limit=limit, score_cutoff=_FUZZY_CUTOFF)
    for name, _, _ in close:
        found.extend(snapshot.definitions("name = ? AND parent IS NOT NULL ORDER BY id LIMIT ?", (name, limit)))
        if len(found) >= limit:
            break
    return found[:limit]


def _text(snapshot: Snapshot, query: str, limit: int) -> list[DefinitionInfo]:
    """By words that all occur in the names, the signature or the documentation; the last one may be a beginning."""
    words = _WORD.findall(query)
    if not words:
        return []
    match = " AND ".join([f'"{part}"' for part in words[:-1]] + [f'"{words[-1]}"*'])
    return snapshot.definitions(
        "id IN (SELECT rowid FROM definition_text WHERE definition_text MATCH ?) AND parent IS NOT NULL"
        " ORDER BY length(qualified_name), id LIMIT ?",
        (match, limit),
    )


_SEARCHES = {"exact": _exact, "prefix": _prefix, "fuzzy": _fuzzy, "text": _text}
