"""Slots of definitions: the part of their ids that survives a new extraction of their file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from graph.store.numbers import definition_id, definition_slot


def assign_slots(
    old: Iterable[tuple[int, int, str, int]], new: Sequence[tuple[Any, ...]]
) -> tuple[list[int] | None, list[int]]:
    """Slot of each new definition, by its index, and the ids of old definitions that are gone.

    `old` are (id, kind, qualified name, ordinal), `new` rows of the table `definition` whose ids are made from
    indices. What bears the same text id keeps its slot; what is new gets one that no definition of the file had
    before. The slots are None when they are the indices.
    """
    known = {(kind, name, ordinal): number for number, kind, name, ordinal in old}
    used = [definition_slot(number) for number in known.values()]
    following = max(used, default=-1) + 1
    slots: list[int] = []
    for row in new:
        number = known.pop((row[1], row[3], row[4]), None)
        if number is None:
            slots.append(following)
            following += 1
        else:
            slots.append(definition_slot(number))
    return (None if slots == list(range(len(slots))) else slots), sorted(known.values())


def with_slots(file: int, rows: Sequence[tuple[Any, ...]], slots: Sequence[int] | None) -> list[tuple[Any, ...]]:
    """Rows of the table `definition` with ids and parents made from slots instead of indices."""
    if slots is None:
        return list(rows)
    base = definition_id(file, 0)
    return [
        (base | slots[index], *row[1:5], None if row[5] is None else base | slots[row[5] - base], *row[6:])
        for index, row in enumerate(rows)
    ]
