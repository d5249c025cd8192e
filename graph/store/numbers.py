"""The integers by which the store names references and definitions.

A definition is `file << 24 | slot`: the gid of the linker, as long as slots are indices. A reference is
`file << 40 | start << 8 | n`, where `start` is the byte offset of its name and `n` counts references that begin at
the same byte. So the rows of a file, and of any byte range in it, are one range of keys, in source order.
"""

from __future__ import annotations

from collections.abc import Iterable

from graph.link.values import FILE_SHIFT

MAX_SAME_START = 255
"""How many references may begin at one byte beside the first; the store keeps no more."""

_START_SHIFT = 8
_REFERENCE_SHIFT = 40
_START_MASK = (1 << _REFERENCE_SHIFT - _START_SHIFT) - 1
_SLOT_MASK = (1 << FILE_SHIFT) - 1


def definition_id(file: int, slot: int) -> int:
    """The id of a definition of a file."""
    return file << FILE_SHIFT | slot


def definition_range(file: int) -> tuple[int, int]:
    """First and last possible id of the definitions of a file."""
    return file << FILE_SHIFT, file << FILE_SHIFT | _SLOT_MASK


def definition_file(definition: int) -> int:
    """The file of a definition."""
    return definition >> FILE_SHIFT


def definition_slot(definition: int) -> int:
    """The slot of a definition in its file."""
    return definition & _SLOT_MASK


def reference_ids(file: int, starts: Iterable[int]) -> list[int]:
    """The ids of references that begin at these byte offsets, ascending."""
    base = file << _REFERENCE_SHIFT
    ids: list[int] = []
    previous = -1
    for start in starts:
        number = base | start << _START_SHIFT
        if start == previous:
            number = ids[-1] + 1
        previous = start
        ids.append(number)
    return ids


def reference_range(file: int, start: int = 0, end: int = _START_MASK + 1) -> tuple[int, int]:
    """First and last possible id of references of a file that begin in the byte range start..end (end excluded)."""
    base = file << _REFERENCE_SHIFT
    return base + (start << _START_SHIFT), base + (end << _START_SHIFT) - 1


def reference_file(reference: int) -> int:
    """The file of a reference."""
    return reference >> _REFERENCE_SHIFT


def reference_start(reference: int) -> int:
    """The byte offset at which the name of a reference begins."""
    return reference >> _START_SHIFT & _START_MASK
