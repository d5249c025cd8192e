"""The index as SQLite: where it lies, its tables, one writer, many readers, and the rows that the passes add."""

from graph.store.database import Store
from graph.store.errors import (
    BusyIndexError,
    DamagedIndexError,
    DiskFullError,
    ForeignIndexError,
    NoIndexError,
    OtherVersionError,
    StoreError,
    UnwritableIndexError,
)
from graph.store.vocabulary import FileFlag, Layer, Membership, ParseStatus, RelationKind, Verdict

__all__ = [
    "BusyIndexError",
    "DamagedIndexError",
    "DiskFullError",
    "FileFlag",
    "ForeignIndexError",
    "Layer",
    "Membership",
    "NoIndexError",
    "OtherVersionError",
    "ParseStatus",
    "RelationKind",
    "Store",
    "StoreError",
    "UnwritableIndexError",
    "Verdict",
]
