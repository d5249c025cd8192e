"""`impact` and `trace`: what a change can reach through the uses of a definition, and how one definition reaches
another.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from graph.model import DefinitionKind, Flag
from graph.query.records import DefinitionInfo, Evidence
from graph.query.snapshot import Snapshot
from graph.query.unknown import Unknown, unknown_uses
from graph.store.numbers import definition_range, reference_range

NODE_LIMIT = 10_000
"""Most definitions that one question visits."""
_CHUNK = 400


@dataclass(frozen=True)
class Affected:
    """A definition that uses the changed one, directly or through others."""

    definition: DefinitionInfo
    depth: int
    """1 for a direct use."""
    through: DefinitionInfo
    """The one nearer to the changed one that it uses."""


@dataclass(frozen=True)
class ImpactAnswer:
    """The answer of `impact`."""

    symbol: DefinitionInfo
    affected: tuple[Affected, ...]
    """By depth, path and place."""
    files: tuple[str, ...]
    """Paths of the files that the affected definitions are in."""
    complete: bool
    """Whether all within the depth were visited."""
    unknown: Unknown
    evidence: Evidence


@dataclass(frozen=True)
class TraceAnswer:
    """The answer of `trace`."""

    paths: tuple[tuple[DefinitionInfo, ...], ...]
    """Every shortest path (up to the limit), each from the first definition to the last; none when there is no path."""
    complete: bool
    """Whether the search went as far as it could."""
    evidence: Evidence


def impact(snapshot: Snapshot, symbol: DefinitionInfo, depth: int = 3) -> ImpactAnswer:
    """The definitions that use a definition or what is declared in it, those that use them, and so on.

    Overriding methods count as users. A definition inside the changed one does not count, and a module is not
    followed further: that it runs code when it is loaded does not make everything that imports it a user.
    """
    level = _with_members(snapshot, symbol)
    reached: dict[int, tuple[int, int]] = {number: (0, number) for number in level}
    complete = True
    for step in range(1, depth + 1):
        following: list[int] = []
        for used, user in _users(snapshot, level):
            if user not in reached:
                reached[user] = (step, used)
                following.append(user)
        level = [number for number in following if not _is_module(number)]
        if len(reached) > NODE_LIMIT:
            complete = False
            break
    affected: list[Affected] = []
    for number, (step, used) in reached.items():
        found, through = snapshot.definition(number), snapshot.definition(used)
        if step and found is not None and through is not None and not _contains(symbol, found):
            affected.append(Affected(found, step, through))
    affected.sort(key=lambda item: (item.depth, item.definition.path, item.definition.name_start, item.definition.id))
    files = {item.definition.file for item in affected}
    return ImpactAnswer(
        symbol, tuple(affected), tuple(sorted(snapshot.file(file).path for file in files)), complete,
        unknown_uses(snapshot, symbol), snapshot.evidence({symbol.file, *files}),
    )  # fmt: skip


def trace(snapshot: Snapshot, start: DefinitionInfo, goal: DefinitionInfo, limit: int = 10) -> TraceAnswer:
    """The shortest paths from a definition to another, along what each one uses (itself and in what is nested in
    it).
    """
    before: dict[int, list[int]] = {start.number: []}
    level = [start.number]
    complete = True
    while level and goal.number not in before:
        following: dict[int, list[int]] = {}
        for source in level:
            for target in _used_by(snapshot, source):
                if target not in before:
                    following.setdefault(target, []).append(source)
        before.update(following)
        level = list(following)
        if len(before) > NODE_LIMIT:
            complete = goal.number in before
            break
    paths = _paths(before, start.number, goal.number, limit) if goal.number in before else []
    shown = [tuple(found for number in path if (found := snapshot.definition(number)) is not None) for path in paths]
    shown.sort(key=lambda path: [definition.id for definition in path])
    files = {definition.file for path in shown for definition in path} | {start.file, goal.file}
    return TraceAnswer(tuple(shown), complete, snapshot.evidence(files))


def _with_members(snapshot: Snapshot, symbol: DefinitionInfo) -> list[int]:
    """A definition and what is declared inside of it, without local names; of a module, the module itself alone."""
    if symbol.kind_number == DefinitionKind.MODULE:
        return [symbol.number]
    rows = snapshot.connection.execute(
        "SELECT id FROM definition WHERE id BETWEEN ? AND ? AND start >= ? AND end <= ? AND NOT flags & ? ORDER BY id",
        (*definition_range(symbol.file), symbol.start, symbol.end, int(Flag.LOCAL)),
    )
    return sorted({symbol.number, *(row[0] for row in rows)})


def _users(snapshot: Snapshot, numbers: list[int]) -> list[tuple[int, int]]:
    """(used, user) pairs, without what lies inside of the used one, in an order that only the index determines."""
    pairs: set[tuple[int, int]] = set()
    for start in range(0, len(numbers), _CHUNK):
        part = numbers[start : start + _CHUNK]
        marks = ", ".join("?" * len(part))
        pairs.update(
            snapshot.connection.execute(
                f"SELECT e.definition, r.enclosing FROM effective e JOIN reference r ON r.id = e.reference"
                f" WHERE e.definition IN ({marks})",
                part,
            ).fetchall()
        )
        pairs.update(
            snapshot.connection.execute(
                f"SELECT target, source FROM relation WHERE target IN ({marks})", part
            ).fetchall()  # marks only
        )
    return sorted(pair for pair in pairs if pair[0] != pair[1])


def _used_by(snapshot: Snapshot, number: int) -> list[int]:
    definition = snapshot.definition(number)
    if definition is None:
        return []
    if definition.kind_number == DefinitionKind.MODULE:
        # What the module itself runs, not what is defined in it.
        rows = snapshot.connection.execute(
            "SELECT DISTINCT e.definition FROM effective e JOIN reference r ON r.id = e.reference"
            " WHERE e.reference BETWEEN ? AND ? AND r.enclosing = ?",
            (*reference_range(definition.file), number),
        )
    else:
        rows = snapshot.connection.execute(
            "SELECT DISTINCT definition FROM effective WHERE reference BETWEEN ? AND ?",
            reference_range(definition.file, definition.start, definition.end),
        )
    return sorted(row[0] for row in rows if row[0] != number)


def _paths(before: dict[int, list[int]], start: int, goal: int, limit: int) -> list[list[int]]:
    paths: list[list[int]] = []
    open_ = deque([[goal]])
    while open_ and len(paths) < limit:
        path = open_.popleft()
        if path[0] == start:
            paths.append(path)
            continue
        for previous in before[path[0]]:
            if len(open_) < NODE_LIMIT:
                open_.append([previous, *path])
    return paths


def _is_module(number: int) -> bool:
    """Whether a definition is the module of its file, whose slot is always 0."""
    return number & (1 << 24) - 1 == 0


def _contains(outer: DefinitionInfo, inner: DefinitionInfo) -> bool:
    return outer.file == inner.file and outer.start <= inner.start and inner.end <= outer.end
