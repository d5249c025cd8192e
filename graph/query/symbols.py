"""From what people call a definition to the one definition that is meant, never to a nearest guess."""

from __future__ import annotations

import re

from graph.query.errors import AmbiguousSymbolError, NoSuchPlaceError, UnknownSymbolError
from graph.query.position import at, find_file
from graph.query.records import DefinitionInfo
from graph.query.snapshot import Snapshot
from graph.store.numbers import definition_range
from graph.store.text_id import parse_text_ids

_PLACE = re.compile(r"(?P<path>.+?):(?P<line>[1-9][0-9]*)(?::(?P<column>[1-9][0-9]*))?$")
_SEPARATORS = re.compile(r"::|[#/]")
NEAR_LIMIT = 5


def find_symbol(snapshot: Snapshot, symbol: str) -> DefinitionInfo:
    """The one definition that a symbol means: a text id, a qualified name or its tail, or `path:line[:column]`.

    A place means the definition whose name stands there, or else the one target of the reference there, or else, for
    a whole line, the innermost definition around it. Raises AmbiguousSymbolError with every match,
    UnknownSymbolError with similar names, and UnknownFileError or NoSuchPlaceError for a place that is none.
    """
    found = find_symbols(snapshot, symbol)
    if len(found) == 1:
        return found[0]
    if found:
        raise AmbiguousSymbolError(symbol, tuple(definition.id for definition in found))
    raise UnknownSymbolError(symbol, _near(snapshot, symbol))


def find_symbols(snapshot: Snapshot, symbol: str) -> list[DefinitionInfo]:
    """Every definition that a symbol may mean, by path and place; errors for places as `find_symbol`."""
    by_id = _by_id(snapshot, symbol)
    if by_id:
        return by_id
    place = _PLACE.match(symbol)
    if place is not None:
        column = int(place["column"]) if place["column"] else None
        return _at_place(snapshot, place["path"], int(place["line"]), column)
    found = by_name(snapshot, symbol)
    if not found and (file := snapshot.file_at(symbol)) is not None:
        return snapshot.definitions("id BETWEEN ? AND ? AND parent IS NULL", definition_range(file.number))
    return found


def _by_id(snapshot: Snapshot, symbol: str) -> list[DefinitionInfo]:
    found: list[DefinitionInfo] = []
    for reading in parse_text_ids(symbol):
        file = snapshot.file_at(reading.path)
        if file is not None:
            found.extend(
                snapshot.definitions(
                    "id BETWEEN ? AND ? AND kind = ? AND qualified_name = ? AND ordinal = ?",
                    (*definition_range(file.number), reading.kind, reading.qualified_name, reading.ordinal),
                )
            )
    return found


def _at_place(snapshot: Snapshot, path: str, line: int, column: int | None) -> list[DefinitionInfo]:
    answer = at(snapshot, path, line, column)
    named = [item.definition for item in answer.items if item.definition is not None]
    if named:
        return named
    if column is not None:
        referred = [target.definition for item in answer.items if item.reference for target in item.reference.targets]
        if referred:
            return referred
        raise NoSuchPlaceError(f"nothing with a known definition stands at {path}:{line}:{column}")
    file = find_file(snapshot, path)
    start, end = snapshot.lines(file.number).range(line)
    around = snapshot.definitions(
        "id BETWEEN ? AND ? AND start < ? AND end > ? AND parent IS NOT NULL ORDER BY end - start, id LIMIT 1",
        (*definition_range(file.number), end, start),
    )
    if not around:
        raise NoSuchPlaceError(f"no definition stands at {path}:{line}")
    return around


def by_name(snapshot: Snapshot, symbol: str) -> list[DefinitionInfo]:
    """Definitions whose qualified name, with the path of their file before it where need be, ends in the symbol."""
    wanted = _SEPARATORS.sub(".", symbol).strip(".")
    if not wanted:
        return []
    last = wanted.rsplit(".", 1)[-1]
    found = [
        definition
        for definition in snapshot.definitions("name = ?", (last,))
        if definition.parent is not None and _ends_in(definition, wanted)
    ]
    if not found:
        # Names that hold a separator themselves.
        found = snapshot.definitions("name = ? AND parent IS NOT NULL", (symbol,))
    exact = [definition for definition in found if definition.qualified_name == wanted]
    if exact and "." in wanted:
        found = exact
    return sorted(found, key=lambda definition: (definition.path, definition.name_start, definition.id))


def _ends_in(definition: DefinitionInfo, wanted: str) -> bool:
    name = definition.qualified_name
    if name == wanted or name.endswith(f".{wanted}"):
        return True
    stem = definition.path.rsplit(".", 1)[0].replace("/", ".")
    return wanted.endswith(name) and f".{stem}.{name}".endswith(f".{wanted}")


def _near(snapshot: Snapshot, symbol: str) -> tuple[str, ...]:
    from rapidfuzz import fuzz, process  # slow to load, and no other question needs it

    last = _SEPARATORS.sub(".", symbol).rsplit(".", 1)[-1]
    names = [
        row[0] for row in snapshot.connection.execute("SELECT DISTINCT name FROM definition WHERE parent IS NOT NULL")
    ]
    close = process.extract(last, names, scorer=fuzz.ratio, limit=NEAR_LIMIT, score_cutoff=70)
    ids: list[str] = []
    for name, _, _ in close:
        ids.extend(definition.id for definition in snapshot.definitions("name = ? LIMIT 2", (name,)))
    return tuple(ids[:NEAR_LIMIT])
