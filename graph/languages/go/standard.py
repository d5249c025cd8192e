"""What generic functions and methods of the standard library give back, where that can be a type of the repository.

Everything else of the standard library gives types that are outside of the repository, and needs no entry. Source: the
documentation of the packages named.
"""

from __future__ import annotations

from typing import Final

GENERIC_PACKAGES: Final = frozenset(("slices", "maps", "cmp", "iter", "unique", "weak"))
"""Packages whose functions are generic throughout: what is not in `FUNCTIONS` gives something unknown."""
GENERIC_FUNCTIONS: Final = frozenset(
    ("sync.OnceValue", "sync.OnceValues", "errors.AsType", "reflect.TypeAssert", "math/rand/v2.N")
)

_KEEPING: Final = "Clone Compact CompactFunc Delete DeleteFunc Insert Replace Grow Clip Concat Repeat AppendSeq".split()

FUNCTIONS: Final[dict[str, str]] = {
    **dict.fromkeys((f"slices.{name}" for name in _KEEPING), "same"),
    "maps.Clone": "same",
    "cmp.Or": "same",
    "slices.Max": "element",
    "slices.Min": "element",
    "slices.MaxFunc": "element",
    "slices.MinFunc": "element",
    "slices.Values": "elements",
    "slices.All": "pairs",
    "slices.Backward": "pairs",
    "slices.Chunk": "chunks",
    "slices.Collect": "collected",
    "slices.Sorted": "collected",
    "slices.SortedFunc": "collected",
    "slices.SortedStableFunc": "collected",
    "maps.Keys": "keys",
    "maps.Values": "elements",
    "maps.All": "pairs",
    "sync.OnceValue": "function",
    "sync.OnceValues": "function",
}
"""`package.function` -> what it gives of its first argument: the `same`, an `element`, an iterator over its `elements`,
`keys` or `pairs` or over `chunks` of it, a slice `collected` from an iterator, or the same `function`."""

METHODS: Final = frozenset(
    ("sync/atomic.Pointer.Load", "sync/atomic.Pointer.Swap", "unique.Handle.Value", "weak.Pointer.Value")
)
"""`package.type.method` that gives a value of the type's first type argument."""
