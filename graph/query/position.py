"""`at`: what stands at a place, a definition or a reference with all its resolutions."""

from __future__ import annotations

from dataclasses import dataclass

from graph.model import DefinitionKind
from graph.query.errors import NoSuchPlaceError, UnknownFileError
from graph.query.layers import REFERENCE_COLUMNS, REFERENCE_TABLES, Judged, judge
from graph.query.records import DefinitionInfo, Evidence
from graph.query.snapshot import FileInfo, Snapshot
from graph.store.numbers import definition_range, reference_range
from graph.store.vocabulary import Verdict

CANDIDATE_LIMIT = 20
"""Most definitions of the same name that are offered for a reference whose target is not known."""

_LONGEST_NAME = 4096
"""Bytes before a place within which a name that reaches it begins."""

_MEMBERS = (
    int(DefinitionKind.METHOD), int(DefinitionKind.FIELD), int(DefinitionKind.FUNCTION),
    int(DefinitionKind.ENUM_MEMBER),
    int(DefinitionKind.CONSTANT), int(DefinitionKind.CONSTRUCTOR),
)  # fmt: skip
_UNKNOWN_RECEIVER = frozenset({"receiver-unknown", "receiver-partly-unknown", "external-result", "dynamic"})


@dataclass(frozen=True)
class AtItem:
    """What stands at one place."""

    path: str
    line: int
    """The place that was asked about; for a whole line, that of the name."""
    column: int
    definition: DefinitionInfo | None
    reference: Judged | None
    enclosing: DefinitionInfo | None
    """The definition that the reference stands in; None at the level of the file."""


@dataclass(frozen=True)
class AtAnswer:
    """The answer of `at`."""

    items: tuple[AtItem, ...]
    """One item for a place, any number in source order for a line."""
    evidence: Evidence


def at(snapshot: Snapshot, path: str, line: int, column: int | None = None) -> AtAnswer:
    """What stands at a place, or on a whole line.

    Raises UnknownFileError for a file that is not in the index (it says why), NoSuchPlaceError for a place that the
    file, as it was indexed, does not have.
    """
    file = find_file(snapshot, path)
    try:
        if column is None:
            start, end = snapshot.lines(file.number).range(line)
        else:
            start = snapshot.lines(file.number).offset(line, column)
            end = start
    except ValueError as error:
        raise NoSuchPlaceError(f"{path}: {error}") from error
    return at_offset(snapshot, file, start) if column is not None else _on_line(snapshot, file, start, end)


def at_offset(snapshot: Snapshot, file: FileInfo, offset: int) -> AtAnswer:
    """What stands at a byte offset of a file."""
    position = snapshot.position(file.number, offset)
    definitions = _named(snapshot, file, "name_start <= ? AND name_end > ?", (offset, offset))
    references = _references(snapshot, file, max(0, offset - _LONGEST_NAME), offset + 1, "AND r.end > ?", (offset,))
    definition = definitions[0] if definitions else None
    reference = min(references, key=_preference) if references else None
    item = AtItem(file.path, *position, definition, reference, _enclosing(snapshot, reference))
    return AtAnswer((item,), _evidence(snapshot, file, [item]))


def _on_line(snapshot: Snapshot, file: FileInfo, start: int, end: int) -> AtAnswer:
    items: list[AtItem] = []
    for definition in _named(
        snapshot, file, "name_start >= ? AND name_start < ? AND name_end > name_start", (start, end)
    ):
        items.append(AtItem(file.path, definition.line, definition.column, definition, None, None))
    for judged in _references(snapshot, file, start, end):
        place = judged.reference
        items.append(AtItem(file.path, place.line, place.column, None, judged, _enclosing(snapshot, judged)))
    items.sort(key=lambda item: (item.column, item.definition is None))
    return AtAnswer(tuple(items), _evidence(snapshot, file, items))


def find_file(snapshot: Snapshot, path: str) -> FileInfo:
    """A file by its path; UnknownFileError says why it is not in the index."""
    found = snapshot.file_at(path)
    if found is not None:
        return found
    parts = path.split("/")
    for length in range(len(parts), 0, -1):
        above = "/".join(parts[:length])
        row = snapshot.connection.execute("SELECT reason, detail FROM excluded WHERE path = ?", (above,)).fetchone()
        if row is not None:
            what = "it" if length == len(parts) else above
            raise UnknownFileError(
                f"{path} is not indexed: {what} is left out ({row[0]}{f': {row[1]}' if row[1] else ''})"
            )
    raise UnknownFileError(
        f"{path} is not in the index: give a path relative to {snapshot.root}, or run `tieline index`"
    )


def _named(snapshot: Snapshot, file: FileInfo, condition: str, parameters: tuple[int, int]) -> list[DefinitionInfo]:
    span = definition_range(file.number)
    return snapshot.definitions(f"id BETWEEN ? AND ? AND {condition} ORDER BY name_start, id", (*span, *parameters))


def _references(
    snapshot: Snapshot, file: FileInfo, start: int, end: int, condition: str = "", parameters: tuple[int, ...] = ()
) -> list[Judged]:
    rows = snapshot.connection.execute(
        f"SELECT {REFERENCE_COLUMNS} FROM {REFERENCE_TABLES} WHERE r.id BETWEEN ? AND ? {condition} ORDER BY r.id",
        (*reference_range(file.number, start, end), *parameters),
    ).fetchall()
    return [_with_candidates(snapshot, judge(snapshot, row)) for row in rows]


def _with_candidates(snapshot: Snapshot, judged: Judged) -> Judged:
    """Definitions of the same name, where the receiver of a member is not known: an offer, never a target."""
    if judged.verdict != Verdict.UNRESOLVED or judged.reason not in _UNKNOWN_RECEIVER:
        return judged
    marks = ", ".join("?" * len(_MEMBERS))
    found = snapshot.definitions(
        f"name = ? AND kind IN ({marks}) AND parent IS NOT NULL LIMIT ?",
        (judged.reference.name, *_MEMBERS, CANDIDATE_LIMIT * 4),
    )
    language = snapshot.file(judged.reference.file).language
    same = [definition for definition in found if snapshot.file(definition.file).language == language]
    same.sort(key=lambda definition: (definition.path, definition.name_start))
    return Judged(
        judged.reference, judged.verdict, judged.targets, tuple(same[:CANDIDATE_LIMIT]), judged.external, judged.reason,
        judged.resolutions,
    )  # fmt: skip


def _preference(judged: Judged) -> tuple[int, int]:
    """Of several references that begin at one byte: the one that is known best, then the first."""
    return (int(judged.verdict in (Verdict.UNRESOLVED, Verdict.AMBIGUOUS)), judged.reference.number)


def _enclosing(snapshot: Snapshot, judged: Judged | None) -> DefinitionInfo | None:
    if judged is None:
        return None
    found = snapshot.definition(judged.reference.enclosing)
    return None if found is None or found.kind_number == DefinitionKind.MODULE else found


def _evidence(snapshot: Snapshot, file: FileInfo, items: list[AtItem]) -> Evidence:
    files = {file.number}
    for item in items:
        if item.reference is not None:
            files.update(target.definition.file for target in item.reference.targets)
    return snapshot.evidence(files)
