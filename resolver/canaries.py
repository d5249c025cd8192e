"""Canaries: references that the syntactic layer is sure of, to see whether a server is ready."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import xxhash

from graph.files import read_inside
from graph.model import CALL_KINDS, DefinitionKind, Flag, ReferenceKind, Status
from graph.store.numbers import definition_file, reference_range, reference_start
from graph.store.semantic import FileHash
from graph.store.vocabulary import ParseStatus
from lsp_clients import Canary
from resolver.plan import PlanRules, is_weak

WANTED = 5
"""Canaries of one context, at most: a single one may be wrong by our own fault."""
FEWEST = 3
"""Below that there is no majority against one that is wrong: the server's own word counts alone."""
_FILES_TRIED = 40
_ROWS_TRIED = 20
_TYPES = (DefinitionKind.CLASS, DefinitionKind.STRUCT, DefinitionKind.INTERFACE, DefinitionKind.TRAIT)
"""What they lead to beside functions, unless it is called: that may mean the type or its constructor."""


def choose(
    connection: sqlite3.Connection, root: Path, files: Sequence[int], known: Mapping[int, FileHash], rules: PlanRules
) -> list[Canary]:
    """Canaries among the member files of a context: each leads from one of them to another, one from a file.

    They are spread over the files, and the same for the same index. None where the syntactic layer is sure of too few.
    """
    members = set(files)
    found: list[Canary] = []
    for number in _spread(files):
        canary = _of(connection, root, number, members, known, rules)
        if canary is not None:
            found.append(canary)
            if len(found) == WANTED:
                break
    return found if len(found) >= FEWEST else []


def _spread(files: Sequence[int]) -> Iterator[int]:
    """Some of the files, far from each other first."""
    count = min(len(files), _FILES_TRIED)
    places = [index * len(files) // count for index in range(count)]
    step = max(1, count // WANTED)
    for offset in range(step):
        for place in places[offset::step]:
            yield files[place]


def _of(
    connection: sqlite3.Connection,
    root: Path,
    number: int,
    members: set[int],
    known: Mapping[int, FileHash],
    rules: PlanRules,
) -> Canary | None:
    types, calls = (", ".join(str(int(kind)) for kind in sorted(kinds)) for kinds in (_TYPES, CALL_KINDS))
    rows = connection.execute(
        "SELECT r.id, r.target, d.name_start, COALESCE(e.name, '')"
        " FROM reference r JOIN definition d ON d.id = r.target JOIN outcome o ON o.id = r.outcome"
        " JOIN text t ON t.id = r.name LEFT JOIN engine e ON e.id = o.engine"
        " JOIN file f ON f.id = r.id >> 40 JOIN file g ON g.id = r.target >> 24"
        " WHERE r.id BETWEEN ? AND ? AND r.target >> 24 <> ? AND o.status = ? AND t.value = d.name"
        " AND r.kind <> ? AND NOT d.flags & ? AND d.ordinal = 1"
        f" AND (d.kind = ? OR d.kind IN ({types}) AND r.kind NOT IN ({calls}))"  # numbers
        " AND f.parse_status = ? AND g.parse_status = ?"
        " AND NOT EXISTS (SELECT 1 FROM definition s WHERE s.parent IS d.parent AND s.name = d.name AND s.id <> d.id)"
        " LIMIT ?",
        (*reference_range(number), number, int(Status.RESOLVED), int(ReferenceKind.IMPORT),
         int(Flag.LOCAL | Flag.OVERLOAD | Flag.CONDITIONAL), int(DefinitionKind.FUNCTION), int(ParseStatus.WHOLE),
         int(ParseStatus.WHOLE), _ROWS_TRIED),
    ).fetchall()  # fmt: skip
    for reference, target, name_start, rule in rows:
        other = definition_file(target)
        if other not in members or is_weak(rule, rules):
            continue
        content, there = _content(root, known[number]), _content(root, known[other])
        if content is not None and there is not None:
            place = str(root / known[number].path_on_disk)
            return Canary(place, content, reference_start(reference), str(root / known[other].path_on_disk), name_start)
    return None


def _content(root: Path, file: FileHash) -> bytes | None:
    """The bytes of a file, if they are those that were indexed."""
    try:
        content = read_inside(os.fsencode(root), os.fsencode(file.path_on_disk))
    except OSError:
        return None
    return content if xxhash.xxh3_64_digest(content) == file.hash else None
